"""Scores of tuned models: counted by hand, paired draws."""

from types import SimpleNamespace

import numpy as np
import pytest

from cwr import corpora
from cwr.corpora.tasks import Task
from cwr.errors import UserError
from cwr.texts.zhao2020.tuned_scores import (
    majority_row,
    outcomes,
    over_trainings,
    plan,
    score_row,
)

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


def test_the_mean_of_trainings_has_their_spread_and_pairs_them():
    """Two conditions that differ by a sixth in every training differ so in every draw."""
    rng, rows = np.random.default_rng(0), np.arange(40)
    gold = tuple(np.array([0, 1, 2, 0, 1, 2]) for _ in rows)
    sentences = tuple(corpora.joined(["w"] * 6) for _ in rows)
    pos = Task("pos", "toy", True, sentences, CLASSES, gold, rows, rows)
    shares = (0.2, 0.5, 0.9)  # of right answers to the first label
    better = [
        [np.r_[0 if r < p else 1, 1, 2, 0, 1, 2] for r in rng.random(40)] for p in shares
    ]
    worse = [[np.r_[said[:5], 0] for said in of_training] for of_training in better]
    high, low = (
        over_trainings(pos, rows, each, draws=300, measure="m") for each in (better, worse)
    )
    alone = [score_row(pos, rows, said, draws=300, measure="m") for said in better]
    assert high["value"] == pytest.approx(np.mean([row["value"] for row in alone]))
    assert high["replicates"] - low["replicates"] == pytest.approx(np.full(300, 1 / 6))
    of_sentences = np.mean([row["replicates"] for row in alone], axis=0)
    assert high["replicates"].std() > 2 * of_sentences.std()
    assert {key: high[key] for key in ("task", "dataset", "measure")} == {
        "task": "pos",
        "dataset": "toy",
        "measure": "m",
    }


def test_the_majority_answers_the_commonest_training_label():
    row = majority_row(task("pos"), [0, 1, 2], measure="m")
    assert row["value"] == pytest.approx(4 / 7)
    assert (row["task"], row["dataset"], row["measure"]) == ("pos", "toy", "m")


def encoder(name: str, before: int = 1) -> SimpleNamespace:
    """What `plan` reads of a model: its name, and how many pieces it puts before a text."""

    def tokenizer(text: str, add_special_tokens: bool = True) -> dict:
        return {"input_ids": [0] * (before * add_special_tokens) + [7]}

    return SimpleNamespace(name=name, tokenizer=tokenizer)


def tasks(*names: str) -> dict[str, SimpleNamespace]:
    return {
        name: SimpleNamespace(name=name, of_words=name in ("pos", "ner")) for name in names
    }


def test_a_model_that_learns_few_tasks_is_tuned_on_those_and_others_on_all():
    large, small = encoder("large"), encoder("small")
    pairs = plan([large, small], tasks("ner", "pos", "mrpc"), ["large"])
    assert pairs == [(large, "pos"), (small, "ner"), (small, "pos"), (small, "mrpc")]
    with pytest.raises(
        UserError, match="^large learns pos and sst2 alone, and the tasks are ner: "
    ):
        plan([small, large], tasks("ner"), ["large"])


def test_a_model_that_reads_no_sentence_as_a_whole_is_refused_before_any_is_tuned():
    bare = encoder("bare", before=0)
    assert plan([bare], tasks("pos", "ner"), []) == [(bare, "pos"), (bare, "ner")]
    with pytest.raises(
        UserError, match="^bare puts no special piece .* relation could be read"
    ):
        plan([encoder("bert"), bare], tasks("pos", "relation"), [])
