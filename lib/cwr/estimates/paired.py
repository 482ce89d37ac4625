"""Subtracts and averages estimates that share their draws, draw by draw (paired differences).

Rows go in and rows come out, as `report.results.write` takes them: any of KEYS, `value`, and
`replicates`, (D,), for the same D draws. Other columns are kept. `frame` gives rows their
intervals; the interval of a difference is narrower than the intervals of its parts suggest.
"""

import itertools
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from cwr.measures import stats
from cwr.tables import KEYS

NUMBERS = ("value", "replicates")


def minus(rows: Iterable[dict], others: Iterable[dict], on: Sequence[str]) -> list[dict]:
    """Subtracts from each row its counterpart in `others`, which has the same keys `on`.

    Raises KeyError for a row without a counterpart, and ValueError for two rows of `others` with
    the same values of these keys.
    """
    partners: dict[tuple, dict] = {}
    for other in others:
        if _values(other, on) in partners:
            raise ValueError(
                f"two rows to subtract have the same {', '.join(on)}: {_values(other, on)}"
            )
        partners[_values(other, on)] = other
    return [_less(row, partners[_values(row, on)]) for row in rows]


def steps_along(rows: Iterable[dict], key: str) -> list[dict]:
    """Subtracts from each row the row before it in the order of a key.

    Rows whose other keys are equal are one course. The first row of a course is left out; each
    other row has in `before` the key of the row that was subtracted.
    Raises ValueError for two rows of a course with the same value.
    """
    steps = []
    for course in _alike(rows, key):
        ascending = sorted(course, key=lambda row: row[key])
        for earlier, later in itertools.pairwise(ascending):
            if earlier[key] == later[key]:
                raise ValueError(f"two rows of a course have the same {key}: {later[key]}")
            steps.append({**_less(later, earlier), "before": earlier[key]})
    return steps


def between(
    rows: Iterable[dict], pairs: Iterable[tuple[tuple, tuple]], by: Sequence[str], on: Sequence[str]
) -> list[dict]:
    """Subtracts one group of rows from another for each pair of groups, as `minus`.

    by: the keys that tell groups apart. pairs: the group ahead and the group behind, each as its
        values of these keys. A difference has its two groups in `ahead` and `behind`.
    Raises KeyError for a group without rows, and as `minus`.
    """
    groups = _groups(rows, by)
    return [
        {**row, "ahead": ahead, "behind": behind}
        for ahead, behind in pairs
        for row in minus(groups[ahead], groups[behind], on)
    ]


def mean(rows: Iterable[dict], over: str) -> list[dict]:
    """Averages the rows that differ in one key alone, draw by draw; the means lack this key."""
    means = []
    for alike in _alike(rows, over):
        kept = {name: value for name, value in alike[0].items() if name != over}
        means.append(
            kept | {name: np.mean([row[name] for row in alike], axis=0) for name in NUMBERS}
        )
    return means


def frame(rows: Iterable[dict], columns: Sequence[str] = (), name: str = "value") -> pd.DataFrame:
    """Tabulates rows: `columns`, then value, low and high (the value's 95 % interval).

    name: names the column with the value.
    """
    numbers = [name, "low", "high"]
    table = []
    for row in rows:
        low, high = stats.interval(row["replicates"])
        table.append(
            {
                **{column: row.get(column) for column in columns},
                name: row["value"],
                "low": low,
                "high": high,
            }
        )
    types = dict.fromkeys(numbers, float) | ({"layer": "Int64"} if "layer" in columns else {})
    return pd.DataFrame(table, columns=[*columns, *numbers]).astype(types)


def _less(row: dict, other: dict) -> dict:
    return {**row, **{name: row[name] - other[name] for name in NUMBERS}}


def _values(row: dict, keys: Iterable[str]) -> tuple:
    return tuple(row.get(key) for key in keys)


def _groups(rows: Iterable[dict], by: Sequence[str]) -> dict[tuple, list[dict]]:
    """Groups rows by their values of some keys; rows and groups stay in order."""
    groups: dict[tuple, list[dict]] = {}
    for row in rows:
        groups.setdefault(_values(row, by), []).append(row)
    return groups


def _alike(rows: Iterable[dict], key: str) -> Iterable[list[dict]]:
    """Groups rows by all KEYS but one."""
    return _groups(rows, [name for name in KEYS if name != key]).values()
