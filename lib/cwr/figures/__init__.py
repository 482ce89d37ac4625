"""Figures in one style: each family of models has a colour and a marker, the published numbers are
hollow beside ours.

`style` holds the signs; `families`, `layers`, `levels`, `reads`, `sizes`, `words_read`, `points`, `categories`,
`gains`, `similarity_maps`, `changes`, `clouds`, `context_sizes`, `costs`, `occurrences`, `matrices`, `spaces`,
`decisions`, `reversals`, `probe_controls` and `trees` draw; `findings` computes titles and alternative texts; `finish`
closes a figure with its range, legend and files. `live_figure` gives a page the data of a figure
that it draws itself.
"""

import matplotlib.pyplot as plt

from cwr.figures.categories import by_category, heat_map
from cwr.figures.changes import changes
from cwr.figures.clouds import SHOWN, beside_each_other, plane, projected
from cwr.figures.context_sizes import by_context_size
from cwr.figures.costs import by_comparison, by_length
from cwr.figures.datasets import by_dataset
from cwr.figures.decisions import decisions
from cwr.figures.families import by_family, clip, side_by_side
from cwr.figures.findings import (
    above,
    above_zero,
    below,
    describe,
    falls,
    models_in_which,
    plotted,
    rises,
    summary,
)
from cwr.figures.finish import cover, headline, leave, legend_below, png, show
from cwr.figures.gains import gains
from cwr.figures.layers import by_k, by_layer, context, reference, untrained
from cwr.figures.levels import beside_levels, levels
from cwr.figures.live_figure import live, live_html
from cwr.figures.matrices import by_rank, on_two_vectors, spectra, spheres
from cwr.figures.occurrences import by_occurrences
from cwr.figures.points import below_a_line, beside_layers
from cwr.figures.probe_controls import code_and_selectivity
from cwr.figures.reads import by_reads
from cwr.figures.reversals import REVERSALS, mention_bars, reversal_rates
from cwr.figures.rows import by_row
from cwr.figures.similarity_maps import similarity_maps
from cwr.figures.sizes import by_corpus_size, by_size
from cwr.figures.spaces import by_space
from cwr.figures.style import COLOURS, GREY, GRID, INK, LINES, MARKERS, PUBLISHED, paper_style
from cwr.figures.trees import Drawn, trees
from cwr.figures.tuning import before_and_after, by_amount
from cwr.figures.words_read import by_words

__all__ = [
    "COLOURS",
    "Drawn",
    "GREY",
    "GRID",
    "INK",
    "LINES",
    "MARKERS",
    "PUBLISHED",
    "REVERSALS",
    "SHOWN",
    "above",
    "above_zero",
    "below",
    "below_a_line",
    "before_and_after",
    "beside_each_other",
    "beside_layers",
    "by_amount",
    "beside_levels",
    "by_category",
    "by_comparison",
    "by_context_size",
    "by_corpus_size",
    "by_dataset",
    "by_family",
    "by_k",
    "by_layer",
    "by_length",
    "by_occurrences",
    "by_rank",
    "by_reads",
    "by_row",
    "by_size",
    "by_space",
    "by_words",
    "changes",
    "clip",
    "code_and_selectivity",
    "context",
    "cover",
    "decisions",
    "describe",
    "falls",
    "gains",
    "headline",
    "heat_map",
    "leave",
    "legend_below",
    "levels",
    "live",
    "live_html",
    "mention_bars",
    "models_in_which",
    "on_two_vectors",
    "paper_style",
    "plane",
    "plotted",
    "plt",
    "png",
    "projected",
    "reference",
    "reversal_rates",
    "rises",
    "show",
    "side_by_side",
    "similarity_maps",
    "spectra",
    "spheres",
    "summary",
    "trees",
    "untrained",
]
