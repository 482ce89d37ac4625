"""Draws gains with their intervals: one panel per model, one line per data set and treatment."""

import matplotlib.pyplot as plt
import pandas as pd

from cwr.figures.families import panels
from cwr.figures.finish import legend_below
from cwr.figures.style import COLOURS, GREY, INK, MARKERS, SMALL, paper_style
from cwr.tables import by_family

LINE = 0.2  # inches: the height of a line
APART = 0.17  # of a line: how far a point lies from the middle
FILLED = {"cosine": True, "inner": False}
LABELS = {"cosine": "cosine", "inner": "inner product"}


def gains(table: pd.DataFrame, title: str, xlabel: str) -> plt.Figure:
    """Draws the gains of treatments on data sets: by cosine filled, by inner product hollow.

    table: model, family, dataset, treatment, estimator ("cosine" or "inner"), gain, low, high, n;
        drawn in the order in which its data sets and treatments first stand.
    """
    treatments, sets = table["treatment"].unique(), table["dataset"].unique()
    lines = [(name, treatment) for name in sets for treatment in (None, *treatments)]
    heights = {line: -number for number, line in enumerate(lines)}
    with paper_style():
        models = by_family(table)
        fig, axes = panels(models, title)
        fig.set_figheight(-(-len(models) // 2) * (LINE * len(lines) + 0.5) + 1.5)
        for model, ax in zip(models, axes, strict=True):
            _panel(ax, table[table["model"] == model], heights)
            labels = [treatment or "" for _, treatment in lines]
            ax.set_yticks(list(heights.values()), labels, fontsize=SMALL)
            ax.tick_params(axis="y", length=0)
            ax.set_ylim(min(heights.values()) - 0.6, 0.7)
            ax.set_xlabel(xlabel, fontsize=SMALL)
            ax.grid(axis="x")
            ax.grid(False, axis="y")
        _legend(axes[0])
        legend_below(fig, axes[0])
    return fig


def _panel(ax: plt.Axes, rows: pd.DataFrame, heights: dict) -> None:
    """The gains of one model, and above those of each data set its name and number of pairs."""
    ax.axvline(0, color=GREY, linewidth=0.8, zorder=1)
    for row in rows.itertuples():
        colour = COLOURS[row.family]
        is_filled = FILLED[row.estimator]
        height = heights[row.dataset, row.treatment] + (APART if is_filled else -APART)
        ax.plot([row.low, row.high], [height] * 2, color=colour, linewidth=1.6)
        ax.plot(
            row.gain,
            height,
            MARKERS[row.family],
            color=colour,
            markerfacecolor=colour if is_filled else "white",
            markersize=5,
        )
    for name, n in rows.groupby("dataset", sort=False)["n"].first().items():
        ax.text(
            0.01,
            heights[name, None],
            f"{name}: {n:,} pairs",
            transform=ax.get_yaxis_transform(),
            fontsize=SMALL,
            fontweight="bold",
            va="center",
            bbox={"color": "white", "pad": 0.5},
        )


def _legend(ax: plt.Axes) -> None:
    """Entries for both products, in no family's colour."""
    for product, is_filled in FILLED.items():
        face = INK if is_filled else "white"
        ax.plot([], [], "o", color=INK, markerfacecolor=face, markersize=5, label=LABELS[product])
