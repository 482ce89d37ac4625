"""Draws an estimate against the size of the sample or corpus that it is computed from."""

from collections import Counter
from collections.abc import Sequence

import matplotlib.pyplot as plt
import pandas as pd

from cwr.figures.families import mark_zero, panels
from cwr.figures.finish import headline, legend_below
from cwr.figures.layers import by_layer
from cwr.figures.style import COLOURS, GREY, LINES, MARKERS, paper_style
from cwr.tables import where

APART = 1.05  # so that the intervals of two estimates at one size can be told apart


def by_size(
    table: pd.DataFrame, y: str, title: str, ylabel: str, levels: tuple[float, ...] = (0,)
) -> plt.Figure:
    """Draws estimates with their intervals against the number of sentences, on a log scale.

    table: `k` is the number of sentences, `model` the name of an estimate; family, measure, value,
        low and high as in any tidy table. y: the measure. levels: drawn as lines, the first solid.
    """
    sizes = sorted(table["k"].unique())
    with paper_style():
        fig, ax = plt.subplots(figsize=(6.8, 3.8))
        for number, (_, rows) in enumerate(table.groupby("model", sort=False)):
            by_layer(ax, rows.assign(layer=rows["k"] * APART**number), y, connected=False)
            if number % 2:
                ax.lines[-1].set_markerfacecolor("white")
        for number, level in enumerate(levels):
            ax.axhline(level, color=GREY, linewidth=0.9, linestyle="--" if number else "-")
        ax.set(xscale="log", xlabel="sentences", ylabel=ylabel)
        ax.set_xticks(sizes, [f"{size:,}" for size in sizes])
        ax.minorticks_off()
        headline(fig, title)
        legend_below(fig, ax)
    return fig


def by_corpus_size(
    table: pd.DataFrame, y: str, datasets: Sequence[str], title: str, ylabel: str
) -> plt.Figure:
    """Draws estimates against the words of a corpus, a panel per data set.

    Each estimate has its 95 % interval as a bar; estimates at one size stand beside each other.
        table: `k` is the number of words, `model` the name of a curve; family, measure, dataset,
        value, low and high as in any tidy table. y: the measure. The x-axis is logarithmic.
    """
    sizes = sorted(table["k"].unique())
    with paper_style():
        fig, axes = panels(datasets, title)
        for dataset, ax in zip(datasets, axes, strict=True):
            _beside_each_other(ax, where(table, dataset=dataset, measure=y))
            ax.set_xlabel("words of the corpus")
            mark_zero(ax, None)
        for ax in axes:  # panels share their axis, which has to be linear while they are drawn
            ax.set_xscale("log")
            ax.set_xticks(sizes, [_short(size) for size in sizes])
            ax.minorticks_off()
        fig.supylabel(ylabel)
        legend_below(fig, axes[0], columns=2)
    return fig


def _beside_each_other(ax: plt.Axes, table: pd.DataFrame) -> None:
    """Draws a course with intervals per model, each a little to the right of the one before."""
    ranks = Counter()
    for number, (model, rows) in enumerate(table.groupby("model", sort=False)):
        rows = rows.sort_values("k")
        x, family = rows["k"].astype(float) * APART**number, rows["family"].iloc[0]
        colour, rank = COLOURS.get(family, GREY), ranks[family] % len(LINES)
        ranks[family] += 1
        ax.vlines(x, rows["low"], rows["high"], color=colour, linewidth=1.2)
        line = {"linestyle": LINES[rank], "linewidth": 1.2, "color": colour, "label": model}
        mark = {"marker": MARKERS.get(family, "X"), "markersize": 6, "gid": family}
        ax.plot(x, rows["value"], **line, **mark, markerfacecolor="white" if rank % 2 else colour)


def _short(words: float) -> str:
    """Formats a number of words for an axis: "60 k", "0.5 M"."""
    return f"{words / 1e6:.3g} M" if words >= 5e5 else f"{words / 1e3:.0f} k"
