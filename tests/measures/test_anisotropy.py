"""What makes random words alike, against loops, SciPy and clouds that we plant."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import spearmanr

from cwr.measures import anisotropy
from cwr.measures.contextuality import mean_pairwise_cosine

rng = np.random.default_rng(0)
matrices = (
    st.tuples(st.integers(2, 7), st.integers(2, 6))
    .flatmap(lambda shape: arrays(np.float64, shape, elements=st.floats(-9, 9)))
    .filter(lambda v: np.linalg.norm(v, axis=1).min() > 1e-3)
)


@given(matrices)
def test_contributions_are_the_mean_products_of_each_coordinate(vectors):
    products = []
    for x, y in itertools.permutations(vectors, 2):
        products.append(x * y / (np.linalg.norm(x) * np.linalg.norm(y)))
    expected = np.mean(products, axis=0)
    assert anisotropy.cosine_contributions(vectors) == pytest.approx(expected, abs=1e-10)


@given(matrices)
def test_contributions_sum_to_the_baseline(vectors):
    total = anisotropy.cosine_contributions(vectors).sum()
    assert total == pytest.approx(mean_pairwise_cosine(vectors), abs=1e-10)


def test_a_planted_coordinate_contributes_most_and_is_dropped_first():
    vectors = rng.normal(size=(60, 8))
    vectors[:, 5] += 20
    contributions = anisotropy.cosine_contributions(vectors)
    assert contributions.argmax() == 5 and contributions[5] > 0.9
    dropped = anisotropy.without_largest(contributions, 1)(vectors)
    assert dropped.tolist() == np.delete(vectors, 5, axis=1).tolist()


def test_dropping_no_coordinate_changes_nothing_and_dropping_all_is_refused():
    vectors = rng.normal(size=(4, 3))
    assert anisotropy.without_largest(np.ones(3), 0)(vectors).tolist() == vectors.tolist()
    with pytest.raises(ValueError, match="3 of 3 coordinates"):
        anisotropy.without_largest(np.ones(3), 3)


def test_the_mean_cosine_of_ranks_is_spearmans_correlation_of_scipy():
    vectors = rng.normal(size=(20, 12)).round(1)  # with ties
    correlations = spearmanr(vectors, axis=1).statistic
    pairs = correlations[np.triu_indices(20, 1)]
    assert mean_pairwise_cosine(anisotropy.ranked(vectors)) == pytest.approx(pairs.mean())


def test_ranks_do_not_see_the_size_of_a_coordinate():
    vectors = np.abs(rng.normal(size=(6, 5)))
    vectors[:, 2] += 50  # the largest coordinate of every row, however large
    larger = vectors.copy()
    larger[:, 2] *= 100
    assert anisotropy.ranked(larger).tolist() == anisotropy.ranked(vectors).tolist()


def test_z_scores_have_mean_nought_and_deviation_one():
    vectors = rng.normal(3, 7, size=(50, 4))
    treatment = anisotropy.standardised(vectors.mean(axis=0), vectors.std(axis=0))
    scores = treatment(vectors)
    assert scores.mean(axis=0) == pytest.approx(0, abs=1e-12)
    assert scores.std(axis=0) == pytest.approx(1)


def test_a_constant_coordinate_has_no_z_score():
    with pytest.raises(ValueError, match="coordinate 1 does not vary"):
        anisotropy.standardised(np.zeros(3), np.array([1.0, 0.0, 2.0]))


def test_planted_clouds_are_found_and_their_means_taken_away():
    centres = 30 * np.eye(3, 10)
    cloud = np.repeat(np.arange(3), 40)
    vectors = centres[cloud] + rng.normal(size=(120, 10))
    means = anisotropy.clusters(vectors)
    assert sorted(means.argmax(axis=1)) == [0, 1, 2]
    expected = [vectors[cloud == c].mean(axis=0) for c in range(3)]
    treated = anisotropy.centred_at_nearest(means)(vectors)
    assert treated == pytest.approx(vectors - np.array(expected)[cloud])


def test_too_few_distinct_vectors_for_clusters_are_refused():
    with pytest.raises(ValueError, match="5 distinct vectors are too few"):
        anisotropy.clusters(np.repeat(rng.normal(size=(5, 3)), 9, axis=0))


def test_a_treatment_leaves_the_given_vectors_as_they_are():
    vectors = rng.normal(size=(30, 6))
    before = vectors.copy()
    contributions = anisotropy.cosine_contributions(vectors)
    treatments = [
        anisotropy.centred_at(vectors.mean(axis=0)),
        anisotropy.standardised(vectors.mean(axis=0), vectors.std(axis=0)),
        anisotropy.without_largest(contributions, 2),
        anisotropy.ranked,
        anisotropy.centred_at_nearest(anisotropy.clusters(vectors)),
    ]
    assert all(len(treatment(vectors)) == 30 for treatment in treatments)
    assert vectors.tolist() == before.tolist()


def test_of_no_vector_nothing_is_left_without_its_clusters_mean():
    lonely = np.vstack([rng.normal(size=(30, 6)), 90 * np.eye(4, 6)])
    for part in (lonely, lonely[:31]):
        means = anisotropy.clusters(part)
        assert anisotropy.centred_at_nearest(means)(part).any(axis=1).all()
