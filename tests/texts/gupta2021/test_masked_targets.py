"""Targets behind a mask, against sentences that are written with masks by hand."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cwr import corpora, encoders
from cwr.corpora import Corpus, fingerprint, joined
from cwr.errors import UserError
from cwr.estimates import contexts
from cwr.texts.gupta2021 import masked_targets
from cwr.texts.gupta2021.masked_targets import LEFT_OUT, MASKED, WITHIN
from cwr.training.static_vectors.negative_sampling import Sampler, Settings

LINES = [
    "The river rose .",
    "She sat on the bank",
    "A rate , unbelievably , is a rate",
    "Go",
]
TARGETS = pd.DataFrame(
    {"sentence": [0, 1, 2, 2], "position": [1, 4, 3, 0], "word": [5, 0, 9, 2]}
)
BEHIND_MASKS = [
    "the [MASK] rose .",
    "she sat on the [MASK]",
    "a rate , [MASK] , is a rate",  # as many masks as the word has pieces
    "[MASK] rate , unbelievably , is a rate",
]


@pytest.fixture(scope="module")
def text():
    sentences = [joined(line.split()) for line in LINES]
    return Corpus("toy", tuple(sentences), fingerprint(sentences), "ours")


@pytest.fixture(scope="module")
def encoder():
    return encoders.load("cwr-bert")


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))


@pytest.fixture
def read(encoder, text):
    return masked_targets.read(encoder, text, contexts.vocabulary(text, 1), TARGETS)


def pieces_of(encoder, word):
    return encoder.tokenise([joined([word])]).lengths[0]


def of_words(encoder, words):
    """(words, dim) the last layer of a sentence of these words, whose vectors are in their order."""
    (batch,) = encoder.encode([joined(words)])
    return batch.hidden[-1]


# ---- contexts


def test_a_masked_context_is_that_of_the_sentence_written_with_masks(encoder, read, near):
    for row, line in zip(read.contexts[MASKED], BEHIND_MASKS, strict=True):
        pieces = pieces_of(encoder, "unbelievably") if ", [MASK] ," in line else 1
        words = line.replace("[MASK]", "[MASK]" * pieces).split()
        assert row == pytest.approx(of_words(encoder, words).mean(axis=0), abs=10 * near)
    assert pieces_of(encoder, "unbelievably") > 1


def test_a_plain_context_is_that_of_the_whole_text(encoder, text, read, near):
    plain = contexts.read(encoder, text, contexts.vocabulary(text, 1), averages=False)
    expected = plain.matrix[TARGETS["sentence"]]
    assert read.contexts[WITHIN] == pytest.approx(expected, abs=10 * near)


def test_without_its_target_a_context_is_the_mean_of_the_other_words(encoder, read, near):
    rows = zip(
        read.contexts[LEFT_OUT], TARGETS["sentence"], TARGETS["position"], strict=True
    )
    for row, sentence, position in rows:
        words = of_words(encoder, LINES[sentence].lower().split())
        others = np.delete(words, position, axis=0).mean(axis=0)
        assert row == pytest.approx(others, abs=10 * near)


def test_masks_stand_for_the_pieces_of_the_target_and_for_nothing_else(encoder):
    whole = contexts.lower_cased(corpora.load("lee").sample(60, 0))
    sentences = [sentence for sentence in whole.sentences if len(sentence.spans) > 3]
    text = corpora.paragraphs.rewritten(whole, sentences)
    positions = np.full(len(sentences), 2)
    before = encoder.tokenise(sentences)
    behind = encoder.tokenise(masked_targets.masked(encoder, text, positions).sentences)
    alike = unsplit = 0
    for number, sentence in enumerate(sentences):
        start, stop = sentence.spans[2]
        inside = slice(*before.first[number : number + 2])
        overlaps = (before.span[inside, 1] > start) & (before.span[inside, 0] < stop)
        expected = np.where(overlaps, encoder.tokenizer.mask_token_id, before.ids[inside])
        if (
            before.span[inside][overlaps, 1].max() == stop
        ):  # no piece reaches into the next word
            unsplit += 1
            pieces = behind.ids[slice(*behind.first[number : number + 2])]
            alike += np.array_equal(pieces, expected)
    assert alike == unsplit > 50


def test_words_keep_their_places_around_the_masks(encoder, text):
    longest = corpora.paragraphs.rewritten(text, text.sentences[2:3])
    (sentence,) = masked_targets.masked(encoder, longest, [3]).sentences
    masks = "[MASK]" * pieces_of(encoder, "unbelievably")
    assert sentence.words == ("A", "rate", ",", masks, ",", "is", "a", "rate")


# ---- targets


def test_targets_are_drawn_by_their_shares_from_sentences_of_two_words(text):
    vocabulary = contexts.vocabulary(text, 1)
    shares = np.ones(len(vocabulary.words))
    shares[vocabulary.words.index("rate")] = 0.0
    drawn = masked_targets.draw(vocabulary, shares, 15)  # all but two "rate", and "go"
    tokens = vocabulary.tokens
    spans = zip(drawn["sentence"], drawn["position"], strict=True)
    words = [tokens[sentence][position] for sentence, position in spans]
    assert drawn["word"].tolist() == words and not drawn.duplicated().any()
    expected = {"the", "river", "rose", ".", "she", "sat", "on", "bank", "a", ","}
    assert {vocabulary.words[word] for word in words} == expected | {"unbelievably", "is"}
    with pytest.raises(
        UserError, match="the text has 15 targets that can be masked, not 16"
    ):
        masked_targets.draw(vocabulary, shares, 16)


def test_words_out_of_the_vocabulary_are_no_targets_and_another_seed_draws_others(text):
    vocabulary = contexts.vocabulary(text, 2)
    shares = np.ones(len(vocabulary.words))
    assert (masked_targets.draw(vocabulary, shares, 8)["word"] >= 0).all()
    one, two = (masked_targets.draw(vocabulary, shares, 4, seed) for seed in (0, 1))
    assert not one.equals(two) and one.equals(
        masked_targets.draw(vocabulary, shares, 4, 0)
    )


def test_each_target_counts_once_an_epoch_at_a_threshold_of_one(read):
    settings = Settings(threshold=1.0, batch=4)
    batch = Sampler(read.vocabulary, settings, np.arange(4)).draw(0)
    assert batch.words[:, 0].tolist() == TARGETS["word"][batch.sentences].tolist()
    assert sorted(batch.sentences) == [0, 1, 2, 3]


# ---- refusals


def test_a_teacher_without_masks_is_refused(text):
    with pytest.raises(
        UserError, match="cwr-gpt is of the family causal and has not learned"
    ):
        masked_targets.masked(encoders.load("cwr-gpt"), text, [0, 0, 0, 0])


def test_a_target_without_a_piece_is_named(encoder, text):
    blank = replace(joined(["go", "\u200b", "on"]), text="go \u200b on")
    strange = corpora.paragraphs.rewritten(text, [text.sentences[0], blank])
    with pytest.raises(
        UserError, match=r"cwr-bert reads no piece of a target in .*go.* of toy"
    ):
        masked_targets.masked(encoder, strange, [0, 1])


def test_a_mask_that_is_read_as_common_text_is_refused(text):
    encoder = encoders.load("cwr-bert")
    encoder.tokenizer.split_special_tokens = True
    with pytest.raises(UserError, match=r"does not read \[MASK\] in a text as its mask"):
        masked_targets.masked(encoder, text, [0, 0, 0, 0])
