"""Figures of costs: what is drawn is what was given."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from cwr import figures
from cwr.texts.gupta2021 import figures_of_costs

FAMILIES = {"BERT-base": "masked", "cwr-gpt": "causal"}


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


def test_every_comparison_has_a_line_and_every_model_its_points():
    points = pd.DataFrame(
        [("one", "BERT-base", 1e7), ("one", "cwr-gpt", 3.0), ("two", "BERT-base", 20.0)]
        + [("two", "cwr-gpt", 40.0)],
        columns=["comparison", "model", "times"],
    )
    fig = figures_of_costs.by_comparison(
        points, FAMILIES, "title", "times", band=(1e7, 1e8), hollow="BERT-base"
    )
    (ax,) = fig.axes
    drawn = {line.get_label(): list(line.get_xdata()) for line in ax.lines}
    assert drawn == {"BERT-base": [1e7, 20.0], "cwr-gpt": [3.0, 40.0]}
    assert [label.get_text() for label in ax.get_yticklabels()] == ["one", "two"]
    of_bert, of_gpt = ax.lines
    assert (
        of_bert.get_markerfacecolor() == "white"
        and of_gpt.get_markerfacecolor() != "white"
    )
    assert (np.round(of_bert.get_ydata()) == np.round(of_gpt.get_ydata())).all()
    assert (of_bert.get_ydata() > of_gpt.get_ydata()).all() and ax.get_xscale() == "log"


def test_a_curve_and_its_end_are_in_the_colour_of_the_family():
    length = np.array([10.0, 100.0, 1000.0])
    curves = {"BERT-base": length / 300, "cwr-gpt": length / 5}
    ends = {"BERT-base": 300}
    fig = figures_of_costs.by_length(length, curves, 90, ends, FAMILIES, "title")
    (ax,) = fig.axes
    _, bert, end_of_bert, gpt = ax.lines
    assert (
        bert.get_ydata() == pytest.approx(length / 300)
        and bert.get_color() != gpt.get_color()
    )
    assert (
        end_of_bert.get_xdata() == [300] and gpt.get_color() == figures.COLOURS["causal"]
    )
    [legend] = fig.legends
    assert [text.get_text() for text in legend.get_texts()] == [
        "BERT-base: cheaper up to 300",
        "cwr-gpt: never cheaper",
    ]
    assert ax.get_xlim() == (90, 1000)
    low, high = ax.get_ylim()
    assert low < 100 / 300 < 1 < high  # the cheapest length beyond a sentence is in sight
