"""Figures of projected rows: every row is drawn, and a bar is as long as its share."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from cwr.texts.bis2021 import figures_of_projections


@pytest.fixture
def points():
    yield pd.concat(
        [rows_of("g", "causal", [0, 3, np.nan]), rows_of("b", "masked", [np.nan, 1.0])]
    )
    plt.close("all")


def rows_of(model, family, log_counts):
    n = len(log_counts)
    columns = {"x": np.arange(n), "y": -np.arange(n), "index": np.linspace(0, 1, n)}
    return pd.DataFrame(
        {"model": model, "family": family, **columns, "log_count": log_counts}
    )


def test_every_row_stands_in_the_panel_of_its_model_below_its_note(points):
    notes = pd.Series({"g": "n", "b": "m"})
    fig = figures_of_projections.on_first_vectors(points, "t", notes)
    assert [ax.get_title(loc="left") for ax in fig.axes] == ["b", "g"]
    assert [ax.get_title(loc="right") for ax in fig.axes] == ["m", "n"]
    assert [len(ax.collections[0].get_offsets()) for ax in fig.axes] == [2, 3]


def test_bars_are_as_long_as_the_shares(points):
    shares = pd.DataFrame({"index": [0.1, 0.2], "log_count": [0.3, 0.4]}, ["g", "b"])
    fig = figures_of_projections.explained(points, shares, "g", "t")
    (bars,) = (ax for ax in fig.axes if ax.patches)
    assert [bar.get_width() for bar in bars.patches] == [0.3, 0.1, 0.4, 0.2]
