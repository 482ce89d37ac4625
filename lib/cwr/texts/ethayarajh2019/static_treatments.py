"""Removes from static vectors what makes all of them alike, to see whether their scores change.

Ethayarajh (2019), section 5, recalls that static vectors without their mean do better on tasks
(Mu & Viswanath 2018). The mean here is that of all words of one table of vectors.
"""

from collections.abc import Mapping

import numpy as np

from cwr.measures import anisotropy

ENDINGS = {  # of the measure's name: what was taken away
    "_less_mean": "their mean",
    "_without_3": "three coordinates",
}


def treated(vectors: Mapping[str, np.ndarray]) -> dict[str, dict[str, np.ndarray]]:
    """Applies each treatment to static vectors {word: (dim,)}; returns them by the keys of ENDINGS.

    The coordinates removed contribute most to the mean cosine of different words. Raises ValueError
    for fewer than two words, and for a vector without a direction.
    """
    matrix = np.stack(list(vectors.values())).astype(np.float64)  # (words, dim)
    contributions = anisotropy.cosine_contributions(matrix)
    treatments = (
        anisotropy.centred_at(matrix.mean(axis=0)),
        anisotropy.without_largest(contributions, 3),
    )
    return {
        ending: dict(zip(vectors, treatment(matrix), strict=True))
        for ending, treatment in zip(ENDINGS, treatments, strict=True)
    }
