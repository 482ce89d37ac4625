"""Reads the files beside a shipped model's weights: facts, scores and learning curves.

Nothing here opens a model or imports torch.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from cwr.encoders import hub
from cwr.making.language_models.recipes import RECIPES

WITHOUT_ENDS = "accuracy, without paragraph ends"  # a measure of cwr-bert and its count model
KEYS = ["model", "measure", "layer", "class"]  # of what was measured along a training


def folder(name: str) -> Path:
    """Returns the folder of a shipped model: its weights, its card and the files read here."""
    return hub.find(name).folder


def facts(name: str) -> dict:
    """Reads a shipped model's made.json: recipe, text, steps, hours, bytes, checksums."""
    return _json(name, "made.json")


def quality(name: str) -> pd.DataFrame:
    """Reads quality.csv: text, by (the model or a count model), measure, value, n (predictions).

    For cwr-elmo only the count model has rows: the model ships without its output layer.
    """
    return pd.read_csv(folder(name) / "quality.csv")


def scores(name: str, text: str) -> pd.Series:
    """Returns the values of `quality` on one text ("held-out", "lee", ...), by (by, measure)."""
    table = quality(name)
    return table[table["text"] == text].set_index(["by", "measure"])["value"]


def curves() -> pd.DataFrame:
    """Reads the learning curves of all shipped models.

    Columns model, family, start, step, words, loss (training, nats) and heldout (nats). The shipped
    run has the start "counts". BERT and GPT were trained a second time from random vectors (start
    "plain"): these are the runs that `along` describes.
    """
    tables = []
    for name, recipe in RECIPES.items():
        table = pd.read_csv(folder(name) / "curve.csv")
        tables.append(table.assign(model=name, family=recipe.family))
    return pd.concat(tables, ignore_index=True)


def along(name: str) -> pd.DataFrame:
    """Reads the measurements that were taken while one model was trained.

    Columns model, family, step, words, measure, layer, class, value and start. The start tells
    which run was measured: "plain" if the model has such a run, else "counts" (see `curves`).
    """
    table = pd.read_csv(folder(name) / "along.csv")
    starts = set(pd.read_csv(folder(name) / "curve.csv")["start"])
    start = "plain" if "plain" in starts else "counts"
    return table.assign(family=RECIPES[name].family, start=start)


def rows_along(measure: str, models: Iterable[str]) -> list[dict]:
    """Returns a measure by layer along our models' trainings, as rows for `report.results.write`.

    models: names; models that are not ours have no row. In a row the measure is
        `<measure>_along_training`, `k` the number of words read, `class` the run ("plain",
        "counts").
    """
    rows = []
    for name in [name for name in models if name in RECIPES]:
        table = along(name)
        for row in table[table["measure"] == measure].itertuples():
            keys = {"model": name, "family": row.family, "layer": int(row.layer), "k": row.words}
            named = {"measure": f"{measure}_along_training", "class": row.start}
            rows.append({**keys, **named, "value": row.value})
    return rows


def pieces() -> int:
    """Returns the size of the vocabulary that cwr-bert and cwr-gpt share."""
    return _json("cwr-gpt", "config.json")["vocab_size"]


def last_layers(table: pd.DataFrame) -> pd.DataFrame:
    """Selects the rows of `along` for each model's last layer, and the rows without a layer."""
    top = table.groupby("model")["layer"].transform("max")
    return table[table["layer"].isna() | (table["layer"] == top)]


def first_and_last(table: pd.DataFrame) -> pd.DataFrame:
    """Tabulates the first and last value of each measure in `along`: KEYS, first, last."""
    table = table.sort_values(["words", "step"])
    values = table.groupby(KEYS, dropna=False, sort=False)["value"]
    return values.agg(["first", "last"]).reset_index()


@dataclass(frozen=True)
class Record:
    """A shipped model whose files alone were read, as recorded in a notebook's provenance."""

    name: str
    family: str
    n_layers: int
    dim: int
    fingerprint: str  # sha256 of the weights
    contract: tuple[str, ...] = ("not run",)
    device: str = "not run"


def record(name: str) -> Record:
    """Reads the `Record` of a shipped model from the files beside its weights."""
    family = RECIPES[name].family
    if family == "bilstm":
        lstm = _json(name, "options.json")["lstm"]
        size = lstm["n_layers"], 2 * lstm["projection_dim"]
    elif family == "causal":
        config = _json(name, "config.json")
        size = config["n_layer"], config["n_embd"]
    else:
        config = _json(name, "config.json")
        size = config["num_hidden_layers"], config["hidden_size"]
    return Record(name, family, *size, facts(name)["weights_sha256"])


def _json(name: str, file: str) -> dict:
    return json.loads((folder(name) / file).read_text(encoding="utf-8"))
