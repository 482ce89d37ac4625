"""The figure with a line a classifier: which scores stand on which line."""

import pandas as pd
import pytest

from cwr import figures
from cwr.tables import tidy

ROWS = {
    ("static", "cwr-static"): "cwr-static",
    ("ase_best_layer", "cwr-bert"): "ASE cwr-bert",
}


@pytest.fixture
def table() -> pd.DataFrame:
    rows = []
    for number, dataset in enumerate(("CR", "MR")):
        for height, (estimator, model) in enumerate(ROWS):
            keys = {
                "model": model,
                "family": "static",
                "measure": "f1",
                "dataset": dataset,
            }
            rows.append({**keys, "estimator": estimator, "value": 10.0 * number + height})
    rows.append({**rows[0], "estimator": "other", "value": 99.0})
    frame = tidy(rows)
    return frame.assign(low=frame["value"] - 1, high=frame["value"] + 1)


def drawn(ax) -> list[tuple]:
    """(x, y) of all points of a panel, sorted."""
    points = [line for line in ax.lines if len(line.get_xdata()) == 1]
    return sorted((*line.get_xdata(), *line.get_ydata()) for line in points)


def test_each_score_stands_on_its_own_line_with_its_interval(table):
    fig = figures.by_row(table, "f1", ROWS, ["CR", "MR"], "A title", "macro-F1")
    assert [ax.get_title("left") for ax in fig.axes] == ["CR", "MR"]
    for number, ax in enumerate(fig.axes):
        assert drawn(ax) == [(10 * number, 0), (10 * number + 1, -1)]
        intervals = [
            line.get_xdata().tolist() for line in ax.lines if len(line.get_xdata()) == 2
        ]
        assert intervals[0] == [10 * number - 1, 10 * number + 1]
    names = [label.get_text() for label in fig.axes[0].get_yticklabels()]
    assert names == list(ROWS.values())
    figures.plt.close(fig)


def test_levels_stand_upright_and_in_the_legend(table):
    levels = pd.DataFrame({"dataset": ["CR", "MR"], "name": "rule", "value": [0.5, 9.0]})
    fig = figures.by_row(
        table, "f1", ROWS, ["CR", "MR"], "A title", "macro-F1", levels=levels
    )
    for ax, value in zip(fig.axes, (0.5, 9.0), strict=True):
        (line,) = [line for line in ax.lines if line.get_label() == "rule"]
        assert line.get_xdata() == [value, value] and line.get_ydata() == [0, 1]
    named = [text.get_text() for text in fig.legends[0].get_texts()]
    assert named == ["rule", "95 % interval"]
    figures.plt.close(fig)


def test_printed_scores_stand_hollow_on_the_first_line_of_their_kind(table):
    published = table[table["dataset"] == "CR"].assign(model="PRINTED", value=50.0)
    rows = {("static", "before"): "no score here", **ROWS}
    fig = figures.by_row(table, "f1", rows, ["CR", "MR"], "A title", "macro-F1", published)
    panel = fig.axes[0]
    assert (50, 0) in drawn(panel) and (50, -2) in drawn(panel)
    assert (99, 0) not in drawn(panel) and len(fig.legends) == 1
    figures.plt.close(fig)


def test_a_model_without_a_value_shares_a_line_and_has_no_sign_in_the_legend(table):
    rows = {("static", "cwr-static"): "one line", ("static", "silent"): "one line", **ROWS}
    rows |= {("ase_best_layer", "cwr-bert"): "one line"}
    fig = figures.by_row(table, "f1", rows, ["CR", "MR"], "A title", "macro-F1")
    named = [text.get_text() for text in fig.legends[0].get_texts()]
    assert named == ["cwr-bert", "95 % interval"]
    figures.plt.close(fig)
