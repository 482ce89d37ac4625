"""Is a task learned at all? Scores against their control, with a paired interval.

A contrast on a task that does no better than a constant label says nothing of what it contrasts.

D = draws, R = rows
"""

import numpy as np
import pandas as pd

from cwr.measures import stats
from cwr.papers.claims import STATIC, Control, Needs
from cwr.tables import matching

KEYS = ["task", "dataset"]  # in which a score and its control agree


def unlearned(
    needs: Needs, table: pd.DataFrame, replicates: np.ndarray | None
) -> tuple[np.ndarray, str]:
    """Which rows are of what beats its control, (R,) bool, and why the others are not, in a clause.

    The clause is empty where all rows stay.

    needs: those of a claim; on data sets that it does not name nothing need be learned. table:
    tidy, (R,); replicates: (D, R) or None. A task is learned if the 95 % interval of some
    score minus the control, draw by draw, lies above nought; without draws, if the difference does.
    Without a control in the table every row stays.
    A control with a bound (`Control.at_most`) keeps the rows of all models but those beyond it.
    """
    control = needs.beats
    if control is not None and control.at_most is not None:
        return _within(control, table)
    keep, reasons = np.ones(len(table), dtype=bool), []
    for task, dataset, pairs in _pairs(needs, table):
        leads = [_lead(table, replicates, score, rule) for score, rule in pairs]
        value, low, high = max(leads, key=lambda lead: lead[1])
        if low > 0:
            continue
        keep &= ~matching(table, task=task) if control.by_task else False
        name = task if control.by_task else dataset
        interval = "" if low == high else f" [{low:+.3g}, {high:+.3g}]"
        measure = control.measure.replace("_", " ")
        reasons.append(
            f"{'' if pd.isna(name) else f'{name}: '}{measure} is not above that of {control.name}, "
            f"{value:+.3g}{interval}"
        )
    return keep, f"not learned: {'; '.join(reasons)}" if reasons else ""


def _within(control: Control, table: pd.DataFrame) -> tuple[np.ndarray, str]:
    """`unlearned` for a control with a bound."""
    measured = matching(table, measure=control.measure)
    beyond = table[measured & (table["value"] > control.at_most).to_numpy(dtype=bool)]
    keep = ~table["model"].isin(beyond["model"]).to_numpy(dtype=bool)
    if keep.all():
        return keep, ""
    ends = dict.fromkeys(f"{value:.1f}" for value in (beyond["value"].min(), beyond["value"].max()))
    because = control.name.format(" to ".join(ends))
    is_encoder = table["family"].notna() & (table["family"] != STATIC)
    if not is_encoder[keep].any():
        return np.zeros_like(keep), f"no network has learned enough ({because})"
    return keep, f"not learned enough: {', '.join(beyond['model'])} ({because})"


def _pairs(needs: Needs, table: pd.DataFrame) -> list[tuple[object, object, list]]:
    """Each task and data set that has a score and a control, and the rows of both, as numbers."""
    control = needs.beats
    if control is None:
        return []
    scores = (table["measure"] == control.measure).to_numpy(dtype=bool) & needs.of_datasets(table)
    if control.estimators:
        scores = scores & table["estimator"].isin(control.estimators).to_numpy(dtype=bool)
    rules = (table["measure"] == (control.against or control.measure)).to_numpy(dtype=bool)
    if control.estimator is not None:
        rules = rules & matching(table, estimator=control.estimator)
    names = table[KEYS].astype(object).where(table[KEYS].notna(), None)
    names = list(names.itertuples(index=False, name=None))
    pairs: dict[tuple, list] = {}
    for rule in np.flatnonzero(rules):
        for score in np.flatnonzero(scores):
            is_same_model = table["model"][score] == table["model"][rule]
            if names[score] == names[rule] and (is_same_model or control.estimator is not None):
                pairs.setdefault(names[rule], []).append((score, rule))
    return [(task, dataset, rows) for (task, dataset), rows in pairs.items()]


def _lead(
    table: pd.DataFrame, replicates: np.ndarray | None, score: int, rule: int
) -> tuple[float, float, float]:
    """A score minus its control, and its 95 % interval; without draws the difference thrice."""
    value = float(table["value"].iloc[score] - table["value"].iloc[rule])
    if replicates is None:
        return value, value, value
    draws = replicates[:, score].astype(float) - replicates[:, rule]
    draws = draws[~np.isnan(draws)]
    return (value, *stats.interval(draws)) if len(draws) else (value, value, value)
