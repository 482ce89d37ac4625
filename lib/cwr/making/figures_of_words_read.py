"""Draws measures along a model's training against the number of words read."""

import matplotlib.pyplot as plt
import pandas as pd

from cwr.figures.style import COLOURS, LINES, MARKERS, RING
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


def mark_halves(ax: plt.Axes, halves: pd.DataFrame) -> None:
    """Rings the points of `along_training.half_ways`; a line leads from each down to its words."""
    ax.plot(halves["words"], halves["heldout"], **RING, label="half of the gain", gid="bilstm")
    bottom = ax.get_ylim()[0]
    for number, row in enumerate(halves.sort_values("words").itertuples()):
        colour, height = COLOURS[row.family], 4 + 14 * (number % 2)  # neighbours keep apart
        ax.vlines(row.words, bottom, row.heldout, color=colour, linestyle=":", linewidth=1.2)
        beside = {"xytext": (-4, height), "textcoords": "offset points", "ha": "right"}
        ax.annotate(row.told, (row.words, bottom), fontsize=10, color=colour, **beside)
    ax.set_ylim(bottom=bottom)


def _on_log_axis(words: pd.Series) -> pd.Series:
    """Replaces 0 by a third of the smallest positive number."""
    return words.clip(lower=words[words > 0].min() / 3)
