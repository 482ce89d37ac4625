"""Draws that join across notebooks, and intervals that cover."""

import numpy as np
import pytest
import scipy.stats

from cwr.measures import contextuality, stats

rng = np.random.default_rng(0)


def test_draws_depend_on_items_seed_and_replicate_number_only():
    words = ["bank", "river", "money", "tree"]
    assert (stats.resample(words, 5, 0) == stats.resample(words, 9, 0)[:5]).all()
    assert (stats.resample(words, 50, 0) != stats.resample(words, 50, 1)).any()
    assert (
        stats.resample(words, 50, 0) != stats.resample(["a", "b", "c", "d"], 50, 0)
    ).any()


def test_weights_count_the_same_draws():
    picks = stats.resample(np.arange(7), 20, 3)
    expected = [[list(row).count(i) for i in range(7)] for row in picks]
    assert (stats.weights(np.arange(7), 20, 3) == expected).all()


@pytest.mark.parametrize("items", [["bank", "river", "bank"], np.arange(3), (4, 0, 2)])
def test_shared_weights_are_those_of_the_items_once_and_for_reading(items):
    shared = stats.shared_weights(items, 20, 3)
    assert (shared == stats.weights(items, 20, 3)).all()
    assert shared is stats.shared_weights(list(items), 20, 3)
    with pytest.raises(ValueError, match="read-only"):
        shared += 1


@pytest.mark.parametrize("n", [2, 3, 6])
def test_draws_of_a_mean_of_few_values_are_students_t(n):
    values = np.random.default_rng(1).normal(3, 2, size=n)
    drawn = stats.mean_draws(values, 100_000)
    low, high = scipy.stats.t.interval(
        0.95, n - 1, loc=values.mean(), scale=values.std(ddof=1) / np.sqrt(n)
    )
    width = high - low
    assert stats.interval(drawn) == pytest.approx((low, high), abs=0.05 * width)


def test_an_interval_of_a_mean_of_few_values_covers_it_as_often_as_it_says():
    generator, covered = np.random.default_rng(2), []
    for number in range(400):
        low, high = stats.interval(stats.mean_draws(generator.normal(size=3), 400, number))
        covered.append(low <= 0 <= high)
    assert 0.92 < np.mean(covered) < 0.98


def test_draws_of_means_keep_sums_and_pairs():
    shares = np.random.default_rng(3).dirichlet(np.ones(4), size=5)  # (trainings, layers)
    drawn = stats.mean_draws(shares, 50)
    assert drawn.shape == (50, 4) and drawn.sum(axis=1) == pytest.approx(np.ones(50))
    assert stats.mean_draws(shares[:, 0], 50) == pytest.approx(drawn[:, 0])
    assert (stats.mean_draws(shares[:1], 7) == shares[0]).all()
    with pytest.raises(ValueError, match="no values"):
        stats.mean_draws([])


def test_a_mean_over_trainings_has_the_errors_of_items_and_of_trainings():
    """Scores of 4 trainings on 30 items, each with a part of its item, its training and its own."""
    generator, covered = np.random.default_rng(4), {"both": [], "items": []}
    for number in range(400):
        items, trainings = (
            generator.normal(size=(1, 30)),
            generator.normal(size=(4, 1)) / 2,
        )
        scores = items + trainings + generator.normal(size=(4, 30))
        weights = stats.weights(np.arange(30), 200, number)  # (draws, items)
        resampled = weights @ scores.T / 30  # (draws, trainings)
        both = stats.mean_over_trainings(scores.mean(axis=1), resampled, number)
        for name, drawn in (("both", both), ("items", resampled.mean(axis=1))):
            low, high = stats.interval(drawn)
            covered[name].append(low <= 0 <= high)
    assert 0.92 < np.mean(covered["both"]) < 0.99
    assert np.mean(covered["items"]) < 0.85
    one = stats.mean_over_trainings(scores[:1].mean(axis=1), resampled[:, :1])
    assert one == pytest.approx(resampled[:, 0])  # of one training the spread is not known


def test_bootstrap_of_a_mean_equals_a_plain_loop():
    values = rng.normal(size=12)
    picks = stats.resample(values, 30, 0)
    expected = [sum(values[i] for i in row) / 12 for row in picks]
    assert stats.bootstrap(np.mean, values, 30, 0) == pytest.approx(expected)


@pytest.mark.parametrize("draw", [rng.normal, rng.standard_exponential])
def test_the_95_percent_interval_of_a_mean_covers_as_it_says(draw):
    truth = 1.0 if draw == rng.standard_exponential else 0.0
    samples = [draw(size=150) for _ in range(600)]
    intervals = [
        stats.interval(values[stats.resample(values, 400, 0)].mean(axis=1))
        for values in samples
    ]
    covered = np.mean([low <= truth <= high for low, high in intervals])
    assert (
        0.93 - 0.018 <= covered <= 0.97
    )  # 600 trials: two standard errors of 0.009 below


def test_the_interval_of_a_mean_over_pairs_covers_with_weights_and_not_without():
    """Tokens in a cone of known mean cosine: the weighted form covers; the plain one counts copies as pairs."""
    dim, n, truth = 20, 60, None

    def sample(size):
        return rng.normal(size=(size, dim)) + 0.35

    truth = float(np.square(contextuality.unit_rows(sample(400_000)).mean(axis=0)).sum())
    hits, plain_hits = [], []
    for _ in range(300):
        vectors = sample(n)
        weights = stats.weights(vectors, 300, 0)
        low, high = stats.interval(contextuality.mean_pairwise_cosine(vectors, weights))
        hits.append(low <= truth <= high)
        units = contextuality.unit_rows(vectors)
        plain = (np.square(weights @ units).sum(axis=1) - n) / (n * (n - 1))
        low, high = stats.interval(plain)
        plain_hits.append(low <= truth <= high)
    assert (
        0.91 <= np.mean(hits) <= 0.985
    )  # 93-97 % up to two standard errors of 300 trials
    assert np.mean(plain_hits) < 0.9


def test_interval_refuses_what_has_none():
    with pytest.raises(ValueError, match="level"):
        stats.interval(np.arange(5), 1.5)
    with pytest.raises(ValueError, match="no replicates"):
        stats.interval([])
    with pytest.raises(ValueError, match="no items"):
        stats.resample([])


def test_percentile_ranks_equal_counting():
    values = rng.integers(0, 6, size=20)
    expected = [((values < v).sum() + 1 + (values <= v).sum()) / 2 / 20 for v in values]
    assert stats.percentile_rank(values) == pytest.approx(expected)
    assert stats.percentile_rank(np.array([5.0, 1.0, 3.0])) == pytest.approx(
        [1, 1 / 3, 2 / 3]
    )
