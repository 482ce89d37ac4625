"""Measures how similar random words are if each has one vector in all contexts.

Two texts discuss static vectors without a number: Ethayarajh (2019), section 4.1, that they need
not be isotropic (the counterpart of Figure 1); Biś et al. (2021), section 7, that skip-gram
mitigates the common shift (the counterpart of two columns of Table 1).

    n = words of the sample, D = draws
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr.corpora.word_vectors import WordVectors
from cwr.errors import UserError
from cwr.measures import contextuality, geometry, stats

if TYPE_CHECKING:
    from cwr.encoders.matrices import Matrix

MEAN_COSINE = "static_mean_cosine"  # of random words of a text, as they occur
MEAN_COSINE_TYPES = "static_mean_cosine_types"  # of the distinct ones, each once


def mean_cosine_rows(
    vectors: WordVectors, sample: Sequence[str], dataset: str, draws: int = 1000, seed: int = 0
) -> list[dict]:
    """Computes the mean cosine of a text's words, over occurrences and over types, in two rows.

    sample: (n,) random words of the text. Words without a vector in this spelling are left out. The
        rows are for `results.write`.
    Raises UserError for fewer than two distinct words with a vector.
    """
    covered = vectors.of(sample)
    if len(covered) < 2:
        raise UserError(
            f"of the words drawn from {dataset} {vectors.name} has {len(covered)}, and a mean over "
            "pairs needs 2: take more text, or vectors of its language"
        )
    occurring = [word for word in sample if word in covered]
    rows = []
    for measure, words in ((MEAN_COSINE, occurring), (MEAN_COSINE_TYPES, list(covered))):
        value, replicates = mean_cosine(vectors, words, draws, seed)
        keys = {"model": vectors.name, "family": vectors.family, "dataset": dataset}
        rows.append({**keys, "measure": measure, "value": value, "replicates": replicates})
    return rows


def mean_cosine(
    vectors: WordVectors, words: Sequence[str], draws: int = 1000, seed: int = 0
) -> tuple[float, np.ndarray]:
    """Computes the mean cosine over all pairs of these words, and its replicates, (D,).

    words: (n,), each with a vector; a word that occurs twice makes a pair of cosine 1, as it would
        be in the input of ELMo. The n words are resampled.
    Raises KeyError for a word without a vector.
    """
    by_word = vectors.of(set(words))
    matrix = np.stack([by_word[word] for word in words])  # (n, dim)
    numbered = [f"{position} {word}" for position, word in enumerate(words)]
    weights = stats.weights(numbered, draws, seed)  # (D, n)
    value = contextuality.anisotropy_baseline(matrix)
    return value, contextuality.anisotropy_baseline(matrix, weights)


def shift_rows(vectors: WordVectors) -> list[dict]:
    """Computes two measures of the shift that all vectors share, as rows for `results.write`.

    The rows are the norm of the mean over the mean norm, and the mean cosine; each word counts
    once. Measures have the names of a token matrix's measures, with "static_" in front. Raises
    ValueError as `geometry.of_matrix`.
    """
    table = geometry.of_matrix(vectors.vectors)
    shift = {
        "static_mean_vector_norm_ratio": table.mean_norm / table.norm,
        "static_embedding_mean_cosine": table.mean_cosine,
    }
    keys = {"model": vectors.name, "family": vectors.family}
    return [{**keys, "measure": measure, "value": value} for measure, value in shift.items()]


def on_common_words(matrix: "Matrix", vectors: WordVectors) -> pd.DataFrame:
    """Computes the numbers of `shift_rows` for a token matrix and static vectors, on common words.

    A word of `vectors` is common if it is exactly one token of the matrix. One row for the matrix,
    one for the vectors; columns words (their number), ratio of the norms, mean cosine. Raises
    ValueError as `geometry.of_matrix`.
    """
    row_of = {word: matrix.row_of(word) for word in vectors.words}
    common = {word: row for word, row in row_of.items() if row is not None}
    rows = {
        matrix.name: matrix.W[list(common.values())],
        vectors.name: np.stack(list(vectors.of(common).values())),
    }
    lines = {}
    for name, W in rows.items():
        table = geometry.of_matrix(W)
        lines[name] = {
            "words": len(common),
            "ratio of the norms": table.mean_norm / table.norm,
            "mean cosine": table.mean_cosine,
        }
    return pd.DataFrame.from_dict(lines, orient="index")
