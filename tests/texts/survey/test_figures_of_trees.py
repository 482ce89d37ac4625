"""Two trees over a sentence: which edges are solid, which dashed, and on which side of the words."""

import matplotlib.pyplot as plt
import pytest

from cwr.figures import COLOURS, GREY, INK
from cwr.tables import tidy
from cwr.texts.survey import figures_of_trees
from cwr.texts.survey.figures_of_trees import Drawn

WORDS = ("The", "cook", "burned", "it")
DRAWN = Drawn(WORDS, gold=[(0, 1), (2, 1), (2, 3)], predicted=[(1, 0), (1, 2), (1, 3)])


@pytest.fixture
def arcs():
    fig = figures_of_trees.trees([DRAWN], "bilstm", "Two of three edges")
    (ax,) = fig.axes
    yield ax.lines
    plt.close(fig)


def is_above(line) -> bool:
    return line.get_ydata().mean() > 0


def test_gold_edges_are_above_and_predicted_ones_below(arcs):
    assert [is_above(line) for line in arcs] == [True] * 3 + [False] * 3


def test_what_both_trees_have_is_solid_in_either_order_of_its_words(arcs):
    for side in (True, False):
        lines = [line for line in arcs if is_above(line) == side]
        assert [line.get_linestyle() for line in lines] == ["-", "-", "--"]
        assert [line.get_color() for line in lines] == [COLOURS["bilstm"]] * 2 + [GREY]


def test_every_word_is_written_and_a_sentence_has_a_row():
    fig = figures_of_trees.trees([DRAWN, DRAWN], "masked", "Two sentences")
    assert len(fig.axes) == 2
    for ax in fig.axes:
        written = [text.get_text() for text in ax.texts]
        assert written == [*WORDS, "gold", "predicted"]
        places = [text.get_position()[0] for text in ax.texts[: len(WORDS)]]
        assert places == sorted(places)
    plt.close(fig)


def test_each_model_stands_beside_its_own_baselines_and_the_highest_is_named():
    family = {"m": "masked", "e": "bilstm"}
    scores = tidy([{"model": m, "family": f, "value": 50.0} for m, f in family.items()])
    scores = scores.assign(low=48.0, high=52.0)
    values = {("m", "chain"): 40.0, ("m", "words"): 10.0, ("e", "untrained"): 60.0}
    rows = [{"model": m, "estimator": name, "value": v} for (m, name), v in values.items()]
    fig = figures_of_trees.beside_baselines(scores, tidy(rows), "Title", "edges (%)")
    (ax,) = fig.axes
    assert [label.get_text() for label in ax.get_yticklabels()] == ["m", "e"]
    bars = {float(line.get_xdata()[0]): line for line in ax.lines}
    del bars[50.0]  # the models' scores
    of_score, of_highest, *named = (text.get_text() for text in fig.legends[0].get_texts())
    assert "95 % interval" in of_score and of_highest == "highest baseline"
    assert set(named) == {name for _, name in values}
    assert len({bars[x].get_marker() for x in (40, 10, 60)}) == len(named)
    assert {x: bars[x].get_ydata()[0] for x in bars} == {40: 0, 10: 0, 60: 1}
    assert [bars[x].get_color() for x in (40, 10, 60)] == [INK, GREY, INK]
    named = {text.get_text(): text.get_position()[0] for text in ax.texts}
    assert named == {"chain": 40, "untrained": 60}
    assert all(text.get_ha() == "center" for text in ax.texts)
    plt.close(fig)
