"""How many orders would do by chance: counted against a loop, and said beside the verdict."""

import itertools

import numpy as np
import pytest
from scipy.stats import permutation_test, spearmanr

from cwr.papers import registry
from cwr.papers.claims import Claim, Needs
from cwr.papers.predicates import above, at_least, at_most, every, trend
from cwr.report import judge, render
from cwr.report.chance import orders_between, share_by_normal
from cwr.report.judgement import NOT_RUN, Verdict, ask
from cwr.rows import Rows
from cwr.tables import tidy

REACHED = "the threshold of this claim for the rank correlation."
RISES = f"By chance alone, 3 of the 6 possible orders of 3 layers reach {REACHED}"


def curve(*values: float):
    rows = [{"model": "m", "layer": layer, "measure": "b"} for layer in range(len(values))]
    return tidy([row | {"value": value} for row, value in zip(rows, values, strict=True)])


def verdict_on(table, compare, bound: float) -> Verdict:
    """Of a claim whose predicate holds the trend of a curve against a bound."""

    def holds(numbers):
        return compare(numbers, trend(numbers, numbers.curve("b"), "b"), bound, "Spearman")

    needs = Needs(measures=("b",), families=())
    return judge(
        Claim(id="c", place="p", says="s", needs=needs, holds=holds, tolerance=""), table
    )


@pytest.mark.parametrize("bound", [-1.0, -0.5, 0.0, 0.3, 0.5, 0.7, 0.8, 1.0])
@pytest.mark.parametrize("number", [3, 4, 5, 6])
def test_orders_are_counted_as_a_loop_over_all_of_them_counts(number, bound):
    reached = 0
    for order in itertools.permutations(range(number)):
        reached += spearmanr(order, range(number)).statistic >= bound - 1e-9
    assert orders_between(number, bound - 1e-9, np.inf) == reached


def test_half_of_three_layers_orders_reach_a_correlation_of_one_half():
    assert verdict_on(curve(0.1, 0.2, 0.3), at_least, 0.5).chance == RISES


def test_a_bound_counts_only_where_the_predicate_counts_it():
    one = f"By chance alone, 1 of the 6 possible orders of 3 layers reaches {REACHED}"
    assert verdict_on(curve(0.1, 0.2, 0.3), above, 0.5).chance == one
    assert verdict_on(curve(0.1, 0.2, 0.3), at_most, -1).chance == one


def test_of_many_items_the_share_is_that_of_a_permutation_test():
    depth = np.arange(13)

    def correlation(order):
        return spearmanr(order, depth).statistic

    values = np.array([0, 1, 2, 9, 4, 6, 10, 5, 8, 7, 12, 3, 11])
    drawn = permutation_test(
        (values,),
        correlation,
        permutation_type="pairings",
        alternative="greater",
        n_resamples=500,
        rng=0,
    )
    share = share_by_normal(13, correlation(values), np.inf)
    assert share == pytest.approx(drawn.pvalue, abs=0.02)
    assert share_by_normal(13, -np.inf, np.inf) == 1
    assert (
        "about 4 % of all possible orders of 13 layers reach"
        in verdict_on(curve(*depth), at_least, 0.5).chance
    )


def test_a_claim_without_a_rank_correlation_says_nothing_of_chance():
    def holds(table):
        values = table.curve("b")
        trend(table, values, "b")  # looked at, and held against nothing
        return every(table, values > 0, ["layer 0"] * 3, values)

    needs = Needs(measures=("b",), families=())
    claim = Claim(id="c", place="p", says="s", needs=needs, holds=holds, tolerance="")
    assert judge(claim, curve(1, 2, 3)).chance == ""


def test_it_stands_beside_the_verdict_in_the_notes_the_small_print_and_the_json():
    verdict = verdict_on(curve(0.1, 0.2, 0.3), at_least, 0.5)
    notes = render.Notes()
    assert render.noted(verdict, notes) == "holds here [1]" and RISES in notes.markdown()
    assert RISES in render.with_reason(verdict)


def test_every_verdict_on_printed_numbers_that_rests_on_a_rank_correlation_has_its_count():
    told = {}
    for paper in registry.PAPERS:
        table = paper.published()
        for claim in filter(lambda claim: claim.holds, paper.claims):
            groups = [(0, table)] if claim.needs.compares else table.groupby("model")
            for _, rows in groups:
                verdict, journal = ask(claim, Rows(rows))
                if journal and journal.rankings and verdict.verdict != NOT_RUN:
                    told[claim.id] = verdict.chance
    assert {
        "eth-anisotropy-rises",
        "eth-selfsim-decreases.trend",
        "bis-ratio-isotropy",
    } <= set(told)
    assert all(told.values()), told
