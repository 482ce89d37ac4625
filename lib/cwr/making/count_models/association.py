"""Computes positive pointwise mutual information (PMI) of tokens and contexts.

Levy and Goldberg (2014), "Neural word embedding as implicit matrix factorization"; smoothing as in
Levy, Goldberg and Dagan (2015), "Improving distributional similarity with lessons learned from word
embeddings".
"""

import numpy as np
from scipy import sparse

SMOOTHING = 0.75  # power of the contexts' counts (Levy, Goldberg and Dagan 2015)


def positive_pmi(counts: sparse.csr_matrix) -> sparse.csr_matrix:
    """Computes max(0, log(p(token, context) / (p(token) p'(context)))); returns (tokens, contexts).

    p' is proportional to the context counts to the power SMOOTHING: Levy, Goldberg, Dagan (2015).
    counts: (tokens, contexts), no stored zeros.
    """
    counts = counts.tocoo()
    tokens = np.asarray(counts.sum(axis=1)).ravel()
    contexts = np.asarray(counts.sum(axis=0)).ravel() ** SMOOTHING
    expected = tokens[counts.row] * contexts[counts.col] / contexts.sum()
    values = np.maximum(np.log(counts.data / expected), 0)
    return sparse.csr_matrix((values, (counts.row, counts.col)), shape=counts.shape)
