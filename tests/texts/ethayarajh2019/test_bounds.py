"""Bounds and nulls against vectors that obey them, against vectors that reach them, and refusals."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cwr.measures import contextuality
from cwr.texts.ethayarajh2019 import bounds

matrices = (
    st.tuples(st.integers(3, 7), st.integers(2, 6))
    .flatmap(lambda shape: arrays(np.float64, shape, elements=st.floats(-9, 9)))
    .filter(lambda v: np.linalg.norm(v, axis=1).min() > 1e-3)
)


@given(matrices)
def test_no_vectors_fall_below_the_least_values(vectors):
    n = len(vectors)
    assume(np.ptp(vectors, axis=0).max() > 1e-3)
    assert (
        contextuality.maximum_explainable_variance(vectors, "pca")
        >= bounds.least_pca_share(n) - 1e-9
    )
    units = contextuality.unit_rows(vectors)
    least = bounds.least_explainable_variance(n, contextuality.self_similarity(units))
    assert contextuality.maximum_explainable_variance(units) >= least - 1e-9


@pytest.mark.parametrize("n", [3, 5, 40])
def test_orthogonal_and_equicorrelated_vectors_reach_the_least_values(n):
    corners = np.eye(n)
    assert contextuality.maximum_explainable_variance(corners, "pca") == pytest.approx(
        bounds.least_pca_share(n)
    )
    cone = (
        np.hstack([np.full((n, 1), 2.0), np.eye(n)]) / 5**0.5
    )  # unit rows, every cosine 0.8
    assert contextuality.self_similarity(cone) == pytest.approx(0.8)
    assert contextuality.maximum_explainable_variance(cone) == pytest.approx(
        bounds.least_explainable_variance(n, 0.8)
    )


def test_known_values_by_hand():
    assert bounds.least_pca_share(5) == 0.25
    assert bounds.least_pca_share(np.array([2, 11])) == pytest.approx([1, 0.1])
    assert bounds.least_explainable_variance(5, 0.75) == pytest.approx(0.8)
    assert bounds.mean_intra_sentence_null([4, 100], [3, 1], 0) == pytest.approx(
        (3 * 0.5 + 0.1) / 4
    )


@given(
    st.lists(
        st.tuples(st.integers(1, 60), st.integers(1, 9)),
        min_size=1,
        max_size=8,
        unique_by=lambda p: p[0],
    ),
    st.floats(0, 0.99),
)
def test_the_mean_null_is_a_loop_over_sentences_and_the_implied_cosine_undoes_it(
    histogram, cosine
):
    lengths, counts = np.array(histogram).T
    loop = [
        (1 / n + (1 - 1 / n) * cosine) ** 0.5 for n, many in histogram for _ in range(many)
    ]
    null = bounds.mean_intra_sentence_null(lengths, counts, cosine)
    assert null == pytest.approx(sum(loop) / len(loop), abs=1e-12)
    assume((lengths > 1).any())
    assert bounds.implied_cosine(min(null, 1.0), lengths, counts) == pytest.approx(
        cosine, abs=1e-9
    )


def test_the_implied_cosine_is_a_lower_bound_where_sentences_differ():
    cosines, n = np.array([0.1, 0.7]), 12
    mean = np.mean([contextuality.intra_sentence_null(n, c) for c in cosines])
    assert bounds.implied_cosine(mean, [n], [2]) < cosines.mean()


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: bounds.least_pca_share(1), "at least 2"),
        (lambda: bounds.least_pca_share([5, float("nan")]), "at least 2"),
        (lambda: bounds.least_explainable_variance([5, 1], 0.5), "at least 2"),
        (lambda: bounds.implied_cosine(0.1, [4], [1]), r"outside \[0.500, 1\]"),
        (lambda: bounds.implied_cosine(1.1, [4], [1]), "outside"),
        (lambda: bounds.implied_cosine(float("nan"), [4], [1]), "outside"),
    ],
)
def test_what_is_undefined_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
