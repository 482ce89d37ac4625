"""Defines a curve: one measure in every layer of a model, with bootstrap replicates of its mean.

A value per item (a word, a sentence, a sampled token) and layer comes first, the mean over items
second; items are resampled. Curves over the same items share their draws, so they can be subtracted
draw by draw.

Axes: D draws, I items, L layers; layer 0 is the input, layer L - 1 the last.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cwr.measures import stats


@dataclass(frozen=True)
class Curve:
    """The values of one measure by layer.

    values: (L,); NaN in a layer that is not measured.
    replicates: (D, L), or None where there is nothing to resample.
    items: (I, L), the resampled items, with their values in every layer; None where there are none.
    """

    values: np.ndarray
    replicates: np.ndarray | None = None
    items: pd.DataFrame | None = None

    def __sub__(self, other: "Curve") -> "Curve":
        """Subtracts draw by draw; a curve without replicates is subtracted as a constant."""
        difference = self.values - other.values
        if self.replicates is None:
            return Curve(difference)
        subtrahend = other.values if other.replicates is None else other.replicates
        return Curve(difference, self.replicates - subtrahend)


def over_items(items: pd.DataFrame, draws: int = 1000, seed: int = 0) -> Curve:
    """Averages a measure over items in each layer, with replicates that resample items.

    items: (I, L), indexed by the items' names, which decide the draws.
    Raises ValueError for no items.
    """
    weights = stats.weights(items.index, draws, seed)  # (D, I)
    values = items.to_numpy(dtype=float)  # (I, L)
    return Curve(values.mean(axis=0), weights @ values / len(values), items)


def per_layer(encoder, curves: Mapping[str, Curve], first: int = 0, **keys) -> list[dict]:
    """Converts curves to rows for `report.results.write`, one row per curve and layer.

    encoder: anything with `name` and `family`. curves: by the name of their measure. first: the
        layer to begin with. keys: further key columns of the table (dataset=..., estimator=...).
    """
    rows = []
    for measure, curve in curves.items():
        for layer in range(first, len(curve.values)):
            replicates = None if curve.replicates is None else curve.replicates[:, layer]
            rows.append(
                {
                    "model": encoder.name,
                    "family": encoder.family,
                    "layer": layer,
                    "measure": measure,
                    **keys,
                    "value": float(curve.values[layer]),
                    "replicates": replicates,
                }
            )
    return rows
