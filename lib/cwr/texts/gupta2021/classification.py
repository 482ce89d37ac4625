"""Computes Tables 4 and 5 of Gupta and Jaggi (2021): macro-F1 and accuracy of predicted labels.

A replicate picks one seed's predictions and resamples the test sentences; no classifier is trained
again. All rows of a set share these draws. Scores are per cent.

    n = test sentences, D = draws, C = classes
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter

import numpy as np
import pandas as pd

from cwr.corpora.labelled import TABLE_4, TEST, Labelled
from cwr.estimates import paired
from cwr.measures import stats
from cwr.measures.classification import MOST_CLASSES, smallest_macro_f1

F1, ACCURACY = "classification_macro_f1", "classification_accuracy"
MEANS = {  # the measure of an average: the sets over which it is
    "mean": TABLE_4,
    "mean_of_four": ("CR", "MR", "MPQA", "SUBJ"),  # without the two columns in doubt
    "mean_with_fifty": (*TABLE_4[:4], "TREC-50", "SST-5"),
}
RUN_MEAN, RUN_SD, RUNS = "_run_mean", "_run_sd", "downstream_runs"  # of Table 5
TASK = "classification"
PER_CENT = 100


def scores(
    labels: np.ndarray, predicted: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Computes macro-F1 and accuracy, both (D,), of predictions weighted in each draw.

    The mean is over the classes that occur among labels or predictions of a draw, as in
    scikit-learn. labels, predicted: (n,) int. weights: (D, n).
    """
    classes = np.arange(max(labels.max(), predicted.max()) + 1)
    hits = weights * (labels == predicted)  # (D, n)
    right = hits @ (labels[:, None] == classes)  # (D, C)
    occurring = weights @ (labels[:, None] == classes) + weights @ (predicted[:, None] == classes)
    with np.errstate(invalid="ignore"):
        f1 = 2 * right / occurring  # (D, C); no number where a class does not occur
    return np.nanmean(f1, axis=1), hits.sum(axis=1) / weights.sum(axis=1)


def score_rows(
    data: Labelled, predicted: np.ndarray, draws: int = 1000, seed: int = 0, **keys: object
) -> list[dict]:
    """Scores predictions on one set by macro-F1 and accuracy, as rows for `report.results.write`.

    predicted: (seeds, n); the value is the mean over seeds. keys: model, family and estimator.
    """
    labels = data.labels[data.rows(TEST)]
    sentences = [data.sentences[row].id for row in data.rows(TEST)]
    weights = stats.shared_weights(sentences, draws, seed)
    run = np.random.default_rng(seed).integers(len(predicted), size=draws)  # of each draw
    replicates = np.empty((2, draws))
    for number, classes in enumerate(predicted):
        replicates[:, run == number] = scores(labels, classes, weights[run == number])
    rows = []
    values = by_run(data, predicted).mean(axis=0)
    for measure, value, drawn in zip((F1, ACCURACY), values, replicates, strict=True):
        named = {**keys, "measure": measure, "task": TASK, "dataset": data.name}
        rows.append({**named, "value": float(value), "replicates": PER_CENT * drawn})
    return rows


def by_run(data: Labelled, predicted: np.ndarray) -> np.ndarray:
    """Computes each run's macro-F1 and accuracy in per cent, (seeds, 2). predicted: (seeds, n)."""
    labels = data.labels[data.rows(TEST)]
    once = np.ones((1, len(labels)))
    return PER_CENT * np.array([np.concatenate(scores(labels, run, once)) for run in predicted])


def least(data: Labelled, predicted: np.ndarray) -> float:
    """Computes a lower bound of macro-F1 from each run's accuracy; returns the mean, in per cent.

    predicted: (seeds, n). NaN for more classes than the bound is computed for.
    """
    if len(data.classes) > MOST_CLASSES:
        return np.nan
    accuracies = by_run(data, predicted)[:, 1] / PER_CENT
    counts = data.counts(TEST)
    return PER_CENT * float(np.mean([smallest_macro_f1(counts, share) for share in accuracies]))


def mean_rows(rows: Iterable[dict]) -> list[dict]:
    """Averages scores over sets, draw by draw, for each classifier that has a score on all of them.

    rows: of `score_rows`.
    """
    rows, means = list(rows), []
    classifier = itemgetter("estimator", "model", "measure")
    for average, sets in MEANS.items():
        of_sets = [row for name in sets for row in rows if row["dataset"] == name]
        scored = Counter(map(classifier, of_sets))
        complete = [row for row in of_sets if scored[classifier(row)] == len(sets)]
        for row in paired.mean(complete, "dataset"):
            name = row["measure"].replace(TASK, f"{TASK}_{average}")
            means.append({**row, "measure": name})
    return means


def run_rows(runs: Mapping[str, np.ndarray], **keys: object) -> list[dict]:
    """Averages scores over the six sets, and returns their mean and deviation over runs (Table 5).

    runs: {set: (runs, 2)}, of `by_run`. Returns no rows without all six sets or with a single run.
    The rows have no replicates: only runs vary.
    """
    if not runs.keys() >= set(TABLE_4):
        return []
    averages = np.mean([runs[name] for name in TABLE_4], axis=0)  # (runs, 2)
    if len(averages) < 2:
        return []
    rows = []
    for measure, values in zip((F1, ACCURACY), averages.T, strict=True):
        name = measure.replace(TASK, f"{TASK}_mean")
        named = {**keys, "task": TASK}
        rows.append({**named, "measure": name + RUN_MEAN, "value": float(values.mean())})
        rows.append({**named, "measure": name + RUN_SD, "value": float(values.std(ddof=1))})
    return rows


def as_table_5(table: pd.DataFrame) -> pd.DataFrame:
    """Formats means over runs with their deviations as Table 5 prints them: "70.8 ± 0.6".

    table: tidy, ours (of `run_rows`) or printed. Returns a row per classifier (estimator, model),
    with the columns macro-F1 and accuracy; empty where there are no runs.
    """
    texts: dict[str, dict] = {}
    for name, measure in (("macro-F1", F1), ("accuracy", ACCURACY)):
        of_mean = measure.replace(TASK, f"{TASK}_mean")
        centre, spread = (
            table[table["measure"] == of_mean + ending].set_index(["estimator", "model"])["value"]
            for ending in (RUN_MEAN, RUN_SD)
        )
        texts[name] = {row: f"{centre[row]:.1f} ± {spread[row]:.1f}" for row in centre.index}
    return pd.DataFrame(texts)


def leads(rows: Iterable[dict], pairs: Sequence[tuple], measure: str = F1) -> pd.DataFrame:
    """Computes how far one classifier is ahead of another on each set, with paired intervals.

    rows: of `score_rows` or `mean_rows`. pairs: of classifiers, each (estimator, model). measure:
    if it is a mean over sets, the column dataset is None.
    Returns columns ahead, behind, dataset, difference, low, high (95 %), and decidable: the half
    width, the least difference that these sentences and seeds tell from 0.
    """
    of_measure = (row for row in rows if row["measure"] == measure)
    found = paired.between(of_measure, pairs, ["estimator", "model"], ["dataset"])
    table = paired.frame(found, ["ahead", "behind", "dataset"], "difference")
    return table.assign(decidable=(table["high"] - table["low"]) / 2)
