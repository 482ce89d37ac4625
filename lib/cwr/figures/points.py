"""Draws panels of points: against a line, and beside published curves."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.lines import Line2D

from cwr.figures.finish import headline
from cwr.figures.layers import by_layer
from cwr.figures.style import (
    COLOURS,
    GREY,
    INK,
    LEGEND_BELOW,
    MARKERS,
    PUBLISHED,
    SHADE,
    paper_style,
)

DARK_GREY = "#5A5A5A"  # GREY is too light for small text
LABEL_STEP = 0.07  # of a score: the least distance between two labels
NO_LAYER = -0.8  # where scores without a layer stand on the axis of layers
TICKS = (1, 3, 6, 9, 12)  # layers that are numbered: on a phone more would collide

Line = tuple[list[float], list[float]]  # x values, y values
Level = tuple[float, str]  # value, label


def below_a_line(
    panels: dict[str, tuple[pd.DataFrame, Line]],
    x: str,
    y: str,
    labels: tuple[str, str, str],
    title: str,
) -> plt.Figure:
    """Draws panels of points and a line, two per row: triangles below it, else hollow circles.

    panels: {name: (points, line)}: points have the columns x, y and `below` (bool); line is (x
        values, y values). labels: of the two axes, and of the line; a legend also names the marks.
    """
    with paper_style():
        size = (6.8, 1.4 * len(panels))
        fig, axes = plt.subplots(len(panels) // 2, 2, figsize=size, squeeze=False)
        for ax, (name, (points, line)) in zip(axes.flat, panels.items(), strict=True):
            below = points["below"]
            (drawn,) = ax.plot(*line, color=INK, linewidth=1.4)
            filled = _scatter(ax, points.loc[below, [x, y]], "v", COLOURS["causal"])
            hollow = _scatter(ax, points.loc[~below, [x, y]], "o", "none")
            ax.set_title(f"{name}: {int(below.sum())} of {len(points)} below", fontsize=12)
        for ax in axes[-1]:
            ax.set_xlabel(labels[0])
        for ax in axes[:, 0]:
            ax.set_ylabel(labels[1])
        headline(fig, title)
        names = [labels[2], "below the line", "not below it"]
        fig.legend([drawn, filled, hollow], names, ncols=3, **LEGEND_BELOW)
    return fig


def _scatter(ax: plt.Axes, points: pd.DataFrame, marker: str, face: str) -> Line2D:
    """Draws points of two columns, x and y."""
    x, y = points.columns
    (drawn,) = ax.plot(
        points[x],
        points[y],
        linestyle="none",
        marker=marker,
        markersize=6,
        markerfacecolor=face,
        markeredgecolor=INK,
        markeredgewidth=0.8,
    )
    return drawn


def beside_layers(
    panels: dict[str, tuple[str, pd.DataFrame, list[Level]]],
    published: pd.DataFrame,
    ylabel: str,
    title: str,
    beside: str,
) -> plt.Figure:
    """Draws panels of published curves over 12 layers, with named scores at their left and levels.

    panels: {name: (measure, scores, levels)}: scores without a layer have the columns family, value
        and `label`, one point per row; levels: (value, label).
    beside: names the place of these scores on the axis of layers.
    published: a tidy table of the curves. The y-axis is that of a score between 0 and 1.
    """
    with paper_style():
        size = (6.8, 5.2 * len(panels))  # on a phone, too, names keep apart
        shape = {"figsize": size, "sharex": True, "sharey": True, "squeeze": False}
        fig, grid = plt.subplots(len(panels), 1, **shape)
        axes = grid[:, 0]
        for ax, (name, (measure, scores, levels)) in zip(axes, panels.items(), strict=True):
            _dashed(ax, levels)
            by_layer(ax, published[:0], measure, published=published)
            _name_curves(ax)
            _named_points(ax, scores)
            ax.set(xlabel="", ylabel=ylabel, ylim=(0, 1.04), xlim=(-5, 12.5))
            ax.text(-4.9, 1.06, name, fontsize=11.5)
        axes[-1].set_xticks([NO_LAYER, *TICKS], [beside, *map(str, TICKS)])
        axes[-1].set_xlabel("layer (1 = output of the first block; the paper's layer 0)")
        headline(fig, title)
    return fig


def _dashed(ax: plt.Axes, levels: list[Level]) -> None:
    """Draws dashed horizontal lines, each with its label at its right end, below it or, if low, above."""
    for level, label in levels:
        ax.axhline(level, color=GREY, linestyle="--", linewidth=1.1)
        down, va = (0.012, "top") if level > LABEL_STEP else (-0.012, "bottom")
        ax.text(12.4, level - down, label, ha="right", va=va, fontsize=10.5, color=DARK_GREY)


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


def _named_points(ax: plt.Axes, scores: pd.DataFrame) -> None:
    """Draws hollow points left of the layers, each with its label; labels keep apart."""
    height = -1.0
    for row in scores.sort_values("value").itertuples():
        family = row.family if isinstance(row.family, str) else None
        ax.plot(
            NO_LAYER,
            row.value,
            linestyle="none",
            marker=MARKERS.get(family, "x"),
            markersize=6,
            markerfacecolor=COLOURS.get(family, GREY) + SHADE,
            markeredgecolor=INK,
        )
        height = max(height + LABEL_STEP, row.value - 0.02)
        ax.text(
            NO_LAYER - 0.3,
            height,
            row.label,
            fontsize=10.5,
            va="center",
            ha="right",
            bbox={"color": "white", "pad": 0.5},
        )
