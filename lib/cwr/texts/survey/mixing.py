"""Scores frozen probes, mixes of layers, transfer, and perplexity by layer.

Draws resample documents, and of several seeds a draw takes one (`edge_probes.replicates`).

    L layers, n positions, S seeds, K probes, D draws
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from cwr.estimates import paired
from cwr.measures import stats
from cwr.texts.survey import edge_probes
from cwr.texts.survey.edge_probes import LAYER_SCORES, MIX, SINGLE, ProbePredictions

FROZEN, PERPLEXITY = "frozen_probe_score", "layer_perplexity"
TRANSFER, MEAN = "layer_transfer_score", "mean_layer_probe_f1"
EQUAL, PRETRAINING = "equal_updates_score", "pretraining_transfer"
BY_TEXT, LANGUAGE_MODEL = "pretraining_transfer_by_text", "language model"


def frozen_rows(
    predictions: ProbePredictions, draws: int = 1000, seed: int = 0, **keys: object
) -> list[dict]:
    """Computes micro F1 in points by each kind of probe (`estimator`), as rows for `results.write`.

    The value is the mean over seeds. keys: model, family and others that tell rows apart; a
    `measure` or `estimator` among them replaces ours.
    """
    values = edge_probes.scores(predictions, predictions.kinds).mean(axis=0)
    drawn = edge_probes.replicates(predictions, predictions.kinds, draws, seed)
    keys = {"measure": FROZEN, "task": predictions.task, **keys}
    rows = []
    for number, (name, *_) in enumerate(predictions.kinds):
        estimate = {"value": float(values[number]), "replicates": drawn[:, number]}
        rows.append({"estimator": name, **keys, **estimate})
    return rows


def equal_rows(
    frozen: ProbePredictions,
    tuned: ProbePredictions,
    draws: int = 1000,
    seed: int = 0,
    **keys: object,
) -> list[dict]:
    """Scores frozen probes and a tuned model after equally many updates, as `frozen_rows`."""
    keys = {**keys, "measure": EQUAL}
    rows = frozen_rows(frozen, draws, seed, **keys)
    rows = [{**row, "estimator": f"frozen {row['estimator']}"} for row in rows]
    return rows + frozen_rows(tuned, draws, seed, **keys)


def pretraining_rows(
    predictions: ProbePredictions,
    source: str,
    nearest: str,
    draws: int = 1000,
    seed: int = 0,
    **keys: object,
) -> list[dict]:
    """Scores the transfer to a task from an encoder trained on `source`, as `frozen_rows`.

    source: becomes the `class`. nearest: the source nearest to the task, fixed beforehand. The
    estimator is "nearest" or "other", or the language model if that is the source.
    """
    is_nearest = "nearest" if source == nearest else "other"
    estimator = source if source == LANGUAGE_MODEL else is_nearest
    keys = {**keys, "measure": PRETRAINING, "class": source, "estimator": estimator}
    return frozen_rows(predictions, draws, seed, **keys)


def mean_rows(
    predictions: ProbePredictions, draws: int = 1000, seed: int = 0, **keys: object
) -> list[dict]:
    """Scores the one kind of probe that reads the plain mean of all layers, as `frozen_rows`."""
    (row,) = frozen_rows(predictions, draws, seed, **keys)
    return [{**row, "measure": MEAN, "estimator": None}]


def gains(rows: Sequence[dict], pairs: Mapping[str, tuple[str, str]]) -> pd.DataFrame:
    """Subtracts estimators in pairs, model by model and task by task, as a frame.

    rows: of `frozen_rows`. pairs: {name: (estimator, estimator that is subtracted)}.
    Columns model, task, gain (the name), value, and low and high of its 95 % interval.
    """
    gained = []
    for name, estimators in pairs.items():
        one, other = ([row for row in rows if row["estimator"] == each] for each in estimators)
        gained += [{**row, "gain": name} for row in paired.minus(one, other, ["model", "task"])]
    return paired.frame(gained, ["model", "task", "gain"])


def by_input(table: pd.DataFrame, tasks: Sequence[str]) -> pd.DataFrame:
    """Tabulates scores by a probe's input (each layer, mean, learned mix), by model and task.

    table: tidy, with the measures of `edge_probes.score_rows` and `mean_rows`.
    """
    single = table[table["measure"] == LAYER_SCORES[SINGLE]]
    mixed = (table["measure"] == "edge_probe_f1") & (table["estimator"] == MIX)
    parts = [
        single.assign(reads="layer " + single["layer"].astype(str)),
        table[table["measure"] == MEAN].assign(reads="mean of layers"),
        table[mixed].assign(reads="learned mix"),
    ]
    rows = pd.concat(parts)
    rows = rows[rows["task"].isin(tasks)]
    columns = list(dict.fromkeys(rows["reads"]))
    return rows.pivot(index=["model", "task"], columns="reads", values="value")[columns]


def perplexity(nats: np.ndarray, document: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Computes exp(mean nats) by layer for weighted documents: (D, L).

    nats: (L, n). document: (n,) labels. times: (D, documents), their weights, by label.
    Raises ValueError for a draw without a position.
    """
    names, number = np.unique(document, return_inverse=True)
    sums = np.stack([np.bincount(number, layer, len(names)) for layer in nats])  # (L, documents)
    positions = times @ np.bincount(number)  # (D,)
    if not (positions > 0).all():
        raise ValueError("a perplexity needs at least 1 position in each draw")
    return np.exp(times @ sums.T / positions[:, None])


def perplexity_rows(
    nats: np.ndarray, document: np.ndarray, draws: int = 1000, seed: int = 0, **keys: object
) -> list[dict]:
    """Computes the perplexity of each layer, with replicates that resample documents, as rows.

    nats: (L, n). document: (n,). keys: as in `frozen_rows`.
    """
    names = np.unique(document)
    values = perplexity(nats, document, np.ones((1, len(names))))[0]
    drawn = perplexity(nats, document, stats.weights(names, draws, seed))
    keys = {"measure": PERPLEXITY, **keys}
    return [
        {**keys, "layer": layer, "value": float(value), "replicates": drawn[:, layer]}
        for layer, value in enumerate(values)
    ]


def transfer_rows(rows: Iterable[dict]) -> list[dict]:
    """Copies the scores of single layers to the measure of each layer's transfer to a task.

    rows: of `edge_probes.score_rows`; those of other measures are left out.
    """
    single = LAYER_SCORES[SINGLE]
    return [{**row, "measure": TRANSFER} for row in rows if row["measure"] == single]
