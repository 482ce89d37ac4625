"""Figures of what tuning does: which curves are drawn, from which rows."""

import pandas as pd
import pytest
from matplotlib.collections import LineCollection

from cwr import figures
from cwr.tables import tidy


def with_bands(rows) -> pd.DataFrame:
    frame = tidy(rows)
    return frame.assign(low=frame["value"] - 0.1, high=frame["value"] + 0.1)


def curves(ax) -> dict[str, list[tuple]]:
    """The points of each named curve of a panel."""
    named = [line for line in ax.lines if not line.get_label().startswith("_")]
    return {
        line.get_label(): list(zip(*map(list, line.get_data()), strict=True))
        for line in named
    }


def test_what_stood_before_is_drawn_beside_each_task_and_a_task_in_its_own_panel():
    model = {"model": "cwr-bert", "family": "masked"}
    rows = []
    for layer in (1, 0):
        rows.append({**model, "measure": "before", "layer": layer, "value": 0.5 + layer})
        for number, task in enumerate(("pos", "ner"), start=1):
            value = layer + number / 10
            rows.append(
                {**model, "measure": "old", "task": task, "layer": layer, "value": value}
            )
    names = {("before", False): "untouched", ("old", True): "old probes"}
    panels = {("cwr-bert", "pos"): "tags", ("cwr-bert", "ner"): "entities"}
    fig = figures.before_and_after(with_bands(rows), names, panels, "A title", "F1")
    assert [ax.get_title("left") for ax in fig.axes] == ["tags", "entities"]
    for number, ax in enumerate(fig.axes, start=1):
        drawn = curves(ax)
        assert drawn["untouched"] == [(0, 0.5), (1, 1.5)]
        assert drawn["old probes"] == [(0, number / 10), (1, 1 + number / 10)]
    signs = {(line.get_linestyle(), line.get_marker()) for line in fig.axes[0].lines}
    assert len(signs) == 2  # told apart in grey print
    figures.plt.close(fig)


def test_changes_stand_at_their_amounts_in_order_and_chance_is_a_grey_band():
    rows = [
        {"model": "m", "family": "masked", "line": line, "k": k, "value": value}
        for line, k, value in (
            ("a", 100, -0.3),
            ("a", 0, 0.0),
            ("a", 10, -0.1),
            ("b", 0, 0.2),
        )
    ]
    table = pd.DataFrame(rows).assign(low=-0.4, high=0.4)
    fig = figures.by_amount(
        table, ["a", "b"], "A title", "updates", "F1", {"m": (-0.05, 0.02)}
    )
    (ax,) = fig.axes
    drawn = curves(ax)
    assert drawn["a"] == [(0, 0.0), (10, -0.1), (100, -0.3)] and drawn["b"] == [(0, 0.2)]
    assert [text.get_text() for text in ax.get_xticklabels()] == ["0", "10", "100"]
    (bar,) = (of for of in ax.collections if isinstance(of, LineCollection))
    assert bar.get_segments()[0].tolist() == [[0, -0.4], [0, 0.4]]  # "b" is one point
    bands = [patch for patch in ax.patches if patch.get_label() == "another seed"]
    (band,) = bands
    assert band.get_y() == pytest.approx(-0.05) and band.get_height() == pytest.approx(
        0.07
    )
    figures.plt.close(fig)
