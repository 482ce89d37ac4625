"""What is left of the claims: the cells, the order, the counts."""

from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import pytest

from cwr.papers import registry
from cwr.report import what_holds_up
from cwr.report.judgement import (
    ANOTHER,
    FAILS,
    HOLDS,
    LESS,
    MORE,
    NOT_DECIDABLE,
    NOT_RUN,
    SAME,
    UNDECIDED,
    Verdict,
)
from cwr.report.render import Judged
from cwr.tables import UNTRAINED

CLAIM = next(each for each in registry.PAPERS[0].claims if each.is_at_its_word)
PAPER = registry.PAPERS[0].key


def judged(published: str = HOLDS, claim=CLAIM, **ours: Verdict) -> Judged:
    return Judged(PAPER, claim, Verdict(published), ours, "cwr run x")


def at(profile: str, word: str, untrained: str = "", **more) -> Verdict:
    return Verdict(word, at=profile, untrained=untrained, **more)


def test_a_claim_that_was_asked_of_nothing_has_nothing_left():
    assert set(what_holds_up.cells(judged(NOT_DECIDABLE), {})) == {what_holds_up.NONE}
    beyond = at("small", HOLDS, ANOTHER, beyond=True)
    assert set(what_holds_up.cells(judged(NOT_DECIDABLE, a=beyond), {})) == {
        what_holds_up.NONE
    }
    assert set(what_holds_up.cells(judged(NOT_DECIDABLE, a=at("small", NOT_RUN)), {})) == {
        what_holds_up.NONE
    }


def test_each_profile_has_a_cell_and_a_model_that_only_one_has_stands_in_one():
    both = at("base", FAILS, beside=at("small", HOLDS))
    assert what_holds_up.cells(judged(a=both), {})[1:3] == (HOLDS, FAILS)
    assert what_holds_up.cells(judged(a=both, b=at("base", FAILS)), {})[1:3] == (
        HOLDS,
        FAILS,
    )
    assert what_holds_up.cells(judged(a=at("base", HOLDS)), {})[1:3] == (
        what_holds_up.NONE,
        HOLDS,
    )


@pytest.mark.parametrize("other", [FAILS, UNDECIDED])
def test_models_that_differ_and_open_verdicts_are_mixed(other):
    assert (
        what_holds_up.cells(judged(a=at("small", HOLDS), b=at("small", other)), {})[1]
        == what_holds_up.MIXED
    )
    assert (
        what_holds_up.cells(judged(a=at("small", UNDECIDED)), {})[1] == what_holds_up.MIXED
    )


@pytest.mark.parametrize(
    ("words", "cell"),
    [
        ([ANOTHER, SAME], HOLDS),
        ([MORE], what_holds_up.MIXED),
        ([LESS, SAME], what_holds_up.MIXED),
        ([UNDECIDED], what_holds_up.MIXED),
        ([SAME], FAILS),
        ([""], what_holds_up.NONE),
    ],
)
def test_copies_are_asked_of_the_verdicts_that_hold(words, cell):
    verdicts = {
        f"m{number}": at("small", HOLDS, word) for number, word in enumerate(words)
    }
    assert (
        what_holds_up.cells(judged(**verdicts, f=at("small", FAILS, ANOTHER)), {})[3]
        == cell
    )


def test_most_that_is_left_comes_first():
    everything = judged(a=at("base", HOLDS, ANOTHER, beside=at("small", HOLDS, ANOTHER)))
    copied = judged(a=at("base", HOLDS, SAME, beside=at("small", HOLDS, SAME)))
    printed = judged()
    assert sorted(
        [printed, everything, copied],
        key=partial(what_holds_up.sort_key, batteries={}),
        reverse=True,
    ) == [
        everything,
        copied,
        printed,
    ]


def test_the_counts_are_those_of_the_claims_at_their_word():
    reading = replace(CLAIM, id=f"{CLAIM.id}.reading")
    rows = [
        judged(a=at("small", HOLDS, ANOTHER)),
        judged(NOT_DECIDABLE, a=at("small", HOLDS, SAME)),
        judged(FAILS, a=at("small", FAILS)),
        judged(claim=reading, a=at("small", HOLDS, ANOTHER)),
    ]
    said = what_holds_up.counts(rows)
    assert "make 3 statements" in said
    assert "decide 2, and 1 of these hold" in said
    assert "could test 3 statements, and 2 hold" in said
    assert "**On 1 of the 2, copies of some model get the opposite verdict.**" in said
    assert "On 1 the copies get the same verdict." in said
    assert "not tested on untrained copies" not in said


def test_claims_without_copies_are_counted_by_the_reason():
    held = {"a": at("small", HOLDS)}
    sure = judged(claim=replace(CLAIM, id="sure", arithmetic=True), **held)
    needs = replace(CLAIM.needs, copies=UNTRAINED)
    of_copies = judged(claim=replace(CLAIM, id="copies", needs=needs), **held)
    compared = judged(a=at("small", HOLDS, SAME))
    assert what_holds_up.without_copies([compared, sure, of_copies, judged(**held)]) == (
        "3 of the 4 that hold were not tested on untrained copies: 1 would hold for any model, 1 is about "
        "untrained models and 1 lacks usable measurements of copies."
    )
    assert what_holds_up.without_copies([compared]) == ""


def test_a_row_of_the_picture_leads_to_its_claim_and_says_its_cells():
    html = what_holds_up.picture([judged(a=at("small", HOLDS, ANOTHER))], {})
    row = html[html.index(f'href="scoreboard.html#{CLAIM.id}"') :]
    assert (
        row.index('<i class="holds"></i><i class="holds"></i><i class="nothing"></i>') > 0
    )
    assert "Small: holds on every model tested. Base: was not tested." in row


def test_a_headline_that_a_treatment_flips_is_mixed_and_arithmetic_does_not_count():
    kinds = {
        name: SimpleNamespace(by_arithmetic=name == "identity", turns=name != "same")
        for name in ("same", "flip", "identity")
    }
    of = {CLAIM.id: [kinds["same"], kinds["identity"]]}
    assert what_holds_up.cells(judged(), of)[4] == HOLDS
    of[CLAIM.id].append(kinds["flip"])
    assert what_holds_up.cells(judged(), of)[4] == what_holds_up.MIXED
    assert (
        what_holds_up.cells(judged(), {CLAIM.id: [kinds["identity"]]})[4]
        == what_holds_up.NONE
    )


def test_a_verdict_that_a_longer_run_turns_is_counted_apart_from_one_that_it_decides():
    claims = [
        judged(a=at("base", FAILS, beside=at("small", HOLDS))),
        judged(a=at("base", HOLDS, beside=at("small", HOLDS))),
        judged(a=at("base", HOLDS, beside=at("small", UNDECIDED))),
        judged(a=at("base", HOLDS, beside=at("small", NOT_RUN))),
        judged(a=at("base", HOLDS)),
    ]
    said = what_holds_up.budgets(claims)
    assert (
        said.startswith("Two runs, `small` and `base`, both made 3 tests")
        and "Both runs decide 2 of these tests, and contradict each other on 1. Only one run decides 1"
        in said
    )
    assert what_holds_up.budgets(claims[3:]) == ""


def test_a_treatment_that_turns_a_claim_is_named_and_one_by_arithmetic_is_not():
    turning = SimpleNamespace(treatment="unit", turns=True, by_arithmetic=False)
    steady = SimpleNamespace(treatment="seed", turns=False, by_arithmetic=False)
    sure = SimpleNamespace(treatment="mean", turns=True, by_arithmetic=True)
    other = replace(CLAIM, id="other")
    batteries = {CLAIM.id: [turning, steady, sure], "other": [steady], "third": [sure]}
    said = what_holds_up.choices([judged(), judged(claim=other)], batteries)
    assert said.startswith("We asked 2 of the 3 headline claims")
    assert "For 1 of the 2 claims no verdict flips." in said
    assert "In 1 of 3 such tests the verdict flips" in said
    assert what_holds_up.choices([judged()], {"third": [sure]}) == ""


def test_what_no_model_can_fail_is_named():
    sure = replace(CLAIM, id="sure", says="It is so.", arithmetic=True)
    said = what_holds_up.by_mathematics([judged(), judged(claim=sure)])
    assert said.startswith("1 of the 2 statements") and "It is so" in said
    assert what_holds_up.by_mathematics([judged()]) == ""
