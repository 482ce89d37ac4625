"""Rank correlation of two variables with a third one held constant."""

import numpy as np
from scipy.stats import rankdata

from cwr.measures.stats import correlation

NOTHING_LEFT = 1e-12  # of the ranks' variance: what rounding leaves of equal orders


def partial_rank_correlation(
    values: np.ndarray, others: np.ndarray, held: np.ndarray | None = None
) -> np.ndarray:
    """Spearman correlation along the last axis with a third variable held constant, (...,).

    The Pearson correlation of the ranks' residuals: (r_xy - r_xz r_yz) / sqrt((1 - r_xz^2)(1 -
    r_yz^2)). values, others, held: (..., n); without `held` the plain correlation. NaN where one is
    constant, or where held orders values or others as they are. Raises ValueError for n < 2.
    """
    x, y = rankdata(values, axis=-1), rankdata(others, axis=-1)
    plain = correlation(x, y)
    if held is None:
        return plain
    z = rankdata(held, axis=-1)
    with_x, with_y = correlation(x, z), correlation(y, z)
    left = (1 - with_x**2) * (1 - with_y**2)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(left > NOTHING_LEFT, (plain - with_x * with_y) / np.sqrt(left), np.nan)
