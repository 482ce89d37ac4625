"""The notes' verdicts on the printed numbers, typed before the predicates; and that predicates and checks can fail."""
import csv
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cwr.measures import isotropy
from cwr.papers import bis2021, published
from cwr.papers.bis2021 import readings as n
from cwr.papers.claims import rank_correlation
from cwr.report import checked, judge
from cwr.report.verdicts import on_published

TABLE = bis2021.published()
with (Path(__file__).parent / "expected" / "bis2021.csv").open(newline="", encoding="utf8") as file:
    EXPECTED = {row["claim"] + (f".{row['reading']}" if row["reading"] else ""): row["verdict"]
                for row in csv.DictReader(file)}
DIFFERS: dict[str, str] = {}                                # where we find otherwise than the notes, and why: nowhere
CLAIMS = {claim.id: claim for claim in bis2021.CLAIMS}
DECIDED = [name for name, verdict in EXPECTED.items() if verdict != "not decidable"]
ROWS = {row.check.id: row for row in checked.rows("bis2021")}
PER_MODEL = {                                               # models for which the notes say no
    "bis-drift-not-cone.isotropy": {"RoBERTa-base", "RoBERTa-large", "GPT-2-small"},
    "bis-isotropy-order": set(), "bis-pp-near-one": set(), "bis-ratio-column": set(),
    "bis-i-equals-exp-mu": {"GPT-2-medium"},
    "bis-all-four-benchmarks": {"BERT-base-cased", "BERT-large-cased"},
    "bis-all-four-benchmarks.scaled": {"BERT-base-cased", "BERT-large-cased", "GPT-2-small", "RoBERTa-base",
                                       "RoBERTa-large"},
    "bis-scaled-beats-centred": {"RoBERTa-base"}, "bis-ip-gains-larger": set(), "bis-cos-better-raw": set(),
}
ERRATA = {                                                  # checks that differ; the rest of the numbers is right
    "exp-of-mean", "underlines", "components-code", "equation-2", "equation-5", "equation-9", "equation-14",
    "figure-3-model", "unused-rows", "never-inputs"}


def test_every_claim_of_the_notes_is_there_in_order_under_an_id_of_its_own():
    assert [claim.id for claim in bis2021.CLAIMS] == list(EXPECTED)
    assert set(bis2021.HEADLINES) <= set(CLAIMS) and len(bis2021.HEADLINES) <= 5
    assert Counter(EXPECTED.values()) == {"holds": 28, "not decidable": 21, "fails": 17}


@pytest.mark.parametrize("name", EXPECTED)
def test_the_printed_numbers_give_the_notes_verdict(name):
    verdict = on_published(CLAIMS[name], TABLE)
    assert name in DIFFERS or verdict.verdict == EXPECTED[name], verdict.reason
    assert verdict.verdict != "not decidable" or verdict.reason.endswith((".", "it"))


@pytest.mark.parametrize("name", PER_MODEL)
def test_the_printed_numbers_give_the_notes_verdict_model_by_model(name):
    verdicts = {model: judge(CLAIMS[name], part.reset_index(drop=True)).verdict
                for model, part in TABLE.groupby("model")}
    assert {model for model, verdict in verdicts.items() if verdict == "fails"} == PER_MODEL[name]
    assert "holds" in verdicts.values()


def changed(table, measure, change, **keys):
    """The table with another value in the rows of a measure."""
    keep = (table["measure"] == measure).to_numpy()
    for key, value in keys.items():
        keep = keep & (table[key] == value).fillna(False).to_numpy(dtype=bool)
    assert keep.any()
    return table.assign(value=np.where(keep, change(table["value"]), table["value"]))


def alike(table, measures, value):
    """The table with one value in all rows of some measures, cosine a little better than inner product."""
    for measure in measures:
        table = changed(table, measure, lambda v: v * 0 + value)
        table = changed(table, measure, lambda v: v + 0.01, estimator="cosine")
    return table


AVERAGES = (n.RAW, n.CENTRED, n.SCALED, n.PROCESSED)


def gaps_as_norms(table):
    """The table with mean norms equal to the difference of the two scores."""
    for model, gap in n.gap(table, n.RAW).items():
        table = changed(table, n.NORM, lambda v, gap=gap: v * 0 + gap, model=model)
    return table


BY_HAND = {                                                 # where noise and shifts do not reach the opposite
    "bis-table2-from-table3.four-sets": lambda t: alike(t, (*AVERAGES, n.SET, n.SET_SCALED, n.SET_PROCESSED), 60),
    "bis-all-four-benchmarks.scaled": lambda t: changed(t, n.SET_SCALED, lambda v: v + 50),
    "bis-isotropy-improves.monotone": lambda t: changed(changed(t, n.CENTRED, lambda v: v + 50), n.PROCESSED,
                                                        lambda v: v + 99),
    "bis-scaled-only-failure.per-set": lambda t: changed(
        changed(t, n.SET_SCALED, lambda v: v + 50), n.SET_SCALED, lambda v: v - 99, model="BERT-large-cased",
        estimator="cosine"),
    "bis-gap-closed-but-bert.strict": lambda t: changed(t, n.CENTRED, lambda v: v + 1, model="RoBERTa-large",
                                                        estimator="inner"),
    "bis-bigger-corpus-bigger-norm": lambda t: changed(t, n.NORM, lambda v: v + 1, model="RoBERTa-base"),
    "bis-unused-count.caption": lambda t: changed(t, "unused_tokens", lambda v: v * 0 + 994, model="BERT-base-cased"),
    "bis-all-four-benchmarks": lambda t: changed(t, n.CENTRED, lambda v: v + 50),
    "bis-all-four-benchmarks.cosine": lambda t: changed(t, n.SET_SCALED, lambda v: v + 50),
    "bis-only-exception-roberta-large.strict": lambda t: changed(t, n.I_CENTRED, lambda v: v + .1,
                                                                 model="RoBERTa-base"),
    "bis-i-equals-exp-mu": lambda t: changed(t, n.I_RAW, lambda v: v - .39, model="GPT-2-medium"),
    "bis-cos-better-raw.every-norm": gaps_as_norms,
    "bis-scaled-near-pp": lambda t: changed(t, n.SCALED, lambda v: v + 5),
}


@pytest.mark.filterwarnings("ignore:invalid value")         # of correlations of constants, cosines above 1
@pytest.mark.parametrize("name", DECIDED)
def test_some_change_of_the_printed_values_flips_the_verdict(name):
    """No predicate is vacuous: noise, shifts, reversals, or a change by hand, reach the opposite verdict."""
    before, rng = on_published(CLAIMS[name], TABLE).verdict, np.random.default_rng(0)
    if name in BY_HAND:
        tables = [BY_HAND[name](TABLE)]
    else:
        changes = [lambda v: v + 1, lambda v: v - 1, lambda v: v * 0, lambda v: v * 0 + 1, lambda v: v[::-1]]
        changes += [lambda v, s=s: v + rng.normal(0, s, len(v)) for s in np.repeat([0.01, 0.1, 1, 10], 5)]
        tables = [TABLE.assign(value=change(TABLE["value"].to_numpy())) for change in changes]
    opposite = {"holds": "fails", "fails": "holds"}[before]
    assert any(on_published(CLAIMS[name], table).verdict == opposite for table in tables)


UNPRINTED = {                                               # claim: values that decide it one way, and the other
    "bis-drift-not-cone": ([("partition_isotropy_centred", .97), ("embedding_mean_cosine_centred", .01)],
                           [("partition_isotropy_centred", .97), ("embedding_mean_cosine_centred", .2)]),
    "bis-table1-values": ([("difference_from_table_1", .004)], [("difference_from_table_1", -.006)]),
    "bis-centring-shrinks-norms": ([("embedding_norm", 2), ("embedding_norm_centred", 1)],
                                   [("embedding_norm", 2), ("embedding_norm_centred", 3)]),
    "bis-roberta-large-eig-mean": ([("top_eigenvector_mean_cosine", .99)], [("top_eigenvector_mean_cosine", .9)]),
    "bis-roberta-large-cos.value": ([("embedding_mean_cosine", .335)], [("embedding_mean_cosine", .35)]),
    "bis-singular-gap": ([("second_over_first_singular_value", .2), ("second_over_first_singular_value_centred", .8)],
                         [("second_over_first_singular_value", .8), ("second_over_first_singular_value_centred", .2)]),
    "bis-frequency-clusters-remain": ([("vocabulary_index_r2", .4)], [("vocabulary_index_r2", .1)]),
    "bis-unused-rare-063": ([("unused_mean_cosine", .632, "28500-29500")],
                            [("unused_mean_cosine", .65, "28500-29500")]),
    "bis-unused-frequent-027": ([("unused_mean_cosine", .27, "2000-3000")], [("unused_mean_cosine", .2, "2000-3000")]),
    "bis-nontarget-same-direction": ([("nontarget_gradient_cosine", 1)], [("nontarget_gradient_cosine", .9)]),
    "bis-nontarget-same-direction.batch": ([("nontarget_gradient_cosine_batch", 1)],
                                           [("nontarget_gradient_cosine_batch", .9)]),
    "bis-sgd-conserves-mean": ([("mean_vector_shift_sgd", 0)], [("mean_vector_shift_sgd", .1)]),
    "bis-cosreg-identity": ([("cosreg_difference", 0)], [("cosreg_difference", -.1)]),
    "bis-token-zipf": ([("zipf_slope_tokens", -.84), ("zipf_slope_words", -.89)],
                       [("zipf_slope_tokens", -.5), ("zipf_slope_words", -.89)]),
    "bis-mu-d-text": ([("similarity_average_processed", 66), ("similarity_average_processed_uncentred", 65)],
                      [("similarity_average_processed", 65), ("similarity_average_processed_uncentred", 66)]),
}
BINNED = {"bis-unused-monotone": "unused_mean_cosine_by_bin", "bis-roberta-last1000": "last_rows_mean_cosine_by_bin"}
COUNTED = {"bis-zipf-13": (30, 12, 14), "bis-zipf-85": (50, 85, 152), "bis-zipf-15000": (98, 14900, 13627),
           "bis-sphere-shift-gap": (4, 7.0, 5.0)}


def own(rows):
    return published.tidy([{"model": "m", "family": "masked", "estimator": "cosine", "measure": row[0],
                            "value": float(row[1]), "class": row[2] if len(row) > 2 else pd.NA} for row in rows])


@pytest.mark.parametrize("name", UNPRINTED)
def test_what_no_printed_number_decides_has_a_predicate_that_can_hold_and_fail(name):
    assert [judge(CLAIMS[name], own(rows)).verdict for rows in UNPRINTED[name]] == ["holds", "fails"]


@pytest.mark.parametrize("name", BINNED)
def test_predicates_over_bins_can_hold_and_fail(name):
    for values, verdict in ((np.linspace(.2, .6, 31), "holds"), (np.linspace(.6, .2, 31), "fails")):
        table = published.tidy([{"model": "m", "family": "masked", "measure": BINNED[name], "k": k, "value": v}
                                for k, v in enumerate(values)])
        assert judge(CLAIMS[name], table).verdict == verdict


@pytest.mark.parametrize("name", COUNTED)
def test_predicates_over_counts_can_hold_and_fail(name):
    k, *values = COUNTED[name]
    measure = CLAIMS[name].needs.measures[0]
    tables = [published.tidy([{"model": "m", "family": "static", "measure": measure, "k": k, "value": float(value)}])
              for value in values]
    assert [judge(CLAIMS[name], table).verdict for table in tables] == ["holds", "fails"]


def test_every_unprinted_claim_was_tried():
    tried = UNPRINTED.keys() | BINNED.keys() | COUNTED.keys()
    assert tried == {name for name, verdict in EXPECTED.items() if verdict == "not decidable"}


def test_numbers_of_the_notes_come_out():
    wide = n.scores(TABLE)
    assert n.exp_of_mean(TABLE).round(2).tolist() == pytest.approx([1.0, .97, .98, 1.0, .88, .88, .93, 4.0], abs=.006)
    assert n.pearson(n.per_model(TABLE, n.NORM), n.per_model(TABLE, n.I_RAW)) == pytest.approx(-.618, abs=5e-4)
    ratio = n.per_model(TABLE, n.RATIO), n.per_model(TABLE, n.I_RAW)
    assert (rank_correlation(*ratio), n.pearson(*ratio)) == pytest.approx((-.596, -.43), abs=.005)
    norm, isotropy = n.per_model(TABLE, n.NORM).to_numpy(), n.per_model(TABLE, n.I_RAW).to_numpy()
    assert n.pearson_range(norm, isotropy, 0.005) == pytest.approx((-.639, -.596), abs=5e-4)
    assert n.scaled_over_processed(TABLE) == pytest.approx(.73, abs=.005)
    assert n.scaled_over_processed(TABLE, without_bert=True) == pytest.approx(.97, abs=.005)
    assert (wide[n.SCALED].mean(), wide[n.PROCESSED].mean()) == pytest.approx((65.05, 66.52), abs=.006)
    shares = n.closed(TABLE)[["BERT-base-cased", "BERT-large-cased", "RoBERTa-large"]]
    assert shares.round(2).tolist() == [.74, .73, .98]
    assert n.norm_and_gap(TABLE) == pytest.approx(.77, abs=.005)
    steps = n.steps(TABLE) > 0
    assert (steps.sum(0).tolist(), steps.all(1).sum(), (n.steps(TABLE).sum(1) > 0).sum()) == ([8, 11], 7, 12)
    sets = n.gain(TABLE, n.SET_SCALED, n.SET).groupby(["estimator", "dataset"]).mean().round(2)
    assert sets["inner"].round(1).to_dict() == {"men": 9.6, "rare words": 5.1, "simlex-999": .6,
                                                "wordsim-relatedness": 11.1, "wordsim-similarity": 7.2}
    assert sets["cosine", "simlex-999"] == -1.75 and (sets["cosine"].drop("simlex-999") > 0).all()
    assert n.isotropy_bound(2.035, .945, .9805) == pytest.approx(.17, abs=.005)


def test_a_matrix_with_the_six_cells_of_gpt2_medium_exists():
    W = n.skewed_matrix()
    lengths, mean = np.linalg.norm(W, axis=1).mean(), np.linalg.norm(W.mean(axis=0))
    found = {n.I_RAW: isotropy.partition_isotropy(W, "negative"),
             n.I_CENTRED: isotropy.partition_isotropy(isotropy.center(W)),
             n.I_REMOVED: isotropy.partition_isotropy(isotropy.all_but_the_top(W, 11)),
             n.NORM: lengths, n.MEAN: mean, n.RATIO: mean / lengths}
    for measure, value in found.items():
        half = 0.0005 if measure == n.I_REMOVED else 0.005
        assert value == pytest.approx(n.per_model(TABLE, measure)["GPT-2-medium"], abs=half), measure
    assert isotropy.partition_isotropy(W, "positive") < n.isotropy_bound(2.035, .945, .9805)


def test_gains_fall_with_isotropy_as_in_the_notes():
    isotropy, found = n.per_model(TABLE, n.I_RAW), []
    for score in ("inner", "cosine"):
        for after in (n.CENTRED, n.SCALED, n.PROCESSED):
            gains = n.gain(TABLE, after).unstack("estimator")[score]
            found.append(n.pearson(isotropy[gains.index], gains))
    assert found == pytest.approx([-.77, -.79, -.74, -.64, -.75, -.19], abs=.006)


def test_checks_that_differ_are_exactly_the_known_ones():
    assert {name for name, row in ROWS.items() if not row.found.agrees} == {f"bis2021-check-{what}" for what in ERRATA}
    assert len(ROWS) == len(bis2021.CHECKS) == 20


@pytest.mark.parametrize("check, measure, keys", [
    ("ratio-column", n.RATIO, {}), ("gains", "similarity_average_gain_scaled", {}), ("averages", n.PROCESSED, {}),
    ("averages", n.SET, {"dataset": "men"}), ("correlation", "norm_isotropy_correlation", {}), ("angle", n.ANGLE, {}),
    ("gap", n.CENTRED, {"estimator": "cosine"}), ("components", "removed_components", {"k": "768"}),
    ("column-order", n.SET, {"estimator": "inner"}), ("frequent-range", "vocabulary_index", {"word": "to"})])
def test_a_check_that_agrees_would_not_agree_with_other_numbers(check, measure, keys):
    row = ROWS[f"bis2021-check-{check}"]
    assert row.found.agrees
    assert not row.check.find(changed(TABLE, measure, lambda v: v + 1001, **keys)).agrees


@pytest.mark.parametrize("check, measure, value, keys", [
    ("exp-of-mean", n.I_RAW, .13, {"model": "GPT-2-medium"}), ("components-code", "removed_components", 2, {}),
    ("underlines", "similarity_average_underlined_scaled", np.nan, {"model": "RoBERTa-large", "estimator": "inner"}),
    ("figure-3-model", "unused_tokens", 994, {}), ("unused-rows", "unused_rows_averaged", 994, {}),
    ("never-inputs", "unused_input_share", 0, {})])
def test_a_check_that_differs_would_agree_with_the_right_number(check, measure, value, keys):
    row = ROWS[f"bis2021-check-{check}"]
    assert not row.found.agrees
    with np.errstate(divide="ignore"):
        assert row.check.find(changed(TABLE, measure, lambda v: v * 0 + value, **keys)).agrees


def test_rows_of_the_page_fit_a_table():
    text = checked.markdown(list(ROWS.values()))
    assert {line.count("|") for line in text.splitlines()} == {5}


NAMES = {"Bert-base-cased": "BERT-base-cased", "Bert-large-cased": "BERT-large-cased",
         "GPT-2 (12 layers)": "GPT-2-small", "GPT-2 (24 layers)": "GPT-2-medium"}


def test_the_table_holds_every_printed_number_of_the_source(shared):
    source = pd.read_csv(shared / "published" / "bis2021.csv", dtype=str, keep_default_na=False)
    ours = TABLE[~TABLE["artifact"].isin(("Vocabulary file", "Pre-training script", "Released code"))]
    assert Counter(ours["printed"]) == Counter(source["value"]) and len(ours) == 357
    for table in ("Table 1", "Table 2", "Table 3"):
        part, theirs = ours[ours["artifact"] == table], source[source["artifact"] == table]
        assert Counter(zip(part["model"], part["printed"], strict=True)) == Counter(
            zip(theirs["row"].replace(NAMES), theirs["value"], strict=True)), table


def test_printed_numbers_have_the_schema_and_the_counts_of_the_paper():
    assert list(TABLE.columns) == [*published.KEYS, "value", "artifact", "printed"]
    assert TABLE.groupby("artifact").size()[["Table 1", "Table 2", "Table 3", "Vocabulary file"]].tolist() == [
        48, 109, 180, 10]
    assert TABLE["value"].notna().all() and not TABLE.duplicated(published.KEYS).any()
    assert TABLE["layer"].isna().all()                      # embedding matrices are no layers
    assert set(TABLE["family"].dropna()) == {"masked", "causal"}


def test_the_uncased_vocabulary_that_travels_with_minilm_has_the_counts_of_the_table():
    from cwr.encoders import hub
    words = (hub.find("minilm").folder / "vocab.txt").read_text(encoding="utf8").splitlines()
    rows = TABLE[(TABLE["artifact"] == "Vocabulary file") & (TABLE["model"] == "BERT-base-uncased")]
    found = {"vocabulary_size": len(words), "unused_tokens": sum(w.startswith("[unused") for w in words)}
    for row in rows.itertuples():
        assert row.value == (words.index(row.word) if row.measure == "vocabulary_index" else found[row.measure])
