"""The notes' verdicts on the printed tables, typed before the predicates; and that every predicate can fail."""
import csv
import functools
import importlib.util
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from cwr.measures import classification
from cwr.papers import gupta2021, gupta2021_checks, gupta2021_numbers, published
from cwr.report import FAILS, HOLDS, judge
from cwr.report.verdicts import on_published

HERE, ROOT = Path(__file__).parent, Path(__file__).resolve().parents[2]
TABLE = gupta2021.published()
with (HERE / "expected" / "gupta2021.csv").open(encoding="utf8") as file:
    ROWS = list(csv.DictReader(file))
EXPECTED = {".".join(filter(None, (row["claim"], row["reading"]))): row["verdict"] for row in ROWS}
DIFFERS: dict[str, str] = {}                                # where our computation is right and the notes are not
WHO = np.array([gupta2021_numbers.named(row) for row in zip(TABLE["estimator"], TABLE["model"], strict=True)])
CLAIMS = {claim.id: claim for claim in gupta2021.CLAIMS}
DECIDED = [name for name, verdict in EXPECTED.items() if verdict != "not decidable"]
KNOWN = {"average-table3", "average-table4-f1", "average-table4-accuracy", "table6-names", "table6-layer",
         "bold-table6", "bold-table4", "f1-trec", "f1-sst5", "f1-binary-largest", "trec-single-runs", "words",
         "table2-values", "rg65-gold"}                      # the errata of the notes


def test_every_claim_has_an_expected_verdict_an_id_of_its_own_and_the_order_of_the_notes():
    assert [claim.id for claim in gupta2021.CLAIMS] == list(EXPECTED)
    assert len({row["claim"] for row in ROWS}) == 26 and set(gupta2021.HEADLINES) <= set(CLAIMS)


@pytest.mark.parametrize("name", EXPECTED)
def test_the_printed_tables_give_the_notes_verdict(name):
    verdict = on_published(CLAIMS[name], TABLE)
    assert verdict.verdict == EXPECTED[name] or name in DIFFERS, verdict.reason


def of_teacher(*stems):
    """The rows of some teachers (12 and 24 layers), and all others that have none."""
    return TABLE[TABLE["model"].str.startswith(stems).fillna(False)].reset_index(drop=True)


@pytest.mark.parametrize("stem, verdict", [("BERT", HOLDS), ("GPT2", HOLDS), ("ROBERTA", FAILS)])
def test_a_larger_teacher_helps_bert_and_gpt2_but_not_roberta(stem, verdict):
    assert judge(CLAIMS["gup-24-gt-12"], of_teacher(stem)).verdict == verdict


@pytest.mark.parametrize("stem, verdict", [("BERT", HOLDS), ("GPT2", FAILS), ("ROBERTA", HOLDS)])
def test_by_accuracy_paragraphs_win_strictly_for_bert_and_roberta(stem, verdict):
    assert judge(CLAIMS["gup-para-gt-sent-down.accuracy"], of_teacher(stem)).verdict == verdict


@pytest.mark.parametrize("measures, how, expected", [
    ((gupta2021.W,), {"kinds": gupta2021.ASE}, (28, 30)), ((gupta2021.W,), {}, (20, 30)),
    ((gupta2021.W,), {"own": False}, (14, 30)), ((gupta2021.W,), {"kinds": ("static",)}, (21, 30)),
    ((gupta2021.W, gupta2021.W + gupta2021.LARGE), {}, (38, 60)),
    ((gupta2021.W, gupta2021.W + gupta2021.LARGE), {"own": False}, (27, 60)),
    ((gupta2021.W + gupta2021.LARGE,), {"kinds": gupta2021.ASE}, (27, 30))])
def test_cells_are_won_as_often_as_the_notes_count(measures, how, expected):
    margins = gupta2021_numbers.beaten(TABLE, *measures, **how)
    assert (sum(margin > 0 for margin in margins.values()), len(margins)) == expected


def test_the_gains_are_those_of_the_notes():
    gains = gupta2021_numbers.gains(TABLE, "mean", ("static",))
    assert {name: round(value, 3) for name, value in gains.items()} == {
        "RG-65": -0.062, "WS-353": -0.001, "SL-999": 0.042, "SV-3500": 0.129, "RW-2034": 0.031}
    t = [round(value, 1) for value in gupta2021_numbers.welch(TABLE).values()]
    assert (min(t), max(t)) == (6.8, 15.6)
    assert min(gupta2021_numbers.welch(TABLE, 0.05).values()) == pytest.approx(5.1, abs=0.05)


def change(measure, factor=1.0, shift=0.0, **keys):
    """The values with one measure moved, in some rows."""
    keep = (TABLE["measure"] == measure).to_numpy(dtype=bool)
    for key, value in keys.items():
        keep = keep & (TABLE[key] == value).fillna(False).to_numpy()
    assert keep.any()
    return np.where(keep, TABLE["value"] * factor + shift, TABLE["value"])


@functools.cache
def changes():
    return list(chosen())


def chosen():
    """Changes by hand, where noise on the whole table is unlikely to reach the other verdict."""
    yield from (change(measure, 1, shift, estimator="ase_best_layer", model=model)
                for measure in (gupta2021.WM, gupta2021.F1M, gupta2021.ACCM) for shift in (-1, 1)
                for model in ("BERT-12", "ROBERTA-12", "GPT2-12"))
    yield from (change(gupta2021.W, 1, 1, estimator="x2static_paragraph", dataset=name)
                for name in gupta2021.SIMILARITY)
    yield from (change(measure, 1, shift, estimator="x2static_paragraph")
                for measure in (gupta2021.WM, gupta2021.F1M, gupta2021.ACCM, gupta2021.WM + gupta2021.LARGE,
                                gupta2021.W, gupta2021.W + gupta2021.LARGE, gupta2021.F1M + "_run_mean")
                for shift in (-50, -1, 1, 50))
    yield from (change(gupta2021.W, 1, 1, estimator=kind) for kind in ("static", "x2static_sentence"))
    yield from (change(gupta2021.W + gupta2021.LARGE, 1, 1, estimator=kind)
                for kind in ("x2static_sentence", "ase_best_per_task"))
    yield change(gupta2021.W, 1, 2, model="SENT2VEC", dataset="RG-65")
    every = TABLE["estimator"].isin(gupta2021.X2S) & (TABLE["measure"] == gupta2021.W + gupta2021.LARGE)
    yield TABLE["value"].to_numpy() + every.to_numpy()
    yield change(gupta2021.F1, 1, 20, estimator="x2static_sentence", model="ROBERTA-12", dataset="CR")
    yield change(gupta2021.F1, 1, -20, estimator="x2static_sentence", model="ROBERTA-12", dataset="CR")
    yield change(gupta2021.F1, 1, 20, estimator="static", dataset="CR")
    yield change(gupta2021.F1, 1, -60, estimator="x2static_sentence", model="ROBERTA-12", dataset="SUBJ")
    yield from (change(f"{gupta2021.F1M}_run_sd", factor) for factor in (0, 100))
    yield from (change("teacher_flops_per_call", factor) for factor in (0.01, 128))
    yield change("corpus_words", 2)
    yield change("ase_extraction_days", 0.1)
    yield change("corpus_paragraph_filter_minimum_sentences", 0, 1)
    marks = np.where(TABLE["measure"].str.startswith(gupta2021.BOLD), 0.0, TABLE["value"])
    yield marks
    for suffix in ("", gupta2021.LARGE):
        by_rule = marks.copy()
        for base, strict in (((gupta2021.W, gupta2021.WM), True), (
                (gupta2021.F1, gupta2021.F1M, gupta2021.ACC, gupta2021.ACCM), False)):
            if not strict and suffix:
                continue
            for (row, measure, name), (_, should) in gupta2021_numbers.bold(TABLE, suffix, strict, base).items():
                keep = ((TABLE["measure"] == gupta2021.BOLD + measure + suffix) & TABLE["variant"].isna()
                        & (TABLE["dataset"].fillna("") == name))
                keep = keep.to_numpy() & (WHO == row)
                by_rule[keep] = float(should)
        yield by_rule


@pytest.mark.parametrize("name", DECIDED)
def test_some_change_of_the_printed_values_flips_the_verdict(name):
    """No predicate is vacuous: noise, shifts, reversals or a change by hand reach the opposite verdict."""
    before, rng = on_published(CLAIMS[name], TABLE).verdict, np.random.default_rng(0)
    values = TABLE["value"].to_numpy()

    def trials():
        yield from changes()
        yield from (values * factor for factor in (0, -1))
        yield values[::-1]
        yield from (values + rng.normal(0, s, len(values)) for s in np.repeat([0.01, 0.1, 1, 10], 25))

    assert any(on_published(CLAIMS[name], TABLE.assign(value=trial)).verdict != before for trial in trials())


def test_undecided_claims_with_a_predicate_can_go_both_ways():
    """Figure 1 and the like print nothing; on a table that has the numbers the predicates answer."""
    base = {"estimator": "ase_best_layer", "model": "m", "dataset": "SL-999", "measure": gupta2021.GROWTH}
    rows = [base | {"k": k, "value": v} for k, v in ((1e6, 0.3), (2e6, 0.4), (4e6, 0.401))]
    rows += [base | {"estimator": "x2static_paragraph", "k": k, "value": v}
             for k, v in ((1e6, 0.2), (2e6, 0.4), (4e6, 0.5))]
    assert CLAIMS["gup-ase-saturates"].holds(published.tidy(rows))
    rows[2]["value"] = 0.6
    assert not CLAIMS["gup-ase-saturates"].holds(published.tidy(rows))
    for name, measure in (("gup-decontextual-dismal", gupta2021.DECONTEXTUAL), ("gup-cheaper-para.flops",
                                                                                "teacher_flops_per_word")):
        for value, expected in ((0.1, True), (0.9, False)):
            rows = [{"estimator": "ase_best_layer", "model": "m", "measure": gupta2021.WM, "value": 0.5},
                    {"estimator": "x2static_sentence", "model": "m", "measure": measure, "value": 0.5},
                    {"estimator": "x2static_paragraph", "model": "m", "measure": measure, "value": value}]
            if measure == gupta2021.DECONTEXTUAL:
                rows = [rows[0], rows[2]]
            assert CLAIMS[name].holds(published.tidy(rows)) is expected
    assert CLAIMS["gup-extrapolation"].holds is None
    assert judge(CLAIMS["gup-significant-margin-sim"], TABLE).verdict == HOLDS


def test_checks_that_differ_are_the_known_errata():
    found = {check.id.removeprefix("gupta2021-check-"): check.find(TABLE) for check in gupta2021.CHECKS}
    assert len(found) == len(gupta2021.CHECKS)
    assert {name for name, result in found.items() if not result.agrees} == KNOWN


def test_the_checks_notice_a_mended_and_a_spoilt_number():
    """A mended average agrees, a spoilt one does not; so does each kind of rule."""
    checks = {check.id.removeprefix("gupta2021-check-"): check for check in gupta2021.CHECKS}
    mended = TABLE.assign(value=change(gupta2021.WM, 0, 0.5258, model="FASTTEXT"))
    assert checks["average-table3"].find(mended).agrees
    spoilt = TABLE.assign(value=change(gupta2021.WM + gupta2021.LARGE, 1, 0.01, model="BERT-24"))
    assert not checks["average-table6"].find(spoilt).agrees
    assert not checks["average-best-layer"].find(TABLE.assign(value=change(
        gupta2021.WM, 1, 0.01, model="BERT-12", estimator="ase_best_layer"))).agrees
    assert not checks["table6-repeats-table3"].find(TABLE.assign(value=change(
        gupta2021.W, 1, 0.01, model="CBOW"))).agrees
    assert checks["f1-binary-largest"].find(TABLE.assign(value=change(
        gupta2021.ACC, 0, 88, model="BERT-12", estimator="ase_best_layer", dataset="MPQA"))).agrees
    assert checks["f1-trec"].find(TABLE.assign(value=change(gupta2021.F1, 0, 99, dataset="TREC"))).agrees
    assert not checks["f1-binary"].find(TABLE.assign(value=change(gupta2021.F1, 1, -40, dataset="MR"))).agrees
    assert not checks["table5-table4"].find(TABLE.assign(value=change(gupta2021.F1M, 1, 2))).agrees
    assert not checks["bold-table3"].find(TABLE.assign(value=change(gupta2021.BOLD + gupta2021.W, -1, 1))).agrees
    assert not checks["corpus-ratios"].find(TABLE.assign(value=change("corpus_words", 2))).agrees
    assert not checks["pairs"].find(TABLE.assign(value=change("word_similarity_pairs", 1, 1))).agrees
    assert checks["words"].find(TABLE.assign(value=change("ase_words_embedded", 0, 4574))).agrees
    assert not checks["tens-of-millions"].find(TABLE.assign(value=change("teacher_flops_per_call", 0.01))).agrees


def test_nineteen_cells_of_trec_and_of_sst5_are_below_their_bound_and_none_with_fifty_labels():
    for dataset, exception in (("TREC", "fine_tuned ROBERTA-12"), ("SST-5", "sentence_encoder sBERT-BASE-NLI")):
        found = gupta2021_checks.outside(TABLE, (dataset,))
        pairs = gupta2021_numbers.f1_pairs(TABLE, dataset)
        assert len(found) == 19
        assert [row for row in pairs.index if f"{dataset} {row}" not in found] == [exception.split()[-1]]
    fine = gupta2021_numbers.class_counts(TABLE, "TREC (fine labels)")
    pairs = gupta2021_numbers.f1_pairs(TABLE, "TREC")
    reached = gupta2021_numbers.bounds(pairs, fine, classification.low_macro_f1)
    assert (reached <= pairs["macro_f1"] + 0.05).all()


@pytest.mark.parametrize("dataset", ["TREC", "SST-5"])
def test_as_means_of_arbitrary_runs_seventeen_cells_stay_below(dataset):
    pairs, counts = gupta2021_numbers.f1_pairs(TABLE, dataset), gupta2021_numbers.class_counts(TABLE, dataset)
    envelope = classification.mean_of_runs_envelope(counts)
    limit = 100 * np.interp((pairs["accuracy"] - 0.05) / 100, *envelope)
    assert (pairs["macro_f1"] + 0.05 < limit).sum() == 17


def test_nothing_of_the_printed_numbers_is_lost(shared):
    with (shared / "published" / "gupta2021.csv").open(encoding="utf8") as source:
        theirs = list(csv.DictReader(source))
    with (published.TABLES / "gupta2021.csv").open(encoding="utf8") as copy:
        ours = list(csv.DictReader(copy))
    assert Counter((r["artifact"], r["value"]) for r in theirs) == Counter((r["artifact"], r["printed"]) for r in ours)
    assert sum(r["note"] == "bold" for r in theirs) == sum(
        r["printed"] == "1" for r in csv.DictReader((published.TABLES / "gupta2021_marks.csv").open(encoding="utf8"))
        if r["measure"].startswith("is_bold_"))
    assert Counter(r["note"][6:] for r in theirs if r["note"].startswith("layer=")) == Counter(
        r["layer"] for r in ours if r["layer"])


def test_derived_counts_come_from_the_source_files(shared, monkeypatch):
    monkeypatch.setenv("CWR_DATA", str(shared / "data" / "mirror"))
    spec = importlib.util.spec_from_file_location("derived", ROOT / "workflow" / "tables" / "gupta2021.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    text = module.gupta2021().to_csv(index=False, lineterminator="\n")
    assert text == (published.TABLES / "gupta2021_data.csv").read_text(encoding="utf8")


def test_the_table_is_tidy():
    assert list(TABLE.columns[:len(published.KEYS) + 1]) == [*published.KEYS, "value"]
    assert not TABLE.duplicated(published.KEYS).any()
    counts = TABLE.groupby("artifact").size().to_dict()
    assert (counts["Table 1"], counts["Table 2"], counts["Table 5"]) == (7, 59, 24)
    rows = TABLE[TABLE["measure"].isin((gupta2021.F1, gupta2021.ACC)) & (TABLE["artifact"] == "Table 4")]
    assert rows.groupby("dataset").size().to_dict() == dict.fromkeys((*gupta2021.BINARY, "TREC", "SST-5"), 40)
    assert set(TABLE["family"].dropna()) == {"masked", "causal", "static", "sentence"}


def test_the_curve_of_least_macro_f1_is_the_bound_point_by_point_and_covers_the_printed_accuracies():
    accuracy = gupta2021_numbers.f1_pairs(TABLE, "TREC")["accuracy"]
    x, least = gupta2021_numbers.least_curve(accuracy, (60, 40))
    assert x[0] == accuracy.min() - 1 and accuracy.max() < x[-1] <= 100 and len(x) == len(least) == 40
    assert least == [100 * classification.smallest_macro_f1((60, 40), value / 100) for value in x]
    assert gupta2021_numbers.least_curve(accuracy + 100 - accuracy.max(), (60, 40))[0][-1] == 100
