"""Recomputes Figure 4 of Zhao et al. (2020) under choices that its text leaves open, one at a time.

The choices are in `choices.csv`. The functions below `pipeline` are its stages: from the contexts
of a corpus to their vectors, probes, answers, and F1. The claims read the rows of every choice as
if they were those of the chapter (`report.changes`).

    n contexts, L layers, D draws
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr.corpora import Corpus
from cwr.corpora.wiki_pse import contexts
from cwr.corpora.wiki_pse.contexts import DEV, TEST
from cwr.estimates import choices
from cwr.estimates.choices import Pipeline
from cwr.measures import probing
from cwr.tables import ANOTHER_SEED
from cwr.texts.zhao2020 import probed_contexts, probes, probing_sets, sentence_means
from cwr.texts.zhao2020.claims.readings import BAG, TOKEN
from cwr.texts.zhao2020.probe_training import Probes, Settings
from cwr.texts.zhao2020.probed_contexts import PIECES
from cwr.texts.zhao2020.probes import FULL, Answers

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

CHOICES = choices.load_choices(Path(__file__).with_suffix(".csv"))
SPAN = ["sentence", "first", "last"]

# By the measure of their F1, TOKEN and BAG: arrays (n, dim), one for each layer, and one of means.
Vectors = dict[str, list[np.ndarray]]


def pipeline(
    encoder: "Encoder",
    corpus: Corpus,
    settings: Settings,
    cap: int = contexts.CAP,
    seeds: Sequence[int] = (0,),
    draws: int = 1000,
    seed: int = 0,
) -> Pipeline:
    """Joins the stages from the contexts of a corpus to F1 of one model's layers, `rows`.

    encoder: with a tokenizer. settings: how the chapter's probes learn, once from each of `seeds`.
    seed: of the sample of contexts and of the draws. A choice may change

    links_only, strict, cap: which contexts are probed (`wiki_pse.contexts.probing_set`).
    pool: how a target's pieces become its vector (`probed_contexts.read`).
    hidden, standardised: how probes learn (`probe_training.Settings`).
    seeds_from: a number added to the seeds of the probes.
    split: "test", as in the chapter, or "dev", whose F1 then takes its place.
    percent: of a pair's contexts that have to be answered right (`measures.probing.counts`).
    reading: the rule by which decisions count (`measures.probing`); in the chapter "full".

    Raises UserError as `probing_set`; its stages as `probed_contexts.read`,
    `sentence_means.of_pieces` and `probing_sets.answers`.
    """
    return Pipeline(
        contexts.probing_set,
        whole_vectors,
        vectors,
        trained,
        answers,
        rows,
        encoder=encoder,
        corpus=corpus,
        whole=contexts.probing_set(corpus, cap, seed),
        cap=cap,
        links_only=False,
        strict=True,
        test=contexts.TEST_SHARE,
        dev=contexts.DEV_SHARE,
        pool=PIECES,
        settings=settings,
        hidden=settings.hidden,
        standardised=settings.standardised,
        seeds=seeds,
        seeds_from=0,
        split=TEST,
        percent=probing.HALF,
        reading=FULL,
        draws=draws,
        seed=seed,
    )


# ---- stages


def whole_vectors(encoder: "Encoder", corpus: Corpus, whole: pd.DataFrame, pool: str) -> Vectors:
    """Reads the contexts of the chapter."""
    return read(encoder, corpus, whole, pool)


def vectors(
    encoder: "Encoder",
    corpus: Corpus,
    probing_set: pd.DataFrame,
    pool: str,
    whole: pd.DataFrame,
    whole_vectors: Vectors,
) -> Vectors:
    """Reads some contexts (n), or selects their vectors if all of them are among the chapter's."""
    row = whole.set_index(SPAN).index.get_indexer(probing_set.set_index(SPAN).index)  # (n,)
    if (row < 0).any():
        return read(encoder, corpus, probing_set, pool)
    return {measure: [layer[row] for layer in layers] for measure, layers in whole_vectors.items()}


def read(encoder: "Encoder", corpus: Corpus, table: pd.DataFrame, pool: str) -> Vectors:
    """Reads contexts (n): the target in each layer, and the mean of the sentence's pieces."""
    layers = probed_contexts.read(encoder, corpus, table, pool=pool)
    return {TOKEN: layers, BAG: [sentence_means.of_pieces(encoder, corpus, table)]}


def trained(
    vectors: Vectors,
    probing_set: pd.DataFrame,
    settings: Settings,
    hidden: int,
    standardised: bool,
    seeds: Sequence[int],
    seeds_from: int,
) -> dict[str, tuple[Probes, ...]]:
    """Trains probes on the layers, and on the means, once from each seed."""
    settings = replace(settings, hidden=hidden, standardised=standardised)
    seeds = [seeds_from + seed for seed in seeds]
    return {
        measure: probing_sets.answers(layers, probing_set, settings, seeds).probes
        for measure, layers in vectors.items()
    }


def answers(
    trained: dict[str, tuple[Probes, ...]],
    vectors: Vectors,
    probing_set: pd.DataFrame,
    split: str,
    percent: int,
) -> dict[str, Answers]:
    """Applies probes to the contexts of a split, and of dev, whose measures end in "_dev"."""
    result = {}
    for measure, of_seeds in trained.items():
        for name, asked_of in ((measure, split), (f"{measure}_dev", DEV)):
            asked = probing_sets.answers_of(of_seeds, vectors[measure], probing_set, asked_of)
            result[name] = replace(asked.answers, percent=percent)
    return result


def rows(
    encoder: "Encoder", answers: dict[str, Answers], reading: str, draws: int, seed: int
) -> list[dict]:
    """Returns rows of F1 by each reading; if `reading` is not "full", only its rows, as "full"."""
    keys = {"model": encoder.name, "family": encoder.family}
    result = []
    for measure, said in answers.items():
        result += probes.score_rows(said, draws, seed, measure=measure, **keys)
    if reading == FULL:
        return result
    return [{**row, "estimator": FULL} for row in result if row["estimator"] == reading]


# ---- what a choice moves


def moves(rows: Sequence[dict]) -> pd.DataFrame:
    """Measures how far each choice changes the quantities of Figure 4, under "full" on test.

    rows: of the stage `rows`, of the chapter (variant None) and of choices. Columns as in
    `estimates.choices.moves`, by model and family; noise, the change by another seed (0 without
    that choice); and is_moved, whether the interval lies beyond the noise. Draws are paired where
    two choices score the same words.
    """
    by_choice: dict[tuple, list[dict]] = {}
    for row in rows:
        if row["measure"] in (TOKEN, BAG) and row["estimator"] == FULL:
            key = row["variant"], row["model"], row["family"]
            by_choice.setdefault(key, []).append(row)
    quantities = {key: _quantities(of_choice) for key, of_choice in by_choice.items()}
    moved = choices.moves(quantities, ["model", "family"])
    by_seed = moved[moved["variant"] == ANOTHER_SEED].set_index("panel")["change"].abs()
    noise = moved["panel"].map(by_seed).fillna(0.0)
    is_beyond = (moved["low"] > noise) | (moved["high"] < -noise)
    is_moved = is_beyond & (moved["variant"] != ANOTHER_SEED)
    return moved.assign(noise=noise, is_moved=is_moved)


def _quantities(rows: Sequence[dict]) -> dict[str, np.ndarray]:
    """{what Figure 4 is about: its value and its draws, (1 + D,)}, of the rows of one choice."""
    columns = {row.get("layer"): np.append(row["value"], row["replicates"]) for row in rows}
    bag = columns.pop(None)
    blocks = np.stack([columns[layer] for layer in sorted(columns) if layer >= 1])  # (L, 1 + D)
    return {
        "mean of the blocks": blocks.mean(axis=0),
        "last block minus first": blocks[-1] - blocks[0],
        "first block minus mean of pieces": blocks[0] - bag,
    }
