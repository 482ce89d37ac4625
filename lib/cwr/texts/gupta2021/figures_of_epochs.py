"""Draws scores of classifiers along their training, a line for each kind of word vectors."""

import matplotlib.pyplot as plt
import pandas as pd

from cwr.figures.finish import headline
from cwr.figures.levels import names
from cwr.figures.style import COLOURS, GREY, MARKERS, paper_style


def along_epochs(table: pd.DataFrame, subject: str, title: str, ylabel: str) -> plt.Figure:
    """Draws a score against the epochs, each line named where it ends, with the subject's interval.

    table: model (the name of a row), family (None for random vectors, dashed), k (epochs), value,
        low, high. subject: the model that is drawn strong, with filled marks.
    """
    with paper_style():
        fig, ax = plt.subplots(figsize=(6.8, 4.8))  # on a phone, too, names keep apart
        heights = {}
        for model, rows in table.groupby("model", sort=False):
            rows = rows.sort_values("k")
            colour = COLOURS.get(rows["family"].iloc[0], GREY)
            line = "--" if colour == GREY else "-"
            is_subject = model == subject
            marker = MARKERS.get(rows["family"].iloc[0], "o")
            weak = {"linewidth": 1.2, "markerfacecolor": "white"}
            style = {"marker": marker, **({"linewidth": 2.4} if is_subject else weak)}
            ax.plot(rows["k"], rows["value"], line, color=colour, label=model, **style)
            if is_subject:
                band = rows["low"].astype(float), rows["high"].astype(float)
                ax.fill_between(rows["k"], *band, color=colour, alpha=0.18, linewidth=0)
            heights[model] = (float(rows["value"].iloc[-1]), colour)
        ax.set(xlabel="epochs", ylabel=ylabel, ylim=(0, None), xticks=sorted(table["k"].unique()))
        names(ax, heights)
        headline(fig, title)
    return fig
