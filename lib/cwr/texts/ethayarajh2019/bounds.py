"""Computes the least value of measures of Ethayarajh (2019) for a number of rows, and inverts one.

The measures themselves are in `contextuality`. The bounds follow from the definitions and need no
vectors, so published means can be checked against them.
"""

import numpy as np

from cwr.measures.contextuality import intra_sentence_null

HALVINGS = 50  # of [0, 1]: to the last digit of a float64


def least_pca_share(n: int | np.ndarray) -> float | np.ndarray:
    """Returns the least share of variance that the first component of n vectors can explain.

    It is 1 / (n - 1): n centred vectors span at most n - 1 directions, and the largest of n - 1
    shares is no smaller than their mean. `contextuality.maximum_explainable_variance(vectors,
    "pca")` is never below it. n: a number of vectors, or an array of them. Raises ValueError for n
    < 2.
    """
    n = _at_least_two(n)
    return (1 / (n - 1))[()]


def least_explainable_variance(
    n: int | np.ndarray, self_similarity: float | np.ndarray
) -> float | np.ndarray:
    """Returns the least value of equation 3 for n unit vectors: 1/n + (1 - 1/n) self_similarity.

    The largest squared singular value is at least the squared length of the vectors' sum over n.
    For vectors of unequal length the same holds with cosines weighted by the lengths. n and
    self_similarity: numbers, or arrays of one shape. Raises ValueError for n < 2.
    """
    n = _at_least_two(n)
    return (1 / n + (1 - 1 / n) * np.asarray(self_similarity))[()]


def mean_intra_sentence_null(lengths: np.ndarray, counts: np.ndarray, baseline: float) -> float:
    """Averages `contextuality.intra_sentence_null` over sentences.

    lengths: (k,), numbers of words; counts: (k,), how many sentences have each length.
    """
    return float(np.average(intra_sentence_null(np.asarray(lengths), baseline), weights=counts))


def implied_cosine(similarity: float, lengths: np.ndarray, counts: np.ndarray) -> float:
    """Returns the mean cosine c of a sentence's words that an intra-sentence similarity implies.

    Solves `mean_intra_sentence_null(lengths, counts, c) = similarity` by halving [0, 1]. For unit
    vectors c is exact if all sentences share it, else a lower bound for its mean (the root is
    concave). lengths, counts: (k,). Raises ValueError for a similarity above 1 or below its
    value at c = 0.
    """
    low, high = 0.0, 1.0
    least = mean_intra_sentence_null(lengths, counts, low)
    if not least <= similarity <= 1:
        raise ValueError(
            f"a similarity of {similarity} is outside [{least:.3f}, 1]: "
            "no cosine from 0 to 1 gives it"
        )
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if mean_intra_sentence_null(lengths, counts, middle) < similarity:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _at_least_two(n: int | np.ndarray) -> np.ndarray:
    n = np.asarray(n, dtype=np.float64)
    if not (n >= 2).all():  # also refuses NaN
        raise ValueError(f"explained variance needs at least 2 occurrences, got {n.min():g}")
    return n
