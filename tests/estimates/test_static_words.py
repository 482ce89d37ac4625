"""Mean cosines of static vectors, against a loop over pairs."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest

from cwr.corpora.word_vectors import WordVectors
from cwr.errors import UserError
from cwr.estimates import static_words
from cwr.measures.benchmarks import cosines
from cwr.report import results
from cwr.tables import where

WORDS = tuple("the of night day sea and to in a is that for".split())


@pytest.fixture
def vectors():
    numbers = np.random.default_rng(0).normal(1, 1, (len(WORDS), 4)).astype(np.float32)
    return WordVectors("twelve", WORDS, numbers)


def loop(vectors, words) -> float:
    """The mean over ordered pairs of different positions, one by one."""
    by_word = vectors.of(words)
    pairs = itertools.permutations(words, 2)
    return float(
        np.mean([cosines(by_word[a][None], by_word[b][None])[0] for a, b in pairs])
    )


def test_words_count_as_they_occur_or_each_once_and_unknown_ones_not_at_all(vectors):
    sample = ["the", "night", "the", "Night", "sea", "the"]
    rows = static_words.mean_cosine_rows(vectors, sample, "story", draws=20)
    table = results.collect(rows).table
    assert set(table["model"]) == {"twelve"} and set(table["family"]) == {"static"}
    assert table["layer"].isna().all() and set(table["dataset"]) == {"story"}
    occurring = where(table, measure="static_mean_cosine")["value"].item()
    once = where(table, measure="static_mean_cosine_types")["value"].item()
    known = ["the", "night", "the", "sea", "the"]
    assert occurring == pytest.approx(loop(vectors, known), abs=1e-4)  # values are rounded
    assert once == pytest.approx(loop(vectors, ["the", "night", "sea"]), abs=1e-4)
    assert occurring > once, "a word has cosine 1 with its other occurrences"


def test_the_draws_resample_words_and_never_pair_a_word_with_its_own_copies(vectors):
    sample = list(WORDS)
    value, replicates = static_words.mean_cosine(vectors, sample, draws=500)
    assert value == pytest.approx(loop(vectors, sample))
    assert replicates.shape == (500,) and replicates.max() < 0.999
    assert replicates.mean() == pytest.approx(value, abs=0.02)
    again = static_words.mean_cosine(vectors, sample, draws=500)[1]
    np.testing.assert_array_equal(again, replicates)


def test_too_few_words_with_a_vector_are_refused(vectors):
    with pytest.raises(
        UserError, match="story twelve has 1, and a mean over pairs needs 2"
    ):
        static_words.mean_cosine_rows(vectors, ["sea", "sea", "Meer"], "story")


def test_the_shift_is_the_length_of_the_mean_over_the_mean_length(vectors):
    table = results.collect(static_words.shift_rows(vectors)).table.set_index("measure")
    W = vectors.vectors.astype(float)
    ratio = np.linalg.norm(W.mean(axis=0)) / np.linalg.norm(W, axis=1).mean()
    assert table["value"]["static_mean_vector_norm_ratio"] == pytest.approx(
        ratio, abs=1e-4
    )
    cosine = loop(vectors, list(WORDS))
    assert table["value"]["static_embedding_mean_cosine"] == pytest.approx(
        cosine, abs=1e-4
    )
    assert set(table["family"]) == {"static"} and table["layer"].isna().all()


def test_a_matrix_and_static_vectors_are_compared_on_the_words_that_both_have(vectors):
    words = WORDS[3:]
    W = np.random.default_rng(1).normal(size=(20, 4))
    rows = {word: 2 * number for number, word in enumerate(words)}
    matrix = SimpleNamespace(name="matrix", W=W, row_of=rows.get)
    table = static_words.on_common_words(matrix, vectors)
    chosen = {
        "matrix": W[list(rows.values())],
        "twelve": vectors.vectors[3:].astype(float),
    }
    for name, part in chosen.items():
        ratio = np.linalg.norm(part.mean(axis=0)) / np.linalg.norm(part, axis=1).mean()
        assert table.loc[name, "ratio of the norms"] == pytest.approx(ratio, abs=1e-6)
        assert table.loc[name, "words"] == len(words)
