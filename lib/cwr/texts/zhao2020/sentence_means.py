"""Contextualised without a model: each context is the mean of static vectors over its sentence.

Zhao et al. (2020), section 4.2.1: "P-BERT" averages the rows of BERT's word-piece matrix, "P-fastText"
and "P-Rand" the vectors of words. The target is part of its sentence; the special pieces are not (a
choice: the paper does not say). Two targets of a sentence have the same mean.

    n contexts, dim dimensions
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from cwr.corpora import Corpus, excerpts
from cwr.corpora.word_vectors import WordVectors

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

RANDOM = "Rand"  # what the paper calls random vectors
RANDOM_DIM = 300


def of_pieces(
    encoder: "Encoder", corpus: Corpus, table: pd.DataFrame, k: int | None = None
) -> np.ndarray:
    """The mean over the sentence's pieces of their rows in the model's token matrix, (n, dim).

    table: the contexts, with sentence, first and last. k: only so many words a side of the target.
    Raises UserError for a model that reads characters.
    """
    texts, targets = _around(corpus, table, k)
    matrix = encoder.embedding_matrix()
    pieces = encoder.tokenise(texts.sentences)
    means = _means(pieces.ids, pieces.lengths, matrix)
    return means[targets["sentence"].to_numpy()]


def of_words(
    vectors: WordVectors, corpus: Corpus, table: pd.DataFrame, k: int | None = None
) -> np.ndarray:
    """The mean over the sentence's words of their vectors, (n, dim); arguments as `of_pieces`.

    A word without a vector as it is spelled takes that of its lower case, and is left out if there
    is none either. A sentence of such words alone gets zeros.
    """
    texts, targets = _around(corpus, table, k)
    rows = rows_of(vectors, [word for text in texts.sentences for word in text.words])
    sentence = np.repeat(np.arange(len(texts.sentences)), [len(t.spans) for t in texts.sentences])
    has_vector = rows >= 0
    lengths = np.bincount(sentence[has_vector], minlength=len(texts.sentences))
    means = _means(rows[has_vector], lengths, vectors.vectors)
    return means[targets["sentence"].to_numpy()]


def rows_of(vectors: WordVectors, words: Sequence[str]) -> np.ndarray:
    """The row of each word, or of its lower case, (n,) int; -1 for none."""
    row = {word: number for number, word in enumerate(vectors.words)}
    return np.array([row.get(word, row.get(word.lower(), -1)) for word in words], dtype=np.int64)


def random_vectors(words: Iterable[str], dim: int = RANDOM_DIM, seed: int = 0) -> WordVectors:
    """A vector a word, drawn once from the normal distribution N(0, I).

    words: each counts once, in lower case (section 4.2.1: the corpus is uncased).
    """
    names = tuple(sorted({word.lower() for word in words}))
    drawn = np.random.default_rng(seed).normal(size=(len(names), dim))
    return WordVectors(RANDOM, names, drawn.astype(np.float32))


def _around(corpus: Corpus, table: pd.DataFrame, k: int | None) -> tuple[Corpus, pd.DataFrame]:
    return (corpus, table) if k is None else excerpts.around(corpus, table, k)


def _means(rows: np.ndarray, lengths: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """Means of stretches of a matrix's rows, (stretches, dim) float32; zeros for an empty stretch.

    rows: (sum of lengths,) their numbers, stretch after stretch. lengths: (stretches,).
    """
    weights = np.repeat(1 / np.maximum(lengths, 1), lengths)
    ends = np.append(0, np.cumsum(lengths))
    mean = csr_array((weights, rows, ends), shape=(len(lengths), len(matrix)))
    return (mean @ matrix).astype(np.float32)
