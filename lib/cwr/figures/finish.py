"""What closes a figure: the range of its axis, its legend, its alternative text, its output."""

import io
from collections import defaultdict

import matplotlib.pyplot as plt
import pandas as pd
from IPython.display import display
from matplotlib.artist import Artist

from cwr.figures.layers import curves
from cwr.figures.style import PUBLISHED, rank

Entry = tuple[object, str]  # a handle of the legend and its label


def cover(ax: plt.Axes, low: float, high: float) -> None:
    """Let the y-axis show at least [low, high], the paper's range; more if the data leave it."""
    bottom, top = ax.get_ylim()
    ax.set_ylim(min(low, bottom), max(high, top))


# ---- the legend


def legend_below(fig: plt.Figure, ax: plt.Axes) -> None:
    """One legend for the figure, below the axes, so that the panels keep the width of a phone.

    A column is a family: ours above what was published of it. With one family, or none, the entries
    stand in three columns in the order in which they were drawn.
    """
    for panel in fig.axes:
        panel.label_outer()
    handles, labels = ax.get_legend_handles_labels()
    columns = _by_family(handles, labels)
    if len(columns) < 2:
        fig.legend(handles, labels, loc="outside lower center", ncols=3, columnspacing=1.2)
        return
    entries = _filled(columns)
    fig.legend(
        *zip(*entries, strict=True),
        loc="outside lower center",
        ncols=len(columns),
        columnspacing=1.0,
        handletextpad=0.5,
        handlelength=1.6,
    )


def _by_family(handles: list, labels: list[str]) -> list[list[Entry]]:
    """The entries of each family, in the order of the families, what is published last.

    The order cannot be that of the axes, where bars come after points.
    """
    columns = defaultdict(list)
    for handle, label in zip(handles, labels, strict=True):
        columns[_artist(handle).get_gid()].append((handle, label))
    families = sorted(columns, key=rank)
    return [sorted(columns[family], key=_is_published) for family in families]


def _artist(handle: object) -> Artist:
    """What was drawn for a handle; bars have a tuple of artists."""
    return handle[0] if isinstance(handle, tuple) else handle


def _is_published(entry: Entry) -> bool:
    return entry[1].endswith(PUBLISHED)


def _filled(columns: list[list[Entry]]) -> list[Entry]:
    """All entries, column after column, with blanks below the shorter columns."""
    longest = max(map(len, columns))
    blank = (plt.Line2D([], [], linestyle="none"), " ")
    entries = []
    for column in columns:
        entries += column + [blank] * (longest - len(column))
    return entries


# ---- the alternative text and the output


def describe(
    table: pd.DataFrame, y: str, published: pd.DataFrame | None = None, **keys: object
) -> str:
    """Alternative text from the plotted data: each model's curve, then the published points.

    Arguments as `figures.by_layer`.
    """
    sentences = [f"{y.replace('_', ' ').capitalize()} by layer, values from the figure's data."]
    for (model, _), rows in curves(table, y, **keys):
        sentences.append(f"{model}: {_course(rows)}.")
    if published is not None:
        for (model, _), rows in curves(published, y, **keys):
            sentences.append(f"Published {model}, hollow points: {_course(rows)}.")
    return " ".join(sentences)


def _course(rows: pd.DataFrame) -> str:
    """First, last, lowest and highest value of a curve in words."""
    values = rows["value"].to_numpy(dtype=float)  # (L,)
    layers = rows["layer"].to_numpy(dtype=int)  # (L,)
    points = [f"{value:.2f} at layer {layer}" for value, layer in zip(values, layers, strict=True)]
    lowest, highest = points[values.argmin()], points[values.argmax()]
    return f"{points[0]}, {points[-1]}, lowest {lowest}, highest {highest}"


def show(fig: plt.Figure, alt: str) -> None:
    """Show a figure as PNG with an alternative text, then close it.

    The text is also the output's plain text, so that it is compared when notebooks are tested and
    read where pictures are not; `run_notebook.py` copies it to where the book's builder looks.
    """
    picture = io.BytesIO()
    fig.savefig(picture, format="png", dpi=200)
    plt.close(fig)
    width = int(fig.get_figwidth() * 100)
    output = {"image/png": picture.getvalue(), "text/plain": alt}
    display(output, raw=True, metadata={"image/png": {"alt": alt, "width": width}})
