"""Rows of frozen probes and of perplexities, and their replicates by document."""

import dataclasses

import numpy as np
import pytest

from cwr.measures import stats
from cwr.tables import tidy
from cwr.texts.survey import mixing
from cwr.texts.survey.edge_probes import SOFTMAX, ProbePredictions


def test_perplexity_is_the_exponential_of_mean_nats_over_the_documents_that_are_drawn():
    generator = np.random.default_rng(0)
    nats, document = generator.exponential(size=(2, 30)), generator.integers(0, 4, 30)
    times = np.array([[1, 1, 1, 1], [0, 3, 1, 0]])
    values = mixing.perplexity(nats, document, times)
    for draw, of_draw in enumerate(times):
        rows = np.concatenate(
            [np.flatnonzero(document == d) for d in range(4) for _ in range(of_draw[d])]
        )
        for layer in range(2):
            assert values[draw, layer] == pytest.approx(np.exp(nats[layer, rows].mean()))


def test_equal_chances_have_their_number_as_perplexity():
    rows = mixing.perplexity_rows(
        np.full((1, 6), np.log(50)), np.array([0, 0, 1, 1, 2, 2]), 20
    )
    assert rows[0]["value"] == pytest.approx(50) and rows[0]["layer"] == 0
    assert rows[0]["replicates"] == pytest.approx(50)


def test_a_draw_without_a_position_is_refused():
    with pytest.raises(ValueError, match="at least 1 position"):
        mixing.perplexity(np.ones((1, 2)), np.array([0, 1]), np.array([[0, 0]]))


def predictions(right: np.ndarray) -> ProbePredictions:
    """Of two labels, with so many right answers: (K, n) bool."""
    kinds, n = right.shape
    gold = np.arange(n) % 2
    said = np.where(right, gold, 1 - gold)
    document = np.arange(n) // 2
    return ProbePredictions(
        task="pos",
        labels=("no", "yes"),
        scored=np.array([True, True]),
        kinds=(("linear",), ("bilstm",)),
        logits=np.eye(2, dtype=np.float16)[said][None],
        answers=SOFTMAX,
        gold=gold,
        rows=np.arange(n),
        document=document,
        fold=gold,
        documents=np.unique(document),
        weights=np.full((1, 2, kinds, 3), 1 / 3),
        norms=np.ones(3),
        scaled=True,
    )


def test_frozen_rows_are_accuracies_in_points_and_share_their_draws():
    right = np.array([[1, 0, 1, 0, 1, 1], [1, 1, 1, 1, 1, 0]], dtype=bool)
    rows = mixing.frozen_rows(predictions(right), 50, model="m", family="masked")
    assert [row["estimator"] for row in rows] == ["linear", "bilstm"]
    assert [row["value"] for row in rows] == pytest.approx([100 * 4 / 6, 100 * 5 / 6])
    assert {row["measure"] for row in rows} == {"frozen_probe_score"}
    times = stats.weights(np.arange(3), 50)
    by_document = right.reshape(2, 3, 2).sum(axis=2)
    for row, counts in zip(rows, by_document, strict=True):
        assert row["replicates"] == pytest.approx(100 * times @ counts / 6)


def test_transfer_rows_are_those_of_single_layers():
    rows = [
        {"measure": "single_layer_probe_f1", "layer": 1, "value": 3.0},
        {"measure": "other"},
    ]
    assert mixing.transfer_rows(rows) == [
        {"measure": "layer_transfer_score", "layer": 1, "value": 3.0}
    ]


def test_gains_are_paired():
    right = np.array([[1, 0, 1, 0, 1, 1], [1, 1, 1, 1, 1, 0]], dtype=bool)
    rows = mixing.frozen_rows(predictions(right), 50, model="m", family="masked")
    (gain,) = mixing.gains(rows, {"more": ("bilstm", "linear")}).to_dict("records")
    assert gain["value"] == pytest.approx(100 / 6) and gain["task"] == "pos"
    differences = rows[1]["replicates"] - rows[0]["replicates"]
    assert (gain["low"], gain["high"]) == stats.interval(differences)


def test_scores_stand_by_what_was_read():
    keys = {"model": "m", "family": "masked", "task": "pos"}
    single = [
        {**keys, "measure": "single_layer_probe_f1", "layer": layer, "value": float(layer)}
        for layer in (0, 1)
    ]
    right = np.ones((1, 6), dtype=bool)
    one = dataclasses.replace(predictions(right), kinds=(("lex",),))
    rows = [*single, *mixing.mean_rows(one, 20, model="m", family="masked")]
    rows.append({**keys, "measure": "edge_probe_f1", "estimator": "mix", "value": 7.0})
    rows.append({**keys, "measure": "edge_probe_f1", "estimator": "lex", "value": 6.0})
    table = mixing.by_input(tidy(rows), ["pos"])
    assert table.columns.tolist() == [
        "layer 0",
        "layer 1",
        "mean of layers",
        "learned mix",
    ]
    assert table.loc["m", "pos"].tolist() == [0.0, 1.0, 100.0, 7.0]


def test_a_source_is_the_nearest_another_or_the_language_model():
    one = dataclasses.replace(predictions(np.ones((1, 6), dtype=bool)), kinds=(("mix",),))
    for source, estimator in (("relation", "nearest"), ("entity", "other")):
        (row,) = mixing.pretraining_rows(one, source, "relation", 20, model="m")
        assert (row["class"], row["estimator"], row["task"]) == (source, estimator, "pos")
    (row,) = mixing.pretraining_rows(one, "language model", "relation", 20, model="m")
    assert (
        row["estimator"] == "language model" and row["measure"] == "pretraining_transfer"
    )


def test_frozen_and_tuned_stand_under_one_measure():
    right = np.ones((2, 6), dtype=bool)
    tuned = dataclasses.replace(predictions(right[:1]), kinds=(("tuned",),))
    rows = mixing.equal_rows(predictions(right), tuned, 20, model="m")
    assert [row["estimator"] for row in rows] == [
        "frozen linear",
        "frozen bilstm",
        "tuned",
    ]
    assert {row["measure"] for row in rows} == {"equal_updates_score"}
