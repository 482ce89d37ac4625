"""Clusters of occurrences: planted ones are found, a Gaussian has none, and spread is not enough."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cwr.measures import clusters

RNG = np.random.default_rng(0)
CLOUD = RNG.normal(size=(60, 20))
TWO = np.repeat([[10.0] * 20, [-10.0] * 20], 30, axis=0) + RNG.normal(size=(60, 20))


def test_two_tight_clouds_are_found_and_a_gaussian_of_their_covariance_is_not():
    twin = clusters.gaussian_twin(TWO, seed=1)
    assert clusters.explained_by_centroids(TWO, 2) > 0.95
    assert clusters.explained_by_centroids(twin, 2) < 0.75
    assert clusters.explained_by_centroids(CLOUD, 2) < 0.1


def test_the_share_is_that_of_the_equation():
    order = np.random.default_rng(3).permutation(60)
    fitted, held_out = TWO[order[:30]], TWO[order[30:]]
    is_first = fitted[:, 0] > 0  # so far apart, k-means finds the planted clouds
    centroids = [fitted[is_first].mean(axis=0), fitted[~is_first].mean(axis=0)]
    left = sum(
        min(((row - centroid) ** 2).sum() for centroid in centroids) for row in held_out
    )
    total = sum(((row - fitted.mean(axis=0)) ** 2).sum() for row in held_out)
    assert clusters.explained_by_centroids(TWO, 2, seed=3) == pytest.approx(
        1 - left / total
    )


def test_one_centroid_explains_nothing_and_too_many_explain_less_than_they_seem_to():
    assert clusters.explained_by_centroids(CLOUD, 1) == pytest.approx(0, abs=1e-12)
    everyone = clusters.explained_by_centroids(CLOUD, 30)  # one a fitted occurrence
    assert everyone < 0.05


@settings(max_examples=15)
@given(st.floats(0.01, 100), st.integers(0, 5), st.integers(1, 3))
def test_scale_shift_and_rotation_change_nothing(scale, seed, k):
    rotation = np.linalg.qr(np.random.default_rng(seed).normal(size=(20, 20)))[0]
    moved = scale * TWO @ rotation + 7 * scale
    expected = clusters.explained_by_centroids(TWO, k, seed)
    assert clusters.explained_by_centroids(moved, k, seed) == pytest.approx(
        expected, abs=1e-8
    )


def test_a_gaussian_twin_has_the_mean_and_the_covariance_in_the_mean_of_many():
    shifted = TWO + 3
    twins = np.concatenate([clusters.gaussian_twin(shifted, seed) for seed in range(400)])
    assert np.allclose(twins.mean(axis=0), shifted.mean(axis=0), atol=0.3)
    covariance = np.cov(TWO, rowvar=False)
    assert np.allclose(np.cov(twins, rowvar=False), covariance, rtol=0.05, atol=0.5)


@pytest.mark.parametrize("shape", [(8, 30), (30, 8)])
def test_fewer_coordinates_keep_all_distances(shape):
    vectors = RNG.normal(size=shape) + 5
    few = clusters.in_few_coordinates(vectors)
    assert few.shape == (shape[0], 8)

    def distances(rows):
        return np.linalg.norm(rows[:, None] - rows[None], axis=2)

    assert np.allclose(distances(few), distances(vectors))


@pytest.mark.parametrize(
    ("vectors", "k", "sentence"),
    [
        (CLOUD[:9], 5, "5 centroids need 10 occurrences, got 9"),
        (CLOUD, 0, "0 centroids need 2"),
        (np.ones((10, 3)), 2, "do not vary"),
        (np.where(np.arange(60)[:, None] == 3, np.nan, CLOUD), 2, "NaN"),
    ],
)
def test_what_has_no_share_is_refused(vectors, k, sentence):
    with pytest.raises(ValueError, match=sentence):
        clusters.explained_by_centroids(vectors, k)


def test_one_occurrence_has_no_twin():
    with pytest.raises(ValueError, match="at least 2"):
        clusters.gaussian_twin(CLOUD[:1])
