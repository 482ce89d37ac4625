"""What the tests of claims share: whether a verdict rests on something."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from cwr.papers.claims import Claim
from cwr.report.judgement import FAILS, HOLDS, NOT_RUN, UNDECIDED, ask
from cwr.tables import Journal


def rests_on_nothing(journal: Journal | None) -> str:
    """What a verdict rested on that is no ground: an empty selection, too few items, NaN in most draws."""
    if journal is None:
        return ""
    for selection in journal.selections:
        number = selection.values.shape[1]
        if number < max(selection.at_least, 1):
            return f"{selection.name}: {number} of {selection.at_least} items"
        if np.isnan(selection.values).any(axis=1).mean() > 0.025:
            return f"{selection.name} is NaN"
    return "" if journal.selections else "nothing was read"


def why_decided_on_nothing(
    claim: Claim, table: pd.DataFrame, replicates: np.ndarray | None
) -> str:
    """Why a decision on this table is none; empty if it is sound, or if nothing was decided."""
    verdict, journal = ask(claim, table, replicates)
    ground = rests_on_nothing(journal)
    if verdict.verdict in (HOLDS, FAILS) and ground:
        return f"{verdict.verdict} on {ground}"
    if verdict.verdict == NOT_RUN and not verdict.reason:
        return "not run without a reason"
    if verdict.verdict == UNDECIDED and verdict.support is None:
        return "undecided without draws"
    return ""


@pytest.fixture(scope="session")
def decided_on_nothing() -> Callable[[Claim, pd.DataFrame, np.ndarray | None], str]:
    """Why a decision on a table is none: what its predicate read was empty or undefined."""
    return why_decided_on_nothing
