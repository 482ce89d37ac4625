"""The checks of what Biś et al. (2021) print: that each can differ and agree; and their tables."""

from collections import Counter

import pandas as pd
import pytest

from cwr import tables
from cwr.report import checked
from cwr.texts.bis2021 import claims as bis2021
from cwr.texts.bis2021.claims import checks_tables, checks_text
from cwr.texts.bis2021.claims import readings as r

PRINTED = bis2021.published()
ROWS = {row.check.id: row for row in checked.rows("bis2021")}


def test_what_rounded_numbers_allow_is_that_of_the_notes():
    _, (norm, isotropy) = r.by_model(tables.Table(PRINTED), r.NORM, r.I_RAW)
    bounds = checks_text.correlation_range(norm[0], isotropy[0], 0.005)
    assert bounds == pytest.approx((-0.639, -0.596), abs=5e-4)
    assert checks_tables.isotropy_bound(2.035, 0.945, 0.9805) == pytest.approx(
        0.17, abs=0.005
    )


ERRATA = {  # checks that differ; the rest is right
    "underlines",
    "components-code",
    "equation-2",
    "equation-5",
    "equation-9",
    "equation-14",
    "figure-3-model",
    "unused-rows",
    "never-inputs",
}
REMARKS = {"exp-of-mean", "gpt2-medium"}  # a rule of thumb of ours, and a bound
COPY = {"underlines", "equation-2", "equation-5", "equation-9", "equation-14"}


def named(which):
    return {
        name.removeprefix("bis2021-check-") for name, row in ROWS.items() if which(row)
    }


def test_checks_that_differ_are_exactly_the_known_ones():
    assert named(lambda row: checked.verdict(row) == "differs") == ERRATA
    assert named(lambda row: checked.verdict(row) == "remark") == REMARKS
    assert named(lambda row: row.check.from_copy) == COPY
    assert len(ROWS) == len(bis2021.CHECKS) == 20


# ---- the tables

NAMES = {
    "Bert-base-cased": "BERT-base-cased",
    "Bert-large-cased": "BERT-large-cased",
    "GPT-2 (12 layers)": "GPT-2-small",
    "GPT-2 (24 layers)": "GPT-2-medium",
}
PUBLIC = ("Vocabulary file", "Pre-training script", "Released code")


def test_the_table_holds_every_printed_number_of_the_source(shared):
    source = pd.read_csv(
        shared / "published" / "bis2021.csv", dtype=str, keep_default_na=False
    )
    ours = PRINTED[~PRINTED["artifact"].isin(PUBLIC)]
    assert Counter(ours["printed"]) == Counter(source["value"]) and len(ours) == 357
    for artifact in ("Table 1", "Table 2", "Table 3"):
        part, wanted = (
            ours[ours["artifact"] == artifact],
            source[source["artifact"] == artifact],
        )
        pairs = zip(wanted["row"].replace(NAMES), wanted["value"], strict=True)
        assert Counter(zip(part["model"], part["printed"], strict=True)) == Counter(
            pairs
        ), artifact


def test_printed_numbers_have_the_schema_and_the_counts_of_the_paper():
    assert list(PRINTED.columns) == [*tables.KEYS, "value", "artifact", "printed"]
    counts = PRINTED.groupby("artifact").size()
    artifacts = ["Table 1", "Table 2", "Table 3", "Vocabulary file"]
    assert counts[artifacts].tolist() == [48, 109, 180, 10]
    assert PRINTED["value"].notna().all() and not PRINTED.duplicated(tables.KEYS).any()
    assert PRINTED["layer"].isna().all()  # embedding matrices are no layers
    assert set(PRINTED["family"].dropna()) == {"masked", "causal"}


def test_the_uncased_vocabulary_that_travels_with_minilm_has_the_counts_of_the_table():
    from cwr.encoders import hub

    words = (
        (hub.find("minilm").folder / "vocab.txt").read_text(encoding="utf8").splitlines()
    )
    lines = tables.where(PRINTED, artifact="Vocabulary file", model="BERT-base-uncased")
    counts = {
        "vocabulary_size": len(words),
        "unused_tokens": sum(word.startswith("[unused") for word in words),
    }
    for line in lines.itertuples():
        is_index = line.measure == "vocabulary_index"
        assert line.value == (words.index(line.word) if is_index else counts[line.measure])
