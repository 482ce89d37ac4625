"""The same statement asked of any model: claims without the family and the layer numbers they are tied to."""
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd

from cwr.papers.claims import Claim


def anywhere(says: str, claim: Claim, holds: Callable[[pd.DataFrame], bool] | None = None,
             tolerance: str = "", families: tuple[str, ...] = ()) -> Claim:
    """The claim with its transfer: what `says` states of any one model, by the same predicate or another.

    families: those it can be asked of (empty: any).
    """
    needs = replace(claim.needs, families=families, n_layers=None, compares=False)
    transfer = replace(claim, id=claim.id + ".transfer", place="not in the paper", says=says, needs=needs, because="",
                       holds=holds or claim.holds, tolerance=tolerance or claim.tolerance)
    return replace(claim, transfer=transfer)


def at_depths(table: pd.DataFrame, measure: str, low: float, high: float) -> np.ndarray:
    """Values of one measure of one model in the layers of relative depth low to high, in order: (layers,).

    Relative depth is layer / highest layer: of 12 layers, 2 to 8 are those from 1/6 to 2/3.
    """
    keep = table["measure"].to_numpy() == measure
    layer, values = table["layer"].to_numpy(dtype=float)[keep], table["value"].to_numpy()[keep]
    order = np.argsort(layer)
    depth = layer[order] / layer.max()
    return values[order][(depth >= low - 1e-9) & (depth <= high + 1e-9)]
