"""Draws how far choices move measures: a panel per measure, a line per choice, points per model."""

from collections.abc import Sequence
from textwrap import wrap

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from cwr.figures.families import WIDTH, panels
from cwr.figures.finish import legend_below
from cwr.figures.style import COLOURS, GREY, INTERVAL, MARKERS, paper_style
from cwr.tables import by_family

LINE, WORDS = 0.42, 0.25  # inches: the least height of a choice, that of words about a model
HEADING = 22  # letters: the width of a panel beside long names of choices
STRONG, PALE = {"alpha": 1, "markersize": 6}, {"alpha": 0.35, "markersize": 3.5}
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
    first = APART / 2 if is_shared else 0.0
    offsets = dict(zip(models, np.linspace(first, -first, len(models)), strict=True))
    heights = {variant: -number for number, variant in enumerate(order)}
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
            if control in heights:
                ax.axhline(heights[control] + 0.5, color=GREY, linewidth=0.8, zorder=1)
            for model in models:
                of_model = table[table["model"] == model]
                rows, family = of_model[of_model["panel"] == name], of_model["family"].iloc[0]
                at, face = rows["variant"].map(heights) + offsets[model], None
                if model not in first_models:
                    face = "white"
                _points(ax, rows, at, model, family, face)
                words = f"{model}: {missing}" if is_shared else missing
                for variant in order if missing and (is_shared or len(rows)) else ():
                    if variant not in set(rows["variant"]):
                        _write(ax, heights[variant] + offsets[model], words)
            ax.set_xlabel(xlabel)
            ax.locator_params(axis="x", nbins=4 if len(names) > 1 else 7)
            ax.set_yticks(list(heights.values()), order)
            ax.set_ylim(0.5 - len(order), 0.5)
            ax.tick_params(axis="y", length=0)
            ax.grid(False, axis="y")
            ax.grid(axis="x")
        axes[0].plot([], [], color=GREY, label=INTERVAL)
        for label, look in zip(strengths, (STRONG, PALE), strict=True):
            if label:
                axes[0].plot([], [], "o", color=GREY, label=label, **look)
        legend_below(fig, axes[0])
    return fig


def _write(ax: plt.Axes, height: float, words: str) -> None:
    """Writes words right of 0."""
    beside = {"xytext": (4, 0), "textcoords": "offset points", "va": "center"}
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
