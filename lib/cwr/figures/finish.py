"""Closes a figure: the range of its axis, its headline, its legend, and its output.

A figure is one picture in the notebook. Where the workflow runs the notebook, it also leaves
files beside the results: NAME.svg, the drawing, and NAME.csv, its numbers, which its caption links,
and NAME-phone.svg, which a narrow page shows in place of the drawing.
"""

import io
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from IPython.display import display
from matplotlib.artist import Artist
from matplotlib.colors import same_color, to_rgba
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from cwr import paths
from cwr.figures import phone
from cwr.figures.layout import faults, vacant
from cwr.figures.style import (
    BAND,
    GREY,
    HEADLINE,
    INTERVAL,
    LEGEND_BELOW,
    PUBLISHED,
    rank,
)

Entry = tuple[object, str]  # a handle of the legend and its label
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
HYPHEN = re.compile(r"(?<!\w)-(?=\d)")  # before a number; not the one within "SL-999"
DIGITS = "%.6g"  # of a number in a figure's csv
PHONE = "-phone.svg"  # ends the name of a drawing for phones
SAME_BYTES = {"svg.hashsalt": "cwr"}  # else the identifiers inside an SVG are drawn at random


def cover(ax: plt.Axes, low: float, high: float) -> None:
    """Widens the y-axis to show at least [low, high], such as the paper's range."""
    bottom, top = ax.get_ylim()
    ax.set_ylim(min(low, bottom), max(high, top))


def headline(fig: plt.Figure, title: str) -> None:
    """Writes the title of a figure, left-aligned, wrapped where needed; hyphens become minus signs."""
    title = HYPHEN.sub("\N{MINUS SIGN}", title)
    fig.suptitle(title, x=0.02, ha="left", fontsize=HEADLINE, wrap=True)


# ---- the legend


def legend_below(
    fig: plt.Figure, ax: plt.Axes, columns: int = 3, interval: str | None = None
) -> None:
    """Draws one legend for the figure, below the axes, so that panels can be as wide as a phone.

    ax: the panel that supplies the entries. Each family has a column, our models above the
        published ones. With one family, or none, the entries stand in `columns` columns, in the
        order in which they were drawn.
    interval: how 95 % intervals are drawn, BAND, UPRIGHT or LYING; the legend then names them.
    """
    above = {(cell.rowspan.start, cell.colspan.start) for cell in vacant(fig)}
    for panel in fig.axes:
        spec = panel.get_subplotspec()
        if (spec.rowspan.stop, spec.colspan.start) not in above:
            panel.label_outer()
        if len(panel.get_shared_y_axes().get_siblings(panel)) == 1:
            panel.tick_params(labelleft=True)  # a scale of its own
    handles, labels = ax.get_legend_handles_labels()
    families = _by_family(handles, labels)
    signs = [] if interval is None else [interval_sign(interval)]
    entries = [(sign, sign.get_label()) for sign in signs]
    if vacant(fig) or len(families) < 2:
        entries = [*zip(handles, labels, strict=True), *entries]
        place_legend(fig, *zip(*entries, strict=True), columns)
    else:
        widest = max(families, key=lambda column: max(len(label) for _, label in column))
        widest.extend(entries)
        entries = zip(*_filled(families), strict=True)
        place_legend(fig, *entries, len(families), handletextpad=0.5, handlelength=1.6)


def interval_sign(kind: str, trained: bool = False) -> Artist:
    """Returns a grey legend entry for 95 % intervals.

    kind: BAND, UPRIGHT or LYING. trained: whether other bands are those of untrained copies.
    """
    label = INTERVAL + " (trained)" * trained
    if kind == BAND:
        return Patch(color=GREY, alpha=0.3, linewidth=0, label=label)
    bar = {"linestyle": "none", "marker": kind, "markersize": 13, "markeredgewidth": 1.8}
    return Line2D([], [], color=GREY, label=label, **bar)


def place_legend(
    fig: plt.Figure, handles: Sequence, labels: Sequence[str], columns: int, **style: object
) -> bool:
    """Draws a legend in the cell of the grid that no panel fills, else below all panels.

    columns: their number in a legend below. style: further settings. Returns whether it lies below.
    Entries whose lines have several colours, such as one per panel, are grey.
    """
    handles = [_grey_if_many(fig, *entry) for entry in zip(handles, labels, strict=True)]
    cells = vacant(fig)
    if not cells:
        fig.legend(handles, labels, ncols=columns, **LEGEND_BELOW, **style)
        return True
    cell = fig.add_subplot(cells[0])
    cell.set_axis_off()
    legend = cell.legend(handles, labels, loc="center", **style)
    legend.set_in_layout(False)  # panels keep their widths
    return False


def _grey_if_many(fig: plt.Figure, handle: object, label: str) -> object:
    """Returns a line's sign in grey if lines of its label differ in colour, else the handle."""
    lines = [line for ax in fig.axes for line in ax.lines if line.get_label() == label]
    if not isinstance(handle, Line2D) or len({to_rgba(line.get_color()) for line in lines}) < 2:
        return handle
    sign = Line2D([], [])
    sign.update_from(handle)
    sign.set_color(GREY)
    *face, opacity = to_rgba(handle.get_markerfacecolor())
    if same_color(face, to_rgba(handle.get_color())[:3]):
        sign.set_markerfacecolor(to_rgba(GREY, opacity))
    return sign


def _by_family(handles: list, labels: list[str]) -> list[list[Entry]]:
    """Returns the entries of each family, in the order of the families, published ones last.

    The order cannot be that of the axes, where bars come after points.
    """
    columns = defaultdict(list)
    for handle, label in zip(handles, labels, strict=True):
        columns[_artist(handle).get_gid()].append((handle, label))
    families = sorted(columns, key=rank)
    return [sorted(columns[family], key=_is_published) for family in families]


def _artist(handle: object) -> Artist:
    """Returns the artist behind a handle; points with intervals have a tuple of artists."""
    return handle[0] if isinstance(handle, tuple) else handle


def _is_published(entry: Entry) -> bool:
    return entry[1].endswith(PUBLISHED)


def _filled(columns: list[list[Entry]]) -> list[Entry]:
    """Returns all entries, column after column, with blanks below the shorter columns."""
    longest = max(map(len, columns))
    blank = (plt.Line2D([], [], linestyle="none"), " ")
    entries = []
    for column in columns:
        entries += column + [blank] * (longest - len(column))
    return entries


# ---- the output


def show(fig: plt.Figure, alt: str, name: str, caption: str, numbers: pd.DataFrame) -> None:
    """Shows a figure as PNG, leaves its drawing and its numbers as files, and closes it.

    alt: describes the picture, the finding first. It is also the output's plain text: tests of
        notebooks compare it, and it is read where pictures are not.
    name: the files' name, and the figure's address in the book: lower-case words with hyphens.
    caption: self-contained Markdown that says what is plotted, on which data, with which finding.
        Caption and name travel in the output's metadata, with the faults of the layout;
        `run_notebook.py` takes them to where the book's builder looks.
    numbers: the frame that was plotted, without an index of its own; written as NAME.csv.
    Raises ValueError for a name that is no address.
    """
    if not NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a figure: lower-case words with hyphens, please")
    picture = png(fig)
    _leave_files(fig, name, numbers)
    described = {"alt": alt, "name": name, "caption": caption, "faults": faults(fig, caption)}
    described["width"] = int(fig.get_figwidth() * 100)
    _leave_for_phones(fig, name, caption)
    plt.close(fig)
    output = {"image/png": picture, "text/plain": alt}
    display(output, raw=True, metadata={"image/png": described})


def png(fig: plt.Figure) -> bytes:
    """Renders a figure as the PNG for pages, at twice the resolution of its width there."""
    picture = io.BytesIO()
    fig.savefig(picture, format="png", dpi=200)
    return picture.getvalue()


def _leave_files(fig: plt.Figure, name: str, numbers: pd.DataFrame) -> None:
    """Leaves the drawing and the numbers beside the notebook's results, if a workflow runs it."""
    drawing = paths.figure_file(f"{name}.svg")
    if drawing is not None:
        write_figure(fig, numbers, drawing.with_suffix(""))


def _leave_for_phones(fig: plt.Figure, name: str, caption: str) -> None:
    """Leaves a drawing for phones as well, if a workflow runs the notebook and the layout is sound."""
    drawing = paths.figure_file(f"{name}{PHONE}")
    if drawing is not None and phone.rearrange(fig, caption):
        _draw(fig, drawing)


def write_figure(fig: plt.Figure, numbers: pd.DataFrame, stem: Path) -> None:
    """Writes a figure's drawing to STEM.svg and its numbers, without their index, to STEM.csv.

    Two draws of one figure give the same bytes: no date, no random identifier.
    """
    _draw(fig, Path(f"{stem}.svg"))
    numbers.to_csv(f"{stem}.csv", index=False, float_format=DIGITS)


def _draw(fig: plt.Figure, drawing: Path) -> None:
    """Writes a figure to a file in SVG."""
    with plt.rc_context(SAME_BYTES):
        fig.savefig(drawing, format="svg", metadata={"Date": None})
