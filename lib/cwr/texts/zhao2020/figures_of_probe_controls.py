"""Draws two controls of probes by layer: the length of a code, and selectivity."""

import matplotlib.pyplot as plt
import pandas as pd

from cwr.figures.finish import headline
from cwr.figures.style import COLOURS, GREY, paper_style

LINES = (("-", "full"), ("--", "none"))  # of what is read: line, and how its marks are filled
MARKS = ("o", "s", "^", "D", "v")  # of sizes of the probe


def code_and_selectivity(
    code: pd.DataFrame, selectivity: pd.DataFrame, rates: float, family: str, title: str
) -> plt.Figure:
    """Draws bits per context on the left, selectivity on the right, against layers.

    code: reads (the probe's input), layer, value, low, high. selectivity: the same and `units`.
        Each input has a line style, in order of appearance; each size of the probe has a marker.
    rates: bits of a code that knows the rates of the classes alone, dotted.
    """
    lines = dict(zip(code["reads"].unique(), LINES, strict=False))
    marks = dict(zip(selectivity["units"].unique(), MARKS, strict=False))
    with paper_style():
        fig, (left, right) = plt.subplots(1, 2, figsize=(6.8, 4.2))
        for reads, rows in code.groupby("reads", sort=False):
            _curve(left, rows, family, lines[reads], "o", reads)
        left.axhline(rates, color=GREY, linestyle=":", label="rates of classes alone")
        for (reads, units), rows in selectivity.groupby(["reads", "units"], sort=False):
            _curve(right, rows, family, lines[reads], marks[units], f"{reads}, {units}")
        right.axhline(0, color=GREY, linewidth=0.8)
        left.set(title="code length (bits a context)", xlabel="layer")
        right.set(title="selectivity (accuracy)", xlabel="layer")
        for ax, side in ((left, "left"), (right, "right")):
            ax.xaxis.get_major_locator().set_params(integer=True)
            fig.legend(*ax.get_legend_handles_labels(), loc=f"outside lower {side}")
        headline(fig, title)
    return fig


def _curve(
    ax: plt.Axes,
    rows: pd.DataFrame,
    family: str,
    line: tuple[str, str],
    mark: str,
    label: str,
) -> None:
    """One line with its band of intervals."""
    rows = rows.sort_values("layer")
    x, (style, fill), colour = rows["layer"].astype(int), line, COLOURS[family]
    ax.plot(x, rows["value"], style, color=colour, marker=mark, fillstyle=fill, label=label)
    ax.fill_between(x, rows["low"], rows["high"], color=colour, alpha=0.15, linewidth=0)
