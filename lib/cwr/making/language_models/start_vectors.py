"""Computes initial token vectors from a text's co-occurrences.

The vectors factorise the positive pointwise mutual information of tokens and their neighbours by a
truncated singular value decomposition (Levy and Goldberg 2014, "Neural word embedding as implicit
matrix factorization"; smoothing and U sqrt(S) as in Levy, Goldberg and Dagan 2015). No other model
is involved. On a small budget such vectors halve the text that the causal model has to read. They
also decide the initial geometry of layer 0, so statements on layer 0 *along* training use runs from
random vectors.

Axes: n tokens of the text, v vocabulary, d dimensions.
"""

import warnings

import numpy as np
import torch
from scipy import sparse

from cwr.errors import UserError
from cwr.making.count_models.association import positive_pmi
from cwr.training.loop import seeded

WEIGHTS = (1.0, 0.5)  # of the neighbour next to a token, and of the one after it
SHORTEST = 1e-6  # a token whose vector is shorter has no direction


def vectors(
    tokens: np.ndarray, vocabulary: int, dim: int, norm: float, seed: int = 0
) -> np.ndarray:
    """Computes U sqrt(S) of the positive PMI of tokens and neighbours; returns (v, d) float32.

    tokens: (n,) int. vocabulary, dim: v and d. norm: the norm of each row. Left and right
        neighbours are counted separately. A token that does not occur gets a random direction.
    Raises UserError for more dimensions than tokens in the vocabulary.
    """
    if dim > vocabulary:
        raise UserError(
            f"a vocabulary of {vocabulary} tokens gives no start vectors of {dim} "
            'dimensions: take more text, fewer dimensions, or start="plain"'
        )
    tokens = np.asarray(tokens, np.int64)
    right = _neighbours(tokens, vocabulary)
    left = _neighbours(tokens[::-1], vocabulary)
    association = _torch(positive_pmi(sparse.hstack([right, left]).tocsr()))  # (v, 2v)
    with seeded(seed):
        vectors_u, values, _ = torch.svd_lowrank(association, q=dim, niter=3)
    embeddings = (vectors_u * values.sqrt()).numpy()  # (v, d)
    random = np.random.default_rng(seed).standard_normal((vocabulary, dim))
    absent = np.bincount(tokens, minlength=vocabulary) == 0
    lengths = np.linalg.norm(embeddings, axis=1)
    without = absent | (lengths < SHORTEST)
    embeddings = np.where(without[:, None], random, embeddings)
    lengths = np.linalg.norm(embeddings, axis=1, keepdims=True)
    return (norm * embeddings / lengths).astype(np.float32)


def _neighbours(tokens: np.ndarray, vocabulary: int) -> sparse.csr_matrix:
    """Counts how often a token (row) precedes another (column), weighted by distance, (v, v)."""
    counts = sparse.csr_matrix((vocabulary, vocabulary))
    for distance, weight in enumerate(WEIGHTS, start=1):
        pairs = tokens[:-distance] * vocabulary + tokens[distance:]
        keys, times = np.unique(pairs, return_counts=True)
        cells = (keys // vocabulary, keys % vocabulary)
        counts = counts + sparse.csr_matrix((weight * times, cells), shape=counts.shape)
    return counts


def _torch(matrix: sparse.csr_matrix) -> torch.Tensor:
    """Converts a matrix, (rows, columns), to a sparse float32 tensor."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # "sparse CSR is in beta"
        return torch.sparse_csr_tensor(
            torch.from_numpy(matrix.indptr.astype(np.int64)),
            torch.from_numpy(matrix.indices.astype(np.int64)),
            torch.from_numpy(matrix.data.astype(np.float32)),
            size=matrix.shape,
        )
