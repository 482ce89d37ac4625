"""Draws embedding matrices: singular values, spheres, ranks.

Biś et al. (2021), Figures 1, 2 and 4.
"""

from collections.abc import Mapping
from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from cwr.figures.families import panels
from cwr.figures.finish import headline, legend_below
from cwr.figures.style import COLOURS, GREY, INK, LINES, SMALL, paper_style
from cwr.tables import by_family, where
from cwr.texts.bis2021.spheres import expected_singular_values


def spectra(values: pd.DataFrame, title: str) -> plt.Figure:
    """Draws singular values over the largest: W dashed, W_c solid, a panel per model.

    values: the columns model, family, index (from 1), original, centred.
    """
    with paper_style():
        models = by_family(values)
        fig, axes = panels(models, title)
        for model, ax in zip(models, axes, strict=True):
            rows = where(values, model=model)
            colour = COLOURS[rows["family"].iloc[0]]
            ax.plot(rows["index"], rows["original"], "--", color=INK, label="original")
            ax.plot(rows["index"], rows["centred"], color=colour, label="centred")
        axes[0].legend()
        axes[0].set(ylim=(0, 1.03), xscale="log")
        axes[0].xaxis.set_major_formatter("{x:.0f}")
        fig.supxlabel("index of the singular value")
        fig.supylabel("singular value / largest")
    return fig


def spheres(
    clouds: dict[float, np.ndarray], moving: pd.DataFrame, n: int, title: str
) -> plt.Figure:
    """Draws two spheres from the side, and beside them their measured and expected singular values.

    clouds: {shift: points (n, 3) of `texts.bis2021.spheres.from_the_side`}, two of them.
    moving: as `texts.bis2021.spheres.table` of n points.
    """
    with paper_style():
        grid = {"figsize": (6.8, 3.2), "width_ratios": (3, 2)}
        fig, (left, right) = plt.subplots(1, 2, **grid)
        signs = zip("os", (GREY, COLOURS["masked"]), strict=True)
        for (shift, points), (marker, colour) in zip(clouds.items(), signs, strict=True):
            sign = {"marker": marker, "color": colour, "linestyle": "none"}
            left.plot(points[:, 0], points[:, 1], markersize=2.5, alpha=0.6, **sign)
            row = moving[moving["shift"] == shift].iloc[0]
            values = row[["first", "second", "third"]]
            right.plot([1, 2, 3], values, label=f"moved by {shift:g}", **sign)
            expected = expected_singular_values(n, shift)
            right.plot([1, 2, 3], expected, "--", color=colour, linewidth=1)
        left.plot(0, 0, "+", color=INK, markersize=10)
        left.set(aspect="equal", xlabel="along the shift", ylabel="across")
        right.set(ylim=(0, None), xticks=[1, 2, 3], xlabel="index", ylabel="singular value")
        right.legend()
        headline(fig, title)
    return fig


def by_rank(curves: pd.DataFrame, title: str, notes: Mapping[str, str]) -> plt.Figure:
    """Draws relative frequency against rank, both logarithmic: a panel per text, a line per model.

    curves: the columns dataset, model, family, rank and frequency, in order of rank. Words have no
    family, since no model counts them; they are a broad line below the others. notes: a text for
    the panel of each data set.
    """
    with paper_style():
        datasets = list(curves["dataset"].unique())
        fig, axes = panels(datasets, title)
        for dataset, ax in zip(datasets, axes, strict=True):
            of_text = where(curves, dataset=dataset)
            words = of_text[of_text["family"].isna()]
            ax.plot(words["rank"], words["frequency"], color=GREY, linewidth=5, label="words")
            lines = of_text.dropna(subset="family").groupby("model", sort=False)
            for (model, line), dashes in zip(lines, cycle(LINES), strict=False):
                colour = COLOURS[line["family"].iloc[0]]
                ax.plot(line["rank"], line["frequency"], dashes, color=colour, label=model)
            ax.set(xlabel="rank", ylabel="share of all occurrences")
            corner = {"transform": ax.transAxes, "fontsize": SMALL, "va": "bottom"}
            ax.text(0.04, 0.04, notes.get(dataset, ""), **corner)
        axes[0].set(xscale="log", yscale="log")
        legend_below(fig, axes[0])
    return fig
