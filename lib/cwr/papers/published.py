"""The papers' printed and released numbers, as one tidy table of one schema for all papers."""
from pathlib import Path

import pandas as pd

KEYS = ["model", "family", "layer", "measure", "task", "dataset", "variant", "estimator", "class", "k", "head", "word",
        "seed"]
TABLES = Path(__file__).parent / "tables"

FAMILY = {"ELMo": "bilstm", "BERT": "masked", "GPT-2": "causal"}
ETHAYARAJH = {                                              # column `measure` of the released statistics: ours
    "baseline_cosine_random_words": ("anisotropy_baseline", None),
    "self_similarity_raw": ("self_similarity", None),
    "self_similarity_adjusted": ("adjusted_self_similarity", None),
    "intra_sentence_similarity_raw": ("intra_sentence_similarity", None),
    "intra_sentence_similarity_adjusted": ("adjusted_intra_sentence_similarity", None),
    "variance_explained_raw": ("maximum_explainable_variance", "released"),
    "variance_explained_adjusted": ("adjusted_maximum_explainable_variance", "released"),
    "baseline_variance_explained_random_words": ("maximum_explainable_variance_baseline", "released"),
    "share_of_words_variance_explained_below_baseline": ("share_of_words_below_baseline", "released"),
}

STOPWORDS = tuple(                                          # the 26 of the check on section 4.2
    "the of to and a in is that for on with as by at from an be it was are this 's or not his its".split())


def tidy(rows: list[dict] | pd.DataFrame) -> pd.DataFrame:
    """Rows with any of KEYS and `value` -> a frame with all of KEYS (absent = NA) and `value`, in schema order."""
    frame = pd.DataFrame(rows)
    frame = frame.reindex(columns=KEYS + [c for c in frame.columns if c not in KEYS])
    frame["layer"] = frame["layer"].astype("Int64")
    return frame


def load(paper: str) -> pd.DataFrame:
    """A paper's published numbers in the schema of `KEYS` plus `value`.

    ethayarajh2019: the statistics that the author released with the code (kawine/contextual, "should be close to
    what is charted"), and what `workflow/derive_tables.py` computes from its per-word files; `variant` =
    "released statistics".
    Raises KeyError for a paper without a table.
    """
    return {"ethayarajh2019": _ethayarajh2019}[paper]()


def _ethayarajh2019() -> pd.DataFrame:
    raw = pd.read_csv(TABLES / "ethayarajh2019_author_statistics.csv")
    raw = raw[raw["measure"].isin(ETHAYARAJH)]
    measures = raw["measure"].map(ETHAYARAJH)
    means = pd.DataFrame({"model": raw["model"], "layer": raw["layer"], "measure": measures.str[0],
                          "estimator": measures.str[1], "value": raw["mean"]})
    words = pd.read_csv(TABLES / "ethayarajh2019_words.csv", keep_default_na=False, na_values={"layer": "", "word": ""})
    words["estimator"] = words["measure"].map({"maximum_explainable_variance_never_first": "released"})
    table = pd.concat([means, words], ignore_index=True)
    return tidy(table.assign(family=table["model"].map(FAMILY), variant="released statistics"))[[*KEYS, "value"]]
