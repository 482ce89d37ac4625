"""A bar per model has its number; panels with another scale say so."""

import pandas as pd

from cwr import figures
from cwr.texts.ethayarajh2019 import figures_of_layers


def test_the_first_model_stands_at_the_top_and_each_bar_has_its_number():
    table = pd.DataFrame({"model": ["a", "b"], "family": ["bilstm", "masked"]})
    fig = figures_of_layers.shares(pd.Series({"a": 8.4, "b": 22}), table, "T", "share, %")
    figures.plt.close(fig)
    (ax,) = fig.axes
    assert [label.get_text() for label in ax.get_yticklabels()] == ["b", "a"]
    assert [text.get_text() for text in ax.texts] == ["22 %", "8 %"]


def test_panels_say_that_their_scale_is_another_than_the_first():
    fig, axes = figures.plt.subplots(1, 4)
    figures.plt.close(fig)
    for ax, top in zip(axes, (1, 1, 5, 0.5), strict=True):
        ax.set(ylim=(0, top))
        ax.set_title("a", loc="left")
    figures_of_layers.name_scales(fig)
    titles = [ax.get_title(loc="left") for ax in axes]
    assert titles == ["a", "a", "a (wider scale)", "a (narrower scale)"]


def test_our_points_above_a_level_have_rings_and_one_text():
    fig, (first, second) = figures.plt.subplots(1, 2)
    figures.plt.close(fig)
    first.plot([0, 1], [0.1, 0.3], "o", label="ours")
    first.plot([0, 1], [0.4, 0.1], "x")
    first.plot([0.5], [0.9], "o", label=f"theirs{figures.PUBLISHED}")
    second.plot([0, 1], [0.3, 0.3])
    figures_of_layers.ring_above(fig, 0.2, "above")
    assert first.lines[-1].get_xydata().tolist() == [[1, 0.3], [0, 0.4]]
    assert [(text.get_text(), text.xy) for text in first.texts] == [("above", (0, 0.4))]
    assert len(second.lines) == 1 and not second.texts  # a line without marks
