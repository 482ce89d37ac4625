"""Draws scores of classifiers or vectors: a line per row of a table, a panel per data set."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.lines import Line2D

from cwr.figures.families import panels
from cwr.figures.finish import interval_sign, place_legend
from cwr.figures.levels import across
from cwr.figures.style import (
    COLOURS,
    FAMILY_NAMES,
    GREY,
    INK,
    LYING,
    MARKERS,
    PUBLISHED,
    paper_style,
    rank,
)
from cwr.tables import where

LINE, AROUND = 0.26, 1.1  # inches: the height of a line, and what a panel needs besides
COLUMNS = 4  # of the legend
APART = 0.3  # of a line: between rows that share it
Row = tuple[str, str]  # estimator and model


def by_row(
    table: pd.DataFrame,
    y: str,
    rows: Mapping[Row, str],
    datasets: Sequence[str],
    title: str,
    xlabel: str,
    published: pd.DataFrame | None = None,
    levels: pd.DataFrame | None = None,
) -> plt.Figure:
    """Draws a measure with 95 % intervals, a panel per data set, a line per row of `rows`.

    table: our tidy results. rows: {(estimator, model): its name}, from top to bottom; rows with the
        same name share a line. A legend names models that the names of their lines do not.
    published: printed numbers, drawn hollow on the line of their row; if they have none, on the
        first line of their estimator; the legend names their families.
    levels: columns dataset, name, value; each is a dashed line in its data set's panel.
    """
    with paper_style():
        handles = _models(table, rows)
        if published is not None:
            is_drawn = published["measure"].eq(y) & published["dataset"].isin(datasets)
            handles += _families(published[is_drawn], rows)
        fig, axes = panels(datasets, title, sharex=False)
        lines = list(dict.fromkeys(rows.values()))
        fig.set_figheight(-(-len(datasets) // 2) * (LINE * len(lines) + AROUND) + 1)
        heights = _heights(rows, lines)
        for dataset, ax in zip(datasets, axes, strict=True):
            of_set = where(table, measure=y, dataset=dataset)
            for row, height in heights.items():
                _line(ax, where(of_set, estimator=row[0], model=row[1]), height)
            if published is not None:
                _hollow(ax, where(published, measure=y, dataset=dataset), heights)
            if levels is not None:
                across(ax, where(levels, dataset=dataset), upright=True)
            ax.set_yticks([-number for number in range(len(lines))], lines)
            ax.tick_params(axis="y", length=0)
            ax.set_ylim(-len(lines) + 0.5, 0.5)
            ax.grid(axis="x")
            ax.grid(False, axis="y")
        fig.supxlabel(xlabel)
        named = axes[0].get_legend_handles_labels()  # of levels alone: lines have no label
        handles += [*named[0], interval_sign(LYING)]
        names = [*(handle.get_label() for handle in handles)]
        style = {"handlelength": 1, "handletextpad": 0.4} if levels is None else {}
        if place_legend(fig, handles, names, COLUMNS, **style):
            room = "\n" * (1 + -(-len(handles) // COLUMNS))  # for the rows of the legend
            fig.supxlabel(xlabel + room)
    return fig


def _heights(rows: Mapping[Row, str], lines: Sequence[str]) -> dict[Row, float]:
    """Returns the height of each row: that of its line, a little apart from rows that share it."""
    heights = {}
    for number, name in enumerate(lines):
        sharing = [row for row in rows if rows[row] == name]
        middle = (len(sharing) - 1) / 2
        for place, row in enumerate(sharing):
            heights[row] = -number + (middle - place) * APART
    return heights


def _models(table: pd.DataFrame, rows: Mapping[Row, str]) -> list[Line2D]:
    """Returns legend entries for models that no line names; none for one without values."""
    unnamed = dict.fromkeys(model for (_, model), name in rows.items() if model not in name)
    families = table.drop_duplicates("model").set_index("model")["family"]
    handles = []
    for model in unnamed:
        if model not in families:
            continue
        family = families[model]
        sign = {"marker": MARKERS.get(family, "o"), "color": COLOURS.get(family, GREY)}
        handles.append(Line2D([], [], linestyle="none", label=model, **sign))
    return handles


def _families(published: pd.DataFrame, rows: Mapping[Row, str]) -> list[Line2D]:
    """Returns a legend entry for each family of the printed scores that have a line."""
    drawn = published[published["estimator"].isin({estimator for estimator, _ in rows})]
    handles = []
    for family in sorted(drawn["family"].unique(), key=rank):
        label = f"{FAMILY_NAMES.get(family, '')}{PUBLISHED}".strip()
        handles.append(Line2D([], [], **_sign(family), label=label))
    return handles


def _line(ax: plt.Axes, scores: pd.DataFrame, height: float) -> None:
    """Draws the score of one row, if it has one, with its interval."""
    for score in scores.itertuples():
        colour = COLOURS.get(score.family, GREY)
        ax.plot([score.low, score.high], [height] * 2, color=colour, linewidth=1.8)
        ax.plot(score.value, height, MARKERS.get(score.family, "o"), color=colour, markersize=7)


def _hollow(ax: plt.Axes, scores: pd.DataFrame, heights: Mapping[Row, float]) -> None:
    """Draws the printed scores, on the line of their row or else the first with their estimator."""
    first = {}
    for (estimator, _), height in heights.items():
        first.setdefault(estimator, height)
    for score in scores[scores["estimator"].isin(first)].itertuples():
        height = heights.get((score.estimator, score.model), first[score.estimator])
        ax.plot(score.value, height, **_sign(score.family), zorder=1)


def _sign(family: str | None) -> dict:
    """Returns the hollow marker of a family."""
    marker = MARKERS.get(family, "o")
    edge = {"markerfacecolor": "white", "markeredgecolor": INK, "markersize": 6}
    return {"marker": marker, "linestyle": "none", **edge}
