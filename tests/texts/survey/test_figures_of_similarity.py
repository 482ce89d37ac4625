"""The heat maps of one sentence: which cosines stand where, and what is framed."""

import numpy as np
import pytest
from matplotlib.patches import Rectangle

from cwr import figures
from cwr.texts.survey import figures_of_similarity_maps

WORDS = ["The", "old", "cook", "left"]


@pytest.fixture
def maps() -> dict:
    grid = [(row, column) for row in ("raw", "centred") for column in ("layer 1", "top")]
    return {place: np.eye(4) - 0.1 * number for number, place in enumerate(grid)}


def test_each_matrix_stands_in_its_panel_with_one_scale_whose_white_is_nothing(maps):
    fig = figures_of_similarity_maps.similarity_maps(maps, WORDS, (0, 2), "A title")
    panels = [ax for ax in fig.axes if ax.images]
    assert [ax.get_title() or ax.get_title("left") for ax in panels] == [
        "raw, layer 1",
        "raw, top",
        "centred, layer 1",
        "centred, top",
    ]
    for ax, cosines in zip(panels, maps.values(), strict=True):
        (image,) = ax.images
        assert image.get_array().tolist() == cosines.tolist()
        assert image.get_clim() == (-1, 1) and image.get_cmap().name == "RdBu_r"
    figures.plt.close(fig)


def test_the_frame_is_around_the_phrase_and_words_are_on_the_outer_axes(maps):
    fig = figures_of_similarity_maps.similarity_maps(maps, WORDS, (1, 2), "A title")
    panels = [ax for ax in fig.axes if ax.images]
    for ax in panels:
        (frame,) = [patch for patch in ax.patches if isinstance(patch, Rectangle)]
        assert (
            frame.get_xy() == (0.5, 0.5) and frame.get_width() == frame.get_height() == 2
        )
    left, right = panels[:2]
    assert [label.get_text() for label in left.get_yticklabels()] == WORDS
    assert not any(label.get_text() for label in right.get_yticklabels())
    assert [label.get_text() for label in panels[2].get_xticklabels()] == WORDS
    figures.plt.close(fig)
