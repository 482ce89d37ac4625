"""Contexts of sentences and averages of words, against the plain loops of equations 3 and 4."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr import encoders
from cwr.corpora import Corpus, fingerprint, joined, paragraphs
from cwr.errors import UserError
from cwr.estimates import context_pieces, contexts
from cwr.texts.gupta2021 import left_out

PARAGRAPHS = [
    [
        "The U.S. bank raised its rate in 1907 .",
        "She sat on the bank of the river , unbelievably !",
        "Was the Bank closed ? Yes",
    ],
    ["The river rose ."],
    ["Go !", "A rate is a rate is a rate .", "No end mark"],
]


def corpus(content: list[list[str]]) -> Corpus:
    """A document of paragraphs, each a list of sentences whose words stand between blanks."""
    sentences = []
    for number, lines in enumerate(content):
        for line in lines:
            sentences.append(replace(joined(line.split()), paragraph=number))
    return Corpus("toy", tuple(sentences), fingerprint(sentences), "ours")


@pytest.fixture(scope="module")
def text():
    return corpus(PARAGRAPHS)


@pytest.fixture(scope="module")
def encoder():
    return encoders.load("cwr-bert")


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CWR_CACHE", str(tmp_path))


def read(encoder, text, unit="sentence", **options):
    return contexts.read(encoder, text, contexts.vocabulary(text, 1), unit, **options)


def in_one_text(encoder, sentences, **options):
    """The batch of several sentences as one text in lower case: all its units, in order."""
    whole = joined([word.lower() for sentence in sentences for word in sentence.words])
    (batch,) = encoder.encode([whole], **options)
    return batch


# ---- the vocabulary

LINES = st.lists(
    st.lists(st.sampled_from("aAbBcd"), min_size=1, max_size=6).map(" ".join),
    min_size=1,
    max_size=8,
)


@given(LINES, st.integers(1, 3))
def test_the_vocabulary_counts_lower_cased_words_from_common_to_rare(lines, least):
    text = corpus([lines])
    every = " ".join(lines).lower().split()
    expected = sorted(
        {word for word in every if every.count(word) >= least},
        key=lambda word: (-every.count(word), every.index(word)),
    )
    if not expected:
        with pytest.raises(
            UserError, match=f"no word of toy occurs {least} times: give more"
        ):
            contexts.vocabulary(text, least)
        return
    vocabulary = contexts.vocabulary(text, least)
    assert list(vocabulary.words) == expected
    assert vocabulary.counts.tolist() == [every.count(word) for word in expected]
    spelled = [
        [vocabulary.words[token] if token >= 0 else None for token in sentence]
        for sentence in vocabulary.tokens
    ]
    assert spelled == [
        [word if word in expected else None for word in line.lower().split()]
        for line in lines
    ]
    read_words = sum(word in expected for word in every)
    assert vocabulary.covered == pytest.approx(read_words / len(every))


def test_a_higher_threshold_keeps_the_first_words_of_a_lower_one(text):
    all_words, fewer = contexts.vocabulary(text, 1), contexts.vocabulary(text, 2)
    assert all_words.words[: len(fewer.words)] == fewer.words and len(fewer.words) > 3
    assert contexts.vocabulary(text, 1, cap=2).words == all_words.words[:2]


def test_a_corpus_without_sentences_has_no_vocabulary():
    with pytest.raises(UserError, match="toy has no sentences: give one with text"):
        contexts.vocabulary(corpus([]))


# ---- contexts


def test_the_context_of_a_sentence_is_the_mean_of_its_words_read_alone(
    encoder, text, near
):
    matrix = read(encoder, text, averages=False).matrix
    assert matrix.shape == (7, encoder.dim) and matrix.dtype == np.float32
    for row, sentence in zip(matrix, text.sentences, strict=True):
        batch = in_one_text(encoder, [sentence])
        assert row == pytest.approx(batch.hidden[-1].mean(axis=0), abs=10 * near)


def test_the_context_in_a_paragraph_is_the_mean_of_the_sentence_in_its_paragraph(
    encoder, text, near
):
    matrix, row = read(encoder, text, "paragraph", averages=False).matrix, 0
    for number in range(len(PARAGRAPHS)):
        sentences = [one for one in text.sentences if one.paragraph == number]
        batch, start = in_one_text(encoder, sentences), 0
        for sentence in sentences:
            stop = start + len(sentence.words)
            mean = batch.hidden[-1, start:stop].mean(axis=0)
            assert matrix[row] == pytest.approx(mean, abs=10 * near)
            start, row = stop, row + 1


@pytest.mark.parametrize("mean_over", context_pieces.MEANS[:3])
def test_a_paragraph_of_one_sentence_has_equal_contexts_by_both_units(
    encoder, text, near, mean_over
):
    alone, inside = (
        read(encoder, text, unit, mean_over=mean_over, averages=False).matrix
        for unit in paragraphs.CUTS
    )
    assert alone[3] == pytest.approx(inside[3], abs=10 * near)
    assert not np.allclose(alone[0], inside[0], atol=0.01)


def test_padding_batch_size_and_order_change_no_context(
    encoder, text, near, monkeypatch, tmp_path
):
    for unit in paragraphs.CUTS:
        plain = read(encoder, text, unit)
        backwards = corpus(PARAGRAPHS[::-1])
        monkeypatch.setenv("CWR_CACHE", str(tmp_path / f"narrow {unit}"))
        monkeypatch.setattr(encoder, "padding", "left")
        narrow = read(encoder, text, unit, max_tokens=16)
        turned = read(encoder, backwards, unit)
        monkeypatch.setattr(encoder, "padding", "right")
        assert narrow.matrix == pytest.approx(plain.matrix, abs=10 * near)
        order = [4, 5, 6, 3, 0, 1, 2]  # where the sentences stood
        assert turned.matrix == pytest.approx(plain.matrix[order], abs=10 * near)
        of_turned = dict(zip(turned.vocabulary.words, turned.average_of(4), strict=True))
        for word, vector in zip(plain.vocabulary.words, plain.average_of(4), strict=True):
            assert of_turned[word] == pytest.approx(vector, abs=10 * near)


def test_layer_and_spelling_are_switches(encoder, text, near):
    sentence = text.sentences[0]
    (natural,) = encoder.encode([sentence])
    as_written = read(encoder, text, lower=False, averages=False).matrix[0]
    assert as_written == pytest.approx(natural.hidden[-1].mean(axis=0), abs=10 * near)
    second = read(encoder, text, layer=2, averages=False).matrix[0]
    batch = in_one_text(encoder, [sentence])
    assert second == pytest.approx(batch.hidden[2].mean(axis=0), abs=10 * near)


def test_a_text_beyond_the_window_is_read_to_its_end(encoder, near):
    long = corpus([["one two three ." for _ in range(60)]])
    matrix = read(encoder, long, "paragraph", averages=False).matrix
    assert len(matrix) == 60 and (np.linalg.norm(matrix, axis=1) > 0).all()
    batch = in_one_text(encoder, long.sentences)
    assert matrix[-1] == pytest.approx(batch.hidden[-1, -4:].mean(axis=0), abs=10 * near)


# ---- averages


@pytest.mark.parametrize("unit", paragraphs.CUTS)
def test_ase_is_the_mean_over_all_occurrences_in_every_layer(encoder, text, near, unit):
    result = read(encoder, text, unit)
    texts, _ = paragraphs.CUTS[unit](text)
    occurrences = {}
    for sentence in texts.sentences:
        batch = in_one_text(encoder, [sentence])
        for position, word in enumerate(sentence.words):
            occurrences.setdefault(word.lower(), []).append(batch.hidden[:, position])
    assert list(result.layers) == list(range(encoder.n_layers + 1))
    assert result.counts.tolist() == result.vocabulary.counts.tolist()
    for layer in result.layers:
        averages = result.average_of(layer)
        for word, average in zip(result.vocabulary.words, averages, strict=True):
            mean = np.mean(occurrences[word], axis=0)[layer]
            assert average == pytest.approx(mean, abs=10 * near)


def test_averages_that_were_not_asked_for_are_refused(encoder, text):
    with pytest.raises(
        ValueError, match="no averages of words were read: give read averages=True"
    ):
        read(encoder, text, averages=False).average_of(0)


# ---- means over pieces


@pytest.mark.parametrize("mean_over", ["pieces", "special pieces"])
def test_the_mean_over_pieces_counts_a_word_once_a_piece(encoder, text, near, mean_over):
    matrix = read(encoder, text, mean_over=mean_over, averages=False).matrix
    for row, sentence in zip(matrix, text.sentences, strict=True):
        batch = in_one_text(encoder, [sentence], unit="piece")
        inside = slice(None) if mean_over == "special pieces" else slice(1, -1)
        assert row == pytest.approx(batch.hidden[-1, inside].mean(axis=0), abs=10 * near)


def test_special_pieces_of_a_paragraph_count_for_its_first_and_last_sentence(
    encoder, text, near
):
    matrix = read(
        encoder, text, "paragraph", mean_over="special pieces", averages=False
    ).matrix
    batch = in_one_text(encoder, text.sentences[:3], unit="piece")
    lengths = encoder.tokenise(
        [joined(one.text.lower().split()) for one in text.sentences]
    ).lengths
    ends = 1 + np.cumsum(lengths[:3])  # behind [CLS]
    stretches = [slice(0, ends[0]), slice(ends[0], ends[1]), slice(ends[1], ends[2] + 1)]
    for row, stretch in zip(matrix, stretches, strict=False):
        assert row == pytest.approx(batch.hidden[-1, stretch].mean(axis=0), abs=10 * near)


def released_contexts(encoder, sentences):
    """{word number: context} of a paragraph, by the two counters of the released code.

    One counts words that are end marks, the other pieces that are; the context of a word is the
    mean over the pieces with its number, the last fragment with [SEP].
    """
    words = [word.lower() for sentence in sentences for word in sentence.words]
    (batch,) = encoder.encode([joined(words)], unit="piece")
    tokens = [encoder.vocabulary[token] for token in encoder.tokenise([joined(words)]).ids]
    stretches, start = [], 1
    for place, token in enumerate(tokens, start=1):
        if token in (".", "?", "!"):
            stretches.append(slice(start, place + 1))
            start = place + 1
    stretches.append(slice(start, len(tokens) + 2))
    means, number = [], 0
    for word in words:
        means.append(batch.hidden[-1, stretches[number]].mean(axis=0))
        number += word in (".", "?", "!")
    return means


def test_the_released_pairing_follows_its_two_counters(encoder, text, near):
    cut = paragraphs.cut_at_end_marks(text)
    matrix = read(encoder, cut, "paragraph", mean_over="released", averages=False).matrix
    expected = []
    for number in range(len(PARAGRAPHS)):
        expected += released_contexts(
            encoder, [one for one in text.sentences if one.paragraph == number]
        )
    sentence = np.repeat(np.arange(len(matrix)), [len(one.words) for one in cut.sentences])
    assert matrix[sentence] == pytest.approx(np.array(expected), abs=10 * near)
    by_offsets = read(encoder, cut, "paragraph", mean_over="pieces", averages=False).matrix
    differs = np.abs(matrix - by_offsets).max(axis=1) > 0.01
    assert differs.tolist() == [True, True, True, True, False, False, False, True]


def test_words_behind_an_abbreviation_are_misaligned_to_the_end_of_the_paragraph(
    encoder, text
):
    texts, table = paragraphs.paragraphs(
        paragraphs.cut_at_end_marks(paragraphs.lower_cased(text))
    )
    rows = context_pieces.misaligned(encoder, texts, table)
    assert rows.groupby("text")["misaligned"].any().tolist() == [True, False, False]
    of_first = rows.loc[rows["text"] == 0, "misaligned"].to_numpy()
    assert not of_first[:2].any()  # "u" is in the stretch "the u ."
    assert of_first[len(text.sentences[0].words) :].all()


def test_pieces_of_a_teacher_that_reads_characters_are_refused(text):
    elmo = SimpleNamespace(name="cwr-elmo", tokenizer=None)
    with pytest.raises(
        UserError, match="cwr-elmo reads words by their characters and has no pie"
    ):
        read(elmo, text, mean_over="pieces")


def test_a_teacher_whose_pieces_hide_the_end_marks_is_refused(encoder, text):
    texts, table = paragraphs.paragraphs(paragraphs.cut_at_end_marks(text))
    hidden = [f"Ġ{token}" if token in "?!" else token for token in encoder.vocabulary]
    byte_level = SimpleNamespace(name="cwr-gpt", vocabulary=hidden)
    pieces, number = encoder.tokenise(texts.sentences), table["sentence"].to_numpy()
    context_pieces.released_stretches(encoder, pieces, number)
    with pytest.raises(UserError, match="among the pieces of cwr-gpt are fewer end marks"):
        context_pieces.released_stretches(byte_level, pieces, number)


# ---- the target left out


@pytest.mark.parametrize("unit", paragraphs.CUTS)
def test_a_context_is_the_mean_of_the_vectors_of_its_words(encoder, text, near, unit):
    vectors = left_out.word_vectors(encoder, text, contexts.vocabulary(text, 1), unit)
    matrix, first = read(encoder, text, unit, averages=False).matrix, 0
    for row, sentence in zip(matrix, text.sentences, strict=True):
        of_sentence = vectors[first : first + len(sentence.words)]
        assert of_sentence.mean(axis=0) == pytest.approx(row, abs=10 * near)
        first += len(sentence.words)
    assert first == len(vectors)
    if unit == "sentence":
        batch = in_one_text(encoder, [text.sentences[0]])
        assert vectors[: len(batch.position)] == pytest.approx(
            batch.hidden[-1], abs=10 * near
        )


def test_to_leave_out_a_word_without_a_piece_changes_nothing(encoder, near):
    text = corpus([["Go home", "the \u200b bank"]])
    vectors = left_out.word_vectors(encoder, text, contexts.vocabulary(text, 1))
    assert len(vectors) == 5
    assert vectors[3] == pytest.approx(vectors[[2, 4]].mean(axis=0), abs=10 * near)
    with pytest.raises(UserError, match="reads no piece of the sentence"):
        text = corpus([["Go home", "\u200b"]])
        left_out.word_vectors(encoder, text, contexts.vocabulary(text, 1))


def test_lines_of_one_word_leave_nothing_when_the_target_is_left_out(encoder):
    text = corpus([["Go"], ["No"]])
    with pytest.raises(
        UserError, match="every line of toy is one word, and with the target left"
    ):
        left_out.word_vectors(encoder, text, contexts.vocabulary(text, 1))


# ---- refusals


def test_a_sentence_or_a_word_without_a_piece_is_named(encoder):
    with pytest.raises(
        UserError, match=r"reads no piece of the sentence '\\u200b' of toy: take"
    ):
        read(encoder, corpus([["the bank", "\u200b"]]), averages=False)
    with pytest.raises(
        UserError, match=r"reads no piece of the word '\\u200b': take it out"
    ):
        read(encoder, corpus([["the \u200b bank"]]))


def test_another_unit_another_mean_and_another_vocabulary_are_refused(encoder, text):
    with pytest.raises(
        ValueError, match="a text is one of sentence, paragraph, not 'document'"
    ):
        read(encoder, text, "document")
    with pytest.raises(
        ValueError, match="a mean over one of words, pieces, special pieces, rel"
    ):
        read(encoder, text, mean_over="letters")
    with pytest.raises(ValueError, match="layers are 0 to 4"):
        read(encoder, text, layer=7)
    other = contexts.vocabulary(corpus([["the bank"]]), 1)
    with pytest.raises(ValueError, match="this vocabulary is not that of toy"):
        contexts.read(encoder, text, other)
