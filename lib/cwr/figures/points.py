"""Draws panels of points against a line."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.lines import Line2D

from cwr.figures.finish import headline
from cwr.figures.style import COLOURS, INK, LEGEND_BELOW, paper_style

Line = tuple[list[float], list[float]]  # x values, y values


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
