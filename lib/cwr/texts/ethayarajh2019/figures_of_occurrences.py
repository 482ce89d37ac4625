"""Draws a measure of words, and of as many random words, by the number of occurrences."""

import matplotlib.pyplot as plt
import pandas as pd

from cwr.figures.families import mark_zero, panels
from cwr.figures.style import COLOURS, GREY, INK, MARKERS, paper_style


def by_occurrences(table: pd.DataFrame, title: str, xlabel: str, ylabel: str) -> plt.Figure:
    """Draws the values of words over bins of n (occurrences): a panel per model, two panels a row.

    table: a row per model and bin: model, family, `n` (a label), and the values `words`, `random
    words` (hollow, grey) and, if there is such a column, `floor` (dashed).
    """
    with paper_style():
        models = table[["model", "family"]].drop_duplicates()
        fig, axes = panels(models["model"].tolist(), title)
        for ax, (model, family) in zip(axes, models.itertuples(index=False), strict=True):
            rows = table[table["model"] == model]
            sign = {"marker": MARKERS[family], "markersize": 6}
            ax.plot(rows["n"], rows["words"], color=COLOURS[family], label="words", **sign)
            hollow = {**sign, "markerfacecolor": "white", "markeredgecolor": INK}
            ax.plot(rows["n"], rows["random words"], color=GREY, label="random words", **hollow)
            if "floor" in rows:
                ax.plot(rows["n"], rows["floor"], color=INK, linestyle="--", label="least possible")
            plt.setp(ax.get_xticklabels(), rotation=45, ha="right", rotation_mode="anchor")
            mark_zero(ax, None)
        fig.supxlabel(xlabel)
        fig.supylabel(ylabel)
        axes[0].legend()
    return fig
