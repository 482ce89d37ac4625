"""Draws gains with their intervals: one panel per model, one line per treatment and data set."""

import matplotlib.pyplot as plt
import pandas as pd

from cwr.figures.families import panels
from cwr.figures.style import COLOURS, GREY, MARKERS, SMALL, paper_style
from cwr.tables import by_family

LINE = 0.2  # inches: the height of a line


def gains(table: pd.DataFrame, title: str, xlabel: str) -> plt.Figure:
    """Draws what treatments gain on data sets.

    table: model, family, dataset, treatment, gain, low, high; drawn in the order in which its
        treatments and data sets first stand.
    """
    treatments, sets = table["treatment"].unique(), table["dataset"].unique()
    lines = [(treatment, name) for treatment in treatments for name in (None, *sets)]
    heights = {line: -number for number, line in enumerate(lines)}
    with paper_style():
        models = by_family(table)
        fig, axes = panels(models, title)
        fig.set_figheight(-(-len(models) // 2) * (LINE * len(lines) + 0.5) + 1.5)
        for model, ax in zip(models, axes, strict=True):
            _panel(ax, table[table["model"] == model], heights)
            labels = [name or "" for _, name in lines]
            ax.set_yticks(list(heights.values()), labels, fontsize=SMALL)
            ax.tick_params(axis="y", length=0)
            ax.set_ylim(min(heights.values()) - 0.6, 0.7)
            ax.set_xlabel(xlabel, fontsize=SMALL)
            ax.margins(x=0.06)
            ax.grid(axis="x")
            ax.grid(False, axis="y")
            ax.label_outer()
    return fig


def _panel(ax: plt.Axes, rows: pd.DataFrame, heights: dict) -> None:
    """Draws the gains of one model, and above those of each treatment its name."""
    ax.axvline(0, color=GREY, linewidth=0.8, zorder=1)
    for row in rows.itertuples():
        colour = COLOURS[row.family]
        height = heights[row.treatment, row.dataset]
        ax.plot([row.low, row.high], [height] * 2, color=colour, linewidth=1.8)
        ax.plot(row.gain, height, MARKERS[row.family], color=colour, markersize=6)
    for treatment in rows["treatment"].unique():
        ax.text(
            0.01,
            heights[treatment, None],
            treatment,
            transform=ax.get_yaxis_transform(),
            fontsize=SMALL,
            fontweight="bold",
            va="center",
            bbox={"color": "white", "pad": 0.5},
        )
