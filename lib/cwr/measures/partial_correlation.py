"""Correlation of two variables with a third one held constant."""

import numpy as np
from scipy.stats import rankdata

from cwr.measures.stats import correlation

NOTHING_LEFT = 1e-12  # of the ranks' variance: what rounding leaves of equal orders


def partial_rank_correlation(
    values: np.ndarray, others: np.ndarray, held: np.ndarray | None = None
) -> np.ndarray:
    """Spearman correlation along the last axis with a third variable held constant, (...,).

    values, others, held: (..., n); without `held` the plain correlation. Otherwise as
    `partial_correlation` of the ranks.
    """
    ranks = [None if each is None else rankdata(each, axis=-1) for each in (values, others, held)]
    return partial_correlation(*ranks)


def partial_correlation(
    values: np.ndarray, others: np.ndarray, held: np.ndarray | None = None
) -> np.ndarray:
    """Pearson correlation along the last axis of what a third variable leaves of two, (...,).

    (r_xy - r_xz r_yz) / sqrt((1 - r_xz^2)(1 - r_yz^2)), the correlation of the residuals.
    values, others, held: (..., n). NaN where one is constant, or where held leaves nothing.
    Raises ValueError for n < 2.
    """
    plain = correlation(values, others)
    if held is None:
        return plain
    with_values, with_others = correlation(values, held), correlation(others, held)
    left = (1 - with_values**2) * (1 - with_others**2)
    with np.errstate(invalid="ignore", divide="ignore"):
        partial = (plain - with_values * with_others) / np.sqrt(left)
    return np.where(left > NOTHING_LEFT, partial, np.nan)
