"""Draws clouds of real vectors, to show what a cone is, and what self-similarity averages.

A cloud is seen from the side: its mean points to the right, its direction of largest variance
upwards. Below it stands the density of the cosines of all pairs of its vectors.

    n = vectors, at most SHOWN of which are drawn
"""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from cwr.figures.findings import two_decimals
from cwr.figures.finish import headline, place_legend
from cwr.figures.style import COLOURS, GREY, INK, MARKERS, paper_style
from cwr.measures.contextuality import unit_rows

SHOWN = 200  # vectors: more would lie on each other, and have 20,000 pairs
QUANTILES = np.linspace(0.005, 0.995, 100)  # each stands for a hundredth of the pairs
VECTOR, PAIRS = "vector", "quantile of the cosines of pairs"


def plane(vectors: np.ndarray) -> np.ndarray:
    """Returns the two orthonormal directions on which a cloud is drawn, (2, dim).

    vectors: (n, dim). The first direction is that of their mean, the second that of the largest
    variance orthogonal to the first.
    """
    units = unit_rows(vectors)
    first = unit_rows(units.mean(axis=0, keepdims=True))  # (1, dim)
    beside = units - units @ first.T @ first
    _, _, directions = np.linalg.svd(beside - beside.mean(axis=0), full_matrices=False)
    return np.concatenate([first, directions[:1]])


def projected(clouds: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> pd.DataFrame:
    """Projects clouds on their planes, for `beside_each_other`: columns panel, kind, x, y.

    clouds: {panel: (vectors (n, dim), their plane (2, dim))}. A row of kind "vector" is a projected
    vector of length one; the other rows are 100 quantiles (y) of the cosines (x) of pairs.
    """
    parts = []
    for panel, (vectors, directions) in clouds.items():
        units = unit_rows(vectors[:SHOWN])
        x, y = (units @ directions.T).T
        parts.append(pd.DataFrame({"panel": panel, "kind": VECTOR, "x": x, "y": y}))
        cosines = (units @ units.T)[np.triu_indices(len(units), k=1)]
        spread = {"x": np.quantile(cosines, QUANTILES), "y": QUANTILES}
        parts.append(pd.DataFrame({"panel": panel, "kind": PAIRS, **spread}))
    return pd.concat(parts, ignore_index=True)


def beside_each_other(points: pd.DataFrame, family: str, title: str) -> plt.Figure:
    """Draws clouds beside each other, and below each the density of its pairs' cosines.

    points: as `projected` gives them. family: the model's family, which sets colour and marker.
    """
    from seaborn import kdeplot  # half a second, for this figure alone

    names = points["panel"].unique()
    with paper_style():
        fig, axes = plt.subplots(
            2,
            len(names),
            figsize=(6.8, 5.4),
            sharex="row",
            sharey="row",
            height_ratios=(3, 2),
            squeeze=False,
        )
        for name, cloud, density in zip(names, *axes, strict=True):
            of_panel = points[points["panel"] == name].groupby("kind")
            _draw_cloud(cloud, of_panel.get_group(VECTOR), family)
            cloud.set_title(name, fontsize=12)
            cosines = of_panel.get_group(PAIRS)["x"]
            kdeplot(x=cosines, ax=density, color=COLOURS[family], fill=True, warn_singular=False)
            _mark_mean(density, cosines.mean())
            density.set(xlim=(-1.05, 1.05), xlabel="cosine of a pair", ylabel="", yticks=[])
            cloud.set_xlabel("direction of the mean")
        axes[0, 0].set_ylabel("direction of most variance")
        axes[1, 0].set(ylabel="density of pairs", ylim=(0, 1.2 * axes[1, 0].get_ylim()[1]))
        headline(fig, title)
        handles, labels = axes[0, 0].get_legend_handles_labels()
        place_legend(fig, handles, labels, columns=4)
    return fig


def _mark_mean(ax: plt.Axes, mean: float) -> None:
    """Draws the mean cosine as a line with its number, on the side that has more room."""
    ax.axvline(mean, color=INK, linewidth=1.4)
    shift, side = (5, "left") if mean < 0 else (-5, "right")
    ax.annotate(
        f"mean {two_decimals(mean)}",
        (mean, 0.97),
        xycoords=("data", "axes fraction"),
        xytext=(shift, 0),
        textcoords="offset points",
        ha=side,
        va="top",
        fontsize=11,
    )


def _draw_cloud(ax: plt.Axes, points: pd.DataFrame, family: str) -> None:
    """The points, the circle that no unit vector leaves, and a line from its centre to the mean."""
    ax.plot(
        points["x"],
        points["y"],
        linestyle="none",
        marker=MARKERS[family],
        markersize=3.5,
        color=COLOURS[family],
        alpha=0.5,
        markeredgewidth=0,
        label="a vector",
    )
    mean = [0, points["x"].mean()], [0, points["y"].mean()]
    ax.plot(*mean, color=INK, linewidth=2.2, label="their mean")
    ax.plot(0, 0, marker="+", linestyle="none", color=INK, markersize=9, label="origin")
    turn = np.linspace(0, 2 * np.pi, 200)
    ax.plot(np.cos(turn), np.sin(turn), color=GREY, linewidth=0.8, label="length 1")
    ax.set(xlim=(-1.05, 1.05), ylim=(-1.05, 1.05), aspect="equal")
