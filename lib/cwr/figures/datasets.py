"""Draws a measure against depth, per data set: models as curves, static vectors as levels."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import pandas as pd

from cwr.figures.families import mark_zero, panels
from cwr.figures.finish import legend_below
from cwr.figures.layers import by_layer, curves_by_model
from cwr.figures.levels import across
from cwr.figures.style import COLOURS, GREY, INTERVAL, SHADE, paper_style
from cwr.tables import where

ROOM = 0.2  # of an axis of its own: below the curves


def by_dataset(
    table: pd.DataFrame,
    y: str,
    datasets: Sequence[str],
    title: str,
    ylabel: str,
    published: pd.DataFrame | None = None,
    null: str | None = None,
    levels: pd.DataFrame | None = None,
    null_name: str = "",
    sharey: bool = True,
) -> plt.Figure:
    """Draws a measure against the relative depth, a panel for each data set, two per row.

    table: our tidy results. Rows without a layer (static vectors) are dashed levels with intervals.
    y: the measure. datasets: names, in the order of the panels.
    published: printed results, drawn hollow.
    null: a measure that belongs to no model, drawn as a grey level; null_name names it in the
        legend. levels: columns dataset, name, value; each is a dashed line in its data set's panel.
    sharey: False for an axis of its own in each panel, around its curves; levels below it
        are written at its lower end.
    """
    with paper_style():
        fig, axes = panels(datasets, title, sharey=sharey)
        for dataset, ax in zip(datasets, axes, strict=True):
            ours = where(table, dataset=dataset)
            _levels(ax, ours, y)
            layered = ours.dropna(subset="layer")
            by_layer(ax, layered, y, _of_layers(published, dataset), relative=True)
            bottom, top = ax.get_ylim()
            nulls = where(ours, measure=null)["value"] if null else []
            mark_zero(ax, nulls.iloc[0] if len(nulls) else None)
            if null_name and len(nulls):
                plt.setp(ax.lines[-1], label=null_name, gid="static")  # below them in the legend
            if levels is not None:
                across(ax, where(levels, dataset=dataset))
            if not sharey:
                ax.set_ylim(bottom - ROOM * (top - bottom), top)
                _tell_lower(ax, levels, dataset)
            ax.set_xlabel("relative depth")
        axes[0].fill_between([], [], [], color=GREY, alpha=0.18, linewidth=0, label=INTERVAL)
        fig.supylabel(ylabel)
        legend_below(fig, axes[0])
    return fig


def _of_layers(published: pd.DataFrame | None, dataset: str) -> pd.DataFrame | None:
    """Returns the printed rows of a data set that belong to a layer."""
    return None if published is None else where(published, dataset=dataset).dropna(subset="layer")


def _tell_lower(ax: plt.Axes, levels: pd.DataFrame | None, dataset: str) -> None:
    """Writes the levels of a data set below the axis at its lower end, equal ones once."""
    if levels is None:
        return
    of_set = where(levels, dataset=dataset)
    lower = of_set[of_set["value"] < ax.get_ylim()[0]].drop_duplicates("value")
    told = "\n".join(f"↓ {row.name}: {row.value:.1f}" for row in lower.itertuples(index=False))
    ax.text(0.5, 0.03, told, transform=ax.transAxes, ha="center", va="bottom", fontsize=10)


def _levels(ax: plt.Axes, table: pd.DataFrame, y: str) -> None:
    """Draws static vectors, which have no layer: a dashed level each, with its interval."""
    for (model, family), rows in curves_by_model(table[table["layer"].isna()], y):
        colour, row = COLOURS[family], rows.iloc[0]
        ax.axhline(row["value"], color=colour, linestyle="--", label=model, gid=family)
        ax.axhspan(row["low"], row["high"], color=colour + SHADE, linewidth=0)
