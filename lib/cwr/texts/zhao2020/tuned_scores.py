"""Scores tuned models on dev sentences of their tasks: Tables 3 and 7 of Zhao et al. (2020).

Draws resample sentences. All models that are scored on the same sentences share the draws, so that
differences are paired. Several trainings are averaged, with the error of a mean of so few
(`stats.mean_over_trainings`).

    n = sentences, D = draws
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from cwr.corpora.tasks import Task
from cwr.corpora.treebanks import entities
from cwr.encoders.pieces import refuse_without_first
from cwr.errors import UserError
from cwr.measures import probing, stats

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

NER = "ner"
FEW = ("pos", "sst2")  # the tasks of a model that learns few


def plan(
    encoders: "Sequence[Encoder]", tasks: Mapping[str, Task], few: Sequence[str]
) -> "list[tuple[Encoder, str]]":
    """Pairs models with the tasks they are tuned on: models named in `few` only with those of FEW.

    Raises UserError for a model without a task, and for one that cannot read a sentence as a whole
    and has a task about sentences.
    """
    pairs = []
    for encoder in encoders:
        allowed = [name for name in tasks if name in FEW or encoder.name not in few]
        if not allowed:
            raise UserError(
                f"{encoder.name} learns {' and '.join(FEW)} alone, and the tasks are "
                f"{', '.join(tasks)}: add one of these two, or take the model out of few_tasks"
            )
        for name in allowed:
            if not tasks[name].of_words:
                refuse_without_first(encoder.tokenizer, encoder.name, name)
        pairs += [(encoder, name) for name in allowed]
    return pairs


def score_row(
    task: Task,
    rows: Sequence[int],
    predicted: Sequence[np.ndarray],
    draws: int = 1000,
    seed: int = 0,
    **keys: object,
) -> dict:
    """Scores predictions on some sentences, as a row for `report.results.write`.

    The score is accuracy; for "ner" micro F1 of entities (Table 3). rows: (n,), sentences.
    predicted: the class of each label of each sentence, -1 for none. keys: of the row.
    """
    counts = outcomes(task, rows, predicted)
    weights = stats.weights(np.asarray(rows), draws, seed)  # (D, n)
    value = probing.f1(counts.sum(axis=0))
    named = {**keys, "task": task.name, "dataset": task.data}
    return {**named, "value": value, "replicates": probing.f1(weights @ counts)}


def over_trainings(
    task: Task,
    rows: Sequence[int],
    predicted: Sequence[Sequence[np.ndarray]],
    draws: int = 1000,
    seed: int = 0,
    **keys: object,
) -> dict:
    """Averages the scores of several trainings as one `score_row`; its draws include their spread.

    predicted: for each training, the argument of `score_row`. Trainings are paired by order.
    """
    of_each = [score_row(task, rows, said, draws, seed, **keys) for said in predicted]
    values = np.array([row["value"] for row in of_each])
    resampled = np.stack([row["replicates"] for row in of_each], axis=1)  # (D, trainings)
    drawn = stats.mean_over_trainings(values, resampled, seed)
    return {**of_each[0], "value": float(values.mean()), "replicates": drawn}


def outcomes(task: Task, rows: Sequence[int], predicted: Sequence[np.ndarray]) -> np.ndarray:
    """Counts hits, false positives and misses in each sentence, (n, 3).

    A wrong label is both a false positive and a miss, so F1 of the sums is accuracy. For "ner" the
    counts are of entities, which are hits if their words and their class are right.
    """
    counts = []
    for row, classes in zip(rows, predicted, strict=True):
        gold = task.labels[row]
        if task.name == NER:
            said, true = _entities(task, classes), _entities(task, gold)
            hits = len(said & true)
            counts.append((hits, len(said) - hits, len(true) - hits))
        else:
            wrong = int((classes != gold).sum())
            counts.append((len(gold) - wrong, wrong, wrong))
    return np.array(counts)


def majority_row(task: Task, rows: Sequence[int], **keys: object) -> dict:
    """Scores a constant answer, the most frequent class in training; as `score_row`."""
    learned = np.concatenate([task.labels[row] for row in task.train])
    commonest = int(np.bincount(learned).argmax())
    constant = [np.full(len(task.labels[row]), commonest) for row in rows]
    return score_row(task, rows, constant, **keys)


def _entities(task: Task, labels: np.ndarray) -> set[tuple]:
    """Entities of one sentence, (first word, last word, class)."""
    tags = [task.classes[label] if label >= 0 else entities.OUTSIDE for label in labels]
    return {tuple(entity) for entity in entities.tagged(tags)}
