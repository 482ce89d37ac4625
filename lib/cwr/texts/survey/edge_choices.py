"""Places of tasks under choices that the post and its sources leave open, each changed alone.

Tenney, Das and Pavlick (2019b) have one score a task and layer, and two places a task; between a
vector and these lie choices. What two choices share, a pass or a training, is made once. The claims
read the rows of every choice as if it were that of the chapter (`report.changes`).

    L layers from 0 up, D draws
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr.corpora import Corpus, edge_tasks
from cwr.corpora.edge_tasks import OFFICIAL, Task
from cwr.estimates import kinds_of_choices
from cwr.measures import edge_probing, stats
from cwr.tables import ANOTHER_SEED
from cwr.texts.survey import edge_probes, edges, spans, task_order
from cwr.texts.survey.edge_probes import CUMULATIVE, LAYER_SCORES, SINGLE, Predictions
from cwr.texts.survey.spans import Words

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

LOWEST, HIGHEST = "pos", "coreference"  # what the order begins and ends with
CONSTITUENTS, DEPENDENCIES = PARSING = ("constituents", "dependencies")
ORDERED = (LOWEST, "entities", HIGHEST)  # of the order, beside parsing
CURVE, ALONE = LAYER_SCORES[CUMULATIVE], LAYER_SCORES[SINGLE]
WEIGHT, WEIGHT_BY_NORM = "scalar_mix_weight", "scalar_mix_weight_by_norm"
BY_LAYER, BY_WEIGHT = READINGS = ("expected layer", "centre of gravity")
ENDS = {
    BY_LAYER: (LOWEST, CONSTITUENTS),
    BY_WEIGHT: (LOWEST, HIGHEST),
}  # tasks set apart in `moves`


@dataclass(frozen=True)
class Choice:
    """How scores and places come about; the defaults are the choices of the chapter, None too.

    parsing: which task is called so. by_norm: mixing weights times the mean length of their layer's
    vectors. single: scores of layers alone stand for the cumulative ones. by_sentence: sentences are
    resampled, not documents.
    folds: of documents, OFFICIAL for the split of the corpus. words_alone: layer 0 without positions.
    beside: single layers are read with layer 0 beside them. pooling, products, hidden: of the probes
    (`edges.Settings`). seed: how far theirs are from the chapter's.
    updates: how many times as many updates each probe has. labels: how many times as many targets
    it learns from, in as many updates.
    """

    parsing: str = CONSTITUENTS
    by_norm: bool = False
    single: bool = False
    by_sentence: bool = False
    folds: int | None = None
    words_alone: bool = False
    beside: bool = False
    pooling: str | None = None
    products: bool | None = None
    hidden: int | None = None
    seed: int = 0
    updates: int = 1
    labels: int = 1

    @property
    def changed(self) -> dict:
        """{field: value} where it differs from the chapter."""
        pairs = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: value for name, value in pairs if value != getattr(CHAPTER, name)}

    @property
    def measured(self) -> "Choice":
        """The choice without what is only read otherwise of the same scores and weights."""
        return replace(self, parsing=CONSTITUENTS, by_norm=False, single=False)


CHAPTER = Choice()
CHOICES = {  # {kind: choice}, each alone
    "parsing: dependencies": Choice(parsing=DEPENDENCIES),
    "weights: by norm": Choice(by_norm=True),
    "layers: alone": Choice(single=True),
    "resampled: sentences": Choice(by_sentence=True),
    "split: the official one": Choice(folds=OFFICIAL),
    "input: words alone": Choice(words_alone=True),
    "beside: layer 0": Choice(beside=True),
    "pooling: first word": Choice(pooling=spans.FIRST),
    "pooling: last word": Choice(pooling=spans.LAST),
    "pairs: side by side": Choice(products=False),
    "probes: linear": Choice(hidden=0),
    "updates: four times as many": Choice(updates=4),
    "labels: twice as many": Choice(labels=2),
    ANOTHER_SEED: Choice(seed=1000),
}
KINDS = kinds_of_choices.kinds(CHOICES)


def of_kinds(kinds: Sequence[str]) -> dict[str, Choice]:
    """The choices of these kinds, in the order of CHOICES. Raises UserError for another kind."""
    return kinds_of_choices.of_kinds(CHOICES, kinds)


class Tasks:
    """The tasks of a corpus in whatever folds, each read once for all models and choices."""

    def __init__(self, corpus: Corpus, names: Sequence[str]):
        self.corpus, self.names = corpus, tuple(names)
        self.load = functools.cache(self._load)

    def _load(self, name: str, folds: int) -> Task:
        return edge_tasks.load(name, self.corpus, folds)


@dataclass(frozen=True, eq=False)
class Study:
    """One model on the tasks of one corpus, looked at under several choices.

    settings, folds, seeds, mixes: the chapter's, as in `edges.scored`. single: whether layers are
    probed alone, too. seed: of the draws.
    """

    encoder: "Encoder"
    tasks: Tasks
    settings: edges.Settings
    folds: int
    seeds: Sequence[int]
    single: bool
    draws: int = 1000
    seed: int = 0
    mixes: int = 0

    def rows(self, choice: Choice = CHAPTER, variant: str | None = None) -> list[dict]:
        """Rows for `report.results.write`: those of `score_rows` and `weight_rows` of all tasks.

        A choice of what is read has its numbers where the chapter has its own.
        variant: what the choice is called in results; None for that of the chapter.
        Raises UserError as `edge_tasks.load` and `edges.scored`.
        """
        read = as_read(self.measured(choice.measured), choice)
        return [{**row, "variant": variant} for row in read]

    @functools.cached_property
    def measured(self) -> Callable[[Choice], list[dict]]:
        """The rows of all tasks under a choice, once for all choices of what is read of them."""
        return functools.cache(self._measured)

    def _measured(self, choice: Choice) -> list[dict]:
        keys = {"model": self.encoder.name, "family": self.encoder.family}
        rows = []
        for name in self.tasks.names:
            said = self.said(name, choice)
            rows += edge_probes.score_rows(said, self.draws, self.seed, **keys)
            rows += edge_probes.weight_rows(said, self.draws, self.seed, **keys)
            task = self._task(name, choice)
            rows += edge_probes.rule_rows(said, task, self.draws, self.seed, **keys)
            if choice.beside:
                rows = [row for row in rows if (row["measure"], row["task"]) != (ALONE, name)]
                said = self._beside_input(name)
                rows += edge_probes.score_rows(said, self.draws, self.seed, **keys)
        return rows

    def effective(self, choice: Choice) -> Choice:
        """The choice without what the chapter has anyway, or this model cannot have."""
        if choice.folds == self.folds:
            choice = replace(choice, folds=None)
        if choice.pooling == self.settings.pooling:
            choice = replace(choice, pooling=None)
        if choice.products == self.settings.products:
            choice = replace(choice, products=None)
        if choice.hidden == self.settings.hidden:
            choice = replace(choice, hidden=None)
        if not self.settings.most:  # all labels are learned from already
            choice = replace(choice, labels=1)
        if "positions" not in self.encoder.contract[0]:
            choice = replace(choice, words_alone=False)
        return choice if self.single else replace(choice, single=False, beside=False)

    def said(self, name: str, choice: Choice = CHAPTER) -> Predictions:
        """What the probes of a task say under a choice; those of all layers and ranges."""
        task = self._task(name, choice)
        vectors = self.without_positions if choice.words_alone else self.words
        kinds = edges.all_kinds(len(vectors.layers), self.single)
        said = self._scored(vectors, task, kinds, choice)
        return edge_probes.of_sentences(said, task) if choice.by_sentence else said

    def _beside_input(self, name: str) -> Predictions:
        both = spans.beside_input(self.words)
        kinds = [(SINGLE, layer) for layer in range(len(both.layers))]
        return self._scored(both, self._task(name, CHAPTER), kinds, CHAPTER)

    def _task(self, name: str, choice: Choice) -> Task:
        return self.tasks.load(name, self.folds if choice.folds is None else choice.folds)

    def _scored(self, vectors: Words, task: Task, kinds: Sequence, choice: Choice) -> Predictions:
        of_probes = {name: getattr(choice, name) for name in ("pooling", "products", "hidden")}
        chosen = {name: value for name, value in of_probes.items() if value is not None}
        settings = replace(self.settings, **chosen)
        most, epochs = settings.most * choice.labels, settings.epochs * choice.updates
        settings = replace(settings, most=most, epochs=max(1, epochs // choice.labels))
        seeds = [seed + choice.seed for seed in self.seeds]
        return edges.scored(vectors, task, kinds, settings, seeds, mixes=self.mixes)

    @functools.cached_property
    def words(self) -> Words:
        """The vectors of all words in every layer."""
        return spans.words(self.encoder, self.tasks.corpus)

    @functools.cached_property
    def without_positions(self) -> Words:
        """The same with the rows of the token matrix as layer 0."""
        (bare,) = spans.without_positions(self.encoder, self.tasks.corpus).layers
        name = f"{self.words.identity} without positions"
        return Words([bare, *self.words.layers[1:]], self.words.starts, name)


def as_read(rows: Sequence[dict], choice: Choice) -> list[dict]:
    """Rows with what a choice reads where the chapter has its own.

    Scores of layers alone for the cumulative ones; weights by norm for those of raw vectors; of the
    measures that the order reads, dependencies as constituents, whose own rows are left out.
    """
    if choice.single:
        rows = [row for row in rows if row["measure"] != CURVE]
        rows += [{**row, "measure": CURVE} for row in rows if row["measure"] == ALONE]
    if choice.by_norm:
        rows = [row for row in rows if row["measure"] != WEIGHT]
        rows += [{**row, "measure": WEIGHT} for row in rows if row["measure"] == WEIGHT_BY_NORM]
    if choice.parsing == CONSTITUENTS:
        return list(rows)
    result = []
    for row in rows:
        is_ordered = row["measure"] in (CURVE, WEIGHT)
        if not (is_ordered and row["task"] == CONSTITUENTS):
            is_renamed = is_ordered and row["task"] == choice.parsing
            result.append({**row, "task": CONSTITUENTS} if is_renamed else row)
    return result


# ---- what a choice moves


def moves(rows: Sequence[dict]) -> pd.DataFrame:
    """How far each choice moves what the order is about.

    rows: of `Study.rows`, those of the chapter among them. Columns panel (the quantity), variant (the
    choice), model, family, value, change, and low and high of its 95 % interval; draws are paired
    where two choices resample the same documents. Quantities without meaning are left out; with none
    the table is empty.
    """
    parts = _by_model(rows)
    table = []
    for (model, family, variant), part in parts.items():
        if variant is None:
            continue
        before = _quantities(parts[model, family, None])
        for panel, drawn in _quantities(part).items():
            change = drawn - before[panel]
            if not np.isnan(change[0]):
                low, high = stats.interval(change[1:][~np.isnan(change[1:])])
                keys = {"panel": panel, "variant": variant, "model": model, "family": family}
                numbers = {"value": drawn[0], "change": change[0], "low": low, "high": high}
                table.append({**keys, **numbers})
    words, numbers = ["panel", "variant", "model", "family"], ["value", "change", "low", "high"]
    moved = pd.DataFrame(table, columns=[*words, *numbers])
    return moved.astype({**dict.fromkeys(words, str), **dict.fromkeys(numbers, float)})


def orders(rows: Sequence[dict]) -> pd.DataFrame:
    """In which share of the draws the tasks stand in the post's order, roles left out.

    rows: as `moves`. Columns variant ("" for the chapter), model, parsing, reading (READINGS), share:
    NaN where a task of the order has no place.
    """
    table = []
    for (model, _, variant), part in _by_model(rows).items():
        for parsing in PARSING:
            tasks = [LOWEST, parsing, *ORDERED[1:]]
            for reading in READINGS:
                places = [_place(part, task, reading)[1:] for task in tasks]
                steps = np.diff(places, axis=0)  # (tasks - 1, D)
                defined = ~np.isnan(steps).all(axis=1).any()
                share = (steps > 0).all(axis=0).mean() if defined else np.nan
                keys = {"variant": variant or "", "model": model, "parsing": parsing}
                table.append({**keys, "reading": reading, "share": share})
    return pd.DataFrame(table)


Curves = dict[tuple[str, str], np.ndarray]  # {(measure, task): (L, 1 + D)}, the value first


def _by_model(rows: Sequence[dict]) -> dict[tuple[str, str, str | None], Curves]:
    """{(model, family, variant): its curves}."""
    parts = {}
    for row in rows:
        if row["measure"] in (CURVE, WEIGHT):
            part = parts.setdefault((row["model"], row["family"], row["variant"]), {})
            layers = part.setdefault((row["measure"], row["task"]), {})
            layers[row["layer"]] = np.append(row["value"], row["replicates"])
    return {
        key: {name: np.stack([of[layer] for layer in sorted(of)]) for name, of in part.items()}
        for key, part in parts.items()
    }


def _quantities(part: Curves) -> dict[str, np.ndarray]:
    """{what the order is about: its value and its draws, (1 + D,)}."""
    curves = [curve for (measure, _), curve in part.items() if measure == CURVE]
    depth = len(curves[0]) - 1
    panels = {}
    for reading, (low, high) in ENDS.items():
        apart = _place(part, high, reading) - _place(part, low, reading)
        name = "parsing" if high == CONSTITUENTS else high
        panels[f"{reading}: {low} to {name}"] = apart / depth
    panels["rise, mean of tasks"] = np.mean([curve[-1] - curve[0] for curve in curves], axis=0)
    return panels


def _place(part: Curves, task: str, reading: str) -> np.ndarray:
    """The layer of a task, value and draws, (1 + D,); all NaN where it has no place."""
    measure = CURVE if reading == BY_LAYER else WEIGHT
    if (measure, task) not in part:
        return np.full(next(iter(part.values())).shape[1], np.nan)
    curve = part[measure, task].T  # (1 + D, L)
    if reading == BY_WEIGHT:
        return edge_probing.centre_of_gravity(curve)
    rise = curve[:, -1] - curve[:, 0]
    if rise[0] <= 0 or stats.interval(rise[1:])[0] <= 0:
        return np.full(len(curve), np.nan)
    return task_order.expected(curve)
