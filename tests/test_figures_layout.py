"""The layout of a figure: a sound one has no fault, and each fault is found."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from cwr.figures import layout, paper_style

X = [1, 2, 3]


@pytest.fixture
def panels():
    """A sound figure: two panels, in the first of which a legend names two lines."""
    with paper_style():
        fig, (left, right) = plt.subplots(1, 2)
        for label, marker in (("a", "o"), ("b", "s")):
            left.plot(X, X, marker, label=label)
        left.legend()
        right.plot(X, X)
        yield fig, left, right
    plt.close(fig)


def test_a_sound_figure_has_no_fault(panels):
    assert layout.faults(panels[0]) == []


@pytest.mark.parametrize("place", [(-0.1, 0.5), (1.05, 0.5), (0.5, -0.1), (0.5, 1.05)])
def test_text_that_leaves_the_canvas_is_found(panels, place):
    panels[0].text(*place, "far out", ha="center", va="center")
    assert layout.faults(panels[0]) == ["'far out' leaves the canvas"]


def test_a_label_beyond_the_axis_is_not_drawn_and_so_no_fault(panels):
    _, left, _ = panels
    left.set_xticks([1, 3, 90], ["1", "3", "ninety"])
    left.set_xlim(0, 4)
    assert layout.faults(panels[0]) == []


def test_labels_that_overlap_are_found_on_both_axes(panels):
    fig, left, right = panels
    left.set_xticks([1.0, 1.2], ["a long label", "another one"])
    right.set_yticks([1.0, 1.02], ["low", "high"])
    assert layout.faults(fig) == [
        "the labels 'a long label' and 'another one' overlap",
        "the labels 'low' and 'high' overlap",
    ]


def test_a_line_that_no_legend_names_is_found(panels):
    fig, left, _ = panels
    left.plot(X, X, "x", label="c")  # after the legend was drawn
    assert layout.faults(fig) == ["nothing names the series 'c', drawn as x"]
    left.lines[-1].set_label("_c")
    assert layout.faults(fig) == ["nothing names the series '_c', drawn as x"]
    left.lines[-1].set_marker("s")  # as one that the legend names
    assert layout.faults(fig) == []


@pytest.mark.parametrize(
    ("sign", "told", "not_told"),
    [
        ("--", "dashed: expected", "a line"),
        (":", "Dotted without", "x"),
        ("^-", "triangles", "dots"),
        ("o:", "Dotted", "x"),
    ],
)
def test_a_line_without_a_label_may_be_named_by_the_caption(panels, sign, told, not_told):
    fig, left, _ = panels
    left.plot(X, X, sign)
    assert layout.faults(fig, told) == []
    assert len(layout.faults(fig, not_told)) == len(layout.faults(fig)) == 1
    left.lines[-1].set_label("c")  # a series with a name stands in a legend
    assert len(layout.faults(fig, told)) == 1


def test_words_on_end_may_touch_and_words_in_a_row_may_not(panels):
    fig, left, _ = panels
    left.set_xticks([1, 1.15], ["low", "high"])
    assert len(layout.faults(fig)) == 1
    left.tick_params(axis="x", rotation=90)
    assert layout.faults(fig) == []


def test_colours_are_compared_however_they_are_written(panels):
    fig, left, _ = panels
    left.plot(X, X, "d", color=(1.0, 0, 0), label="a")
    left.plot(X, X, "d", color=np.array([1, 0, 0]), label="b")
    assert layout.faults(fig) == ["'a' and 'b' look alike"]


def test_a_line_may_be_named_beside_its_end(panels):
    fig, left, _ = panels
    left.plot(X, X, "x", label="c")
    left.text(2, 2, "c")
    assert layout.faults(fig) == []


def test_two_names_of_one_look_are_found(panels):
    fig, left, _ = panels
    left.lines[1].set(marker="o", color=left.lines[0].get_color())
    assert layout.faults(fig) == ["'a' and 'b' look alike"]
    left.lines[1].set_markerfacecolor("white")
    assert layout.faults(fig) == []


def test_a_panel_without_content_is_found_and_one_without_axes_is_none(panels):
    fig, _, right = panels
    right.lines[0].remove()
    right.set_title("right")
    assert layout.faults(fig) == ["the panel 'right' is empty"]
    right.set_axis_off()
    assert layout.faults(fig) == []


def test_a_cell_of_the_grid_that_nothing_fills_is_found(panels):
    fig, _, right = panels
    right.remove()
    assert layout.faults(fig) == ["1 cells of the grid are vacant"]
