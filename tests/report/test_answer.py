"""The card and the table of a page: what they say of verdicts that are made up here."""

from dataclasses import replace

import pytest

from cwr.papers import registry
from cwr.report import answer, checked, render, strip
from cwr.report.distance import Distance
from cwr.report.judgement import (
    ANOTHER,
    FAILS,
    HOLDS,
    LESS,
    MORE,
    NOT_RUN,
    SAME,
    UNDECIDED,
    Verdict,
)
from cwr.report.render import Judged

PAPER = registry.paper("ethayarajh2019")
CLAIMS = {claim.id: claim for claim in PAPER.claims}
KNOWN, UNKNOWN = "eth-anisotropy-noninput", "eth-anisotropy-rises"
FAR = Distance("layer 3", 0.129, (0.12, 0.14), 0.02, float("inf"))


def judged(claim: str = KNOWN, **ours: Verdict) -> Judged:
    by_name = {name.replace("_", "-"): verdict for name, verdict in ours.items()}
    return Judged(PAPER.key, CLAIMS[claim], Verdict(HOLDS), by_name, "cwr run")


@pytest.mark.parametrize(
    "verdicts, so",
    [
        ({}, answer.SO_NOT_RUN),
        ({"a": Verdict(HOLDS)}, "a shows what the paper says"),
        ({"a": Verdict(HOLDS, untrained=ANOTHER)}, render.begun(answer.BY_TRAINING)),
        ({"a": Verdict(HOLDS, untrained=MORE)}, render.begun(answer.MORE_BY_TRAINING)),
        ({"a": Verdict(HOLDS, untrained=SAME)}, render.begun(answer.WITHOUT_TRAINING)),
        (
            {"a": Verdict(HOLDS, untrained=LESS), "b": Verdict(HOLDS, untrained=ANOTHER)},
            render.begun(answer.PARTLY),
        ),
        ({"a": Verdict(FAILS, untrained=SAME)}, "a does not show what the paper says"),
        ({"cwr": Verdict(FAILS)}, "Our models together do not show what the paper says"),
        ({"a": Verdict(UNDECIDED, 0.8)}, "a leaves the question open"),
        (
            {"a": Verdict(HOLDS, untrained=SAME), "b": Verdict(FAILS, untrained=ANOTHER)},
            f"The claim is true in a, not true in b. Where the claim is true, {answer.WITHOUT_TRAINING}. "
            f"Where it is not true, {answer.UNLEARNED}",
        ),
        (
            {"a": Verdict(FAILS, untrained=ANOTHER)},
            f"a does not show what the paper says. {render.begun(answer.UNLEARNED)}",
        ),
        (
            {"a": Verdict(FAILS), "b": Verdict(UNDECIDED, 0.8), "c": Verdict(FAILS)},
            "The claim is not true in a and c, open in b",
        ),
        (
            {"a": Verdict(HOLDS, beside=Verdict(FAILS))},
            answer.SO_LENGTH.format("a shows what the paper says"),
        ),
        (
            {"a": Verdict(HOLDS, beside=Verdict(UNDECIDED, 0.8))},
            answer.SO_OPEN.format("a shows what the paper says"),
        ),
        (
            {"a": Verdict(HOLDS), "b": Verdict(FAILS, beyond=True)},
            "a shows what the paper says",
        ),
    ],
)
def test_a_card_ends_with_the_sentence_of_its_verdicts(verdicts, so):
    assert answer.card(judged(**verdicts)).endswith(f"{so}.</strong></dd>\n</dl>")


@pytest.mark.parametrize(
    "verdicts, said",
    [
        ({"a": Verdict(UNDECIDED)}, answer.UNDECIDED_ALL),
        ({"a": Verdict(HOLDS)}, answer.NO_COPIES),
        (
            {"a": Verdict(UNDECIDED), "b": Verdict(FAILS, untrained=ANOTHER, beyond=True)},
            f"{answer.UNDECIDED_ALL} {answer.BEYOND} copies of b all get the opposite verdict.",
        ),
    ],
)
def test_a_card_says_why_copies_were_not_asked_and_what_the_table_below_says(
    verdicts, said
):
    assert f"<dt>Untrained control</dt><dd>{said}</dd>" in answer.card(judged(**verdicts))


def test_a_card_says_when_its_claim_counts_as_true():
    said = '(section 4.1).<span class="bound"> Counts as true if: the mean cosine of random words exceeds 0.02 in layers 1'
    assert said in answer.card(judged(a=Verdict(HOLDS)))


def test_a_card_names_the_run_and_the_number():
    card = answer.card(
        judged(a=Verdict(HOLDS, at="base", distances=(FAR,)), b=Verdict(HOLDS))
    )
    assert (
        "The brackets give the deciding number, “layer 3”. The results of a come from the longer run."
        in card
    )


def test_a_card_says_values_intervals_and_shares_in_words():
    card = answer.card(
        judged(cwr_bert=Verdict(HOLDS, distances=(FAR,)), b=Verdict(UNDECIDED, 0.8))
    )
    assert "The claim is true in cwr-bert (0.13, interval 0.12 to 0.14)." in card
    assert "not decided in b (true in 80 % of the bootstrap samples)." in card


def test_a_value_that_no_draw_moves_has_no_interval():
    share = Distance("share of 5", 0.2, (0.2, 0.2), 0.7, float("inf"))
    card = answer.card(judged(a=Verdict(FAILS, distances=(share,))))
    assert f"not true in a (0.2 {strip.STEADY})." in card
    assert strip.numbers((share,)) == f"0.2 {strip.STEADY} (share of 5)"
    moved = replace(share, interval=(0.4, 0.4))  # the draws are steady elsewhere
    assert strip.numbers((moved,)) == "0.2 [0.4, 0.4] (share of 5)"


def test_a_card_says_why_no_model_could_be_asked():
    card = answer.card(judged(a=Verdict(NOT_RUN, reason="the claim needs a task")))
    assert f"<dd>{answer.SO_NOT_RUN}. The claim needs a task.</dd>" in card
    assert "yet" not in card


def test_known_claims_are_in_sight_or_else_claims_at_their_word():
    holds = {"a": Verdict(HOLDS)}
    known, unknown = judged(**holds), judged(UNKNOWN, **holds)
    assert answer.in_sight(PAPER.key, [unknown, known]) == [known]
    assert answer.in_sight(PAPER.key, [unknown, judged()]) == [unknown]
    assert answer.in_sight(PAPER.key, [judged(), known, unknown], UNKNOWN) == [
        unknown,
        known,
    ]
    assert answer.in_sight(PAPER.key, [judged()]) == [judged()]


def test_a_table_has_a_row_a_model_and_a_column_a_run():
    here = Verdict(HOLDS, 1.0, at="small", distances=(FAR,))
    both = Verdict(FAILS, 0.0, at="base", untrained=SAME, beside=here)
    head, _, printed, model, longer = answer.table(
        [judged(a=both, b=Verdict(HOLDS, 1.0, at="base"))]
    ).splitlines()
    assert head == "| claim | judged on | here | longer run | untrained copies |"
    assert f"scoreboard.html#{KNOWN}" in printed and printed.endswith(
        "| print | holds |  |  |"
    )
    assert "(layer 3): holds here (1.00) | fails here (0.00) | same |" in model
    assert longer == "|  | b | – | holds here (1.00) |  |"


def test_a_table_names_the_number_of_a_claim_once_where_it_is_one():
    layer_4 = Distance("layer 4", 0.1, (0.09, 0.11), 0.02, float("inf"))
    first, other = (Verdict(HOLDS, distances=(far,)) for far in (FAR, layer_4))
    said = answer.table([judged(a=first, b=Verdict(FAILS, beside=first))])
    assert said.count("layer 3") == 1 and "(layer 3) <small>" in said
    assert r"| a | 0.13 \[0.12, 0.14\]: holds here |" in said
    several = answer.table([judged(a=first, b=other)])
    assert "(layer 3): holds" in several and "(layer 4): holds" in several


def test_what_differs_is_listed_with_its_address():
    listed = answer.differences(PAPER.key)
    for row in checked.rows(PAPER.key):
        differs = checked.verdict(row) == render.DIFFERS
        assert (f"printed_numbers.html#{row.check.id}" in listed) == differs, row.check.id
