"""Draws dashed lines across a panel, scores without layers; names stand beside the panel."""

from collections.abc import Mapping
from itertools import cycle
from operator import itemgetter

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.lines import Line2D

from cwr.figures import layers
from cwr.figures.families import signs_of_copies
from cwr.figures.finish import cover, headline, interval_sign, place_legend
from cwr.figures.layers import by_layer
from cwr.figures.style import BAND, DARK_GREY, GREY, PUBLISHED, paper_style

DASHES = ((0, (6, 2)), (0, (2, 2)))  # long, short
LEADER = {"arrowstyle": "-", "color": GREY, "linewidth": 0.8, "shrinkB": 0, "relpos": (0, 0.5)}
LABEL_SHARE = 0.062  # of the axis: the least distance between two names


def levels(ax: plt.Axes, scores: Mapping[str, float]) -> None:
    """Draws scores as dashed lines, named right of the panel without overlap.

    scores: {name: value}. The axis is widened first, so that all of them lie on it.
    """
    _across(ax, scores)
    names(ax, {name: (value, DARK_GREY) for name, value in scores.items()})


def _across(ax: plt.Axes, scores: Mapping[str, float]) -> None:
    """Draws scores as dashed lines on an axis that is widened for them."""
    cover(ax, min(scores.values()), max(scores.values()))
    for value in sorted(scores.values()):
        ax.axhline(value, color=GREY, linestyle="--", linewidth=1, zorder=1)


def names(ax: plt.Axes, heights: Mapping[str, tuple[float, str]]) -> None:
    """Writes names right of a panel, each at its height on the axis; names keep apart.

    heights: {name: (height, colour)}.
    """
    bottom, top = ax.get_ylim()
    free = bottom
    for name, (value, colour) in sorted(heights.items(), key=itemgetter(1)):
        free = max(free, value)
        ax.annotate(
            name,
            (1, value),
            xycoords=("axes fraction", "data"),
            xytext=(1.03, free),
            textcoords=("axes fraction", "data"),
            va="center",
            arrowprops=LEADER,
            fontsize=10,
            color=colour,
        )
        free += LABEL_SHARE * (top - bottom)


def across(ax: plt.Axes, levels: pd.DataFrame, upright: bool = False) -> None:
    """Draws levels as lines in alternating dashes, with their names for the legend.

    levels: name and value, one row per name at most. upright: for a panel whose values lie along x.
    """
    line = ax.axvline if upright else ax.axhline
    for (name, value), dash in zip(levels[["name", "value"]].to_numpy(), cycle(DASHES)):
        line(value, color=DARK_GREY, linestyle=dash, linewidth=1.2, zorder=1, label=name)


def beside_levels(
    table: pd.DataFrame,
    y: str,
    scores: Mapping[str, float],
    title: str,
    ylabel: str,
    published: pd.DataFrame | None = None,
    untrained: pd.DataFrame | None = None,
) -> plt.Figure:
    """Draws a measure against the relative depth, with `levels` across it; all are named at the right.

    table, published, untrained: tidy, each with the rows of y for one data set and estimator.
        scores: {name: value} of the levels.
    """
    with paper_style():
        fig, ax = plt.subplots(figsize=(6.8, 4.6))
        by_layer(ax, table, y, published, relative=True)
        ax.set(ylabel=ylabel)
        heights = {line.get_label(): _end(line) for line in _curves(ax)}
        hollow = [line for line in ax.lines if line.get_label().endswith(PUBLISHED)]
        if untrained is not None:
            layers.untrained(ax, untrained, y)
        _across(ax, scores)
        names(ax, heights | {name: (value, DARK_GREY) for name, value in scores.items()})
        headline(fig, title)
        band = interval_sign(BAND, trained=untrained is not None)
        signs = [*hollow, *signs_of_copies(untrained), band]
        place_legend(fig, signs, [sign.get_label() for sign in signs], columns=2)
    return fig


def _curves(ax: plt.Axes) -> list[Line2D]:
    """Returns the lines of our models; published points have no line."""
    return [line for line in ax.lines if line.get_linestyle() != "None"]


def _end(curve: Line2D) -> tuple[float, str]:
    """Returns the height at which a curve ends, and its colour."""
    return float(curve.get_ydata()[-1]), curve.get_color()
