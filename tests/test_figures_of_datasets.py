"""The figure with a panel a data set: which rows it draws, and what stands in no panel."""

import numpy as np
import pandas as pd
import pytest

from cwr import figures
from cwr.tables import tidy

DATASETS = ["WS353", "MEN", "Google"]


@pytest.fixture
def table() -> pd.DataFrame:
    rows = []
    for number, dataset in enumerate(DATASETS):
        for layer in (1, 2, pd.NA):
            is_static = layer is pd.NA
            model, family = (
                ("cwr-static", "static") if is_static else ("cwr-elmo", "bilstm")
            )
            value = number + (0.5 if is_static else layer / 10)
            keys = {"model": model, "family": family, "layer": layer, "dataset": dataset}
            rows.append({**keys, "measure": "score", "value": value})
        rows.append({"measure": "null", "dataset": dataset, "value": -number / 10})
    frame = tidy(rows)
    return frame.assign(low=frame["value"] - 0.1, high=frame["value"] + 0.1)


def test_each_panel_has_the_curve_the_level_and_the_null_of_its_data_set(table):
    look = {"null": "null", "null_name": "chance"}
    fig = figures.by_dataset(table, "score", DATASETS, "A title", "score", **look)
    assert [ax.get_title("left") for ax in fig.axes] == [
        *DATASETS,
        "",
    ]  # at last the legend
    for number, ax in enumerate(fig.axes[:-1]):
        lines = {
            line.get_label(): np.asarray(line.get_ydata(), dtype=float)
            for line in ax.lines
        }
        assert lines["cwr-elmo"] == pytest.approx([number + 0.1, number + 0.2])
        assert lines["cwr-static"] == pytest.approx([number + 0.5] * 2)
        levels = [
            np.unique(line.get_ydata())
            for line in ax.lines
            if line.get_linestyle() == "--"
        ]
        assert any(level == pytest.approx([-number / 10]) for level in levels)
        assert lines["chance"] == pytest.approx([-number / 10] * 2)
    figures.plt.close(fig)


def test_each_panel_has_the_levels_of_its_data_set_dashed_and_named_once(table):
    named = [("MEN", "rule", 0.7), ("MEN", "constant", 0.3), ("WS353", "rule", 0.4)]
    levels = pd.DataFrame(named, columns=["dataset", "name", "value"])
    fig = figures.by_dataset(table, "score", DATASETS, "A title", "score", levels=levels)
    for dataset, ax in zip(DATASETS, fig.axes[:-1], strict=True):
        drawn = {line.get_label(): line for line in ax.lines}
        for _, name, value in [row for row in named if row[0] == dataset]:
            assert drawn[name].get_ydata() == [value, value] and drawn[name].is_dashed()
        assert ("rule" in drawn) == (dataset != "Google")
    legend = fig.axes[-1].get_legend()
    named = {text.get_text() for text in legend.get_texts()}
    assert {"rule", "95 % interval"} <= named and not fig.legends
    figures.plt.close(fig)


def test_an_axis_of_its_own_ends_near_the_curves_and_tells_a_lower_level_once(table):
    named = [("MEN", "rule", -9.0), ("MEN", "constant", -9.0), ("WS353", "rule", 0.1)]
    levels = pd.DataFrame(named, columns=["dataset", "name", "value"])
    fig = figures.by_dataset(
        table, "score", DATASETS, "A title", "score", levels=levels, sharey=False
    )
    told = {
        name: ax.texts[0].get_text()
        for name, ax in zip(DATASETS, fig.axes[:-1], strict=True)
    }
    assert told == {"WS353": "", "MEN": "↓ rule: -9.0", "Google": ""}
    for number, ax in enumerate(fig.axes[:-1]):
        low, high = ax.get_ylim()
        assert number - 0.3 < low < number and number + 0.6 < high < number + 0.8
    figures.plt.close(fig)


def test_published_rows_without_a_layer_are_not_drawn(table):
    published = table[table["measure"] == "score"].assign(model="ELMo", value=9.0)
    fig = figures.by_dataset(table, "score", DATASETS, "A title", "score", published)
    hollow = [line for line in fig.axes[0].lines if line.get_label() == "ELMo (published)"]
    assert sorted(len(line.get_xdata()) for line in hollow) == [2]
    figures.plt.close(fig)


def test_a_ringed_layer_has_a_ring_in_each_panel_and_a_name(table):
    fig = figures.by_dataset(table, "score", DATASETS, "A title", "score", ringed=1)
    for number, ax in enumerate(fig.axes[:-1]):
        (ring,) = [line for line in ax.lines if line.get_label() == "layer 1"]
        assert list(ring.get_xdata()) == [0.5]
        assert list(ring.get_ydata()) == pytest.approx([number + 0.1])
    figures.plt.close(fig)
