"""Figures: the signs of a family, the alternative text, and no picture left open."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from cwr import figures
from cwr.figures import finish
from cwr.tables import tidy

TABLE = tidy(
    [
        {
            "model": m,
            "family": f,
            "layer": i,
            "measure": "b",
            "value": v,
            "low": v - 0.01,
            "high": v + 0.01,
        }
        for m, f in (("x", "masked"), ("y", "masked"), ("z", "causal"))
        for i, v in enumerate([0.1, 0.4, 0.3])
    ]
)


def drawn(**options):
    fig, ax = plt.subplots()
    figures.by_layer(ax, TABLE, "b", **options)
    plt.close(fig)
    return {line.get_label(): line for line in ax.lines}


def test_a_family_keeps_colour_and_marker_and_its_models_differ_by_line():
    lines = drawn()
    assert (
        lines["x"].get_color()
        == lines["y"].get_color()
        == figures.COLOURS["masked"]
        != lines["z"].get_color()
    )
    assert lines["x"].get_marker() == lines["y"].get_marker() != lines["z"].get_marker()
    assert lines["x"].get_linestyle() != lines["y"].get_linestyle()
    assert (
        len(set(figures.MARKERS.values()))
        == len(figures.MARKERS)
        == len(set(figures.COLOURS.values()))
    )


def test_published_points_are_hollow_and_unconnected_and_lie_where_they_were_printed():
    line = drawn(published=TABLE.assign(model="BERT"))["BERT (published)"]
    assert line.get_linestyle() == "None" and line.get_markeredgecolor() == figures.INK
    assert np.allclose(line.get_ydata(), [0.1, 0.4, 0.3])


def test_curves_stand_in_the_order_of_their_families_and_a_column_of_the_legend_is_a_family():
    shuffled = TABLE[::-1].reset_index(drop=True)
    theirs = shuffled.assign(model=shuffled["model"].str.upper())[shuffled["model"] != "x"]
    fig, ax = plt.subplots()
    figures.by_layer(ax, shuffled, "b", published=theirs)
    assert [line.get_label() for line in ax.lines][:3] == ["y", "x", "z"]
    figures.legend_below(fig, ax)
    (legend,) = fig.legends
    texts = [text.get_text() for text in legend.get_texts()]
    assert texts == ["y", "x", "Y (published)", "z", "Z (published)", " "]  # two columns of three
    plt.close(fig)


def test_bars_are_sorted_into_the_legend_too_and_one_family_needs_no_columns():
    fig, ax = plt.subplots()
    figures.bars(ax, TABLE, "b", published=TABLE[TABLE["model"] == "z"].assign(model="Z"))
    figures.legend_below(fig, ax)
    assert [text.get_text() for text in fig.legends[0].get_texts()] == [
        "x",
        "y",
        "z",
        "Z (published)",
    ]
    plt.close(fig)
    fig, ax = plt.subplots()
    figures.by_layer(ax, TABLE[TABLE["family"] == "masked"], "b")
    figures.legend_below(fig, ax)
    assert [text.get_text() for text in fig.legends[0].get_texts()] == ["x", "y"]
    plt.close(fig)


def test_no_bar_hides_another_whatever_the_depths():
    table = tidy(
        [
            {
                "model": str(n),
                "family": f,
                "layer": i,
                "measure": "b",
                "value": 1.0,
                "low": 1.0,
                "high": 1.0,
            }
            for n, f in ((2, "bilstm"), (4, "masked"), (5, "causal"), (6, "sentence"))
            for i in range(1, n + 1)
        ]
    )
    fig, ax = plt.subplots()
    figures.bars(ax, table, "b")
    plt.close(fig)
    spans = sorted((bar.get_x(), bar.get_x() + bar.get_width()) for bar in ax.patches)
    assert len(spans) == 17 and all(
        end <= start + 1e-9 for (_, end), (start, _) in zip(spans, spans[1:], strict=False)
    )


def test_relative_depth_ends_at_one():
    assert drawn(relative=True)["z"].get_xdata()[-1] == 1


def test_the_alternative_text_says_what_was_plotted():
    text = figures.describe(TABLE, "b")
    assert (
        "z: 0.10 at layer 0, 0.30 at layer 2, lowest 0.10 at layer 0, highest 0.40 at layer 1."
        in text
    )


def test_show_attaches_the_alternative_text_and_closes_the_figure(monkeypatch):
    shown = []
    monkeypatch.setattr(
        finish, "display", lambda data, raw, metadata: shown.append((data, metadata))
    )
    fig, _ = plt.subplots()
    figures.show(fig, alt="a line that falls")
    data, metadata = shown[0]
    assert metadata["image/png"]["alt"] == data["text/plain"] == "a line that falls"
    assert data["image/png"].startswith(b"\x89PNG")
    assert not plt.fignum_exists(fig.number)


def test_points_below_a_line_are_filled_and_counted():
    points = pd.DataFrame(
        {"accuracy": [50.0, 60, 70], "f1": [1.0, 2, 9], "below": [True, True, False]}
    )
    fig = figures.below_a_line(
        {"a": (points, ([50, 70], [5, 5])), "b": (points[2:], ([70], [5]))},
        "accuracy",
        "f1",
        ("per cent", "F1"),
        "A title",
    )
    plt.close(fig)
    first, second = fig.axes
    _, filled, hollow = first.lines
    assert (
        list(filled.get_xdata()) == [50, 60]
        and filled.get_markerfacecolor() == figures.COLOURS["causal"]
    )
    assert list(hollow.get_ydata()) == [9] and hollow.get_markerfacecolor() == "none"
    assert (first.get_title("left"), second.get_title("left")) == (
        "a: 2 of 3 below",
        "b: 0 of 1 below",
    )
    assert (
        first.get_xlabel() == "per cent" and first.get_ylabel() == "F1" and not second.get_ylabel()
    )


def test_scores_without_a_layer_stand_named_and_apart_left_of_the_curve():
    others = pd.DataFrame(
        {"family": ["static", None], "value": [0.50, 0.51], "label": ["GloVe", "own"]}
    )
    panels = {"one": ("b", others, [(0.2, "chance")]), "two": ("b", others[:1], [])}
    fig = figures.beside_layers(panels, TABLE, "F1", "T")
    plt.close(fig)
    first = fig.axes[0]
    points = [line for line in first.lines if len(line.get_xdata()) == 1]
    assert [(*line.get_xdata(), *line.get_ydata(), line.get_marker()) for line in points] == [
        (-0.4, 0.50, "v"),
        (-0.4, 0.51, "x"),
    ]
    at = {text.get_text(): text.get_position() for text in first.texts}
    assert (
        at["GloVe"] == (-0.7, 0.48) and at["own"] == (-0.7, 0.53) and at["chance"] == (12.4, 0.188)
    )
    assert [list(line.get_ydata()) for line in first.lines if line.get_linestyle() == "--"] == [
        [0.2, 0.2]
    ]
    assert len([line for line in first.lines if "published" in line.get_label()]) == 3
