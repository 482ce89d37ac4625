"""The page of checked numbers: states, replies, addresses; and what counts as agreement."""
import importlib
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cwr.papers.checks import Check, Found, agreement
from cwr.report import checked, scoreboard, verdicts

EVERY = {paper: importlib.import_module(f"cwr.papers.{paper}") for paper in verdicts.PAPERS}


def test_all_five_texts_are_checked_under_addresses_of_their_own():
    assert list(EVERY) == list(scoreboard.TITLES)
    names = [check.id for module in EVERY.values() for check in module.CHECKS]
    assert len(names) == len(set(names)) and min(len(module.CHECKS) for module in EVERY.values()) > 5
    for paper, module in EVERY.items():
        assert all(check.id.startswith(f"{paper}-check-") for check in module.CHECKS)


def test_every_check_says_how_we_know_and_how_sure_and_a_difference_has_its_reading():
    for paper in EVERY:
        for row in checked.rows(paper):
            assert row.check.how and row.check.sure and row.found.printed and row.found.should_be, row.check.id
            assert row.found.agrees or row.check.charitable, row.check.id


def test_a_reply_stands_verbatim_beside_its_row_and_changes_its_state(tmp_path):
    name = EVERY["bis2021"].CHECKS[0].id
    (tmp_path / "bis2021").mkdir()
    (tmp_path / "bis2021" / f"{name}.md").write_text("We thank you.\n\nThe *number* is right.\n", encoding="utf-8")
    states = {row.check.id: row.state for row in checked.rows("bis2021", tmp_path)}
    assert states.pop(name) == checked.REPLIED and set(states.values()) == {checked.OPEN}
    page = checked.page({"bis2021": "Biś"}, tmp_path)
    assert "> We thank you.\n>\n> The *number* is right.\n" in page and "author replied" in page


def test_a_withdrawn_row_stays_with_its_reason(monkeypatch):
    module = EVERY["bis2021"]
    first = replace(module.CHECKS[0], withdrawn="We misread the column.")
    monkeypatch.setattr(module, "CHECKS", [first, *module.CHECKS[1:]])
    page = checked.page({"bis2021": "Biś"})
    assert f"({first.id})=" in page and "We misread the column." in page and "withdrawn by us" in page


def test_what_would_be_markup_is_shown_as_it_is():
    found = Found(True, "1 | 2", "a_b")
    check = Check("x-check-y", "table 1", "Is `a_b` <c> right?", lambda table: found, "*reading*", "exact")
    text = checked._card(checked.Row("x", check, found, checked.OPEN))
    assert "\\`a\\_b\\` \\<c\\>" in text and "\\*reading\\*" in text


@pytest.mark.parametrize("computed, agrees", [(0.124, True), (0.1301, False), (np.nan, False)])
def test_agreement_is_within_the_bound_and_what_is_missing_does_not_agree(computed, agrees):
    found = agreement(pd.DataFrame({"printed": [0.12, 0.5], "computed": [computed, 0.5]}, index=["a", "b"]), 0.005)
    assert found.agrees is agrees and ("a:" in found.printed) is not agrees


@pytest.mark.parametrize("within, said", [(0, "all 1 agree exactly"), (0.005, "all 1 agree within 0.005")])
def test_agreement_says_how_near(within, said):
    assert agreement(pd.DataFrame({"printed": [3.0], "computed": [3.0]}), within).should_be == said
