"""Figures: the signs of a family, titles that are true, numbers that can be drawn again."""

import re

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from cwr import figures
from cwr.figures import finish, layout
from cwr.measures import contextuality
from cwr.tables import tidy
from cwr.texts.bis2021 import figures_of_gains
from cwr.texts.ethayarajh2019 import figures_of_clouds, figures_of_occurrences

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


def test_a_key_k_takes_the_place_of_the_layer_in_the_order_of_its_numbers():
    fig, ax = plt.subplots()
    table = TABLE.assign(k=[3, 10, 1] * 3, layer=pd.NA)
    figures.by_k(ax, table, "b", "bin")
    plt.close(fig)
    assert ax.get_xlabel() == "bin" and len(ax.lines) == 3
    assert ax.lines[0].get_xdata().tolist() == [1, 3, 10]
    assert ax.lines[0].get_ydata().tolist() == [0.3, 0.1, 0.4]


def test_published_points_are_hollow_and_unconnected_and_lie_where_they_were_printed():
    line = drawn(published=TABLE.assign(model="BERT"))["BERT (published)"]
    assert line.get_linestyle() == "None" and line.get_markeredgecolor() == figures.INK
    assert np.allclose(line.get_ydata(), [0.1, 0.4, 0.3])


def test_models_of_one_family_look_their_own_ours_and_published():
    ours = pd.concat([TABLE[:3].assign(model=name) for name in "pqrs"])
    fig, ax = plt.subplots()
    figures.by_layer(ax, ours, "b", published=ours)
    figures.legend_below(fig, ax)
    assert layout.faults(fig) == []
    plt.close(fig)


def test_curves_stand_in_the_order_of_their_families_and_a_column_of_the_legend_is_a_family():
    shuffled = TABLE[::-1].reset_index(drop=True)
    theirs = shuffled.assign(model=shuffled["model"].str.upper())[shuffled["model"] != "x"]
    fig, ax = plt.subplots()
    figures.by_layer(ax, shuffled, "b", published=theirs)
    assert [line.get_label() for line in ax.lines][:3] == ["y", "x", "z"]
    figures.legend_below(fig, ax)
    (legend,) = fig.legends
    texts = [text.get_text() for text in legend.get_texts()]
    assert texts == [
        "y",
        "x",
        "Y (published)",
        "z",
        "Z (published)",
        " ",
    ]  # two columns of three
    plt.close(fig)


def test_one_family_needs_no_columns_in_the_legend():
    fig, ax = plt.subplots()
    figures.by_layer(ax, TABLE[TABLE["family"] == "masked"], "b")
    figures.legend_below(fig, ax)
    assert [text.get_text() for text in fig.legends[0].get_texts()] == ["x", "y"]
    plt.close(fig)


def test_relative_depth_ends_at_one():
    assert drawn(relative=True)["z"].get_xdata()[-1] == 1


# ---- what a figure says


def courses(**values: list[float]) -> pd.DataFrame:
    """A table with one course a model: its values from the input to the last layer."""
    rows = []
    for model, course in values.items():
        for layer, value in enumerate(course):
            keys = {"model": model, "family": "masked", "layer": layer, "measure": "b"}
            rows.append(keys | {"value": value, "low": value - 0.1, "high": value + 0.1})
    return tidy(rows)


def test_a_title_names_the_models_in_which_it_is_so_in_both_directions():
    table = courses(up=[0, 1, 2], down=[2, 3, 1], same=[1, 2, 1])
    assert figures.models_in_which(figures.rises, table, "b") == "up"
    assert figures.models_in_which(figures.falls, table, "b") == "down"
    most = courses(up=[0, 1], higher=[1, 2], down=[1, 0])
    assert figures.models_in_which(figures.rises, most, "b") == "up and higher"
    up, down = courses(a=[0, 1], b=[1, 2]), courses(a=[1, 0], b=[2, 1])
    assert figures.models_in_which(figures.rises, up, "b") == "a and b"
    assert figures.models_in_which(figures.falls, up, "b") == "no model"
    assert figures.models_in_which(figures.falls, down, "b") == "a and b"
    assert figures.models_in_which(figures.rises, down, "b") == "no model"
    assert figures.models_in_which(figures.falls, courses(a=[1, 0]), "b") == "a"
    assert figures.models_in_which(figures.falls, courses(a=[0, 1]), "b") == "no model"


@pytest.mark.parametrize(
    "moving, said",
    [
        ([], "no choice moves it"),
        (["ties: half"], "the choice of ties moves it"),
        (
            ["reading: words", "reading: pairs", "split"],
            "the choice of reading and split moves it",
        ),
        (["ties: half", "reading: words", "split"], "every choice moves it"),
    ],
)
def test_a_title_names_the_choices_that_move_a_quantity(moving, said):
    choices = ["reading: pairs", "reading: words", "ties: half", "split"]
    assert figures.which_move(choices, moving, "it") == said
    assert (
        figures.which_move(choices[:1], choices[:1], "it")
        == "the choice of reading moves it"
    )


def test_a_title_does_not_say_of_a_model_what_its_intervals_leave_open():
    table = courses(far=[1, 0], near=[1, 0.85])  # intervals of 0.1 to both sides
    assert figures.models_in_which(figures.falls, table, "b") == "far"
    assert figures.models_in_which(figures.rises, courses(a=[0.85, 1]), "b") == "no model"
    assert figures.models_in_which(figures.below(1.05), table, "b") == "no model"
    assert (
        figures.models_in_which(figures.above(0.8), courses(a=[1, 0.85]), "b")
        == "no model"
    )
    points = table.drop(columns=["low", "high"])
    assert figures.models_in_which(figures.falls, points, "b") == "far and near"


def test_above_zero_is_asked_of_the_interval_in_every_layer_but_the_input():
    assert (
        figures.models_in_which(figures.above_zero, courses(a=[0, 0.2, 0.2]), "b") == "a"
    )
    near = courses(a=[0, 0.2, 0.05])  # its interval begins at -0.05
    assert figures.models_in_which(figures.above_zero, near, "b") == "no model"
    assert figures.models_in_which(figures.above_zero, courses(a=[0.5]), "b") == "no model"


def test_below_a_bound_is_asked_of_every_layer_and_of_the_rows_that_the_keys_name():
    table = courses(a=[0.01, 0.04], b=[0.01, 0.06]).assign(
        estimator="pca", low=None, high=None
    )
    title = figures.models_in_which(figures.below(0.05), table, "b", estimator="pca")
    assert title == "a"
    assert (
        figures.models_in_which(figures.below(0.04), table, "b") == "no model"
    )  # not at it


def numbers_after_the_finding(alt: str) -> list[str]:
    return re.findall(r"-?\d+\.\d+", alt.split(". ", 1)[1])


def test_an_alternative_text_begins_with_the_finding_and_tells_five_numbers_at_most():
    few = courses(a=[1, 0.5], b=[0, -0.001])
    text = figures.describe("It falls\nin all 2 models", few, "b")
    assert text == "It falls in all 2 models. In the last layer: a 0.50, b 0.00."
    assert figures.summary("T", "Gain", {"a": -0.25}) == "T. Gain: a −0.25."
    many = courses(**{name: [0, order / 10] for order, name in enumerate("abcdefg")})
    text = figures.describe("It rises", many, "b")
    assert text == "It rises. In the last layer: from 0.00 (a) to 0.60 (g)."
    five = courses(**{name: [0, 1] for name in "abcde"})
    assert len(numbers_after_the_finding(figures.describe("T", five, "b"))) == 5


# ---- one panel a family


def test_a_family_has_a_panel_with_its_own_and_its_published_models_and_panels_share_y():
    published = TABLE[TABLE["model"] != "y"].assign(model=["X"] * 3 + ["Z"] * 3)
    fig = figures.by_family(TABLE, "b", "T", "cosine", published)
    plt.close(fig)
    masked, causal = fig.axes
    assert (masked.get_title("left"), causal.get_title("left")) == ("masked", "causal")
    names = [[text.get_text() for text in ax.get_legend().get_texts()] for ax in fig.axes]
    assert names == [["x", "y", "X (published)"], ["z", "Z (published)"]]
    assert masked.get_ylim() == causal.get_ylim() and masked.get_shared_y_axes().joined(
        *fig.axes
    )


def test_three_families_leave_no_empty_panel_and_one_fills_the_figure():
    three = pd.concat([TABLE, TABLE[:3].assign(model="e", family="bilstm")])
    fig = figures.by_family(three, "b", "T", "cosine")
    titles = [ax.get_title("left") for ax in fig.axes]
    assert titles == ["biLSTM", "masked", "causal", ""]  # at last the legend
    one = figures.by_family(TABLE[-3:], "b", "T", "cosine")
    assert len(one.axes) == 1
    plt.close("all")


def test_the_null_is_one_dotted_line_a_model_and_is_named_once_below():
    table = pd.concat([TABLE, TABLE.assign(measure="null")])
    fig = figures.by_family(table, "b", "T", "cosine", null="null", null_name="by chance")
    assert not layout.faults(fig)
    plt.close(fig)
    dotted = [
        [line.get_label() for line in ax.lines if "null" in line.get_label()]
        for ax in fig.axes
    ]
    assert dotted == [["_null, x", "_null, y"], ["_null, z"]]
    named = [text.get_text() for text in fig.legends[0].get_texts()]
    assert named == ["by chance", "95 % interval"]


def test_a_longer_run_is_crosses_in_the_panel_of_its_family():
    fig = figures.by_family(TABLE, "b", "T", "cosine", longer=TABLE.assign(value=0.7))
    plt.close(fig)
    crosses = [
        [line.get_marker() for line in ax.lines if line.get_marker() in "x+"]
        for ax in fig.axes
    ]
    assert crosses == [["x", "x"], ["x"]]
    points = [line for line in fig.axes[1].lines if line.get_marker() == "x"][0]
    assert set(points.get_ydata()) == {0.7} and points.get_linestyle() == "None"
    (below,) = fig.legends
    assert [text.get_text() for text in below.get_texts()] == [
        "longer run",
        "95 % interval",
    ]
    legends = [ax.get_legend().get_texts() for ax in fig.axes]
    names = [[text.get_text() for text in texts] for texts in legends]
    assert names == [["x", "y"], ["z"]]


def test_a_longer_run_of_another_model_is_a_broken_line_that_its_panel_names():
    other = TABLE[-3:].assign(model="w")
    fig = figures.by_family(TABLE, "b", "T", "cosine", longer=other)
    plt.close(fig)
    (line,) = [line for line in fig.axes[1].lines if "longer" in line.get_label()]
    assert line.get_linestyle() == "--" and line.get_markerfacecolor() == "white"
    names = [text.get_text() for text in fig.axes[1].get_legend().get_texts()]
    assert names == ["z", "w, longer run"]
    assert [text.get_text() for text in fig.legends[0].get_texts()] == ["95 % interval"]


def test_a_turned_table_has_a_panel_a_model_and_a_line_a_measure():
    table = pd.concat([TABLE, TABLE.assign(measure="s"), TABLE.assign(measure="no")])
    turned = figures.turned(table, {"s": "one word", "b": "two words"})
    fig = figures.side_by_side(
        turned, None, {"x": "X", "z": "Z"}, "T", "cosine", level=0.2
    )
    plt.close(fig)
    for name, ax in zip("xz", fig.axes, strict=True):
        lines = {line.get_label(): list(line.get_ydata()) for line in ax.lines[:2]}
        values = list(TABLE.loc[TABLE["model"] == name, "value"])
        assert lines == {"one word": values, "two words": values}
        assert [0.2, 0.2] in [list(line.get_ydata()) for line in ax.lines]


def test_models_in_the_background_are_in_every_panel_and_named_at_the_right():
    others = TABLE[:3].assign(model="other", family="sentence")
    fig = figures.by_family(TABLE, "b", "T", "cosine", background=others)
    plt.close(fig)
    left, right = fig.axes  # the background brings no panel
    assert not left.texts and [text.get_text() for text in right.texts] == ["other"]
    for ax in fig.axes:
        grey = [line for line in ax.lines if len(line.get_xdata()) == 3]
        assert figures.GREY in [line.get_color() for line in grey]
        assert "other" not in [text.get_text() for text in ax.get_legend().get_texts()]


def test_points_beyond_a_clipped_axis_stand_at_its_edge_with_the_farthest_value():
    table = courses(near=[0.01, 0.02, 0.03], far=[0.0, -0.7, -0.3])
    fig = figures.by_family(table, "b", "T", "share", connected=False)
    figures.clip(fig, -0.15, 0.15)
    plt.close(fig)
    (ax,) = fig.axes
    assert ax.get_ylim() == (-0.15, 0.15)
    assert [text.get_text() for text in ax.texts] == ["far: -0.70"]
    (carets,) = [line for line in ax.lines if line.get_marker() == "v"]
    assert list(carets.get_xdata()) == [0.5, 1] and set(carets.get_ydata()) == {-0.15}


def test_points_are_unconnected_and_have_their_intervals():
    fig = figures.by_family(TABLE[-3:], "b", "T", "share", connected=False)
    plt.close(fig)
    (ax,) = fig.axes
    (points,) = [line for line in ax.lines if line.get_label() == "z"]
    assert points.get_linestyle() == "None" and np.allclose(
        points.get_ydata(), [0.1, 0.4, 0.3]
    )
    ends = [segment[:, 1] for segment in ax.collections[0].get_segments()]
    assert np.allclose(ends, [[0.09, 0.11], [0.39, 0.41], [0.29, 0.31]])


# ---- gains, rows


def test_gains_have_a_point_a_row_with_its_interval_below_their_treatment():
    table = pd.DataFrame(
        [
            ("ours", "masked", "men", "centred", 2.0, 1.0, 3.0, 460),
            ("ours", "masked", "men", "scaled", -4.0, -7.0, 1.0, 460),
            ("theirs", "causal", "men", "centred", 9.0, 8.0, 9.5, 37),
        ],
        columns="model family dataset treatment gain low high n".split(),
    )
    fig = figures_of_gains.gains(table, "T", "gain")
    plt.close(fig)
    first, second = fig.axes
    points = [line for line in first.lines if line.get_marker() == "s"]
    assert [(line.get_xdata()[0], line.get_ydata()[0]) for line in points] == [
        (2.0, -1),
        (-4.0, -3),
    ]
    intervals = [list(line.get_xdata()) for line in first.lines]
    assert [1.0, 3.0] in intervals and [-7.0, 1.0] in intervals
    assert [[text.get_text() for text in ax.texts] for ax in (first, second)] == [
        ["+2.0", "centred", "scaled"],
        ["+9.0", "centred"],
    ]
    blue = figures.COLOURS["masked"]  # the second interval includes 0
    assert [line.get_markerfacecolor() for line in points] == [blue, "white"]
    labels = [text.get_text() for text in first.get_yticklabels()]
    assert labels == ["", "men", "", "men"]


def test_rows_of_one_name_share_a_line_and_printed_ones_stand_on_the_line_of_their_row():
    keys = {"measure": "rho", "dataset": "MEN", "low": 0.0, "high": 1.0}
    ours = [
        ("ase", "a", "masked", 0.3),
        ("ase", "b", "causal", 0.4),
        ("static", "CBOW", "static", 0.1),
        ("static", "SKIPGRAM", "static", 0.2),
    ]
    columns = ["estimator", "model", "family", "value"]
    table = tidy([{**keys, **dict(zip(columns, row, strict=True))} for row in ours])
    in_print = table.iloc[[0, 3]].assign(model=["BERT-12", "SKIPGRAM"], value=[0.7, 0.8])
    names = {("ase", "a"): "ASE", ("ase", "b"): "ASE", ("static", "CBOW"): "CBOW"}
    names |= {("static", "SKIPGRAM"): "SKIPGRAM"}
    fig = figures.by_row(table, "rho", names, ["MEN"], "T", "rho", in_print)
    plt.close(fig)
    (ax,) = fig.axes
    assert [text.get_text() for text in ax.get_yticklabels()] == [
        "ASE",
        "CBOW",
        "SKIPGRAM",
    ]
    heights = {
        line.get_xdata()[0]: line.get_ydata()[0]
        for line in ax.lines
        if len(line.get_xdata()) == 1
    }
    assert heights[0.1] == -1 and heights[0.2] == heights[0.8] == -2
    assert 0.5 > heights[0.3] == heights[0.7] > 0 > heights[0.4] > -0.5
    (legend,) = fig.legends
    assert [text.get_text() for text in legend.get_texts()] == [
        "a",
        "b",
        "masked (published)",
        "static (published)",
        "95 % interval",
    ]


def test_curves_against_the_corpus_have_a_panel_a_set_on_a_logarithmic_axis():
    rows = [
        {
            "dataset": name,
            "model": f"t, {kind}",
            "family": "masked",
            "measure": "m",
            "k": k,
        }
        | {"value": k / 1e6, "low": 0.0, "high": 1.0}
        for name in ("SL-999", "MEN")
        for kind in ("X2Static", "ASE")
        for k in (60_000, 120_000, 1_000_000)
    ]
    fig = figures.by_corpus_size(tidy(rows), "m", ["SL-999", "MEN"], "T", "rho")
    plt.close(fig)
    for ax in fig.axes:
        assert ax.get_xscale() == "log"
        assert [text.get_text() for text in ax.get_xticklabels()] == [
            "60 k",
            "120 k",
            "1 M",
        ]
        curves = [line for line in ax.lines if line.get_gid()]
        assert [line.get_label() for line in curves] == ["t, X2Static", "t, ASE"]
        assert curves[0].get_linestyle() != curves[1].get_linestyle()
        assert curves[0].get_xdata().tolist() == [60_000, 120_000, 1_000_000]


def test_each_teacher_has_a_column_with_the_curve_that_needs_none():
    rows = [
        {"dataset": name, "model": kind, "teacher": teacher, "family": family, "k": k}
        for name in ("SL-999", "MEN")
        for teacher, family, kind in (
            ("t", "masked", "t, X2Static"),
            ("u", "causal", "u, X2Static"),
            ("", "static", "alone"),
        )
        for k in (60_000, 120_000)
    ]
    table = tidy(
        [{"measure": "m", "value": 0.2, "low": 0, "high": 1} | row for row in rows]
    )
    fig = figures.by_teacher(table, "m", ["SL-999", "MEN"], "T", "rho")
    assert not layout.faults(fig)
    plt.close(fig)
    colours = [
        [line.get_color() for line in ax.lines if line.get_gid()] for ax in fig.axes
    ]
    t, u, alone = (figures.COLOURS[family] for family in ("masked", "causal", "static"))
    assert colours == [[t, alone], [u, alone]] * 2
    assert [ax.get_ylabel() for ax in fig.axes] == ["SL-999", "", "MEN", ""]
    (legend,) = fig.legends
    labels = [text.get_text() for text in legend.get_texts()]
    assert labels == ["X2Static", "alone", "95 % interval"]
    signs = [handle.get_color() for handle in legend.legend_handles]
    assert signs == [figures.GREY, alone, figures.GREY]  # X2Static has two colours


def test_a_family_without_a_colour_is_drawn_by_corpus_size_in_grey():
    keys = {"dataset": "f1", "model": "m", "family": "convolutional", "measure": "gain"}
    rows = [
        keys | {"k": k, "value": 0.5, "low": 0.0, "high": 1.0} for k in (10_000, 20_000)
    ]
    fig = figures.by_corpus_size(tidy(rows), "gain", ["f1"], "T", "y")
    plt.close("all")
    (curve,) = (line for line in fig.axes[0].lines if line.get_gid())
    assert curve.get_color() == figures.GREY


def test_a_title_has_minus_signs_before_numbers_and_hyphens_within_names():
    fig = plt.figure()
    figures.headline(fig, "On SL-999 cwr-bert falls by -0.5 (-2 %)")
    assert fig.get_suptitle() == "On SL-999 cwr-bert falls by −0.5 (−2 %)"
    plt.close(fig)


def test_a_heat_map_shows_every_number_in_its_cell():
    values = pd.DataFrame([[0.1, 0.9], [0.4, 0.6]], index=["pos", "srl"], columns=[0, 1])
    fig = figures.heat_map(values, "T", "weight", "layer")
    plt.close(fig)
    assert [text.get_text() for text in fig.axes[0].texts] == [
        "0.10",
        "0.90",
        "0.40",
        "0.60",
    ]


def test_nothing_that_seaborn_draws_changes_the_style_of_other_figures():
    before = dict(plt.rcParams)
    figures.heat_map(pd.DataFrame([[1.0]]), "T", "weight", "layer")
    plt.close("all")
    assert dict(plt.rcParams) == before


# ---- clouds


def cone(shared: float) -> np.ndarray:
    """Vectors with a shared component, in 30 dimensions."""
    vectors = np.random.default_rng(0).normal(size=(80, 30))
    vectors[:, 3] += shared
    return vectors


def test_a_cone_lies_off_the_centre_along_its_mean_and_centred_it_does_not():
    vectors = cone(10)
    side = figures_of_clouds.plane(vectors)
    assert np.allclose(side @ side.T, np.eye(2)) and abs(side[0, 3]) > 0.98
    centred = vectors - vectors.mean(axis=0)
    clouds = figures_of_clouds.projected(
        {"before": (vectors, side), "after": (centred, side)}
    )
    means = clouds[clouds["kind"] == "vector"].groupby("panel")[["x", "y"]].mean()
    assert means.loc["before", "x"] > 0.8 and abs(means.loc["after", "x"]) < 0.05
    assert abs(means["y"]).max() < 0.1


def test_below_a_cloud_stand_the_cosines_of_its_pairs_and_their_mean():
    vectors = cone(5)
    clouds = figures_of_clouds.projected(
        {"one": (vectors, figures_of_clouds.plane(vectors))}
    )
    cosines = clouds[clouds["kind"] != "vector"]["x"]
    assert len(cosines) == 100 and cosines.is_monotonic_increasing
    measured = contextuality.mean_pairwise_cosine(vectors)
    assert cosines.mean() == pytest.approx(
        measured, abs=0.002
    )  # of quantiles, not of all pairs
    fig = figures_of_clouds.beside_each_other(clouds, "causal", "T")
    plt.close(fig)
    (line,) = fig.axes[1].lines
    assert line.get_xdata()[0] == pytest.approx(cosines.mean())
    assert [text.get_text() for text in fig.axes[1].texts] == [
        f"mean {cosines.mean():.2f}"
    ]
    named = [text.get_text() for text in fig.legends[0].get_texts()]
    assert named == ["a vector", "their mean", "origin", "length 1"]


def test_a_cloud_of_one_vector_can_be_drawn():
    vectors = np.ones((9, 4))
    clouds = figures_of_clouds.projected(
        {"layer 0": (vectors, figures_of_clouds.plane(vectors))}
    )
    plt.close(figures_of_clouds.beside_each_other(clouds, "bilstm", "T"))
    assert np.allclose(clouds.loc[clouds["kind"] == "vector", "x"], 1)


# ---- output and files


def show(monkeypatch, results=None, **changes):
    """What `figures.show` hands to the notebook: (data, metadata)."""
    shown = []
    monkeypatch.setattr(
        finish, "display", lambda data, raw, metadata: shown.append((data, metadata))
    )
    monkeypatch.delenv("CWR_RESULTS", raising=False)
    if results is not None:
        monkeypatch.setenv("CWR_RESULTS", str(results))
    fig = figures.by_family(TABLE, "b", "T", "cosine")
    words = {"alt": "T. It falls.", "name": "a-line", "caption": "One line."} | changes
    figures.show(fig, **words, numbers=figures.plotted(TABLE, None, "b"))
    assert not plt.fignum_exists(fig.number)
    return shown[0]


def test_show_gives_one_picture_with_its_words_and_outside_the_workflow_no_file(
    monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    data, metadata = show(monkeypatch)
    assert (
        sorted(data) == ["image/png", "text/plain"]
        and data["text/plain"] == "T. It falls."
    )
    assert data["image/png"].startswith(b"\x89PNG")
    words = {"alt": "T. It falls.", "name": "a-line", "caption": "One line.", "width": 680}
    assert metadata["image/png"] == words | {"faults": []}
    assert list(tmp_path.iterdir()) == []


def test_the_numbers_that_a_figure_leaves_are_those_that_were_drawn(monkeypatch, tmp_path):
    show(monkeypatch, tmp_path)
    numbers = pd.read_csv(tmp_path / "figures" / "a-line.csv")
    assert list(numbers.columns) == [
        "model",
        "family",
        "layer",
        "measure",
        "value",
        "low",
        "high",
        "source",
    ]
    fig = figures.by_family(numbers, "b", "T", "cosine")
    redrawn = {line.get_label(): line.get_ydata() for ax in fig.axes for line in ax.lines}
    plt.close(fig)
    for name, line in drawn().items():
        assert np.allclose(line.get_ydata(), redrawn[name])


def test_two_draws_of_a_figure_are_the_same_bytes(monkeypatch, tmp_path):
    drawings = []
    for folder in ("one", "two"):
        show(monkeypatch, tmp_path / folder)
        folders = tmp_path / folder / "figures"
        drawings.append([file.read_bytes() for file in sorted(folders.glob("*.svg"))])
    assert drawings[0] == drawings[1] and all(
        b"<svg" in drawing for drawing in drawings[0]
    )
    on_pages, on_phones = drawings[0][1], drawings[0][0]
    assert b'width="489.6pt"' in on_pages and b'width="302.4pt"' in on_phones


@pytest.mark.parametrize("name", ["Figure 1", "../a", "", "a_b"])
def test_a_name_that_is_no_address_is_refused(monkeypatch, name):
    with pytest.raises(ValueError, match="no name of a figure"):
        show(monkeypatch, name=name)
    plt.close("all")


def test_published_rows_stand_beside_ours_and_what_was_not_drawn_does_not():
    published = TABLE[:3].assign(model="X", estimator="pca")[
        ["model", "family", "layer", "measure", "value", "estimator"]
    ]
    other = published.assign(measure="other")
    rows = figures.plotted(TABLE, pd.concat([published, other]), "b")
    assert rows["source"].value_counts().to_dict() == {"ours": 9, "published": 3}
    assert set(rows["measure"]) == {"b"} and "task" not in rows


def test_points_below_a_line_are_filled_and_counted():
    points = pd.DataFrame(
        {"accuracy": [50.0, 60, 70], "f1": [1.0, 2, 9], "below": [True, True, False]}
    )
    fig = figures.below_a_line(
        {"a": (points, ([50, 70], [5, 5])), "b": (points[2:], ([70], [5]))},
        "accuracy",
        "f1",
        ("per cent", "F1", "the least F1"),
        "A title",
    )
    plt.close(fig)
    first, second = fig.axes
    _, filled, hollow = first.lines
    (legend,) = fig.legends
    assert [text.get_text() for text in legend.get_texts()] == [
        "the least F1",
        "below the line",
        "not below it",
    ]
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
        first.get_xlabel() == "per cent"
        and first.get_ylabel() == "F1"
        and not second.get_ylabel()
    )


def test_changes_stand_in_the_order_of_the_choices_and_a_model_without_one_has_no_point():
    table = pd.DataFrame(
        [
            ("b", "other", "x", "masked", 0.2, 0.1, 0.3),
            ("b", "another", "x", "masked", -0.1, -0.2, 0.0),
            ("b", "other", "z", "causal", 0.4, 0.3, 0.5),
        ],
        columns=["panel", "variant", "model", "family", "change", "low", "high"],
    )
    fig = figures.changes(table, ["another", "other"], "title", "change")
    lines = {line.get_label(): line for line in fig.axes[0].lines}
    assert [label.get_text() for label in fig.axes[0].get_yticklabels()] == [
        "another",
        "other",
    ]
    assert dict(zip(*lines["x"].get_data(), strict=True)) == pytest.approx(
        {0.2: -0.7, -0.1: 0}
    )
    assert list(lines["z"].get_xdata()) == [0.4]
    plt.close(fig)


def test_changes_say_in_words_where_a_model_has_no_point():
    columns = ["panel", "variant", "model", "family", "change", "low", "high"]
    rows = [("a", "one", "x"), ("a", "two", "x"), ("a", "two", "z"), ("b", "one", "x")]
    rows = [(*row, "masked", 0.1, 0.0, 0.2) for row in rows]
    table, order = pd.DataFrame(rows, columns=columns), ["zero", "one", "two"]
    fig = figures.changes(table, order, "title", "change", missing="no rise")
    written = [{(t.get_text(), t.xy[1]) for t in ax.texts} for ax in fig.axes[:2]]
    assert written[0] == {("z: no rise", -0.3)}
    assert written[1] == {("z: no rise", -0.3), ("x: no rise", -0.7), ("z: no rise", -1.3)}
    alone = figures.changes(table[table["model"] == "x"], order, "t", "c", missing="none")
    assert [t.get_text() for t in alone.axes[1].texts] == ["none"]
    of_models = table[table["panel"] == "a"].assign(panel=table["model"])
    fig = figures.changes(of_models, order, "title", "change", missing="no rise")
    written = [[(t.get_text(), t.xy[1]) for t in ax.texts] for ax in fig.axes[:2]]
    assert written == [[], [("no rise", 0)]]  # the words of a panel are those of its model
    plt.close("all")


def test_changes_of_two_models_of_a_family_are_filled_and_hollow():
    columns = ["panel", "variant", "model", "family", "change", "low", "high"]
    rows = [("", "a", model, "bilstm", 0.2, 0.1, 0.3) for model in ("two", "four")]
    fig = figures.changes(pd.DataFrame(rows, columns=columns), ["a"], "T", "change")
    plt.close(fig)
    faces = {line.get_label(): line.get_markerfacecolor() for line in fig.axes[0].lines}
    assert faces["two"] == figures.COLOURS["bilstm"] and faces["four"] == "white"


def test_pale_changes_are_small_and_named_and_a_line_sets_the_control_apart():
    columns = ["panel", "variant", "model", "family", "change", "low", "high", "pale"]
    rows = [
        ("", "a", "x", "masked", 0.2, 0.1, 0.3, False),
        ("", "b", "x", "masked", 0.1, -0.1, 0.3, True),
        ("", "again", "x", "masked", 0.1, 0.0, 0.2, False),
    ]
    table, order = pd.DataFrame(rows, columns=columns), ["a", "b", "again"]
    fig = figures.changes(
        table, order, "T", "change", strengths=("strong", "pale"), control="again"
    )
    plt.close(fig)
    lines = {line.get_label(): line for line in fig.axes[0].lines}
    assert list(lines["x"].get_xdata()) == [0.2, 0.1]
    assert list(lines["_pale"].get_xdata()) == [0.1]
    assert lines["_pale"].get_markersize() < lines["x"].get_markersize()
    named = [text.get_text().strip() for text in fig.legends[0].get_texts()]
    assert {"x", "strong", "pale"} <= set(named)
    assert [-1.5, -1.5] in [list(line.get_ydata()) for line in fig.axes[0].lines]


def test_a_model_that_stands_in_another_panel_alone_is_in_the_legend_of_changes():
    columns = ["panel", "variant", "model", "family", "change", "low", "high"]
    table = pd.DataFrame(
        [
            ("a", "other", "x", "masked", 0.2, 0.1, 0.3),
            ("b", "other", "z", "causal", 0.4, 0.3, 0.5),
        ],
        columns=columns,
    )
    fig = figures.changes(table, ["first", "other"], "title", "change")
    plt.close(fig)
    labels = [label.get_text() for label in fig.axes[0].get_yticklabels()]
    assert labels == ["other"] and fig.axes[0].get_ylim() == (
        -0.5,
        0.5,
    )  # no line for "first"
    named = [text.get_text().strip() for text in fig.legends[0].get_texts()]
    assert [name for name in named if name] == ["x", "95 % interval", "z"]


def test_the_legend_stands_beside_an_odd_last_panel_and_says_which_bands_are_intervals():
    three = pd.concat([TABLE, TABLE[:3].assign(model="w", family="bilstm")])
    copies = three.assign(variant="untrained", seed=1)
    for untrained, names in (
        (None, ["95 % interval"]),
        (copies, ["untrained", "95 % interval (trained)"]),
    ):
        fig = figures.by_family(three, "b", "T", "cosine", untrained=untrained)
        assert len(fig.axes) == 4 and not layout.faults(fig)
        legend = fig.axes[-1].get_legend()
        assert [text.get_text() for text in legend.get_texts()] == names
    plt.close("all")


def test_a_level_with_a_name_stands_in_the_legend_as_it_is_drawn():
    fig = figures.by_family(TABLE, "b", "T", "cosine", level=0.5, level_name="best rule")
    (sign,) = fig.legends[0].get_lines()
    named = [text.get_text() for text in fig.legends[0].get_texts()]
    assert named == ["best rule", "95 % interval"]
    level = next(line for line in fig.axes[0].lines if set(line.get_ydata()) == {0.5})
    assert level.is_dashed() and sign.is_dashed() and sign.get_color() == level.get_color()
    plt.close(fig)


def test_words_and_as_many_random_words_stand_over_the_same_bins():
    rows = {"n": ["5 to 7", "8"], "words": [0.4, 0.3], "random words": [0.3, 0.1]}
    table = pd.DataFrame(rows | {"model": "x", "family": "masked", "floor": [0.2, 0.05]})
    fig = figures_of_occurrences.by_occurrences(table, "Title", "n", "variance")
    plt.close(fig)
    lines = {line.get_label(): line.get_ydata().tolist() for line in fig.axes[0].lines[:3]}
    drawn = {
        "words": [0.4, 0.3],
        "random words": [0.3, 0.1],
        "least possible": [0.2, 0.05],
    }
    assert lines == drawn
    assert [text.get_text() for text in fig.axes[0].get_xticklabels()] == ["5 to 7", "8"]


def test_estimates_at_one_size_stand_apart_and_the_axis_names_the_sizes():
    table = pd.DataFrame(
        [
            {"model": name, "family": "masked", "measure": "b", "k": k, "value": 0.1 * k}
            for name in ("all words", "the same words")
            for k in (350, 700)
        ]
    ).assign(low=0.0, high=1.0)
    fig = figures.by_size(table, "b", "A title", "b", levels=(0, 0.01))
    (ax,) = fig.axes
    first, second = (line.get_xdata() for line in ax.lines[:2])
    assert first.tolist() == [350, 700] and (second > first).all()
    assert [line.get_markerfacecolor() for line in ax.lines[:2]] == [
        figures.COLOURS["masked"],
        "white",
    ]
    assert [text.get_text() for text in ax.get_xticklabels()] == ["350", "700"]
    figures.plt.close(fig)


# ---- which curve lies nearest to a published one


def test_the_nearest_curve_to_a_published_one_is_named_unless_it_is_our_first():
    ours, published = courses(mine=[0.9, 0.5, 0.5]), courses(BERT=[0.0, 0.2, 0.4])
    longer = courses(other=[0.9, 0.2, 0.3, 0.4, 0.5])  # at depths 1/4, 1/2, 3/4, 1
    sentence = figures.nearest(published, "b", ours, longer)
    assert sentence == (
        "Of our curves, that of the longer run's `other` lies nearest to the published curve of BERT, "
        "at a mean distance of 0.10. That of `mine` lies at a mean distance of 0.20."
    )
    assert figures.nearest(published, "b", longer, ours) == ""
    copies = pd.concat(
        [courses(mine=[0, value, 0.4]).assign(seed=value) for value in (0.1, 0.3)]
    )
    beside = figures.nearest(
        published, "b", ours, untrained=copies.assign(variant="untrained")
    )
    assert "that of `mine` (untrained) lies nearest" in beside
    assert beside.endswith("0.00. That of `mine` lies at a mean distance of 0.20.")
    assert figures.nearest(published, "b", ours, longer.assign(family="causal")) == ""


def test_names_are_joined_in_words():
    assert [figures.listed(list(names)) for names in ("", "a", "ab", "abc")] == [
        "none",
        "a",
        "a and b",
        "a, b and c",
    ]
