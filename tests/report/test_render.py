"""One verdict in the same words everywhere, and tables whose rows have as many cells as their heads."""

import json
import re

import pytest

from cwr.papers import registry
from cwr.papers.claims import Claim, Needs
from cwr.report import Verdict, checked, markup, render, verdicts
from cwr.report.judgement import Parts
from cwr.report.render import Judged, Notes, words


def test_verdicts_are_counted_in_words_and_none_is_left_out():
    assert (
        render.counted(["fails", "holds", "holds"]) == "2 hold, 1 fails, 0 not decidable"
    )
    assert (
        render.counted(["agrees", "withdrawn by us"], ("agrees", "differs"))
        == "1 agrees, 0 differ, 1 withdrawn by us"
    )


@pytest.mark.parametrize(
    "verdict, here, shown",
    [
        (Verdict("holds", 0.982), True, "holds here (0.98)"),
        (Verdict("holds", 0.982), False, "holds (0.98)"),
        (Verdict("holds", 0.975), True, "holds here (0.975)"),
        (Verdict("undecided", 0.971), True, "undecided (0.971)"),
        (Verdict("undecided", 0.026), True, "undecided (0.026)"),
        (Verdict("fails", 0.025), True, "fails here (0.025)"),
        (
            Verdict("undecided", 1.0, ground="no meaning in 4% of draws"),
            True,
            "undecided (no meaning in 4% of draws)",
        ),
        (Verdict("fails", 0.0), True, "fails here (0.00)"),
        (Verdict("fails", 0.004), True, "fails here (< 0.01)"),
        (Verdict("holds", 0.996), True, "holds here (> 0.99)"),
        (Verdict("holds", 1.0), True, "holds here (1.00)"),
        (Verdict("undecided", 0.5), True, "undecided (0.50)"),
        (Verdict("not run", beyond=True), True, "not run"),
        (Verdict("fails", 0.0, beyond=True), True, "beyond the paper: fails here (0.00)"),
        (Verdict("holds", ground="by proof"), False, "holds (by proof)"),
        (None, True, "–"),
    ],
)
def test_words(verdict, here, shown):
    assert words(verdict, here) == shown


def test_a_conjunction_says_how_many_of_its_parts_hold_and_the_least():
    said = render.reasons(Verdict("undecided", 0.8, parts=Parts(4, 3, "layer 2", 0.81)))
    assert said == [
        "Of the 4 parts of the claim, 3 clearly hold. The part with the least support, “layer 2”, holds in 81 % of the "
        "bootstrap samples."
    ]
    assert render.reasons(Verdict("holds", 1.0, parts=Parts(4, 4, "layer 2", 1.0))) == [
        "All 4 parts of the claim hold in every bootstrap sample."
    ]
    assert render.reasons(Verdict("holds", parts=Parts(4, 4, "layer 2", 1.0))) == []


@pytest.mark.parametrize(
    ("number", "holding", "said"),
    [
        (2, 0, "Neither part of the claim clearly holds"),
        (2, 1, "Of the 2 parts of the claim, 1 clearly holds"),
        (2, 2, "Both parts of the claim clearly hold"),
        (3, 0, "None of the 3 parts of the claim clearly holds"),
        (3, 3, "All 3 parts of the claim clearly hold"),
    ],
)
def test_parts_are_counted_in_words(number, holding, said):
    parts = Parts(number, holding, "layer 2", 0.5)
    assert render.reasons(Verdict("undecided", 0.4, parts=parts))[0].startswith(
        f"{said}. "
    )


def test_a_bar_or_a_line_break_does_not_end_a_cell():
    text = markup.table(["a", "b"], [["|I| <= 0.05", "two\nlines"]])
    assert text.splitlines() == [
        "| a | b |",
        "| --- | --- |",
        "| \\|I\\| <= 0.05 | two lines |",
    ]


@pytest.mark.parametrize(
    "text, shown",
    [
        ("It rises", "It rises."),
        ("Why?", "Why?"),
        ("Dr. A", "Dr. A."),
        ("et al.", "et al."),
        ("", ""),
    ],
)
def test_a_sentence_ends_with_the_mark_that_it_has_or_with_a_full_stop(text, shown):
    assert render.sentence(text) == shown


CLAIM = Claim(
    id="c.strict",
    place="p",
    says="s < t",
    needs=Needs(measures=("b",)),
    holds=None,
    tolerance="|I| <= 1",
    because="The text sets none",
)


def test_a_statement_says_how_it_is_read_and_folds_why_in_full_sentences():
    assert render.statement(CLAIM, also="Asked of any model") == (
        "s &lt; t <small>`c.strict`</small><br><small>Read as: |I| &lt;= 1.</small>"
        "<details><summary><small>Reason</small></summary>"
        "<small>The text sets none. Asked of any model.</small></details>"
    )


def test_equal_reasons_share_a_note():
    notes = Notes()
    assert render.noted(Verdict("not run", reason="x"), notes) == "not run [1]"
    assert (
        render.noted(Verdict("undecided", 0.5, reason="y"), notes)
        == "undecided (0.50) [2]"
    )
    assert (
        render.noted(Verdict("not run", reason="x"), notes) == "not run [1]"
        and notes.markdown() == "1. X.\n2. Y."
    )


def test_a_row_of_json_keeps_the_published_reason_apart_from_ours():
    judged = Judged(
        "p",
        CLAIM,
        Verdict("fails", reason="layer 3"),
        {
            "m": Verdict("not run", reason="needs b"),
            "n": Verdict("undecided", 1.0, ground="no meaning in 4% of draws"),
        },
        "cwr run p",
    )
    row = json.loads(json.dumps(render.row(judged)))
    assert row["ours"]["n"]["ground"] == "no meaning in 4% of draws"
    assert row["reason"] == "layer 3" and row["ours"]["m"]["reason"] == "needs b"
    assert row["read_as"] == "|I| <= 1" and row["because"] == "The text sets none"


CELL = re.compile(r"(?<!\\)\|")


def rows_of_another_width(markdown: str) -> list[str]:
    """Rows of Markdown tables with more or fewer cells than the head of their table."""
    wrong, width = [], None
    for line in markdown.splitlines():
        if not line.startswith("|"):
            width = None
            continue
        width = width or len(CELL.findall(line))
        wrong += [line] if len(CELL.findall(line)) != width else []
    return wrong


def test_every_row_of_every_generated_table_has_as_many_cells_as_its_head():
    pages = [checked.page()]
    pages += [verdicts.published(paper) for paper in registry.KEYS]
    pages += [checked.markdown(checked.rows(paper)) for paper in registry.KEYS]
    assert sum(page.count("\n|") for page in pages) > 400
    assert [line for page in pages for line in rows_of_another_width(page)] == []
    assert rows_of_another_width("| a | b |\n| --- | --- |\n| |I| | b |"), (
        "the check sees a bar too many"
    )
