"""Where claims and checks turn: a printed number is changed, and the answer is the one typed here.

`turning_points.csv` in a text's folder has a line a change. id: of a claim or a check. rows: the keys of the printed rows
that change, "key=value" and ";" between them, "|" between several values, nothing for an empty cell. change: "= 0.83",
"+ 0.1", "- 0.1" or "x 2". expected: the verdict then, or whether the check "agrees" or "differs".
"""

import csv
import operator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cwr.papers import registry
from cwr.report.judgement import on_published

CHANGES = {
    "=": lambda old, new: old * 0 + new,
    "+": operator.add,
    "-": operator.sub,
    "x": operator.mul,
}
TURNING_POINTS = [
    pytest.param(paper, *line.values(), id=f"{paper.key} {' '.join(line.values())}")
    for paper in registry.PAPERS
    for line in csv.DictReader(
        (Path(__file__).parent / paper.key / "turning_points.csv").open()
    )
]


def changed(table: pd.DataFrame, rows: str, change: str) -> pd.DataFrame:
    """A table of printed numbers with other values in some rows."""
    keep = np.ones(len(table), dtype=bool)
    for condition in rows.split("; "):
        key, _, values = condition.partition("=")
        keep &= (
            table[key]
            .astype("string")
            .fillna("")
            .isin(values.split("|"))
            .to_numpy(dtype=bool)
        )
    sign, _, number = change.partition(" ")
    values = CHANGES[sign](table["value"], float(number))
    assert (keep & (values != table["value"])).any(), "nothing changes"
    return table.assign(value=np.where(keep, values, table["value"]))


@pytest.mark.parametrize(("paper", "name", "rows", "change", "expected"), TURNING_POINTS)
def test_a_changed_number_turns_the_answer_as_the_words_say(
    paper, name, rows, change, expected
):
    table = changed(paper.published(), rows, change)
    if expected in ("agrees", "differs"):
        check = next(check for check in paper.checks if check.id == name)
        assert check.find(table).agrees == (expected == "agrees")
    else:
        claim = next(claim for claim in paper.claims if claim.id == name)
        verdict = on_published(claim, table)
        assert verdict.verdict == expected, verdict.reason


BY_LAYERS = (
    "ethayarajh2019-check-pc-layers"  # other layers turn it, not other values: test_claims
)


def test_every_check_that_agrees_is_turned_by_some_number():
    turned = {point.values[1] for point in TURNING_POINTS if point.values[4] == "differs"}
    agreeing = {
        check.id
        for paper in registry.PAPERS
        for check in paper.checks
        if check.find(paper.published()).agrees
    }
    assert agreeing - turned == {BY_LAYERS}
