"""Draws the scores of vector spaces: a row per space, a panel per source, and reference lines."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import pandas as pd

from cwr.figures.finish import headline
from cwr.figures.rows import AROUND, LINE
from cwr.figures.style import COLOURS, GREY, INK, LINES, MARKERS, paper_style


def by_space(
    panels: Mapping[str, pd.DataFrame], levels: Mapping[str, float], title: str, xlabel: str
) -> plt.Figure:
    """Draws scores as points, a row per space, the panels below each other on one axis.

    panels: {heading: spaces from top to bottom}, each with name, family and value; rows with low
        and high are ours, filled and with their interval, others hollow. levels: {name: score} of
        lines in the first panel; a legend names them.
    """
    with paper_style():
        heights = [len(spaces) * LINE + AROUND / 2 for spaces in panels.values()]
        fig, axes = plt.subplots(len(panels), 1, sharex=True, squeeze=False, height_ratios=heights)
        fig.set_figheight(sum(heights) + 1.6)
        for ax, (heading, spaces) in zip(axes[:, 0], panels.items(), strict=True):
            _points(ax, spaces)
            ax.set_title(heading, fontsize=12)
        for line, (name, score) in zip(LINES, levels.items(), strict=False):
            axes[0, 0].axvline(score, color=GREY, linestyle=line, linewidth=1.5, label=name)
        axes[-1, 0].set_xlabel(xlabel)
        headline(fig, title)
        if levels:
            fig.legend(loc="outside lower center", ncols=2)
    return fig


def _points(ax: plt.Axes, spaces: pd.DataFrame) -> None:
    """The spaces of one panel, the first one at the top."""
    for height, space in enumerate(spaces.reset_index(drop=True).itertuples()):
        colour, marker = COLOURS.get(space.family, GREY), MARKERS.get(space.family, "o")
        if pd.notna(getattr(space, "low", None)):
            ax.plot([space.low, space.high], [height] * 2, color=colour, linewidth=1.8)
            sign = {"color": colour}
        else:
            sign = {"markerfacecolor": "white", "markeredgecolor": INK}
        ax.plot(space.value, height, marker, markersize=7, **sign)
    ax.set_yticks(range(len(spaces)), spaces["name"])
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(len(spaces) - 0.5, -0.5)
    ax.grid(axis="x")
    ax.grid(False, axis="y")
