"""Draws trees over sentences, gold edges above and predicted ones below, and scores of probes."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.lines import Line2D

from cwr.figures.finish import headline
from cwr.figures.style import COLOURS, GREY, INK, LEGEND_BELOW, MARKERS, SMALL, paper_style
from cwr.tables import by_family, where

WIDTH, HEIGHT = 6.8, 2.1  # inches: of the figure, of a sentence
BETWEEN, LEAST = 2.0, 3.0  # letters: between two words, of the shortest word
RISE = 0.55  # of an arc over one word
LIFT = 0.25  # of an arc above the middle of its words
ROW = 1.0  # inches: of a model beside its baselines
ABOVE = 0.25  # of a row: from a model's baselines up to its score
SCORE = "chosen layer, 95 % interval"
SIGNS = "|x+*4p"  # of baselines: no sign of a family

Edge = tuple[int, int]


@dataclass(frozen=True)
class Drawn:
    """A sentence with two trees: edges between two words each, in either order."""

    words: Sequence[str]
    gold: Collection[Edge]
    predicted: Collection[Edge]


def trees(sentences: Sequence[Drawn], family: str, title: str) -> plt.Figure:
    """Draws each sentence, a row each, with its gold tree above and the predicted one below.

    family: of the model, which sets the colour of edges in both trees; an edge in one tree alone is
    grey and dashed.
    """
    with paper_style():
        size = (WIDTH, HEIGHT * len(sentences) + 1)
        fig, axes = plt.subplots(len(sentences), 1, figsize=size, squeeze=False)
        for ax, drawn in zip(axes[:, 0], sentences, strict=True):
            _sentence(ax, drawn, COLOURS[family])
        headline(fig, title)
        signs = {"in both trees": (COLOURS[family], "-"), "in one alone": (GREY, "--")}
        handles = [
            Line2D([], [], color=colour, linestyle=line, label=label)
            for label, (colour, line) in signs.items()
        ]
        fig.legend(handles=handles, ncols=2, **LEGEND_BELOW)
    return fig


def _sentence(ax: plt.Axes, drawn: Drawn, colour: str) -> None:
    widths = np.array([max(len(word), LEAST) + BETWEEN for word in drawn.words])
    places = np.cumsum(widths) - widths / 2
    for place, word in zip(places, drawn.words, strict=True):
        ax.text(place, 0, word, ha="center", va="center", fontsize=10)
    gold, predicted = (_ordered(edges) for edges in (drawn.gold, drawn.predicted))
    for edges, side in ((gold, 1), (predicted, -1)):
        for edge in edges:
            is_shared = edge in gold and edge in predicted
            _arc(ax, places, edge, side, colour if is_shared else GREY, "-" if is_shared else "--")
    beside = {"rotation": 90, "ha": "center", "fontsize": 10}
    ax.text(-1, LIFT, "gold", va="bottom", **beside)
    ax.text(-1, -LIFT, "predicted", va="top", **beside)
    ax.set_xlim(-2, widths.sum())
    ax.axis("off")


def _ordered(edges: Collection[Edge]) -> list[Edge]:
    return sorted({(min(edge), max(edge)) for edge in edges})


def _arc(ax: plt.Axes, places: np.ndarray, edge: Edge, side: int, colour: str, line: str) -> None:
    """Half an ellipse between two words, the higher the more words lie between them."""
    first, last = places[edge[0]], places[edge[1]]
    angle = np.linspace(0, np.pi, 40)
    x = (first + last) / 2 - (last - first) / 2 * np.cos(angle)
    height = RISE * np.sqrt(edge[1] - edge[0])
    ax.plot(x, side * (LIFT + height * np.sin(angle)), color=colour, linestyle=line, linewidth=1.5)


def beside_baselines(
    scores: pd.DataFrame, baselines: pd.DataFrame, title: str, xlabel: str
) -> plt.Figure:
    """Draws each model's score with its interval, a row each, above grey signs of its own baselines.

    scores: model, family, value, low, high, one row per model. baselines: model, estimator, value;
    the highest of a model is dark and named. Each baseline has its own sign in the legend.
    """
    models = by_family(scores)
    signs = dict(zip(dict.fromkeys(baselines["estimator"]), cycle(SIGNS), strict=False))
    with paper_style():
        fig, ax = plt.subplots(figsize=(WIDTH, ROW * len(models) + 2.2))
        for height, model in enumerate(reversed(models)):
            _score(ax, where(scores, model=model).iloc[0], height + ABOVE)
            _baselines(ax, where(baselines, model=model), height, signs)
        ax.set_yticks(range(len(models)), models[::-1])
        ax.set(xlabel=xlabel, ylim=(-0.6, len(models) - 0.4), xlim=(0, None))
        ax.tick_params(axis="y", length=0)
        ax.grid(False, axis="y")
        headline(fig, title)
        keys = [
            Line2D([], [], color=GREY, linewidth=2, marker="o", label=SCORE),
            Line2D([], [], color=INK, linewidth=0.8, label="highest baseline"),
        ]
        keys += [Line2D([], [], label=name, **_grey(sign)) for name, sign in signs.items()]
        fig.legend(handles=keys, ncols=3, **LEGEND_BELOW)
    return fig


def _grey(sign: str, colour: str = GREY) -> dict:
    """Returns the style of a baseline's sign."""
    size = {"markersize": 15 if sign == "|" else 9, "markeredgewidth": 1.6}
    return {"marker": sign, "color": colour, "linestyle": "none", **size}


def _score(ax: plt.Axes, score: pd.Series, height: float) -> None:
    """Draws a point with its interval."""
    colour, marker = COLOURS[score["family"]], MARKERS[score["family"]]
    ax.hlines(height, score["low"], score["high"], color=colour, linewidth=2)
    ax.plot(score["value"], height, marker, color=colour, markersize=7)


def _baselines(
    ax: plt.Axes, baselines: pd.DataFrame, height: float, signs: Mapping[str, str]
) -> None:
    """Draws baselines by their signs; names the highest, from which a line goes up to the score."""
    top = baselines.loc[baselines["value"].idxmax()]
    for baseline in baselines.itertuples():
        colour = INK if baseline.Index == top.name else GREY
        ax.plot(baseline.value, height, **_grey(signs[baseline.estimator], colour))
    ax.vlines(top["value"], height, height + 1.5 * ABOVE, color=INK, linewidth=0.8)
    label = {"ha": "center", "va": "top", "fontsize": SMALL, "color": INK}
    ax.text(top["value"], height - 0.17, top["estimator"], **label)
