"""Scores of classifiers or vectors: a line a row of a table, a panel a data set."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.lines import Line2D

from cwr.figures.families import panels
from cwr.figures.style import COLOURS, GREY, INK, MARKERS, paper_style
from cwr.tables import where

LINE, AROUND = 0.26, 1.1  # inches: the height of a line, and what a panel needs besides
Row = tuple[str, str]  # estimator and model


def by_row(
    table: pd.DataFrame,
    y: str,
    rows: Mapping[Row, str],
    datasets: Sequence[str],
    title: str,
    xlabel: str,
    published: pd.DataFrame | None = None,
) -> plt.Figure:
    """Draw a measure, a panel a data set (two a row), a line for each row with its 95 % interval.

    table: tidy, ours. rows: {(estimator, model): its name}, from top to bottom. published: printed
    numbers; of each kind of row all models stand hollow on the first line of that kind.
    """
    with paper_style():
        fig, axes = panels(datasets, title, sharex=False)
        fig.set_figheight(-(-len(datasets) // 2) * (LINE * len(rows) + AROUND) + 1)
        heights = {row: -number for number, row in enumerate(rows)}
        for dataset, ax in zip(datasets, axes, strict=True):
            of_set = where(table, measure=y, dataset=dataset)
            for row, height in heights.items():
                _line(ax, where(of_set, estimator=row[0], model=row[1]), height)
            if published is not None:
                _hollow(ax, where(published, measure=y, dataset=dataset), heights)
            ax.set_yticks(list(heights.values()), list(rows.values()))
            ax.tick_params(axis="y", length=0)
            ax.set_ylim(-len(rows) + 0.5, 0.5)
            ax.grid(axis="x")
            ax.grid(False, axis="y")
        fig.supxlabel(xlabel)
        if published is not None and published["dataset"].isin(datasets).any():
            hollow = Line2D([], [], **_sign(None), label="published")
            fig.legend(handles=[hollow], loc="outside lower center")
    return fig


def _line(ax: plt.Axes, scores: pd.DataFrame, height: float) -> None:
    """The score of one row, if it has one, with its interval."""
    for score in scores.itertuples():
        colour = COLOURS.get(score.family, GREY)
        ax.plot([score.low, score.high], [height] * 2, color=colour, linewidth=1.8)
        ax.plot(score.value, height, MARKERS.get(score.family, "o"), color=colour, markersize=7)


def _hollow(ax: plt.Axes, scores: pd.DataFrame, heights: Mapping[Row, float]) -> None:
    """The printed scores, on the first line of their kind."""
    first = {}
    for (estimator, _), height in heights.items():
        first.setdefault(estimator, height)
    for score in scores[scores["estimator"].isin(first)].itertuples():
        ax.plot(score.value, first[score.estimator], **_sign(score.family), zorder=1)


def _sign(family: str | None) -> dict:
    """A hollow marker of a family."""
    marker = MARKERS.get(family, "o")
    edge = {"markerfacecolor": "white", "markeredgecolor": INK, "markersize": 6}
    return {"marker": marker, "linestyle": "none", **edge}
