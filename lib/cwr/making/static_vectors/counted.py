"""Builds skip-gram's rival: word vectors by factorising counts of neighbours.

The vectors are U sqrt(S) of a truncated singular value decomposition of positive pointwise mutual
information, as in Levy, Goldberg and Dagan (2015), who found them about as good as skip-gram.

    v words of the vocabulary, n tokens, dim dimensions
"""

from collections.abc import Iterable, Sequence

import numpy as np
from scipy import sparse

from cwr.corpora.word_vectors import WordVectors
from cwr.making.count_models.association import positive_pmi

NAME = "PPMI with SVD"


def factorised(
    sentences: Iterable[Sequence[str]], words: Sequence[str], dim: int, window: int, seed: int = 0
) -> WordVectors:
    """Computes word vectors (v, dim) from neighbour counts: U sqrt(S) of the positive PMI.

    sentences, words, window: as for the compared skip-gram model. A neighbour at distance d counts
        (window + 1 - d) / window, the rate at which skip-gram reads it. As in skip-gram, words
        outside the vocabulary are dropped before distances are counted.
    Raises ValueError for more dimensions than words.
    """
    from sklearn.decomposition import TruncatedSVD

    tokens = _tokens(sentences, words, window)
    association = positive_pmi(neighbours(tokens, len(words), window))
    model = TruncatedSVD(dim, random_state=seed)
    vectors = model.fit_transform(association) / np.sqrt(model.singular_values_)  # (v, dim)
    return WordVectors(NAME, tuple(words), vectors.astype(np.float32))


def neighbours(tokens: np.ndarray, vocabulary: int, window: int) -> sparse.csr_matrix:
    """Counts co-occurrences of words within a window, weighted by distance; returns (v, v).

    tokens: (n,) int indices of words; the number `vocabulary` stands for no word.
    """
    ones = np.ones(len(tokens), np.float32)
    at = (np.arange(len(tokens)), tokens)
    text = sparse.csr_matrix((ones, at), shape=(len(tokens), vocabulary + 1))[:, :vocabulary]
    counts = sparse.csr_matrix((vocabulary, vocabulary), dtype=np.float32)
    for distance in range(1, window + 1):
        weight = (window + 1 - distance) / window
        counts = counts + weight * (text[:-distance].T @ text[distance:])
    return (counts + counts.T).tocsr()


def _tokens(sentences: Iterable[Sequence[str]], words: Sequence[str], window: int) -> np.ndarray:
    """Returns word indices, (n,); after each sentence `window` times len(words), no word."""
    number = {word: index for index, word in enumerate(words)}
    apart = [len(words)] * window
    tokens = []
    for sentence in sentences:
        tokens.extend(number[word] for word in sentence if word in number)
        tokens.extend(apart)
    return np.array(tokens, np.int32)
