"""The papers' printed and released numbers: one table a paper, all in one schema, loaded by one function."""
from pathlib import Path

import numpy as np
import pandas as pd

KEYS = ["model", "family", "layer", "measure", "task", "dataset", "variant", "estimator", "class", "k", "head", "word",
        "seed"]
TABLES = Path(__file__).parent / "tables"
FAMILIES = ("bilstm", "masked", "causal", "sentence", "static")     # the order of every figure and table

STOPWORDS = tuple(                                          # the 26 of the check on section 4.2
    "the of to and a in is that for on with as by at from an be it was are this 's or not his its".split())


def tidy(rows: list[dict] | pd.DataFrame) -> pd.DataFrame:
    """Rows with any of KEYS and `value` -> a frame with all of KEYS (absent = NA) and `value`, in schema order."""
    frame = pd.DataFrame(rows)
    frame = frame.reindex(columns=KEYS + [c for c in frame.columns if c not in KEYS])
    frame["layer"] = frame["layer"].astype("Int64")
    return frame


def matching(table: pd.DataFrame, **keys: object) -> np.ndarray:
    """Which rows have these values in their key columns, (rows,) bool; a row without a value (NA) has none of them."""
    keep = np.ones(len(table), dtype=bool)
    for key, value in keys.items():
        keep &= (table[key] == value).fillna(False).to_numpy(dtype=bool)
    return keep


def where(table: pd.DataFrame, **keys: object) -> pd.DataFrame:
    """The rows that have these values in their key columns."""
    return table[matching(table, **keys)]


def by_family(table: pd.DataFrame) -> list[str]:
    """The models of a table: by family in the order of FAMILIES (others after them), then as they first stand."""
    models = table.dropna(subset="model").drop_duplicates("model")
    ranks = models["family"].map({family: rank for rank, family in enumerate(FAMILIES)}).fillna(len(FAMILIES))
    return models["model"].iloc[np.argsort(ranks.to_numpy(dtype=float), kind="stable")].tolist()


def one(table: pd.DataFrame, measure: str, **keys: object) -> float:
    """The one value of a measure under these keys. Raises ValueError if there is none, or more than one."""
    found = where(table, measure=measure, **keys)["value"]
    if len(found) != 1:
        raise ValueError(f"{measure} has {len(found)} values under {keys}, not one")
    return float(found.iloc[0])


def load(paper: str) -> pd.DataFrame:
    """A paper's published numbers: KEYS, `value`, `artifact` and `printed`.

    Read from tables/<paper>.csv (what is printed) and tables/<paper>_*.csv (small tables that
    `workflow/tables/<paper>.py` makes from released files), whose columns are `artifact` (where it stands), those of
    KEYS that the paper needs, and `printed` (as printed, decimals kept). `value` is its number, NaN where words are
    printed. Layers are counted as in this book: 0 is the input of the first block.
    Raises KeyError for a paper without a table.
    """
    files = sorted(TABLES.glob(f"{paper}*.csv"))
    if not files:
        raise KeyError(paper)
    frame = tidy(pd.concat([pd.read_csv(file, dtype=str, keep_default_na=False) for file in files]).replace("", pd.NA))
    value = pd.to_numeric(frame["printed"], errors="coerce").astype(float)
    return frame[KEYS].assign(value=value, artifact=frame["artifact"], printed=frame["printed"]).reset_index(drop=True)
