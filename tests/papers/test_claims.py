"""The rank correlation that claims are worded with, against SciPy's and its invariances."""
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from cwr.papers.claims import rank_correlation

pairs = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=2, max_size=12).map(np.array)  # with ties


@given(pairs.filter(lambda both: (np.ptp(both, axis=0) > 0).all()))
def test_the_rank_correlation_is_spearmans_and_keeps_under_a_rising_map(both):
    first, second = both.T
    assert rank_correlation(first, second) == pytest.approx(spearmanr(first, second).statistic, abs=1e-12)
    assert rank_correlation(np.exp(first), second) == pytest.approx(rank_correlation(first, second), abs=1e-12)


@given(pairs)
def test_without_others_values_are_held_against_their_index(both):
    values = both[:, 0]
    assert rank_correlation(values) == rank_correlation(values, np.arange(len(values)))
    assert rank_correlation(values[::-1]) == pytest.approx(-rank_correlation(values), abs=1e-12)


def test_known_values_and_what_has_no_order():
    assert rank_correlation(np.array([1, 5, 7])) == pytest.approx(1) == -rank_correlation(np.array([3, 2, -1]))
    assert rank_correlation(np.array([1, 2, 3, 4]), np.array([2, 1, 4, 3])) == pytest.approx(0.6)
    assert rank_correlation(np.full(4, 0.3)) == 0 == rank_correlation(np.arange(4), np.zeros(4))
    assert rank_correlation(np.array([])) == 0 == rank_correlation(np.array([2.0]))
