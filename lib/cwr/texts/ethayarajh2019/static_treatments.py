"""Static vectors without what makes all of them alike: does it change what they score?

Ethayarajh (2019), section 5, recalls that static vectors from which their mean was subtracted do
better on tasks (Mu & Viswanath 2018). The mean here is that of all words of one table of vectors.
"""

from collections.abc import Mapping

import numpy as np

from cwr.measures import anisotropy

ENDINGS = {  # of the measure's name: what was taken away
    "_less_mean": "their mean",
    "_without_3": "three coordinates",
}


def treated(vectors: Mapping[str, np.ndarray]) -> dict[str, dict[str, np.ndarray]]:
    """A table of static vectors, {word: (dim,)}, after each treatment, by the keys of ENDINGS.

    Coordinates go by their contribution to the mean cosine of different words. Raises ValueError
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
