"""Pools vectors of pieces to one vector per unit, on the model's device, without a token loop.

Axes: layers (n_layers + 1), units, dim; a cell is a place (row, column) in the model's input, as
one index into rows * length.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import torch
from torch.nn.functional import embedding_bag

POOLINGS = ("mean", "first", "last", "min", "max")

# unit numbers (units,), and of each layer their sums or extremes (units, dim)
Pooled = tuple[np.ndarray, list[torch.Tensor]]


def gather(
    hidden: Sequence[torch.Tensor],
    unit: np.ndarray,
    cell: np.ndarray,
    pooling: str,
    to: torch.device,
) -> Pooled:
    """Computes sums (or extremes) of the raw vectors of each unit in every layer, in float32.

    hidden: per layer (rows, length, dim); unit: (cells,) ascending unit numbers; cell: (cells,) the
    index of each vector in rows * length; to: the device of the results. Returns the distinct units
    and the sums of their vectors; with "min" and "max" the extremes.
    """
    device = hidden[0].device
    distinct, begin = np.unique(unit, return_index=True)
    cell, begin = torch.as_tensor(cell, device=device), torch.as_tensor(begin, device=device)
    negative = pooling == "min"  # min(x) = -max(-x)
    mode = "max" if pooling in ("min", "max") else "sum"
    layers = []
    for vectors in hidden:
        flat = vectors.reshape(-1, vectors.shape[-1]).float()  # (rows * length, dim)
        pooled = embedding_bag(cell, -flat if negative else flat, begin, mode=mode)
        layers.append((-pooled if negative else pooled).to(to))
    return distinct, layers


@torch.inference_mode()
def merge(chunks: Iterable[Pooled], counts: np.ndarray, pooling: str) -> list[torch.Tensor]:
    """Combines results of `gather` for several chunks of rows into (units, dim) float32 per layer.

    counts: (units,) the number of cells of each unit, by which means are divided.
    """
    (_, totals), *others = chunks = list(chunks)
    if others:  # a unit may have cells in several chunks
        extremes = {"min": (torch.minimum, np.inf), "max": (torch.maximum, -np.inf)}
        combine, start = extremes.get(pooling, (torch.add, 0.0))
        totals = [layer.new_full((len(counts), layer.shape[1]), start) for layer in totals]
        for unit, layers in chunks:
            for total, vectors in zip(totals, layers, strict=True):
                total[unit] = combine(total[unit], vectors)
    several = np.flatnonzero(counts > 1)
    if pooling == "mean" and len(several):
        unit, divisor = (
            torch.as_tensor(array, device=totals[0].device)
            for array in (several, counts[several, None].astype(np.float32))
        )
        for total in totals:
            total[unit] /= divisor
    return totals
