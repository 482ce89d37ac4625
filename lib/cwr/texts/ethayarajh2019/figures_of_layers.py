"""Names a level in a figure, rings points above it, and draws one share per model."""

import numpy as np
import pandas as pd

from cwr import figures
from cwr.figures.style import PUBLISHED, RING
from cwr.tables import by_family


def name_level(fig: figures.plt.Figure, level: float, name: str, at: float = 0) -> None:
    """Writes a level's name above its line in the first panel; at: the share of its width."""
    fig.axes[0].annotate(
        name,
        (at, level),
        xycoords=("axes fraction", "data"),
        xytext=(4, 2),
        textcoords="offset points",
        fontsize=10,
        color=figures.GREY,
    )


def ring_above(fig: figures.plt.Figure, level: float, words: str) -> None:
    """Rings our points above a level, and writes words beside the highest of each panel."""
    for ax in fig.axes:
        marked = [line for line in ax.lines if line.get_marker() not in ("None", "", None)]
        ours = [line for line in marked if not line.get_label().endswith(PUBLISHED)]
        points = [tuple(at) for line in ours for at in line.get_xydata() if at[1] > level]
        if points:
            ax.plot(*zip(*points, strict=True), **RING, zorder=4)
            x, y = max(points, key=lambda at: at[1])
            offset, side = ((-10, 0), "right") if x > 0.5 else ((10, 0), "left")
            beside = {"xytext": offset, "textcoords": "offset points", "ha": side, "va": "center"}
            ax.annotate(words, (x, y), fontsize=10, **beside)


def name_scales(fig: figures.plt.Figure) -> None:
    """Adds to the titles of panels whether their scale is wider or narrower than the first's."""
    (first, *others) = fig.axes
    for ax in others:
        lengths = [np.ptp(each.get_ylim()) for each in (ax, first)]
        if ax.axison and not np.isclose(*lengths):
            word = "wider" if lengths[0] > lengths[1] else "narrower"
            ax.set_title(f"{ax.get_title(loc='left')} ({word} scale)", fontsize=12, loc="left")


def shares(percent: pd.Series, table: pd.DataFrame, title: str, xlabel: str) -> figures.plt.Figure:
    """Draws a bar per model with its number.

    percent: {model: share in %}. table: rows of the models, with `model` and `family`.
    """
    families = table.drop_duplicates("model").set_index("model")["family"]
    names = by_family(table)[::-1]  # the first model stands at the top
    colours = [figures.COLOURS.get(families[name], figures.GREY) for name in names]
    with figures.paper_style():
        fig, ax = figures.plt.subplots(figsize=(6.8, 1.4 + 0.4 * len(names)))
        bars = ax.barh(names, percent[names], color=colours, height=0.6)
        ax.bar_label(bars, fmt="%.0f %%", padding=4)
        ax.set(xlabel=xlabel, xlim=(0, 100))
        ax.grid(False)
        figures.headline(fig, title)
    return fig
