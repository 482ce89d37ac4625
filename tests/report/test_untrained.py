"""What is a verdict beside those of untrained copies? The rule, groups, and how it is told."""

from dataclasses import replace

import numpy as np
import pytest

from cwr.cli import judging
from cwr.papers import predicates, registry
from cwr.papers.claims import Claim, Needs
from cwr.report import claim_line, findings, groups, render, results, untrained
from cwr.report.judgement import ANOTHER, LESS, MORE, SAME, UNDECIDED, Verdict
from cwr.report.render import Judged
from cwr.rows import Rows
from cwr.tables import UNTRAINED

DRAWS = 400
NOISE = np.random.default_rng(0).normal(0, 0.08, DRAWS)  # shared by a model and its copies
ABOVE = 0.5
FAR_ABOVE, FAR_BELOW = 0.9, 0.1  # five standard errors and more from the threshold


def at_least(table) -> np.ndarray:
    return predicates.above(table, table.values("m"), ABOVE, ["the value"])


CLAIM = Claim(
    id="c", place="p", says="s", needs=Needs(measures=("m",)), holds=at_least, tolerance=""
)


def row(
    value: float, model: str = "a", noise=NOISE, family: str = "causal", **keys
) -> dict:
    return {
        "model": model,
        "family": family,
        "measure": "m",
        "value": value,
        "replicates": value + noise,
        **keys,
    }


def copies(initialised: list, blocks: list, **keys) -> list[dict]:
    """A row a copy: the values of the copies of both kinds, one a seed."""
    return [
        row(value, variant=kind, seed=seed, **keys)
        for kind, values in zip(UNTRAINED, (initialised, blocks), strict=True)
        for seed, value in enumerate(values)
    ]


def verdict(rows: list[dict], claim: Claim = CLAIM) -> Verdict:
    ours = groups.on_ours([claim], results.collect(rows), "small")[claim.id]
    return next(iter(ours.values()))


@pytest.mark.parametrize(
    "initialised, blocks, word, because",
    [
        (
            [0.1, 0.11, 0.12],
            [0.0, 0.1, 0.2],
            ANOTHER,
            "The claim fails in all 3 copies as initialised, where this number is 0.1 to 0.12.",
        ),
        (
            [1.1, 1.2, 1.3],
            [1.4, 1.2, 1.1],
            LESS,
            "The claim holds in all 3 copies with random blocks, where this number is 1.1 to 1.4.",
        ),
        (
            [0.8, 0.7999, 0.8],
            [0.8, 0.7, 0.8],
            MORE,
            "The claim holds in all 3 copies as initialised, where this number is 0.8.",
        ),
        (
            [0.7999, 0.8, 0.8],
            [0.1, 0.1, 0.1],
            MORE,
            "The claim fails in all 3 copies with random blocks, where this number is 0.1.",
        ),
        (
            [0.8, 0.9, 1.0],
            [0.1, 0.1, 0.1],
            SAME,
            "The claim holds in all 3 copies as initialised, where this number is 0.8 to 1.",
        ),
        (
            [0.1, 0.1, 0.1],
            [0.9, 0.9, 0.9],
            SAME,
            "The claim holds in all 3 copies with random blocks, where this number is 0.9.",
        ),
        (
            [1.2, 1.2, 1.2],
            [0.8, 0.8, 0.8],
            SAME,
            "The claim holds in all 3 copies as initialised, where this number is 1.2.",
        ),  # between
        (
            [0.9, 0.1, 0.1],
            [0.1, 0.1, 0.1],
            UNDECIDED,
            "The claim holds in 1 and fails in 2 of the 3 copies as initialised, where this number is 0.1 to 0.9.",
        ),
    ],
)
def test_the_word_of_a_claim_that_holds(initialised, blocks, word, because):
    """Each is held against a model at 0.9; copies share its draws, so that any other value differs."""
    told = verdict([row(FAR_ABOVE), *copies(initialised, blocks)])
    assert (told.verdict, told.untrained) == ("holds", word)
    assert (
        told.untrained_because.startswith(
            "After training, the number that decides the verdict, “the value”, is 0.9 ["
        )
        and because in told.untrained_because
    )


@pytest.mark.parametrize(
    "initialised, word",
    [(-0.2, LESS), (0.3, MORE), (0.1, SAME), (0.9, ANOTHER)],
)
def test_the_side_of_a_claim_that_fails_is_that_of_failing(initialised, word):
    """A model at 0.1 fails "above 0.5" more so than copies at 0.3, and less so than those at -0.2."""
    told = verdict([row(FAR_BELOW), *copies([initialised] * 3, [initialised] * 3)])
    assert (told.verdict, told.untrained) == ("fails", word)


def test_between_two_bounds_the_nearer_one_counts():
    """On 0 to 1 a model at 0.5 has more room than copies at either end, though one lies above it."""

    def within(table) -> np.ndarray:
        return predicates.near(table, table.values("m"), 0.5, 0.5, ["the value"])

    claim = replace(CLAIM, holds=within)
    noise = NOISE / 4
    ends = copies([0.3, 0.7], [0.25, 0.75], noise=noise)
    assert verdict([row(0.5, noise=noise), *ends], claim).untrained == MORE
    assert (
        verdict(
            [row(0.75, noise=noise), *copies([0.5], [0.4], noise=noise)], claim
        ).untrained
        == LESS
    )


@pytest.mark.parametrize(
    "dtype", ["str", "string", object]
)  # an absent name is NaN, or NA
def test_rows_with_a_seed_and_no_variant_are_no_copies(dtype):
    """A trained probe has seeds, too."""
    rows = [row(FAR_ABOVE, seed=0), row(0.1, variant=UNTRAINED[0], seed=0)]
    ours = results.collect(rows)
    ours = replace(ours, estimates=Rows(ours.table.astype({"variant": dtype})))
    _, (copy,) = untrained.parted(ours)
    assert (copy.variant, copy.seed) == (UNTRAINED[0], 0)
    assert copy.results.table["value"].tolist() == [0.1]


def test_a_claim_that_fails_is_told_apart_by_copies_for_which_it_holds():
    told = verdict([row(FAR_BELOW), *copies([0.9] * 3, [0.95] * 3)])
    assert (told.verdict, told.untrained) == ("fails", ANOTHER)


def test_the_difference_is_taken_draw_by_draw():
    """0.9 and 0.93 with an error of 0.1 each: apart if the draws are shared, not if they are not."""
    shared = verdict([row(FAR_ABOVE), *copies([0.93] * 3, [0.93] * 3)])
    other = NOISE[::-1].copy()
    apart = verdict([row(FAR_ABOVE), *copies([0.93] * 3, [0.93] * 3, noise=other)])
    assert (shared.untrained, apart.untrained) == (LESS, SAME)


def test_a_claim_without_one_deciding_number_is_told_apart_by_verdicts_alone():
    needs = Needs(measures=("m",))

    def bare_truth(table) -> np.ndarray:
        return table.value("m") > ABOVE

    bare = Claim(id="c", place="p", says="s", needs=needs, holds=bare_truth, tolerance="")
    assert verdict([row(FAR_ABOVE), *copies([1.2] * 3, [1.2] * 3)], bare).untrained == SAME
    assert (
        verdict([row(FAR_ABOVE), *copies([0.1] * 3, [0.1] * 3)], bare).untrained == ANOTHER
    )


def test_there_is_no_word_without_copies_or_for_an_undecided_verdict_or_of_another_measure():
    assert verdict([row(FAR_ABOVE)]).untrained == ""
    assert verdict([row(ABOVE), *copies([0.1] * 3, [0.1] * 3)]).untrained == ""
    others = [each | {"measure": "other"} for each in copies([0.1] * 3, [0.1] * 3)]
    assert verdict([row(FAR_ABOVE), *others]).untrained == ""


def test_what_no_model_can_fail_has_no_word_whatever_copies_do():
    rows = [row(0.9), *copies([0.1, 0.1], [0.1, 0.1])]
    assert verdict(rows).untrained == ANOTHER
    assert verdict(rows, replace(CLAIM, arithmetic=True)).untrained == ""


def test_copies_change_no_verdict_and_are_no_comparison_of_choices():
    alone, beside = [row(FAR_ABOVE)], [row(FAR_ABOVE), *copies([0.1] * 3, [0.1] * 3)]
    first, second = verdict(alone), verdict(beside)
    assert (first.verdict, first.support) == (second.verdict, second.support)
    estimates = results.collect(beside)
    assert not results.compares_choices(estimates)
    assert results.compares_choices(
        results.collect([*beside, row(0.3, variant="first piece")])
    )
    assert (
        len(estimates.without_variants().table) == 1
        and len(estimates.untrained().table) == 6
    )


def test_in_a_group_all_models_are_replaced_by_their_copies_of_one_kind_and_seed():
    """The causal model lies above the masked one; of the copies only those with random blocks do."""

    def is_above(table) -> np.ndarray:
        return table.value("m", family="causal") > table.value("m", family="masked")

    needs = Needs(measures=("m",), families=("masked", "causal"), compares=True)
    claim = Claim(id="c", place="p", says="s", needs=needs, holds=is_above, tolerance="")
    masked = {"model": "b", "family": "masked"}
    trained = [row(FAR_ABOVE), row(FAR_BELOW, **masked)]
    below = [*copies([0.1] * 2, [0.1] * 2), *copies([0.9] * 2, [0.9] * 2, **masked)]
    assert verdict([*trained, *below], claim).untrained == ANOTHER
    some = [*copies([0.1] * 2, [0.9] * 2), *copies([0.9] * 2, [0.1] * 2, **masked)]
    assert verdict([*trained, *some], claim).untrained == SAME


def test_a_group_of_which_one_model_has_no_copies_has_no_word():
    def all_above(table) -> np.ndarray:
        return (table.values("m") > ABOVE).all(axis=1)

    needs = Needs(measures=("m",), families=(), compares=True)
    claim = Claim(id="c", place="p", says="s", needs=needs, holds=all_above, tolerance="")
    trained = [row(FAR_ABOVE), row(FAR_ABOVE, "b")]
    of_one, of_other = (
        copies([0.1] * 2, [0.1] * 2),
        copies([0.1] * 2, [0.1] * 2, model="b"),
    )
    assert verdict([*trained, *of_one], claim).untrained == ""
    assert verdict([*trained, *of_one, *of_other], claim).untrained == ANOTHER


def test_static_vectors_of_a_group_stay_as_they_are():
    def beats_static(table) -> np.ndarray:
        return table.value("m", family="causal") > table.value("m", family="static")

    needs = Needs(measures=("m",), families=("causal",), compares=True)
    claim = Claim(
        id="c", place="p", says="s", needs=needs, holds=beats_static, tolerance=""
    )
    static = row(ABOVE, "vectors", noise=np.zeros(DRAWS), family="static")
    told = verdict([row(FAR_ABOVE), static, *copies([0.1] * 3, [0.2] * 3)], claim)
    assert (told.verdict, told.untrained) == ("holds", ANOTHER)


# ---- how it is told

ALIKE = Verdict("holds", 1.0, untrained=SAME, untrained_because="copies hold")


@pytest.mark.parametrize(
    "word, shown",
    [
        (ANOTHER, "≠ untrained"),
        (MORE, "more so than untrained"),
        (LESS, "less so than untrained"),
        (SAME, "= untrained"),
        (UNDECIDED, "≈ untrained"),
    ],
)
def test_the_word_stands_behind_the_support_everywhere(word, shown):
    told = Verdict("fails", 0.0, untrained=word, untrained_because="copies hold")
    assert render.words(told) == f"fails here (0.00; {shown})"
    assert render.words(Verdict("fails", untrained=word)) == f"fails here ({shown})"
    assert f"{render.BESIDE[word]}. copies hold" in render.with_reason(told)
    sign = render.sign(told, "a")
    assert (
        f"untrained-{word.replace(' ', '-')}" in sign and f"{shown}). copies hold" in sign
    )
    judged = Judged("p", CLAIM, Verdict("holds"), {"a": told}, "cwr run p")
    assert render.row(judged)["ours"]["a"]["untrained"] == word
    assert f"{shown}: 1" in judging.every_model([judged])
    assert (
        f'<tr><th>a</th><td><span class="verdict fails">fails</span> here (0.00; {shown})'
        in (claim_line.line(judged, ["a"], {}, registry_folder()))
    )


def registry_folder():
    """A folder without results, to which a line of the scoreboard links nothing."""
    from pathlib import Path

    return Path("nowhere")


def test_without_copies_json_has_no_word_and_the_text_no_sign():
    judged = Judged(
        "p", CLAIM, Verdict("holds"), {"a": Verdict("holds", 1.0)}, "cwr run p"
    )
    assert render.row(judged)["ours"]["a"]["untrained"] is None
    assert "untrained" not in judging.every_model([judged])


def test_a_chapter_counts_what_comes_out_otherwise_on_untrained_copies():
    paper = registry.paper("ethayarajh2019")
    by_id = {claim.id: claim for claim in paper.claims}
    headline, trend = (
        by_id[name] for name in (paper.headlines[0], "eth-selfsim-decreases.trend")
    )

    def said(*judged):
        given = [
            Judged(paper.key, claim, Verdict("holds"), ours, "") for claim, ours in judged
        ]
        return findings.copies(paper, given)

    alike = (headline, {"cwr-gpt": ALIKE})
    assert said(alike).startswith(
        "A verdict says whether one statement holds on one model. We repeated 1 verdicts on "
        "{term}`untrained copies`. The copies get the opposite verdict on 0 "
    )
    assert said(alike, (trend, {"cwr-elmo": ALIKE})) == said(
        alike
    )  # a reading is not counted
    words = (ANOTHER, SAME, MORE, LESS, UNDECIDED)
    kinds = {f"m{n}": replace(ALIKE, untrained=word) for n, word in enumerate(words)}
    assert said((headline, kinds)) == (
        "A verdict says whether one statement holds on one model. We repeated 5 verdicts on "
        "{term}`untrained copies`. The copies get the opposite verdict on 1 and the same on "
        "1. On 3 the copies disagree with each other, or differ from the model in degree.\n"
    )
    another = replace(ALIKE, untrained=ANOTHER)
    assert "opposite verdict on 1 and the same on 1. On 0" in said(
        (headline, {"cwr-gpt": ALIKE, "cwr-elmo": another})
    )
    assert said((headline, {"cwr-gpt": Verdict("holds", 1.0)})) == ""
