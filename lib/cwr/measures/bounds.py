"""What a measure of Ethayarajh (2019) can or must be, given the number of rows: least values, nulls, and back.

The measures themselves are in `contextuality`. Nothing here looks at vectors: these are consequences of the
definitions, so they can be held against published means.
"""
import numpy as np

from cwr.measures.contextuality import intra_sentence_null


def least_pca_share(n: int | np.ndarray) -> float | np.ndarray:
    """The least share of the variance that the first principal component of n vectors can explain: 1 / (n - 1).

    n centred vectors span at most n - 1 directions, and the largest of n - 1 shares is no smaller than their mean.
    Raises ValueError for n < 2. `contextuality.maximum_explainable_variance(vectors, "pca")` is never below it.
    """
    n = np.asarray(n, dtype=np.float64)
    if not (n >= 2).all():
        raise ValueError(f"explained variance needs at least 2 occurrences, got {n.min():g}")
    return (1 / (n - 1))[()]


def least_explainable_variance(n: int | np.ndarray, self_similarity: float | np.ndarray) -> float | np.ndarray:
    """The least value of equation 3 for n unit vectors with that self-similarity: 1/n + (1 - 1/n) SelfSim.

    The largest squared singular value is at least the squared length of the vectors' sum over n. For vectors of
    unequal length the same holds with cosines weighted by the lengths. Raises ValueError for n < 2.
    """
    n = np.asarray(n, dtype=np.float64)
    if not (n >= 2).all():
        raise ValueError(f"explained variance needs at least 2 occurrences, got {n.min():g}")
    return (1 / n + (1 - 1 / n) * np.asarray(self_similarity))[()]


def mean_intra_sentence_null(lengths: np.ndarray, counts: np.ndarray, baseline: float) -> float:
    """Mean of `intra_sentence_null` over sentences: `counts` of them of each of `lengths` words, both (lengths,)."""
    return float(np.average(intra_sentence_null(np.asarray(lengths), baseline), weights=counts))


def implied_cosine(similarity: float, lengths: np.ndarray, counts: np.ndarray) -> float:
    """The mean cosine c of different words of a sentence that a mean intra-sentence similarity implies.

    Solves `mean_intra_sentence_null(lengths, counts, c) = similarity` by bisection: exact for unit vectors if c is the
    same in all sentences, a lower bound for its mean if not (the root is concave). Raises ValueError for a similarity
    below its value at c = 0, or above 1.
    """
    low, high = 0.0, 1.0
    least = mean_intra_sentence_null(lengths, counts, low)
    if not least <= similarity <= 1:
        raise ValueError(f"a similarity of {similarity} is outside [{least:.3f}, 1]: no cosine from 0 to 1 gives it")
    for _ in range(50):
        middle = (low + high) / 2
        below = mean_intra_sentence_null(lengths, counts, middle) < similarity
        low, high = (middle, high) if below else (low, middle)
    return (low + high) / 2
