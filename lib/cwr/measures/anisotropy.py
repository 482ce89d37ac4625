"""Computes each coordinate's share of the mean cosine of random words, and treats vectors.

A treatment changes the vectors of one layer, (n, dim), before the measures of `contextuality` are
computed. The number n of vectors stays.
"""

from collections.abc import Callable

import numpy as np
from scipy.stats import rankdata

from cwr.measures.contextuality import unit_rows

Treatment = Callable[[np.ndarray], np.ndarray]  # (n, dim) -> (n, dim or fewer)

CLUSTERS = (2, 3, 4, 6, 8)  # numbers of clusters to choose from
STARTS = 3  # of k-means


def cosine_contributions(vectors: np.ndarray) -> np.ndarray:
    """Computes how much each coordinate adds to the mean cosine of random words, CC_i, (dim,).

    Timkey & van Schijndel (2021), section 3: the mean over pairs of different rows x, y of
    x_i y_i / (|x| |y|). The contributions sum to `contextuality.anisotropy_baseline`.
    vectors: (n, dim), n >= 2. Raises ValueError for n < 2 and for a zero or NaN row.
    """
    units = unit_rows(vectors)
    n = len(units)
    if n < 2:
        raise ValueError(f"a mean over pairs needs at least 2 rows, got {n}")
    return (units.sum(axis=0) ** 2 - (units**2).sum(axis=0)) / (n * (n - 1))


def centred_at(mean: np.ndarray) -> Treatment:
    """Returns the treatment that subtracts from each vector the vector `mean`, (dim,)."""
    return lambda vectors: vectors - mean


def standardised(mean: np.ndarray, deviation: np.ndarray) -> Treatment:
    """Returns the treatment that subtracts a mean and divides by a standard deviation, both (dim,).

    Raises ValueError for a coordinate that does not vary.
    """
    if not (np.asarray(deviation) > 0).all():
        coordinate = int(np.argmin(np.asarray(deviation) > 0))
        raise ValueError(f"coordinate {coordinate} does not vary: it has no z-score")
    return lambda vectors: (vectors - mean) / deviation


def without_largest(contributions: np.ndarray, k: int) -> Treatment:
    """Returns the treatment that drops the k coordinates with the largest contributions, (dim,).

    Raises ValueError unless at least one coordinate is left.
    """
    if not 0 <= k < len(contributions):
        raise ValueError(f"{k} of {len(contributions)} coordinates cannot be dropped")
    largest = np.argsort(-np.asarray(contributions), kind="stable")[:k]
    return lambda vectors: np.delete(vectors, largest, axis=1)


def ranked(vectors: np.ndarray) -> np.ndarray:
    """Replaces each row's coordinates by their ranks, less the mean rank, (n, dim).

    The cosine of two such rows is Spearman's correlation of the vectors, so the mean cosine of such
    rows is the rank-based measure of Timkey & van Schijndel (2021). Ties share their rank; a row of
    equal coordinates becomes zero, which the measures refuse.
    """
    ranks = rankdata(vectors, axis=1)
    return ranks - (ranks.shape[1] + 1) / 2


def clusters(vectors: np.ndarray, seed: int = 0) -> np.ndarray:
    """Returns the cluster means of k-means, (k, dim), for the k with the highest silhouette.

    Cai et al. (2021) cluster by k-means before they compute cosines. k is one of CLUSTERS. A k is
    rejected if a vector equals its cluster's mean; if all are, the mean of all vectors is returned.
    vectors: (n, dim). seed: for k-means. Raises ValueError unless there are more distinct rows than
    the largest of CLUSTERS.
    """
    from sklearn.cluster import KMeans  # most who import this module need none of it
    from sklearn.metrics import silhouette_score

    distinct = len(np.unique(vectors, axis=0))
    if distinct <= max(CLUSTERS):
        raise ValueError(f"{distinct} distinct vectors are too few for {max(CLUSTERS)} clusters")
    fits = [KMeans(k, n_init=STARTS, random_state=seed).fit(vectors) for k in CLUSTERS]
    fits = [
        fit for fit in fits if centred_at_nearest(fit.cluster_centers_)(vectors).any(axis=1).all()
    ]
    if not fits:
        return vectors.mean(axis=0, keepdims=True)
    silhouettes = [silhouette_score(vectors, fit.labels_) for fit in fits]
    return fits[int(np.argmax(silhouettes))].cluster_centers_


def centred_at_nearest(means: np.ndarray) -> Treatment:
    """Returns the treatment that subtracts from each vector its nearest mean. means: (k, dim)."""
    squares = (means**2).sum(axis=1)  # (k,)

    def subtract(vectors: np.ndarray) -> np.ndarray:
        nearest = np.argmin(squares - 2 * vectors @ means.T, axis=1)  # (n,)
        return vectors - means[nearest]

    return subtract
