"""Draws points with intervals over categories, and heat maps, with seaborn.

seaborn takes a second to import, so a function imports it when it draws.
"""

import matplotlib.pyplot as plt
import pandas as pd

from cwr.figures.families import mark, panels
from cwr.figures.finish import headline
from cwr.figures.layers import curves
from cwr.figures.style import COLOURS, MARKERS, paper_style
from cwr.tables import where

SPACE = 0.1  # between the points of two categories, of their distance


def by_category(
    table: pd.DataFrame,
    y: str,
    column: str,
    order: list[str],
    title: str,
    ylabel: str,
    level: float | None = None,
) -> plt.Figure:
    """Draws a measure by the values of a key column, a panel per model, two a row.

    Within a category the model's layers stand from left to right, each a point with its 95 %
    interval. table: ours. column: the key column. order: its values, as they are drawn.
    level: a value to mark, dashed; 0 is marked by a thin line.
    """
    from seaborn import objects as so

    with paper_style():
        models = dict(key for key, _ in curves(table, y))  # {model: family}
        fig, axes = panels(list(models), title)
        for (model, family), ax in zip(models.items(), axes, strict=True):
            rows = where(table, measure=y, model=model).sort_values("layer")
            rows = rows.astype({"layer": str, "value": float, "low": float, "high": float})
            sign = {"color": COLOURS[family]}
            side_by_side = so.Dodge(gap=SPACE)
            plot = so.Plot(rows, x=column, y="value", ymin="low", ymax="high", group="layer")
            plot = plot.add(so.Range(**sign, linewidth=2), side_by_side)
            plot = plot.add(so.Dot(**sign, marker=MARKERS[family], pointsize=5), side_by_side)
            plot.scale(x=so.Nominal(order=order)).on(ax).plot()
            ax.set(xlabel="", ylabel="")
            ax.label_outer()
            mark(ax, level)
        fig.supxlabel(f"{column}; within it, the layers from low to high")
        fig.supylabel(ylabel)
    return fig


def heat_map(values: pd.DataFrame, title: str, label: str, xlabel: str) -> plt.Figure:
    """Draws a table of numbers as coloured cells with the numbers in them.

    values: rows and columns labelled; the colours are a sequential map. label: of the colour bar.
    """
    from seaborn import heatmap

    with paper_style():
        height = 1.4 + 0.4 * len(values)
        fig, ax = plt.subplots(figsize=(6.8, height))
        heatmap(values, ax=ax, annot=True, fmt=".2f", cmap="viridis", cbar_kws={"label": label})
        ax.set(xlabel=xlabel, ylabel="")
        headline(fig, title)
        ax.tick_params(length=0, rotation=0)
        ax.grid(False)
    return fig
