"""Draws the effects of tuning: curves over layers before and after, changes by an amount."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import pandas as pd

from cwr.figures.families import panels
from cwr.figures.finish import legend_below
from cwr.figures.style import BAND, COLOURS, GREY, LINES, paper_style
from cwr.tables import where

SIGNS = "osD^v"
CHANCE = "another seed"


def before_and_after(
    table: pd.DataFrame,
    curves: Mapping[tuple[str, bool], str],
    tasks: Mapping[tuple[str, str], str],
    title: str,
    ylabel: str,
    columns: int = 3,
) -> plt.Figure:
    """Draws scores by layer with 95 % bands, a panel per task, a curve per measure.

    table: ours, of one estimator. curves: {(measure, whether its rows have a task): the name of its
        curve}.
    tasks: {(model, task): the title of its panel}. columns: of the legend.
    """
    with paper_style():
        fig, axes = panels(list(tasks.values()), title)
        for (model, task), ax in zip(tasks, axes, strict=True):
            for number, ((measure, is_of_task), label) in enumerate(curves.items()):
                keys = {"task": task} if is_of_task else {}
                rows = where(table, measure=measure, model=model, **keys).sort_values("layer")
                if len(rows):
                    _curve(ax, rows, rows["layer"].astype(float), number, label)
            ax.set_xlabel("layer")
            ax.xaxis.get_major_locator().set_params(integer=True)
        fig.supylabel(ylabel)
        legend_below(fig, axes[0], columns, BAND)
    return fig


def by_amount(
    table: pd.DataFrame,
    lines: Sequence[str],
    title: str,
    xlabel: str,
    ylabel: str,
    floors: Mapping[str, tuple[float, float]] | None = None,
) -> plt.Figure:
    """Draws changes against an amount with 95 % bands, a panel per model; 0 is marked.

    table: model, line, family, k (the amount, on a log scale that includes 0), value, low, high.
    lines: the entries of the column `line`, a curve each. floors: {model: (low, high) that chance
        alone reaches}, drawn as a hatched band.
    """
    with paper_style():
        models = list(table["model"].unique())
        sizes = sorted(table["k"].astype(int).unique())
        fig, axes = panels(models, title)
        for model, ax in zip(models, axes, strict=True):
            ax.axhline(0, color=GREY, linewidth=0.8, zorder=1)
            if floors:
                hatched = {"facecolor": "none", "edgecolor": GREY, "hatch": "////", "linewidth": 0}
                ax.axhspan(*floors[model], **hatched, alpha=0.5, label=CHANCE)
            for number, line in enumerate(lines):
                rows = table[(table["model"] == model) & (table["line"] == line)].sort_values("k")
                if len(rows):
                    _curve(ax, rows, rows["k"].astype(float), number, line)
            ax.set_xscale("symlog", linthresh=min(size for size in sizes if size))
            ax.set_xticks(sizes, [f"{size:,}" for size in sizes])
            ax.minorticks_off()
            ax.set_xlabel(xlabel)
        fig.supylabel(ylabel)
        legend_below(fig, axes[0], 2, BAND)
    return fig


def _curve(ax: plt.Axes, rows: pd.DataFrame, x: pd.Series, number: int, label: str) -> None:
    """Draws one curve with its band, in its family's colour, told apart by line and marker."""
    colour = COLOURS.get(rows["family"].iloc[0], GREY)
    ax.plot(
        x,
        rows["value"].astype(float),
        linestyle=LINES[number % len(LINES)],
        marker=SIGNS[number % len(SIGNS)],
        markersize=6,
        color=colour,
        label=label,
    )
    low, high = rows["low"].astype(float), rows["high"].astype(float)
    if len(rows) == 1:
        ax.vlines(x, low, high, color=colour)  # a band needs two points
    ax.fill_between(x, low, high, color=colour, alpha=0.12, linewidth=0)
