"""Zhao et al. (2020): the notes' verdicts on what is printed, and where each predicate turns.

The expected verdicts were typed from the notes before the predicates were written.
"""

import csv
import importlib.util
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cwr.papers.claims import Claim
from cwr.report.judgement import FAILS, HOLDS, NOT_RUN, UNDECIDED, judge, on_published
from cwr.tables import KEYS, Table, matching, only_value, tidy
from cwr.texts.zhao2020 import claims as zhao2020
from cwr.texts.zhao2020.claims import f1_readings, readings

PUBLISHED = zhao2020.published()
BERT = "BERT-base-uncased"
EXPECTED_FILE = Path(__file__).parent / "expected.csv"
with EXPECTED_FILE.open(newline="", encoding="utf8") as file:
    EXPECTED = {
        f"{row['claim']}.{row['reading']}".rstrip("."): row["verdict"]
        for row in csv.DictReader(file)
    }
CLAIMS = {claim.id: claim for claim in zhao2020.CLAIMS}
OTHERS = [name for name in CLAIMS if name.rpartition(".")[2] in f1_readings.OTHERS]
UNPRINTED = [name for name, verdict in EXPECTED.items() if verdict == "not decidable"]
FAILING = [name for name, verdict in EXPECTED.items() if verdict == FAILS]
ERRATA = {
    "zhao2020-check-train-words",
    "zhao2020-check-train-pairs",
    "zhao2020-check-train-contexts",
    "zhao2020-check-test-pairs",
    "zhao2020-check-test-contexts",
    "zhao2020-check-almost-85",
    "zhao2020-check-devlin-setup",
}
FOUND = {check.id: check.find(PUBLISHED) for check in zhao2020.CHECKS}


def of(model: str) -> pd.DataFrame:
    """The published rows of one model."""
    return PUBLISHED[(PUBLISHED["model"] == model).fillna(False)].reset_index(drop=True)


def changed(table: pd.DataFrame, value: float, **keys: object) -> pd.DataFrame:
    """A table with another value in the one row that has these keys."""
    keep = matching(table, **keys)
    assert keep.sum() == 1, keys
    return table.assign(value=table["value"].mask(keep, value))


def without(table: pd.DataFrame, **keys: object) -> pd.DataFrame:
    """A table without the rows that have these keys."""
    keep = matching(table, **keys)
    assert keep.any(), keys
    return table[~keep].reset_index(drop=True)


def form(name: str) -> Claim:
    """The general form of a claim."""
    general = CLAIMS[name].general_form
    assert isinstance(general, Claim)
    return general


# ---- the printed numbers


def test_every_row_of_the_notes_is_a_claim(shared):
    notes = (shared / "notes" / "zhao2020.md").read_text(encoding="utf8")
    text = notes.split("## (c)")[1].split("## (d)")[0]
    cells = [line.split("|")[1] for line in text.splitlines() if line.startswith("| zha-")]
    words = [name.strip() for cell in cells for name in cell.split(",")]
    names = [name if name.startswith("zha-") else f"zha-{name}" for name in words]
    assert [name for name in EXPECTED if "." not in name] == names


@pytest.mark.parametrize("name", FAILING)
def test_what_fails_on_the_printed_numbers_says_which_number_goes_against_the_words(name):
    reason = on_published(CLAIMS[name], PUBLISHED).reason
    assert any(character.isdigit() for character in reason) and ":" in reason


def test_the_reasons_of_the_claims_that_fail_in_their_own_words():
    reasons = {name: on_published(CLAIMS[name], PUBLISHED).reason for name in FAILING}
    for name, said in (
        ("zha-f1-almost-85", "the best F1 = 0.836"),
        ("zha-f1-rises-with-depth.dev", "layer 10 to 11 = -0.001"),
        ("zha-avg10-best", "the largest is layer 9 = 0.809, layer 10 = 0.808"),
    ):
        assert reasons[name] == f"Evidence against the claim: {said}"


def test_each_sentence_that_fails_has_a_reading_under_which_it_stands():
    for name in [name for name in FAILING if not CLAIMS[name].ours]:
        kinder = [claim for claim in CLAIMS.values() if claim.id.startswith(f"{name}.")]
        verdicts = [
            on_published(claim, PUBLISHED).verdict for claim in kinder if not claim.ours
        ]
        assert HOLDS in verdicts, name


def test_what_the_paper_does_not_say_is_ours_and_each_of_its_sentences_is_not():
    ours = {claim.id for claim in zhao2020.CLAIMS if claim.ours}
    assert all("." in name for name in ours)
    assert {
        "zha-t3-comparable.strict",
        "zha-pos-local.strict",
        "zha-ctx0-flat.full",
    } <= ours
    assert {*OTHERS, "zha-low-layers-most.context-alone"} <= ours
    assert "zha-f1-almost-85.loose" not in ours and "zha-t3-comparable.ner" not in ours


def test_the_sentences_of_the_general_forms_are_their_own():
    forms = [claim.general_form for claim in zhao2020.CLAIMS]
    sentences = [claim.says for claim in zhao2020.CLAIMS]
    sentences += [transfer.says for transfer in forms if isinstance(transfer, Claim)]
    assert len(set(sentences)) == len(sentences)


# ---- where a predicate turns: `<` or `<=`, and which layer, row and space it reads

TYPE, TOKEN = {"measure": "type_probe_f1"}, {"measure": "token_probe_f1"}
MATRIX = {"measure": "matrix_probe_f1"}
MEANS = {"measure": "static_bag_probe_f1"}
OLD, NEW = {"measure": "old_probe_f1_dev"}, {"measure": "new_probe_f1_dev"}
SCORE = {"measure": "finetuning_dev_score"}


@pytest.mark.parametrize("name", EXPECTED)
def test_all_draws_at_once_give_what_each_draw_gives_alone(name):
    claim = CLAIMS[name]
    table = world(followed=True) if claim.unprinted else PUBLISHED
    if not claim.needs.compares:
        model = "made up" if claim.unprinted else BERT
        table = table[(table["model"] == model).fillna(False)]
    table = table.reset_index(drop=True)
    values = table["value"].to_numpy(dtype=float)
    draws = values + np.random.default_rng(0).normal(0, 0.01, (12, len(values)))
    alone = [judge(claim, table.assign(value=draw)).verdict for draw in draws]
    together = judge(claim, table, draws)
    defined = [verdict == HOLDS for verdict in alone if verdict != NOT_RUN]
    assert together.support == pytest.approx(np.mean(defined))


# ---- what nothing printed decides: a world that follows the text, and its opposite


def world(followed: bool, n_layers: int = 12) -> pd.DataFrame:
    """A model in a world that follows the text on Figures 5 to 7, or does the opposite."""
    depth = np.arange(n_layers)
    rows = [
        *_contexts(depth, followed),
        *_tuned(depth, followed),
        *_attention(depth, followed),
    ]
    by_context = 0.80 + 0.002 * depth if followed else 0.95 - 0.002 * depth
    words = {"measure": "token_probe_f1", "estimator": "words"}
    rows += [words | {"layer": b, "value": by_context[b]} for b in depth]
    rows += [
        {"measure": "type_probe_f1", "layer": b, "value": 0.74 + 0.005 * b} for b in depth
    ]
    rows += [
        {"measure": "context_alone_probe_f1", "layer": b, "value": value}
        for b, value in zip(depth, _without_target(depth, followed), strict=True)
    ]
    at_input = 0.0 if followed else _without_target(depth, followed)[0]
    rows.append({"measure": "context_alone_probe_f1", "layer": -1, "value": at_input})
    rows += [
        {"measure": "matrix_probe_f1", "value": 0.65},
        {"measure": "context_free_ceiling_dev", "value": 0.65 if followed else 0.4},
        {"measure": "suit_neighbours_shared", "value": 5 if followed else 3},
    ]
    model = pd.DataFrame(rows).assign(model="made up", family="masked")
    model["layer"] = model["layer"] + 1  # the paper's blocks to our layers
    glove = {
        "model": "GloVe",
        "family": "static",
        "measure": "suit_neighbours_shared",
        "value": 4,
    }
    return tidy([*model.to_dict("records"), glove])


def _contexts(depth: np.ndarray, followed: bool) -> list[dict]:
    """Scores at seven context sizes: a bag of words beside the blocks."""
    rows = []
    for k in (0, 2, 4, 5, 8, 16, 32):
        if followed:
            context = 1 - 0.5**k
            scores = 0.45 + (0.1 + 0.01 * depth) * context
            bag = 0.45 + 0.105 * context - 0.0001 * max(k - 8, 0)
        else:
            scores = 0.45 + 0.01 * depth + (0.4 - 0.03 * depth) * k / 32 - 0.05 * (k == 8)
            bag = 0.9 + 0.001 * k
        window = {"measure": "window_probe_f1_dev", "k": k}
        rows += [window | {"layer": b, "value": scores[b]} for b in depth]
        rows.append({"measure": "bag_window_probe_f1_dev", "k": k, "value": bag})
    return rows


def _without_target(depth: np.ndarray, followed: bool) -> np.ndarray:
    """Scores read off a context alone: a rise that levels off, or one that speeds up after a dip."""
    if followed:
        return 0.5 + 0.04 * (1 - 0.5**depth) / (1 - 0.5)
    return 0.5 + 0.012 * depth * (depth - 2)


def _tuned(depth: np.ndarray, followed: bool) -> list[dict]:
    """Scores of old and new probes after tuning on four tasks."""
    before = 0.65 + 0.016 * depth
    old = {"pos": 0.06, "ner": 0.05, "sst2": 0.02, "mrpc": 0.01}
    new = {"pos": 0.1, "ner": 0.005, "sst2": 0.005, "mrpc": -0.004}
    untuned = {"measure": "pretrained_probe_f1_dev"}
    rows = [untuned | {"layer": b, "value": before[b]} for b in depth]
    for task, speed in old.items():
        loss = speed * depth if followed else (0.07 - speed) * depth[::-1]
        cost = new[task] if followed else 0.06 - new[task]
        loss = loss if followed or task in ("pos", "ner") else loss + 0.1
        rows += [
            row
            for b in depth
            for row in (
                OLD | {"task": task, "layer": b, "value": before[b] - loss[b]},
                NEW | {"task": task, "layer": b, "value": before[b] - cost},
            )
        ]
    return rows


def _attention(depth: np.ndarray, followed: bool) -> list[dict]:
    """Cosines of attention of two heads before and after tuning on two tasks."""
    rows = []
    for task, speed in (("pos", 0.05), ("mrpc", 0.02)):
        cosines = 1 - speed * depth if followed else speed * (1 + depth)
        row = {"measure": "attention_cosine", "task": task}
        rows += [
            row | {"layer": b, "head": h, "value": cosines[b]}
            for b in depth
            for h in (0, 1)
        ]
    return rows


def asked(claim: Claim, table: pd.DataFrame) -> str:
    """The verdict on the one encoder of a world, or on the whole of it."""
    if not claim.needs.compares:
        table = table[table["model"] == "made up"].reset_index(drop=True)
    return judge(claim, table).verdict


@pytest.mark.parametrize("name", UNPRINTED)
def test_claims_that_nothing_printed_decides_hold_in_a_world_that_follows_the_text(name):
    claim = CLAIMS[name]
    assert claim.unprinted
    assert asked(claim, world(followed=True)) == HOLDS
    assert asked(claim, world(followed=False)) == FAILS


WINDOW = {"measure": "window_probe_f1_dev"}
WORLD_TURNS = [
    ("zha-ctx-larger-better", WINDOW | {"layer": 6, "k": 8}, 0.59, FAILS),
    ("zha-ctx-larger-better", WINDOW | {"layer": 6, "k": 8}, 0.595, HOLDS),
    ("zha-ctx0-flat", WINDOW | {"layer": 4, "k": 0}, 0.48, HOLDS),
    ("zha-ctx0-flat", WINDOW | {"layer": 4, "k": 0}, 0.4801, FAILS),
    ("zha-ctx0-flat", WINDOW | {"layer": 4, "k": 2}, 0.9, HOLDS),
    ("zha-ctx0-flat.full", {"measure": "context_free_ceiling_dev"}, 0.45, HOLDS),
    ("zha-ctx0-flat.full", {"measure": "context_free_ceiling_dev"}, 0.4499, FAILS),
    ("zha-ctx-depth-gap", WINDOW | {"layer": 12, "k": 0}, 0.6, FAILS),
    ("zha-ctx-depth-gap", WINDOW | {"layer": 12, "k": 2}, 0.9, HOLDS),
    ("zha-ctx-pbert-hurts", {"measure": "bag_window_probe_f1_dev", "k": 16}, 0.6, FAILS),
    ("zha-five-words", WINDOW | {"layer": 12, "k": 32}, 0.68, FAILS),
    ("zha-five-words", WINDOW | {"layer": 12, "k": 0}, 0.65, NOT_RUN),
    ("zha-b-mrpc-up", NEW | {"task": "mrpc", "layer": 7}, 0.7459, FAILS),
    ("zha-b-mrpc-up", NEW | {"task": "mrpc", "layer": 7}, 0.746, HOLDS),
    ("zha-b-sst-ner-flat", NEW | {"task": "ner", "layer": 2}, 0.656, HOLDS),
    ("zha-b-sst-ner-flat", NEW | {"task": "ner", "layer": 2}, 0.6559, FAILS),
]


@pytest.mark.parametrize("name, keys, value, expected", WORLD_TURNS)
def test_one_changed_number_turns_a_claim_in_a_world_that_follows_the_text(
    name, keys, value, expected
):
    table = changed(world(followed=True), value, **keys)
    assert asked(CLAIMS[name], table) == expected


@pytest.mark.parametrize(
    "kept, expected",
    [
        ((1, 0.9), HOLDS),
        ((0.501, 0.5), HOLDS),
        ((0.5, 0.4), FAILS),  # the lower layers lose half
        ((0.6, 0.6), FAILS),  # all lose one share, and the upper ones more F1
    ],
)
def test_lower_layers_keep_most_of_their_f1_and_a_larger_share_than_upper_ones(
    kept, expected
):
    table = world(followed=True)
    lower = (table["layer"] <= 4).to_numpy(bool, na_value=False)
    before = table[table["measure"] == "pretrained_probe_f1_dev"].set_index("layer")
    left = table["layer"].map(before["value"]).astype(float) * np.where(lower, *kept)
    is_old = table["measure"] == OLD["measure"]
    table["value"] = table["value"].mask(is_old, left)
    assert asked(CLAIMS["zha-ft-low-stable"], table) == expected


def test_if_tuning_leaves_a_guess_in_every_layer_the_lower_ones_are_not_stable():
    table = world(followed=True)
    table["value"] = table["value"].mask(table["measure"] == OLD["measure"], 0.072)
    assert asked(CLAIMS["zha-ft-low-stable"], table) == FAILS


@pytest.mark.parametrize("name", UNPRINTED)
def test_a_model_of_another_family_and_depth_is_asked_the_general_form(name):
    if isinstance(
        CLAIMS[name].general_form, str
    ):  # about the paper's own lists, or any model already
        return
    for followed, expected in ((True, HOLDS), (False, FAILS)):
        causal = world(followed, n_layers=8)
        causal["family"] = causal["family"].replace("masked", "causal")
        assert asked(form(name), causal) == expected
        assert judge(CLAIMS[name], causal[causal["model"] == "made up"]).beyond


def test_every_claim_has_a_general_form_or_says_why_not():
    for claim in zhao2020.CLAIMS:
        assert isinstance(claim.general_form, (Claim, str)), claim.id
        if isinstance(claim.general_form, Claim):
            assert claim.general_form.id == f"{claim.id}.transfer"
            assert "masked" not in claim.general_form.needs.families


def test_the_general_forms_decide_the_printed_numbers_of_another_family_alike():
    family = PUBLISHED["family"].replace("masked", "causal")
    causal = PUBLISHED.assign(family=family)
    one_model = causal[(causal["model"] == BERT).fillna(False)].reset_index(drop=True)
    for claim in zhao2020.CLAIMS:
        if claim.unprinted or isinstance(claim.general_form, str):
            continue
        table = causal if claim.needs.compares else one_model
        assert judge(claim.general_form, table).verdict == EXPECTED[claim.id], claim.id


def test_the_transfers_with_a_predicate_of_their_own_can_hold_and_fail():
    for name, value in (("zha-posa-l11", 0.4176), ("zha-posb-l11", 0.7097)):
        measure = form(name).needs.measures[1]
        assert judge(form(name), of(BERT)).verdict == HOLDS
        assert (
            judge(form(name), changed(of(BERT), value, measure=measure)).verdict == FAILS
        )


# ---- nothing is decided on nothing


def test_a_matrix_is_not_like_static_vectors_where_there_are_none():
    """Without a static space besides random vectors and the corpus' own, any matrix would pass."""
    keep = ~PUBLISHED["model"].isin(["GloVe", "fastText"])
    table = changed(PUBLISHED[keep].reset_index(drop=True), 0.1, **MATRIX)
    base = judge(CLAIMS["zha-bertw-like-static"], table)
    assert base.verdict == NOT_RUN and "GloVe and fastText" in base.reason
    general = judge(form("zha-bertw-like-static"), table)
    assert (
        general.reason
        == "the claim needs numbers that are missing here: static probe F1 (GloVe or fastText or cwr-static)"
    )
    other = changed(PUBLISHED, 0.1, **MATRIX)
    assert judge(form("zha-bertw-like-static"), other).verdict == FAILS


@pytest.mark.parametrize(
    "name", ["zha-pft-beats-l0-l1", "zha-l2-beats-both", "zha-prand-strong"]
)
def test_a_mean_of_static_vectors_is_not_compared_where_there_is_none(name):
    table = without(PUBLISHED, **MEANS, model="fastText")
    assert judge(CLAIMS[name], table).verdict == NOT_RUN
    pse = tidy([{"model": "PSE", "family": "static", **MEANS, "value": 0.7}])
    with_pse = pd.concat([table, pse], ignore_index=True)  # trained on the probing corpus
    assert "is about fastText" in judge(CLAIMS[name], with_pse).reason
    reason = "the claim needs numbers that are missing here: static bag probe F1 (GloVe or fastText or cwr-static)"
    assert judge(form(name), with_pse).reason == reason


def test_only_spaces_trained_on_another_corpus_serve_the_general_form():
    for name, verdict in (("cwr-static", HOLDS), ("GloVe", HOLDS), ("X2Static", NOT_RUN)):
        table = PUBLISHED.assign(model=PUBLISHED["model"].replace("fastText", name))
        table = table[table["measure"] != "static_probe_f1"]
        assert judge(CLAIMS["zha-pft-beats-l0-l1"], table).verdict == NOT_RUN
        assert judge(form("zha-pft-beats-l0-l1"), table).verdict == verdict


def test_a_block_that_is_missing_between_others_is_told():
    table = without(of(BERT), **TOKEN, layer=5)
    verdict = judge(CLAIMS["zha-f1-rises-with-depth"], table)
    assert verdict.verdict == NOT_RUN
    assert "those of layers 1, 2, 3, 4, 6, 7" in verdict.reason
    no_first = without(of(BERT), **TOKEN, layer=1)
    assert judge(CLAIMS["zha-l0-below-pbert"], no_first).verdict == NOT_RUN


def test_every_fifth_block_of_a_deep_model_is_enough():
    rows = [
        {"model": "deep", "family": "causal", "layer": layer, **TOKEN, "value": value}
        for layer, value in zip((0, 5, 10, 15), (0.9, 0.5, 0.6, 0.65), strict=True)
    ]
    assert judge(form("zha-f1-rises-with-depth"), tidy(rows)).verdict == HOLDS
    assert judge(form("zha-f1-rises-with-depth"), tidy(rows[:2])).verdict == NOT_RUN


def test_a_tie_at_the_top_and_a_score_that_does_not_rise_have_no_answer():
    tie = changed(of(BERT), 0.809, **TYPE, layer=11)
    verdict = judge(CLAIMS["zha-avg10-best"], tie)
    assert (verdict.verdict, verdict.reason) == (
        NOT_RUN,
        "two values tie for the largest score",
    )
    rows = of(BERT)
    averages = rows["measure"].str.startswith("type_probe_f1")
    flat = rows.assign(value=rows["value"].mask(averages, 0.8))
    for name in ("zha-avg10-best.tie", "zha-avg10-best.seeds"):
        assert judge(CLAIMS[name], flat).reason == "all layers tie"
    fall = 0.9 - 0.01 * rows["layer"].astype(float)
    falling = rows.assign(
        value=rows["value"].mask(rows["measure"] == "token_probe_f1", fall)
    )
    perfect = changed(of(BERT), 1.0, **SCORE, task="sst2")
    assert "no standard error" in judge(CLAIMS["zha-t3-comparable"], perfect).reason
    for name in ("zha-low-layers-most", "zha-f1-levels-off"):
        verdict = judge(CLAIMS[name], falling)
        assert verdict.verdict == NOT_RUN and "does not rise" in verdict.reason


def test_a_number_that_is_missing_in_some_draws_leaves_a_claim_undecided():
    table = of(BERT)
    draws = np.tile(table["value"].to_numpy(dtype=float), (20, 1))
    column = np.flatnonzero((table["measure"] == "token_probe_f1") & (table["layer"] == 4))
    draws[:2, column] = np.nan
    verdict = judge(CLAIMS["zha-f1-rises-with-depth"], table, draws)
    assert verdict.verdict == UNDECIDED and verdict.ground == "no meaning in 10% of draws"


def test_a_context_size_that_was_not_run_is_told_and_four_and_five_are_read_between_others():
    table = world(followed=True)
    table = table[table["model"] == "made up"].reset_index(drop=True)
    no_five = without(table, measure="window_probe_f1_dev", k=5)
    assert judge(CLAIMS["zha-five-words"], no_five).verdict == HOLDS
    no_four = without(table, measure="window_probe_f1_dev", k=4)
    assert judge(CLAIMS["zha-ctx-small-steps"], no_four).verdict == HOLDS
    no_end = without(no_four, measure="window_probe_f1_dev", k=32)
    assert judge(CLAIMS["zha-ctx-small-steps"], no_end).verdict == NOT_RUN
    no_eight = without(table, measure="window_probe_f1_dev", k=8)
    assert (
        judge(CLAIMS["zha-ctx-depth-gap"], no_eight).reason
        == "the claim needs numbers that are missing here: scores at 8 words a side"
    )
    no_top = without(table, measure="window_probe_f1_dev", k=32)
    assert judge(CLAIMS["zha-five-words"], no_top).verdict == NOT_RUN
    one_hole = without(table, measure="window_probe_f1_dev", k=4, layer=3)
    assert judge(CLAIMS["zha-ctx-larger-better"], one_hole).verdict == NOT_RUN


def test_context_sizes_are_numbers_whether_they_are_printed_or_measured():
    measured = PUBLISHED.assign(
        k=[int(k) if str(k).isdigit() else k for k in PUBLISHED["k"]]
    )
    for table in (PUBLISHED, measured):
        sizes, losses = readings.band_losses(Table(table))
        assert sizes.tolist() == [0, 2, 4, 8, 16, 32]
        assert losses[0] == pytest.approx([0.091, 0.004, 0.002, 0.001, 0, 0])


def test_each_claim_about_f1_on_contexts_is_followed_by_its_other_readings():
    names = list(CLAIMS)
    first = [name for name in EXPECTED if CLAIMS[name].needs.estimator == "full"]
    assert len(OTHERS) == 2 * (len(first) - 1)  # zha-ctx0-flat.full is about "full" alone
    for name in first:
        measures = set(CLAIMS[name].needs.measures)
        assert measures & {*readings.OF_CONTEXTS} and len(measures) > 0
        if name == "zha-ctx0-flat.full":
            continue
        at = names.index(name)
        assert names[at + 1 : at + 3] == [f"{name}.pairs", f"{name}.words"]
        for other in names[at + 1 : at + 3]:
            assert CLAIMS[other].needs.estimator == other.rpartition(".")[2]
            assert on_published(CLAIMS[other], PUBLISHED).verdict == "not decidable"
    without_reading = [name for name in EXPECTED if CLAIMS[name].needs.estimator is None]
    read = {measure for name in without_reading for measure in CLAIMS[name].needs.measures}
    assert not read & {*readings.OF_CONTEXTS}
    assert CLAIMS["zha-learning-not-context"].needs.estimator == "words"


def test_each_reading_is_asked_of_its_own_rows_where_all_three_stand_in_one_table():
    rows = of(BERT)
    token = rows["measure"] == "token_probe_f1"
    falling = rows.assign(value=rows["value"].mask(token, 1 - rows["value"]))
    parts = {"full": rows, "pairs": falling, "words": rows}
    table = pd.concat([part.assign(estimator=name) for name, part in parts.items()])
    table = table.reset_index(drop=True)
    name = "zha-f1-rises-with-depth"
    assert judge(CLAIMS[name], table).verdict == HOLDS
    assert judge(CLAIMS[f"{name}.pairs"], table).verdict == FAILS
    assert judge(CLAIMS[f"{name}.words"], table).verdict == HOLDS
    pairs = falling.assign(estimator="pairs")
    assert (
        judge(CLAIMS[name], pairs).reason
        == "the claim needs numbers that are missing here: token probe F1 by the estimator 'full'"
    )


def test_rows_with_and_without_a_reading_are_refused_together():
    rows = of(BERT)
    both = pd.concat([rows, rows.assign(estimator="full")], ignore_index=True)
    verdict = judge(CLAIMS["zha-f1-rises-with-depth"], both)
    assert verdict.verdict == NOT_RUN and "estimator none, full" in verdict.reason


def test_a_comparing_claim_is_asked_of_every_encoder_and_names_the_one_that_goes_against_it():
    rows = PUBLISHED[(PUBLISHED["model"] == BERT).fillna(False)]
    other = rows.assign(
        model="another", value=rows["value"].mask(rows["layer"] == 12, 0.5)
    )
    table = pd.concat([PUBLISHED, other], ignore_index=True)
    verdict = judge(CLAIMS["zha-l2-beats-both"], table)
    assert verdict.verdict == FAILS and "another layer 12" in verdict.reason
    assert BERT not in verdict.reason


def test_a_verdict_names_layers_of_the_papers_model_as_the_paper_and_of_others_as_the_book():
    rows = PUBLISHED[(PUBLISHED["model"] == BERT).fillna(False)]
    other = rows.assign(model="another")
    first = {}
    for name, table in (("paper", rows), ("other", other)):
        names = readings.step_names(Table(table), "token_probe_f1")
        first[name] = names[0], names[-1]
    assert first["paper"] == ("layer 0 to 1", "layer 10 to 11")
    assert first["other"] == ("layer 1 to 2", "layer 11 to 12")


# ---- layers, checks, counts


def test_layer_numbers_are_those_of_the_book():
    """The paper's layer 0 is the first block's output, our layer 1; our layer 0 was not probed."""
    rows = PUBLISHED[PUBLISHED["measure"] == "token_probe_f1"].set_index("layer")["value"]
    assert (
        sorted(rows.index) == list(range(1, 13)) and rows[1] == 0.645 and rows[12] == 0.831
    )
    row = {"model": BERT, "family": "masked", "layer": 0, **TOKEN, "value": 0.9}
    with_input = Table(pd.concat([PUBLISHED, tidy([row])], ignore_index=True))
    scores = readings.blocks(with_input, "token_probe_f1")
    assert (scores == readings.blocks(Table(PUBLISHED), "token_probe_f1")).all()
    assert readings.block_names(with_input, "token_probe_f1")[0] == "layer 0"


def test_the_checks_that_differ_are_the_known_errata():
    assert {name for name, found in FOUND.items() if not found.agrees} == ERRATA
    assert len(FOUND) == len(zhao2020.CHECKS)
    remarks = {check.id for check in zhao2020.CHECKS if check.remark}
    assert remarks == {"zhao2020-check-rand"}  # nobody printed a base rate


def test_the_checks_against_the_lists_and_devlin_agree_once_their_differences_are_mended():
    lists = [
        check
        for check in zhao2020.CHECKS
        if check.place == "Table 8" and check.id in ERRATA
    ]
    assert len(lists) == 4
    zeros = PUBLISHED["value"].mask(
        PUBLISHED["measure"].str.contains("released|probing"), 0
    )
    assert all(check.find(PUBLISHED.assign(value=zeros)).agrees for check in lists)
    devlin = next(check for check in zhao2020.CHECKS if check.id.endswith("devlin-setup"))
    values = PUBLISHED["value"].mask(PUBLISHED["measure"] == "finetuning_batch_size", 32)
    values = values.mask(PUBLISHED["measure"] == "finetuning_epochs", 3)
    assert devlin.find(PUBLISHED.assign(value=values)).agrees


def test_the_account_of_the_few_classes_that_differ_from_the_released_lists():
    with_name = readings.with_release(PUBLISHED, "pairs", "train")
    difference = with_name["computed"] - with_name["printed"]
    assert (difference > 0).sum() == 20 and difference.sum() == 21  # 19 of `@@`, two more
    account = {}
    for split in ("train", "test"):
        for unit in ("pairs", "contexts"):
            counts = readings.with_release(PUBLISHED, unit, split, empty_name=False)
            more = counts["computed"] - counts["printed"]
            account[split, unit] = more[more != 0].to_dict()
    language = "computer-programming-language"
    assert account == {
        ("train", "pairs"): {language: 1, "organization": 1},
        ("train", "contexts"): {language: 49, "organization": 1, "broadcast-program": 1},
        ("test", "pairs"): {language: 3, "product": 1},
        ("test", "contexts"): {language: 19, "product": 1, "location": -1},
    }
    last = PUBLISHED[PUBLISHED["variant"] == "last of repeated entries"]
    keys = {"class": "location", "dataset": "Wiki-PSE test"}
    assert only_value(last, "released_contexts", **keys) == 770_536


REFERENCES = [
    ("guess by base rate, words", "words", 0.271),
    ("yes to person", "words", 0.315),
    ("yes to person + location", "words", 0.434),
    ("yes to person + location + organization", "words", 0.456),
    ("most frequent class of each word", "words", 0.726),
    ("all classes of each word", "words", 1),
    ("all classes of each word", "pairs", 1),
    ("most frequent class of each word", "full", 0.569),
    ("all classes of each word", "full", 0.555),
    ("best without context", "full", 0.653),
    ("yes to person + location + organization", "full", 0.309),
    ("guess by base rate, contexts", "full", 0.068),
    ("guess by base rate, contexts", "pairs", 0.041),
    ("perfect on single words, base rate on phrases", "words", 0.641),
    ("perfect on single words, one answer on phrases", "words", 0.725),
]


@pytest.mark.parametrize("variant, reading, value", REFERENCES)
def test_the_reference_scores_are_those_of_the_notes(variant, reading, value):
    score = only_value(PUBLISHED, "reference_f1", variant=variant, estimator=reading)
    assert score == pytest.approx(value, abs=5e-4)


def test_counts_of_words_and_contexts_are_those_of_the_notes():
    test = PUBLISHED[PUBLISHED["dataset"] == "Wiki-PSE test"]
    words = test[test["measure"] == "released_words_with_k_classes"].set_index("k")[
        "value"
    ]
    assert words.sum() == 44_250 and words.drop("1").sum() == 19_230
    pairs = test[test["measure"] == "released_pairs_with_k_contexts"].set_index("k")[
        "value"
    ]
    share = pairs / pairs.sum()
    small = share[[str(k) for k in range(1, 5)]].sum()
    assert pairs.sum() == 77_710
    shown = (share["1"], share[["1", "2"]].sum(), small, share["100"])
    assert [round(100 * value, 1) for value in shown] == [12.9, 18.6, 24.9, 14.4]


def test_the_differences_of_table_3_in_standard_errors():
    table = Table(PUBLISHED)
    tasks = ("sst2", "mrpc", "ner")
    differences = [readings.score_difference(table, task)[0] for task in tasks]
    assert differences == pytest.approx([0.001, -0.014, -0.018])
    assert readings.standard_error(table, "mrpc")[0] == pytest.approx(0.0175, abs=1e-4)


def test_all_rows_of_the_published_file_are_in_the_table_under_one_schema(shared):
    with (shared / "published" / "zhao2020.csv").open(newline="", encoding="utf8") as file:
        source = list(csv.DictReader(file))
    printed = PUBLISHED[PUBLISHED["artifact"] != "Derived from the released word lists"]
    assert Counter(row["artifact"] for row in source) == Counter(printed["artifact"])
    assert Counter((row["artifact"], row["value"]) for row in source) == Counter(
        zip(printed["artifact"], printed["printed"], strict=True)
    )
    assert list(PUBLISHED.columns) == [*KEYS, "value", "artifact", "printed"]
    assert not PUBLISHED.duplicated(["artifact", *KEYS]).any()
    assert printed.groupby("artifact").size().to_dict()["Table 8"] == 210


def test_the_cells_of_the_tables_stand_under_their_own_names(shared):
    """Not only the same numbers: the same number under the same model, layer, class and split."""
    with (shared / "published" / "zhao2020.csv").open(newline="", encoding="utf8") as file:
        source = {
            (r["artifact"], r["row"], r["column"]): r["value"]
            for r in csv.DictReader(file)
        }
    for row in PUBLISHED[PUBLISHED["artifact"].isin(("Table 5", "Table 6"))].itertuples():
        split = "dev" if row.measure.endswith("_dev") else "test"
        name = row.model if row.family != "masked" else "BERT"
        if row.artifact == "Table 5" and row.family == "masked":
            name = f"AVG-BERT-{row.layer - 1}" if pd.notna(row.layer) else "BERTw"
        elif row.artifact == "Table 6":
            name = f"BERT-{row.layer - 1}" if pd.notna(row.layer) else f"P-{name}"
        assert source[row.artifact, split, name] == row.printed
    eight = PUBLISHED[PUBLISHED["artifact"] == "Table 8"].rename(
        columns={"class": "of_class"}
    )
    for row in eight.itertuples():
        unit = {"probing_pairs": "combs", "probing_contexts": "contexts"}[row.measure]
        assert (
            source["Table 8", row.of_class, f"{row.dataset.split()[1]} {unit}"]
            == row.printed
        )
    sums = readings.class_sums(PUBLISHED)
    assert (sums["total"] == sums["computed"]).all()


def test_the_derived_table_is_what_the_script_makes_of_the_released_lists(
    shared, monkeypatch, tmp_path
):
    path = Path(__file__).resolve().parents[3] / "workflow" / "tables" / "zhao2020.py"
    spec = importlib.util.spec_from_file_location("derived", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    committed = Path(zhao2020.__file__).parent / "released.csv"
    assert module.DERIVED == committed
    monkeypatch.setenv("CWR_DATA", str(shared / "data" / "mirror"))
    module.write(tmp_path / "released.csv")
    text = (tmp_path / "released.csv").read_text(encoding="utf8")
    assert text == committed.read_text(encoding="utf8")
    assert len(text) < 100_000
