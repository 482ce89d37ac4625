"""Correlation of two variables with a third one held constant."""

import numpy as np

from cwr.measures.stats import correlation

NOTHING_LEFT = 1e-12  # of the ranks' variance: what rounding leaves of equal orders


def partial_correlation(
    values: np.ndarray, others: np.ndarray, held: np.ndarray | None = None
) -> np.ndarray:
    """Pearson correlation along the last axis of what a third variable leaves of two, (...,).

    (r_xy - r_xz r_yz) / sqrt((1 - r_xz^2)(1 - r_yz^2)), the correlation of the residuals; of ranks
    it is Spearman's.
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
