"""Figures of embedding matrices: what is drawn is what the frames hold, in the order of families."""

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from cwr import figures
from cwr.texts.bis2021 import figures_of_matrices, spheres


@pytest.fixture
def close():
    yield
    plt.close("all")


def test_spectra_are_dashed_before_centring_and_solid_after_it(close):
    frame = pd.DataFrame({"index": [1, 2], "original": [1, 0.2], "centred": [1, 0.9]})
    values = pd.concat(
        [
            frame.assign(model="g", family="causal"),
            frame.assign(model="b", family="masked"),
        ]
    )
    fig = figures_of_matrices.spectra(values, "t")
    assert [ax.get_title(loc="left") for ax in fig.axes] == ["b", "g"]
    original, centred = fig.axes[1].lines
    assert (original.get_linestyle(), centred.get_linestyle()) == ("--", "-")
    assert original.get_ydata().tolist() == [1, 0.2] and centred.get_ydata().tolist() == [
        1,
        0.9,
    ]
    assert centred.get_color() == figures.COLOURS["causal"]


def test_spheres_stand_beside_their_singular_values_and_the_expected_ones(close):
    moving = spheres.table(50, [0, 2])
    clouds = {s: spheres.from_the_side(spheres.sphere(20, s)) for s in (0, 2)}
    left, right = figures_of_matrices.spheres(clouds, moving, 50, "t").axes
    assert left.lines[1].get_xdata().mean() - left.lines[
        0
    ].get_xdata().mean() == pytest.approx(2)
    values, expected = right.lines[2:]
    assert values.get_label() == "moved by 2" and values.get_linestyle() == "None"
    assert list(values.get_ydata()) == moving.loc[1, ["first", "second", "third"]].tolist()
    assert expected.get_ydata() == pytest.approx(spheres.expected_singular_values(50, 2))


def test_a_line_by_rank_is_a_way_to_count_and_a_panel_a_text(close):
    curve = pd.DataFrame({"rank": [1, 2], "frequency": [0.6, 0.4]})
    counters = [("words", None), ("g", "causal"), ("h", "causal"), ("b", "masked")]
    parts = [
        curve.assign(model=model, family=family, dataset=dataset)
        for dataset in ("lee", "other")
        for model, family in counters
    ]
    fig = figures_of_matrices.by_rank(pd.concat(parts), "t", {"lee": "steep"})
    assert [ax.get_title(loc="left") for ax in fig.axes] == ["lee", "other"]
    assert [ax.texts[0].get_text() for ax in fig.axes] == ["steep", ""]
    words, first, second, masked = fig.axes[1].lines
    assert [line.get_label() for line in fig.axes[1].lines] == ["words", "g", "h", "b"]
    assert first.get_color() == second.get_color() != masked.get_color()
    assert len({line.get_linestyle() for line in (first, second, masked)}) == 3
    assert words.get_linewidth() > first.get_linewidth()
    assert fig.axes[0].get_xscale() == fig.axes[0].get_yscale() == "log"
