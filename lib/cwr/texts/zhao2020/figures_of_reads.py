"""Draws one measure of whole and of partial inputs, a panel per model."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import pandas as pd

from cwr.figures.families import panels
from cwr.figures.finish import place_legend
from cwr.figures.style import COLOURS, GREY, LINES, MARKERS, paper_style
from cwr.tables import by_family, where

HOLLOW = "white"


def by_reads(
    table: pd.DataFrame, measures: Mapping[str, str], title: str, ylabel: str
) -> plt.Figure:
    """Draws measures against the layer: a panel per model, two panels a row.

    table: tidy, one value per model, measure and layer, with low and high, the 95 % interval.
    measures: {measure: its name}, at most four, each with a line of its own; the first is filled,
    the others are hollow. A model may lack some of them.
    """
    models = by_family(table)
    with paper_style():
        fig, axes = panels(models, title, sharex=False)
        for ax, model in zip(axes, models, strict=True):
            _panel(ax, where(table, model=model), measures)
        fig.supylabel(ylabel)
        signs = [_sign(number) for number in range(len(measures))]
        place_legend(fig, signs, [*measures.values()], columns=2, handlelength=4)
    return fig


def _panel(ax: plt.Axes, table: pd.DataFrame, measures: Mapping[str, str]) -> None:
    """The curves of one model, each with the band of its intervals."""
    family = table["family"].iloc[0]
    for number, measure in enumerate(measures):
        curve = where(table, measure=measure).sort_values("layer")
        numbers = curve[["layer", "value", "low", "high"]].astype(float)
        ax.plot(
            numbers["layer"],
            numbers["value"],
            linestyle=LINES[number],
            color=COLOURS[family],
            marker=MARKERS[family],
            markersize=5,
            markerfacecolor=HOLLOW if number else COLOURS[family],
        )
        band = numbers["layer"], numbers["low"], numbers["high"]
        ax.fill_between(*band, color=COLOURS[family], alpha=0.15, linewidth=0)
    ax.set_xlabel("layer")
    ax.xaxis.get_major_locator().set_params(integer=True)


def _sign(number: int) -> plt.Line2D:
    """A line of the legend, which is that of all families."""
    face = HOLLOW if number else GREY
    return plt.Line2D([], [], linestyle=LINES[number], color=GREY, marker="o", markerfacecolor=face)
