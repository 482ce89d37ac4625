"""The page of checked numbers: states, replies, addresses; and what counts as agreement."""

import numpy as np
import pandas as pd
import pytest

from cwr.papers import registry
from cwr.papers.checks import Check, Found, agreement
from cwr.report import checked


def test_all_texts_are_checked_under_addresses_of_their_own():
    names = [check.id for paper in registry.PAPERS for check in paper.checks]
    assert len(names) == len(set(names)) and all(paper.checks for paper in registry.PAPERS)
    for paper in registry.PAPERS:
        assert all(check.id.startswith(f"{paper.key}-check-") for check in paper.checks)


def test_every_check_says_how_we_know_and_how_sure_and_a_difference_has_its_reading():
    for paper in registry.KEYS:
        for row in checked.rows(paper):
            assert (
                row.check.how
                and row.check.sure
                and row.found.printed
                and row.found.should_be
            ), row.check.id
            explained = row.check.charitable or row.check.remark
            assert row.found.agrees or explained, row.check.id


def test_a_reply_stands_verbatim_beside_its_row_and_changes_its_state(tmp_path):
    name = registry.paper("bis2021").checks[0].id
    (tmp_path / "bis2021").mkdir()
    (tmp_path / "bis2021" / f"{name}.md").write_text(
        "We thank you.\n\nThe *number* is right.\n", encoding="utf-8"
    )
    states = {row.check.id: row.state for row in checked.rows("bis2021", tmp_path)}
    assert states.pop(name) == checked.REPLIED and set(states.values()) == {checked.OPEN}
    page = checked.page(tmp_path)
    assert (
        "> We thank you.\n>\n> The *number* is right.\n" in page
        and "author replied" in page
    )


def row(agrees=False, **fields) -> checked.Row:
    fields = {
        "place": "table 1",
        "asks": "Is `a_b` <c> right?",
        "how": "*reading*",
        "sure": "exact",
    } | fields
    result = Found(agrees, "1 | 2", "a_b")
    check = Check(id="x-check-y", find=lambda table: result, **fields)
    return checked.Row("x", check, result, checked.OPEN)


def test_a_withdrawn_row_stays_with_its_reason():
    withdrawn = row(withdrawn="We misread the column.")
    page = checked._card(withdrawn)
    assert checked.verdict(withdrawn) == "withdrawn by us"
    assert "(x-check-y)=" in page and "We misread the column." in page


def test_a_remark_is_no_difference_and_what_rests_on_our_copy_says_so():
    assert [checked.verdict(row(remark=remark)) for remark in (False, True)] == [
        "differs",
        "remark",
    ]
    assert checked.verdict(row(agrees=True)) == "agrees"
    released = checked._card(row(stated="Released", from_copy=True))
    assert (
        "- *Released.* 1 | 2" in released
        and "rests on our text copy of the paper alone" in released
    )
    assert "our text copy" not in checked._card(
        row()
    ) and "*Released:* 1" in checked.markdown([row(stated="Released")])


def test_what_would_be_markup_is_shown_as_it_is():
    text = checked._card(row())
    assert "\\`a\\_b\\` \\<c\\>" in text and "\\*reading\\*" in text
    assert "| 1 \\| 2 |" in checked.markdown([row()]), "a bar does not end a cell"


@pytest.mark.parametrize(
    "computed, agrees", [(0.124, True), (0.1301, False), (np.nan, False)]
)
def test_agreement_is_within_the_bound_and_what_is_missing_does_not_agree(
    computed, agrees
):
    found = agreement(
        pd.DataFrame(
            {"printed": [0.12, 0.5], "computed": [computed, 0.5]}, index=["a", "b"]
        ),
        0.005,
    )
    assert found.agrees is agrees and ("a:" in found.printed) is not agrees


@pytest.mark.parametrize(
    "within, said", [(0, "all 1 agree exactly"), (0.005, "all 1 agree to within 0.005")]
)
def test_agreement_says_how_near(within, said):
    assert (
        agreement(pd.DataFrame({"printed": [3.0], "computed": [3.0]}), within).should_be
        == said
    )
