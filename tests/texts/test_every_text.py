"""What is asked of every text: its claims are those of the notes, and so are its verdicts on print.

`expected.csv` in the text's folder was typed from the text before any predicate existed.
"""

import csv
import functools
from pathlib import Path

import pytest

from cwr.papers import registry
from cwr.papers.claims import Claim
from cwr.report.judgement import FAILS, NOT_DECIDABLE, on_published
from cwr.texts.zhao2020.claims import f1_readings

FURTHER = {"zhao2020": f1_readings.OTHERS}  # readings of every claim about F1, beside the notes'


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
    assert [name for name in claims if name.rpartition(".")[2] not in further] == [*expected(key)]
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
        assert any(map(str.isdigit, verdict.reason)), "a reason has the number against the words"
    if verdict.verdict == NOT_DECIDABLE:
        assert verdict.reason
