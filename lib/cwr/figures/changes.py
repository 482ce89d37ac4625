"""Draws how far choices move measures: a panel per measure, a line per choice, points per model."""

from collections.abc import Mapping, Sequence, Set
from textwrap import wrap

import matplotlib.pyplot as plt
import pandas as pd

from cwr.figures.families import WIDTH, panels
from cwr.figures.finish import legend_below
from cwr.figures.style import COLOURS, GREY, LYING, MARKERS, paper_style
from cwr.tables import by_family

LINE, WORDS = 0.42, 0.25  # inches: the least height of a choice, that of words about a model
HEADING = 22  # letters: the width of a panel beside long names of choices
STRONG, PALE = {"alpha": 1, "markersize": 6}, {"alpha": 0.5, "markersize": 4}
APART = 0.6  # of a line: from the first model's point to the last one's


def changes(
    table: pd.DataFrame,
    order: Sequence[str],
    title: str,
    xlabel: str,
    *,
    strengths: tuple[str, str] = ("", ""),
    control: str | None = None,
    missing: str | None = None,
) -> plt.Figure:
    """Draws how far choices move measures, with 95 % intervals, two panels per row; 0 is marked.

    table: panel, variant, model, family, change, low, high; panels stand as they first come.
        A column `pale`, if there is one, tells which points are drawn pale and small.
    order: the variants, from top to bottom; one without a row in the table has no line. The first
        model of each family is filled, others are hollow.
    strengths: what the legend says of strong and of pale points; "" for no entry. control: a
        variant that a thin line sets apart from the one above it. missing: words that stand,
        after 0, where a model has no point for a variant; if each panel is that of one model,
        where this model has none.
    """
    order = [variant for variant in order if variant in set(table["variant"])]
    names, models = list(table["panel"].unique()), by_family(table)
    is_shared = table.groupby("panel")["model"].nunique().max() > 1
    step = APART / (len(models) - 1) if is_shared else 0.0
    heights = _heights(table, order, models, step, has_gaps=missing is not None)
    first_models = set(table.drop_duplicates("family")["model"])
    with paper_style():
        width = HEADING if len(names) > 1 else 2 * HEADING
        unbroken = [name.replace("Figure ", "Figure\N{NO-BREAK SPACE}") for name in names]
        headings = ["\n".join(wrap(name, width)) for name in unbroken]
        fig, axes = panels(headings, title)
        line = max(LINE, WORDS * len(models)) if missing and is_shared else LINE
        fig.set_size_inches(WIDTH, -(-len(names) // 2) * (line * len(order) + 0.4) + 1.5)
        for name, ax in zip(names, axes, strict=True):
            ax.axvline(0, color=GREY, linewidth=0.8, zorder=1)
            if control in order:
                ax.axhline(0.5 - order.index(control), color=GREY, linewidth=0.8, zorder=1)
            for model in models:
                of_model = table[table["model"] == model]
                rows, family = of_model[of_model["panel"] == name], of_model["family"].iloc[0]
                face = None if model in first_models else "white"
                _points(ax, rows, rows["variant"].map(heights[model]), model, family, face)
                if missing and (is_shared or len(rows)):
                    words = f"{model}: {missing}" if is_shared else missing
                    _write(ax, heights[model], set(rows["variant"]), words)
            ax.set_xlabel(xlabel)
            ax.locator_params(axis="x", nbins=4 if len(names) > 1 else 7)
            ax.set_yticks([-number for number in range(len(order))], order)
            ax.set_ylim(0.5 - len(order), 0.5)
            ax.tick_params(axis="y", length=0)
            ax.grid(False, axis="y")
            ax.grid(axis="x")
        for label, look in zip(strengths, (STRONG, PALE), strict=True):
            if label:
                axes[0].plot([], [], "o", color=GREY, label=label, **look)
        legend_below(fig, axes[0], interval=LYING)
    return fig


def _heights(
    table: pd.DataFrame, order: Sequence[str], models: Sequence[str], step: float, has_gaps: bool
) -> dict[str, dict[str, float]]:
    """Returns {model: {variant: the height of its point}}: points of a line stand around its middle.

    step: from one model's point to the next one's. has_gaps: whether a model that no panel shows
        on a line has a place there.
    """
    heights = {model: {} for model in models}
    for number, variant in enumerate(order):
        present = set(table.loc[table["variant"] == variant, "model"])
        placed = [model for model in models if has_gaps or model in present]
        for place, model in enumerate(placed):
            heights[model][variant] = -number + step * ((len(placed) - 1) / 2 - place)
    return heights


def _write(ax: plt.Axes, heights: Mapping[str, float], drawn: Set[str], words: str) -> None:
    """Writes words right of 0 at the height of each variant that is not drawn."""
    beside = {"xytext": (4, 0), "textcoords": "offset points", "va": "center"}
    for variant, height in heights.items():
        if variant not in drawn:
            ax.annotate(words, (0, height), fontsize=10, **beside)


def _points(
    ax: plt.Axes,
    rows: pd.DataFrame,
    heights: pd.Series,
    model: str,
    family: str,
    face: str | None,
) -> None:
    """Draws the changes of one model, (n,), at their heights, (n,); with none, only its legend.

    face: the colour inside its points; None: that of its family.
    """
    colour = COLOURS.get(family, GREY)
    sign = {"color": colour, "markerfacecolor": face or colour, "gid": family}
    is_pale = rows["pale"] if "pale" in rows else pd.Series(False, rows.index)
    for part, look, label in ((is_pale, PALE, "_pale"), (~is_pale, STRONG, model)):
        if label == model or part.any():
            of_part, at, width = rows[part], heights[part], 0.3 * look["markersize"]
            bar = {"color": colour, "linewidth": width, "alpha": look["alpha"]}
            ax.hlines(at, of_part["low"], of_part["high"], **bar)
            ax.plot(of_part["change"], at, MARKERS.get(family, "X"), label=label, **sign, **look)
