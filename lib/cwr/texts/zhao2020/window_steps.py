"""What each step to a larger context adds to F1: Figure 5 of Zhao et al. (2020), read as steps."""

import itertools
from collections.abc import Iterable

import pandas as pd

from cwr.measures import stats


def steps(rows: Iterable[dict]) -> pd.DataFrame:
    """The change of a score from each context size to the next, a row a step.

    rows: of one measure and reading, with `k`, `value` and `replicates`; with a layer or without.
    Columns model, family, layer (NA without), k (the larger size), step ("0 → 2"), change, and low
    and high of its 95 % interval. Draws are paired: rows of a curve resample the same words.
    """
    curves: dict[tuple, dict[int, dict]] = {}
    for row in rows:
        curve = row["model"], row["family"], row.get("layer", pd.NA)
        curves.setdefault(curve, {})[row["k"]] = row
    table = []
    for curve, by_size in curves.items():
        for smaller, larger in itertools.pairwise(sorted(by_size)):
            before, after = by_size[smaller], by_size[larger]
            change = after["value"] - before["value"]
            interval = stats.interval(after["replicates"] - before["replicates"])
            table.append((*curve, larger, f"{smaller} → {larger}", change, *interval))
    names = ["model", "family", "layer", "k", "step", "change", "low", "high"]
    return pd.DataFrame(table, columns=names)
