"""Draws decisions along the layers: bars of one mention."""

from collections.abc import Sequence
from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np

from cwr.figures.finish import headline, legend_below
from cwr.figures.style import COLOURS, GREY, GRID, INK, paper_style

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
        ax.set(xlabel="layers that the probe reads: 0 up to …", ylabel="probability")
        headline(fig, title)
        legend_below(fig, ax)
    return fig
