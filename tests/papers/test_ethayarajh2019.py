"""The notes' verdicts on the released statistics, typed before the predicates; and that every predicate can fail."""
import csv
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cwr.papers import ethayarajh2019, published, transfers
from cwr.papers.claims import PAPER_FAMILIES, Claim, Needs
from cwr.papers.ethayarajh2019.claims_table_1 import SCORE
from cwr.report import judge
from cwr.report.verdicts import on_published

ROOT = Path(__file__).resolve().parents[2]
TABLE = ethayarajh2019.published()
with (Path(__file__).parent / "expected" / "ethayarajh2019.csv").open(newline="", encoding="utf8") as file:
    EXPECTED = {f"{row['claim']}.{row['reading']}".rstrip("."): row["verdict"] for row in csv.DictReader(file)}
PER_MODEL = {                                               # where the notes decide model by model
    "eth-anisotropy-every-layer": {"ELMo": "fails", "BERT": "holds", "GPT-2": "holds"},
    "eth-anisotropy-rises": {"ELMo": "holds", "BERT": "holds", "GPT-2": "fails"},
    "eth-hidden-over-input": {"ELMo": "holds", "BERT": "holds", "GPT-2": "fails"},
    "eth-selfsim-decreases": {"ELMo": "holds", "BERT": "fails", "GPT-2": "fails"},
    "eth-selfsim-decreases.raw": {"ELMo": "holds", "BERT": "holds", "GPT-2": "fails"},
    "eth-stopwords-lowest": {"ELMo": "holds", "BERT": "fails", "GPT-2": "fails"},
    "eth-mev-below-baseline.each": {"ELMo": "fails", "BERT": "holds", "GPT-2": "holds"},
    "eth-pc-lower-better": {"ELMo": "holds", "BERT": "holds", "GPT-2": "holds"},
}
ERRATA = {"any-layer", "every-step", "lowest-words", "contexts", "no-pca", "no-definition", "no-variance", "cause",
          "zero", "one-token", "pc-others", "pc-gpt2"}
CLAIMS = {claim.id: claim for claim in ethayarajh2019.CLAIMS}
MOVED = {claim.transfer.id: claim.transfer for claim in ethayarajh2019.CLAIMS if isinstance(claim.transfer, Claim)}
CHECKS = {check.id.removeprefix("ethayarajh2019-check-"): check for check in ethayarajh2019.CHECKS}
DECIDED = [name for name, verdict in EXPECTED.items() if verdict != "not decidable"]


def test_every_claim_has_an_expected_verdict_and_an_id_of_its_own():
    assert list(CLAIMS) == list(EXPECTED) and len(CLAIMS) == len(ethayarajh2019.CLAIMS)
    assert len({*CLAIMS, *MOVED}) == len(CLAIMS) + len(MOVED)
    assert len(ethayarajh2019.HEADLINES) == 5 and set(ethayarajh2019.HEADLINES) <= set(CLAIMS)


@pytest.mark.parametrize("name", EXPECTED)
def test_the_released_statistics_give_the_notes_verdict(name):
    verdict = on_published(CLAIMS[name], TABLE)
    assert verdict.verdict == EXPECTED[name], verdict.reason


@pytest.mark.parametrize("name", PER_MODEL)
def test_the_released_statistics_give_the_notes_verdict_model_by_model(name):
    for model, expected in PER_MODEL[name].items():
        part = TABLE[TABLE["model"] == model].reset_index(drop=True)
        assert judge(CLAIMS[name], part).verdict == expected


def verdict_on(claim: Claim, values: np.ndarray) -> str:
    return on_published(claim, TABLE.assign(value=values)).verdict


def layers_backwards() -> np.ndarray:
    """The published values with every curve read from the last layer to the first."""
    values = TABLE["value"].to_numpy().copy()
    for _, part in TABLE.groupby(["model", "measure", "dataset"], dropna=False):
        values[part.index] = values[part.index[::-1]]
    return values


@pytest.mark.parametrize("name", DECIDED)
def test_some_change_of_the_published_values_flips_the_verdict(name):
    """No predicate is vacuous: noise, shifts and reversals of the values reach the opposite verdict."""
    before, rng = EXPECTED[name], np.random.default_rng(0)
    changes = [lambda v: v + 1, lambda v: v - 1, lambda v: v * 0, lambda v: v * 0 + 1, lambda v: v[::-1],
               lambda v: layers_backwards()]
    layers, causal = TABLE["layer"].to_numpy(dtype=float, na_value=0), (TABLE["family"] == "causal").fillna(False)
    changes += [lambda v: 0.5 - 0.04 * layers, lambda v: 0.1 + 0.04 * layers, lambda v: v - 2 * causal.to_numpy(float)]
    changes += [lambda v, s=s: v + rng.normal(0, s, len(v)) for s in np.repeat([0.001, 0.01, 0.05, 0.2, 1], 40)]
    values = TABLE["value"].to_numpy()
    assert any(verdict_on(CLAIMS[name], change(values)) != before for change in changes)


@pytest.mark.parametrize("name, rows, datasets, printed, verdict", [
    ("eth-pc-gpt2-worse", (["GPT-2"], [1, 2, 11, 12]), ["RW"], 0.132, "holds"),
    ("eth-pc-gpt2-worse.most", (["GPT-2"], [1]), ["AP"], 0.290, "fails"),
    ("eth-pc-best-bert1", (["BERT"], [2]), ["MEN", "WS353", "RW", "Google", "MSR", "AP"], 0.5, "fails"),
    ("eth-pc-many", (["BERT"], [1, 2]), ["MSR", "Google"], 0.2, "fails"),
    ("eth-pc-others", (["BERT"], [2, 11]), ["MSR", "Google", "MEN", "RW", "AP"], 0.4, "fails"),
    ("eth-pc-others.together", (["BERT", "ELMo"], [1, 2]), ["MSR", "Google", "RW"], 0.1, "fails")])
def test_a_few_cells_of_table_1_decide(name, rows, datasets, printed, verdict):
    where = TABLE["dataset"].isin(datasets) & TABLE["model"].isin(rows[0]) & TABLE["layer"].isin(rows[1])
    assert where.sum() == len(datasets) * len(rows[0]) * len(rows[1])
    assert verdict_on(CLAIMS[name], TABLE["value"].mask(where, printed)) == verdict


@pytest.mark.parametrize("name", MOVED)
def test_a_transfer_holds_where_its_claim_holds_on_the_models_it_speaks_of(name):
    claim, moved = CLAIMS[name.removesuffix(".transfer")], MOVED[name]
    assert moved.needs.n_layers is None and not moved.needs.compares and moved.place == "not in the paper"
    assert moved.needs.families == () or "sentence" in moved.needs.families
    for model, part in TABLE[TABLE["family"].isin(claim.needs.families)].groupby("model"):
        if not claim.needs.compares and not claim.unprinted:
            both = [judge(c, part.reset_index(drop=True)).verdict for c in (claim, moved)]
            assert both[0] == both[1], (model, both)


def test_a_claim_tied_to_layers_or_families_says_how_it_transfers_or_why_not():
    for claim in ethayarajh2019.CLAIMS:
        families = set(claim.needs.families) & set(PAPER_FAMILIES)
        tied = claim.needs.n_layers is not None or 0 < len(families) < len(PAPER_FAMILIES)
        assert claim.transfer is not None or not tied, claim.id


def test_transfers_ask_a_model_of_any_depth():
    def ask(name, measure, values, estimator=None):
        rows = [{"model": "m", "family": "sentence", "layer": i, "measure": measure, "estimator": estimator,
                 "value": v} for i, v in enumerate(values)]
        return judge(MOVED[name + ".transfer"], published.tidy(rows)).verdict
    assert ask("eth-gpt2-plateau", "anisotropy_baseline", [0, .4, .45, .42, .41, .9, .9]) == "holds"
    assert ask("eth-gpt2-plateau", "anisotropy_baseline", [0, .4, .45, .42, .51, .9, .9]) == "fails"
    assert ask("eth-gpt2-exponential", "anisotropy_baseline", [.9, .9, .9, .9, .1, .2, .4]) == "holds"
    assert ask("eth-gpt2-exponential", "anisotropy_baseline", [.1, .1, .1, .1, .1, .3, .4]) == "fails"
    assert ask("eth-intra-bert-falls", "adjusted_intra_sentence_similarity", [.6, .5, .4, .3, .2, .1, .15]) == "holds"
    assert ask("eth-mev-gpt2-30pct", "maximum_explainable_variance", [9, .3, .3, .3, .3, .3, 9], "released") == "holds"
    assert ask("eth-mev-gpt2-30pct", "maximum_explainable_variance", [9, .3, .3, .3, .3, .4, 9], "released") == "fails"
    scores = [{"model": "m", "family": "causal", "layer": k, "measure": SCORE, "dataset": d, "value": v}
              for d in "xyz" for k, v in enumerate([.9, .9, .5, .6, .7, .8, .1])]
    between = MOVED["eth-pc-3-10-between.transfer"]
    assert judge(between, published.tidy(scores)).verdict == "holds"
    assert judge(between, published.tidy(scores[:-3] + [{**scores[-3], "value": .99}, *scores[-2:]])).verdict == "fails"
    assert judge(between, published.tidy([row for row in scores if row["layer"] < 3])).verdict == "fails"


def test_depths_are_relative_to_the_highest_layer_and_ordered():
    rows = [{"measure": "b", "layer": k, "value": 10.0 * k} for k in (12, *range(12))] + [{"measure": "c", "layer": 40}]
    assert list(transfers.at_depths(published.tidy(rows), "b", 1 / 6, 2 / 3)) == [20, 30, 40, 50, 60, 70, 80]
    needs = Needs(("b",), ("masked",), 12, compares=True)
    moved = transfers.anywhere("s", Claim("c", "p", "w", needs, lambda t: True, "x", "y")).transfer
    assert (moved.id, moved.says, moved.because, moved.transfer) == ("c.transfer", "s", "", None)


def test_checks_differ_exactly_where_the_notes_know_of_something():
    assert len(CHECKS) == len(ethayarajh2019.CHECKS) == 22
    found = {name: check.find(TABLE) for name, check in CHECKS.items()}
    assert {name for name, result in found.items() if not result.agrees} == ERRATA
    assert all(CHECKS[name].charitable for name in ERRATA)


@pytest.mark.parametrize("name, numbers", [                 # the notes' numbers, where a row shows them
    ("no-pca", ["77.5 to 80.5"]), ("no-definition", ["100.0", "99.4", "0.16"]), ("years", ["6875", "6511"]),
    ("one-token", ["45 of them", "27"]), ("no-variance", ["47 words", "173 words", "0.006"]),
    ("cause", ["0.95 to 1.00", "0.04 to 0.12"]), ("every-step", ["0.026", "0.114"]), ("any-layer", ["0.008"]),
    ("zero", ["-0.008 to +0.079", "-0.005 to +0.179", "0.34", "layer 12"]), ("pc-gpt2", ["8 of 9", "0.183", "0.133"]),
    ("pc-often", ["7 of 9", "BERT layer 1: 6"]), ("pc-lower", ["7 of 9", "9 of 9", "8 of 9"]),
    ("pc-others", ["ELMo layer 1: 4, ELMo layer 2: 3, BERT layer 2: 6, BERT layer 11: 1, BERT layer 12: 1"]),
    ("pc-best", ["BERT layer 1: 7"])])
def test_checks_show_the_numbers_of_the_notes(name, numbers):
    shown = CHECKS[name].find(TABLE).should_be
    assert all(number in shown for number in numbers), shown


@pytest.mark.parametrize("name", sorted(set(CHECKS) - ERRATA))
def test_a_check_that_agrees_can_differ(name):
    rng, values = np.random.default_rng(0), TABLE["value"].to_numpy()
    changed = [TABLE.assign(value=v) for v in (values[::-1], layers_backwards(), values + rng.normal(0, 1, len(values)),
                                                 values + (TABLE["family"] == "static").fillna(False).to_numpy(float))]
    late = TABLE.assign(layer=TABLE["layer"].where(TABLE["measure"] != SCORE, TABLE["layer"] + 1))
    assert any(not CHECKS[name].find(table).agrees for table in [*changed, late])


def test_published_numbers_have_the_schema_and_the_counts_of_the_release():
    assert list(TABLE.columns) == [*published.KEYS, "value", "artifact", "printed"]
    counts = TABLE[TABLE["measure"] == "anisotropy_baseline"].groupby("model").size().to_dict()
    assert counts == {"ELMo": 3, "BERT": 13, "GPT-2": 13}
    assert set(TABLE.loc[TABLE["value"].isna(), "measure"]) == {"stated_lowest_words", "stated_layers_left_out"}
    curves = TABLE[TABLE["measure"] != "stated_adjusted_maximum_explainable_variance"]     # stated in two places
    assert not curves.duplicated(published.KEYS).any()
    assert TABLE.loc[TABLE["measure"] == SCORE].groupby("family").size().to_dict() == {
        "static": 18, "bilstm": 18, "masked": 36, "causal": 36}


def test_nothing_printed_is_lost(shared):
    source = pd.read_csv(shared / "published" / "ethayarajh2019.csv", dtype=str, keep_default_na=False)
    kept = TABLE[TABLE["artifact"].isin(source["artifact"])]
    assert Counter(kept["artifact"]) == Counter(source["artifact"])
    for artifact, rows in source.groupby("artifact"):
        assert Counter(kept.loc[kept["artifact"] == artifact, "printed"]) == Counter(rows["value"]), artifact
    ours = kept[kept["artifact"] == "Table 1"]
    rows = ours["model"] + (", Layer " + ours["layer"].astype(str)).where(ours["layer"].notna(), "")
    theirs = source[source["artifact"] == "Table 1"]
    assert Counter(zip(rows, ours["dataset"], ours["printed"], strict=True)) == Counter(
        theirs[["row", "column", "value"]].itertuples(index=False, name=None))


def test_released_statistics_are_those_of_the_independent_copy(shared):
    source = pd.read_csv(shared / "published" / "ethayarajh2019_author_statistics.csv")
    ours = TABLE[TABLE["artifact"] == "Released statistics"]
    assert Counter(ours["value"].round(6)) >= Counter(source["mean"].dropna().round(6))


def test_the_derived_tables_are_what_their_script_makes(shared, tmp_path, monkeypatch):
    """As committed, byte for byte, from the authors' released files."""
    monkeypatch.setenv("CWR_DATA", str(shared / "data" / "mirror"))
    code = ("import pathlib, sys; sys.path.insert(0, 'workflow/tables'); import ethayarajh2019 as d; "
            f"d.TABLES = pathlib.Path({str(tmp_path)!r}); d.ethayarajh2019()")
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
    for name in ("words", "bounds"):
        file = f"ethayarajh2019_{name}.csv"
        assert (tmp_path / file).read_bytes() == (published.TABLES / file).read_bytes()


def test_adjusted_values_are_raw_minus_baseline_as_released():
    wide = TABLE.pivot_table(index=["model", "layer"], columns="measure", values="value")
    for measure, baseline in (("self_similarity", "anisotropy_baseline"),
                              ("intra_sentence_similarity", "anisotropy_baseline"),
                              ("maximum_explainable_variance", "maximum_explainable_variance_baseline")):
        difference = (wide[measure] - wide[baseline] - wide[f"adjusted_{measure}"]).dropna()
        assert abs(difference).max() < 1e-6, measure
