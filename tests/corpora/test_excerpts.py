"""Sentences cut around a target: by a naive loop, at the ends, and with nothing to cut."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr import corpora
from cwr.corpora import excerpts
from cwr.corpora.sentences import Corpus, Sentence, fingerprint
from cwr.errors import UserError

TEXT = "Yes: the old city (of Troy), it is."
SPANS = ((0, 3), (3, 4), (5, 8), (9, 12), (13, 17), (18, 19), (19, 21), (22, 26), (26, 27))
SPANS += ((27, 28), (29, 31), (32, 34), (34, 35))
SENTENCE = Sentence("7.0.1", TEXT, SPANS, 7, 0, {"mentions": []})
TARGETS = st.tuples(st.integers(0, 12), st.integers(0, 12)).map(sorted)


@given(TARGETS, st.integers(0, 15))
def test_the_words_are_those_of_a_naive_loop(target, k):
    first, last = target
    words, start = [], None
    for number, word in enumerate(SENTENCE.words):
        if first - k <= number <= last + k:
            words.append(word)
            start = number if start is None else start
    excerpt, *moved = corpora.cut(SENTENCE, first, last, k)
    assert list(excerpt.words) == words and moved == [first - start, last - start]
    assert excerpt.text in TEXT and excerpt.text.startswith(words[0])


def test_between_words_the_text_is_as_it_was():
    excerpt, first, last = corpora.cut(SENTENCE, 4, 6, 1)
    assert excerpt.text == "old city (of Troy"
    assert (first, last, excerpt.document, excerpt.annotations) == (1, 3, 7, {})


def test_with_no_context_only_the_target_is_left():
    excerpt, first, last = corpora.cut(SENTENCE, 3, 4, 0)
    assert (excerpt.text, first, last) == ("old city", 0, 1)


@pytest.mark.parametrize("k", [12, 13, 1000])
def test_a_size_beyond_the_sentence_changes_nothing(k):
    assert corpora.cut(SENTENCE, 0, 0, k) == (SENTENCE, 0, 0)


def test_a_size_one_short_of_the_sentence_takes_one_word():
    excerpt, _, _ = corpora.cut(SENTENCE, 0, 0, 11)
    assert excerpt.text == TEXT.removesuffix(".")


@pytest.mark.parametrize(
    ("first", "last", "k", "says"),
    [
        (
            12,
            13,
            2,
            "words 12 to 13 lie outside the sentence '7.0.1', which has words 0 to 12",
        ),
        (-1, 2, 2, "words -1 to 2 lie outside"),
        (3, 2, 2, "words 3 to 2 lie outside"),
        (3, 4, -1, "at least 0 words on each side, got -1"),
    ],
)
def test_a_target_outside_its_sentence_and_a_negative_size_are_refused(
    first, last, k, says
):
    with pytest.raises(UserError, match=says):
        corpora.cut(SENTENCE, first, last, k)


def test_each_excerpt_stands_once_and_targets_keep_their_order():
    other = Sentence("8.0.0", "the old city", ((0, 3), (4, 7), (8, 12)))
    sentences = (SENTENCE, other)
    corpus = Corpus("two", sentences, fingerprint(sentences), "ours")
    rows = [(1, 1, 2, "b"), (0, 3, 4, "a"), (0, 7, 7, "c"), (0, 3, 4, "d")]
    targets = pd.DataFrame(rows, columns=["sentence", "first", "last", "group"])
    texts, table = excerpts.around(corpus, targets, 0)
    assert [sentence.text for sentence in texts.sentences] == ["old city", "Troy"]
    assert table["sentence"].tolist() == [0, 0, 1, 0] and table["group"].tolist() == list(
        "bacd"
    )
    assert texts.fingerprint == fingerprint(texts.sentences)
    for size in (0, 1, 3, 50):
        texts, table = excerpts.around(corpus, targets, size)
        for new, old in zip(table.itertuples(), targets.itertuples(), strict=True):
            words = texts.sentences[new.sentence].words[new.first : new.last + 1]
            assert words == sentences[old.sentence].words[old.first : old.last + 1]
    assert [sentence.text for sentence in texts.sentences] == ["the old city", TEXT]


def test_no_targets_make_no_excerpts():
    corpus = Corpus("one", (SENTENCE,), fingerprint([SENTENCE]), "ours")
    texts, table = excerpts.around(
        corpus, pd.DataFrame(columns=["sentence", "first", "last"]), 2
    )
    assert texts.sentences == () and len(table) == 0


# ---- the target hidden


def test_a_hidden_target_leaves_its_context_word_by_word():
    sentence, first, last = excerpts.hide(SENTENCE, 3, 4, "[MASK]")
    assert sentence.text == "Yes: the [MASK] (of Troy), it is." and first == last == 3
    assert sentence.words[first] == "[MASK]" and sentence.annotations == {}
    assert sentence.words == (*SENTENCE.words[:3], "[MASK]", *SENTENCE.words[5:])


@given(
    TARGETS, st.sampled_from(["_", "[MASK]", "a sign longer than all of this sentence"])
)
def test_what_is_around_a_hidden_target_does_not_change(target, sign):
    first, last = target
    sentence, position, _ = excerpts.hide(SENTENCE, first, last, sign)
    words = (*SENTENCE.words[:first], sign, *SENTENCE.words[last + 1 :])
    assert sentence.words == words and position == first
    start, end = SENTENCE.spans[first][0], SENTENCE.spans[last][1]
    assert sentence.text.replace(sign, TEXT[start:end], 1) == TEXT


def test_two_targets_of_a_sentence_are_hidden_each_by_itself():
    corpus = Corpus("one", (SENTENCE,), fingerprint([SENTENCE]), "ours")
    targets = pd.DataFrame([(0, 3, 4), (0, 7, 7)], columns=["sentence", "first", "last"])
    texts, table = excerpts.hidden(corpus, targets, "X")
    assert [sentence.words.index("X") for sentence in texts.sentences] == [3, 7]
    assert table.to_numpy().tolist() == [[0, 3, 3], [1, 7, 7]]


@pytest.mark.parametrize("sign", ["", " "])
def test_a_sign_without_a_character_and_a_target_outside_are_refused(sign):
    with pytest.raises(UserError, match="needs a sign of at least one character"):
        excerpts.hide(SENTENCE, 3, 4, sign)
    with pytest.raises(UserError, match="words 3 to 13 lie outside"):
        excerpts.hide(SENTENCE, 3, 13, "X")


# ---- the context shuffled


@given(TARGETS, st.integers(0, 3))
def test_a_shuffled_context_is_the_same_bag_around_the_target_in_its_place(target, seed):
    first, last = target
    sentence, *span = excerpts.shuffle(SENTENCE, first, last, seed)
    assert span == [first, last]
    assert sentence.words[first : last + 1] == SENTENCE.words[first : last + 1]
    assert sorted(sentence.words) == sorted(SENTENCE.words)
    again, _, _ = excerpts.shuffle(SENTENCE, first, last, seed)
    assert again == sentence


def test_other_targets_and_seeds_shuffle_otherwise():
    corpus = Corpus("one", (SENTENCE,), fingerprint([SENTENCE]), "ours")
    targets = pd.DataFrame([(0, 3, 4), (0, 7, 7)], columns=["sentence", "first", "last"])
    texts, table = excerpts.shuffled(corpus, targets)
    one, other = texts.sentences
    assert table.to_numpy().tolist() == [[0, 3, 4], [1, 7, 7]]
    assert one.words != other.words != SENTENCE.words
    assert excerpts.shuffle(SENTENCE, 3, 4, seed=1)[0].words != one.words
