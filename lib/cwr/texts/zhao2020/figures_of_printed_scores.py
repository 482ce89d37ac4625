"""Draws printed scores by layer, beside scores without a layer and levels to read them by."""

import matplotlib.pyplot as plt
import pandas as pd

from cwr.figures.finish import headline
from cwr.figures.layers import by_layer
from cwr.figures.style import (
    COLOURS,
    DARK_GREY,
    GREY,
    INK,
    MARKERS,
    PUBLISHED,
    SHADE,
    paper_style,
)

LABEL_STEP = 0.08  # of a score: the least distance between two labels
PLACE, ROOM = -0.07, -0.4  # of the depth: where scores without a layer stand, where the axis begins
NUMBERED = 4  # of the axis of layers: as many parts of it are numbered, more would collide

Level = tuple[float, str]  # value, label


def beside_layers(
    published: pd.DataFrame,
    measure: str,
    scores: pd.DataFrame,
    levels: list[Level],
    ylabel: str,
    texts: tuple[str, str, str],
) -> plt.Figure:
    """Draws published curves over layers, with named scores at their left and levels.

    published: a tidy table; its rows of the measure are the curves. scores: scores without a layer,
        with the columns family, value and `label`, one point per row. levels: (value, label).
    texts: the title, the line below it, and the name of the scores' place on the axis of layers.
        The y-axis is that of a score between 0 and 1.
    """
    title, below, beside = texts
    first, last = published.loc[published["measure"] == measure, "layer"].agg(["min", "max"])
    step = max(1, int(last) // NUMBERED)
    ticks = sorted({int(first), *range(step, int(last) + 1, step)})
    with paper_style():
        fig, ax = plt.subplots(figsize=(6.8, 5.8))  # on a phone, too, names keep apart
        _dashed(ax, levels, last)
        by_layer(ax, None, measure, published=published)
        _name_curves(ax)
        _named_points(ax, scores, PLACE * last)
        ax.set(ylabel=ylabel, ylim=(0, 1.04), xlim=(ROOM * last, last + 0.5))
        ax.set_title(below, fontsize=11.5)
        ax.set_xticks([PLACE * last, *ticks], [beside, *map(str, ticks)])
        ax.set_xlabel("layer (1 = output of the first block; the paper's layer 0)")
        headline(fig, title)
    return fig


def _dashed(ax: plt.Axes, levels: list[Level], last: float) -> None:
    """Draws dashed horizontal lines, each with its label at its right end, below it or, if low, above."""
    for level, label in levels:
        ax.axhline(level, color=GREY, linestyle="--", linewidth=1.1)
        down, va = (0.012, "top") if level > LABEL_STEP else (-0.012, "bottom")
        ax.text(last + 0.4, level - down, label, ha="right", va=va, fontsize=10.5, color=DARK_GREY)


def _name_curves(ax: plt.Axes) -> None:
    """Writes the model of each published curve below its last point."""
    for line in ax.lines:
        if line.get_label().endswith(PUBLISHED):
            ax.annotate(
                line.get_label().removesuffix(PUBLISHED),
                line.get_xydata()[-1],
                xytext=(6, -12),
                textcoords="offset points",
                ha="right",
                va="top",
                fontsize=10.5,
            )


def _named_points(ax: plt.Axes, scores: pd.DataFrame, place: float) -> None:
    """Draws hollow points left of the layers, each with its label; labels keep apart."""
    height = -1.0
    for row in scores.sort_values("value").itertuples():
        family = row.family if isinstance(row.family, str) else None
        ax.plot(
            place,
            row.value,
            linestyle="none",
            marker=MARKERS.get(family, "x"),
            markersize=6,
            markerfacecolor=COLOURS.get(family, GREY) + SHADE,
            markeredgecolor=INK,
        )
        height = max(height + LABEL_STEP, row.value - LABEL_STEP / 2)
        ax.text(
            place - 0.3,
            height,
            row.label,
            fontsize=10.5,
            va="center",
            ha="right",
            bbox={"color": "white", "pad": 0.5},
        )
