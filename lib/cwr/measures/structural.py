"""Scores how well a probe recovers the distances and depths of words in dependency trees.

Hewitt and Manning (2019), "structural probe": after a linear map B, the squared distance of two
words should be the number of edges between them in the dependency tree, and the squared norm of a
word its depth. Scores follow sections 3 and 4; compared trees leave out punctuation.

    n words of a sentence, d dimensions, k rows of B (its rank), ... anything before (layers)
"""

from collections.abc import Sequence

import numpy as np
from scipy.stats import rankdata

from cwr.measures import stats
from cwr.measures.trees import ROOT, depths, tree_distances

SHORTEST, LONGEST = 5, 50  # sentences whose correlations are averaged


def minimum_spanning_tree(distances: np.ndarray) -> np.ndarray:
    """Finds the spanning tree of least total distance: the word that each word joins, (..., n) int.

    Prim's algorithm starts from word 0, which joins no word (ROOT). It reads the whole matrix, so
    two words at distance 0 are as near as possible (SciPy's sparse spanning tree drops them). Of
    equal distances the word of the lowest index is taken.
    distances: (..., n, n), symmetric, n >= 1. Raises ValueError for NaN and infinity.
    """
    distances = np.asarray(distances, dtype=np.float64)
    if not np.isfinite(distances).all():
        raise ValueError("a spanning tree needs finite distances")
    shape, n = distances.shape[:-1], distances.shape[-1]
    matrices = distances.reshape(-1, n, n)
    every = np.arange(len(matrices))
    joined = np.zeros((len(matrices), n), dtype=int)
    nearest = matrices[:, 0].copy()  # to the words that are in the tree
    outside = np.arange(n) > 0
    outside = np.tile(outside, (len(matrices), 1))
    for _ in range(n - 1):
        word = np.where(outside, nearest, np.inf).argmin(axis=1)
        outside[every, word] = False
        row = matrices[every, word]
        is_nearer = row < nearest
        nearest = np.where(is_nearer, row, nearest)
        joined = np.where(is_nearer & outside, word[:, None], joined)
    joined[:, 0] = ROOT
    return joined.reshape(shape)


# ---- what the map says


def squared_distances(vectors: np.ndarray, projection: np.ndarray) -> np.ndarray:
    """Computes squared distances between mapped words, |B (h_i - h_j)|^2, (..., n, n).

    Hewitt and Manning (2019), equation 2. The Gram matrix G of the mapped words gives G_ii + G_jj -
    2 G_ij without an array of n x n x k; exactly 0 on the diagonal, never below 0.
    vectors: (..., n, d). projection: B, (..., k, d).
    """
    mapped = vectors @ np.swapaxes(projection, -1, -2)  # (..., n, k)
    gram = mapped @ np.swapaxes(mapped, -1, -2)
    norms = np.diagonal(gram, axis1=-2, axis2=-1)
    return np.maximum(norms[..., :, None] + norms[..., None, :] - 2 * gram, 0)


def squared_norms(vectors: np.ndarray, projection: np.ndarray) -> np.ndarray:
    """Computes squared norms of mapped words, |B h_i|^2, (..., n).

    Hewitt and Manning (2019), section 2.3. vectors: (..., n, d). projection: B, (..., k, d).
    """
    mapped = vectors @ np.swapaxes(projection, -1, -2)  # (..., n, k)
    return (mapped**2).sum(axis=-1)


# ---- scores of one sentence


def uuas(
    distances: np.ndarray, heads: Sequence[int], keep: Sequence[bool]
) -> tuple[np.ndarray, int]:
    """Counts gold edges that are in the predicted spanning tree: (common (...,) int, total).

    Undirected unlabelled attachment (section 4.2): both trees are spanning trees over the kept
    words, of predicted and of gold distances. A corpus' score is the sum of `common` over the sum
    of `total` (micro), not the mean over sentences.
    distances: (..., n, n), squared or plain. heads: (n,). keep: (n,) bool, False for punctuation. A
    sentence with fewer than two kept words has no edge: common and total are 0. Raises ValueError
    as `trees.refuse_no_tree` and `minimum_spanning_tree`, and for unequal numbers of words.
    """
    distances, kept = _of_sentence(distances, heads, keep)
    if len(kept) < 2:
        return np.zeros(distances.shape[:-2], dtype=int), 0
    gold = minimum_spanning_tree(_among(tree_distances(heads), kept))
    joined = minimum_spanning_tree(_among(distances, kept))
    words = np.arange(len(kept))
    is_edge = np.zeros((len(kept), len(kept)), dtype=bool)
    is_edge[words[1:], gold[1:]] = is_edge[gold[1:], words[1:]] = True
    return is_edge[words[1:], joined[..., 1:]].sum(axis=-1), len(kept) - 1


def finds_root(
    predicted: np.ndarray, heads: Sequence[int], keep: Sequence[bool]
) -> np.ndarray | None:
    """Tells whether the root has the least predicted depth of all kept words, (...,) bool.

    Section 4.2, "root %". None where the root is not kept, so that there is nothing to find.
    predicted: (..., n). Of equal depths the first word is taken.
    Raises ValueError as `trees.refuse_no_tree`, and for unequal numbers of words.
    """
    predicted, kept = _of_sentence(predicted, heads, keep)
    root = list(heads).index(ROOT)
    if root not in kept:
        return None
    return kept[predicted[..., kept].argmin(axis=-1)] == root


def distance_correlations(distances: np.ndarray, heads: Sequence[int]) -> np.ndarray:
    """Computes Spearman's correlation of each word's predicted and gold distances, (..., n).

    Section 4.2, "DSpr.". As in the released code a row includes the word itself and punctuation.
    NaN where a row is constant, or the sentence is one word. distances: (..., n, n). heads: (n,).
    Raises ValueError as `trees.refuse_no_tree`, and for unequal numbers of words.
    """
    distances, _ = _of_sentence(distances, heads)
    return _spearman(distances, tree_distances(heads))


def depth_correlation(predicted: np.ndarray, heads: Sequence[int]) -> np.ndarray:
    """Computes Spearman's correlation of a sentence's predicted and gold depths, (...,): "NSpr.".

    NaN where a side is constant. predicted: (..., n), all words. heads: (n,).
    Raises ValueError as `trees.refuse_no_tree`, and for unequal numbers of words.
    """
    predicted, _ = _of_sentence(predicted, heads)
    return _spearman(predicted, depths(heads))


def mean_over_lengths(sums: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Averages correlations over sentences of each length, then over lengths, (...,).

    Section 4.2: lengths from 5 to 50. A length without a correlation is left out; NaN if no length
    is left.
    sums, counts: (..., lengths), the sum and the number of the correlations that are not NaN.
    """
    has_any = counts > 0
    means = np.divide(sums, counts, out=np.zeros(np.shape(sums)), where=has_any)
    lengths = has_any.sum(axis=-1)
    with np.errstate(invalid="ignore"):
        return np.where(lengths > 0, means.sum(axis=-1) / lengths, np.nan)


def _of_sentence(
    values: np.ndarray, heads: Sequence[int], keep: Sequence[bool] | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Returns the values as an array, and the kept words; ValueError for unequal numbers."""
    values, n = np.asarray(values), len(heads)
    keep = np.ones(n, dtype=bool) if keep is None else np.asarray(keep, dtype=bool)
    if values.shape[-1] != n or len(keep) != n:
        raise ValueError(
            f"{n} heads, predictions of {values.shape[-1]} words and {len(keep)} that are kept or "
            "not: give one of each a word"
        )
    return values, np.flatnonzero(keep)


def _among(distances: np.ndarray, kept: np.ndarray) -> np.ndarray:
    return distances[..., kept[:, None], kept]


def _spearman(predicted: np.ndarray, gold: np.ndarray) -> np.ndarray:
    if predicted.shape[-1] < 2:
        return np.full(predicted.shape[:-1], np.nan)
    return stats.correlation(rankdata(predicted, axis=-1), rankdata(gold, axis=-1))
