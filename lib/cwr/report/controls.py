"""Tests whether a task is learned: compares scores with their control, with paired intervals.

On a task where no score beats a constant label a contrast of scores tells nothing.

D = draws, R = rows
"""

import numpy as np
import pandas as pd

from cwr.measures import stats
from cwr.papers.claims import Bound, Control, Needs, is_encoder
from cwr.report.columns import Columns
from cwr.rows import Rows
from cwr.tables import UNTRAINED, spelled

KEYS = ["task", "dataset"]  # in which a score and its control agree


def unlearned(
    needs: Needs, rows: Rows, replicates: np.ndarray | Columns | None
) -> tuple[np.ndarray, str]:
    """Returns the rows whose task is learned, (R,) bool, and the reason why others are not.

    The reason is a clause, empty if all rows stay.

    needs: the needs of a claim; data sets that they do not name are not tested. rows: tidy, (R,).
        replicates: (D, R) or None.
    A task is learned if the 95 % interval of some score minus its control lies above 0, unless the
    interval of every score minus its floor lies below 0. Without draws the differences decide.
    Scores of untrained copies do not count. Without a control in the table every row stays. If
    `needs.within` drops models, no control is tested: call again with the rows that stay.
    """
    keep, because = _within(needs.within, rows)
    if because:
        return keep, because
    control, reasons = needs.beats, []
    for task, dataset, pairs in _pairs(needs, rows):
        leads = [_lead(rows, replicates, score, rule) for score, rule in pairs]
        lead = max(leads, key=lambda lead: lead[1])
        fault = "" if lead[1] > 0 else f"not above that of {control.name}"
        over_floor = [_lead(rows, replicates, *pair) for pair in _floors(control, rows, pairs)]
        if not fault and over_floor and max(high for _, _, high in over_floor) < 0:
            lead = max(over_floor, key=lambda lead: lead[2])
            fault = f"below that of {control.floor} alone, which it reads too"
        if fault:
            is_of_task = rows.one_of("task", [task]) & rows.has("task")
            keep &= ~is_of_task if control.by_task else False
            reasons.append(_reason(control, task if control.by_task else dataset, fault, lead))
    if not reasons:
        return keep, ""
    what = "a task that was" if len(reasons) == 1 else "tasks that were"
    what = f"{what} not learned" if keep.any() else "nothing is learned here"
    return keep, f"{what}: {', and '.join(reasons)}"


def _reason(control: Control, name: object, fault: str, lead: tuple[float, float, float]) -> str:
    """Returns a clause on the fault of a task's or data set's scores, with their lead."""
    value, low, high = lead
    interval = "" if low == high else f" [{low:+.3g}, {high:+.3g}]"
    of = "" if pd.isna(name) else f" of {name}"
    return (
        f"the {spelled(control.measure)}{of} is {fault}; the difference is {value:+.3g}{interval}"
    )


def _within(bound: Bound | None, rows: Rows) -> tuple[np.ndarray, str]:
    """Returns what `unlearned` does, for the bound `needs.within` alone."""
    keep = np.ones(len(rows), dtype=bool)
    if bound is None:
        return keep, ""
    values = rows.floats("value")
    is_beyond = rows.one_of("measure", [bound.measure]) & (values > bound.at_most)
    names = rows.where(is_beyond).listed("model")
    keep = ~rows.one_of("model", set(names))
    if keep.all():
        return keep, ""
    beyond = values[is_beyond]
    ends = dict.fromkeys(f"{value:.1f}" for value in (beyond.min(), beyond.max()))
    because = bound.name.format(" to ".join(ends))
    if not is_encoder(rows)[keep].any():
        return np.zeros_like(keep), f"no network has learned enough ({because})"
    models = "a model that has" if len(set(names)) == 1 else "models that have"
    return keep, f"{models} not learned enough: {', '.join(names)} ({because})"


def _pairs(needs: Needs, rows: Rows) -> list[tuple[object, object, list]]:
    """Returns each task and data set with a score and a control, and their pairs of row numbers."""
    control = needs.beats
    if control is None:
        return []
    scores = rows.one_of("measure", [control.measure]) & needs.of_datasets(rows)
    if control.estimators:
        scores &= rows.one_of("estimator", control.estimators)
    rules = rows.one_of("measure", [control.against or control.measure])
    if control.estimator is not None:
        rules &= rows.one_of("estimator", [control.estimator])
    is_trained = ~rows.one_of("variant", UNTRAINED)
    columns = KEYS if control.estimator is not None else [*KEYS, "model"]
    of_names: dict[tuple, list[int]] = {}
    names = _names(rows, columns)
    for score in np.flatnonzero(scores & is_trained):
        of_names.setdefault(names[score], []).append(score)
    pairs: dict[tuple, list] = {}
    for rule in np.flatnonzero(rules & is_trained):
        of_rule = [(score, rule) for score in of_names.get(names[rule], [])]
        if of_rule:
            pairs.setdefault(names[rule][: len(KEYS)], []).extend(of_rule)
    return [(task, dataset, of_both) for (task, dataset), of_both in pairs.items()]


def _floors(control: Control, rows: Rows, pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Returns (score, floor) as row numbers, for each score in `pairs` that has a floor."""
    if not control.floor:
        return []
    is_floor = rows.one_of("measure", [control.measure])
    is_floor &= rows.one_of("estimator", [control.floor])
    names = _names(rows, ["model", "variant", *KEYS])
    floors = {names[row]: row for row in np.flatnonzero(is_floor)}
    return [(score, floors[names[score]]) for score in dict(pairs) if names[score] in floors]


def _names(rows: Rows, columns: list[str]) -> list[tuple]:
    """Returns each row's names in these columns, None for a missing one."""
    names = []
    for column in columns:
        listed = np.array(rows.listed(column), dtype=object)
        listed[~rows.has(column)] = None
        names.append(listed.tolist())
    return list(zip(*names, strict=True))


def _lead(
    rows: Rows, replicates: np.ndarray | Columns | None, score: int, rule: int
) -> tuple[float, float, float]:
    """Returns score minus control and the 95 % interval; without draws the difference thrice."""
    values = rows.floats("value")
    value = float(values[score] - values[rule])
    if replicates is None:
        return value, value, value
    draws = replicates[:, score].astype(float) - replicates[:, rule]
    draws = draws[~np.isnan(draws)]
    return (value, *stats.interval(draws)) if len(draws) else (value, value, value)
