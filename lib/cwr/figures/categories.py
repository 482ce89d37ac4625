"""Draws heat maps: tables of numbers as coloured cells."""

import matplotlib.pyplot as plt
import pandas as pd

from cwr.figures.finish import headline
from cwr.figures.style import paper_style


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
