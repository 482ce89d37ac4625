"""Sums of rows by group, computed as one product with a sparse matrix.

Axes: rows, groups, dim.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array


@dataclass(frozen=True)
class Adder:
    """The sparse matrix that adds up the rows of each group."""

    groups: np.ndarray  # (groups,) the distinct groups of the rows, ascending
    member: csr_array  # (groups, rows), 1 where a row is of the group

    @classmethod
    def of(cls, group: np.ndarray) -> "Adder":
        """Builds an adder of rows with these groups, (rows,) int."""
        groups, index = np.unique(group, return_inverse=True)
        cells = (index, np.arange(len(group)))
        shape = (len(groups), len(group))
        return cls(groups, csr_array((np.ones(len(group)), cells), shape=shape))

    def sums(self, rows: np.ndarray, norms: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Sums unit rows and rows by group, both (groups, dim); rows: (rows, dim) float64.

        norms: (rows,), the rows' lengths, none of them zero.
        """
        member = self.member
        scaled = csr_array((1 / norms[member.indices], member.indices, member.indptr), member.shape)
        return scaled @ rows, member @ rows


def row_norms(rows: np.ndarray, names: Sequence[str], group: np.ndarray, layer: int) -> np.ndarray:
    """Computes the lengths (rows,) of the rows (rows, dim) of one layer.

    names[group[i]] is the name of row i in the error.
    Raises ValueError for a zero or NaN row, whose direction is undefined.
    """
    norms = np.sqrt(np.einsum("td,td->t", rows, rows))
    if not (norms > 0).all():  # also refuses NaN
        row = int(np.argmin(norms > 0))
        raise ValueError(
            f"a vector of {names[group[row]]!r} in layer {layer} has no direction "
            f"(norm {norms[row]})"
        )
    return norms
