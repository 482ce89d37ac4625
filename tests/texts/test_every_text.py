"""What is asked of every text: its claims are those of the notes, and so are its verdicts on print.

`expected.csv` in the text's folder was typed from the text before any predicate existed.
"""

import csv
import functools
import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from cwr.papers import registry
from cwr.papers.claims import Claim, thresholds
from cwr.report.judgement import FAILS, NOT_DECIDABLE, on_published
from cwr.texts.zhao2020.claims import f1_readings

FURTHER = {
    "zhao2020": f1_readings.OTHERS
}  # readings of every claim about F1, beside the notes'


@functools.cache
def expected(key: str) -> dict[str, str]:
    """The verdict of the notes by a claim's id, in their order."""
    file = Path(__file__).parent / key / "expected.csv"
    with file.open(newline="", encoding="utf8") as lines:
        rows = list(csv.DictReader(lines))
    return {f"{row['claim']}.{row['reading']}".rstrip("."): row["verdict"] for row in rows}


@functools.cache
def asked(key: str) -> dict[str, Claim]:
    """The claims of a text by their ids."""
    return {claim.id: claim for claim in registry.paper(key).claims}


published = functools.cache(lambda key: registry.paper(key).published())
each = pytest.mark.parametrize("key", registry.KEYS)


@each
def test_every_claim_of_the_notes_is_there_in_order_under_an_id_of_its_own(key):
    claims = [claim.id for claim in registry.paper(key).claims]
    further = FURTHER.get(key, ())
    assert [name for name in claims if name.rpartition(".")[2] not in further] == [
        *expected(key)
    ]
    forms = {
        claim.general_form.id
        for claim in asked(key).values()
        if isinstance(claim.general_form, Claim)
    }
    assert len(asked(key)) == len(claims) and not forms & set(claims)


@each
def test_a_text_is_known_for_at_most_five_of_its_claims(key):
    headlines = registry.paper(key).headlines
    assert set(headlines) <= set(asked(key)) and 0 < len(headlines) <= 5


@pytest.mark.parametrize(
    ("key", "name"), [(key, name) for key in registry.KEYS for name in expected(key)]
)
def test_the_printed_numbers_give_the_notes_verdict(key, name):
    verdict = on_published(asked(key)[name], published(key))
    assert verdict.verdict == expected(key)[name], verdict.reason
    if verdict.verdict == FAILS:
        assert any(map(str.isdigit, verdict.reason)), (
            "a reason has the number against the words"
        )
    if verdict.verdict == NOT_DECIDABLE:
        assert verdict.reason


# ---- a threshold is said once


def words(claim: Claim) -> list[Claim]:
    """A claim and its form for any model, each with words of its own."""
    form = claim.general_form
    return [claim, form] if isinstance(form, Claim) else [claim]


def numbers(claim: Claim) -> dict[str, float]:
    """The numbers that a predicate has as defaults of its arguments, by their names."""
    named = thresholds(claim.holds).items()
    return {name: number for name, number in named if type(number) is float}


@each
def test_no_decimal_number_is_typed_into_the_words_of_a_claim(key):
    typed = {
        form.id: form.tolerance
        for claim in asked(key).values()
        for form in words(claim)
        if re.search(r"\d\.\d|\d %", form.tolerance)
    }
    assert not typed, "write {name} for the number that the predicate compares with"


@each
def test_another_threshold_is_read_as_other_words(key):
    for claim in asked(key).values():
        for form in words(claim):
            for name, number in numbers(form).items():
                other = replace(form, holds=partial(form.holds, **{name: number + 1}))
                assert other.read_as != form.read_as, f"{form.id} does not say its {name}"
