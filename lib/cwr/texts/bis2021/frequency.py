"""Measures how unevenly words and tokens are spread over a text.

Biś et al. (2021), section 2.2 and appendix B.

    v  types: different words, or entries of a vocabulary

Counts are (v,): how often each type occurs, in any order; types that never occur do not matter.
"""

import numpy as np


def by_rank(counts: np.ndarray) -> np.ndarray:
    """Sorts the counts of the types that occur, (used,), the most frequent first.

    Raises ValueError if none occurs, and for a negative count.
    """
    counts = np.asarray(counts)
    if (counts < 0).any():
        raise ValueError(f"a type occurs {counts.min()} times")
    used = counts[counts > 0]
    if not len(used):
        raise ValueError("no type occurs")
    return np.sort(used)[::-1]


def types_to_cover(counts: np.ndarray, percent: float) -> int:
    """Returns the smallest k such that the k most frequent types make up a share of the text.

    Biś et al. (2021), section 2.2. percent: above 0, at most 100.
    Raises ValueError for another percentage, and as `by_rank`.
    """
    if not 0 < percent <= 100:
        raise ValueError(f"a share of {percent} % is not above 0 and at most 100")
    covered = np.cumsum(by_rank(counts))
    is_enough = 100 * covered >= percent * covered[-1]  # whole numbers: no share is rounded
    return int(np.argmax(is_enough)) + 1


def zipf_slope(counts: np.ndarray, first: int = 10, last: int = 1000) -> float:
    """Fits the slope of log frequency on log rank by least squares.

    Zipf's law says about -1. Only ranks `first` to `last`, counted from 1, enter, or to the last
    rank of a shorter list. Raises ValueError for fewer than two such ranks, and as `by_rank`.
    """
    ordered = by_rank(counts)
    ranks = np.arange(first, min(last, len(ordered)) + 1)
    if first < 1 or len(ranks) < 2:
        raise ValueError(
            f"a slope needs two ranks of {first} to {last}, and {len(ordered)} types occur"
        )
    slope, _ = np.polyfit(np.log(ranks), np.log(ordered[ranks - 1]), 1)
    return float(slope)
