"""One vector a word: which words and classes are probed, averages, and phrases made of words."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr.corpora.sentences import Corpus, fingerprint, joined
from cwr.errors import UserError
from cwr.texts.zhao2020 import word_spaces

TEXTS = [
    "Old Troy fell",
    "the old Troy stood",
    "so old Troy sang",
    "and Rome",
    "Rome lived",
]
ROWS = [
    (0, 0, 1, "old troy", "location", "train"),
    (1, 1, 2, "old troy", "location", "train"),
    (2, 1, 2, "old troy", "art", "train"),
    (3, 1, 1, "rome", "location", "test"),
    (4, 0, 0, "rome", "food", "test"),
]


@pytest.fixture
def corpus():
    sentences = [dataclasses.replace(joined(text.split()), id=text) for text in TEXTS]
    return Corpus("five", tuple(sentences), fingerprint(sentences), "ours")


@pytest.fixture
def table():
    return pd.DataFrame(
        ROWS, columns=["sentence", "first", "last", "word", "class", "split"]
    )


def test_a_word_has_the_classes_of_all_its_contexts_and_the_spelling_of_most(
    corpus, table
):
    words = word_spaces.words_of(corpus, table, fewest=1)
    assert words.table.index.tolist() == ["old troy", "rome"]
    assert words.table["contexts"].tolist() == [3, 2]
    assert words.table["spelling"].tolist() == ["old Troy", "Rome"]
    assert words.table["tokens"].tolist() == [("old", "troy"), ("rome",)]
    assert words.rows("test").tolist() == [False, True]
    assert words.classes == ["art", "location"]  # food has no training word
    assert words.of_class.to_numpy().tolist() == [[1, 2], [0, 1]]
    assert words.is_class.tolist() == [[True, True], [False, True]]
    assert words.has_class("art").tolist() == [True, False]
    with pytest.raises(
        UserError, match="no probe is trained for the class 'food': there are art, l"
    ):
        words.has_class("food")


def test_a_class_needs_training_words_and_not_contexts(corpus, table):
    with pytest.raises(UserError, match="no class of five has 2 training words"):
        word_spaces.words_of(corpus, table, fewest=2)


@given(st.integers(0, 1000))
def test_averages_are_means_over_the_contexts_of_each_word_in_alphabetical_order(seed):
    generator = np.random.default_rng(seed)
    vectors = generator.normal(size=(2, 9, 3)).astype(np.float32)
    names = np.array(["b", "Z", "a", "é"])[generator.integers(0, 4, 9)]
    means = word_spaces.averages(list(vectors), pd.DataFrame({"word": names}))
    for layer, mean in zip(vectors, means, strict=True):
        for row, word in enumerate(np.unique(names)):
            of_word = [
                vector for vector, name in zip(layer, names, strict=True) if name == word
            ]
            assert mean[row] == pytest.approx(sum(of_word) / len(of_word), abs=1e-5)


def test_a_phrase_is_the_mean_of_its_known_words_and_a_word_without_any_is_random():
    vectors = {"old": np.array([1.0, 0.0]), "troy": np.array([0.0, 3.0])}
    tokens = [("old", "troy"), ("troy", "weight"), ("rome",)]
    rows, known = word_spaces.composed(vectors, tokens)
    assert rows[:2].tolist() == [[0.5, 1.5], [0.0, 3.0]]
    assert known.tolist() == [2, 1, 0]
    middle, deviation = (
        np.array([0.25, 2.25]),
        np.array([0.25, 0.75]),
    )  # of the two known rows
    assert rows[2] == pytest.approx(middle + deviation * word_spaces.random(3, 2)[2])
    assert not np.array_equal(rows[2], word_spaces.composed(vectors, tokens, seed=1)[0][2])


def test_unknown_words_are_as_long_as_known_ones():
    generator = np.random.default_rng(0)
    vectors = {str(number): 0.01 * generator.normal(size=40) for number in range(300)}
    tokens = [(str(number),) for number in range(600)]  # half of them unknown
    lengths = np.linalg.norm(word_spaces.composed(vectors, tokens)[0], axis=1)
    assert lengths[300:].mean() == pytest.approx(lengths[:300].mean(), rel=0.05)


def test_no_vectors_at_all_are_refused():
    with pytest.raises(UserError, match="none of the words that are probed has a vector"):
        word_spaces.composed({}, [("rome",)])
