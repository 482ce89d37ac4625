"""Spearman's correlation of weighted items, against scipy on the items written out."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from cwr.measures import stats
from cwr.measures.resampled_ranks import resampled_rank_correlation

cases = st.tuples(st.integers(0, 10**6), st.integers(3, 20), st.integers(1, 6))


@settings(max_examples=25)
@given(cases)
def test_each_draw_is_scipys_correlation_of_the_items_it_drew(case):
    seed, n, levels = case
    rng = np.random.default_rng(seed)
    values = rng.integers(levels + 2, size=(2, n)).astype(float)  # with ties
    others = rng.integers(levels + 1, size=n).astype(float)
    weights = rng.integers(3, size=(4, n)).astype(float)
    weights[:, 0] += 1  # a draw is never empty
    ours = resampled_rank_correlation(values, others, weights)
    assert ours.shape == (2, 4)
    for draw, counts in enumerate(weights.astype(int)):
        repeated = np.repeat(others, counts)
        for row, value in enumerate(values):
            written_out = np.repeat(value, counts)
            if np.ptp(written_out) == 0 or np.ptp(repeated) == 0:
                assert np.isnan(ours[row, draw])
            else:
                expected = scipy.stats.spearmanr(written_out, repeated).statistic
                assert ours[row, draw] == pytest.approx(expected, abs=1e-12)


def test_the_draws_of_the_bootstrap_give_what_the_resampled_items_give():
    rng = np.random.default_rng(0)
    values, others = rng.normal(size=(2, 30))
    ours = resampled_rank_correlation(values, others, stats.weights(others, draws=50))
    picks = stats.resample(others, draws=50)
    expected = stats.rank_correlation(values[picks], others[picks])
    np.testing.assert_allclose(ours[0], expected, atol=1e-12)


def test_a_part_of_the_items_is_chosen_by_weights_of_nought_and_one():
    values, others = np.array([1.0, 2, 3, 9]), np.array([1.0, 2, 3, -9])
    assert resampled_rank_correlation(values, others, np.array([[1.0, 1, 1, 0]])) == 1
    assert resampled_rank_correlation(values, -others, np.array([[0.0, 0, 1, 1]])) == 1


def test_what_is_no_number_has_no_rank():
    with pytest.raises(ValueError, match="a rank needs numbers"):
        resampled_rank_correlation([1.0, np.nan], [1.0, 2.0], np.ones((1, 2)))
