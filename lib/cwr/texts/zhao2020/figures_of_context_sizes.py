"""Draws a measure against the size of the context, k words on each side of a target."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.colors import to_rgb

from cwr.figures.families import panels
from cwr.figures.finish import legend_below
from cwr.figures.style import COLOURS, GREY, LINES, MARKERS, paper_style
from cwr.tables import by_family, where

LIGHTEST = 0.35  # how much of its family's colour the first layer has; the last has all of it
FILLS = ("full", "none")  # of the markers, in turn: a second sign where colours come out grey


def by_context_size(
    table: pd.DataFrame,
    y: str,
    beside: str,
    names: Sequence[str],
    title: str,
    labels: Sequence[str],
) -> plt.Figure:
    """Draws a measure against k: a panel per model, a line per layer, a band for the last layer.

    table: tidy, with `k`, low and high. y: the measure of layers. beside: a measure without layers,
    dashed grey, with its band. names: legend entries of the layers ("layer {}") and of `beside`.
    labels: of the two axes. The x-axis has steps of log2(k + 1), so that k = 0 is on it.
    """
    sizes = sorted(table["k"].astype(int).unique())
    models = by_family(table)
    with paper_style():
        fig, axes = panels(models, title)
        for model, ax in zip(models, axes, strict=True):
            rows = where(table, model=model)
            _line(ax, where(rows, measure=beside), names[1], GREY, "--", "none", has_band=True)
            _layers(ax, where(rows, measure=y), names[0])
            ax.set_xticks(_positions(sizes), [str(size) for size in sizes])
            ax.set_xlabel(labels[0])
        fig.supylabel(labels[1])
        legend_below(fig, axes[0])
    return fig


def _layers(ax: plt.Axes, rows: pd.DataFrame, name: str) -> None:
    """A line a layer, from light to the full colour of the family."""
    colour = np.array(to_rgb(COLOURS[rows["family"].iloc[0]]))
    marker = MARKERS[rows["family"].iloc[0]]
    layers = sorted(rows["layer"].unique())
    shares = np.linspace(1, LIGHTEST, len(layers))[::-1]
    for number, (layer, share) in enumerate(zip(layers, shares, strict=True)):
        is_last = layer == layers[-1]
        style = LINES[0] if is_last else LINES[1 + number % 3]
        shade = 1 - share * (1 - colour)
        of_layer = where(rows, layer=layer)
        line = _line(ax, of_layer, name.format(layer), shade, style, marker, is_last)
        line.set_fillstyle(FILLS[number % 2])


def _line(ax, rows, label, colour, style, marker, has_band) -> plt.Line2D:
    """One line over k; its 95 % intervals as a band, if it has one."""
    rows = rows.assign(k=rows["k"].astype(int)).sort_values("k")
    x = _positions(rows["k"])
    (line,) = ax.plot(x, rows["value"], style, color=colour, marker=marker, label=label)
    line.set_markersize(6)
    if has_band:
        low, high = (rows[name].to_numpy(dtype=float) for name in ("low", "high"))
        ax.fill_between(x, low, high, color=colour, alpha=0.18, linewidth=0)
    return line


def _positions(sizes: Sequence[int]) -> np.ndarray:
    return np.log2(np.asarray(sizes, dtype=float) + 1)
