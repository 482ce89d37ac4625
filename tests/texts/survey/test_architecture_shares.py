"""Gains over the input and shares of them, on scores whose answer is known."""

import numpy as np
import pytest

from cwr.texts.survey import architecture_shares, edge_probes
from cwr.texts.survey.architecture_shares import COMPARED, MEAN_SHARE, SHARE

DRAWS = 400
KINDS = (("lex",), ("mix",))


def scores(lex=50.0, random=52.0, mix=60.0, task="pos", noise=0.5, model="m"):
    """Rows of one task; the documents of a draw move all three scores alike."""
    draw = np.random.default_rng(len(task))
    shift = draw.normal(size=DRAWS)
    rows = []
    for estimator, value in {"lex": lex, "random": random, "mix": mix}.items():
        drawn = value + shift + noise * draw.normal(size=DRAWS)
        keys = {
            "model": model,
            "family": "bilstm",
            "task": task,
            "measure": "edge_probe_f1",
        }
        rows.append({**keys, "estimator": estimator, "value": value, "replicates": drawn})
    return rows


def by_task(rows, measure):
    return {row.get("task"): row for row in rows if row["measure"] == measure}


@pytest.mark.parametrize(
    ("random", "share"), [(50.0, 0.0), (52.0, 0.2), (60.0, 1.0), (48.0, -0.2)]
)
def test_the_share_is_what_random_weights_give_of_the_trained_gain(random, share):
    row = by_task(architecture_shares.share_rows(scores(random=random)), SHARE)["pos"]
    assert row["value"] == pytest.approx(share)
    assert np.mean(row["replicates"]) == pytest.approx(share, abs=0.02)


def test_a_gain_that_is_not_above_zero_in_every_draw_has_no_share():
    assert architecture_shares.share_rows(scores(mix=50.2, task="entities")) == []
    assert architecture_shares.share_rows(scores(mix=45.0)) == []
    rows = scores()
    assert architecture_shares.share_rows(rows)
    rows[2]["replicates"][0] = rows[0]["replicates"][0]  # in one draw nothing is gained
    assert architecture_shares.share_rows(rows) == []


def test_the_mean_share_is_over_tasks_that_have_one():
    three = (
        scores() + scores(random=54.0, task="entities") + scores(mix=50.1, task="semeval")
    )
    rows = architecture_shares.share_rows(three)
    assert set(by_task(rows, SHARE)) == {"pos", "entities"}
    (mean,) = [row for row in rows if row["measure"] == MEAN_SHARE]
    assert mean["value"] == pytest.approx((0.2 + 0.4) / 2)
    one = architecture_shares.share_rows(scores())
    assert not [row for row in one if row["measure"] == MEAN_SHARE]


def test_gains_are_differences_of_the_same_documents():
    table = architecture_shares.gains(scores(noise=0.0))
    assert table["value"].tolist() == [2.0, 10.0]
    assert (table["high"] - table["low"]).max() == pytest.approx(
        0
    )  # what documents move is gone


def test_only_mix_and_input_are_compared():
    rows = architecture_shares.compared_rows(scores())
    assert [row["estimator"] for row in rows] == ["lex", "mix"]
    assert {row["measure"] for row in rows} == {COMPARED}


def predictions(right, rows=(0, 1, 2, 3)):
    """Two labels, four targets in two documents; right: (kinds, targets) bool."""
    right, gold = np.array(right), np.array([0, 1, 0, 1])
    said = np.where(right, gold, 1 - gold)  # (kinds, targets)
    logits = np.where(said[..., None] == np.arange(2), 3.0, -3.0)[None].astype(np.float16)
    return edge_probes.ProbePredictions(
        task="pos",
        labels=("a", "b"),
        scored=np.ones(2, bool),
        kinds=KINDS,
        logits=logits,
        answers=edge_probes.SIGMOIDS,
        gold=gold,
        rows=np.array(rows),
        document=np.array([0, 0, 1, 1]),
        fold=np.zeros(4, int),
        documents=np.array([0, 1]),
        weights=np.full((1, 1, 2, 3), 1 / 3),
        norms=np.ones(3),
        scaled=False,
    )


def test_each_draw_takes_one_of_the_copies_and_the_value_is_their_mean():
    good = predictions([[True] * 4, [True] * 4])
    poor = predictions([[True] * 4, [True, False] * 2])
    rows = architecture_shares.random_rows(
        [good, poor], draws=200, model="m", family="bilstm"
    )
    score = next(row for row in rows if row["measure"] == "edge_probe_f1")
    assert {row["estimator"] for row in rows} == {"random"}
    assert score["value"] == pytest.approx(75)
    assert set(score["replicates"]) == {100.0, 50.0}
    alone = architecture_shares.random_rows([poor], draws=200, model="m", family="bilstm")
    assert next(row["value"] for row in alone) == pytest.approx(50)


def test_copies_tested_on_other_targets_are_refused():
    whole = predictions([[True] * 4, [True] * 4])
    with pytest.raises(ValueError, match="different targets of pos"):
        architecture_shares.over_copies(
            [whole, predictions([[True] * 4] * 2, (0, 1, 2, 9))]
        )
    with pytest.raises(ValueError, match="no untrained copies"):
        architecture_shares.over_copies([])


def test_what_the_second_half_of_a_text_adds_to_a_networks_gain():
    """Read at 4 and 8 words, and one network at 8 alone, of which nothing is known."""
    rows_by_text = {
        8: [
            row
            for name, mix in (("m", 61.5), ("n", 70.0))
            for row in scores(mix=mix, model=name)
        ],
        4: scores(mix=60.0),
        2: scores(mix=50.0),
    }
    rows_by_text = {
        words: [row for row in rows if row["estimator"] != "random"]
        for words, rows in rows_by_text.items()
    }
    rows = architecture_shares.text_rows(rows_by_text)
    by_text = [row for row in rows if row["measure"] == architecture_shares.BY_TEXT]
    gains = {(row["model"], row["k"]): row["value"] for row in by_text}
    assert gains == pytest.approx(
        {("m", 8): 11.5, ("n", 8): 20.0, ("m", 4): 10.0, ("m", 2): 0.0}
    )
    (raised,) = [row for row in rows if row["measure"] == architecture_shares.RAISED]
    assert (raised["model"], raised["task"], raised["value"]) == (
        "m",
        "pos",
        pytest.approx(1.5),
    )
    at_8, at_4 = (
        next(row for row in by_text if row["model"] == "m" and row["k"] == words)
        for words in (8, 4)
    )
    np.testing.assert_array_equal(
        raised["replicates"], at_8["replicates"] - at_4["replicates"]
    )
    assert architecture_shares.text_rows({}) == []
