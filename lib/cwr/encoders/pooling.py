"""Pools pieces' vectors to one vector per unit, on the model's device, without a token loop.

Axes: layers (n_layers + 1), units, dim; a cell is a row and a column of the model's input, as one
index into rows * length.
"""

from collections.abc import Iterable

import numpy as np
import torch
from torch.nn.functional import embedding_bag

POOLINGS = ("mean", "first", "last", "min", "max")

# unit numbers (units,), and their sums or extremes (layers, units, dim)
Pooled = tuple[np.ndarray, np.ndarray]


def gather(hidden: list[torch.Tensor], unit: np.ndarray, cell: np.ndarray, pooling: str) -> Pooled:
    """Computes sums (or extremes) of the raw vectors of each unit in every layer, in float32.

    hidden: per layer (rows, length, dim); unit: (cells,) ascending unit numbers; cell: (cells,)
    where each vector stands in rows * length. Returns the distinct units and, for "mean", "first"
    and "last", the sums of their vectors, for "min" and "max" their extremes.
    """
    device = hidden[0].device
    distinct, begin = np.unique(unit, return_index=True)
    cell, begin = torch.as_tensor(cell, device=device), torch.as_tensor(begin, device=device)
    negative = pooling == "min"  # min(x) = -max(-x)
    mode = "max" if pooling in ("min", "max") else "sum"
    layers = []
    for vectors in hidden:
        flat = vectors.reshape(-1, vectors.shape[-1]).float()  # (rows * length, dim)
        layers.append(embedding_bag(cell, -flat if negative else flat, begin, mode=mode))
    pooled = torch.stack(layers)  # (layers, units, dim)
    if negative:
        pooled.neg_()
    return distinct, pooled.cpu().numpy()


def merge(chunks: Iterable[Pooled], counts: np.ndarray, pooling: str) -> np.ndarray:
    """Combines results of `gather` for several chunks of rows into (layers, units, dim) float32.

    counts: (units,) number of cells of each unit, the divisor of a mean.
    """
    chunks = list(chunks)
    total = chunks[0][1]
    if len(chunks) > 1:  # a unit may have cells in several chunks
        extremes = {"min": (np.minimum, np.inf), "max": (np.maximum, -np.inf)}
        combine, start = extremes.get(pooling, (np.add, 0.0))
        total = np.full((len(total), len(counts), total.shape[-1]), start, np.float32)
        for unit, vectors in chunks:
            total[:, unit] = combine(total[:, unit], vectors)
    if pooling == "mean" and (counts > 1).any():
        total /= counts[:, None].astype(np.float32)
    return total
