"""Averages static vectors over the sentence of each context, a contextualisation without a model.

Zhao et al. (2020), section 4.2.1: "P-BERT" averages the rows of BERT's word-piece matrix,
"P-fastText" and "P-Rand" the vectors of words. The target is part of its sentence; the special
pieces are not, by our choice. Two targets of a sentence have the same mean.

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
    """Averages the token-matrix rows of a sentence's pieces, for each context, (n, dim).

    table: the contexts, with sentence, first and last. k: the most words a side of the target.
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
    """Averages the vectors of a sentence's words, for each context, (n, dim).

    A word without a vector as spelled takes that of its lower case, or is left out. A sentence
    without any vector gets zeros. Arguments as `of_pieces`.
    """
    texts, targets = _around(corpus, table, k)
    rows = rows_of(vectors, [word for text in texts.sentences for word in text.words])
    sentence = np.repeat(np.arange(len(texts.sentences)), [len(t.spans) for t in texts.sentences])
    has_vector = rows >= 0
    lengths = np.bincount(sentence[has_vector], minlength=len(texts.sentences))
    means = _means(rows[has_vector], lengths, vectors.vectors)
    return means[targets["sentence"].to_numpy()]


def rows_of(vectors: WordVectors, words: Sequence[str]) -> np.ndarray:
    """Finds the row of each word, or of its lower case, (n,) int; -1 for none."""
    row = {word: number for number, word in enumerate(vectors.words)}
    return np.array([row.get(word, row.get(word.lower(), -1)) for word in words], dtype=np.int64)


def random_vectors(words: Iterable[str], seed: int = 0) -> WordVectors:
    """Draws a vector for each word from the normal distribution N(0, I).

    words: each counts once, in lower case (section 4.2.1: the corpus is uncased).
    """
    names = tuple(sorted({word.lower() for word in words}))
    drawn = np.random.default_rng(seed).normal(size=(len(names), RANDOM_DIM))
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
