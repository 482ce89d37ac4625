"""Draws an estimate against the size of the sample or corpus that it is computed from."""

from collections import Counter
from collections.abc import Sequence

import matplotlib.pyplot as plt
import pandas as pd

from cwr.figures.families import WIDTH, mark_zero, panels
from cwr.figures.finish import headline, interval_sign, legend_below, place_legend
from cwr.figures.layers import by_layer
from cwr.figures.style import COLOURS, GREY, LINES, MARKERS, UPRIGHT, paper_style
from cwr.tables import where

APART = 1.05  # so that the intervals of two estimates at one size can be told apart
SHIFT = 0.015  # of a wide panel: from one curve against a corpus to the next
SHARED = {"sharex": True, "sharey": "row", "squeeze": False}


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
        legend_below(fig, ax, interval=UPRIGHT)
    return fig


def by_corpus_size(
    table: pd.DataFrame, y: str, datasets: Sequence[str], title: str, ylabel: str
) -> plt.Figure:
    """Draws estimates against the words of a corpus, a panel per data set.

    Each estimate has its 95 % interval as a bar; estimates at one size stand beside each other.
        table: `k` is the number of words, `model` the name of a curve; family, measure, dataset,
        value, low and high as in any tidy table. y: the measure. The x-axis is logarithmic.
    """
    with paper_style():
        fig, axes = panels(datasets, title)
        for dataset, ax in zip(datasets, axes, strict=True):
            _beside_each_other(ax, where(table, dataset=dataset, measure=y))
            ax.set_xlabel("words of the corpus")
            mark_zero(ax, None)
        _by_words(axes, table)
        fig.supylabel(ylabel)
        legend_below(fig, axes[0], columns=2, interval=UPRIGHT)
    return fig


def by_teacher(
    table: pd.DataFrame, y: str, datasets: Sequence[str], title: str, ylabel: str
) -> plt.Figure:
    """Draws `by_corpus_size` with a row of panels per data set and a column per teacher.

    With one data set `ylabel` has to name it.

    table: has a column `teacher`, too, with which a curve's name may begin ("cwr-bert, ASE"); rows
        without one, "", stand in each column.
    """
    teachers = [name for name in table["teacher"].unique() if name]
    with paper_style():
        is_one_row = len(datasets) == 1
        size = (WIDTH, 3.8 if is_one_row else 1.5 * len(datasets) + 1.2)
        shift = SHIFT * min(len(teachers), 2)
        fig, grid = plt.subplots(len(datasets), len(teachers), figsize=size, **SHARED)
        for dataset, row in zip(datasets, grid, strict=True):
            row[0].set_ylabel("" if is_one_row else dataset)
            for teacher, ax in zip(teachers, row, strict=True):
                rows = where(table[table["teacher"].isin([teacher, ""])], dataset=dataset)
                kinds = rows["model"].str.removeprefix(f"{teacher}, ")
                _beside_each_other(ax, where(rows.assign(model=kinds), measure=y), shift)
                mark_zero(ax, None)
        for teacher, ax in zip(teachers, grid[0], strict=True):
            ax.set_title(f"teacher: {teacher}", fontsize=12)
        for ax in grid[-1]:
            ax.tick_params(axis="x", labelsize=10)
        _by_words(list(grid.flat), table)
        headline(fig, title)
        fig.supylabel(ylabel)
        fig.supxlabel("words of the corpus\n\n")  # room for the legend
        handles, labels = grid[0, 0].get_legend_handles_labels()
        handles.append(interval_sign(UPRIGHT))
        place_legend(fig, handles, [*labels, handles[-1].get_label()], columns=len(handles))
    return fig


def _by_words(axes: Sequence[plt.Axes], table: pd.DataFrame) -> None:
    """Makes the x-axes logarithmic, with a tick for each size.

    Panels share their axis, which has to be linear while they are drawn.
    """
    sizes = sorted(table["k"].unique())
    for ax in axes:
        ax.set_xscale("log")
        ax.set_xticks(sizes, [_short(size) for size in sizes])
        ax.minorticks_off()


def _beside_each_other(ax: plt.Axes, table: pd.DataFrame, shift: float = SHIFT) -> None:
    """Draws a course with intervals per model, each a little to the right of the one before.

    shift: how far, as a share of the distance between the smallest size and the largest.
    """
    ranks, reach = Counter(), table["k"].max() / table["k"].min()
    for number, (model, rows) in enumerate(table.groupby("model", sort=False)):
        rows = rows.sort_values("k")
        x = rows["k"].astype(float) * reach ** (shift * number)
        family = rows["family"].iloc[0]
        colour, rank = COLOURS.get(family, GREY), ranks[family] % len(LINES)
        ranks[family] += 1
        ax.vlines(x, rows["low"], rows["high"], color=colour, linewidth=1.2)
        line = {"linestyle": LINES[rank], "linewidth": 1.2, "color": colour, "label": model}
        mark = {"marker": MARKERS.get(family, "X"), "markersize": 6, "gid": family}
        ax.plot(x, rows["value"], **line, **mark, markerfacecolor="white" if rank % 2 else colour)


def _short(words: float) -> str:
    """Formats a number of words for an axis: "60 k", "0.5 M"."""
    return f"{words / 1e6:.3g} M" if words >= 5e5 else f"{words / 1e3:.0f} k"
