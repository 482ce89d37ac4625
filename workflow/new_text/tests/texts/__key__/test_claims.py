"""The claims of this text on its printed numbers get the verdicts of expected.csv."""

import csv
from pathlib import Path

from cwr.papers import registry
from cwr.report.judgement import on_published

FILE = Path(__file__).with_name("expected.csv")


def test_every_claim_gets_the_verdict_that_was_expected():
    text = registry.paper("__key__")
    verdicts = {claim.id: on_published(claim, text.published()).verdict for claim in text.claims}
    with FILE.open(newline="", encoding="utf8") as file:
        rows = list(csv.DictReader(file))
    ids = [".".join(filter(None, (row["claim"], row["reading"]))) for row in rows]
    assert verdicts == dict(zip(ids, (row["verdict"] for row in rows), strict=True))


def test_every_check_of_the_printed_numbers_agrees():
    text = registry.paper("__key__")
    assert [check.id for check in text.checks if not check.find(text.published()).agrees] == []
