"""Printed scores by layer: the ticks of their layers, named scores beside them, and levels."""

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from cwr.tables import tidy
from cwr.texts.zhao2020 import figures_of_printed_scores

SCORES = pd.DataFrame(
    {"family": ["static", None], "value": [0.50, 0.51], "label": ["GloVe", "own"]}
)


def drawn(layers: int) -> plt.Axes:
    curve = {"model": "x", "family": "masked", "measure": "b", "value": 0.4}
    table = tidy([{**curve, "layer": layer} for layer in range(1, layers + 1)])
    fig = figures_of_printed_scores.beside_layers(
        table, "b", SCORES, [(0.2, "chance")], "F1", ("Title", "below", "means")
    )
    plt.close(fig)
    return fig.axes[0]


def test_scores_without_a_layer_stand_named_and_apart_left_of_the_curve():
    ax = drawn(10)
    points = [line for line in ax.lines if len(line.get_xdata()) == 1]
    assert [(*line.get_data(), line.get_marker()) for line in points] == [
        (pytest.approx([-0.7]), [0.50], "v"),
        (pytest.approx([-0.7]), [0.51], "x"),
    ]
    at = {text.get_text(): text.get_position() for text in ax.texts}
    assert at["GloVe"][0] == at["own"][0] < -0.7
    assert at["own"][1] - at["GloVe"][1] == pytest.approx(
        figures_of_printed_scores.LABEL_STEP
    )
    assert 0.1 < at["chance"][1] < 0.2
    dashed = [list(line.get_ydata()) for line in ax.lines if line.is_dashed()]
    assert dashed == [[0.2, 0.2]]


@pytest.mark.parametrize(
    ("layers", "ticks"), [(2, [1, 2]), (12, [1, 3, 6, 9, 12]), (24, [1, 6, 12, 18, 24])]
)
def test_the_first_layer_and_parts_of_the_depth_are_numbered(layers, ticks):
    labels = [label.get_text() for label in drawn(layers).get_xticklabels()]
    assert labels == ["means", *map(str, ticks)]
