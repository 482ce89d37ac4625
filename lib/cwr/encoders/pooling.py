"""Pieces' vectors to one vector a unit, on the model's device. No loop over tokens."""
from collections.abc import Iterable

import numpy as np
import torch
from torch.nn.functional import embedding_bag

POOLINGS = ("mean", "first", "last", "min", "max")


Part = tuple[np.ndarray, np.ndarray]        # some units, and their (layers, units, dim) sums or extremes


def gather(hidden: list[torch.Tensor], unit: np.ndarray, where: np.ndarray, pooling: str) -> Part:
    """Sums (or extremes) of the raw vectors of each unit, of every layer, in float32.

    hidden: per layer (rows, length, dim); unit: sorted unit numbers; where: for each, a place in rows *
    length. Returns the distinct units and their part: sums for "mean", "first" and "last".
    """
    device = hidden[0].device
    distinct, begin = np.unique(unit, return_index=True)
    where, begin = torch.as_tensor(where, device=device), torch.as_tensor(begin, device=device)
    sign = -1.0 if pooling == "min" else 1.0                            # min(x) = -max(-x)
    mode = "max" if pooling in ("min", "max") else "sum"
    layers = []
    for vectors in hidden:
        flat = vectors.reshape(-1, vectors.shape[-1]).float()           # (rows * length, dim)
        layers.append(embedding_bag(where, -flat if sign < 0 else flat, begin, mode=mode))
    part = torch.stack(layers)                                          # (layers, units, dim)
    return distinct, (part.neg_() if sign < 0 else part).cpu().numpy()


def merge(parts: Iterable[Part], counts: np.ndarray, pooling: str) -> np.ndarray:
    """(layers, units, dim) float32 from the parts of several chunks; counts (units,): pieces in each."""
    parts = list(parts)
    total = parts[0][1]
    if len(parts) > 1:                                                  # a unit may have pieces in several
        extremes = {"min": (np.minimum, np.inf), "max": (np.maximum, -np.inf)}
        combine, start = extremes.get(pooling, (np.add, 0.0))
        total = np.full((len(total), len(counts), total.shape[-1]), start, np.float32)
        for unit, part in parts:
            total[:, unit] = combine(total[:, unit], part)
    if pooling == "mean" and (counts > 1).any():
        total /= counts[:, None].astype(np.float32)
    return total
