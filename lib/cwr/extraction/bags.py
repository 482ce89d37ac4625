"""Sums rows by bags where the rows are: on the processor or on a GPU.

PyTorch's `embedding_bag` adds up the rows of a bag one after another, in their order. It uses no
atomic additions, whose order changes from run to run, so two runs are equal to the bit. On a
processor the float64 sums equal a product with SciPy's sparse matrix to the bit.

Axes: rows; members, the rows that are added up, bag by bag; bags (or groups); dim.
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch.nn.functional import embedding_bag


class Bags:
    """Rows to be averaged by bag; a row may have no bag or several, and a bag no row."""

    def __init__(self, members: np.ndarray, starts: np.ndarray, device: torch.device | str = "cpu"):
        """members: (members,) indices of rows; starts: (bags,) where a bag's members begin.

        Raises ValueError for starts that do not ascend from 0 to the number of members.
        """
        counts = np.diff(np.append(starts, len(members)))
        if starts[0] != 0 or (counts < 0).any():
            raise ValueError(f"bags of {len(members)} rows ascend from 0, and not as {starts}")
        shares = np.repeat(1 / np.maximum(counts, 1), counts)
        self._is_plain = (counts == 1).all()  # every bag is one row
        self._members, self._starts, self._shares = (
            torch.as_tensor(array, device=device) for array in (members, starts, shares)
        )

    def means(self, rows: torch.Tensor) -> torch.Tensor:
        """Averages rows (rows, dim) by bag in float64; (bags, dim) float32, 0 without a row."""
        members = rows.index_select(0, self._members)
        if self._is_plain:
            return members
        return add_up(members.double(), self._starts, self._shares).float()


class Groups:
    """Adds up the rows of each group, and the rows at unit length."""

    def __init__(self, group: np.ndarray, names: Sequence[str], device: torch.device | str = "cpu"):
        """group: (rows,) int; names[group[i]] is the name of row i in an error."""
        self._names, order = names, np.argsort(group, kind="stable")
        self._group = group[order]
        self.present, starts = np.unique(self._group, return_index=True)  # ascending
        self._order, self._starts = (
            torch.as_tensor(array, device=device) for array in (order, starts)
        )

    def sums(self, rows: torch.Tensor, layer: int) -> tuple[np.ndarray, np.ndarray]:
        """Sums the unit rows, and the rows (rows, dim) of a layer, both (present groups, dim).

        The sums are float64, on the host. Raises ValueError for a zero or NaN row, whose direction
        is undefined.
        """
        rows = rows.index_select(0, self._order).double()
        norms = lengths(rows)
        if not (norms > 0).all():  # also refuses NaN
            row = int((norms > 0).int().argmin())
            raise ValueError(
                f"a vector of {self._names[self._group[row]]!r} in layer {layer} has no direction "
                f"(norm {norms[row]})"
            )
        unit_sum, total = add_up(rows, self._starts, 1 / norms), add_up(rows, self._starts)
        return unit_sum.cpu().numpy(), total.cpu().numpy()


def add_up(
    rows: torch.Tensor, starts: torch.Tensor, weights: torch.Tensor | None = None
) -> torch.Tensor:
    """Sums rows (rows, dim), times weights (rows,), by bags of rows side by side: (bags, dim).

    starts: (bags,) where a bag begins, from 0 on.
    """
    members = torch.arange(len(rows), device=rows.device)
    return embedding_bag(members, rows, starts, mode="sum", per_sample_weights=weights)


def lengths(rows: torch.Tensor) -> torch.Tensor:
    """Computes the lengths (rows,) of rows (rows, dim) float64.

    On a processor NumPy adds the squares: in another order the last bit may differ.
    """
    if rows.device.type == "cpu":
        return torch.from_numpy(np.sqrt(np.einsum("td,td->t", rows.numpy(), rows.numpy())))
    return torch.linalg.vector_norm(rows, dim=1)
