"""Figures in one style: each family of models has a colour and a marker, the published numbers are
hollow beside ours.

`style` holds the signs; `layers`, `words_read` and `points` draw; `finish` closes a figure with its
range, legend and alternative text.
"""

import matplotlib.pyplot as plt

from cwr.figures.finish import cover, describe, legend_below, show
from cwr.figures.layers import bars, by_layer, context, reference
from cwr.figures.points import below_a_line, beside_layers
from cwr.figures.style import COLOURS, GREY, GRID, INK, LINES, MARKERS, PUBLISHED, paper_style
from cwr.figures.words_read import by_words

__all__ = [
    "COLOURS",
    "GREY",
    "GRID",
    "INK",
    "LINES",
    "MARKERS",
    "PUBLISHED",
    "bars",
    "below_a_line",
    "beside_layers",
    "by_layer",
    "by_words",
    "context",
    "cover",
    "describe",
    "legend_below",
    "paper_style",
    "plt",
    "reference",
    "show",
]
