"""Partial correlation of ranks: that of the residuals, and none beside a common cause."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata, spearmanr

from cwr.measures.partial_correlation import partial_correlation

RNG = np.random.default_rng(0)
CAUSE = RNG.normal(size=400)
X, Y = (CAUSE + 0.5 * RNG.normal(size=400) for _ in range(2))


def of_ranks(*variables: np.ndarray) -> np.ndarray:
    return partial_correlation(*(rankdata(variable, axis=-1) for variable in variables))


@given(st.integers(0, 1000))
def test_it_is_the_correlation_of_the_residuals_of_the_ranks(seed):
    x, y, z = np.random.default_rng(seed).integers(0, 9, size=(3, 30))  # with ties
    ranks = [rankdata(variable) for variable in (x, y, z)]
    design = np.stack([np.ones(30), ranks[2]], axis=1)
    residuals = [
        rank - design @ np.linalg.lstsq(design, rank, rcond=None)[0] for rank in ranks[:2]
    ]
    expected = np.corrcoef(*residuals)[0, 1]
    assert of_ranks(x, y, z) == pytest.approx(expected, abs=1e-9)


def test_what_a_common_cause_makes_is_gone_when_it_is_held():
    assert of_ranks(X, Y) == pytest.approx(spearmanr(X, Y).statistic)
    assert of_ranks(X, Y) > 0.6
    assert abs(of_ranks(X, Y, CAUSE)) < 0.1


def test_draws_are_taken_row_by_row():
    picks = RNG.integers(400, size=(5, 400))
    rows = [of_ranks(X[pick], Y[pick], CAUSE[pick]) for pick in picks]
    assert np.allclose(of_ranks(X[picks], Y[picks], CAUSE[picks]), rows)


def test_a_held_variable_that_orders_them_alike_leaves_nothing():
    assert np.isnan(of_ranks(X, Y, np.exp(X)))
    assert np.isnan(of_ranks(X, np.ones(400), CAUSE))
