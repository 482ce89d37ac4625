"""The figure of context sizes: a line a layer, the mean of pieces beside them, k = 0 on the axis."""

import pandas as pd
import pytest

from cwr import figures
from cwr.texts.zhao2020 import figures_of_context_sizes


@pytest.fixture
def table():
    rows = [
        ("m", "masked", layer, "f1", k, 0.1 * k + layer)
        for layer in range(5)
        for k in (8, 0, 2)
    ]
    rows += [("m", "masked", pd.NA, "bag", k, 0.5) for k in (0, 2, 8)]
    frame = pd.DataFrame(
        rows, columns=["model", "family", "layer", "measure", "k", "value"]
    )
    return frame.assign(low=frame["value"] - 0.1, high=frame["value"] + 0.1)


def draw(table):
    names, labels = ("layer {}", "mean of pieces"), ("words", "F1")
    return figures_of_context_sizes.by_context_size(
        table, "f1", "bag", names, "Title", labels
    )


def test_every_layer_has_a_line_over_the_sizes_in_their_order(table):
    fig = draw(table)
    (ax,) = fig.axes
    lines = {line.get_label(): line for line in ax.lines}
    assert list(lines) == ["mean of pieces", *(f"layer {number}" for number in range(5))]
    assert lines["layer 2"].get_xdata() == pytest.approx([0, 1.58496, 3.16993], abs=1e-4)
    assert lines["layer 2"].get_ydata() == pytest.approx([2, 2.2, 2.8])
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["0", "2", "8"]
    figures.plt.close(fig)


def test_lines_differ_by_more_than_their_colour_and_the_last_is_solid_in_its_familys(
    table,
):
    fig = draw(table)
    lines = fig.axes[0].lines
    signs = [
        (line.get_linestyle(), line.get_marker(), line.get_fillstyle()) for line in lines
    ]
    assert len(set(signs)) == len(signs)
    assert lines[-1].get_linestyle() == "-"
    assert (
        figures.plt.matplotlib.colors.to_hex(lines[-1].get_color()).upper()
        == (figures.COLOURS["masked"])
    )
    assert len(fig.axes[0].collections) == 2  # bands of the last layer and of the mean
    figures.plt.close(fig)


def test_a_model_has_a_panel(table):
    both = pd.concat([table, table.assign(model="n", family="causal")])
    fig = draw(both)
    assert [ax.get_title("left") for ax in fig.axes] == ["m", "n"]
    figures.plt.close(fig)
