"""Draws the cost of vectors: by several comparisons, and against the length of the text read.

A model of which only the sizes are known is drawn hollow.
"""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from cwr.figures.finish import headline, legend_below
from cwr.figures.style import COLOURS, GREY, GRID, INK, LINES, MARKERS, SMALL, paper_style

SPREAD = 0.8  # of a line: the height that the points of all models share
DEAREST = 1.2  # the largest relative cost shown: savings are a few hundredths
ROOM = 0.05  # of a relative cost, below the cheapest length
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
    apart = SPREAD / len(models)
    with paper_style():
        fig, ax = plt.subplots(figsize=(6.8, 0.8 * len(names) + 1.6))
        ax.axvspan(*band, color=GRID)
        middle = float(np.sqrt(band[0] * band[1]))
        foot = {"va": "bottom", "ha": "center", "fontsize": SMALL}
        ax.text(middle, 0.02, "paper", transform=ax.get_xaxis_transform(), **foot)
        for number, model in enumerate(models):
            times = points[points["model"] == model].set_index("comparison")["times"]
            height = -np.arange(len(names)) - apart * (number - (len(models) - 1) / 2)
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
    sentence: float,
    ends: Mapping[str, float],
    families: Families,
    title: str,
    hollow: str | None = None,
) -> plt.Figure:
    """Draws a relative cost against the length of a text, and where each curve comes back to one.

    length: (lengths,) pieces, on a logarithmic axis. curves: (lengths,) of each model. sentence: the
    length from which the axis starts, and at which the cost is one. ends: the length at which a
    model's cost is one again, of the models that have one. families, hollow: as `by_comparison`.
    """
    cheapest = min(cost[length >= sentence].min() for cost in curves.values())
    with paper_style():
        fig, ax = plt.subplots(figsize=(6.8, 4.6))
        ax.axhline(1, color=GREY, linestyle="--", linewidth=1.1)
        ax.axhspan(cheapest - ROOM, 1, color=GRID)
        foot = {"transform": ax.get_yaxis_transform(), "ha": "right", "fontsize": SMALL}
        ax.text(0.99, cheapest - 0.9 * ROOM, "cheaper than in sentences", va="bottom", **foot)
        for number, (model, cost) in enumerate(curves.items()):
            style = _point(families[model], model == hollow)
            colour, dashes = style["color"], LINES[number % len(LINES)]
            (line,) = ax.plot(length, cost, linestyle=dashes, color=colour)
            line.set_label(f"{model}: never cheaper")
            if model in ends:
                ax.plot(ends[model], 1, markersize=7, **style)
                line.set_label(f"{model}: cheaper up to {ends[model]:.0f}")
        xlabel = f"pieces of the text ({sentence:.0f}: the mean sentence)"
        ax.set(xscale="log", xlabel=xlabel, ylabel="cost relative to sentences")
        ticks = [tick for tick in (50, 100, 200, 500, 1000) if tick > 1.2 * sentence]
        ax.set_xticks([sentence, *ticks], [f"{sentence:.0f}", *(f"{tick:,}" for tick in ticks)])
        ax.minorticks_off()
        ax.set(xlim=(sentence, length[-1]), ylim=(cheapest - ROOM, DEAREST))
        headline(fig, title)
        legend_below(fig, ax, columns=2)
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
