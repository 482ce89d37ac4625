"""Computes Spearman's correlation in all replicates of a bootstrap at once.

A replicate draws item i w_i times. The items are sorted once for all replicates: a running sum of
the weights along that order counts the drawn items before each one. Weights of 0 and 1 choose a
subset of the items.

    D draws, n items
"""

import numpy as np


def centred_ranks(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Computes each item's rank among the drawn items, less the mean rank, (D, n).

    values: (n,). weights: (D, n), how often each draw has each item. Ties share ranks. The rank of
    an item that is not drawn has no meaning; `resampled_rank_correlation` ignores it.
    """
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    is_new = np.append(True, ordered[1:] != ordered[:-1])  # no tie with the value before
    drawn = np.add.reduceat(weights[:, order], np.flatnonzero(is_new), axis=1)  # (D, tie groups)
    up_to = np.cumsum(drawn, axis=1)
    middle = up_to - (drawn + up_to[:, -1:]) / 2  # exact: halves of whole numbers
    group = np.empty(len(order), dtype=int)
    group[order] = np.cumsum(is_new) - 1
    return middle[:, group]


def resampled_rank_correlation(
    values: np.ndarray, others: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """Computes Spearman's correlation of each row of values with others, in each draw, (rows, D).

    values: (rows, n). others: (n,). weights: (D, n), as `centred_ranks`. NaN where a draw leaves a
    side constant. Raises ValueError for NaN and infinity.
    """
    values, others = np.atleast_2d(values).astype(float), np.asarray(others, dtype=float)
    if not (np.isfinite(values).all() and np.isfinite(others).all()):
        raise ValueError("a rank needs numbers, and a value is none")
    ranks = centred_ranks(others, weights)
    weighted = weights * ranks  # (D, n)
    norm = (weighted * ranks).sum(axis=1)
    correlations = []
    for row in values:
        ranks_of_row = centred_ranks(row, weights)
        norm_of_row = (weights * ranks_of_row**2).sum(axis=1)
        with np.errstate(invalid="ignore"):
            products = (weighted * ranks_of_row).sum(axis=1)
            correlations.append(products / np.sqrt(norm * norm_of_row))
    return np.stack(correlations)  # (rows, D)
