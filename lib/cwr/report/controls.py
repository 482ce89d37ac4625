"""Tests whether a task is learned: compares scores with their control, with paired intervals.

A contrast on a task on which no score beats a constant label tells nothing about what it contrasts.

D = draws, R = rows
"""

import numpy as np
import pandas as pd

from cwr.measures import stats
from cwr.papers.claims import STATIC, Bound, Control, Needs
from cwr.report.columns import Columns
from cwr.tables import UNTRAINED, matching

KEYS = ["task", "dataset"]  # in which a score and its control agree


def unlearned(
    needs: Needs, table: pd.DataFrame, replicates: np.ndarray | Columns | None
) -> tuple[np.ndarray, str]:
    """Tests which rows beat their control; returns the rows to keep, (R,) bool, and a reason.

    The reason says, in a clause, why the other rows do not stay; it is empty if all stay.

    needs: the needs of a claim; on a data set that they do not name nothing need be learned. table:
        tidy, (R,). replicates: (D, R) or None.
    A task is learned if the 95 % interval of some score minus its control lies above 0, unless the
    interval of every score minus its floor lies below 0. Without draws the differences decide.
    Scores of untrained copies do not count. Without a control in the table every row stays. Models
    beyond `needs.within` are dropped first; the rest must then be tested by another call.
    """
    keep, because = _within(needs.within, table)
    if because:
        return keep, because
    control, reasons = needs.beats, []
    for task, dataset, pairs in _pairs(needs, table):
        leads = [_lead(table, replicates, score, rule) for score, rule in pairs]
        lead = max(leads, key=lambda lead: lead[1])
        fault = "" if lead[1] > 0 else f"not above that of {control.name}"
        over_floor = [_lead(table, replicates, *pair) for pair in _floors(control, table, pairs)]
        if not fault and over_floor and max(high for _, _, high in over_floor) < 0:
            lead = max(over_floor, key=lambda lead: lead[2])
            fault = f"below that of {control.floor} alone, which it reads too"
        if fault:
            keep &= ~matching(table, task=task) if control.by_task else False
            reasons.append(_reason(control, task if control.by_task else dataset, fault, lead))
    return keep, f"not learned: {'; '.join(reasons)}" if reasons else ""


def _reason(control: Control, name: object, fault: str, lead: tuple[float, float, float]) -> str:
    """Returns a clause on the fault of a task's or data set's scores, with their lead."""
    value, low, high = lead
    interval = "" if low == high else f" [{low:+.3g}, {high:+.3g}]"
    of = "" if pd.isna(name) else f"{name}: "
    return f"{of}{control.measure.replace('_', ' ')} is {fault}, {value:+.3g}{interval}"


def _within(bound: Bound | None, table: pd.DataFrame) -> tuple[np.ndarray, str]:
    """Returns the answer of `unlearned` for a bound alone."""
    keep = np.ones(len(table), dtype=bool)
    if bound is None:
        return keep, ""
    measured = matching(table, measure=bound.measure)
    beyond = table[measured & (table["value"] > bound.at_most).to_numpy(dtype=bool)]
    keep = ~table["model"].isin(beyond["model"]).to_numpy(dtype=bool)
    if keep.all():
        return keep, ""
    ends = dict.fromkeys(f"{value:.1f}" for value in (beyond["value"].min(), beyond["value"].max()))
    because = bound.name.format(" to ".join(ends))
    is_encoder = table["family"].notna() & (table["family"] != STATIC)
    if not is_encoder[keep].any():
        return np.zeros_like(keep), f"no network has learned enough ({because})"
    return keep, f"not learned enough: {', '.join(beyond['model'])} ({because})"


def _pairs(needs: Needs, table: pd.DataFrame) -> list[tuple[object, object, list]]:
    """Returns each task and data set with a score and a control, and their pairs of row numbers."""
    control = needs.beats
    if control is None:
        return []
    scores = (table["measure"] == control.measure).to_numpy(dtype=bool) & needs.of_datasets(table)
    if control.estimators:
        scores = scores & table["estimator"].isin(control.estimators).to_numpy(dtype=bool)
    rules = (table["measure"] == (control.against or control.measure)).to_numpy(dtype=bool)
    if control.estimator is not None:
        rules = rules & matching(table, estimator=control.estimator)
    is_trained = ~table["variant"].isin(UNTRAINED).to_numpy(dtype=bool)
    scores, rules = scores & is_trained, rules & is_trained
    names = _names(table, KEYS)
    pairs: dict[tuple, list] = {}
    for rule in np.flatnonzero(rules):
        for score in np.flatnonzero(scores):
            is_same_model = table["model"][score] == table["model"][rule]
            if names[score] == names[rule] and (is_same_model or control.estimator is not None):
                pairs.setdefault(names[rule], []).append((score, rule))
    return [(task, dataset, rows) for (task, dataset), rows in pairs.items()]


def _floors(
    control: Control, table: pd.DataFrame, pairs: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Returns (score, floor) as row numbers, for each score in `pairs` that has a floor."""
    if not control.floor:
        return []
    is_floor = matching(table, measure=control.measure, estimator=control.floor)
    names = _names(table, ["model", "variant", *KEYS])
    floors = {names[row]: row for row in np.flatnonzero(is_floor)}
    return [(score, floors[names[score]]) for score in dict(pairs) if names[score] in floors]


def _names(table: pd.DataFrame, columns: list[str]) -> list[tuple]:
    """Returns each row's names in these columns, None for a missing one."""
    names = table[columns].astype(object).where(table[columns].notna(), None)
    return list(names.itertuples(index=False, name=None))


def _lead(
    table: pd.DataFrame, replicates: np.ndarray | Columns | None, score: int, rule: int
) -> tuple[float, float, float]:
    """Returns score minus control and the 95 % interval; without draws the difference thrice."""
    value = float(table["value"].iloc[score] - table["value"].iloc[rule])
    if replicates is None:
        return value, value, value
    draws = replicates[:, score].astype(float) - replicates[:, rule]
    draws = draws[~np.isnan(draws)]
    return (value, *stats.interval(draws)) if len(draws) else (value, value, value)
