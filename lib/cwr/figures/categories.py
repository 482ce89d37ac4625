"""Draws a measure by category, with all layers of a model in each, and heat maps."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from cwr.figures.families import mark_zero, panels
from cwr.figures.finish import headline
from cwr.figures.layers import curves_by_model
from cwr.figures.style import COLOURS, GREY, MARKERS, paper_style
from cwr.tables import where

WIDTH = 0.7  # of a category's layers, of the distance between two categories


def by_category(
    table: pd.DataFrame,
    y: str,
    column: str,
    order: list[str],
    title: str,
    ylabel: str,
    level: float | None = None,
) -> plt.Figure:
    """Draws a measure by the values of a key column, a panel per model, two per row.

    In each category stand the model's layers, from first to last, each a point with its 95 %
    interval; small numbers below name these two layers. table: our results. column: the key column.
    order: its values, from left to right. level: a value to mark, dashed; 0 has a thin line.
    """
    with paper_style():
        models = dict(key for key, _ in curves_by_model(table, y))  # {model: family}
        fig, axes = panels(list(models), title, sharex=False, spread=True)
        for (model, family), ax in zip(models.items(), axes, strict=True):
            ends = {}
            for place, category in enumerate(order):
                rows = where(table, measure=y, model=model, **{column: category})
                ends |= _course(ax, rows.sort_values("layer"), place, family)
            ax.set_xticks(range(len(order)), order)
            ax.set_xticks(list(ends), [f"{layer:g}" for layer in ends.values()], minor=True)
            ax.tick_params(axis="x", which="major", length=0, pad=16)
            ax.tick_params(axis="x", which="minor", labelsize=9, labelcolor=GREY)
            ax.set_xlim(-0.5, len(order) - 0.5)
            mark_zero(ax, level)
        fig.supxlabel(f"{column}; in small print the first and the last layer")
        fig.supylabel(ylabel)
    return fig


def _course(ax: plt.Axes, rows: pd.DataFrame, place: int, family: str) -> dict[float, float]:
    """Draws the layers of a model around a place on the x-axis.

    Returns {x: layer} of the first and the last one; {} for no rows.
    """
    if rows.empty:
        return {}
    layers, values, low, high = rows[["layer", "value", "low", "high"]].to_numpy(dtype=float).T
    x = place + WIDTH * (np.linspace(-0.5, 0.5, len(layers)) if len(layers) > 1 else np.zeros(1))
    sign = {"color": COLOURS[family], "marker": MARKERS[family], "markersize": 4}
    ax.plot(x, values, linewidth=1, **sign)
    ax.vlines(x, low, high, color=COLOURS[family], linewidth=2)
    return {x[0]: layers[0], x[-1]: layers[-1]}


def heat_map(values: pd.DataFrame, title: str, label: str, xlabel: str) -> plt.Figure:
    """Draws a table of numbers as coloured cells with the numbers in them.

    values: rows and columns labelled; the colours are a sequential map. label: the colour bar's.
    """
    from seaborn import heatmap  # a second, for this figure alone

    with paper_style():
        height = 1.4 + 0.4 * len(values)
        fig, ax = plt.subplots(figsize=(6.8, height))
        heatmap(values, ax=ax, annot=True, fmt=".2f", cmap="viridis", cbar_kws={"label": label})
        ax.set(xlabel=xlabel, ylabel="")
        headline(fig, title)
        ax.tick_params(length=0, rotation=0)
        ax.grid(False)
    return fig
