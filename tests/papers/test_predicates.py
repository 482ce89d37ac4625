"""The words that predicates share, at their edges: a tie at a bound, and what goes against a claim."""

import numpy as np
import pytest

from cwr.papers import predicates
from cwr.papers.predicates import SHOWN, TIE
from cwr.tables import Table, tidy


@pytest.fixture
def table() -> Table:
    return Table(tidy([{"measure": "m", "value": 0.5}]))


@pytest.mark.parametrize(
    "word, side", [(predicates.at_most, 1), (predicates.at_least, -1)]
)
def test_a_value_on_the_edge_of_a_tie_still_meets_its_bound(table, word, side):
    bound = 0.5
    edge = bound + side * TIE
    values = np.array([edge, edge + side * TIE])
    assert word(table, values, bound, "the value").tolist() == [True, False]


@pytest.mark.parametrize("failing", [SHOWN, SHOWN + 1, SHOWN + 4])
def test_of_many_layers_that_fail_the_first_are_named_and_the_others_counted(
    table, failing
):
    truth = np.arange(20)[None] >= failing
    predicates.every(table, truth, predicates.layer_names(range(20)))
    (against,) = table.journal.against
    names, _, more = against.partition(" and ")
    assert names.split(", ") == [f"layer {layer}" for layer in range(SHOWN)]
    assert more == (f"{failing - SHOWN} more" if failing > SHOWN else "")
