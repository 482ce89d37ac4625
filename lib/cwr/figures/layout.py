"""Finds faults in the layout of a figure: text cut off or colliding, series unnamed, panels empty.

A *series* is a line of at least three points, or a group of bars. Single points and intervals are
rows, which the labels of an axis name.
"""

import itertools
from collections.abc import Iterator

import matplotlib.pyplot as plt
from matplotlib.axis import Axis
from matplotlib.colors import same_color
from matplotlib.gridspec import SubplotSpec
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.transforms import Bbox

SLACK = 1.0  # pixels, at 100 an inch: what antialiasing and rounding may add
GAP = 2.0  # pixels: between two labels of a horizontal axis
SERIES = 3  # points
MARKS = {"v": "triangle", "^": "triangle", "o": "circle", "s": "square", "D": "diamond"}


def faults(fig: plt.Figure, caption: str = "") -> list[str]:
    """Lists the faults of a figure's layout, a sentence each; [] if there are none.

    Faults are text outside the canvas, tick labels that overlap, series that neither a legend nor
    the caption names, series of one panel that look alike, panels and cells of the grid without
    content.
    """
    fig.draw_without_rendering()  # legends lie where the last draw, in another resolution, had them
    found = [*_outside(fig)]
    for ax in _visible(fig):
        found += [*overlaps(ax.xaxis), *overlaps(ax.yaxis)]
        found += _alike(ax)
    return [*dict.fromkeys([*found, *_unnamed(fig, caption), *_empty(fig)])]


def _visible(fig: plt.Figure) -> list[plt.Axes]:
    return [ax for ax in fig.axes if ax.get_visible()]


# ---- text


def _box(text: Text) -> Bbox:
    return text.get_window_extent(text.figure.canvas.get_renderer())


def _outside(fig: plt.Figure) -> Iterator[str]:
    """Yields text that leaves the canvas."""
    unseen = {label for ax in fig.axes for _, label, is_drawn in _ticks(ax) if not is_drawn}
    canvas = fig.bbox.padded(SLACK)
    for text in fig.findobj(Text):
        if not text.get_visible() or not text.get_text().strip() or text in unseen:
            continue
        box = _box(text)
        if not (canvas.contains(*box.min) and canvas.contains(*box.max)):
            yield f"{text.get_text()!r} leaves the canvas"


def _ticks(ax: plt.Axes) -> Iterator[tuple[Axis, Text, bool]]:
    """Yields (axis, label, whether it is drawn) of each tick of a panel."""
    for axis in (ax.xaxis, ax.yaxis):
        first, last = sorted(axis.get_view_interval())
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
            label = tick.label1
            is_written = label.get_visible() and bool(label.get_text().strip())
            yield axis, label, ax.axison and is_written and first <= tick.get_loc() <= last


def overlaps(axis: Axis) -> Iterator[str]:
    """Yields pairs of tick labels of an axis that overlap, or that touch side by side."""
    drawn = [label for of, label, is_drawn in _ticks(axis.axes) if of is axis and is_drawn]
    labels = [label for label in drawn if label.get_rotation() % 90 == 0]  # else: no box
    for one, other in itertools.combinations(labels, 2):
        is_a_row = axis.axis_name == "x" and one.get_rotation() % 180 == 0
        gap = GAP if is_a_row else -2 * SLACK
        if _box(one).padded(gap / 2).overlaps(_box(other).padded(gap / 2)):
            yield f"the labels {one.get_text()!r} and {other.get_text()!r} overlap"


# ---- series


def curves(ax: plt.Axes) -> list[Line2D]:
    """Lists the lines of a panel that are a series."""
    return [line for line in ax.lines if line.get_visible() and len(line.get_xdata()) >= SERIES]


def _sign(line: Line2D) -> tuple:
    """Returns what tells a line from others in grey print: marker, its filling, dashes."""
    marker, dashes = line.get_marker(), line._dash_pattern
    is_marked = marker not in ("None", "none", "", " ", None)
    is_hollow = is_marked and not same_color(line.get_markerfacecolor(), line.get_color())
    filling = (marker, line.get_fillstyle(), is_hollow) if is_marked else None
    return filling, str(dashes) if line.get_linestyle() != "None" else None


def _alike(ax: plt.Axes) -> Iterator[str]:
    """Yields labels of series of one panel that have one colour and one sign."""
    named = [line for line in curves(ax) if not line.get_label().startswith("_")]
    for one, other in itertools.combinations(named, 2):
        is_other = one.get_label() != other.get_label()
        has_one_colour = same_color(one.get_color(), other.get_color())
        if is_other and has_one_colour and _sign(one) == _sign(other):
            yield f"{one.get_label()!r} and {other.get_label()!r} look alike"


def _unnamed(fig: plt.Figure, caption: str) -> Iterator[str]:
    """Yields series that neither a text nor the caption names, where a panel has several signs."""
    legends = [*fig.legends, *(ax.get_legend() for ax in fig.axes if ax.get_legend())]
    handles = [handle for legend in legends for handle in legend.legend_handles]
    signs = {part for handle in handles if isinstance(handle, Line2D) for part in _parts(handle)}
    words = " ".join(text.get_text() for text in fig.findobj(Text) if text.get_visible())
    for ax in _visible(fig):
        series = curves(ax)
        has_several = len({tuple(_parts(line)) for line in series}) > 1
        for line in series if has_several else []:
            label = line.get_label()
            sign = _parts(line)[-1]
            is_named = sign in signs if label.startswith("_") else label in words
            if not is_named and not _told(line, caption):
                yield f"nothing names the series {label!r}, drawn as {sign}"


def _told(line: Line2D, caption: str) -> bool:
    """Returns whether a caption says what an unlabelled line's dashes, or its markers, stand for."""
    filling, _ = _sign(line)
    words = [MARKS.get(filling[0], filling[0])] if filling else []
    if line.get_linestyle() not in ("-", "None"):
        words += ["dash", "dot"]
    elif not filling:
        words += ["line", "solid"]
    is_auxiliary = line.get_label().startswith("_")
    return is_auxiliary and any(word in caption.lower() for word in words)


def _parts(line: Line2D) -> list[str]:
    """Returns the signs of a line by which a legend may name it: its marker, then its dashes."""
    filling, dashes = _sign(line)
    return [part for part in (filling and str(filling[0]), dashes) if part]


# ---- panels


def _empty(fig: plt.Figure) -> Iterator[str]:
    """Yields panels without content, and cells of the grid that no panel and no legend fills."""
    for ax in _visible(fig):
        content = [ax.lines, ax.collections, ax.patches, ax.images, ax.texts]
        if ax.axison and not any(content):
            yield f"the panel {ax.get_title(loc='left')!r} is empty"
    if cells := vacant(fig):
        yield f"{len(cells)} cells of the grid are vacant"


def vacant(fig: plt.Figure) -> list[SubplotSpec]:
    """Lists the cells of a figure's grid that no panel fills, row by row."""
    specs = [spec for ax in _visible(fig) if (spec := ax.get_subplotspec())]
    if not specs:
        return []
    grid = specs[0].get_gridspec()
    filled = {
        cell
        for spec in specs
        if spec.get_gridspec() is grid
        for cell in itertools.product(spec.rowspan, spec.colspan)
    }
    cells = itertools.product(range(grid.nrows), range(grid.ncols))
    return [grid[cell] for cell in cells if cell not in filled]
