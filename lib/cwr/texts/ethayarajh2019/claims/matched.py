"""Our variants of Figure 4, which compare a word with as many random words as it occurs.

M = maximum explainable variance, by three estimators, as in `figure_4`. All three depend on
the number n of a word's occurrences, and the paper's baseline has the n of some thousand words.
"""

from functools import partial

from cwr.papers.claims import Claim, Needs
from cwr.texts.ethayarajh2019.claims.figure_4 import ESTIMATED, RELEASED, within_limit
from cwr.texts.ethayarajh2019.claims.readings import MATCHED_EXPLAINED_VARIANCE

ONE_BASELINE = (
    "the released statistics have one baseline for each layer, that of 1,000 random words"
)
MATCH = (
    "This is our variant of eth-mev-5pct. Explained variance depends on the number n of vectors, and "
    "the paper's baseline has far more vectors than a word has. We compare each word with a set of "
    "random words that has as many vectors."
)


def _claim(reading: str, estimator: str) -> Claim:
    """The claim by one estimator."""
    return Claim(
        id=f"eth-mev-5pct.{reading}",
        place="not in the paper",
        says=f"By {ESTIMATED[estimator]}, one direction explains a word's variance less than 5 "
        "percentage points better than that of as many random words.",
        needs=Needs(measures=(MATCHED_EXPLAINED_VARIANCE,), estimator=estimator),
        holds=partial(within_limit, measure=MATCHED_EXPLAINED_VARIANCE),
        tolerance="the mean explained variance of words, minus that of as many random words, is at "
        "most {limit} in every layer above the input",
        because=MATCH,
        unprinted=ONE_BASELINE,
        ours=True,
    )


MATCHED = [
    _claim("matched", RELEASED),
    _claim("matched-definition", "definition"),
    _claim("matched-pca", "pca"),
]
