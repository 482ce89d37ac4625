"""Draws untrained token matrices, and applies estimates to them.

This needs no model and no torch. Rows are marked as those of `estimates.untrained`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from cwr import encoders
from cwr.encoders.matrices import Matrix
from cwr.tables import UNTRAINED

DEVIATION = 0.02  # of the numbers, unless a configuration says otherwise (initializer_range)


def as_initialised(matrix: Matrix, seed: int) -> Matrix:
    """Replaces a token matrix by independent normal numbers, as before training; no output layer.

    The tokens are those of the trained matrix.
    """
    drawn = np.random.default_rng(seed).normal(0, DEVIATION, matrix.W.shape)
    return replace(matrix, W=drawn.astype(np.float32), read_output=lambda: None)


def rows(
    matrices: Sequence[Matrix],
    estimate: Callable[[Matrix], list[dict]],
    seeds: int,
    without: Sequence[str] = (),
) -> list[dict]:
    """Applies an estimate to untrained token matrices; returns rows with their variant and seed.

    estimate: returns the rows of one matrix. seeds, without: as in `untrained.copies`.
    """
    marked = []
    left_out = set(map(encoders.called, without))
    for matrix in matrices:
        if matrix.name not in left_out:
            for seed in range(seeds):
                marks = {"variant": UNTRAINED[0], "seed": seed}
                of_copy = estimate(as_initialised(matrix, seed))
                marked += [{**row, **marks} for row in of_copy]
    return marked
