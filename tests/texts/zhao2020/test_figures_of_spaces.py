"""Figures of spaces of vectors and of decisions: what stands where."""

import pandas as pd

from cwr import figures
from cwr.texts.zhao2020 import figures_of_decisions, figures_of_spaces


def test_spaces_stand_from_top_to_bottom_filled_where_they_have_an_interval():
    ours = pd.DataFrame(
        {"name": ["Rand", "AVG"], "family": [None, "masked"], "value": [0.2, 0.6]}
    ).assign(low=[0.1, 0.5], high=[0.3, 0.7])
    printed = pd.DataFrame({"name": ["PSE"], "family": ["static"], "value": [0.79]})
    fig = figures_of_spaces.by_space(
        {"ours": ours, "Table 5": printed}, {"guess": 0.25}, "Title", "F1"
    )
    first, second = fig.axes
    assert [label.get_text() for label in first.get_yticklabels()] == ["Rand", "AVG"]
    low, high = first.get_ylim()
    assert low > high  # the first row is at the top
    bars = [line for line in first.lines if len(line.get_xdata()) == 2]
    assert [tuple(line.get_xdata()) for line in bars] == [
        (0.1, 0.3),
        (0.5, 0.7),
        (0.25, 0.25),
    ]
    (point,) = second.lines
    assert (point.get_xdata()[0], point.get_markerfacecolor()) == (0.79, "white")
    figures.plt.close(fig)


def test_a_yes_is_filled_and_the_right_class_is_framed():
    yes = pd.DataFrame([[True, False], [False, False]], ["one", "two"], ["art", "food"])
    gold = pd.DataFrame([[True, False], [False, True]], ["one", "two"], ["art", "food"])
    fig = figures_of_decisions.decisions({"each context": (yes, gold)}, "Title")
    (ax,) = fig.axes
    filled, framed = [], []
    for sign in ax.lines:
        where = framed if sign.get_markerfacecolor() == "none" else filled
        where.append((sign.get_xdata()[0], sign.get_ydata()[0]))
    assert (filled, framed) == ([(0, 0)], [(0, 0), (1, 1)])
    assert [label.get_text() for label in ax.get_xticklabels()] == ["art", "food"]
    figures.plt.close(fig)
