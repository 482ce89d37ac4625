"""Measures how near the tokens that a model never sees lie to those of a text.

Biś et al. (2021), section 4.2 and Figure 3.

    v    rows of the embedding matrix W, one per token
    dim  dimensions
    b    bins of rows, each an array of row numbers
"""

from collections.abc import Sequence

import numpy as np

from cwr.measures.contextuality import unit_rows

Bins = list[np.ndarray]


def index_bins(v: int, width: int = 1000) -> Bins:
    """Cuts rows 0 to v - 1 into bins of `width` rows, the last one shorter, as `vis.py` does.

    In BERT's uncased vocabulary bins 0, 1 and all from 29 on are no ranges of frequency: these bins
    hold special tokens, unused tokens and single characters.
    Raises ValueError for a width below 1 and for no rows.
    """
    if width < 1 or v < 1:
        raise ValueError(f"{v} rows cannot be cut into bins of {width}")
    return np.split(np.arange(v), range(width, v, width))


def frequency_bins(counts: np.ndarray, bins: int = 10) -> Bins:
    """Divides a text's tokens by frequency into bins of (nearly) equal size, the commonest first.

    counts: (v,) how often each token occurs; tokens with 0 are in no bin. Tokens of equal frequency
    are shuffled with a fixed seed: the vocabulary's order may reflect frequency in another text,
    which would bias the last bins. Raises ValueError for fewer tokens than bins.
    """
    counts = np.asarray(counts)
    used = np.random.default_rng(0).permutation(np.flatnonzero(counts))
    if not 1 <= bins <= len(used):
        raise ValueError(f"{len(used)} tokens that occur cannot be cut into {bins} bins")
    common_first = used[np.argsort(-counts[used], kind="stable")]
    return np.array_split(common_first, bins)


def numbers_of_bins(bins: Bins, v: int) -> np.ndarray:
    """Returns the bin of each row, (v,) int, counted from 1; 0 for a row in no bin."""
    numbers = np.zeros(v, dtype=np.int64)
    for number, rows in enumerate(bins, start=1):
        numbers[rows] = number
    return numbers


def mean_cosines(W: np.ndarray, reference: np.ndarray, bins: Sequence[np.ndarray]) -> np.ndarray:
    """Computes the mean cosine between the reference rows and each bin's rows, (b,).

    This is the mean product of the bin's unit rows with the mean unit reference row: v * dim steps,
    no table of pairs. A reference row that lies in a bin is also paired with itself, as in the
    released `vis.py`.
    W: (v, dim), not modified. reference: (r,) row numbers. Raises ValueError for no reference row,
    an empty bin, and a zero or NaN row among those that are compared.
    """
    if not len(reference) or not all(map(len, bins)):
        raise ValueError("a mean cosine needs a reference row and a row in each bin")
    direction = unit_rows(W[reference]).mean(axis=0)  # (dim,)
    compared = np.unique(np.concatenate(bins))  # bins may share rows
    cosines = np.zeros(len(W))
    cosines[compared] = unit_rows(W[compared]) @ direction
    return np.array([cosines[rows].mean() for rows in bins])


def nearest(W: np.ndarray, reference: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Finds the n rows with the highest mean cosine to the reference rows, and these cosines.

    Tokens that training hardly ever saw rank first (Land and Bartolo, 2024, section 3.2). W,
    reference, errors: as `mean_cosines`. Returns row numbers (n,) and cosines (n,), from the
    highest; no reference row is among them, and both are shorter if W has fewer other rows.
    """
    others = np.setdiff1d(np.arange(len(W)), reference)
    direction = unit_rows(W[reference]).mean(axis=0)
    cosines = unit_rows(W[others]) @ direction
    order = np.argsort(-cosines, kind="stable")[:n]
    return others[order], cosines[order]
