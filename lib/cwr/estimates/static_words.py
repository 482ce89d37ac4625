"""How similar are random words to each other, if each has one vector whatever stands beside it?

The counterpart of Figure 1 of Ethayarajh (2019) for static vectors, of which section 4.1 says
without a number that they need not be isotropic.

    n = words of the sample, D = draws
"""

from collections.abc import Sequence

import numpy as np

from cwr.corpora.word_vectors import WordVectors
from cwr.errors import UserError
from cwr.measures import contextuality, stats

MEAN_COSINE = "static_mean_cosine"  # of random words of a text, as they occur
MEAN_COSINE_TYPES = "static_mean_cosine_types"  # of the distinct ones, each once


def mean_cosine_rows(
    vectors: WordVectors, sample: Sequence[str], dataset: str, draws: int = 1000, seed: int = 0
) -> list[dict]:
    """Mean cosine of words of a text, as they occur and each once: rows for `results.write`.

    sample: (n,) random words of the text. Those without a vector, as spelled, are left out.
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
    """Mean cosine over all pairs of these words, and its replicates, (D,).

    words: (n,), each with a vector; one that occurs twice is a pair of cosine 1, as it would be in
    the input of ELMo. What is resampled are the n words.
    Raises KeyError for a word without a vector.
    """
    by_word = vectors.of(set(words))
    matrix = np.stack([by_word[word] for word in words])  # (n, dim)
    numbered = [f"{position} {word}" for position, word in enumerate(words)]
    weights = stats.weights(numbered, draws, seed)  # (D, n)
    value = contextuality.anisotropy_baseline(matrix)
    return value, contextuality.anisotropy_baseline(matrix, weights)
