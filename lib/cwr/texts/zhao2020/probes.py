"""Computes F1 of probes on contexts, with replicates: Figures 3 to 6 of Zhao et al. (2020).

A replicate trains no probes: it resamples the test words, averages over all seeds, and adds the
error of a mean of so few trainings (`stats.mean_over_trainings`). Layers, models and readings that
are scored on the same words with the same number of seeds share these draws, so that their
differences are paired. A reading is a rule by which decisions count (`measures.probing`).

    S seeds, L layers, n contexts, C classes, W words, D draws
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from cwr.errors import UserError, quoted
from cwr.estimates import paired
from cwr.measures import probing, stats

FULL = "full"


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers of probes from several seeds to each context.

    words: (n,) text. gold: (n,) int, the class of each context. decisions: (S, L, n, C) bool.
    layers: the number of each, (L); None for answers without layers. percent: of the contexts of a
        pair that have to be answered right (`probing.counts`).
    """

    words: np.ndarray
    gold: np.ndarray
    decisions: np.ndarray
    layers: tuple[int | None, ...] = (None,)
    percent: int = probing.HALF


def numbered(labels: Sequence[str], classes: Sequence[str]) -> np.ndarray:
    """Returns the number of each label among the classes that have a probe, (n,) int.

    Raises UserError for a label that is none of them.
    """
    number = {name: column for column, name in enumerate(classes)}
    for name in labels:
        if name not in number:
            contexts = sum(label == name for label in labels)
            raise UserError(
                f"contexts to be tested have the class {quoted(name)} ({contexts} of {len(labels)}), "
                "which no probe was trained on: leave them out, or train with contexts of it"
            )
    return np.array([number[name] for name in labels], dtype=np.int64)


def of_words(
    words: np.ndarray,
    is_class: np.ndarray,
    decisions: np.ndarray,
    layers: tuple[int | None, ...] = (None,),
) -> Answers:
    """Converts answers on one vector per word, as if each class of a word had one context.

    Their micro F1 under "words" is that over all words and classes (section 3.2.1). Words without a
    class are left out, as contexts without one are.
    words: (W,). is_class: (W, C) bool. decisions: (S, L, W, C) bool.
    """
    word, gold = np.nonzero(is_class)
    return Answers(words[word], gold, decisions[:, :, word], layers)


def counts(answers: Answers, reading: str = FULL) -> np.ndarray:
    """Counts true positives, false positives and false negatives of each word, (S, L, W, 3).

    Words are in alphabetical order. Raises ValueError as `probing.counts`.
    """
    rule = answers.words, answers.gold, reading, answers.percent
    result = []
    for layers in answers.decisions:
        result.append([probing.counts(layer, *rule) for layer in layers])
    return np.array(result)


def scores(answers: Answers, reading: str = FULL) -> np.ndarray:
    """Computes micro F1 for each seed and layer, (S, L)."""
    return probing.f1(counts(answers, reading).sum(axis=2), reading)


def replicates(
    answers: Answers, reading: str = FULL, draws: int = 1000, seed: int = 0
) -> np.ndarray:
    """Draws micro F1 on resampled words, averaged over seeds, (D, L)."""
    counted = counts(answers, reading)  # (S, L, W, 3)
    weights = stats.shared_weights(np.unique(answers.words), draws, seed)  # (D, W)
    of_words = probing.f1(np.tensordot(weights, counted, axes=(1, 2)), reading)  # (D, S, L)
    values = probing.f1(counted.sum(axis=2), reading)  # (S, L)
    return stats.mean_over_trainings(values, of_words, seed)


def score_rows(answers: Answers, draws: int = 1000, seed: int = 0, **keys: object) -> list[dict]:
    """Computes micro F1 of each layer by the three readings, as rows for `report.results.write`.

    The reading is the `estimator`. Other arguments as in `reading_rows`.
    """
    rows = []
    for reading in probing.READINGS:
        rows += reading_rows(answers, reading, draws, seed, **keys, estimator=reading)
    return rows


def reading_rows(
    answers: Answers, reading: str, draws: int = 1000, seed: int = 0, **keys: object
) -> list[dict]:
    """Computes micro F1 of each layer by one reading, as rows for `report.results.write`.

    The value is the mean over seeds. For vectors of words (`of_words`) the reading is "words".
    keys: of all rows: model, family, measure and others that tell them apart.
    """
    values = scores(answers, reading).mean(axis=0)
    drawn = replicates(answers, reading, draws, seed)
    rows = []
    for number, layer in enumerate(answers.layers):
        row = {**keys, "value": float(values[number]), "replicates": drawn[:, number]}
        rows.append(row if layer is None else {**row, "layer": layer})
    return rows


def seed_mean_rows(
    answers: Answers, reading: str, draws: int = 1000, seed: int = 0, **keys: object
) -> list[dict]:
    """Works as `reading_rows`, but draws only resample words, without the trainings' error."""
    of_runs = []
    for run in range(len(answers.decisions)):
        alone = replace(answers, decisions=answers.decisions[[run]])
        rows = reading_rows(alone, reading, draws, seed, **keys)
        of_runs += [{**row, "seed": run} for row in rows]
    return paired.mean(of_runs, "seed")


def part(answers: Answers, rows: np.ndarray) -> Answers:
    """Selects the answers to some contexts. rows: (n,) bool, or numbers of contexts."""
    decisions = answers.decisions[:, :, rows]
    words, gold = answers.words[rows], answers.gold[rows]
    return replace(answers, words=words, gold=gold, decisions=decisions)


def contexts_of_pairs(answers: Answers) -> np.ndarray:
    """Counts the contexts of each context's pair of word and class, (n,) int: to stratify by."""
    pairs = np.stack([word_numbers(answers.words), answers.gold])
    _, pair, sizes = np.unique(pairs, axis=1, return_inverse=True, return_counts=True)
    return sizes[pair.reshape(-1)]


def ceiling_row(answers: Answers, draws: int = 1000, seed: int = 0, **keys: object) -> dict:
    """Computes the best F1 under "full" of a predictor that knows words' classes and no context.

    Replicates resample the words that `score_rows` resamples.
    """
    pairs = np.unique(np.stack([word_numbers(answers.words), answers.gold]), axis=1)
    classes_of_word = np.bincount(pairs[0])  # (W,)
    weights = stats.shared_weights(np.unique(answers.words), draws, seed)
    drawn = []
    for counted in weights.astype(int):
        drawn.append(probing.context_free_ceiling(np.repeat(classes_of_word, counted)))
    value = probing.context_free_ceiling(classes_of_word)
    return {**keys, "estimator": FULL, "value": value, "replicates": np.array(drawn)}


def word_numbers(words: np.ndarray) -> np.ndarray:
    """Returns the number of each context's word in alphabetical order, (n,)."""
    return np.unique(words, return_inverse=True)[1]
