"""The figures of reversals: bars with the range over trainings, rates on their lines."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.colors import to_hex

from cwr.figures import COLOURS
from cwr.texts.survey import figures_of_reversals


def test_bars_are_means_over_trainings_with_their_range():
    shares = np.random.default_rng(0).random((4, 5, 2))
    fig = figures_of_reversals.mention_bars(
        shares, ["organization", "place"], "masked", "title"
    )
    (ax,) = fig.axes
    for number, bars in enumerate(ax.containers[::2]):
        heights = [bar.get_height() for bar in bars]
        np.testing.assert_allclose(heights, shares[..., number].mean(axis=0))
    ranges = [segment for line in ax.collections for segment in line.get_segments()]
    drawn = np.array([segment[:, 1] for segment in ranges]).reshape(2, 5, 2)
    np.testing.assert_allclose(drawn[..., 0], shares.min(axis=0).T)
    np.testing.assert_allclose(drawn[..., 1], shares.max(axis=0).T)
    plt.close(fig)


def test_the_label_that_wins_at_the_top_has_the_colour_of_the_family_and_no_other():
    shares = np.full((1, 2, 3), 0.1)
    shares[0, 0, 0] = shares[0, 1, 2] = (
        0.8  # the first wins in layer 0, the last at the top
    )
    fig = figures_of_reversals.mention_bars(shares, ["a", "b", "c"], "masked", "title")
    faces = [to_hex(bars[0].get_facecolor()) for bars in fig.axes[0].containers[::2]]
    assert faces[2] == COLOURS["masked"].lower()
    assert len({*faces}) == 3
    plt.close(fig)


def test_every_rate_stands_on_its_line_with_its_interval():
    lines = ["m, cumulative", "m, single"]
    rows = []
    for number, (task, line, measure) in enumerate(
        (task, line, measure)
        for task in ("entities", "dependencies")
        for line in lines
        for measure in figures_of_reversals.REVERSALS
    ):
        values = {"value": number, "low": number - 0.5, "high": number + 0.5}
        rows.append(
            {"task": task, "line": line, "measure": measure, "family": "masked", **values}
        )
    table = pd.DataFrame(rows)
    fig = figures_of_reversals.reversal_rates(table, lines, "title")
    assert [ax.get_title(loc="left") for ax in fig.axes] == ["entities", "dependencies"]
    for ax in fig.axes:
        of_task = table[table["task"] == ax.get_title(loc="left")]
        points = [line for line in ax.lines if len(line.get_xdata()) == 1]
        spans = [line for line in ax.lines if len(line.get_xdata()) == 2]
        assert (
            sorted(float(point.get_xdata()[0]) for point in points)
            == of_task["value"].tolist()
        )
        assert (
            sorted(float(span.get_xdata()[0]) for span in spans) == of_task["low"].tolist()
        )
        for point in points:
            row = of_task[of_task["value"] == point.get_xdata()[0]].iloc[0]
            assert round(-float(point.get_ydata()[0])) == lines.index(row["line"])
    labels = [text.get_text() for text in fig.legends[0].get_texts()]
    assert labels == [sign[2] for sign in figures_of_reversals.REVERSALS.values()]
    plt.close(fig)
