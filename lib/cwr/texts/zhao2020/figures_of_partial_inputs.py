"""Draws one measure of whole and of partial inputs, a panel per model."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import pandas as pd

from cwr.figures.families import panels
from cwr.figures.finish import place_legend
from cwr.figures.levels import names
from cwr.figures.style import COLOURS, GREY, LINES, paper_style
from cwr.tables import by_family, where

SIGNS = "osD^"  # of the measures


def by_reads(
    table: pd.DataFrame, measures: Mapping[str, str], title: str, ylabel: str
) -> plt.Figure:
    """Draws measures against the layer: a panel per model, two panels a row.

    table: tidy, one value per model, measure and layer, with low and high, the 95 % interval.
    measures: {measure: its name}, at most four, each with a line and a marker of its own. A model
    may lack some of them. With one model the names stand at the lines' ends, else in a legend.
    """
    models = by_family(table)
    with paper_style():
        fig, axes = panels(models, title, sharex=False)
        for ax, model in zip(axes, models, strict=True):
            _panel(ax, where(table, model=model), measures)
        fig.supylabel(ylabel)
        if len(models) == 1:
            _name_ends(axes[0], measures)
        else:
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
            marker=SIGNS[number],
            markersize=5,
            gid=measure,
            label=measures[measure],
        )
        band = numbers["layer"], numbers["low"], numbers["high"]
        ax.fill_between(*band, color=COLOURS[family], alpha=0.15, linewidth=0)
    ax.set_xlabel("layer")
    ax.xaxis.get_major_locator().set_params(integer=True)


def _name_ends(ax: plt.Axes, measures: Mapping[str, str]) -> None:
    """Writes the name of each curve of a panel at its end."""
    ends = {
        measures[line.get_gid()]: (float(line.get_ydata()[-1]), line.get_color())
        for line in ax.lines
        if line.get_gid() in measures and len(line.get_ydata())
    }
    names(ax, ends)


def _sign(number: int) -> plt.Line2D:
    """A line of the legend, which is that of all families."""
    return plt.Line2D([], [], linestyle=LINES[number], color=GREY, marker=SIGNS[number])
