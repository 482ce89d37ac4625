"""The notes' verdicts on the printed numbers, typed before the predicates; and that every predicate can fail."""
import csv
import importlib.util
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cwr.papers import published, zhao2020
from cwr.papers.claims import Claim
from cwr.papers.zhao2020.checks import class_sums, with_release
from cwr.papers.zhao2020.readings import blocks, score_differences, standard_error
from cwr.report import FAILS, HOLDS, judge
from cwr.report.verdicts import on_published
from cwr.tables import one

TABLE = zhao2020.published()
with (Path(__file__).parent / "expected" / "zhao2020.csv").open(newline="", encoding="utf8") as file:
    EXPECTED = {f"{row['claim']}.{row['reading']}".rstrip("."): row["verdict"] for row in csv.DictReader(file)}
CLAIMS = {claim.id: claim for claim in zhao2020.CLAIMS}
DECIDED = [name for name, verdict in EXPECTED.items() if verdict != "not decidable"]
UNDECIDED = [name for name in EXPECTED if name not in DECIDED]
DIFFERS: dict[str, str] = {}                                # id: what we find and why, where the notes say otherwise
ERRATA = {"zhao2020-check-train-words", "zhao2020-check-train-pairs", "zhao2020-check-train-contexts",
          "zhao2020-check-test-pairs", "zhao2020-check-test-contexts", "zhao2020-check-almost-85",
          "zhao2020-check-devlin-setup"}
FOUND = {check.id: check.find(TABLE) for check in zhao2020.CHECKS}


def test_every_claim_has_an_expected_verdict_and_stands_in_the_order_of_the_notes():
    assert [claim.id for claim in zhao2020.CLAIMS] == list(EXPECTED)
    assert set(zhao2020.HEADLINES) <= set(CLAIMS) and len(zhao2020.HEADLINES) <= 5


def test_every_row_of_the_notes_is_a_claim(shared):
    text = (shared / "notes" / "zhao2020.md").read_text(encoding="utf8").split("## (c)")[1].split("## (d)")[0]
    cells = [line.split("|")[1] for line in text.splitlines() if line.startswith("| zha-")]
    names = [name.strip() if name.strip().startswith("zha-") else f"zha-{name.strip()}"
             for cell in cells for name in cell.split(",")]
    assert [name for name in EXPECTED if "." not in name] == names


@pytest.mark.parametrize("name", EXPECTED)
def test_the_printed_numbers_give_the_notes_verdict(name):
    verdict = on_published(CLAIMS[name], TABLE)
    assert verdict.verdict == EXPECTED[name] or name in DIFFERS, verdict.reason


@pytest.mark.parametrize("name", DECIDED)
def test_some_change_of_the_printed_values_flips_the_verdict(name):
    """No predicate is vacuous: noise, shifts and reversals within a measure reach the opposite verdict."""
    before, rng = on_published(CLAIMS[name], TABLE).verdict, np.random.default_rng(0)
    order = TABLE.groupby("measure", sort=False).cumcount(ascending=False)
    backwards = TABLE.assign(order=order).sort_values(["measure", "order"])["value"].to_numpy()
    places = TABLE.assign(order=order).sort_values(["measure", "order"], ascending=[True, False]).index
    reverse = pd.Series(backwards, index=places).reindex(TABLE.index).to_numpy()
    averaged = 0.1 * (TABLE["measure"] == "type_probe_f1").to_numpy()
    changes = [lambda v: v + averaged, lambda v: reverse, lambda v: v * 0, lambda v: v + 0.5, lambda v: v - 0.5]
    changes += [lambda v, s=s: v + rng.normal(0, s, len(v)) for s in np.repeat([0.001, 0.01, 0.05, 0.2], 8)]
    values = TABLE["value"].to_numpy(dtype=float)
    assert any(on_published(CLAIMS[name], TABLE.assign(value=change(values))).verdict != before for change in changes)


def as_told(told: bool) -> pd.DataFrame:
    """A table of a 12-block model that follows the text on Figures 5 to 7 (or does the opposite everywhere)."""
    sign, depth = (1 if told else -1), np.arange(12)
    rows = [("token_probe_f1_dev", layer, None, 0.65 + 0.016 * layer) for layer in depth]
    rows += [("token_probe_f1_words", layer, None, 0.80 + sign * 0.002 * layer + (not told) * 0.15) for layer in depth]
    rows += [("type_probe_f1", layer, None, 0.74 + 0.005 * layer) for layer in depth]
    for k in (0, 2, 4, 5, 8, 16, 32):
        context = 1 - 0.5 ** k if told else k / 32
        rows += [("window_probe_f1_dev", layer, k, 0.45 + (0.1 + 0.01 * layer) * context if told else
                  0.45 + 0.01 * layer + (0.4 - 0.03 * layer) * context - 0.05 * (k == 8)) for layer in depth]
        bag = 0.45 + 0.105 * context - 0.0001 * max(k - 8, 0) if told else 0.9 + 0.001 * k
        rows.append(("bag_window_probe_f1_dev", None, k, bag))
    losses = {"pos": 0.06, "ner": 0.05, "sst2": 0.02, "mrpc": 0.01} if told else dict.fromkeys(zhao2020.FOUR, 0.01)
    for task, loss in losses.items():
        changed = depth if told else depth[::-1]
        new = {"pos": 0.1, "ner": 0.005, "sst2": 0.005, "mrpc": -0.004} if told else {
            "pos": 0.01, "ner": 0.05, "sst2": 0.05, "mrpc": 0.06}
        rows += [(f"old_probe_f1_dev_{task}", layer, None, 0.65 + 0.016 * layer - loss * changed[layer]
                  - (not told and task in ("sst2", "mrpc")) * 0.1) for layer in depth]
        rows += [(f"new_probe_f1_dev_{task}", layer, None, 0.65 + 0.016 * layer - new[task]) for layer in depth]
    for task, speed in (("pos", 0.05), ("mrpc", 0.02)):
        rows += [(f"attention_cosine_{task}", layer, None, 1 - speed * layer if told else speed * (1 + layer))
                 for layer in depth]
    rows += [("matrix_probe_f1", None, None, 0.65), ("context_free_ceiling", None, None, 0.65 if told else 0.4),
             ("suit_neighbours_shared", None, None, 5 if told else 3)]
    frame = pd.DataFrame(rows, columns=["measure", "layer", "k", "value"])
    frame["layer"] = frame["layer"] + 1                     # blocks of the paper to layers of the book
    return published.tidy(frame.assign(model="made up", family="masked"))


@pytest.mark.parametrize("name", UNDECIDED)
def test_claims_that_nothing_printed_decides_hold_where_the_text_is_followed_and_fail_where_not(name):
    claim = CLAIMS[name]
    assert claim.unprinted and claim.holds is not None
    assert claim.holds(as_told(True)) and not claim.holds(as_told(False))


def test_a_claim_about_one_model_can_be_asked_of_any_model_of_any_depth():
    four = TABLE[(TABLE["layer"] <= 4).fillna(False) | TABLE["layer"].isna()].assign(family="causal")
    for claim in zhao2020.CLAIMS:
        assert isinstance(claim.transfer, (Claim, str)), claim.id
        if isinstance(claim.transfer, Claim):
            assert claim.transfer.id == f"{claim.id}.transfer" and "masked" not in claim.transfer.needs.families
            if claim.needs.compares:
                any_family = TABLE.assign(family=TABLE["family"].replace("masked", "causal"))
                assert judge(claim.transfer, any_family) == judge(claim, TABLE), claim.id
            elif not claim.unprinted:
                part = four[four["model"] == "BERT-base-uncased"].reset_index(drop=True)
                reached = judge(claim.transfer, part)
                assert reached.verdict in (HOLDS, FAILS) or reached.reason.startswith("needs"), claim.id


def test_the_transfers_with_a_predicate_of_their_own_can_hold_and_fail():
    part = TABLE[TABLE["model"] == "BERT-base-uncased"].reset_index(drop=True)
    for name in ("zha-posa-l11", "zha-posb-l11"):
        transfer = CLAIMS[name].transfer
        assert judge(transfer, part).verdict == HOLDS
        measure = transfer.needs.measures[1]
        values = part["value"].where(part["measure"] != measure, 0.9 if "old" in measure else 0.1)
        assert judge(transfer, part.assign(value=values)).verdict == FAILS


def test_layer_numbers_are_those_of_the_book():
    """The paper's layer 0 is the output of the first block, our layer 1; our layer 0 was never probed."""
    rows = TABLE[TABLE["measure"] == "token_probe_f1"].set_index("layer")["value"]
    assert sorted(rows.index) == list(range(1, 13)) and rows[1] == 0.645 and rows[12] == 0.831
    with_input = pd.concat([TABLE, published.tidy([{"model": "BERT-base-uncased", "family": "masked", "layer": 0,
                                                    "measure": "token_probe_f1", "value": 0.9}])], ignore_index=True)
    assert (blocks(with_input, "token_probe_f1") == blocks(TABLE, "token_probe_f1")).all()


def test_the_checks_that_differ_are_the_known_errata():
    assert {name for name, found in FOUND.items() if not found.agrees} == ERRATA
    assert len(FOUND) == len(zhao2020.CHECKS)


@pytest.mark.parametrize("check", zhao2020.CHECKS, ids=lambda check: check.id)
def test_every_check_can_come_out_the_other_way(check):
    rng, values = np.random.default_rng(0), TABLE["value"].to_numpy(dtype=float)
    if check.id in ERRATA:
        fixed = TABLE.copy()
        if check.id.endswith("almost-85"):
            fixed.loc[fixed["measure"] == "token_probe_f1", "value"] += 0.02
        elif check.id.endswith("devlin-setup"):
            fixed.loc[fixed["measure"] == "finetuning_batch_size", "value"] = 32
            fixed.loc[fixed["measure"] == "finetuning_epochs", "value"] = 3
        else:
            fixed.loc[fixed["measure"].str.contains("released|probing"), "value"] = 0
        assert check.find(fixed).agrees
    else:
        changed = [TABLE.assign(value=values * rng.uniform(0.5, 0.9, len(values))) for _ in range(5)]
        if check.id.endswith("check-classes"):
            changed = [TABLE[TABLE["class"].fillna("") != "law"]]
        assert any(not check.find(table).agrees for table in changed)


def test_the_account_of_the_few_classes_that_differ_from_the_released_lists():
    with_name = with_release(TABLE, "pairs", "train")
    difference = with_name["computed"] - with_name["printed"]
    assert (difference > 0).sum() == 20 and difference.sum() == 21      # 19 of `@@`, and two more pairs
    without = {(split, unit): with_release(TABLE, unit, split, empty_name=False)
               for split in ("train", "test") for unit in ("pairs", "contexts")}
    account = {key: (t["computed"] - t["printed"])[lambda d: d != 0].to_dict() for key, t in without.items()}
    language = "computer-programming-language"
    assert account == {("train", "pairs"): {language: 1, "organization": 1},
                       ("train", "contexts"): {language: 49, "organization": 1, "broadcast-program": 1},
                       ("test", "pairs"): {language: 3, "product": 1},
                       ("test", "contexts"): {language: 19, "product": 1, "location": -1}}
    last = TABLE[TABLE["variant"] == "last of repeated entries"]
    assert one(last, "released_contexts", **{"class": "location", "dataset": "Wiki-PSE test"}) == 770_536


@pytest.mark.parametrize("variant, reading, value", [
    ("guess by base rate, words", "words", 0.271), ("yes to person", "words", 0.315),
    ("yes to person + location", "words", 0.434), ("yes to person + location + organization", "words", 0.456),
    ("most frequent class of each word", "words", 0.726), ("all classes of each word", "words", 1),
    ("all classes of each word", "pairs", 1), ("most frequent class of each word", "full", 0.569),
    ("all classes of each word", "full", 0.555), ("best without context", "full", 0.653),
    ("yes to person + location + organization", "full", 0.309), ("guess by base rate, contexts", "full", 0.068),
    ("guess by base rate, contexts", "pairs", 0.041), ("perfect on single words, base rate on phrases", "words", 0.641),
    ("perfect on single words, one answer on phrases", "words", 0.725)])
def test_the_reference_scores_are_those_of_the_notes(variant, reading, value):
    assert one(TABLE, "reference_f1", variant=variant, estimator=reading) == pytest.approx(value, abs=5e-4)


def test_counts_of_words_and_contexts_are_those_of_the_notes():
    test = TABLE[TABLE["dataset"] == "Wiki-PSE test"]
    words = test[test["measure"] == "released_words_with_k_classes"].set_index("k")["value"]
    assert words.sum() == 44_250 and words.drop("1").sum() == 19_230
    pairs = test[test["measure"] == "released_pairs_with_k_contexts"].set_index("k")["value"]
    share = pairs / pairs.sum()
    small = share[[str(k) for k in range(1, 5)]].sum()
    assert pairs.sum() == 77_710
    assert [round(100 * v, 1) for v in (share["1"], share[["1", "2"]].sum(), small, share["100"])] == [
        12.9, 18.6, 24.9, 14.4]


def test_the_differences_of_table_3_in_standard_errors():
    differences = score_differences(TABLE)
    assert differences == pytest.approx({"sst2": 0.001, "mrpc": -0.014, "ner": -0.018})
    assert standard_error(TABLE, "mrpc") == pytest.approx(0.0175, abs=1e-4)


def test_all_rows_of_the_published_file_are_in_the_table_under_one_schema(shared):
    with (shared / "published" / "zhao2020.csv").open(newline="", encoding="utf8") as file:
        source = list(csv.DictReader(file))
    printed = TABLE[TABLE["artifact"] != "Derived from the released word lists"]
    assert Counter(row["artifact"] for row in source) == Counter(printed["artifact"])
    assert Counter((row["artifact"], row["value"]) for row in source) == Counter(
        zip(printed["artifact"], printed["printed"], strict=True))
    assert list(TABLE.columns) == [*published.KEYS, "value", "artifact", "printed"]
    assert not TABLE.duplicated(["artifact", *published.KEYS]).any()
    assert printed.groupby("artifact").size().to_dict()["Table 8"] == 210


def test_the_cells_of_the_tables_stand_under_their_own_names(shared):
    """Not only the same numbers: the same number under the same model, layer, class and split."""
    with (shared / "published" / "zhao2020.csv").open(newline="", encoding="utf8") as file:
        source = {(r["artifact"], r["row"], r["column"]): r["value"] for r in csv.DictReader(file)}
    for row in TABLE[TABLE["artifact"].isin(("Table 5", "Table 6"))].itertuples():
        split = "dev" if row.measure.endswith("_dev") else "test"
        name = row.model if row.family != "masked" else "BERT"
        if row.artifact == "Table 5" and row.family == "masked":
            name = f"AVG-BERT-{row.layer - 1}" if pd.notna(row.layer) else "BERTw"
        elif row.artifact == "Table 6":
            name = f"BERT-{row.layer - 1}" if pd.notna(row.layer) else f"P-{name}"
        assert source[row.artifact, split, name] == row.printed
    eight = TABLE[TABLE["artifact"] == "Table 8"].rename(columns={"class": "of_class"})
    for row in eight.itertuples():
        unit = {"probing_pairs": "combs", "probing_contexts": "contexts"}[row.measure]
        assert source["Table 8", row.of_class, f"{row.dataset.split()[1]} {unit}"] == row.printed
    assert (class_sums(TABLE)["total"] == class_sums(TABLE)["computed"]).all()


def test_the_derived_table_is_what_the_script_makes_of_the_released_lists(shared, monkeypatch, tmp_path):
    path = Path(__file__).resolve().parents[2] / "workflow" / "tables" / "zhao2020.py"
    spec = importlib.util.spec_from_file_location("derived", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setenv("CWR_DATA", str(shared / "data" / "mirror"))
    monkeypatch.setattr(module, "TABLES", tmp_path)
    module.write_zhao2020()
    made = (tmp_path / "zhao2020_released.csv").read_text(encoding="utf8")
    assert made == (published.TABLES / "zhao2020_released.csv").read_text(encoding="utf8")
    assert len(made) < 100_000
