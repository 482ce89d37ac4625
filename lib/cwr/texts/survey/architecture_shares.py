"""Computes a network's gain over its input, and the share its untrained architecture gives.

Tenney et al. (2019a), section 4: a probe of an encoder with random orthonormal weights above the
trained input lies between the lexical probe and the trained encoder's. All scores are
`edge_probe_f1`, in points, of the same targets, with draws of the same documents, so they may be
subtracted draw by draw.

    D draws
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from cwr.estimates import paired
from cwr.texts.survey import edge_probes
from cwr.texts.survey.edge_probes import LEX, MIX, ProbePredictions

RANDOM = "random"  # the estimator of untrained copies with random blocks
SCORE, COMPARED = "edge_probe_f1", "architecture_probe_f1"
SHARE, MEAN_SHARE = "architecture_share", "architecture_share_mean"
BY_TEXT, RAISED = "gain_by_text", "second_half_raised_gain"


def over_copies(copies: Sequence[ProbePredictions]) -> ProbePredictions:
    """Joins untrained copies of one model as if they were seeds: each draw takes one copy.

    Raises ValueError for no copies, and for copies that were tested on different targets.
    """
    if not copies:
        raise ValueError("no untrained copies")
    first = copies[0]
    if any(not np.array_equal(each.rows, first.rows) for each in copies):
        raise ValueError(f"the copies were tested on different targets of {first.task}")
    return replace(
        first,
        logits=np.concatenate([each.logits for each in copies]),
        weights=np.concatenate([each.weights for each in copies]),
    )


def random_rows(
    copies: Sequence[ProbePredictions], draws: int = 1000, seed: int = 0, **keys: object
) -> list[dict]:
    """Scores the mixes of copies, under the estimator RANDOM; as `edge_probes.score_rows`."""
    rows = edge_probes.score_rows(over_copies(copies), draws, seed, **keys)
    return [{**row, "estimator": RANDOM} for row in rows if row.get("estimator") == MIX]


def compared_rows(rows: Iterable[dict]) -> list[dict]:
    """Copies the scores of mix and input to the measure by which networks are compared."""
    scores = (row for row in rows if row["measure"] == SCORE)
    return [{**row, "measure": COMPARED} for row in scores if row["estimator"] in (LEX, MIX)]


def gain_rows(rows: Iterable[dict], measure: str = SCORE) -> list[dict]:
    """Subtracts the input's score from those of mixes and untrained copies, in points, as rows.

    rows: of `edge_probes.score_rows` and `random_rows`. Returns one per model, task and estimator.
    """
    scores = [row for row in rows if row["measure"] == measure]
    above = [row for row in scores if row["estimator"] != LEX]
    of_input = [row for row in scores if row["estimator"] == LEX]
    return paired.minus(above, of_input, ["model", "task"])


def gains(rows: Iterable[dict], measure: str = SCORE) -> pd.DataFrame:
    """Tabulates `gain_rows`: model, family, task, estimator, value, low and high (95 %)."""
    return paired.frame(gain_rows(rows, measure), ["model", "family", "task", "estimator"])


def text_rows(rows_by_text: Mapping[int, Iterable[dict]]) -> list[dict]:
    """Computes networks' gains over their input by the words of their text, for `results.write`.

    `gain_by_text` has k, the words; `second_half_raised_gain` is the gain of the largest text minus
    that of half of it, draw by draw, for networks that learned from both. In points.
    rows_by_text: {words: those of `edge_probes.score_rows` on one task, of mixes and inputs}.
    """
    rows: list[dict] = []
    for words, several in rows_by_text.items():
        of_text = {"estimator": None, "measure": BY_TEXT, "k": words}
        rows += [{**gain, **of_text} for gain in gain_rows(several)]
    largest = max(rows_by_text, default=0)
    half = [row for row in rows if row["k"] == largest // 2]
    with_half = {row["model"] for row in half}
    last = [row for row in rows if row["k"] == largest and row["model"] in with_half]
    raised = paired.minus(last, half, ["model"])
    return rows + [{**row, "measure": RAISED, "k": None} for row in raised]


def gains_by_text(rows: Iterable[dict]) -> pd.DataFrame:
    """Tabulates the rows of `text_rows`: model, family, k, value, low, high (95 %) and raised.

    raised: the gain added by the second half of the text, for the largest text; NaN elsewhere.
    """
    rows = list(rows)
    table = paired.frame(
        (row for row in rows if row["measure"] == BY_TEXT), ["model", "family", "k"]
    )
    raised = {row["model"]: row["value"] for row in rows if row["measure"] == RAISED}
    is_last = table["k"] == table["k"].max()
    return table.assign(raised=table["model"].map(raised).where(is_last).astype(float))


def share_rows(rows: Iterable[dict]) -> list[dict]:
    """Divides the gain of untrained copies by the trained gain, as rows for `results.write`.

    `architecture_share` is for each model and task whose trained gain is above 0 in every draw: a
    share of next to nothing has no meaning. `architecture_share_mean` averages over these tasks.
    """
    gained: dict[str, dict[tuple, dict]] = {MIX: {}, RANDOM: {}}
    for row in gain_rows(rows):
        gained[row["estimator"]][row["model"], row["task"]] = row
    shares = []
    for cell, untrained in gained[RANDOM].items():
        trained = gained[MIX].get(cell)
        if trained and trained["replicates"].min() > 0:
            share = {name: untrained[name] / trained[name] for name in paired.NUMBERS}
            shares.append({**untrained, "estimator": None, "measure": SHARE, **share})
    tasks = Counter(share["model"] for share in shares)
    several = [share for share in shares if tasks[share["model"]] > 1]
    means = paired.mean(several, "task")
    return shares + [{**mean, "measure": MEAN_SHARE} for mean in means]
