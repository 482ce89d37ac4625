"""Nearest neighbours against a naive loop, ties, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cosine

from cwr.measures.neighbours import nearest


def by_loop(vectors: np.ndarray, query: int, k: int) -> list[int]:
    others = [row for row in range(len(vectors)) if row != query]
    return sorted(others, key=lambda row: cosine(vectors[query], vectors[row]))[:k]


@given(st.integers(0, 10**6), st.integers(3, 12), st.integers(1, 3))
def test_neighbours_are_those_of_the_naive_loop(seed, n, dim):
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(n, dim + 1)) * rng.uniform(0.1, 9, size=(n, 1))
    rows, cosines = nearest(vectors, range(n), 2)
    for query in range(n):
        assert rows[query].tolist() == by_loop(vectors, query, 2)
        expected = [1 - cosine(vectors[query], vectors[row]) for row in rows[query]]
        assert cosines[query] == pytest.approx(expected)


def test_a_twin_is_the_nearest_and_of_equal_ones_the_lower_row_stands_first():
    vectors = np.array([[1, 0], [0, 1], [2, 0], [0, 3], [3, 0]])
    rows, cosines = nearest(vectors, [2, 0], 3)
    assert rows.tolist() == [[0, 4, 1], [2, 4, 1]]
    assert cosines.tolist() == [[1, 1, 0], [1, 1, 0]]


def test_length_does_not_matter_and_nothing_is_modified():
    vectors = np.random.default_rng(0).normal(size=(20, 4)).astype(np.float32)
    before = vectors.copy()
    scaled = vectors * np.linspace(0.1, 50, 20)[:, None]
    np.testing.assert_array_equal(
        nearest(vectors, [3, 4], 5)[0], nearest(scaled, [3, 4], 5)[0]
    )
    np.testing.assert_array_equal(vectors, before)


@pytest.mark.parametrize("k", [0, 5])
def test_more_neighbours_than_other_vectors_or_none_are_refused(k):
    with pytest.raises(ValueError, match=f"{k} neighbours are asked of 4 other vectors"):
        nearest(np.eye(5), [0], k)


@given(st.integers(0, 10**6), st.integers(0, 5))
def test_a_zero_row_is_a_neighbour_of_none(seed, number):
    vectors = np.random.default_rng(seed).normal(size=(6, 3))
    zeros = np.insert(vectors, number, 0, axis=0)
    rows, cosines = nearest(vectors, range(6), 3)
    moved = np.delete(np.arange(7), number)
    with_zeros = nearest(zeros, moved, 3)
    np.testing.assert_array_equal(with_zeros[0], moved[rows])
    np.testing.assert_array_equal(with_zeros[1], cosines)


def test_what_has_no_direction_is_no_query_and_no_other_vector():
    vectors = np.array([[1, 0], [0, 0], [0, 1]])
    with pytest.raises(ValueError, match="row 1 has no direction"):
        nearest(vectors, [0, 1], 1)
    with pytest.raises(ValueError, match="2 neighbours are asked of 1 other vectors"):
        nearest(vectors, [0], 2)
    with pytest.raises(ValueError, match="row 2 has no direction"):
        nearest(np.array([[1, 0], [0, 1], [np.nan, 1]]), [0], 1)
