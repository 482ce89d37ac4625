"""A start from counts: vectors of a text's co-occurrences, in place of random ones.

No other model is involved. On a small budget it halves what the causal model has to read; it also decides the
geometry of layer 0 at the start, so what is said of layer 0 *along* training comes from plain starts.
"""
import warnings

import numpy as np
import torch
from scipy import sparse

SMOOTHING = 0.75            # power of the contexts' counts (Levy, Goldberg and Dagan 2015, section 3.1)
WEIGHTS = (1.0, 0.5)        # of the neighbour next to a token, and of the one after it


def vectors(tokens: np.ndarray, vocabulary: int, dim: int, norm: float, seed: int = 0) -> np.ndarray:
    """(vocabulary, dim) float32: U sqrt(S) of the positive PMI of tokens and neighbours, each row of this norm.

    tokens: (n,) int. Left and right neighbours are kept apart. A token that does not occur gets a random
    direction of the same norm, as it would have had without counts.
    """
    tokens = np.asarray(tokens, np.int64)
    sides = []
    for sign in (1, -1):                                         # what stands behind, what stands before
        parts = [_pairs(tokens, distance, vocabulary, sign) * weight
                 for distance, weight in enumerate(WEIGHTS, start=1)]
        sides.append(sum(parts))
    association = positive_pmi(sparse.hstack(sides).tocsr())
    with torch.random.fork_rng(devices=[]), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)                        # "sparse CSR is in beta"
        torch.manual_seed(seed)
        left, values, _ = torch.svd_lowrank(_torch(association), q=dim, niter=3)
    found = (left * values.sqrt()).numpy()
    random = np.random.default_rng(seed).standard_normal((vocabulary, dim))
    never = np.bincount(tokens, minlength=vocabulary) == 0
    found = np.where(never[:, None] | (np.linalg.norm(found, axis=1, keepdims=True) < 1e-6), random, found)
    return (norm * found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


def positive_pmi(counts: sparse.csr_matrix) -> sparse.csr_matrix:
    """max(0, log p(token, context) / (p(token) p'(context))), p' from context counts to the power SMOOTHING."""
    counts = counts.tocoo()
    tokens = np.asarray(counts.sum(axis=1)).ravel()
    contexts = np.asarray(counts.sum(axis=0)).ravel() ** SMOOTHING
    expected = tokens[counts.row] * contexts[counts.col] / contexts.sum()
    values = np.maximum(np.log(counts.data / expected), 0)
    return sparse.csr_matrix((values, (counts.row, counts.col)), shape=counts.shape)


def _pairs(tokens: np.ndarray, distance: int, vocabulary: int, sign: int) -> sparse.csr_matrix:
    """(vocabulary, vocabulary) how often a token (row) has another (column) so far behind or before it."""
    here, there = tokens[:-distance], tokens[distance:]
    if sign < 0:
        here, there = there, here
    keys, counts = np.unique(here * vocabulary + there, return_counts=True)
    return sparse.csr_matrix((counts, (keys // vocabulary, keys % vocabulary)), shape=(vocabulary, vocabulary))


def _torch(matrix: sparse.csr_matrix) -> torch.Tensor:
    return torch.sparse_csr_tensor(torch.from_numpy(matrix.indptr.astype(np.int64)),
                                   torch.from_numpy(matrix.indices.astype(np.int64)),
                                   torch.from_numpy(matrix.data.astype(np.float32)), size=matrix.shape)
