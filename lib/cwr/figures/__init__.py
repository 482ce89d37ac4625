"""Draws figures in one style: each family of models has a colour and a marker, and hollow marks are
published numbers.

`style` defines colours and markers; `families`, `layers`, `levels`, `sizes`, `points`,
`categories`, `changes`, `datasets`, `rows` and `tuning` draw; `findings` computes titles and
alternative texts; `finish` closes a figure with its range, legend and files; `layout` finds its
faults; `phone` lays it out anew for a phone. `live_figure` gives a page the data of a figure that
it draws itself. Figures of a single text stand with it, as in `cwr.texts.bis2021.figures_of_gains`.
"""

import matplotlib.pyplot as plt

from cwr.errors import listed
from cwr.figures.categories import heat_map
from cwr.figures.changes import changes
from cwr.figures.datasets import by_dataset
from cwr.figures.families import by_family, clip, side_by_side, turned
from cwr.figures.findings import (
    above,
    above_zero,
    below,
    describe,
    falls,
    models_in_which,
    nearest,
    plotted,
    plotted_runs,
    rises,
    summary,
    which_move,
)
from cwr.figures.finish import cover, headline, legend_below, png, show, write_figure
from cwr.figures.layers import by_k, by_layer, context, reference, untrained
from cwr.figures.levels import beside_levels, levels
from cwr.figures.live_figure import live, live_html
from cwr.figures.points import below_a_line
from cwr.figures.rows import by_row
from cwr.figures.sizes import by_corpus_size, by_size, by_teacher
from cwr.figures.style import COLOURS, GREY, GRID, INK, LINES, MARKERS, PUBLISHED, paper_style
from cwr.figures.tuning import before_and_after, by_amount

__all__ = [
    "COLOURS",
    "GREY",
    "GRID",
    "INK",
    "LINES",
    "MARKERS",
    "PUBLISHED",
    "above",
    "above_zero",
    "below",
    "below_a_line",
    "before_and_after",
    "by_amount",
    "beside_levels",
    "by_corpus_size",
    "by_dataset",
    "by_family",
    "by_k",
    "by_layer",
    "by_row",
    "by_size",
    "by_teacher",
    "changes",
    "clip",
    "context",
    "cover",
    "describe",
    "falls",
    "headline",
    "heat_map",
    "write_figure",
    "legend_below",
    "levels",
    "listed",
    "live",
    "live_html",
    "models_in_which",
    "nearest",
    "paper_style",
    "plotted",
    "plotted_runs",
    "plt",
    "png",
    "reference",
    "rises",
    "show",
    "side_by_side",
    "summary",
    "turned",
    "untrained",
    "which_move",
]
