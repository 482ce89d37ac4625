"""Nearest neighbours by cosine.

n = vectors, q = queries among them, dim = dimensions, k = neighbours
"""

from collections.abc import Sequence

import numpy as np

from cwr.measures.contextuality import unit_rows


def nearest(vectors: np.ndarray, queries: Sequence[int], k: int) -> tuple[np.ndarray, np.ndarray]:
    """The k vectors of greatest cosine with each query, and their cosines, both (q, k).

    A query is no neighbour of itself; of equal cosines the lower row stands first.
    vectors: (n, dim). queries: rows of it.
    Raises ValueError for fewer than k other vectors, and as `unit_rows`.
    """
    if not 1 <= k < len(vectors):
        raise ValueError(f"{k} neighbours are asked of {len(vectors) - 1} other vectors")
    unit = unit_rows(vectors)
    cosines = unit[queries] @ unit.T  # (q, n)
    cosines[np.arange(len(cosines)), queries] = -np.inf
    rows = np.argsort(-cosines, axis=1, kind="stable")[:, :k]
    return rows, np.take_along_axis(cosines, rows, axis=1)
