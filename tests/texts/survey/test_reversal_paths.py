"""The data of the live figure of reversals: the library's rates from hundredths, and which documents."""

import json

import numpy as np
import pytest

from cwr.texts.survey import decisions as estimates
from cwr.texts.survey import reversal_paths
from cwr.texts.survey import reversals as decisions

LABELS = ("person", "place", "object", "time")


def drawn(n=80, layers=5, trainings=5, seed=0):
    """Probabilities (S, K, n, C) that change from reading to reading, and gold."""
    generator = np.random.default_rng(seed)
    gold = generator.integers(0, len(LABELS), n)
    logits = generator.normal(size=(n, len(LABELS))) + np.eye(len(LABELS))[gold]
    logits = logits + 0.7 * generator.normal(size=(trainings, layers, n, len(LABELS)))
    probabilities = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    return probabilities, gold


def data_of(probabilities, gold):
    texts = [f"mention {number}" for number in range(len(gold))]
    data = reversal_paths.live_data(probabilities, gold, LABELS, texts, "masked")
    return json.loads(json.dumps(data))


@pytest.mark.parametrize("delta", [0, 1, 20, 55, 99])
def test_hundredths_are_enough_for_the_kinds_of_the_library(delta):
    probabilities, gold = drawn()
    path, placebos = reversal_paths.kinds(data_of(probabilities, gold), delta)
    read = estimates.read(probabilities, gold, np.zeros(len(gold)))
    runs = np.arange(5)[None]
    (whole,) = decisions.reversals(*estimates.along(read, runs), gold, delta / 100)
    assert np.array_equal(path, whole)
    for layer, placebo in enumerate(placebos):
        (whole,) = decisions.reversals(
            *estimates.along(read, runs, layer), gold, delta / 100
        )
        assert np.array_equal(placebo, whole)


def test_the_sentence_has_rate_placebo_and_net_rate():
    probabilities, gold = drawn()
    data = data_of(probabilities, gold)
    path, placebos = reversal_paths.kinds(data, reversal_paths.DELTA)
    said = reversal_paths.sentence(data, reversal_paths.DELTA, int(path.argmax()))
    net = 100 * ((path > 0).mean() - (placebos > 0).mean())
    assert said.startswith(
        f"At a margin of 0.20 or more {(path > 0).sum()} of 80 mentions"
    )
    assert f"net rate is {net:.1f} %" in said
    assert said.endswith(f"mention shows: {decisions.KINDS[path.max() - 1]}.")


def test_bars_are_the_right_label_and_the_strongest_wrong_one():
    probabilities, gold = drawn(n=20)
    path = probabilities[np.arange(5), np.arange(5)]
    for number, item in enumerate(data_of(probabilities, gold)["items"]):
        _, right, wrong, _, _, shares, of_wrong = item
        means = path[:, number].mean(axis=0)
        means[gold[number]] = 0
        assert (right, wrong) == (gold[number], means.argmax())
        for layer in range(5):
            digits = slice(2 * layer, 2 * layer + 2)
            assert int(shares[digits]) == int(99 * path[layer, number, right])
            assert int(of_wrong[digits]) == int(99 * path[layer, number, wrong])


def test_documents_are_whole_and_few_enough():
    documents = np.repeat(np.arange(30), np.arange(30) + 1)
    chosen = reversal_paths.drawn_documents(documents, most=100)
    assert 0 < chosen.sum() <= 100
    for document in range(30):
        assert len(set(chosen[documents == document].tolist())) == 1
    other = reversal_paths.drawn_documents(documents, most=100, seed=1)
    assert not np.array_equal(chosen, other)
    assert reversal_paths.drawn_documents(
        np.zeros(200), most=100
    ).all()  # one document at least


def test_the_table_has_a_row_for_each_margin_and_all_items_in_it():
    table = reversal_paths.table(data_of(*drawn()))
    assert len(table) == len(reversal_paths.STEPS)
    assert (table[list(reversal_paths.KINDS)].sum(axis=1) == 80).all()


def test_six_hundred_mentions_stay_below_200_kilobytes():
    data = data_of(*drawn(n=reversal_paths.MOST))
    data["items"] = [["x" * 60, *item[1:]] for item in data["items"]]
    assert len(json.dumps(data)) < 200_000


def test_fewer_trainings_than_layers_and_too_many_labels_are_refused():
    probabilities, gold = drawn(trainings=4)
    with pytest.raises(ValueError, match="5 layers need as many trainings, got 4"):
        data_of(probabilities, gold)
    many = np.ones((2, 2, 1, 60))
    with pytest.raises(ValueError, match="got 60"):
        reversal_paths.live_data(many, np.array([0]), [""] * 60, [""], "masked")
