"""How the numbers behind the survey are read: its published table, where each number was read, and shared readings.

Task names are the book's: constituents, dependencies, entities, srl, coreference, spr1 (the "SPR" of the layer paper's
figures), spr2, winograd, tacred, semeval (its "Relations"). Layers are the book's too: the structural probe's printed
BERT index i is layer i + 1 by the released code; the layer paper's layer 0 is a layer-normed word-piece embedding.
"""
from pathlib import Path

import numpy as np
import pandas as pd

from cwr import tables
from cwr.measures import edge_probing as layers
from cwr.tables import where

CUMULATIVE, MIX, EDGE, ERROR = "cumulative_probe_f1", "scalar_mix_weight", "edge_probe_f1", "edge_probe_f1_error"
TASKS = ("pos", "constituents", "dependencies", "entities", "srl", "coreference", "spr1", "spr2", "winograd", "tacred",
         "semeval")                                         # without the two sub-rows of srl, core and non-core
SYNTAX = ("pos", "constituents", "dependencies")
SEMANTIC = ("srl", "coreference", "spr1", "spr2", "winograd", "tacred", "semeval")
FIGURE = ("pos", "constituents", "dependencies", "entities", "srl", "coreference", "semeval", "spr1")
SECONDARY = "secondary"


def published() -> pd.DataFrame:
    """The numbers behind the survey's statements, in the schema of `cwr.papers.published.KEYS`; see `sources`."""
    return tables.read(Path(__file__).parent)


def sources() -> pd.DataFrame:
    """Where each artifact's numbers were read: artifact, measures (empty: all), standing, source.

    standing: "authors' files" (notebook outputs or code that the authors published), "secondary" (a third party's
    reading notes; the paper itself was not at hand, so these numbers are not verified) or "computed" (by us).
    """
    return pd.read_csv(Path(__file__).parent / "survey_sources.csv", keep_default_na=False)


def standing(table: pd.DataFrame) -> pd.Series:
    """The standing of each row of `published()`, one of the three words of `sources`."""
    by_row = {(row.artifact, measure): row.standing for row in sources().itertuples()
              for measure in row.measures.split(";")}
    return pd.Series([by_row.get((a, m), by_row.get((a, ""))) for a, m in zip(table["artifact"], table["measure"],
                                                                             strict=True)], index=table.index)


def curve(table: pd.DataFrame, measure: str, task: str) -> np.ndarray:
    """One model's values of a measure on a task in order of layers: (layers,)."""
    return where(table, measure=measure, task=task).sort_values("layer")["value"].to_numpy(dtype=float)


def by_task(table: pd.DataFrame, measure: str, estimator: str) -> pd.Series:
    """One model's values of a measure by one estimator, in the order of TASKS; tasks without a value are left out."""
    found = where(table, measure=measure, estimator=estimator).set_index("task")["value"].astype(float)
    return found[[task for task in TASKS if task in found.index]]


def expected_layer(table: pd.DataFrame, task: str) -> float:
    """One model's expected layer on a task, from its cumulative scores; NaN where they do not rise."""
    try:
        return layers.expected_layer(curve(table, CUMULATIVE, task))
    except ValueError:
        return np.nan


def centre_of_gravity(table: pd.DataFrame, task: str) -> float:
    """One model's centre of gravity on a task, from its mixing weights; NaN where they are no weights."""
    try:
        return layers.centre_of_gravity(curve(table, MIX, task))
    except ValueError:
        return np.nan


def gains(better: pd.DataFrame, estimator: str, than: pd.DataFrame, other: str) -> pd.DataFrame:
    """What one model gains over another (or itself) by task: `gain`, and `error`, the two half widths combined.

    Half widths add in squares, as independent errors do. `error` is NaN where none are printed.
    """
    errors = by_task(better, ERROR, estimator) ** 2 + by_task(than, ERROR, other) ** 2
    frame = pd.DataFrame({"gain": by_task(better, EDGE, estimator) - by_task(than, EDGE, other)}).dropna()
    return frame.assign(error=np.sqrt(errors)).loc[[task for task in TASKS if task in frame.index]]


def trials(table: pd.DataFrame) -> pd.DataFrame:
    """By task, how many independent trials the printed errors of the edge-probing scores stand for.

    Returns the median over the models as `trials`, and `spread`, the largest deviation from it as a share.
    """
    wide = table[table["measure"].isin((EDGE, ERROR))].pivot(index=["task", "model", "estimator"], columns="measure",
                                                             values="value").astype(float) / 100
    found = pd.Series(layers.implied_trials(wide[EDGE], wide[ERROR]), wide.index).groupby("task")
    spread = found.agg(lambda each: (each / each.median() - 1).abs().max())
    return pd.DataFrame({"trials": found.median(), "spread": spread}).loc[list(TASKS)]


def architecture_share(table: pd.DataFrame) -> pd.Series:
    """By task, the share of a model's gain over its lexical baseline that random weights already give."""
    random, full = gains(table, "random", table, "lex")["gain"], gains(table, "mix", table, "lex")["gain"]
    return (random / full).dropna()


def pairs_of(table: pd.DataFrame, family: str, estimator: str, other_family: str, other: str) -> list[pd.DataFrame]:
    """`gains` of every model of one family over every model of another."""
    models = [part for _, part in where(table, family=family).groupby("model", sort=False)]
    others = [part for _, part in where(table, family=other_family).groupby("model", sort=False)]
    compared = [gains(model, estimator, than, other) for model in models for than in others]
    return [each for each in compared if len(each)]
