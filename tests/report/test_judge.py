"""Verdicts on tables with a known answer."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cwr.papers.claims import Bound, Claim, Control, General, Needs
from cwr.papers.predicates import (
    above,
    at_least,
    every,
    largest,
    layer_names,
    most,
    ratio,
    trend,
)
from cwr.report import Verdict, controls, judge
from cwr.report.judgement import Parts, on_published
from cwr.rows import Rows
from cwr.tables import UNTRAINED, Undefined, tidy

TABLE = tidy(
    [
        {"model": "m", "family": "masked", "layer": layer, "measure": "b", "value": 0.5}
        for layer in range(4)
    ]
)


def claim(holds, **fields) -> Claim:
    fields = {
        "id": "c",
        "place": "p",
        "says": "s",
        "needs": Needs(measures=("b",)),
        "tolerance": "",
    } | fields
    return Claim(holds=holds, **fields)


def above_04(table):
    values = table.curve("b")
    return every(table, values > 0.4, layer_names(range(values.shape[1])), values)


CLAIM = claim(above_04)


def with_share(share: float) -> np.ndarray:
    """200 draws of the four rows, of which `share` keep the claim."""
    draws = np.full((200, 4), 0.5)
    draws[int(round(200 * share)) :, 2] = 0.3
    return draws


@pytest.mark.parametrize(
    "share, verdict",
    [
        (1, "holds"),
        (0.975, "holds"),
        (0.97, "undecided"),
        (0.5, "undecided"),
        (0.03, "undecided"),
        (0.01, "undecided"),  # of four layers, one fails by itself in at most 2.5 % / 4
        (0.005, "fails"),
        (0, "fails"),
    ],
)
def test_the_share_of_replicates_decides(share, verdict):
    result = judge(CLAIM, TABLE, with_share(share))
    assert (result.verdict, result.support) == (verdict, pytest.approx(share))


@pytest.mark.parametrize(
    "share, verdict", [(0.03, "undecided"), (0.025, "fails"), (0, "fails")]
)
def test_one_thing_alone_fails_in_a_fortieth_of_the_draws(share, verdict):
    one = claim(lambda table: at_least(table, table.value("b", layer=2), 0.4, "layer 2"))
    result = judge(one, TABLE, with_share(share))
    assert (result.verdict, result.support, result.parts) == (
        verdict,
        pytest.approx(share),
        None,
    )


def test_what_fails_as_a_whole_without_a_part_that_fails_is_undecided_and_says_which_is_least():
    draws = np.full((200, 4), 0.5)
    for layer in range(4):
        draws[layer * 50 : (layer + 1) * 50, layer] = 0.3  # each layer is low in a quarter
    draws[:50, 1] = 0.3
    verdict = judge(CLAIM, TABLE, draws)
    assert (verdict.verdict, verdict.support) == ("undecided", 0)
    assert verdict.reason == "no part of the claim clearly fails on its own"
    assert verdict.parts == Parts(number=4, holding=0, least="layer 1", support=0.5)
    assert judge(CLAIM, TABLE, np.full((9, 4), 0.5)).parts.holding == 4


def test_a_claim_of_some_layer_and_one_of_most_have_no_parts():
    draws = np.full((200, 4), 0.5)
    draws[:150, 0] = 0.3
    for holds in (
        lambda table: ~above_04(table),
        lambda table: most(table, table.curve("b") > 0.4, range(4)),
        lambda table: above_04(table) | (table.curve("b")[:, 1] > 0.4),
    ):
        assert judge(claim(holds), TABLE, draws).parts is None


@pytest.mark.parametrize("number", [4, 12, 30, 80])
@pytest.mark.parametrize(
    "inside", [0, 1], ids=["on the bound", "one standard error inside"]
)
def test_every_layer_fails_by_noise_as_seldom_in_a_deep_model_as_in_a_flat_one(
    number, inside
):
    generator = np.random.default_rng(number)
    rows = [
        {"model": "m", "family": "masked", "layer": layer, "measure": "b"}
        for layer in range(number)
    ]

    def noise(draws: int) -> np.ndarray:
        """Standard errors with a correlation of one half between layers, (draws, number)."""
        shared, own = (
            generator.normal(size=(draws, 1)),
            generator.normal(size=(draws, number)),
        )
        return (shared + own) / np.sqrt(2)

    above_0 = claim(
        lambda table: above(table, table.curve("b"), 0, layer_names(range(number)))
    )
    worlds = 200
    fails = 0
    for _ in range(worlds):
        estimate = inside + noise(1)[0]
        table = tidy(
            [{**row, "value": value} for row, value in zip(rows, estimate, strict=True)]
        )
        fails += judge(above_0, table, estimate + noise(1000)).verdict == "fails"
    nominal, sampling = 0.025, 2 * np.sqrt(0.025 * 0.975 / worlds)
    assert fails / worlds <= nominal + sampling


def test_without_replicates_the_point_value_decides():
    assert judge(CLAIM, TABLE).verdict == "holds"
    assert judge(CLAIM, TABLE.assign(value=0.1)).verdict == "fails"
    assert judge(CLAIM, TABLE, np.full((5, 4), np.nan)).support is None


def test_an_estimate_without_replicates_keeps_its_point_value_in_every_draw():
    draws = np.full((10, 4), 0.5)
    draws[:, 1] = np.nan
    assert judge(CLAIM, TABLE, draws).support == 1
    low = TABLE.copy()
    low.loc[1, "value"] = 0.1
    assert judge(CLAIM, low, draws).support == 0


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_an_estimate_that_is_no_number_is_not_judged(value):
    broken = TABLE.copy()
    broken.loc[2, "value"] = value
    draws = np.full((10, 4), 0.5)
    verdict = judge(CLAIM, broken, draws)
    assert (verdict.verdict, verdict.reason) == (
        "not run",
        "an estimate of this model is no number",
    )
    assert judge(CLAIM, broken).verdict == "not run", (
        "printed numbers, too, without a replicate"
    )
    other = pd.concat([TABLE, broken.assign(measure="x")], ignore_index=True)
    assert judge(CLAIM, other, np.full((10, 8), 0.5)).verdict == "holds", (
        "b does not read x"
    )


def test_an_infinite_draw_has_no_meaning():
    draws = np.full((200, 4), 0.5)
    draws[:100, 1] = np.inf
    assert judge(CLAIM, TABLE, draws).verdict == "undecided"
    draws[:] = np.inf
    assert judge(CLAIM, TABLE, draws).verdict == "not run"


def test_judging_does_not_change_the_table():
    before = TABLE.copy()
    judge(CLAIM, TABLE, with_share(0.5))
    assert TABLE.equals(before)


def test_what_cannot_be_asked_is_not_run_with_a_reason():
    def reason(**needs):
        return judge(
            claim(above_04, needs=Needs(**{"measures": ("b",)} | needs)), TABLE
        ).reason

    assert (
        reason(measures=("b", "s_x"))
        == "the claim needs numbers that are missing here: s x"
    )
    assert "12-layer" in reason(n_layers=12) and reason(n_layers=3) == ""
    assert "no bilstm and no causal" in reason(compares=True)
    assert "'pca'" in reason(estimator="pca")
    assert (
        reason(models=("BERT", "m"))
        == "the claim is about BERT, a model without results here"
    )
    assert (
        reason(datasets=("WS-353", "SV-3500"))
        == "the claim is about WS-353 and SV-3500, data sets without results here"
    )
    assert reason(tasks=("srl",)) == "the claim is about srl, a task without results here"
    assert (
        reason(at_least=3) == "the claim needs at least 3 models, but there is only 1 here"
        and reason(models=("m",)) == ""
    )


def test_a_data_set_that_is_not_named_stands_for_no_measure_that_is_lacking_on_the_named():
    def reason(table):
        needs = Needs(measures=("b", "s"), datasets=("WS-353",))
        return judge(claim(above_04, needs=needs), table).reason

    b, s = TABLE.assign(dataset="WS-353"), TABLE.assign(dataset="WS-353", measure="s")
    assert reason(pd.concat([b, s], ignore_index=True)) == ""
    assert reason(b) == "the claim needs numbers that are missing here: s"
    other = s.assign(dataset="MEN")
    assert (
        reason(pd.concat([b, other], ignore_index=True))
        == "the claim needs numbers that are missing here: s"
    )
    assert "is about WS-353" in reason(
        pd.concat([other, b.assign(dataset="MEN")], ignore_index=True)
    )


def test_a_claim_on_what_is_trained_needs_three_trainings_of_each_model_where_a_table_tells():
    needs = Needs(measures=("b",), each_training="b_each")

    def reason(**trainings: int) -> str:
        rows = [
            {"model": model, "measure": "b_each", "seed": seed, "task": task, "value": 0.5}
            for model, number in trainings.items()
            for seed in range(number)
            for task in ("pos", "ner")  # rows are no trainings
        ]
        table = pd.concat([TABLE, tidy(rows)]) if rows else TABLE
        return judge(claim(above_04, needs=needs), table.reset_index(drop=True)).reason

    assert reason() == reason(m=3) == reason(m=3, n=5) == ""
    assert "needs at least 3 trainings" in reason(m=2) and "only 2" in reason(m=2)
    assert "only 1" in reason(m=3, n=1)


def test_a_family_the_claim_does_not_speak_of_is_beyond_the_paper():
    assert judge(CLAIM, TABLE.assign(family="sentence")).beyond
    assert not judge(CLAIM, TABLE).beyond


# ---- what is undefined is neither true nor false


def test_what_has_no_meaning_at_all_is_not_run_with_that_sentence():
    def no_rise(table):
        table.curve("b")
        raise Undefined("the score does not rise")

    assert judge(claim(no_rise), TABLE) == Verdict(
        "not run", reason="the score does not rise"
    )
    rising = claim(lambda table: trend(table, table.curve("b"), "b") > 0.5)
    assert judge(rising, TABLE).reason == (
        "b with depth is undefined, since one of the two variables is constant"
    )
    largest_first = claim(lambda table: largest(table, table.curve("b"), "b") == 0)
    assert judge(largest_first, TABLE).reason == "two values tie for the largest b"


@pytest.mark.parametrize(
    "undefined, verdict",
    [(0, "holds"), (5, "holds"), (6, "undecided"), (199, "undecided"), (200, "not run")],
)
def test_more_than_a_fortieth_of_undefined_draws_leaves_a_claim_undecided(
    undefined, verdict
):
    draws = np.full((200, 4), 0.5)
    draws[:undefined, 1] = 0
    half = claim(
        lambda table: ratio(table, table.curve("b")[:, 0], table.curve("b")[:, 1], "b") < 2
    )
    result = judge(half, TABLE, draws)
    assert result.verdict == verdict
    assert (
        ("b is a ratio with 0 in" in result.reason) == (verdict != "holds")
    ) and result.support != 0


def test_a_nan_among_the_draws_is_undefined_and_not_a_failure():
    draws = np.full((200, 4), 0.5)
    draws[:100, 1] = np.nan
    result = judge(CLAIM, TABLE, draws)
    assert (result.verdict, result.support) == ("undecided", 1)
    assert (result.ground, result.reason) == (
        "no meaning in 50% of draws",
        "b has no value",
    )


def test_two_values_in_a_layer_are_not_judged():
    twice = TABLE.astype({"dataset": object})
    twice.loc[3, ["layer", "dataset"]] = [2, "other"]
    result = judge(CLAIM, twice)
    assert (
        result.verdict == "not run"
        and "2 values in layer 2 (dataset none, other)" in result.reason
    )


# ---- published numbers

PUBLISHED = tidy(
    [
        {
            "model": model,
            "family": "masked",
            "layer": layer,
            "measure": "b",
            "value": value,
        }
        for model, values in (("BERT", (0.5, 0.3)), ("RoBERTa", (0.5, 0.5)))
        for layer, value in enumerate(values)
    ]
)


def test_a_published_failure_says_what_goes_against_the_words():
    verdict = on_published(CLAIM, PUBLISHED)
    assert verdict == Verdict(
        "fails", reason="The claim fails for BERT (layer 1 = 0.3). It holds for RoBERTa"
    )
    alone = on_published(CLAIM, PUBLISHED[PUBLISHED["model"] == "BERT"])
    assert alone.reason == "Evidence against the claim: layer 1 = 0.3", (
        "fails for X, where X is the only model, says nothing"
    )


def test_a_proof_and_a_bound_decide_what_no_printed_number_does():
    proof = claim(above_04, proved="By the chain rule; checked in x/00.")
    assert on_published(proof, PUBLISHED) == Verdict(
        "holds", reason=proof.proved, ground="by proof"
    )
    bounded = claim(
        above_04,
        id="d",
        needs=Needs(measures=("unprinted",)),
        bound=claim(above_04, tolerance="b > 0.4"),
    )
    verdict = on_published(bounded, PUBLISHED)
    assert (
        (verdict.verdict, verdict.ground)
        == (
            "fails",
            "by a bound",
        )
        and "only if b > 0.4 (c), which is not the case. The claim fails for BERT"
        in verdict.reason
    )
    met = on_published(bounded, PUBLISHED[PUBLISHED["model"] == "RoBERTa"])
    assert met.verdict == "not decidable" and met.ground == "", (
        "a bound that is met decides nothing"
    )


def learned_claim(
    holds=lambda table: table.over("task", "b")[1].min(axis=1) > 0.4, **needs
):
    control = Control(
        name="a constant label", measure="score", against="constant", by_task=True
    )
    return claim(holds, needs=Needs(**{"measures": ("b",), "beats": control} | needs))


def of_tasks(**leads: float) -> tuple[pd.DataFrame, np.ndarray]:
    """Rows of tasks whose scores lie so far above a constant label, with draws that vary by 0.1."""
    noise = np.random.default_rng(0).normal(scale=0.1, size=(200, len(leads)))
    rows, draws = [], []
    for (task, lead), moved in zip(leads.items(), noise.T, strict=True):
        for measure, value, by in (
            ("b", 0.5, 0),
            ("score", 0.5 + lead, moved),
            ("constant", 0.5, 0),
        ):
            keys = {"model": "m", "family": "masked", "task": task, "measure": measure}
            rows.append({**keys, "value": value})
            draws.append(value + by * np.ones(200))
    return tidy(rows), np.stack(draws, axis=1)


def test_a_task_that_does_not_beat_its_control_counts_as_one_that_is_not_there():
    table, draws = of_tasks(easy=0.5, hard=0.05)
    verdict = judge(learned_claim(), *of_tasks(easy=0.5, other=0.5))
    assert (verdict.verdict, verdict.reason) == ("holds", "")
    verdict = judge(learned_claim(), table, draws)
    assert verdict.verdict == "not run", "a claim over two tasks has one left"
    assert (
        "not learned: the score of hard is not above that of a constant label; "
        "the difference is +0.05 [" in verdict.reason
    )
    assert "easy" not in verdict.reason
    one = judge(learned_claim(lambda table: table.values("b")[:, 0] > 0.4), table, draws)
    assert one.verdict == "holds" and one.reason.startswith(
        "we left out a task that was not learned: the score of hard"
    )
    named = judge(learned_claim(tasks=("easy", "hard")), table, draws)
    assert named.verdict == "not run" and "is about hard" in named.reason
    assert judge(learned_claim(), table).verdict == "holds", (
        "without draws the difference decides"
    )


def test_a_control_that_is_not_in_the_table_keeps_nothing_from_being_asked():
    table, draws = of_tasks(easy=0.0, hard=0.0)
    keep = (table["measure"] != "constant").to_numpy()
    without = table[keep].reset_index(drop=True)
    assert judge(learned_claim(), without, draws[:, keep]).verdict == "holds"


def mixed(**scores: float) -> tuple[pd.DataFrame, np.ndarray]:
    """One task's scores by estimator, above a constant label of 0.1, with draws that vary by 0.02."""
    noise = np.random.default_rng(1).normal(scale=0.02, size=(200, len(scores)))
    named = [("score", name, value) for name, value in scores.items()]
    rows = [*named, ("constant", None, 0.1), ("b", None, 0.5)]
    keys = {"model": "m", "family": "masked", "task": "t"}
    table = tidy([{**keys, "measure": m, "estimator": e, "value": v} for m, e, v in rows])
    return table, table["value"].to_numpy() + np.pad(noise, ((0, 0), (0, 2)))


def test_a_mix_that_lies_below_its_own_layer_has_not_learned():
    floored = replace(learned_claim().needs.beats, estimators=("mix",), floor="lex")
    asked = claim(lambda table: table.values("b")[:, 0] > 0.4)
    asked = replace(asked, needs=Needs(measures=("b",), beats=floored))
    assert judge(asked, *mixed(lex=0.4, mix=0.5)).verdict == "holds"
    assert judge(asked, *mixed(lex=0.4, mix=0.38)).verdict == "holds", (
        "within the interval"
    )
    verdict = judge(asked, *mixed(lex=0.5, mix=0.3))
    assert verdict.verdict == "not run"
    assert (
        "the score of t is below that of lex alone, which it reads too; "
        "the difference is -0.2 [" in verdict.reason
    )
    assert judge(asked, *mixed(mix=0.3)).verdict == "holds", "nothing to lie below"
    table, draws = mixed(lex=0.5, mix=0.3)
    both = pd.concat([table.assign(dataset=name) for name in "xy"], ignore_index=True)
    both.loc[4, "value"], draws = 0.1, np.concatenate([draws, draws], axis=1)  # lex on y
    draws[:, 4] = 0.1
    whole = Needs(measures=("b",), beats=replace(floored, by_task=False))
    learned, because = controls.unlearned(whole, Rows(both), draws)
    assert not learned.any() and "score of x is below" in because and "of y" not in because


def test_an_untrained_copy_learns_nothing_for_its_model():
    table, draws = of_tasks(easy=0.5, hard=0.0)
    copy, of_copy = of_tasks(easy=0.5, hard=0.5)
    both = pd.concat([table, copy.assign(variant=UNTRAINED[1], seed=0)], ignore_index=True)
    verdict = judge(learned_claim(), both, np.concatenate([draws, of_copy], axis=1))
    assert verdict.verdict == "not run" and "the score of hard" in verdict.reason


def test_an_instrument_must_tell_one_row_at_least_from_random_vectors():
    control = Control(
        name="random vectors", measure="b", estimators=("x",), estimator="random"
    )
    asked = claim(lambda table: table.values("b", estimator="x")[:, 0] > 0.4)
    asked = replace(
        asked, needs=Needs(measures=("b",), families=(), compares=True, beats=control)
    )
    rows = [("m", "x", 0.5), ("n", "x", 0.6), ("rule", "random", 0.5)]
    table = tidy(
        [{"model": m, "estimator": e, "measure": "b", "value": v} for m, e, v in rows]
    )
    wide, narrow = (
        table["value"].to_numpy()
        + np.random.default_rng(0).normal(scale=scale, size=(200, 3))
        for scale in (0.1, 0.01)
    )
    assert judge(asked, table, narrow).verdict == "holds", "n is above them"
    verdict = judge(asked, table, wide)
    assert verdict.verdict == "not run" and verdict.reason.startswith(
        "nothing is learned here: the b is not above"
    )


BOUNDED = Bound(name="it lost {} %", measure="lost", at_most=2.0)


def trained_so_far(**lost: float | None) -> pd.DataFrame:
    """Models with a score each, and what they lost, if that is known; a static row beside them."""
    rows = [{"model": "s", "family": "static", "measure": "b", "value": 0.1}]
    for model, value in lost.items():
        keys = {"model": model, "family": "masked"}
        rows.append({**keys, "measure": "b", "value": 0.5})
        rows += [{**keys, "measure": "lost", "value": value}] if value is not None else []
    return tidy(rows)


def test_models_beyond_a_bound_count_as_models_that_are_not_there():
    needs = Needs(measures=("b",), families=(), compares=True, at_least=2, within=BOUNDED)
    asked = claim(lambda table: table.over("model", "b")[1].min(axis=1) > 0, needs=needs)
    for table in (trained_so_far(m=2.0, n=0.1), trained_so_far(m=None, n=1.0)):
        assert judge(asked, table).reason == "", (
            "the bound itself is allowed, no measure too"
        )
    part = judge(asked, trained_so_far(m=2.04, n=0.1, o=None))
    assert (part.verdict, part.reason) == (
        "holds",
        "we left out a model that has not learned enough: m (it lost 2.0 %)",
    )
    few = judge(
        asked, trained_so_far(m=2.04, n=0.1).query("model != 's'").reset_index(drop=True)
    )
    assert few.verdict == "not run" and few.reason.startswith(
        "the claim needs at least 2 models, but there is only 1 here"
    )
    none = judge(asked, trained_so_far(m=3.46, n=15.15))
    assert (none.verdict, none.reason) == (
        "not run",
        "no network has learned enough (it lost 3.5 to 15.2 %)",
    )
    form = replace(asked, general=General(says="any")).general_form
    assert form.needs.within == BOUNDED


def test_what_keeps_the_bound_must_still_beat_its_control():
    control = learned_claim().needs.beats
    both = Needs(
        measures=("b",), families=(), compares=True, within=BOUNDED, beats=control
    )
    asked = claim(lambda table: table.values("b").min(axis=1) > 0, needs=both)
    rows = []
    for model, lost, score in (("far", 9.0, 0.9), ("near", 1.0, 0.3)):
        keys = {"model": model, "family": "masked"}
        rows += [
            {**keys, "measure": "lost", "value": lost},
            {**keys, "measure": "b", "value": 0.5},
        ]
        rows += [{**keys, "task": "t", "measure": "score", "value": score}]
        rows += [{**keys, "task": "t", "measure": "constant", "value": 0.4}]
    verdict = judge(asked, tidy(rows))
    assert verdict.reason == (
        "we left out a task that was not learned: the score of t is not above that of a constant "
        "label; the difference is -0.1. "
        "We left out a model that has not learned enough: far (it lost 9.0 %)"
    ), "the score of a model that is out is no witness"


def test_a_cause_is_asked_only_where_what_it_explains_holds():
    explains = claim(lambda table: table.curve("b").max(axis=1) > 0.9, says="It is high.")
    cause = claim(above_04, given=explains)
    verdict = judge(cause, TABLE, with_share(1))
    assert (verdict.verdict, verdict.reason) == (
        "not run",
        "there is nothing to explain here, because the claim “It is high” (c) fails",
    )
    assert judge(cause, TABLE.assign(value=0.95), with_share(1) + 0.45).verdict == "holds"
    form = replace(cause, general=General(says="any")).general_form
    assert form.given == explains, "a form for any model explains the same"
