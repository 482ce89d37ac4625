"""Recomputes results under choices that the post and its sources leave open, each changed alone.

Tenney, Das and Pavlick (2019b) have one score a task and layer, and two places a task
(`of_places`); Peters et al. (2018b) a picture of which words of a sentence are alike
(`of_picture`). Choices lie between the vectors and these results. The claims read the rows of every
choice as if they were those of the chapter (`report.changes`).
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cwr import extraction
from cwr.corpora import Corpus, edge_tasks
from cwr.corpora.edge_tasks import EdgeTask
from cwr.estimates import choices
from cwr.estimates.choices import Pipeline
from cwr.texts.survey import edge_probes, edges, spans, word_pairs
from cwr.texts.survey.edge_probes import LAYER_SCORES, SINGLE, ProbePredictions
from cwr.texts.survey.edges import Settings
from cwr.texts.survey.sentence_similarity import RAW, TREE, every_word, similarity_rows
from cwr.texts.survey.spans import Words
from cwr.texts.survey.task_order import CONSTITUENTS, CURVE, WEIGHT
from cwr.texts.survey.word_pairs import Pairs

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

FILE = Path(__file__).with_suffix(".csv")
CHOICES = choices.load_choices(FILE)
OF_PICTURE = choices.of_kinds(CHOICES, ["picture"])
OF_PLACES = {name: changes for name, changes in CHOICES.items() if name not in OF_PICTURE}
IN_WORDS = choices.load_words(FILE)

DOCUMENTS, SENTENCES = "documents", "sentences"
ALONE = LAYER_SCORES[SINGLE]

Tasks = dict[str, EdgeTask]
Answers = dict[str, ProbePredictions]  # {task: what its probes say}

# ---- the places of tasks


def of_places(
    encoder: "Encoder",
    corpus: Corpus,
    tasks: Callable[[int], Tasks],
    settings: Settings,
    folds: int,
    seeds: Sequence[int],
    single: bool,
    draws: int = 1000,
    seed: int = 0,
    mixes: int = 0,
) -> Pipeline:
    """Joins the stages from a model to the scores of its layers and their weights, `place_rows`.

    tasks: the stage of `tasks_of`. settings, folds, seeds, mixes: as in `edges.scored`.
    single: whether layers are also probed alone. seed: of the draws.

    Choices change:
    parsing: the task that stands for parsing.
    scores, weights: the measures used as a task's scores by layer and as its mixing weights.
    resampled: DOCUMENTS or SENTENCES.
    folds: of documents, OFFICIAL for the split of the corpus.
    positions: whether layer 0 has positions.
    beside: whether single layers are read with layer 0 beside them.
    pooling, products, hidden: of the probes (`edges.Settings`).
    updates: how many times as many updates each probe has.
    labels: how many times as many targets it learns from, in as many updates.
    seed_shift: how far the probes' seeds are from the chapter's.

    Stages raise UserError as `edge_tasks.load`, `spans.words` and `edges.scored`.
    """
    about = {"draws": draws, "seed": seed, "model": encoder.name, "family": encoder.family}
    return Pipeline(
        tasks,
        vectors,
        probes,
        predictions,
        beside_input,
        measured,
        place_rows,
        fixed=_without_effect(encoder, settings, single),
        encoder=encoder,
        corpus=corpus,
        settings=settings,
        seeds=seeds,
        mixes=mixes,
        single=single,
        about=about,
        parsing=CONSTITUENTS,
        scores=CURVE,
        weights=WEIGHT,
        resampled=DOCUMENTS,
        folds=folds,
        positions=True,
        beside=False,
        pooling=settings.pooling,
        products=settings.products,
        hidden=settings.hidden,
        updates=1,
        labels=1,
        seed_shift=0,
    )


def _without_effect(encoder: "Encoder", settings: Settings, single: bool) -> list[str]:
    """Lists the parameters that cannot matter to a model and these settings of its probes."""
    without = {
        "labels": not settings.most,  # all are learned from already
        "positions": "positions" not in encoder.contract[0],
        "scores": not single,
        "beside": not single,
    }
    return [name for name, cannot_matter in without.items() if cannot_matter]


def tasks_of(corpus: Corpus, names: Sequence[str]) -> Callable[[int], Tasks]:
    """Makes the stage `tasks`, which reads these tasks in some folds, each once for all models."""

    @functools.cache
    def tasks(folds: int) -> Tasks:
        return {name: edge_tasks.load(name, corpus, folds) for name in names}

    return tasks


def vectors(encoder: "Encoder", corpus: Corpus, positions: bool) -> Words:
    """Reads all words in every layer; without positions, layer 0 is rows of the token matrix."""
    words = spans.words(encoder, corpus)
    if positions:
        return words
    (bare,) = spans.without_positions(encoder, corpus).layers
    name = f"{words.identity} without positions"
    return Words([bare, *words.layers[1:]], words.starts, name)


def probes(
    settings: Settings,
    pooling: str,
    products: bool,
    hidden: int,
    updates: int,
    labels: int,
    seeds: Sequence[int],
    seed_shift: int,
    mixes: int,
) -> dict[str, object]:
    """Returns the arguments of `edges.scored` by which probes are trained."""
    most, epochs = settings.most * labels, max(1, settings.epochs * updates // labels)
    settings = replace(settings, most=most, epochs=epochs)
    settings = replace(settings, pooling=pooling, products=products, hidden=hidden)
    return {"settings": settings, "seeds": [seed + seed_shift for seed in seeds], "mixes": mixes}


def predictions(vectors: Words, tasks: Tasks, probes: dict, single: bool) -> Answers:
    """Trains the probes of all layers and ranges, and returns their predictions."""
    kinds = edges.all_kinds(len(vectors.layers), single)
    return {name: edges.scored(vectors, task, kinds, **probes) for name, task in tasks.items()}


def beside_input(vectors: Words, tasks: Tasks, probes: dict, beside: bool) -> Answers:
    """Trains probes of single layers with layer 0 beside them, if that is the choice."""
    if not beside:
        return {}
    both = spans.beside_input(vectors)
    kinds = [(SINGLE, layer) for layer in range(len(both.layers))]
    return {name: edges.scored(both, task, kinds, **probes) for name, task in tasks.items()}


def measured(
    tasks: Tasks, predictions: Answers, beside_input: Answers, resampled: str, about: dict
) -> list[dict]:
    """Makes the rows of all tasks: `edge_probes.score_rows`, `weight_rows` and `rule_rows`.

    about: their other arguments.
    """
    rows = []
    for name, answers in predictions.items():
        if resampled == SENTENCES:
            answers = edge_probes.of_sentences(answers, tasks[name])
        of_task = edge_probes.score_rows(answers, **about)
        of_task += edge_probes.weight_rows(answers, **about)
        of_task += edge_probes.rule_rows(answers, tasks[name], **about)
        if name in beside_input:
            of_task = [row for row in of_task if row["measure"] != ALONE]
            of_task += edge_probes.score_rows(beside_input[name], **about)
        rows += of_task
    return rows


def place_rows(measured: list[dict], scores: str, weights: str, parsing: str) -> list[dict]:
    """Renames a choice's measures and task to the chapter's: rows for `report.results.write`.

    The measures are scores and weights. In the measures of the order, the task `parsing` is renamed
    to constituents, whose own rows are left out.
    """
    rows = _standing_for(CURVE, scores, measured)
    rows = _standing_for(WEIGHT, weights, rows)
    if parsing == CONSTITUENTS:
        return rows
    result = []
    for row in rows:
        is_ordered = row["measure"] in (CURVE, WEIGHT)
        if is_ordered and row["task"] == parsing:
            result.append({**row, "task": CONSTITUENTS})
        elif not (is_ordered and row["task"] == CONSTITUENTS):
            result.append(row)
    return result


def _standing_for(chapter: str, measure: str, rows: list[dict]) -> list[dict]:
    """Rows in which the numbers of a measure are those of the chapter's measure, too."""
    if measure == chapter:
        return rows
    others = [row for row in rows if row["measure"] != chapter]
    return others + [{**row, "measure": chapter} for row in rows if row["measure"] == measure]


# ---- the post's first picture


def of_picture(
    encoder: "Encoder",
    corpus: Corpus,
    draws: int = 1000,
    seed: int = 0,
    furthest: int = 10,
    least: int = 10,
) -> Pipeline:
    """Joins the stages from a model to the differences of its words' cosines, `picture_rows`.

    furthest, least: of `word_pairs`. seed: of the draws.

    Choices change:
    treatment: of vectors, one of `sentence_similarity.TREATMENTS`.
    names, nested: the definition of a noun phrase (`phrases.noun_phrases`).
    pooling: of a word's pieces, which a model that reads letters does not have.

    Stages raise UserError as `word_pairs.pairs`, `Pairs.matchings` and `every_word`.
    """
    return Pipeline(
        word_pairs.pairs,
        word_pairs.document_weights,
        picture_rows,
        fixed=() if encoder.tokenizer else ["pooling"],
        encoder=encoder,
        corpus=corpus,
        draws=draws,
        seed=seed,
        furthest=furthest,
        least=least,
        classes="upos",
        treatment=RAW,
        names=True,
        nested=True,
        pooling="mean",
    )


def picture_rows(
    encoder: "Encoder",
    corpus: Corpus,
    pairs: Pairs,
    least: int,
    document_weights: np.ndarray,
    pooling: str,
    treatment: str,
) -> list[dict]:
    """Makes the rows of all layers; the treatment takes the place of the chapter's raw vectors.

    document_weights: (draws, documents).
    """
    matched = pairs.matchings(least)
    run = extraction.run(encoder, corpus, pooling=pooling)
    layers = ((n, every_word(run, corpus, n)) for n in range(run.n_layers + 1))
    keys = {"model": encoder.name, "family": encoder.family}
    rows = similarity_rows(layers, pairs, matched, document_weights, [treatment], **keys)
    return [{**row, "estimator": RAW} for row in rows if row["measure"] != TREE]
