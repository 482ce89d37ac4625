"""Draws measures along a model's training against the number of words read."""

import matplotlib.pyplot as plt
import pandas as pd

from cwr.figures.style import COLOURS, LINES, MARKERS
from cwr.tables import where


def by_words(
    ax: plt.Axes, table: pd.DataFrame, y: str, labels: str = "model", **keys: object
) -> None:
    """Draws a measure along training against the words read, on a logarithmic axis.

    table: model, family, words, measure, value. y: the measure. labels: the column that names the
        lines; lines are in their family's colour. keys: further key columns, as in `by_layer`. A
        value before the first word is drawn at the left end.
    """
    lines = where(table, measure=y, **keys).groupby(labels, sort=False)
    for number, (label, rows) in enumerate(lines):
        family = rows["family"].iloc[0]
        rows = rows.sort_values("words")
        style = LINES[0] if labels == "model" else LINES[number % len(LINES)]
        ax.plot(
            _on_log_axis(rows["words"]),
            rows["value"],
            linestyle=style,
            color=COLOURS[family],
            marker=MARKERS[family],
            markersize=4,
            label=str(label),
        )
    ax.set_xscale("log")
    ax.set_xlabel("words read")


def _on_log_axis(words: pd.Series) -> pd.Series:
    """Replaces 0 by a third of the smallest positive number."""
    return words.clip(lower=words[words > 0].min() / 3)
