"""Counts how many orders of the items would reach a given rank correlation by chance.

Few items allow few values (three layers: four), so many orders can meet a threshold. The count
stands beside each verdict that rests on such a correlation.
"""

import functools
import itertools
import math
from statistics import NormalDist

import numpy as np

from cwr.measures import stats
from cwr.tables import Comparison, Journal, Ranking

ENUMERATED = 8  # of so many items all orders are counted
TIE = 1e-12  # binary fractions are not decimal ones
THRESHOLD = "the threshold of this claim for the rank correlation"


def chances(journal: Journal) -> str:
    """Tells how many orders would meet the bounds on a predicate's rank correlations by chance.

    One sentence for each number of items: "By chance alone, 3 of the 6 possible orders of 3 layers
    reach the threshold of this claim for the rank correlation."
    Empty for a predicate without rank correlations.
    """
    sentences = [
        _sentence(ranking, comparison)
        for ranking in journal.rankings
        for comparison in journal.comparisons
        if _is_of(comparison, ranking)
    ]
    return " ".join(dict.fromkeys(sentences))


def _is_of(comparison: Comparison, ranking: Ranking) -> bool:
    """Tells whether the compared values are those of this rank correlation."""
    first = comparison.values[:, 0]
    return comparison.values.shape[1] == 1 and np.array_equal(first, ranking.values, equal_nan=True)


def _sentence(ranking: Ranking, comparison: Comparison) -> str:
    """Returns a sentence: how many orders of the items have a correlation between the bounds."""
    number, items = ranking.number, ranking.items
    margin = TIE if comparison.closed else -TIE
    low, high = comparison.low - margin, comparison.high + margin
    if number > ENUMERATED:
        percent = 100 * share_by_normal(number, low, high)
        about = f"about {percent:.0f} %" if percent >= 1 else "less than 1 %"
        return f"By chance alone, {about} of all possible orders of {number} {items} reach {THRESHOLD}."
    count = orders_between(number, low, high)
    reach = "reaches" if count == 1 else "reach"
    return (
        f"By chance alone, {count:,} of the {math.factorial(number):,} possible orders of {number} {items} "
        f"{reach} {THRESHOLD}."
    )


@functools.cache
def orders_between(number: int, low: float, high: float) -> int:
    """Counts the orders of `number` items whose Spearman correlation with 1, 2, 3, ... lies
    strictly between `low` and `high`; tries every order.
    """
    orders = np.array(list(itertools.permutations(range(number))))
    correlations = stats.rank_correlation(orders)
    return int(((correlations > low) & (correlations < high)).sum())


def share_by_normal(number: int, low: float, high: float) -> float:
    """Approximates the share of orders whose Spearman correlation is in [low, high].

    Uses a normal distribution with mean 0 and variance 1 / (number - 1), those over all orders.
    """
    of_orders = NormalDist(0, 1 / math.sqrt(number - 1))
    return of_orders.cdf(high) - of_orders.cdf(low)
