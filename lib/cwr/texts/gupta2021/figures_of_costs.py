"""Draws the cost of vectors: by several comparisons, and against the length of the text read.

A model of which only the sizes are known is drawn hollow.
"""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from cwr.figures.finish import headline, legend_below
from cwr.figures.levels import names
from cwr.figures.style import COLOURS, GREY, GRID, INK, LINES, MARKERS, SMALL, paper_style

APART = 0.2  # of a line: how far the points of two models lie from each other
Families = Mapping[str, str]  # of each model


def by_comparison(
    points: pd.DataFrame,
    families: Families,
    title: str,
    xlabel: str,
    band: tuple[float, float],
    hollow: str | None = None,
) -> plt.Figure:
    """Draws how many times dearer a vector is, a line per comparison, on a logarithmic axis.

    points: comparison, model, times; drawn in the order in which both first stand.
    families: of the models. band: shaded, what the paper says. hollow: the model of which only the
        sizes are known; its points have their numbers beside them.
    """
    names, models = points["comparison"].unique(), points["model"].unique()
    with paper_style():
        fig, ax = plt.subplots(figsize=(6.8, 0.6 * len(names) + 1.6))
        ax.axvspan(*band, color=GRID)
        middle = float(np.sqrt(band[0] * band[1]))
        foot = {"va": "bottom", "ha": "center", "fontsize": SMALL}
        ax.text(middle, 0.02, "paper", transform=ax.get_xaxis_transform(), **foot)
        for number, model in enumerate(models):
            times = points[points["model"] == model].set_index("comparison")["times"]
            height = -np.arange(len(names)) - APART * (number - (len(models) - 1) / 2)
            style = _point(families[model], model == hollow)
            ax.plot(times[names], height, linestyle="none", markersize=7, label=model, **style)
            if model == hollow:
                _tell(ax, times[names].to_numpy(), height)
        ax.set_yticks(-np.arange(len(names)), names, fontsize=SMALL)
        ax.tick_params(axis="y", length=0)
        ax.set(xscale="log", xlabel=xlabel)
        ax.grid(axis="x")
        ax.grid(False, axis="y")
        headline(fig, title)
        legend_below(fig, ax)
    return fig


def by_length(
    length: np.ndarray,
    curves: Mapping[str, np.ndarray],
    ends: Mapping[str, float],
    families: Families,
    title: str,
    hollow: str | None = None,
) -> plt.Figure:
    """Draws a relative cost against the length of a text, and where each curve comes back to one.

    length: (lengths,) pieces, on a logarithmic axis. curves: (lengths,) of each model. ends: the
    length at which a model's cost is one again, of the models that have one. families, hollow: as
    `by_comparison`.
    """
    with paper_style():
        fig, ax = plt.subplots(figsize=(6.8, 3.8))
        ax.axhline(1, color=GREY, linestyle="--", linewidth=1.1)
        heights = {}
        for number, (model, cost) in enumerate(curves.items()):
            style = _point(families[model], model == hollow)
            colour, dashes = style["color"], LINES[number % len(LINES)]
            ax.plot(length, cost, linestyle=dashes, color=colour, label=model)
            name = f"{model}: never"
            if model in ends:
                ax.plot(ends[model], 1, markersize=7, **style)
                name = f"{model}: up to {ends[model]:.0f}"
            heights[name] = (cost[-1], colour)
        ax.set(
            xscale="log", xlabel="pieces of the text", ylabel="cost of a piece\n(of a sentence: 1)"
        )
        ticks = [10, 30, 100, 300, 1000]
        ax.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
        ax.minorticks_off()
        names(ax, heights)
        headline(fig, title)
    return fig


def _tell(ax: plt.Axes, times: np.ndarray, heights: np.ndarray) -> None:
    """Writes each number of times to the left of its point."""
    for value, height in zip(times, heights, strict=True):
        text = f"{value / 1e6:.2g} million" if value >= 1e6 else f"{value:,.0f}"
        ax.annotate(
            text,
            (value, height),
            xytext=(-8, 0),
            textcoords="offset points",
            ha="right",
            va="center",
            fontsize=SMALL,
        )


def _point(family: str, is_hollow: bool) -> dict[str, object]:
    """The style of a model's points."""
    colour = COLOURS[family]
    return {
        "color": colour,
        "marker": MARKERS[family],
        "markerfacecolor": "white" if is_hollow else colour,
        "markeredgecolor": INK if is_hollow else colour,
    }
