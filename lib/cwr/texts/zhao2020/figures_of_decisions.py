"""Draws the decisions of probes on examples: a row per example, a column per class."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import pandas as pd

from cwr.figures.finish import headline
from cwr.figures.style import COLOURS, INK, paper_style

CELL, AROUND = 0.34, 0.9  # inches: the height of a row, and what a panel needs besides


def decisions(panels: Mapping[str, tuple[pd.DataFrame, pd.DataFrame]], title: str) -> plt.Figure:
    """Draws decisions of binary probes: filled where the probe says yes, framed where it should.

    panels: {heading: (decisions, gold)}, two frames of bool with the same rows (examples, their
        names) and columns (classes), drawn below each other with the same columns.
    """
    with paper_style():
        heights = [len(yes) * CELL + AROUND / 2 for yes, _ in panels.values()]
        fig, axes = plt.subplots(len(panels), 1, sharex=True, squeeze=False, height_ratios=heights)
        fig.set_figheight(sum(heights) + AROUND)
        for ax, (heading, (yes, gold)) in zip(axes[:, 0], panels.items(), strict=True):
            _grid(ax, yes, gold)
            ax.set_title(heading, fontsize=12)
        headline(fig, title)
        fig.supxlabel("filled: the probe says yes; framed: the class is right", fontsize=11)
    return fig


def _grid(ax: plt.Axes, yes: pd.DataFrame, gold: pd.DataFrame) -> None:
    """The decisions of one panel, the first example at the top."""
    for row in range(len(yes)):
        for column in range(yes.shape[1]):
            if yes.iat[row, column]:
                ax.plot(column, row, "s", color=COLOURS["masked"], markersize=9)
            if gold.iat[row, column]:
                ax.plot(column, row, "s", markersize=15, mfc="none", mec=INK, mew=1.5)
    ax.set_xticks(range(yes.shape[1]), yes.columns, rotation=90)
    ax.set_yticks(range(len(yes)), yes.index)
    ax.set_xlim(-0.6, yes.shape[1] - 0.4)
    ax.set_ylim(len(yes) - 0.4, -0.6)
    ax.tick_params(length=0)
