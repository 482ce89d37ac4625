"""One panel a model: the same measure of what the model was shown, whole or in part."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import pandas as pd

from cwr.figures.finish import headline
from cwr.figures.style import COLOURS, GREY, LINES, MARKERS, paper_style
from cwr.tables import FAMILIES, where

WIDTH, HEIGHT = 6.8, 3.6  # inches, of a row of two panels


def by_reads(
    table: pd.DataFrame, measures: Mapping[str, str], title: str, ylabel: str
) -> plt.Figure:
    """Draw measures against the layer, two models a row, each measure with a line of its own.

    table: ours, one value a model, measure and layer, with low and high, the 95 % interval.
    measures: {measure: name}, at most four; the first is filled, the others are hollow. A model
    may lack some of them.
    """
    models = table.drop_duplicates("model").sort_values(
        "family", key=lambda column: column.map(FAMILIES.index), kind="stable"
    )
    rows = -(-len(models) // 2)
    with paper_style():
        size = (WIDTH, HEIGHT * rows + 1)
        fig, grid = plt.subplots(rows, 2, figsize=size, sharey=True, squeeze=False)
        for ax in grid.flat[len(models) :]:
            ax.remove()
        for ax, (model, family) in zip(
            grid.flat, zip(models["model"], models["family"], strict=True), strict=False
        ):
            for number, measure in enumerate(measures):
                curve = where(table, model=model, measure=measure).sort_values("layer")
                _curve(ax, curve, family, LINES[number], "white" if number else None)
            ax.set_title(model, fontsize=12)
            ax.set_xlabel("layer")
            ax.xaxis.get_major_locator().set_params(integer=True)
        for ax in grid[:, 0]:
            ax.set_ylabel(ylabel)
        headline(fig, title)
        signs = [_sign(LINES[number], number > 0) for number in range(len(measures))]
        fig.legend(signs, measures.values(), loc="outside lower center", ncols=2, handlelength=2.8)
    return fig


def _curve(ax: plt.Axes, curve: pd.DataFrame, family: str, line: str, face: str | None) -> None:
    """One measure with the band of its intervals; no rows draw nothing."""
    x, colour = curve["layer"].astype(float), COLOURS[family]
    face = colour if face is None else face
    ax.plot(
        x,
        curve["value"].astype(float),
        linestyle=line,
        color=colour,
        marker=MARKERS[family],
        markersize=5,
        markerfacecolor=face,
    )
    low, high = curve["low"].astype(float), curve["high"].astype(float)
    ax.fill_between(x, low, high, color=colour, alpha=0.15, linewidth=0)


def _sign(line: str, is_hollow: bool) -> plt.Line2D:
    """A line of the legend, which is that of all families."""
    face = "white" if is_hollow else GREY
    return plt.Line2D([], [], linestyle=line, color=GREY, marker="o", markerfacecolor=face)
