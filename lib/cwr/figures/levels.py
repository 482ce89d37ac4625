"""Draws dashed lines across a panel: scores without layers, each named beside the panel."""

from collections.abc import Mapping
from itertools import cycle
from operator import itemgetter

import matplotlib.pyplot as plt
import pandas as pd

from cwr.figures import layers
from cwr.figures.families import signs_of_copies
from cwr.figures.finish import headline, place_legend
from cwr.figures.layers import by_layer
from cwr.figures.points import DARK_GREY
from cwr.figures.style import GREY, paper_style

DASHES = ((0, (6, 2)), (0, (2, 2)))  # long, short
LABEL_SHARE = 0.062  # of the axis: the least distance between two names


def levels(ax: plt.Axes, scores: Mapping[str, float]) -> None:
    """Draws scores as dashed lines, named right of the panel without overlap.

    scores: {name: value}. The axis is widened first, so that all of them lie on it.
    """
    bottom, top = ax.get_ylim()
    bottom, top = min(bottom, *scores.values()), max(top, *scores.values())
    ax.set_ylim(bottom, top)
    height = bottom
    for name, value in sorted(scores.items(), key=itemgetter(1)):
        ax.axhline(value, color=GREY, linestyle="--", linewidth=1, zorder=1)
        ax.annotate(
            name,
            (1, value),
            xycoords=("axes fraction", "data"),
            xytext=(1.03, max(height, value)),
            textcoords=("axes fraction", "data"),
            va="center",
            arrowprops={"arrowstyle": "-", "color": GREY, "linewidth": 0.8, "shrinkB": 0},
            fontsize=10,
            color=DARK_GREY,
        )
        height = max(height, value) + LABEL_SHARE * (top - bottom)


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
    longer: pd.DataFrame | None = None,
) -> plt.Figure:
    """Draws a measure against the relative depth in one panel, with `levels` across it.

    table, published, untrained: tidy, each with the rows of y for one data set and estimator.
        longer: likewise, from a longer run, drawn as crosses. scores: the levels, {name: value}.
    """
    with paper_style():
        fig, ax = plt.subplots(figsize=(6.8, 4.6))
        by_layer(ax, table, y, published, relative=True)
        if untrained is not None:
            layers.untrained(ax, untrained, y)
            for sign in signs_of_copies(untrained):
                ax.add_line(sign)  # for the legend
        if longer is not None:
            layers.longer(ax, longer, y)
        levels(ax, scores)
        ax.set_ylabel(ylabel)
        headline(fig, title)
        place_legend(fig, *ax.get_legend_handles_labels(), columns=2)
    return fig
