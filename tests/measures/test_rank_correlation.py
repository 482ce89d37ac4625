"""The correlations that claims are worded with, against SciPy's and their invariances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy

from cwr.measures import stats

pairs = st.lists(
    st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=2, max_size=12
).map(np.array)  # with ties
varied = pairs.filter(lambda both: (np.ptp(both, axis=0) > 0).all())


@given(pairs)
def test_ranks_are_those_of_scipy_with_ties_sharing_theirs(both):
    np.testing.assert_array_equal(stats.ranks(both.T), scipy.rankdata(both.T, axis=-1))


def counted_ranks(values):
    """The definition: how many values are smaller, and half of those that are equal."""
    below = (values[..., None, :] < values[..., :, None]).sum(axis=-1)
    equal = (values[..., None, :] == values[..., :, None]).sum(axis=-1)
    return below + (equal + 1) / 2


special = st.sampled_from([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, 2.0, 5e-324])


@given(st.integers(0, 3), st.integers(0, 12), st.data())
def test_ranks_are_those_of_counting_smaller_and_equal_values(rows, n, data):
    drawn = data.draw(st.lists(special, min_size=rows * n, max_size=rows * n))
    values = np.array(drawn, dtype=float).reshape(rows, n)
    np.testing.assert_array_equal(stats.ranks(values), counted_ranks(values), strict=True)


def test_ranks_of_many_values_need_no_table_of_all_pairs():
    values = np.random.default_rng(0).integers(
        30_000, size=200_000
    )  # pairs: 40 GB of booleans
    np.testing.assert_array_equal(stats.ranks(values), scipy.rankdata(values))


@given(varied)
def test_the_rank_correlation_is_spearmans_and_keeps_under_a_rising_map(both):
    first, second = both.T
    expected = scipy.spearmanr(first, second).statistic
    assert stats.rank_correlation(first, second) == pytest.approx(expected, abs=1e-12)
    assert stats.rank_correlation(np.exp(first), second) == pytest.approx(
        expected, abs=1e-12
    )


@given(varied)
def test_the_correlation_is_pearsons(both):
    first, second = both.T
    assert stats.correlation(first, second) == pytest.approx(
        scipy.pearsonr(first, second).statistic, abs=1e-9
    )


@given(
    st.lists(
        varied.filter(lambda both: len(both) >= 4).map(lambda both: both[:4, 0]),
        min_size=1,
        max_size=5,
    )
)
def test_all_draws_at_once_are_the_draws_one_by_one(draws):
    values = np.stack(draws)  # (draws, 4)
    one_by_one = [stats.rank_correlation(row) for row in values]
    np.testing.assert_array_equal(stats.rank_correlation(values), np.array(one_by_one))


def test_known_values_and_what_has_no_order():
    assert stats.rank_correlation(np.array([1, 5, 7])) == pytest.approx(1)
    assert stats.rank_correlation(np.array([3, 2, -1])) == pytest.approx(-1)
    assert stats.rank_correlation(
        np.array([1, 2, 3, 4]), np.array([2, 1, 4, 3])
    ) == pytest.approx(0.6)
    assert np.isnan(stats.rank_correlation(np.full(4, 0.3))) and np.isnan(
        stats.correlation(np.arange(4), np.ones(4))
    )
    with pytest.raises(ValueError, match="at least 2 pairs, got 1"):
        stats.rank_correlation(np.array([2.0]))
