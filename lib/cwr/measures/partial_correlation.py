"""The correlation of two variables with a third one held constant."""

import numpy as np

from cwr.measures.stats import correlation

NOTHING_LEFT = 1e-12  # of the ranks' variance: what rounding leaves of equal orders


def partial_correlation(
    values: np.ndarray, others: np.ndarray, held: np.ndarray | None = None
) -> np.ndarray:
    """Correlates two variables (Pearson) after a third one is removed from both, (...,).

    (r_xy - r_xz r_yz) / sqrt((1 - r_xz^2)(1 - r_yz^2)), the correlation of the residuals, along the
    last axis; of ranks it is Spearman's. values, others, held: (..., n); without held nothing is
    removed. NaN where a variable is constant, or where held determines values or others. Raises
    ValueError for n < 2.
    """
    plain = correlation(values, others)
    if held is None:
        return plain
    with_values, with_others = correlation(values, held), correlation(others, held)
    left = (1 - with_values**2) * (1 - with_others**2)
    with np.errstate(invalid="ignore", divide="ignore"):
        partial = (plain - with_values * with_others) / np.sqrt(left)
    return np.where(left > NOTHING_LEFT, partial, np.nan)
