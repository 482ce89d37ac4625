"""Macro-F1 and accuracy: as scikit-learn has them, their replicates, averages and runs."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, f1_score

from cwr import tables
from cwr.corpora import joined
from cwr.corpora.labelled import TABLE_4, TEST, TRAIN, Labelled
from cwr.measures import stats
from cwr.papers import printed
from cwr.texts.gupta2021 import classification

KEYS = {"model": "m", "family": "static", "estimator": "static"}


def drawn(name="toy", n=60, classes=4, seed=0):
    """A set of test sentences (and two that are trained on), and predictions of three seeds."""
    generator = np.random.default_rng(seed)
    sentences = tuple(joined((name, str(row))) for row in range(n + 2))
    labels = generator.integers(0, classes, n + 2)
    splits = np.array([TRAIN] * 2 + [TEST] * n)
    data = Labelled(name, sentences, tuple("abcdefgh"[:classes]), labels, splits)
    is_right = generator.random((3, n)) < 0.6
    guesses = generator.integers(0, classes, (3, n))
    return data, np.where(is_right, labels[2:], guesses)


def naive(labels, predicted):
    return f1_score(labels, predicted, average="macro", zero_division=0)


def test_scores_are_those_of_scikit_learn_in_every_resampled_set():
    data, predicted = drawn(n=12)
    labels = data.labels[data.rows(TEST)]
    picks = stats.resample(np.arange(12), 40)
    f1, accuracy = classification.scores(
        labels, predicted[0], stats.weights(np.arange(12), 40)
    )
    for draw, pick in enumerate(picks):
        assert f1[draw] == pytest.approx(naive(labels[pick], predicted[0][pick]))
        assert accuracy[draw] == pytest.approx(
            accuracy_score(labels[pick], predicted[0][pick])
        )


def test_a_class_that_neither_occurs_nor_is_predicted_does_not_count():
    labels, predicted = np.array([0, 0, 3]), np.array([0, 0, 3])
    f1, accuracy = classification.scores(labels, predicted, np.ones((1, 3)))
    assert f1 == accuracy == [1]


def test_the_value_is_the_mean_over_seeds_and_a_replicate_is_of_one_seed():
    data, predicted = drawn()
    predicted[1] = data.labels[data.rows(TEST)]  # one seed is always right
    f1, accuracy = classification.score_rows(data, predicted, draws=300, **KEYS)
    labels = data.labels[data.rows(TEST)]
    assert f1["value"] == pytest.approx(
        100 * np.mean([naive(labels, run) for run in predicted])
    )
    share = np.mean(accuracy["replicates"] == 100)
    assert share == pytest.approx(1 / 3, abs=0.1)
    assert {row["dataset"] for row in (f1, accuracy)} == {"toy"}
    names = [data.sentences[row].id for row in data.rows(TEST)]
    pick = stats.resample(names, 300)[0]
    of_seeds = [100 * naive(labels[pick], run[pick]) for run in predicted]
    assert np.isclose(of_seeds, f1["replicates"][0]).any()


def test_rows_of_one_set_share_their_draws_and_an_equal_row_is_no_lead():
    data, predicted = drawn()
    rows = classification.score_rows(data, predicted, draws=50, **KEYS)
    rows += classification.score_rows(
        data, predicted, draws=50, **{**KEYS, "model": "twin"}
    )
    pairs = [(("static", "m"), ("static", "twin"))]
    (lead,) = classification.leads(rows, pairs).to_dict("records")
    assert lead["difference"] == lead["low"] == lead["high"] == lead["decidable"] == 0


def test_averages_are_draw_by_draw_and_only_over_sets_that_are_all_there():
    rows = []
    for number, name in enumerate(TABLE_4):
        rows += classification.score_rows(*drawn(name, seed=number), draws=20, **KEYS)
    assert not classification.mean_rows(rows[:6])
    means = {row["measure"]: row for row in classification.mean_rows(rows)}
    of_f1 = [row for row in rows if row["measure"] == classification.F1]
    mean = means["classification_mean_macro_f1"]
    assert mean["value"] == pytest.approx(np.mean([row["value"] for row in of_f1]))
    replicates = np.stack([row["replicates"] for row in of_f1])
    assert mean["replicates"] == pytest.approx(replicates.mean(axis=0))
    four = means["classification_mean_of_four_accuracy"]["value"]
    binary = [
        row["value"] for row in rows[:8] if row["measure"] == classification.ACCURACY
    ]
    assert four == pytest.approx(np.mean(binary))
    assert "classification_mean_with_fifty_macro_f1" not in means


def test_table_5_is_mean_and_deviation_over_runs_of_the_average_over_sets():
    runs = {}
    for number, name in enumerate(TABLE_4):
        runs[name] = classification.by_run(*drawn(name, seed=number))
    rows = {row["measure"]: row["value"] for row in classification.run_rows(runs, **KEYS)}
    averages = np.mean([runs[name][:, 0] for name in TABLE_4], axis=0)
    assert rows["classification_mean_macro_f1_run_mean"] == pytest.approx(averages.mean())
    deviation = np.sqrt(((averages - averages.mean()) ** 2).sum() / 2)
    assert rows["classification_mean_macro_f1_run_sd"] == pytest.approx(deviation)
    assert len(rows) == 4
    del runs["CR"]
    assert not classification.run_rows(runs, **KEYS)


def test_two_runs_have_a_mean_and_a_deviation():
    runs = {name: np.array([[50.0, 60.0], [54.0, 66.0]]) for name in TABLE_4}
    values = [row["value"] for row in classification.run_rows(runs, **KEYS)]
    assert values == pytest.approx([52, np.sqrt(8), 63, np.sqrt(18)])


def test_table_5_is_a_text_a_classifier_ours_as_the_printed_ones():
    runs = {name: np.array([[50.0, 60.0], [54.0, 66.0]]) for name in TABLE_4}
    ours = classification.as_table_5(tables.tidy(classification.run_rows(runs, **KEYS)))
    assert ours.loc[("static", "m")].to_dict() == {
        "macro-F1": "52.0 ± 2.8",
        "accuracy": "63.0 ± 4.2",
    }
    in_print = classification.as_table_5(printed.load("gupta2021"))
    assert in_print.loc[("ase_best_layer", "BERT-12"), "macro-F1"] == "67.0 ± 0.2"
    assert len(in_print) == 6
    assert not len(
        classification.as_table_5(tables.tidy([{**KEYS, "measure": "any", "value": 1}]))
    )


def test_no_run_is_below_the_least_that_its_accuracy_allows():
    data, predicted = drawn()
    least = classification.least(data, predicted)
    assert 0 < least <= classification.by_run(data, predicted)[:, 0].mean()
    labels = data.labels[data.rows(TEST)]
    assert classification.least(data, labels[None]) == 100
