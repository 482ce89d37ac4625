"""The nearest neighbours of vectors by cosine.

n = vectors, q = queries among them, dim = dimensions, k = neighbours
"""

from collections.abc import Sequence

import numpy as np

from cwr.measures.contextuality import unit_rows


def nearest(vectors: np.ndarray, queries: Sequence[int], k: int) -> tuple[np.ndarray, np.ndarray]:
    """Finds the k nearest vectors of each query: their row numbers and cosines, both (q, k).

    No query is its own neighbour, and no zero row (padding in many models) is a neighbour. Of equal
    cosines the lower row comes first.
    vectors: (n, dim). queries: rows of vectors.
    Raises ValueError for fewer than k other nonzero vectors, k < 1, a zero query, and NaN.
    """
    vectors = np.asarray(vectors)
    has_direction = np.any(vectors, axis=1)  # of NaN, too, which `unit_rows` refuses
    kept = np.flatnonzero(has_direction)
    others = len(kept) - 1
    if not 1 <= k <= others:
        raise ValueError(f"{k} neighbours are asked of {others} other vectors")
    for query in queries:
        if not has_direction[query]:
            raise ValueError(f"row {query} has no direction: it is zero")
    unit = unit_rows(vectors[kept])
    places = np.searchsorted(kept, queries)
    cosines = unit[places] @ unit.T  # (q, kept)
    cosines[np.arange(len(cosines)), places] = -np.inf
    rows = np.argsort(-cosines, axis=1, kind="stable")[:, :k]
    return kept[rows], np.take_along_axis(cosines, rows, axis=1)
