"""Scores edge probes, with replicates that resample documents and draw a seed.

S seeds, K kinds of probes, n tested targets, C labels, F folds, L layers, D draws
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr.corpora import edge_tasks
from cwr.estimates import paired
from cwr.measures import edge_probing, stats
from cwr.tables import where
from cwr.texts.survey import edge_rules
from cwr.texts.survey.edge_rules import CONSTANT

if TYPE_CHECKING:
    from cwr.corpora.edge_tasks import EdgeTask

SINGLE, CUMULATIVE, LEX, MIX = "single", "cumulative", "lex", "mix"
Kind = tuple  # (SINGLE, layer), (CUMULATIVE, layer), (LEX,) or (MIX,)
SOFTMAX, SIGMOIDS = "softmax", "sigmoids"
PERCENT = 100  # scores are in points, as the sources print them


@dataclass(frozen=True, eq=False)
class ProbePredictions:
    """The predictions of one task's probes on its tested targets.

    labels: (C,). scored: (C,) bool, labels that count for the score. kinds: (K,). logits:
    (S, K, n, C) float16. answers: SIGMOIDS (predicts labels with a logit of at least 0) or
    SOFTMAX (predicts the largest). gold: (n,) numbers of labels. rows: (n,) of the task's table.
    document, fold: (n,). documents: all of the task, in order. weights: (S, F, K, L), of each
    layer in the mix, 0 outside. norms: (L,), mean length of the vectors of a layer. scaled:
    whether vectors were divided by it before they were mixed. mixes: (M, F, L), such weights of
    further trainings of the mix of all layers, whose predictions are not kept.
    """

    task: str
    labels: tuple[str, ...]
    scored: np.ndarray
    kinds: tuple[Kind, ...]
    logits: np.ndarray
    answers: str
    gold: np.ndarray
    rows: np.ndarray
    document: np.ndarray
    fold: np.ndarray
    documents: np.ndarray
    weights: np.ndarray
    norms: np.ndarray
    scaled: bool
    mixes: np.ndarray | None = None

    @property
    def decisions(self) -> np.ndarray:
        """The predicted labels, (S, K, n, C) bool."""
        if self.answers == SIGMOIDS:
            return self.logits >= 0
        best = self.logits.argmax(axis=-1)
        return best[..., None] == np.arange(len(self.labels))

    @property
    def probabilities(self) -> np.ndarray:
        """The shares of the labels, (S, K, n, C) float32, with sum 1; sigmoids are scaled."""
        logits = self.logits.astype(np.float32)
        if self.answers == SIGMOIDS:
            shares = 1 / (1 + np.exp(-logits))
        else:
            shares = np.exp(logits - logits.max(axis=-1, keepdims=True))
        return shares / shares.sum(axis=-1, keepdims=True)

    @functools.cached_property
    def counts(self) -> np.ndarray:
        """The true positives, false positives, false negatives by document, (S, K, docs, 3)."""
        counted = edge_probing.counts(self.decisions[..., self.scored], self._is_gold)
        number = np.searchsorted(self.documents, self.document)
        result = np.zeros((*counted.shape[:2], len(self.documents), 3))
        for cell in np.ndindex(counted.shape[:2]):
            np.add.at(result[cell], number, counted[cell])
        return result

    @property
    def _is_gold(self) -> np.ndarray:
        return (self.gold[:, None] == np.arange(len(self.labels)))[:, self.scored]

    def at(self, *kinds: Kind) -> "np.ndarray":
        """Returns the numbers of these kinds. Raises KeyError for one that was not trained."""
        number = {kind: row for row, kind in enumerate(self.kinds)}
        return np.array([number[kind] for kind in kinds])


def of_sentences(predictions: ProbePredictions, task: "EdgeTask") -> ProbePredictions:
    """Replaces documents by sentences in predictions, so that sentences are resampled."""
    sentence = task.table["sentence"].to_numpy()
    rows = sentence[predictions.rows]
    return replace(predictions, document=rows, documents=np.arange(len(task.corpus.sentences)))


def by_rules(predictions: ProbePredictions, task: "EdgeTask") -> ProbePredictions:
    """Predicts the same targets by rules without vectors (`edge_rules.said`); kinds: (rule,)."""
    said = edge_rules.said(task, predictions.rows)
    labels = np.arange(len(predictions.labels))
    logits = [(answers[:, None] == labels) for answers in said.values()]  # (n, C) each
    return replace(
        predictions,
        kinds=tuple((name,) for name in said),
        logits=np.array([logits], dtype=np.float16),
        answers=SOFTMAX,
        weights=predictions.weights[:, :, :0],
        mixes=None,
    )


def of_targets(predictions: ProbePredictions, keep: np.ndarray) -> ProbePredictions:
    """Selects the predictions on some of the tested targets. keep: (n,) bool."""
    of_each = ("gold", "rows", "document", "fold")
    kept = {name: getattr(predictions, name)[keep] for name in of_each}
    return replace(predictions, logits=predictions.logits[:, :, keep], **kept)


def layers_of(predictions: ProbePredictions, name: str) -> list[Kind]:
    """Lists the kinds of one name, from the lowest layer to the highest."""
    return sorted(kind for kind in predictions.kinds if kind[0] == name)


def scores(predictions: ProbePredictions, kinds: Sequence[Kind]) -> np.ndarray:
    """Computes micro F1 in points for each seed and kind, (S, len(kinds))."""
    counted = predictions.counts[:, predictions.at(*kinds)].sum(axis=2)
    return PERCENT * edge_probing.f1(counted)


def replicates(
    predictions: ProbePredictions, kinds: Sequence[Kind], draws: int = 1000, seed: int = 0
) -> np.ndarray:
    """Computes micro F1 in points on resampled documents, with one seed's probes each, (D, kinds).

    Documents and seeds are drawn alike for all tasks and models on the same documents.
    """
    counted = predictions.counts[:, predictions.at(*kinds)]  # (S, kinds, docs, 3)
    weights = stats.shared_weights(predictions.documents, draws, seed)  # (D, docs)
    run = np.random.default_rng(seed).integers(len(counted), size=draws)
    result = np.empty((draws, len(kinds)))
    for number, of_seed in enumerate(counted):
        drawn = run == number
        totals = np.tensordot(weights[drawn], of_seed, axes=(1, 1))  # (draws, kinds, 3)
        result[drawn] = PERCENT * edge_probing.f1(totals)
    return result


def mix_weights(predictions: ProbePredictions, by_norm: bool = False) -> np.ndarray:
    """Returns the weights of the mix of all layers, a row with sum 1 per training: ((S + M) F, L).

    Weights are of raw vectors, as in the source, where a layer of long vectors needs less weight.
    by_norm: times the mean length of the layer's vectors. Each follows from the other, whether the
    probes mixed raw or scaled vectors.
    """
    (kind,) = predictions.at((MIX,))
    weights = predictions.weights[:, :, kind]  # (S, F, L)
    if predictions.mixes is not None:
        weights = np.concatenate([weights, predictions.mixes])
    weights = weights.reshape(-1, weights.shape[-1])
    if predictions.scaled and not by_norm:
        weights = weights / predictions.norms
    if by_norm and not predictions.scaled:
        weights = weights * predictions.norms
    return weights / weights.sum(axis=1, keepdims=True)


def drawn_weights(weights: np.ndarray, draws: int = 1000, seed: int = 0) -> np.ndarray:
    """Draws the mean of several trainings' weights, (D, L); each row has the sum 1.

    The draws tell of other trainings, not of other documents. They are those of `stats.mean_draws`,
    which know no bounds: values below 0 become 0, and rows are divided by their sum.
    weights: (trainings, L).
    """
    drawn = stats.mean_draws(weights, draws, seed).clip(min=0)
    return drawn / drawn.sum(axis=1, keepdims=True)


def gold_shares(predictions: ProbePredictions) -> np.ndarray:
    """Averages each gold label's share over seeds, for every cumulative probe, (L, n)."""
    numbers = predictions.at(*layers_of(predictions, CUMULATIVE))
    shares = predictions.probabilities[:, numbers].mean(axis=0)  # (L, n, C)
    return np.take_along_axis(shares, predictions.gold[None, :, None], axis=2)[..., 0]


def relation_scores(predictions: ProbePredictions, kind: Kind) -> dict[str, float]:
    """Computes three scores of relations, which are never mixed, in points: means over seeds.

    "micro": the score that claims use, without Other. "mean of labels": mean F1 of the directed
    labels, as in the edge-probing paper's notebook. "official": that of the task, `relation_f1`.
    The last two give each target the label with the largest logit.
    """
    (number,) = predictions.at(kind)
    labels, scored = np.array(predictions.labels), np.flatnonzero(predictions.scored)
    means, official = [], []
    for logits in predictions.logits[:, number]:
        said = logits.argmax(axis=-1)
        means.append(edge_probing.label_f1(said, predictions.gold, scored).mean())
        official.append(edge_probing.relation_f1(labels[said], labels[predictions.gold]))
    micro = float(scores(predictions, [kind]).mean())
    return {
        "micro": micro,
        "mean of labels": PERCENT * float(np.mean(means)),
        "official": PERCENT * float(np.mean(official)),
    }


# ---- rows for `report.results.write`


def score_rows(
    predictions: ProbePredictions, draws: int = 1000, seed: int = 0, **keys: object
) -> list[dict]:
    """Returns rows of all scores of one task and model, in points.

    Measures: `cumulative_probe_f1` and `single_layer_probe_f1` by layer; `edge_probe_f1` with the
    estimators mix and lex, and `edge_probe_f1_error`, half the width of its 95 % interval.
    The value is the mean over seeds. keys: model, family and others that tell rows apart.
    """
    kinds = list(predictions.kinds)
    values = scores(predictions, kinds).mean(axis=0)
    drawn = replicates(predictions, kinds, draws, seed)
    keys = {**keys, "task": predictions.task}
    rows = []
    for number, (name, *layer) in enumerate(kinds):
        row = {**keys, "value": float(values[number]), "replicates": drawn[:, number]}
        if layer:
            rows.append({**row, "measure": LAYER_SCORES[name], "layer": layer[0]})
        else:
            low, high = stats.interval(row["replicates"])
            error = {**keys, "measure": "edge_probe_f1_error", "estimator": name}
            rows.append({**row, "measure": "edge_probe_f1", "estimator": name})
            rows.append({**error, "value": (high - low) / 2})
    return rows


def rule_rows(
    predictions: ProbePredictions,
    task: "EdgeTask",
    draws: int = 1000,
    seed: int = 0,
    tested_by: str = "edge",
    **keys: object,
) -> list[dict]:
    """Scores the rules without vectors on the targets that a model's probes are tested on.

    Measures: `edge_rule_f1` with the rule as estimator, and `edge_best_rule_f1`, of the best rule,
    chosen on the tested targets themselves, which favours the rules.
    predictions: of the probes; the draws of documents are those of their `score_rows`.
    tested_by: the start of the measures' names, if other probes are tested on other targets.
    """
    rules = by_rules(predictions, task)
    values = scores(rules, rules.kinds)[0]
    drawn = replicates(rules, rules.kinds, draws, seed)
    keys, rows = {**keys, "task": predictions.task}, []
    for (name,), value, replicate in zip(rules.kinds, values, drawn.T, strict=True):
        row = {**keys, "value": float(value), "replicates": replicate}
        rows.append({**row, "measure": f"{tested_by}_rule_f1", "estimator": name})
    best = {**rows[values.argmax()], "measure": f"{tested_by}_best_rule_f1", "estimator": None}
    return [*rows, best]


def seen_rows(
    predictions: ProbePredictions,
    task: "EdgeTask",
    most: int,
    draws: int = 1000,
    seed: int = 0,
    **keys: object,
) -> list[dict]:
    """Scores single layers on targets whose words the probes have learned, and on others.

    Measures: `seen_span_probe_f1` and `unseen_span_probe_f1`, by layer. most: targets that a fold's
    probes learned from. A part without a target has no rows.
    """
    is_seen, rows = edge_tasks.is_seen(task, predictions.rows, most), []
    for name, keep in (("seen", is_seen), ("unseen", ~is_seen)):
        if keep.any():
            part = of_targets(predictions, keep)
            scored = score_rows(part, draws, seed, **keys)
            single = [row for row in scored if row["measure"] == LAYER_SCORES[SINGLE]]
            rows += [{**row, "measure": f"{name}_span_probe_f1"} for row in single]
    return rows


def over_rules(rows: Sequence[dict]) -> pd.DataFrame:
    """Computes how far the mix of all layers lies above the best rule: a row per model and task.

    rows: of `score_rows` and `rule_rows`, of one variant. Columns model, task, lead (points), low
    and high of its 95 % interval, mix and rule.
    """
    mix, rule = (
        [row for row in rows if (row["measure"], row.get("estimator")) == scores]
        for scores in (("edge_probe_f1", MIX), ("edge_best_rule_f1", None))
    )
    table = paired.frame(paired.minus(mix, rule, ["model", "task"]), ["model", "task"], "lead")
    best = {(row["model"], row["task"]): row["value"] for row in rule}
    of_rule = [best[row["model"], row["task"]] for row in mix]
    return table.assign(mix=[row["value"] for row in mix], rule=of_rule)


def rule_levels(table: pd.DataFrame) -> pd.DataFrame:
    """Tabulates the best rule of each task and its constant label, as levels of a figure.

    table: tidy, with the rows of `rule_rows`, equal for all models. Columns dataset (the task),
    name, value.
    """
    best = table[table["measure"].str.endswith("_best_rule_f1")]
    constant = where(table[table["measure"].str.endswith("_rule_f1")], estimator=CONSTANT)
    named = {"best rule without vectors": best, "one label for all": constant}
    parts = [rows.drop_duplicates("task").assign(name=name) for name, rows in named.items()]
    levels = pd.concat(parts).rename(columns={"dataset": "_", "task": "dataset"})
    return levels[["dataset", "name", "value"]].reset_index(drop=True)


LAYER_SCORES = {CUMULATIVE: "cumulative_probe_f1", SINGLE: "single_layer_probe_f1"}


def weight_rows(
    predictions: ProbePredictions, draws: int = 1000, seed: int = 0, **keys: object
) -> list[dict]:
    """Returns rows of the mix's weights by layer: `scalar_mix_weight`, `scalar_mix_weight_by_norm`.

    Values are means over trainings (seeds and folds); their replicates are `drawn_weights`.
    """
    rows = []
    for measure, by_norm in (("scalar_mix_weight", False), ("scalar_mix_weight_by_norm", True)):
        weights = mix_weights(predictions, by_norm)  # (trainings, L)
        drawn = drawn_weights(weights, draws, seed)
        for layer, value in enumerate(weights.mean(axis=0)):
            row = {**keys, "task": predictions.task, "measure": measure, "layer": layer}
            rows.append({**row, "value": float(value), "replicates": drawn[:, layer]})
    return rows
