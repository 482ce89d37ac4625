"""Draws one panel for each family of models, our results beside published ones, on one y-axis."""

from collections.abc import Callable, Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.lines import Line2D

from cwr.figures import layers
from cwr.figures.finish import headline, interval_sign, legend_below, place_legend
from cwr.figures.layers import DEPTH, by_layer, context, reference
from cwr.figures.style import BAND, FAMILY_NAMES, GREY, UPRIGHT, paper_style
from cwr.tables import FAMILIES, matching, where

WIDTH, HEIGHT = 6.8, 2.5  # inches: of the figure, of a row of panels
LEVEL = {"color": GREY, "linestyle": "--", "linewidth": 1.4}


def by_family(
    table: pd.DataFrame,
    y: str,
    title: str,
    ylabel: str,
    published: pd.DataFrame | None = None,
    null: str | None = None,
    level: float | None = None,
    background: pd.DataFrame | None = None,
    untrained: pd.DataFrame | None = None,
    longer: pd.DataFrame | None = None,
    connected: bool = True,
    null_name: str = "null",
    sharey: bool | str = True,
    level_name: str | None = None,
    **keys: object,
) -> plt.Figure:
    """Draws a measure against the relative depth, a panel for each family of `table`, two per row.

    table: tidy, ours. y: the measure. title, ylabel: of the figure.
    null: another measure of `table`, drawn as dotted curves that the legend calls `null_name`.
    level: a value to mark, dashed; 0 is marked by a thin line. level_name: in the legend.
    background: a table of further models, grey in every panel, named at the right.
    untrained: rows of untrained copies of the models, drawn as dotted bands.
    longer: a table of a longer run of these families: crosses, of other models a broken line.
    sharey: "row" for an axis of its own in each row of panels.
    published, connected, keys: as in `by_layer`.
    """
    with paper_style():
        families = families_of(where(table, measure=y, **keys))
        signs = [*signs_of_null(null, null_name), *signs_of_copies(untrained)]
        signs += signs_of_longer_run(longer, table)
        signs += [Line2D([], [], **LEVEL, label=level_name)] if level_name else []
        band = interval_sign(BAND, trained=untrained is not None)
        signs.append(band if connected else interval_sign(UPRIGHT))
        names = [FAMILY_NAMES[family] for family in families]
        fig, axes = panels(names, title, sharey=sharey)
        for number, (family, ax) in enumerate(zip(families, axes, strict=True), start=1):
            ours = where(table, family=family)
            if background is not None:
                is_at_the_right = number % 2 == 0 or number == len(families)
                context(ax, background, y, named=is_at_the_right, **keys)
            if untrained is not None:
                layers.untrained(ax, where(untrained, family=family), y, **keys)
            if null is not None:
                reference(ax, ours, null, "_null", **keys)
            beside = None if published is None else where(published, family=family)
            by_layer(ax, ours, y, beside, relative=True, connected=connected, **keys)
            if longer is not None:
                layers.longer(ax, where(longer, family=family), y, set(ours["model"]), **keys)
            ax.set_xlabel("")
        fig.supxlabel(DEPTH)
        fig.supylabel(ylabel)
        for ax in axes:
            mark_zero(ax, level)
            ax.set_xlim(-0.05, 1.05)
            ax.legend(handlelength=1.8)
        columns = min(len(signs), 4 if untrained is None else 2)
        if place_legend(fig, signs, [sign.get_label() for sign in signs], columns):
            room = "\n" * (1 + -(-len(signs) // columns))  # for the rows of the legend
            fig.supxlabel(fig.get_supxlabel() + room)
    return fig


def signs_of_null(null: str | None, name: str) -> list[Line2D]:
    """Returns a legend entry, `name`, for the dotted curves of a null; [] for null None."""
    style = {"linestyle": layers.DOTTED, "marker": ".", "linewidth": 1.5}
    return [] if null is None else [Line2D([], [], color=GREY, label=name, **style)]


def signs_of_copies(untrained: pd.DataFrame | None) -> list[Line2D]:
    """Returns legend entries: a line for each kind of untrained copy in the table."""
    return [
        Line2D([], [], color=GREY, linestyle=line, linewidth=1.5, label=kind)
        for kind, line in layers.UNTRAINED_LINES.items()
        if untrained is not None and matching(untrained, variant=kind).any()
    ]


def signs_of_longer_run(longer: pd.DataFrame | None, ours: pd.DataFrame) -> list[Line2D]:
    """Returns a legend entry, the usual cross, for a longer run of one of our models; else []."""
    if longer is None or not longer["model"].isin(ours["model"]).any():
        return []
    cross = {"linestyle": "none", "marker": layers.CROSS, "markersize": 7}
    return [Line2D([], [], color=GREY, label="longer run", **cross)]


def side_by_side(
    table: pd.DataFrame,
    beside: pd.DataFrame | None,
    measures: Mapping[str, str],
    title: str,
    ylabel: str,
    published: pd.DataFrame | None = None,
    level: float | None = None,
    relative: bool = True,
) -> plt.Figure:
    """Draws measures against the relative depth, one per panel: `table` solid, `beside` dotted.

    measures: {measure: the title of its panel}. beside: another table of the same measures, or
        None. published: points, hollow. level: a value to mark, dashed; 0 is marked by a thin line.
        `turned` tables have a panel per model. relative: False for layers on the x-axis.
    """
    with paper_style():
        fig, axes = panels(list(measures.values()), title)
        for measure, ax in zip(measures, axes, strict=True):
            by_layer(ax, table, measure, published, relative=relative)
            if beside is not None:
                reference(ax, beside, measure, "_dotted")
            mark_zero(ax, level)
            ax.set_xlabel("relative depth" if relative else "layer")
        fig.supylabel(ylabel)
        legend_below(fig, axes[0], interval=BAND)
    return fig


def turned(table: pd.DataFrame, labels: Mapping[str, str], column: str = "measure") -> pd.DataFrame:
    """Returns a table whose models are its measures, so that `side_by_side` has a panel for each.

    labels: {value of `column`: the name of its line}, in the order of the lines; other rows go.
    """
    rows = {label: where(table, **{column: value}) for value, label in labels.items()}
    parts = [part.assign(measure=part["model"], model=label) for label, part in rows.items()]
    return pd.concat(parts, ignore_index=True)


def families_of(table: pd.DataFrame) -> list[str]:
    """Lists the families of a table's models, in the order of FAMILIES."""
    return [family for family in FAMILIES if matching(table, family=family).any()]


def panels(
    titles: Sequence[str],
    title: str,
    sharex: bool = True,
    sharey: bool | str = True,
) -> tuple[plt.Figure, list[plt.Axes]]:
    """Makes a figure with a headline and a panel for each of `titles`, two per row, axes shared.

    sharex, sharey: False for axes of their own. The place beside an odd last panel is free for a
        legend (`finish.place_legend`).
    """
    rows, columns = -(-len(titles) // 2), min(len(titles), 2)
    size = (WIDTH, HEIGHT * rows + 1)
    shared = {"sharex": sharex, "sharey": sharey}
    fig, grid = plt.subplots(rows, columns, figsize=size, squeeze=False, **shared)
    for ax in grid.flat[len(titles) :]:
        ax.remove()
    axes = fig.axes
    for ax, name in zip(axes, titles, strict=True):
        ax.set_title(name, fontsize=12)
    for ax in axes[-columns:]:
        ax.tick_params(labelbottom=True)  # also above a place that is empty
    headline(fig, title)
    return fig, axes


def mark_zero(ax: plt.Axes, level: float | None) -> None:
    """Draws a thin line at 0 and, unless `level` is None, a dashed line at `level`."""
    ax.axhline(0, color=GREY, linewidth=0.8, zorder=1)
    if level is not None:
        ax.axhline(level, **LEVEL, zorder=1)


# ---- an axis that ends before some points do


def clip(fig: plt.Figure, low: float, high: float) -> None:
    """Ends the y-axis of all panels at [low, high]; carets and a number mark points beyond.

    The number is each model's value farthest beyond the axis.
    """
    for ax in fig.axes:
        lines = [line for line in ax.lines if not line.get_label().startswith("_")]
        down = {line: np.asarray(line.get_ydata()) < low for line in lines}
        up = {line: np.asarray(line.get_ydata()) > high for line in lines}
        _tell_beyond(ax, down, low, "v", np.min)
        _tell_beyond(ax, up, high, "^", np.max)
        ax.set_ylim(low, high)


def _tell_beyond(
    ax: plt.Axes,
    beyond: dict[plt.Line2D, np.ndarray],
    edge: float,
    caret: str,
    farthest: Callable[[np.ndarray], float],
) -> None:
    """Draws carets at an edge of the axis, and the value farthest beyond it of each line.

    beyond: {line: which of its points lie beyond the edge, (L,) bool}.
    """
    words, x = [], []
    for line, is_beyond in beyond.items():
        if is_beyond.any():
            x.append(np.asarray(line.get_xdata())[is_beyond])
            extreme = farthest(np.asarray(line.get_ydata())[is_beyond])
            words.append(f"{line.get_label()}: {extreme:.2f}")
    if not words:
        return
    x = np.concatenate(x)
    told = "\n".join(words)
    edges = np.full(len(x), edge)
    ax.plot(x, edges, caret, color=GREY, clip_on=False, zorder=4, label=told)
    height, align = (0.07, "bottom") if caret == "v" else (0.93, "top")
    ax.text(
        np.clip(x.mean(), 0.35, 0.65),  # of a depth: not beyond the panel
        height,
        told,
        transform=ax.get_xaxis_transform(),
        ha="center",
        va=align,
        fontsize=10,
    )
