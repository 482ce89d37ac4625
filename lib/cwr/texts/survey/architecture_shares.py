"""What a network adds to its input, and which share of that its architecture adds untrained.

Tenney et al. (2019a), section 4: a probe of an encoder with random orthonormal weights above the
trained input lies between the lexical probe and the trained encoder's. All scores are
`edge_probe_f1`, in points, of the same targets, with draws of the same documents: so they may be
subtracted draw by draw.

    D draws
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from cwr.measures import stats
from cwr.texts.survey import edge_probes
from cwr.texts.survey.edge_probes import LEX, MIX, Predictions

RANDOM = "random"  # the estimator of untrained copies with random blocks
SCORE, COMPARED = "edge_probe_f1", "architecture_probe_f1"
SHARE, MEAN_SHARE = "architecture_share", "architecture_share_mean"
BY_TEXT, RAISED = "gain_by_text", "second_half_raised_gain"


def over_copies(copies: Sequence[Predictions]) -> Predictions:
    """Untrained copies of one model as if they were seeds: each draw takes one of them.

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
    copies: Sequence[Predictions], draws: int = 1000, seed: int = 0, **keys: object
) -> list[dict]:
    """The scores of copies' mixes, under the estimator RANDOM; as `edge_probes.score_rows`."""
    rows = edge_probes.score_rows(over_copies(copies), draws, seed, **keys)
    return [{**row, "estimator": RANDOM} for row in rows if row.get("estimator") == MIX]


def compared_rows(rows: Iterable[dict]) -> list[dict]:
    """The scores of mix and input again, as those of networks that are compared with each other."""
    scores = (row for row in rows if row["measure"] == SCORE)
    return [{**row, "measure": COMPARED} for row in scores if row["estimator"] in (LEX, MIX)]


def gains(rows: Iterable[dict], measure: str = SCORE) -> pd.DataFrame:
    """What mixes and untrained copies gain over the input: a row a model, task and estimator.

    Columns model, family, task, estimator, value (points), low, high (95 %), and `replicates`,
    (D,). rows: those of `edge_probes.score_rows` and `random_rows`.
    """
    scores = {
        (row["model"], row["task"], row["estimator"]): row
        for row in rows
        if row["measure"] == measure
    }
    table = []
    for (model, task, estimator), row in scores.items():
        if estimator == LEX:
            continue
        of_input = scores[model, task, LEX]
        drawn = row["replicates"] - of_input["replicates"]
        low, high = stats.interval(drawn)
        keys = {"model": model, "family": row["family"], "task": task, "estimator": estimator}
        value = row["value"] - of_input["value"]
        table.append({**keys, "value": value, "low": low, "high": high, "replicates": drawn})
    columns = ["model", "family", "task", "estimator", "value", "low", "high", "replicates"]
    return pd.DataFrame(table, columns=columns)


def text_rows(rows_by_text: Mapping[int, Iterable[dict]]) -> list[dict]:
    """What networks gain over their input by the words of their text: rows for `results.write`.

    `gain_by_text`, k the words; and, of each network that has learned from half of the largest text
    too, `second_half_raised_gain`, draw by draw. In points.
    rows_by_text: {words: those of `edge_probes.score_rows` on one task, of mixes and inputs}.
    """
    rows = []
    for words, several in rows_by_text.items():
        table = gains(several).drop(columns=["low", "high", "estimator"])
        rows += table.assign(measure=BY_TEXT, k=words).to_dict("records")
    by_key = {(row["model"], row["k"]): row for row in rows}
    largest = max(rows_by_text, default=0)
    for row in [row for row in rows if row["k"] == largest]:
        half = by_key.get((row["model"], largest // 2))
        if half:
            keys = {name: row[name] for name in ("model", "family", "task")}
            raised = {name: row[name] - half[name] for name in ("value", "replicates")}
            rows.append({**keys, "measure": RAISED, **raised})
    return rows


def gains_by_text(rows: Iterable[dict]) -> pd.DataFrame:
    """The rows of `text_rows` as a table: model, family, k, value, low, high, raised, replicates.

    raised: what the second half of the text added, at the largest text alone; NaN elsewhere.
    """
    several = [row for row in rows if row["measure"] in (BY_TEXT, RAISED)]
    raised = {row["model"]: row["value"] for row in several if row["measure"] == RAISED}
    table = pd.DataFrame(
        [row for row in several if row["measure"] == BY_TEXT],
        columns=["model", "family", "k", "value", "replicates"],
    )
    intervals = [stats.interval(drawn) for drawn in table["replicates"]]
    is_last = table["k"] == table["k"].max()
    return table.assign(
        low=[low for low, _ in intervals],
        high=[high for _, high in intervals],
        raised=table["model"].map(raised).where(is_last).astype(float),
    )


def share_rows(rows: Iterable[dict]) -> list[dict]:
    """The share of the trained gain that untrained copies give: rows for `results.write`.

    `architecture_share` a model and task, where the trained gain is above 0 in every draw: a share
    of next to nothing has no meaning. `architecture_share_mean`: over these tasks.
    """
    of_estimator = {
        name: part.set_index(["model", "task"])
        for name, part in gains(rows).groupby("estimator", sort=False)
    }
    if not {MIX, RANDOM} <= of_estimator.keys():
        return []
    trained, untrained = of_estimator[MIX], of_estimator[RANDOM]
    shares = []
    for (model, task), gain in untrained.iterrows():
        whole = trained.loc[(model, task)]
        if whole["replicates"].min() > 0:
            keys = {"model": model, "family": gain["family"], "task": task}
            drawn = gain["replicates"] / whole["replicates"]
            value = gain["value"] / whole["value"]
            shares.append({**keys, "measure": SHARE, "value": value, "replicates": drawn})
    return [*shares, *_means(shares)]


def _means(shares: list[dict]) -> list[dict]:
    """The mean over tasks of each model's shares, where there are two tasks at least."""
    of_model: dict[str, list[dict]] = {}
    for share in shares:
        of_model.setdefault(share["model"], []).append(share)
    return [
        {
            "model": model,
            "family": parts[0]["family"],
            "measure": MEAN_SHARE,
            "value": float(np.mean([part["value"] for part in parts])),
            "replicates": np.mean([part["replicates"] for part in parts], axis=0),
        }
        for model, parts in of_model.items()
        if len(parts) > 1
    ]
