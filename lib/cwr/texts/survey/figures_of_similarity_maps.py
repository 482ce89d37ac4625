"""Draws cosines between the words of one sentence as heat maps. Peters et al. (2018b), Figure 1."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

from cwr.figures.finish import headline
from cwr.figures.style import INK, paper_style

WIDTH, LETTER = 6.8, 8  # inches, points: never below
PANEL = 2.5  # inches: the height of a panel, where its words need no more
WORD = {1: 0.24, 2: 0.15}  # inches: of a word on an axis, by the number of columns
LETTERS = {1: 10, 2: LETTER}


def similarity_maps(
    maps: Mapping[tuple[str, str], np.ndarray],
    words: Sequence[str],
    span: tuple[int, int],
    title: str,
) -> plt.Figure:
    """Draws a grid of heat maps, blue below 0, white at 0, red above.

    maps: {(row, column): cosines (n, n)}, as they stand in the grid; columns are one or two, so
    that words can be read on a phone. words: (n,). span: first and last word of the phrase in the frame.
    """
    rows = list(dict.fromkeys(row for row, _ in maps))
    columns = list(dict.fromkeys(column for _, column in maps))
    with paper_style():
        height = max(PANEL, WORD[len(columns)] * len(words)) * len(rows) + 1.6
        size = (WIDTH, height)
        fig, grid = plt.subplots(len(rows), len(columns), figsize=size, squeeze=False)
        for line, row in zip(grid, rows, strict=True):
            for ax, column in zip(line, columns, strict=True):
                image = _map(ax, maps[row, column], words, span, LETTERS[len(columns)])
                ax.set_title(f"{row}, {column}", fontsize=10)
        for ax in grid[:, 1:].flat:
            ax.set_yticklabels([])
        for ax in grid[:-1].flat:
            ax.set_xticklabels([])
        fig.colorbar(image, ax=grid, location="bottom", label="cosine", aspect=40, shrink=0.8)
        headline(fig, title)
    return fig


def _map(
    ax: plt.Axes, cosines: np.ndarray, words: Sequence[str], span: tuple[int, int], letter: float
):
    """One matrix, (n, n), with a frame around a phrase; its image, for the colour bar."""
    n, (first, last) = len(words), span
    image = ax.imshow(cosines, cmap="RdBu_r", vmin=-1, vmax=1)
    ax.set_xticks(range(n), words, rotation=90, fontsize=letter)
    ax.set_yticks(range(n), words, fontsize=letter)
    ax.tick_params(length=0)
    ax.grid(False)
    side = last - first + 1
    frame = {"fill": False, "edgecolor": INK, "linewidth": 1.5}
    ax.add_patch(Rectangle((first - 0.5, first - 0.5), side, side, **frame))
    return image
