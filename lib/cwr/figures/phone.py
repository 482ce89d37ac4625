"""Lays a drawn figure out anew for a phone: narrow, with its panels below one another.

A phone shows a page's figure at half of its width, with letters of half the size. On a canvas
three fifths as wide the letters of the same figure can be read there.
"""

import re
import textwrap
import warnings

import matplotlib.pyplot as plt
from matplotlib.axis import Axis
from matplotlib.legend import Legend

from cwr.figures import layout
from cwr.figures.style import LEGEND_BELOW, paper_style

WIDTH = 4.2  # inches
SHARES = (0.7, 0.8, 1, 1.4)  # heights of panels to be tried, of the row that each stood in
COLUMNS = 3  # of a legend, at most
NARROW = 0.4  # share of the canvas: names of the rows of a narrower panel are broken
LETTERS = 20  # of such a name in a line
LINES = 2.5  # what a name in two lines takes
FLAT = 0.2  # height of a panel by its width: a curve in it cannot be read
TITLE = 0.3  # inches: what a title of more lines takes


def rearrange(fig: plt.Figure, caption: str = "") -> bool:
    """Lays a figure out anew, in place; returns whether the new layout has no fault.

    caption: as for `layout.faults`. A figure whose panels stand in no grid is left as it is.
    """
    if not any(ax.get_subplotspec() for ax in fig.axes):
        return False
    with paper_style(), warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)  # matplotlib's, if no width is left to a panel
        try:
            panels, height, text = _rearrange(fig)
            for share in SHARES:
                fig.set_size_inches(WIDTH, height * share + text)
                fig.draw_without_rendering()
                for ax in panels:
                    _fit_labels(ax)
                if not layout.faults(fig, caption) and not any(map(_is_flat, panels)):
                    return True
        except UserWarning:
            pass
    return False


def _rearrange(fig: plt.Figure) -> tuple[list[plt.Axes], float, float]:
    """Sets panels and legends below one another.

    Returns the panels, their whole height, and what longer title and legends take besides.
    """
    panels = [ax for ax in fig.axes if ax.get_subplotspec()]
    panels = sorted(panels, key=lambda ax: ax.get_subplotspec().num1)
    legends = list(fig.legends)
    for key in [ax for ax in panels if not ax.axison and ax.get_legend()]:  # in a vacant cell
        legends.append(key.get_legend())
        panels.remove(key)
    if label := fig.get_supxlabel().strip():
        fig.supxlabel("")
        panels[-1].set_xlabel(label)
    if len(panels) == 1 and (label := fig.get_supylabel().strip()):
        fig.supylabel("")  # an axis breaks a long label, a figure does not
        panels[0].set_ylabel(label)
    height = fig.get_figheight() * _stack(fig, panels)
    before = _height_of_legends(fig)
    fig.set_size_inches(WIDTH, height * SHARES[0] + TITLE)
    for ax in panels:
        for text in (ax.title, ax._left_title, ax._right_title, ax.xaxis.label):
            text.set_wrap(True)
    fig.draw_without_rendering()
    if any(map(_hides_points, panels)):
        legends = [ax.get_legend() for ax in panels if ax.get_legend()] + legends
    if legends:
        _place_below(fig, legends)
    return panels, height, TITLE + max(0, _height_of_legends(fig) - before)


def _height_of_legends(fig: plt.Figure) -> float:
    """Returns the height of the legends below the panels, in inches."""
    renderer = fig.canvas.get_renderer()
    return sum(legend.get_window_extent(renderer).height for legend in fig.legends) / fig.dpi


def _stack(fig: plt.Figure, panels: list[plt.Axes]) -> float:
    """Sets panels that stand side by side below one another; returns by how much that is higher."""
    grid = panels[0].get_subplotspec().get_gridspec()
    if grid.ncols == 1:
        return 1
    for ax, cell in zip(panels, fig.add_gridspec(len(panels), 1), strict=True):
        ax.set_subplotspec(cell)
        if ax.axison:
            ax.tick_params(labelleft=True, labelbottom=True)
    return len(panels) / grid.nrows


def _place_below(fig: plt.Figure, legends: list[Legend]) -> None:
    """Draws one legend in place of several, below all panels, in as many columns as fit."""
    entries = {
        text.get_text(): handle
        for legend in legends
        for handle, text in zip(legend.legend_handles, legend.get_texts(), strict=True)
        if text.get_text().strip()
    }
    for legend in legends:
        cell = legend.axes
        (cell if cell and not cell.axison else legend).remove()
    for columns in range(min(COLUMNS, len(entries)), 0, -1):
        legend = fig.legend(entries.values(), entries, ncols=columns, **LEGEND_BELOW)
        width = legend.get_window_extent(fig.canvas.get_renderer()).width
        if width <= fig.bbox.width or columns == 1:
            return
        legend.remove()


def _hides_points(ax: plt.Axes) -> bool:
    """Returns whether a panel's legend lies above points of its lines."""
    if ax.get_legend() is None:
        return False
    legend = ax.get_legend().get_window_extent()
    lines = [line.get_transform().transform(line.get_xydata()) for line in ax.lines]
    return any(legend.contains(*point) for line in lines for point in line)


def _is_flat(ax: plt.Axes) -> bool:
    """Returns whether a panel with curves is too low for them."""
    return bool(layout.curves(ax)) and ax.bbox.height < FLAT * ax.bbox.width


def _fit_labels(ax: plt.Axes) -> None:
    """Breaks a label longer than its axis; turns crowded names, or drops every other number."""
    label = ax.yaxis.label
    share = ax.bbox.height / max(label.get_window_extent().height, 1)
    if share < 1:
        letters = max(1, int(len(label.get_text()) * share))
        label.set_text(textwrap.fill(label.get_text(), letters, break_long_words=False))
    rows = ax.get_yticklabels()
    height = max((row.get_window_extent().height for row in rows), default=0)
    has_room = ax.bbox.height > LINES * len(rows) * height > 0
    if has_room and ax.bbox.width < NARROW * ax.figure.bbox.width:
        names = [textwrap.fill(row.get_text(), LETTERS) for row in rows]
        ax.set_yticks(ax.get_yticks(), names)
    for axis in (ax.xaxis, ax.yaxis):
        if any(layout.overlaps(axis)):
            _thin_out(axis)


def _thin_out(axis: Axis) -> None:
    """Turns the names of an axis, or drops every other one of its numbers."""
    labels = axis.get_ticklabels()
    if any(re.match("[A-Za-z]", label.get_text()) for label in labels):
        is_turned = axis.axis_name == "x"
        if is_turned:  # lines of one name would stand in the way of the next name
            names = [label.get_text().replace("\n", " ") for label in labels]
            axis.set_ticks(axis.get_ticklocs(), names)
        axis.set_tick_params(rotation=90 if is_turned else 0)
    else:
        for label in labels[1::2]:
            label.set_visible(False)
