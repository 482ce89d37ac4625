"""Draws word similarity of X2Static and its rivals, in this run and in a longer one (Table 3)."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import pandas as pd

from cwr import figures
from cwr.estimates.distilled import MEAN, SPEARMAN
from cwr.estimates.similarity_tables import AVERAGE, scores
from cwr.estimates.teacher_rows import STATIC
from cwr.tables import where

ALIKE = "X2Static and ASE do not differ measurably"
LEFT_OUT = "ase_best_per_task"  # its mean is that of the best layer


def standing(leads: pd.DataFrame) -> str:
    """Says how X2Static stands to ASE in the mean, beyond the paired intervals.

    leads: of `similarity_tables.with_leads`.
    """
    mean = leads[leads["measure"] == MEAN]
    sides = {"above": mean["low"] > 0, "below": mean["high"] < 0}
    parts = []
    for side, differs in sides.items():
        rows = list(mean["row"][differs])
        if rows:
            verb = "is" if len(rows) == 1 else "are"
            parts.append(f"{figures.listed(rows)} {verb} {side} ASE")
    return " and ".join(parts) or ALIKE


def two_runs(
    runs: Mapping[str, pd.DataFrame], published: pd.DataFrame, title: str, xlabel: str
) -> plt.Figure:
    """Draws the mean correlation with 95 % intervals, a panel for each run, printed ones hollow.

    runs: {panel: tidy table of the run}. published: printed scores, of `similarity_tables.scores`;
        drawn in the last panel, in the lines of their kind.
    """
    kinds = set(published["estimator"]) - {LEFT_OUT}
    ours = pd.concat([_mean(table, kinds, name) for name, table in runs.items()])
    rows = {(row.estimator, row.model): row.line for row in ours.itertuples()}
    in_print = where(published, dataset=AVERAGE).assign(dataset=list(runs)[-1])
    in_print = in_print[[_has_line(row, rows) for row in in_print.itertuples()]]
    fig = figures.by_row(ours, SPEARMAN, rows, list(runs), title, xlabel, in_print)
    _share_x(fig.axes[: len(runs)])
    return fig


def _has_line(score: tuple, rows: Mapping[tuple[str, str], str]) -> bool:
    """Tells whether a printed score has a line: its own, or one of its kind with a teacher."""
    if score.estimator == STATIC:
        return (score.estimator, score.model) in rows
    return score.estimator in {estimator for estimator, _ in rows}


def _mean(table: pd.DataFrame, estimators: set[str], name: str) -> pd.DataFrame:
    """Returns the means of these estimators, with the run's name as their data set."""
    return where(scores(table, estimators), dataset=AVERAGE).assign(dataset=name)


def _share_x(axes: Sequence[plt.Axes]) -> None:
    """Gives all panels one range, and names the lines in the first panel of a row alone."""
    low, high = zip(*(ax.get_xlim() for ax in axes), strict=True)
    for ax in axes:
        ax.set_xlim(min(low), max(high))
        if not ax.get_subplotspec().is_first_col():
            ax.tick_params(labelleft=False)
