"""Defines the colour and marker of each family, and the book's matplotlib style.

Readers with any colour vision, and in grey print, can tell families apart. The models of one family
differ by their line, never by hue.
"""

import contextlib
from collections.abc import Iterator

import matplotlib.pyplot as plt

from cwr.tables import FAMILIES

COLOURS = {
    "bilstm": "#BF8A1E",
    "masked": "#2468C4",
    "causal": "#9C2416",
    "sentence": "#1E9080",
    "static": "#45125F",
}
MARKERS = {"bilstm": "o", "masked": "s", "causal": "^", "sentence": "D", "static": "v"}
FAMILY_NAMES = {
    "bilstm": "biLSTM",
    "masked": "masked",
    "causal": "causal",
    "sentence": "sentence encoder",
    "static": "static",
}
LINES = ("-", "--", ":", "-.")  # of the models of one family, in their order
FILLINGS = ("full", "left", "bottom", "right")  # of their points, where there is no line
HEADLINE, SMALL = 13, 11  # points of the text above a figure, and of its legend
INK, GREY, GRID = "#1A1A1A", "#7A7A7A", "#E4E4E4"
DARK_GREY = "#5A5A5A"  # GREY is too light for small text
LEGEND_BELOW = {"loc": "outside lower center", "columnspacing": 1.0}  # below all panels
SHADE = "33"  # appended to a colour: a fifth of its opacity
PUBLISHED = " (published)"  # ends the label of a published model
INTERVAL = "95 % interval"
BAND, UPRIGHT, LYING = "band", "|", "_"  # forms of intervals; of bars also the marker in legends
RING = {  # around points of which a title speaks
    "linestyle": "none",
    "marker": "o",
    "markersize": 12,
    "markerfacecolor": "none",
    "markeredgecolor": INK,
    "markeredgewidth": 1.4,
}
STYLE = {
    "axes.axisbelow": True,
    "axes.edgecolor": INK,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": HEADLINE,
    "figure.constrained_layout.use": True,
    "figure.dpi": 100,
    "figure.facecolor": "white",
    "figure.figsize": (6.8, 3.6),
    "figure.labelsize": 12,
    "font.family": "DejaVu Sans",
    "font.size": 12,
    "grid.color": GRID,
    "legend.fontsize": SMALL,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "savefig.facecolor": "white",
    "text.color": INK,
}


@contextlib.contextmanager
def paper_style() -> Iterator[None]:
    """Applies the book's matplotlib style to the figures drawn inside."""
    with plt.rc_context(STYLE):
        yield


def rank(family: str | None) -> int:
    """Ranks a family for the order of figures and legends; unknown families and None come last."""
    return FAMILIES.index(family) if family in FAMILIES else len(FAMILIES)
