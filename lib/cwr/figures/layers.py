"""Measures against the layer: curves with intervals, bars, controls, models in the background.

    L = layers that a model has values for

The tables are tidy (`cwr.tables`): model, family, layer, measure, value; ours also low and high,
the 95 % interval.
"""

from collections import Counter
from collections.abc import Iterator

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from cwr.figures.style import COLOURS, GREY, INK, LINES, MARKERS, PUBLISHED, SHADE, rank
from cwr.tables import where

DEPTH = "relative depth (layer / number of layers)"
LAYER = "layer (0 = uncontextualised input of the first block)"
BAR_WIDTH = 0.8  # of the distance between two depths
DOTTED = (0, (1, 1.5))
SAME_DEPTH = 1e-9  # layer 1 of 3 and 2 of 6 differ by rounding only

Curve = tuple[tuple[str, str], pd.DataFrame]  # (model, family), its rows


def curves(table: pd.DataFrame, y: str, **keys: object) -> Iterator[Curve]:
    """((model, family), rows in the order of their layers) for each model that has the measure y.

    The order is that of the families, the same in every figure. keys: further key columns.
    """
    models = where(table, measure=y, **keys).groupby(["model", "family"], sort=False)
    for (model, family), rows in sorted(models, key=lambda group: rank(group[0][1])):
        yield (model, family), rows.sort_values("layer")


def _layers(rows: pd.DataFrame) -> np.ndarray:
    """The layers of a curve, (L,)."""
    return rows["layer"].to_numpy(dtype=float)


def _depths(rows: pd.DataFrame) -> np.ndarray:
    """The layers of a curve divided by the last of them, (L,)."""
    return _layers(rows) / rows["layer"].max()


def _values(rows: pd.DataFrame) -> np.ndarray:
    """The values of a curve, (L,)."""
    return rows["value"].to_numpy(dtype=float)


def by_layer(
    ax: plt.Axes,
    table: pd.DataFrame | None,
    y: str,
    published: pd.DataFrame | None = None,
    relative: bool = False,
    **keys: object,
) -> None:
    """Draw a measure against the layer: ours solid with a 95 % band, published points hollow.

    table, published: tidy tables, ours with low and high; None draws nothing. y: the measure.
    relative: depth layer / L, for models of different depth on one axis.
    keys: further key columns (estimator="pca").
    """
    x_of = _depths if relative else _layers
    if table is not None:
        models_of_family = Counter()
        for (model, family), rows in curves(table, y, **keys):
            line = LINES[models_of_family[family] % len(LINES)]
            _solid(ax, x_of(rows), rows, model, family, line)
            models_of_family[family] += 1
    if published is not None:
        for (model, family), rows in curves(published, y, **keys):
            _hollow(ax, x_of(rows), rows, model, family)
    ax.set_xlabel(DEPTH if relative else LAYER)
    if not relative:
        ax.xaxis.get_major_locator().set_params(integer=True)


def _solid(
    ax: plt.Axes, x: np.ndarray, rows: pd.DataFrame, model: str, family: str, line: str
) -> None:
    """A curve at x, (L,), with the band of its intervals."""
    colour, marker = COLOURS[family], MARKERS[family]
    ax.plot(
        x,
        _values(rows),
        linestyle=line,
        color=colour,
        marker=marker,
        markersize=5,
        label=model,
        zorder=3,
        gid=family,
    )
    low = rows["low"].to_numpy(dtype=float)
    high = rows["high"].to_numpy(dtype=float)
    ax.fill_between(x, low, high, color=colour, alpha=0.18, linewidth=0)


def _hollow(ax: plt.Axes, x: np.ndarray, rows: pd.DataFrame, model: str, family: str) -> None:
    """The points of a published model at x, (L,), without a line."""
    ax.plot(
        x,
        _values(rows),
        linestyle="none",
        marker=MARKERS[family],
        markersize=6,
        markerfacecolor=COLOURS[family] + SHADE,
        markeredgecolor=INK,
        markeredgewidth=0.9,
        label=model + PUBLISHED,
        gid=family,
    )


def reference(ax: plt.Axes, table: pd.DataFrame, y: str, label: str, **keys: object) -> None:
    """Draw a null or a control against the relative depth: dotted, in the model's colour.

    Arguments as `by_layer`. label: what the curve is, for the legend.
    """
    for (model, family), rows in curves(table, y, **keys):
        ax.plot(
            _depths(rows),
            _values(rows),
            linestyle=DOTTED,
            color=COLOURS[family],
            linewidth=1.5,
            label=f"{label}, {model}",
            gid=family,
        )


def context(ax: plt.Axes, table: pd.DataFrame, y: str, **keys: object) -> None:
    """Draw other models against the relative depth: thin and grey, each named at its end.

    Arguments as `by_layer`.
    """
    for (model, _), rows in curves(table, y, **keys):
        x, values = _depths(rows), _values(rows)
        ax.plot(x, values, color=GREY, linewidth=1, zorder=1)
        ax.annotate(
            model,
            (x[-1], values[-1]),
            xytext=(4, 0),
            textcoords="offset points",
            fontsize=9,
            color=GREY,
        )


def bars(
    ax: plt.Axes,
    table: pd.DataFrame,
    y: str,
    published: pd.DataFrame | None = None,
    **keys: object,
) -> None:
    """Draw a measure as bars by relative depth with 95 % intervals; published points hollow.

    Arguments as `by_layer`. No bar hides another, whatever the depths of the models.
    """
    models = list(curves(table, y, **keys))
    width = BAR_WIDTH * _least_distance(models) / len(models)
    for number, ((model, family), rows) in enumerate(models):
        x = _depths(rows) + (number - (len(models) - 1) / 2) * width
        values = _values(rows)
        errors = np.abs(rows[["low", "high"]].to_numpy(dtype=float).T - values)  # (2, L)
        ax.bar(
            x,
            values,
            width,
            color=COLOURS[family],
            label=model,
            yerr=errors,
            ecolor=INK,
            zorder=2,
            gid=family,
            error_kw={"linewidth": 0.8},
        )
        ax.plot(
            x, values, linestyle="none", marker=MARKERS[family], markersize=3, color=INK, zorder=3
        )  # the family's marker, for grey print
    if published is not None:
        for (model, family), rows in curves(published, y, **keys):
            _hollow(ax, _depths(rows), rows, model, family)
    ax.axhline(0, color=INK, linewidth=0.8)
    ax.set_xlabel(DEPTH)


def _least_distance(models: list[Curve]) -> float:
    """The least distance between two depths of any models, at most 1."""
    depths = np.unique(np.concatenate([_depths(rows) for _, rows in models]))
    distances = np.diff(depths)
    return distances.min(initial=1, where=distances > SAME_DEPTH)
