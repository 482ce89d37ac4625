"""Claims that are asked of several estimators: one row each, the estimators side by side."""

from dataclasses import replace

import pytest

from cwr.papers import registry
from cwr.papers.claims import Claim, Needs
from cwr.report import Verdict, by_estimator
from cwr.report.render import Judged, Notes

UNSAID = Verdict("not decidable", reason="which is printed is not said")


def claim(id: str, estimator: str = "full", **fields) -> Claim:
    return Claim(
        id=id,
        place="p",
        says="F1 rises.",
        needs=Needs(measures=("f1",), estimator=estimator),
        holds=None,
        tolerance="every step > 0",
        **fields,
    )


RISES = claim("rises")
BY_PAIRS = claim("rises.pairs", "pairs", same_as="rises", because="Words alone reach 1.")
OTHER = claim("falls")


def judged(claim: Claim, ours: dict[str, Verdict], general: dict | None = None) -> Judged:
    """A claim with these verdicts; general: those of its form for any depth."""
    published = UNSAID if claim.same_as else Verdict("holds")
    form = None
    if general:
        moved = replace(
            claim, id=f"{claim.id}.transfer", says="It rises in a model", same_as=""
        )
        form = Judged("p", moved, published, general, "cwr run p")
    return Judged("p", claim, published, ours, "cwr run p", form)


def cells(several: list[list[Judged]], notes: Notes) -> list[list[str]]:
    """The cells of the one table, its head first."""
    (table,) = by_estimator.tables(several, notes)
    head, _, *rows = [line.strip("| ").split(" | ") for line in table.splitlines()]
    return [head, *rows]


def test_a_claim_stands_once_and_what_each_estimator_says_stands_side_by_side():
    notes = Notes()
    group = [
        judged(RISES, {"cwr-bert": Verdict("undecided", 0.36)}),
        judged(BY_PAIRS, {"cwr-bert": Verdict("holds", 1.0)}),
    ]
    head, row = cells([group], notes)
    assert head == ["claim", "published", "full", "pairs"]
    assert row[1:] == [
        "holds",
        "cwr-bert: undecided (0.36)",
        "cwr-bert: holds here (1.00)",
    ]
    assert row[0].startswith("F1 rises. <small>`rises`</small>")
    assert (
        row[0].count("F1 rises.") == 1
        and "In the column pairs the claim has the id `rises.pairs`." in row[0]
    )
    assert "Words alone reach 1." in row[0], "why the others are asked, too"
    assert notes.markdown() == "", "that print names no estimator is no news on our models"


def test_models_with_the_same_words_share_a_line_and_keep_their_order():
    lacks = Verdict("not run", reason="needs f1")
    ours = {"a": lacks, "b": Verdict("fails", 0.0), "c": lacks}
    _, row = cells([[judged(RISES, ours), judged(BY_PAIRS, {"b": lacks})]], Notes())
    assert row[2:] == ["a, c: not run [1]<br>b: fails here (0.00)", "b: not run [1]"]


def test_a_model_of_another_depth_shows_the_general_form_and_a_note_tells():
    notes, depth = (
        Notes(),
        Verdict("not run", reason="the claim is about the layers of a 12-layer model"),
    )
    ours, forms = (
        {"cwr-bert": depth, "minilm": depth},
        {"cwr-bert": Verdict("holds", 0.99)},
    )
    group = [judged(RISES, ours, forms), judged(BY_PAIRS, ours)]
    _, row = cells([group], notes)
    assert row[2] == "cwr-bert: holds here (0.99) [1]<br>minilm: not run [2]"
    assert row[3] == "cwr-bert, minilm: not run [2]"
    assert notes.markdown().splitlines() == [
        "1. We tested the general form, because the claim is about the layers of a 12-layer model.",
        "2. The claim is about the layers of a 12-layer model.",
    ]
    assert (
        "Our general form of the claim: It rises in a model. `rises.transfer`." in row[0]
    )
    assert row[0].index("other ids") < row[0].index("rises.transfer"), "in the fold"


def test_a_group_that_only_the_general_form_compares_has_its_line():
    group = [
        judged(
            RISES, {"a": Verdict("not run", reason="x")}, {"cwr": Verdict("holds", 1.0)}
        )
    ]
    _, row = cells([[*group, judged(BY_PAIRS, {"a": Verdict("holds", 1.0)})]], Notes())
    assert row[2] == "a: not run [1]<br>cwr: holds here (1.00)"


def test_only_what_is_asked_again_is_taken_out_and_the_order_stays():
    verdicts = [judged(each, {}) for each in (OTHER, RISES, BY_PAIRS)]
    several, alone = by_estimator.divided(verdicts)
    assert [[each.claim.id for each in group] for group in several] == [
        ["rises", "rises.pairs"]
    ]
    assert [each.claim.id for each in alone] == ["falls"]
    several, alone = by_estimator.divided([verdicts[2], verdicts[0]])
    assert several == [] and [each.claim.id for each in alone] == ["rises.pairs", "falls"]


def test_other_estimators_have_a_table_of_their_own():
    by_words = claim("falls.words", "words", same_as="falls")
    groups = [
        [judged(each, {"a": Verdict("holds", 1.0)}) for each in pair]
        for pair in ((RISES, BY_PAIRS), (OTHER, by_words))
    ]
    heads = [table.splitlines()[0] for table in by_estimator.tables(groups, Notes())]
    assert heads == [
        "| claim | published | full | pairs |",
        "| claim | published | full | words |",
    ]


CLAIMS = [claim for paper in registry.PAPERS for claim in paper.claims]
AGAIN = [claim for claim in CLAIMS if claim.same_as]


@pytest.mark.parametrize("again", AGAIN, ids=lambda claim: claim.id)
def test_what_asks_the_same_differs_by_its_estimator_alone(again):
    """What the row of the first leaves out of the second must be the same."""
    (first,) = [claim for claim in CLAIMS if claim.id == again.same_as]
    assert again.id == f"{first.id}.{again.needs.estimator}"
    assert again.needs == replace(first.needs, estimator=again.needs.estimator)
    assert again.holds is first.holds and again.place == first.place
    assert again.says.endswith(first.says) and again.tolerance.startswith(first.tolerance)
