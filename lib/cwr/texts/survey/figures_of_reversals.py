"""Draws decisions along the layers: bars of one mention."""

from collections.abc import Sequence
from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from cwr.figures.finish import headline, legend_below
from cwr.figures.style import COLOURS, GREY, GRID, INK, SMALL, paper_style

BAR = 0.38  # of the distance between two layers


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


def mark_missing(fig: plt.Figure, table: pd.DataFrame, order: Sequence[str]) -> None:
    """Writes "not run" on the rows of a panel of `figures.changes` that have no point.

    table, order: the arguments of `figures.changes`.
    """
    order = [variant for variant in order if variant in set(table["variant"])]
    panels = [rows for _, rows in table.groupby("panel", sort=False)]
    for ax, rows in zip(fig.axes[: len(panels)], panels, strict=True):
        for number, variant in enumerate(order):
            if variant not in set(rows["variant"]):
                ax.text(0.05, -number, "not run", va="center", fontsize=SMALL)
