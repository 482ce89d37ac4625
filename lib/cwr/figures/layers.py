"""Draws measures against the layer: curves, points with intervals, controls, background models.

    L = layers that a model has values for

The tables are tidy (`cwr.tables`): model, family, layer, measure, value; ours also low and high,
the 95 % interval.
"""

from collections import Counter
from collections.abc import Collection, Iterator

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from cwr.figures.style import COLOURS, FILLINGS, GREY, INK, LINES, MARKERS, PUBLISHED, SHADE, rank
from cwr.tables import UNTRAINED, where

DEPTH = "relative depth (layer / number of layers)"
LAYER = "layer (0 = uncontextualised input of the first block)"
DOTTED = (0, (1, 1.5))
CROSS = "x"  # of the longer run of a model
MOST_MARKERS = 16  # of a curve; more would hide its dashes
UNTRAINED_LINES = dict(zip(UNTRAINED, (DOTTED, (0, (5, 1.5, 1, 1.5))), strict=True))

Curve = tuple[tuple[str, str], pd.DataFrame]  # (model, family), its rows


def curves_by_model(table: pd.DataFrame, y: str, **keys: object) -> Iterator[Curve]:
    """Yields ((model, family), rows in order of layers) for each model with the measure y.

    The order is that of the families, the same in every figure. keys: further key columns.
    """
    models = where(table, measure=y, **keys).groupby(["model", "family"], sort=False)
    for (model, family), rows in sorted(models, key=lambda group: rank(group[0][1])):
        yield (model, family), rows.sort_values("layer")


def _layers(rows: pd.DataFrame) -> np.ndarray:
    """Returns the layers of a curve, (L,)."""
    return rows["layer"].to_numpy(dtype=float)


def _depths(rows: pd.DataFrame) -> np.ndarray:
    """Returns the layers of a curve divided by the last of them, (L,)."""
    return _layers(rows) / rows["layer"].max()


def _values(rows: pd.DataFrame) -> np.ndarray:
    """Returns the values of a curve, (L,)."""
    return rows["value"].to_numpy(dtype=float)


def by_layer(
    ax: plt.Axes,
    table: pd.DataFrame | None,
    y: str,
    published: pd.DataFrame | None = None,
    relative: bool = False,
    connected: bool = True,
    **keys: object,
) -> None:
    """Draws a measure against the layer: ours solid with a 95 % band, published points hollow.

    table, published: tidy tables, ours with low and high; None draws nothing. y: the measure.
    relative: draws against depth, layer / L, so that models of different depth share an axis.
    connected: True draws a line with a band; False draws points with intervals as bars.
    keys: further key columns (estimator="pca").
    """
    x_of = _depths if relative else _layers
    if table is not None:
        models_of_family = Counter()
        for (model, family), rows in curves_by_model(table, y, **keys):
            draw = _solid if connected else _points
            draw(ax, x_of(rows), rows, model, family, models_of_family[family] % len(LINES))
            models_of_family[family] += 1
    if published is not None:
        models_of_family = Counter()
        for (model, family), rows in curves_by_model(published, y, **keys):
            _hollow(ax, x_of(rows), rows, model, family, models_of_family[family] % len(LINES))
            models_of_family[family] += 1
    ax.set_xlabel(DEPTH if relative else LAYER)
    if not relative:
        ax.xaxis.get_major_locator().set_params(integer=True)


def by_k(ax: plt.Axes, table: pd.DataFrame, y: str, xlabel: str) -> None:
    """Draws a measure against the key column k (a bin, a rank), as `by_layer` against the layer."""
    by_layer(ax, table.assign(layer=pd.to_numeric(table["k"])), y)
    ax.set_xlabel(xlabel)


def _solid(
    ax: plt.Axes, x: np.ndarray, rows: pd.DataFrame, model: str, family: str, number: int
) -> None:
    """Draws a curve at x, (L,), with the band of its intervals; a family's models are numbered."""
    colour, marker = COLOURS.get(family, GREY), MARKERS.get(family, "X")
    ax.plot(
        x,
        _values(rows),
        linestyle=LINES[number],
        color=colour,
        marker=marker,
        markersize=5,
        markerfacecolor=(colour, "white", colour + SHADE, "white")[number],
        markevery=1 + len(rows) // MOST_MARKERS,
        label=model,
        zorder=3,
        gid=family,
    )
    low = rows["low"].to_numpy(dtype=float)
    high = rows["high"].to_numpy(dtype=float)
    ax.fill_between(x, low, high, color=colour, alpha=0.18, linewidth=0)


def _points(
    ax: plt.Axes, x: np.ndarray, rows: pd.DataFrame, model: str, family: str, number: int
) -> None:
    """Draws points at x, (L,), with intervals; models of a family differ by their filling."""
    colour = COLOURS[family]
    ax.vlines(x, rows["low"].astype(float), rows["high"].astype(float), color=colour, linewidth=2)
    ax.plot(
        x,
        _values(rows),
        linestyle="none",
        color=colour,
        marker=MARKERS[family],
        markersize=6,
        fillstyle=FILLINGS[number],
        label=model,
        zorder=3,
        gid=family,
    )


def _hollow(
    ax: plt.Axes, x: np.ndarray, rows: pd.DataFrame, model: str, family: str, number: int
) -> None:
    """Draws the points of a published model at x, (L,), without a line; the second half filled."""
    ax.plot(
        x,
        _values(rows),
        linestyle="none",
        marker=MARKERS[family],
        markersize=6,
        fillstyle=FILLINGS[number],
        markerfacecolor=COLOURS[family] + ("" if number else SHADE),
        markerfacecoloralt="white",
        markeredgecolor=INK,
        markeredgewidth=0.9,
        label=model + PUBLISHED,
        gid=family,
    )


def reference(ax: plt.Axes, table: pd.DataFrame, y: str, label: str, **keys: object) -> None:
    """Draws a null or a control against the relative depth as a dotted curve in the model's colour.

    Arguments as `by_layer`. label: the curve's name in the legend.
    """
    for (model, family), rows in curves_by_model(table, y, **keys):
        ax.plot(
            _depths(rows),
            _values(rows),
            linestyle=DOTTED,
            color=COLOURS[family],
            marker=MARKERS[family],
            markersize=3,
            linewidth=1.5,
            label=f"{label}, {model}",
            gid=family,
        )


def untrained(ax: plt.Axes, table: pd.DataFrame, y: str, **keys: object) -> None:
    """Draws untrained copies against the relative depth: a dotted band per model and kind of copy.

    The band goes from the lowest to the highest copy, the line through their mean. table: rows of
    copies, with `variant` and `seed` (`cwr.tables.UNTRAINED`). Other arguments as `by_layer`.
    """
    for kind in UNTRAINED:
        for (_, family), rows in curves_by_model(table, y, variant=kind, **keys):
            copies = rows.groupby("layer")["value"].agg(["min", "mean", "max"]).astype(float)
            depths = copies.index.to_numpy(dtype=float) / copies.index.max()
            colour = COLOURS[family]
            ax.fill_between(depths, copies["min"], copies["max"], color=colour, alpha=0.12, lw=0)
            ax.plot(depths, copies["mean"], linestyle=UNTRAINED_LINES[kind], color=colour, lw=1.5)


def longer(
    ax: plt.Axes, table: pd.DataFrame, y: str, ours: Collection[str] = (), **keys: object
) -> None:
    """Draws a longer run against the relative depth: crosses, or a broken line for another model.

    ours: the models of the panel, whose longer run has a cross for each layer and no legend entry.
        Other arguments as `by_layer`.
    """
    others = 0
    for (model, family), rows in curves_by_model(table, y, **keys):
        if model not in ours:
            others += 1
            line = 1 + (others - 1) % (len(LINES) - 1)
            _solid(ax, _depths(rows), rows, f"{model}, longer run", family, line)
            continue
        ax.plot(
            _depths(rows),
            _values(rows),
            linestyle="none",
            marker=CROSS,
            markersize=7,
            markeredgewidth=1.5,
            color=COLOURS[family],
            gid=family,
        )


def context(ax: plt.Axes, table: pd.DataFrame, y: str, named: bool = True, **keys: object) -> None:
    """Draws other models against the relative depth: thin and grey, each named at its end.

    named: False where a panel beside this one names them. Other arguments as `by_layer`.
    """
    for (model, _), rows in curves_by_model(table, y, **keys):
        x, values = _depths(rows), _values(rows)
        ax.plot(x, values, color=GREY, linewidth=1, zorder=1)
        if named:
            ax.annotate(
                model,
                (x[-1], values[-1]),
                xytext=(7, 0),
                textcoords="offset points",
                va="center",
                fontsize=9,
                color=GREY,
            )
