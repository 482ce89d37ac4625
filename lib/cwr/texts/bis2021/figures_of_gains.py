"""Draws gains with their intervals: one panel per model, one line per treatment and data set."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.lines import Line2D

from cwr.figures.families import panels
from cwr.figures.finish import interval_sign, place_legend
from cwr.figures.style import COLOURS, GREY, LYING, MARKERS, SMALL, paper_style
from cwr.tables import by_family

LINE = 0.22  # inches: the height of a line
DECIDED, OPEN = "interval excludes 0", "includes 0"


def gains(table: pd.DataFrame, title: str, xlabel: str) -> plt.Figure:
    """Draws what treatments gain on data sets: filled where the interval lies beside 0, else hollow.

    table: model, family, dataset, treatment, gain, low, high; drawn in the order in which its
        treatments and data sets first stand. Numbers stand beside what the first treatment gains.
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
        square = {"linestyle": "none", "marker": "s", "markersize": 6, "color": GREY}
        signs = [
            Line2D([], [], **square, label=DECIDED),
            Line2D([], [], **square, markerfacecolor="white", label=OPEN),
            interval_sign(LYING),
        ]
        place_legend(fig, signs, [sign.get_label() for sign in signs], columns=3)
    return fig


def _number(ax: plt.Axes, row: tuple, height: float) -> None:
    """Writes a gain beside its interval, on the side of 0."""
    end, side, shift = (row.low, "right", -5) if row.gain > 0 else (row.high, "left", 5)
    beside = {"xytext": (shift, 0), "textcoords": "offset points", "ha": side, "va": "center"}
    number = f"{row.gain:+.1f}".replace("-", "\N{MINUS SIGN}")
    ax.annotate(number, (end, height), fontsize=10, **beside)


def _panel(ax: plt.Axes, rows: pd.DataFrame, heights: dict) -> None:
    """Draws the gains of one model, and above those of each treatment its name."""
    ax.axvline(0, color=GREY, linewidth=0.8, zorder=1)
    for row in rows.itertuples():
        colour = COLOURS[row.family]
        height = heights[row.treatment, row.dataset]
        ax.plot([row.low, row.high], [height] * 2, color=colour, linewidth=1.8)
        is_decided = row.low > 0 or row.high < 0
        face = colour if is_decided else "white"
        ax.plot(
            row.gain, height, MARKERS[row.family], color=colour, markerfacecolor=face, markersize=6
        )
        if is_decided and row.treatment == rows["treatment"].iloc[0]:
            _number(ax, row, height)
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
