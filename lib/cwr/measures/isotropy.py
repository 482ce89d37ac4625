"""Measures how evenly the rows of an embedding matrix point in all directions.

Biś et al. (2021), sections 5.1 and 5.2. W is (v, dim), one row a word.

Three measures of one matrix can disagree. The partition function sees the mean vector, the
variances and the unit of length; the mean cosine sees the mean of the unit rows; IsoScore sees how
evenly the variance is spread, and neither mean nor unit. `geometry` computes all three at once.
"""

import warnings
from collections.abc import Sequence

import numpy as np

from cwr.measures.partition import (
    SIGNS,
    both_signs,
    checked_matrix,
    eigenvectors,
    lengths_and_sum,
    moments,
)

__all__ = [
    "SIGNS",
    "all_but_the_top",
    "center",
    "isoscore",
    "isoscore_of",
    "log_partition",
    "partition_isotropy",
    "scaled_center",
]
Rows = slice | Sequence[int]
ALL = slice(None)  # rows
NO_VARIANCE = 1e-12  # of the mean squared norm: what rounding leaves of equal rows


def center(W: np.ndarray, rows: Rows = ALL) -> np.ndarray:
    """Subtracts the mean row: W_c = W - 1 mu' (Biś et al., section 5.1). W: (v, dim), unmodified.

    rows: the numbers of the rows to return; the mean is taken over all rows. Returns float64, (v,
    dim) or (rows, dim). Raises ValueError for an empty matrix, NaN and infinity.
    """
    W = checked_matrix(W)
    return W[rows] - W.mean(axis=0, dtype=np.float64)


def scaled_center(W: np.ndarray, rows: Rows = ALL) -> np.ndarray:
    """Subtracts the mean direction times a row's length: w' = w - |w| m (Biś et al., section 5.2).

    m is the mean of the unit rows w / |w|; it is not the mean row scaled to length one, and the
    mean of the result is not 0. W, rows and the result: as for `center`. A zero row has no
    direction: it is left out of m and stays zero, and a warning gives the number. Raises ValueError
    as `center`, and for a matrix of zero rows only.
    """
    W = checked_matrix(W)
    norms, total = lengths_and_sum(W)
    zero = int((norms == 0).sum())
    if zero == len(W):
        raise ValueError(f"all {zero} rows are zero: there is no mean direction")
    if zero:
        warnings.warn(f"{zero} zero rows left out of the mean direction", stacklevel=2)
    direction = total / (len(W) - zero)  # (dim,)
    return W[rows] - norms[rows, None] * direction


def all_but_the_top(W: np.ndarray, d: int, centered: bool = True, rows: Rows = ALL) -> np.ndarray:
    """Removes the leading principal components from W_c (Biś et al., equations 9 to 11), float64.

    W, rows and the result: as for `center`; the components are computed from all rows.
    d: the number of components to remove, 0 to dim. The text sets ceil(dim / 100); the released
        `embeddings_benchmark.py` sets 2.
    centered: True subtracts the projection of the centred rows (equation 11), False that of the
        rows as they are (Mu and Viswanath, 2018); the two differ by one constant vector.
    Components come from an exact eigendecomposition; the released `post_processing.py` uses a
    randomised one. Raises ValueError as `center`, and for d outside [0, dim].
    """
    W = checked_matrix(W)
    dim = W.shape[1]
    if not 0 <= d <= dim:
        raise ValueError(f"{d} components of {dim} dimensions cannot be removed")
    mean, covariance = moments(W)
    _, components = np.linalg.eigh(covariance)  # columns, the leading ones last
    top = components[:, dim - d :]  # (dim, d)
    moved = W[rows] - mean
    projected = moved if centered else W[rows]
    return moved - (projected @ top) @ top.T


def log_partition(W: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """Computes ln Z(c) = ln sum_w exp(c . w) for each direction c, (k,).

    Arora et al. (2016); Biś et al., equation 7. W: (v, dim); directions: (k, dim), not rescaled.
    Vectors of any length are allowed. Raises ValueError as `center`.
    """
    return both_signs(W, directions).positive


def partition_isotropy(W: np.ndarray, sign: str = "positive") -> float:
    """Computes I(W) = min Z(c) / max Z(c) over the eigenvectors c of W'W; 0 to 1 (isotropic).

    Biś et al., equation 8. An eigenvector has no sign, but Z(c) and Z(-c) differ, so neither text
    nor code fixes I(W). sign:
        "positive" each eigenvector is turned so that its product with the mean row is not negative;
                   without a product (below 1e-12 of the rows' root mean square), so that its
                   largest component is positive
        "negative" the opposite of "positive"
        "both"     every eigenvector in both signs: the smallest of the three values, and the only
                   value free of a choice of signs
    `center(W)` has no mean row left: its signs follow the largest component. `geometry` turns the
    eigenvectors of W_c towards the mean row of W instead.
    I(W) is not scale invariant: longer rows are less isotropic. With equal eigenvalues the
    eigenvectors, and so I(W), are not unique. W: (v, dim), not modified; memory dim^2, not v * dim.
    Raises ValueError for an unknown sign, an empty matrix, NaN and infinity.
    """
    W = checked_matrix(W)
    mean, covariance = moments(W)
    gram = covariance + np.outer(mean, mean)  # W'W / v
    _, vectors = eigenvectors(gram, mean, float(np.sqrt(np.trace(gram))))
    return both_signs(W, vectors).isotropy(sign)


def isoscore(W: np.ndarray) -> float:
    """Computes IsoScore (Rudman et al., 2022): how evenly variance fills dimensions, in [0, 1].

    (PR - 1) / (dim - 1), where PR = (trace C)^2 / trace(C^2) of the covariance C is the number of
    dimensions in use (participation ratio); equal to the five steps of the paper. IsoScore ignores
    the mean, rotation and the unit of length. Few rows lower it: isotropic noise has about 1 / (1 +
    dim / v).
    W: (v, dim). Raises ValueError as `center`, for one dimension, and for rows that are all equal.
    """
    mean, covariance = moments(checked_matrix(W))
    return isoscore_of(covariance, mean)


def isoscore_of(covariance: np.ndarray, mean: np.ndarray) -> float:
    """Computes `isoscore` from the covariance (dim, dim) and the mean row (dim,).

    Raises ValueError for one dimension, and for no variance.
    """
    dim, variance = len(covariance), np.trace(covariance)
    if dim < 2:
        raise ValueError("IsoScore compares dimensions: it needs two at least, got 1")
    if variance <= NO_VARIANCE * (variance + mean @ mean):
        raise ValueError("all rows are equal: IsoScore of no variance is undefined")
    in_use = variance**2 / (covariance**2).sum()
    return float((in_use - 1) / (dim - 1))
