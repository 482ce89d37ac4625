"""Word similarity against scipy and a loop over pairs, known answers, invariances, refusals."""

import itertools

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from cwr.measures.benchmarks import word_similarity

cases = st.tuples(st.integers(0, 10**6), st.integers(5, 30), st.integers(2, 6))
KINDS = [
    (correlation, product)
    for correlation in ("pearson", "spearman")
    for product in ("cosine", "inner")
]


def benchmark(case):
    """Random vectors of n words, and n + 2 different pairs of them; scores have ties."""
    seed, n, dim = case
    rng = np.random.default_rng(seed)
    vectors = {f"w{i}": rng.normal(size=dim) + 0.5 for i in range(n)}
    drawn = rng.permutation(list(itertools.combinations(vectors, 2)))[: n + 2]
    pairs = pd.DataFrame(drawn, columns=["first", "second"])
    return vectors, pairs.assign(score=rng.permutation(n + 2) // 2)


def naive(vectors, pairs, correlation, product):
    """Pair by pair; pairs with an unknown word are left out."""
    similarities, scores = [], []
    for first, second, score in pairs.itertuples(index=False):
        if first in vectors and second in vectors:
            v, w = vectors[first], vectors[second]
            value = sum(a * b for a, b in zip(v, w, strict=True))
            if product == "cosine":
                value /= np.sqrt(sum(a * a for a in v)) * np.sqrt(sum(b * b for b in w))
            similarities.append(value)
            scores.append(score)
    measure = {"pearson": scipy.stats.pearsonr, "spearman": scipy.stats.spearmanr}[
        correlation
    ]
    return measure(similarities, scores).statistic


@pytest.mark.parametrize(("correlation", "product"), KINDS)
@given(cases)
def test_word_similarity_equals_the_loop_over_pairs_and_scipy(correlation, product, case):
    vectors, pairs = benchmark(case)
    vectors.pop("w0")
    covered = [
        a != "w0" and b != "w0"
        for a, b in zip(pairs["first"], pairs["second"], strict=True)
    ]
    if len(set(pairs["score"][covered])) < 2:
        return
    result = word_similarity(vectors, pairs, correlation=correlation, product=product)
    expected = naive(vectors, pairs, correlation, product)
    assert result.score == pytest.approx(expected, abs=1e-9)
    assert result.n == result.covered == sum(covered)
    assert result.items.index.tolist() == pairs.index[covered].tolist()


def test_vectors_at_the_angles_of_the_scores_correlate_perfectly():
    vectors = {"zero": np.array([2.0, 0.0])}
    for degrees in (20, 50, 80):
        angle = np.deg2rad(degrees)
        vectors[str(degrees)] = 7 * np.array([np.cos(angle), np.sin(angle)])
    pairs = pd.DataFrame(
        {"first": "zero", "second": ["20", "50", "80"], "score": [9.0, 5.0, 1.0]}
    )
    assert word_similarity(vectors, pairs).score == pytest.approx(1)  # Spearman, cosine
    pairs["score"] = np.cos(np.deg2rad([20, 50, 80]))
    assert word_similarity(vectors, pairs, correlation="pearson").score == pytest.approx(1)
    pairs["score"] *= -1
    assert word_similarity(vectors, pairs, correlation="pearson").score == pytest.approx(
        -1
    )


def test_a_word_with_itself_has_cosine_one_and_its_squared_length_as_inner_product():
    vectors = {"tiger": np.array([3.0, 4.0]), "cat": np.array([1.0, 0.0])}
    pairs = pd.DataFrame(
        {"first": ["tiger", "tiger"], "second": ["tiger", "cat"], "score": [10, 7.35]}
    )
    by_product = {
        product: word_similarity(vectors, pairs, product=product)
        .items["similarity"]
        .tolist()
        for product in ("cosine", "inner")
    }
    assert by_product == {"cosine": [1.0, 0.6], "inner": [25.0, 3.0]}


@given(cases)
def test_lengths_do_not_matter_to_the_cosine_and_one_scale_matters_to_neither(case):
    vectors, pairs = benchmark(case)
    stretched = {
        word: (i + 1) * vector for i, (word, vector) in enumerate(vectors.items())
    }
    scaled = {word: 3 * vector for word, vector in vectors.items()}
    for product, others in (("cosine", stretched), ("cosine", scaled), ("inner", scaled)):
        options = {"correlation": "pearson", "product": product}
        score = word_similarity(vectors, pairs, **options).score
        assert word_similarity(others, pairs, **options).score == pytest.approx(
            score, abs=1e-9
        )


def test_a_missing_word_is_skipped_or_stands_for_the_mean_of_all_vectors():
    vectors = {
        "a": np.array([1.0, 0.0]),
        "b": np.array([0.0, 1.0]),
        "c": np.array([1.0, 3.0]),
    }
    pairs = pd.DataFrame(
        {"first": ["a", "a", "a"], "second": ["b", "c", "unknown"], "score": [0, 2, 1]}
    )
    skipped = word_similarity(vectors, pairs)
    assert (skipped.n, skipped.covered) == (2, 2)
    filled = word_similarity(vectors, pairs, missing="mean", product="inner")
    assert (filled.n, filled.covered) == (3, 2)
    assert filled.items["similarity"].iloc[2] == pytest.approx(2 / 3)  # (1 + 0 + 1) / 3


@pytest.mark.parametrize("missing", ["skip", "mean"])
def test_without_two_pairs_there_is_no_correlation(missing):
    pairs = pd.DataFrame({"first": ["a", "b"], "second": ["b", "c"], "score": [1, 2]})
    with pytest.raises(ValueError, match="of 2 pairs of words 0 have vectors for all"):
        word_similarity({}, pairs, missing=missing)


def test_one_score_for_all_pairs_is_refused():
    pairs = pd.DataFrame({"first": ["a", "a"], "second": ["b", "c"], "score": [1, 1]})
    vectors = {word: np.array([1.0, number]) for number, word in enumerate("abc")}
    with pytest.raises(ValueError, match="of 2 pairs is undefined"):
        word_similarity(vectors, pairs)


def test_a_vector_without_direction_has_no_cosine():
    pairs = pd.DataFrame({"first": ["a", "a"], "second": ["b", "c"], "score": [1, 2]})
    vectors = {"a": np.ones(2), "b": np.zeros(2), "c": np.ones(2)}
    with pytest.raises(ValueError, match="row 0 has no direction"):
        word_similarity(vectors, pairs)


@pytest.mark.parametrize("option", ["missing", "correlation", "product"])
def test_an_unknown_choice_is_refused_by_name(option):
    pairs = pd.DataFrame({"first": ["a"], "second": ["a"], "score": [1]})
    with pytest.raises(ValueError, match=f"{option} 'other' is none of"):
        word_similarity({}, pairs, **{option: "other"})
