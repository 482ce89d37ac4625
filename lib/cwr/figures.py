"""Figures in one style: one colour, marker and place a family, the published numbers hollow beside ours."""
import contextlib
import io
from collections import Counter, defaultdict
from collections.abc import Iterator

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython.display import display

from cwr.tables import FAMILIES, where

COLOURS = {"bilstm": "#BF8A1E", "masked": "#2468C4", "causal": "#9C2416", "sentence": "#1E9080", "static": "#45125F"}
MARKERS = {"bilstm": "o", "masked": "s", "causal": "^", "sentence": "D", "static": "v"}
LINES = ("-", "--", ":", "-.")                              # models of one family differ by line, never by hue
PUBLISHED = " (published)"
INK, GREY, GRID = "#1A1A1A", "#7A7A7A", "#E4E4E4"
STYLE = {
    "figure.figsize": (6.8, 3.6), "figure.dpi": 100, "figure.facecolor": "white", "savefig.facecolor": "white",
    "font.size": 12, "axes.titlesize": 13, "axes.titlelocation": "left", "axes.edgecolor": INK, "text.color": INK,
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "axes.grid.axis": "y",
    "grid.color": GRID, "axes.axisbelow": True, "legend.frameon": False, "legend.fontsize": 11, "lines.linewidth": 1.8,
    "font.family": "DejaVu Sans", "figure.constrained_layout.use": True}


@contextlib.contextmanager
def paper_style() -> Iterator[None]:
    """The book's matplotlib style, for the figures made inside."""
    with plt.rc_context(STYLE):
        yield


def by_layer(ax: plt.Axes, table: pd.DataFrame, y: str, published: pd.DataFrame | None = None,
             relative: bool = False, **keys: str) -> None:
    """Draw a measure against the layer: ours solid with a 95 % band, published hollow, on the same axes.

    table, published: tidy tables (model, family, layer, measure, value; ours also low, high). y: the measure.
    relative: depth layer / L, for models of different depth on one axis. keys: further columns (estimator="pca").
    """
    for source, ours in ((table, True), (published, False)):
        if source is None:
            continue
        seen: Counter[str] = Counter()
        for (model, family), part in _curves(source, y, **keys):
            x = part["layer"].to_numpy(dtype=float) / (part["layer"].max() if relative else 1)
            _draw(ax, x, part, model, family, LINES[seen[family] % len(LINES)], ours)
            seen[family] += 1
    ax.set_xlabel("relative depth (layer / number of layers)" if relative
                  else "layer (0 = uncontextualised input of the first block)")
    if not relative:
        ax.xaxis.get_major_locator().set_params(integer=True)


def _curves(table: pd.DataFrame, y: str, **keys: str):
    """((model, family), its rows by layer), in the order of the families: the same in every figure."""
    for who, part in sorted(where(table, measure=y, **keys).groupby(["model", "family"], sort=False),
                            key=lambda curve: _rank(curve[0][1])):
        yield who, part.sort_values("layer")


def _rank(family: str | None) -> int:
    return FAMILIES.index(family) if family in FAMILIES else len(FAMILIES)


def _draw(ax: plt.Axes, x: np.ndarray, part: pd.DataFrame, model: str, family: str, line: str, ours: bool) -> None:
    colour, marker, y = COLOURS[family], MARKERS[family], part["value"].to_numpy(dtype=float)
    if not ours:
        ax.plot(x, y, linestyle="none", marker=marker, markersize=6, markerfacecolor=colour + "33",
                markeredgecolor=INK, markeredgewidth=0.9, label=model + PUBLISHED, gid=family)
        return
    ax.plot(x, y, linestyle=line, color=colour, marker=marker, markersize=5, label=model, zorder=3, gid=family)
    low, high = part["low"].to_numpy(dtype=float), part["high"].to_numpy(dtype=float)
    ax.fill_between(x, low, high, color=colour, alpha=0.18, linewidth=0)


def by_words(ax: plt.Axes, table: pd.DataFrame, y: str, labels: str = "model", **keys: object) -> None:
    """Draw a measure against the words that a model had read when it was taken, on a logarithmic axis.

    table: model, family, words, measure, value. One line for each of `labels` ("model" or another column), in the
    family's colour; keys choose rows as in `by_layer`. What was taken before the first word stands at the left end.
    """
    chosen = where(table, measure=y, **keys)
    for number, (label, part) in enumerate(chosen.groupby(labels, sort=False)):
        part, family = part.sort_values("words"), part["family"].iloc[0]
        line = LINES[0] if labels == "model" else LINES[number % len(LINES)]
        ax.plot(part["words"].clip(lower=part["words"][part["words"] > 0].min() / 3), part["value"], linestyle=line,
                color=COLOURS[family], marker=MARKERS[family], markersize=4, label=str(label))
    ax.set_xscale("log")
    ax.set_xlabel("words read")


def reference(ax: plt.Axes, table: pd.DataFrame, y: str, label: str, **keys: str) -> None:
    """Draw what a curve would be if nothing happened (a null, a control): dotted, in the model's colour."""
    for (model, family), part in _curves(table, y, **keys):
        x = part["layer"].to_numpy(dtype=float) / part["layer"].max()
        ax.plot(x, part["value"].to_numpy(dtype=float), linestyle=(0, (1, 1.5)), color=COLOURS[family], linewidth=1.5,
                label=f"{label}, {model}", gid=family)


def context(ax: plt.Axes, table: pd.DataFrame, y: str, **keys: str) -> None:
    """Draw other models thin and grey behind the curves that matter, each named at its end."""
    for (model, _), part in _curves(table, y, **keys):
        x, value = part["layer"].to_numpy(dtype=float) / part["layer"].max(), part["value"].to_numpy(dtype=float)
        ax.plot(x, value, color=GREY, linewidth=1, zorder=1)
        ax.annotate(model, (x[-1], value[-1]), xytext=(4, 0), textcoords="offset points", fontsize=9, color=GREY)


def bars(ax: plt.Axes, table: pd.DataFrame, y: str, published: pd.DataFrame | None = None, **keys: str) -> None:
    """Bars by relative depth, one colour a family, with 95 % intervals; published values as hollow points.

    Arguments as `by_layer`. The axis covers the bars and the points, negatives included.
    """
    shown = list(_curves(table, y, **keys))
    depths = np.unique([layer / part["layer"].max() for _, part in shown for layer in part["layer"]])
    width = 0.8 * np.diff(depths).min(initial=1, where=np.diff(depths) > 1e-9) / len(shown)      # no bar hides another
    for number, ((model, family), part) in enumerate(shown):
        value, depth = part["value"].to_numpy(dtype=float), part["layer"].max()
        x = part["layer"].to_numpy(dtype=float) / depth + (number - (len(shown) - 1) / 2) * width
        errors = np.abs(part[["low", "high"]].to_numpy(dtype=float).T - value)
        ax.bar(x, value, width, color=COLOURS[family], label=model, yerr=errors, ecolor=INK, zorder=2, gid=family,
               error_kw={"linewidth": 0.8})
        ax.plot(x, value, linestyle="none", marker=MARKERS[family], markersize=3, color=INK, zorder=3)   # for grey
    if published is not None:
        for (model, family), part in _curves(published, y, **keys):
            _draw(ax, part["layer"].to_numpy(dtype=float) / part["layer"].max(), part, model, family, "", ours=False)
    ax.axhline(0, color=INK, linewidth=0.8)
    ax.set_xlabel("relative depth (layer / number of layers)")


def below_a_line(panels: dict[str, tuple[pd.DataFrame, tuple]], x: str, y: str, labels: tuple[str, str],
                 title: str) -> plt.Figure:
    """Panels, two a row, of points and a line: filled triangles are the points below it, hollow circles the others.

    panels: {name: (points, line)}: points have the columns x, y and `below` (bool); line: (x values, y values).
    labels: of the two axes.
    """
    with paper_style():
        fig, axes = plt.subplots(len(panels) // 2, 2, figsize=(6.8, 1.4 * len(panels)), squeeze=False)
        for ax, (name, (points, line)) in zip(axes.flat, panels.items(), strict=True):
            ax.plot(*line, color=INK, linewidth=1.4)
            for below, marker, face in ((True, "v", COLOURS["causal"]), (False, "o", "none")):
                part = points[points["below"] == below]
                ax.plot(part[x], part[y], linestyle="none", marker=marker, markersize=6, markerfacecolor=face,
                        markeredgecolor=INK, markeredgewidth=0.8)
            ax.set_title(f"{name}: {int(points['below'].sum())} of {len(points)} below", fontsize=12)
        for ax in axes[-1]:
            ax.set_xlabel(labels[0])
        for ax in axes[:, 0]:
            ax.set_ylabel(labels[1])
        fig.suptitle(title, x=0.02, ha="left", fontsize=13)
    return fig


def beside_layers(panels: dict[str, tuple[str, pd.DataFrame, list[tuple[float, str]]]], published: pd.DataFrame,
                  ylabel: str, title: str) -> plt.Figure:
    """Panels of published curves over 12 layers, scores without a layer as named points left of them, levels dashed.

    panels: {name: (measure, others, levels)}: others have the columns family, value and `label`, one point a row;
    levels: (value, label). The y-axis is that of a score between 0 and 1.
    """
    with paper_style():
        fig, axes = plt.subplots(len(panels), 1, figsize=(6.8, 4.1 * len(panels)), sharex=True, sharey=True)
        for ax, (name, (measure, others, levels)) in zip(axes, panels.items(), strict=True):
            for level, label in levels:
                ax.axhline(level, color=GREY, linestyle="--", linewidth=1.1)
                ax.text(12.4, level - 0.012, label, ha="right", va="top", fontsize=10.5, color="#5A5A5A")
            by_layer(ax, published[:0], measure, published=published)
            _named_points(ax, others)
            ax.set(xlabel="", ylabel=ylabel, ylim=(0, 1.04), xlim=(-3.4, 12.5))
            ax.text(-3.3, 1.06, name, fontsize=11.5)
        axes[-1].set(xticks=range(1, 13), xlabel="layer (1 = output of the first block; the paper's layer 0)")
        fig.suptitle(title, x=0.02, ha="left", fontsize=13)
    return fig


def _named_points(ax: plt.Axes, others: pd.DataFrame) -> None:
    """Hollow points left of layer 0, each with its label; labels keep apart."""
    place = -1.0
    for row in others.sort_values("value").itertuples():
        family = row.family if isinstance(row.family, str) else None
        ax.plot(-0.4, row.value, marker=MARKERS.get(family, "x"), markersize=6, linestyle="none",
                markerfacecolor=COLOURS.get(family, GREY) + "33", markeredgecolor=INK)
        place = max(place + 0.05, row.value - 0.02)
        ax.text(-0.7, place, row.label, fontsize=10.5, va="center", ha="right", bbox={"color": "white", "pad": 0.5})


def cover(ax: plt.Axes, low: float, high: float) -> None:
    """Let the y-axis show at least [low, high], the paper's range, and more if the data leave it."""
    bottom, top = ax.get_ylim()
    ax.set_ylim(min(low, bottom), max(high, top))


def legend_below(fig: plt.Figure, ax: plt.Axes) -> None:
    """One legend for the figure, below the axes, so that the panels keep the width of a phone.

    A column is a family: ours above what was published of the same family. With one family, or without, three columns.
    """
    for each in fig.axes:
        each.label_outer()
    columns = defaultdict(list)
    for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
        columns[(handle[0] if isinstance(handle, tuple) else handle).get_gid()].append((handle, label))
    by_rank = [sorted(columns[family], key=lambda entry: entry[1].endswith(PUBLISHED))      # bars come after points
               for family in sorted(columns, key=_rank)]
    if len(by_rank) < 2:
        fig.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=3, columnspacing=1.2)
        return
    longest, blank = max(map(len, by_rank)), (plt.Line2D([], [], linestyle="none"), " ")
    entries = [entry for column in by_rank for entry in column + [blank] * (longest - len(column))]
    fig.legend(*zip(*entries, strict=True), loc="outside lower center", ncols=len(by_rank), columnspacing=1.0,
               handletextpad=0.5, handlelength=1.6)


def describe(table: pd.DataFrame, y: str, published: pd.DataFrame | None = None, **keys: str) -> str:
    """Alt text made from the plotted data: what is seen, per model, and where the published points lie."""
    parts = [f"{y.replace('_', ' ').capitalize()} by layer, values from the figure's data."]
    for (model, _), part in _curves(table, y, **keys):
        parts.append(f"{model}: {_course(part)}.")
    if published is not None:
        parts += [f"Published {model}, hollow points: {_course(part)}."
                  for (model, _), part in _curves(published, y, **keys)]
    return " ".join(parts)


def _course(part: pd.DataFrame) -> str:
    values, layers = part["value"].to_numpy(dtype=float), part["layer"].to_numpy(dtype=int)
    low, high = values.argmin(), values.argmax()
    return (f"{values[0]:.2f} at layer {layers[0]}, {values[-1]:.2f} at layer {layers[-1]}, lowest {values[low]:.2f} "
            f"at layer {layers[low]}, highest {values[high]:.2f} at layer {layers[high]}")


def show(fig: plt.Figure, alt: str) -> None:
    """Show a figure as PNG with an alternative text, then close it.

    The text is also the output's plain text, so that it is compared when notebooks are tested and read where
    pictures are not; `run_notebook.py` copies it to where the book's builder looks.
    """
    buffer = io.BytesIO()
    fig.savefig(buffer, format="png", dpi=200)
    plt.close(fig)
    width = int(fig.get_figwidth() * 100)
    display({"image/png": buffer.getvalue(), "text/plain": alt}, raw=True,
            metadata={"image/png": {"alt": alt, "width": width}})
