"""An estimate against the size of the sample that it is made of."""

import matplotlib.pyplot as plt
import pandas as pd

from cwr.figures.finish import headline, legend_below
from cwr.figures.layers import by_layer
from cwr.figures.style import GREY, paper_style

APART = 1.05  # so that the intervals of two estimates at one size can be told apart


def by_size(
    table: pd.DataFrame, y: str, title: str, ylabel: str, levels: tuple[float, ...] = (0,)
) -> plt.Figure:
    """Draw estimates with their intervals against the number of sentences, on a log scale.

    table: `k` is the number of sentences, `model` the name of an estimate; family, measure, value,
    low and high as ever. y: the measure. levels: drawn as lines, the first solid.
    """
    sizes = sorted(table["k"].unique())
    with paper_style():
        fig, ax = plt.subplots(figsize=(6.8, 3.8))
        for number, (_, rows) in enumerate(table.groupby("model", sort=False)):
            by_layer(ax, rows.assign(layer=rows["k"] * APART**number), y, connected=False)
            ax.lines[-1].set_fillstyle(("full", "none")[number % 2])
        for number, level in enumerate(levels):
            ax.axhline(level, color=GREY, linewidth=0.9, linestyle="--" if number else "-")
        ax.set(xscale="log", xlabel="sentences", ylabel=ylabel)
        ax.set_xticks(sizes, [f"{size:,}" for size in sizes])
        ax.minorticks_off()
        headline(fig, title)
        legend_below(fig, ax)
    return fig
