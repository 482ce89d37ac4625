"""Scores of tuned models: counted by hand, paired draws."""

import numpy as np
import pytest

from cwr import corpora
from cwr.corpora.tasks import Task
from cwr.estimates.tuned_scores import majority_row, outcomes, score_row

CLASSES = ("B-PER", "I-PER", "O")
GOLD = [[0, 1, 2], [0, 2], [0, 0]]


def task(name: str) -> Task:
    words = [corpora.joined(["w"] * len(labels)) for labels in GOLD]
    labels = tuple(map(np.array, GOLD))
    rows = np.arange(3)
    return Task(name, "toy", True, tuple(words), CLASSES, labels, rows, rows)


def test_an_accuracy_is_the_share_of_right_labels_and_an_unread_word_is_wrong():
    predicted = [np.array([0, 1, -1]), np.array([2, 2]), np.array([0, 2])]
    row = score_row(task("pos"), [0, 1, 2], predicted, draws=200)
    assert row["value"] == pytest.approx(4 / 7)
    low, high = np.quantile(row["replicates"], [0.025, 0.975])
    assert low < row["value"] < high


def test_an_entity_is_a_hit_if_its_words_and_class_are_right():
    predicted = [np.array([0, 2, 2]), np.array([2, 0]), np.array([0, 0])]
    counts = outcomes(task("ner"), [0, 1, 2], predicted)
    assert counts.tolist() == [[0, 1, 1], [0, 1, 1], [2, 0, 0]]
    row = score_row(task("ner"), [0, 1, 2], predicted, draws=50)
    assert row["value"] == pytest.approx(2 * 2 / (2 * 2 + 2 + 2))


def test_scores_on_the_same_sentences_share_their_draws():
    half = [np.array([0, 1, 0]), np.array([0, 2]), np.array([0, 0])]
    first, second = (score_row(task("pos"), [0, 1, 2], half, draws=20) for _ in range(2))
    assert (first["replicates"] == second["replicates"]).all()


def test_the_majority_answers_the_commonest_training_label():
    row = majority_row(task("pos"), [0, 1, 2], measure="m")
    assert row["value"] == pytest.approx(4 / 7)
    assert (row["task"], row["dataset"], row["measure"]) == ("pos", "toy", "m")
