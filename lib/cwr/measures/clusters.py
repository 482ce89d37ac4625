"""Tests whether the occurrences of a word fall into clusters, as a finite number of senses would.

Ethayarajh (2019) asks this in the abstract and answers by the variance that one direction explains.
A direction is no cluster. Here k centroids, fitted on one half of the occurrences, explain a share
of the variance of the other half. The control is the share for draws from a Gaussian with the same
mean and covariance: that share comes from spread alone.

    n = occurrences, dim = dimensions
"""

import numpy as np
from sklearn.cluster import KMeans

STARTS = 10  # of k-means, the best of which counts
NO_VARIANCE = 1e-12  # of the mean squared norm: what rounding leaves of equal rows


def explained_by_centroids(vectors: np.ndarray, k: int, seed: int = 0) -> float:
    """Computes the share of the variance of held-out occurrences that k centroids explain.

    k-means is fitted on a random half; the other half's squared distances to the nearest centroid
    are compared with its squared distances to the mean of the fitted half. The share is 1 for k
    tight clusters, 0 for k = 1, and below 0 where centroids fit noise.
    vectors: (n, dim), n >= 2 k. seed: for the split and k-means. Raises ValueError for n < 2 k, for
    k < 1, for NaN, and for occurrences that do not vary, where the share is 0/0.
    """
    vectors = np.asarray(vectors, dtype=np.float64)
    if k < 1 or len(vectors) < 2 * k:
        raise ValueError(f"{k} centroids need {max(2 * k, 2)} occurrences, got {len(vectors)}")
    if not vary(vectors):
        raise ValueError("the occurrences do not vary, or one is NaN")
    order = np.random.default_rng(seed).permutation(len(vectors))
    fitted, held_out = np.array_split(vectors[order], 2)
    means = KMeans(k, n_init=STARTS, random_state=seed).fit(fitted)
    left = (means.transform(held_out).min(axis=1) ** 2).sum()
    total = ((held_out - fitted.mean(axis=0)) ** 2).sum()
    return float(1 - left / total)


def vary(vectors: np.ndarray) -> bool:
    """Tells whether the rows (n, dim) differ by more than rounding; False where one is NaN."""
    vectors = np.asarray(vectors, dtype=np.float64)
    spread = ((vectors - vectors.mean(axis=0)) ** 2).sum()
    return bool(spread > NO_VARIANCE * (vectors**2).sum())


def gaussian_twin(vectors: np.ndarray, seed: int = 0) -> np.ndarray:
    """Draws n rows from the Gaussian with the mean and the covariance of `vectors`, (n, dim).

    vectors: (n, dim), n >= 2. seed: for the draws. Raises ValueError for n < 2.
    """
    vectors = np.asarray(vectors, dtype=np.float64)
    n = len(vectors)
    if n < 2:
        raise ValueError(f"a covariance needs at least 2 occurrences, got {n}")
    mean = vectors.mean(axis=0)
    weights = np.random.default_rng(seed).normal(size=(n, n)) / np.sqrt(n - 1)
    return mean + weights @ (vectors - mean)


def in_few_coordinates(vectors: np.ndarray) -> np.ndarray:
    """Rotates centred rows into at most n coordinates, for a faster k-means.

    Distances between rows do not change. vectors: (n, dim). Returns (n, min(n, dim)).
    """
    vectors = np.asarray(vectors, dtype=np.float64)
    left, lengths, _ = np.linalg.svd(vectors - vectors.mean(axis=0), full_matrices=False)
    return left * lengths
