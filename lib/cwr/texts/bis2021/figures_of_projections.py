"""Draws the rows of embedding matrices on two vectors, and what these tell of a token's frequency.

Biś et al. (2021), Figure 1.
"""

import matplotlib.pyplot as plt
import pandas as pd

from cwr.figures.families import panels
from cwr.figures.finish import headline
from cwr.figures.style import COLOURS, GREY, SMALL, paper_style
from cwr.tables import by_family, where

COLUMNS = {"index": "index (row number / rows)", "log_count": "log10 of frequency (×: never)"}
DOT = {"s": 7, "linewidths": 0, "antialiased": False, "rasterized": True}
HEIGHT = 0.42  # of a bar, of the distance between two models


def on_first_vectors(points: pd.DataFrame, title: str, notes: pd.Series) -> plt.Figure:
    """Draws each model's rows on two singular vectors, a panel per model, with lines at the origin.

    points: a row each, with the columns model, family, x and y. notes: a text for each model, above
    its panel.
    """
    with paper_style():
        models = by_family(points)
        fig, axes = panels(models, title, sharex=False, sharey=False)
        for model, ax in zip(models, axes, strict=True):
            rows = where(points, model=model)
            ax.scatter(rows["x"], rows["y"], color=COLOURS[rows["family"].iloc[0]], **DOT)
            ax.set_title(notes[model], loc="right", fontsize=SMALL)
            ax.axhline(0, color=GREY, linewidth=0.8, zorder=0)
            ax.axvline(0, color="black", linewidth=1.2, zorder=0)
            ax.grid(False)
        fig.supxlabel("score on the first vector")
        fig.supylabel("score on the second vector")
    return fig


def explained(points: pd.DataFrame, shares: pd.DataFrame, example: str, title: str) -> plt.Figure:
    """Draws explained variances as paired bars, and below them the rows of one model in two colours.

    points: as `on_first_vectors`, and with the columns `index` and `log_count`. shares: R² in the
    columns `index` and `log_count`, a row per model, in the order of the bars. example: the model
    whose rows are drawn.
    """
    with paper_style():
        shape = {"figsize": (6.8, 4.4 + 0.7 * len(shares)), "height_ratios": (1.5 * len(shares), 7)}
        fig, grid = plt.subplots(2, 2, **shape)
        for ax in grid[0]:
            ax.remove()
        _bars(fig.add_subplot(grid[0, 0].get_gridspec()[0, :]), points, shares)
        rows = where(points, model=example)
        for ax, (column, label) in zip(grid[1], COLUMNS.items(), strict=True):
            _scatter(ax, rows, column)
            ax.set(title=example, xlabel="score on component 1")
            bar = {"location": "bottom", "label": label, "aspect": 30, "shrink": 0.9}
            fig.colorbar(ax.collections[-1], ax=ax, **bar)
        grid[1, 0].set_ylabel("score on component 2")
        headline(fig, title)
    return fig


def _bars(ax: plt.Axes, points: pd.DataFrame, shares: pd.DataFrame) -> None:
    """Draws two bars per model, with their values: of the index in grey, of log frequency in colour."""
    families = points.drop_duplicates("model").set_index("model")["family"]
    for height, (model, row) in enumerate(shares.iterrows()):
        signs = {"log_count": ("log frequency", COLOURS[families[model]], 0.5)}
        signs["index"] = ("index", GREY, -0.5)
        for column, (name, colour, side) in signs.items():
            at = -height + side * HEIGHT
            ax.barh(at, row[column], HEIGHT, color=colour)
            ax.text(
                row[column] + 0.01, at, f"{row[column]:.2f} {name}", va="center", fontsize=SMALL
            )
    ax.set_yticks([-number for number in range(len(shares))], shares.index)
    ax.set(xlim=(0, 1), xlabel="R²: share of the variance that the two scores explain")
    ax.tick_params(axis="y", length=0)
    ax.grid(False, axis="y")


def _scatter(ax: plt.Axes, rows: pd.DataFrame, column: str) -> None:
    """Draws the rows of one model in the colours of a column; crosses are rows without a value."""
    has_value = rows[column].notna()
    bare, coloured = rows[~has_value], rows[has_value]
    ax.scatter(bare["x"], bare["y"], color=GREY, **DOT | {"marker": "x", "linewidths": 0.5})
    ax.scatter(coloured["x"], coloured["y"], c=coloured[column], cmap="viridis", **DOT)
    for line in (ax.axhline, ax.axvline):
        line(0, color=GREY, linewidth=0.8, zorder=0)
    ax.grid(False)
