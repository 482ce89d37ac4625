"""Draws decisions along layers: bars of one mention, and rates of reversals by placebo."""

from collections.abc import Sequence
from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from cwr.figures.families import panels
from cwr.figures.finish import headline, legend_below
from cwr.figures.style import COLOURS, GREY, GRID, INK, paper_style

BAR = 0.38  # of the distance between two layers
LINE, AROUND = 0.64, 1.2  # inches: the height of a line, and what a panel needs besides
REVERSALS = {  # measure: how it is drawn, its name, and how far from the middle of its line
    "reversal_rate": ("s", True, "the layers in their order", 0.22),
    "placebo_reversal_rate": ("s", False, "as many probes of one layer", 0.0),
    "pair_disagreement_rate": ("x", True, "two probes of one layer", -0.22),
}


def mention_bars(shares: np.ndarray, labels: Sequence[str], family: str, title: str) -> plt.Figure:
    """Draws the probabilities of some labels layer by layer, as bars with the range over trainings.

    shares: (trainings, layers, labels). The label that is most probable at the top has the colour
    of the family; the others are grey, the second of them hatched.
    """
    winner = shares[:, -1].mean(axis=0).argmax()
    looks = cycle([(GREY, ""), ("white", "///"), (GRID, "xx")])
    with paper_style():
        fig, ax = plt.subplots()
        layers = np.arange(shares.shape[1])
        width = 2 * BAR / len(labels)
        for number, label in enumerate(labels):
            mean = shares[..., number].mean(axis=0)
            reach = np.abs(
                np.stack([shares[..., number].min(0), shares[..., number].max(0)]) - mean
            )
            at = layers + (number - (len(labels) - 1) / 2) * width
            colour, hatch = (COLOURS[family], "") if number == winner else next(looks)
            ax.bar(at, mean, width, color=colour, hatch=hatch, edgecolor=INK, label=label)
            ax.errorbar(at, mean, reach, fmt="none", ecolor=INK, elinewidth=1.2)
        ax.set_xticks(layers)
        ax.set(xlabel="layer (0 = uncontextualised input)", ylabel="probability")
        headline(fig, title)
        legend_below(fig, ax)
    return fig


def reversal_rates(table: pd.DataFrame, lines: Sequence[str], title: str) -> plt.Figure:
    """Draws rates with their 95 % intervals: a panel per task, a line per model and kind of probes.

    table: rows of the measures of REVERSALS with task, line, family, value, low, high. lines: from
        top to bottom.
    """
    heights = {line: -number for number, line in enumerate(lines)}
    with paper_style():
        tasks = list(dict.fromkeys(table["task"]))
        fig, axes = panels(tasks, title)
        fig.set_figheight(-(-len(tasks) // 2) * (LINE * len(lines) + AROUND) + 0.6)
        for task, ax in zip(tasks, axes, strict=True):
            for measure, sign in REVERSALS.items():
                is_drawn = (table["task"] == task) & (table["measure"] == measure)
                _points(ax, table[is_drawn], heights, sign)
            ax.set_yticks(list(heights.values()), lines)
            ax.set_ylim(min(heights.values()) - 0.5, 0.5)
            ax.tick_params(axis="y", length=0)
            ax.grid(False, axis="y")
            ax.grid(axis="x")
        fig.supxlabel("reversed, % of the items\n\n\n")  # room for the legend
        legend_below(fig, axes[0], columns=2)
    return fig


def _points(ax: plt.Axes, rows: pd.DataFrame, heights: dict[str, float], sign: tuple) -> None:
    marker, is_filled, name, offset = sign
    for number, row in enumerate(rows.itertuples()):
        colour = COLOURS[row.family]
        height = heights[row.line] + offset
        ax.plot([row.low, row.high], [height] * 2, color=colour, linewidth=1.6)
        face = colour if is_filled else "white"
        label = name if number == 0 else None
        kind = {"marker": marker, "linestyle": "none", "markersize": 6, "label": label}
        ax.plot(row.value, height, color=colour, markerfacecolor=face, **kind)
