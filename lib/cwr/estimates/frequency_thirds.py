"""Tests whether vectors agree with people on rare or on frequent words: thirds of the pairs.

Zhou et al. (2022) find that cosines of contextual vectors understate how similar frequent words
are. A correlation over pairs of mixed frequency cannot show where it comes from, so each set of
pairs is cut into thirds here by the count of a pair's rarer word.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from cwr.estimates.distilled import (
    LARGE,
    LEAST_PAIRS,
    MEAN,
    PAIRS,
    SPEARMAN,
    TASK,
    Source,
    covered,
    score_rows,
)

THIRDS = ("rare", "middle", "frequent")


def cut(pairs: pd.DataFrame, counts: Mapping[str, int]) -> list[pd.DataFrame]:
    """Cuts a set of pairs into thirds by the count of each pair's rarer word; ties keep order.

    counts: {word: occurrences}, of every word of the pairs.
    """
    of_words = [pairs[side].map(counts) for side in ("first", "second")]
    order = np.argsort(np.minimum(*of_words), kind="stable")
    return [pairs.iloc[rows] for rows in np.array_split(order, len(THIRDS))]


def rows(
    sources: Sequence[Source],
    sets: Mapping[str, pd.DataFrame],
    counts: Mapping[str, int],
    estimators: Collection[str],
    draws: int = 1000,
    seed: int = 0,
) -> list[dict]:
    """Computes each third's mean correlation over the sets, as rows for `report.results.write`.

    Only pairs that all sources cover count; sets with fewer than 3 * LEAST_PAIRS of them are left
    out. A row that takes the best layer on average has one layer for all thirds of all sets.
    sets: as `distilled.load` gives them. counts: as in `cut`. estimators: whose rows are wanted.
    Measures end in one of THIRDS; PAIRS counts the pairs of all sets. Returns no rows if every set
    is left out.
    """
    common = set.intersection(*(source.words for source in sources))
    of_sets = {
        name: cut(pairs, counts)
        for name, pairs in covered(sets, common).items()
        if len(pairs) >= len(THIRDS) * LEAST_PAIRS
    }
    if not of_sets:
        return []
    cells = {
        f"{name} {third}": pairs
        for name, thirds in of_sets.items()
        for third, pairs in zip(THIRDS, thirds, strict=True)
    }
    wanted = [_with_rows(source, estimators) for source in sources]
    scored = score_rows([source for source in wanted if source.rows], cells, draws, seed)
    return [row for third in THIRDS for row in _means(scored, third)]


def _with_rows(source: Source, estimators: Collection[str]) -> Source:
    """Returns the same source with those of its rows that are wanted."""
    rules = {name: rule for name, rule in source.rows.items() if name in estimators}
    return replace(source, rows=rules)


def _means(scored: Sequence[dict], third: str) -> list[dict]:
    """Returns the number of pairs in a third, and the mean of each row over its sets, by draw."""
    cells = [row for row in scored if row.get("dataset", "").endswith(f" {third}")]
    n = sum(row["value"] for row in cells if row["measure"] == PAIRS)
    means = [{"task": TASK, "measure": f"{PAIRS}_{third}", "value": n}]
    by_row: dict[tuple, list[dict]] = {}
    for row in cells:
        if row["measure"].removesuffix(LARGE) == SPEARMAN:
            by_row.setdefault((row["model"], row["estimator"]), []).append(row)
    for of_sets in by_row.values():
        mean = {key: value for key, value in of_sets[0].items() if key != "dataset"}
        for key in ("value", "replicates"):
            mean[key] = np.mean([row[key] for row in of_sets], axis=0)
        means.append({**mean, "measure": f"{MEAN}_{third}"})
    return means
