"""Vectors from counts."""

import numpy as np

from cwr.making.language_models import start_vectors


def test_neighbours_are_counted_to_the_right_by_their_distance():
    counts = start_vectors._neighbours(np.array([0, 1, 0, 1, 2]), 3).toarray()
    # 01 twice, 10 and 12 once beside each other; 00, 11 and 02 once with one token between
    assert counts.tolist() == [[0.5, 2, 0.5], [1, 0.5, 1], [0, 0, 0]]


def test_tokens_with_the_same_neighbours_are_alike_and_unseen_ones_random():
    draw = np.random.default_rng(0)
    phrases = [[0, draw.integers(1, 3), 3, draw.integers(4, 6)] for _ in range(400)]
    tokens = np.array(phrases).ravel()
    vectors = start_vectors.vectors(tokens, 8, 4, 0.3)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 0.3, rtol=1e-6)
    cosine = vectors @ vectors.T / 0.09
    assert cosine[1, 2] > 0.95 and cosine[4, 5] > 0.95 and abs(cosine[1, 4]) < 0.6
    np.testing.assert_array_equal(vectors, start_vectors.vectors(tokens, 8, 4, 0.3))
    assert not np.allclose(vectors[6], vectors[7])


def test_left_neighbours_count_too_and_apart_from_right_ones():
    # behind 1 and 2 stand the same tokens, before them others
    draw = np.random.default_rng(0)
    phrases = [
        [4, 1, 6, 7, 7] if draw.random() < 0.5 else [5, 2, 6, 7, 7] for _ in range(400)
    ]
    vectors = start_vectors.vectors(np.array(phrases).ravel(), 8, 4, 1.0)
    assert vectors[1] @ vectors[2] < 0.8
