"""Readings of Figure 4 that are ours: a word stands beside as many random words as it occurs.

M = maximum explainable variance, by three estimators, as in `claims_figure_4`. All three depend on
the number n of a word's occurrences, and the paper's baseline has the n of some thousand words.
"""

import numpy as np

import cwr.texts.ethayarajh2019.claims.readings as readings
from cwr.papers import predicates
from cwr.papers.claims import Claim, Needs
from cwr.tables import Table
from cwr.texts.ethayarajh2019.claims.figure_4 import FIRST, LIMIT
from cwr.texts.ethayarajh2019.claims.readings import MATCHED_EXPLAINED_VARIANCE

ONE_BASELINE = "the released statistics have one baseline a layer, and it is of 1,000 random words"
MATCH = (
    "Our reading of eth-mev-5pct: explained variance depends on the number n of vectors, and the "
    "paper's baseline has far more of them than a word. Here each word stands beside a set of n "
    "random words, n as its own."
)


def _within_limit(table: Table) -> np.ndarray:
    """Whether M minus that of as many random words is at most 5 % in every layer."""
    names, variance = readings.layers(table, MATCHED_EXPLAINED_VARIANCE, FIRST)
    return predicates.at_most(table, variance, LIMIT, names)


def _claim(reading: str, estimator: str, by: str, because: str = MATCH) -> Claim:
    """The claim by one estimator. by: the estimator in words."""
    return Claim(
        id=f"eth-mev-5pct.{reading}",
        place="not in the paper",
        says=f"By {by}, one direction explains less than 5 % of a word's variance beyond what it "
        "explains of as many random words.",
        needs=Needs(measures=(MATCHED_EXPLAINED_VARIANCE,), estimator=estimator),
        holds=_within_limit,
        tolerance="mean over words of M minus that of n random words, n as the word's, <= 0.05 in "
        "every layer above the input",
        because=because,
        unprinted=ONE_BASELINE,
        ours=True,
    )


MATCHED = [
    _claim("matched", "released", "the released estimator"),
    _claim("matched-definition", "definition", "equation 3"),
    _claim("matched-pca", "pca", "a centred PCA"),
]
