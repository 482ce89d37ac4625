"""Compares X2Static along its training with ASE's best layer, on the same draws of word pairs.

Gupta and Jaggi (2021), section 4.2 and Table 1.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from cwr.estimates import distilled, paired
from cwr.estimates.chosen_tables import Vectors


def leads(
    looks: Mapping[int, Vectors],
    layers: Mapping[int, Vectors],
    sets: Mapping[str, pd.DataFrame],
    draws: int = 500,
    seed: int = 0,
) -> pd.DataFrame:
    """Computes X2Static's lead over ASE in the mean over the sets, with paired 95 % intervals.

    looks: {updates: the vectors then}. layers: {layer: averages}; the layer with the best mean is
    chosen anew in each draw. sets, draws, seed: as in `distilled.score_rows`, with its errors.
    Returns a row for each number of updates: updates, lead, low, high.
    """
    sources = [
        distilled.Source(name, "static", tables, {f"{key}": key for key in tables})
        for name, tables in (("X2Static", looks), ("ASE", layers))
    ]
    scored = distilled.score_rows(sources, sets, draws, seed, enough=0)
    cells = (row for row in scored if row["measure"] == distilled.SPEARMAN)
    means = paired.mean(cells, "dataset")
    best = _best([row for row in means if row["model"] == "ASE"])
    trained = [{**row, "k": int(row["estimator"])} for row in means if row["model"] == "X2Static"]
    differences = paired.minus(trained, [best], ["measure"])
    table = paired.frame(differences, ["k"])
    return table.rename(columns={"k": "updates", "value": "lead"})


def statement(lead: pd.Series) -> str:
    """Says how X2Static stands to ASE's best layer, by one row of `leads`."""
    if lead["low"] > 0:
        return "is above ASE's best layer beyond noise"
    if lead["high"] < 0:
        return "is below ASE's best layer beyond noise"
    return "does not differ measurably from ASE's best layer"


def _best(rows: Sequence[dict]) -> dict:
    """Returns the row of the best layer: the largest value in the estimate and in each draw."""
    draws = np.max([row["replicates"] for row in rows], axis=0)
    return {**rows[0], "value": max(row["value"] for row in rows), "replicates": draws}
