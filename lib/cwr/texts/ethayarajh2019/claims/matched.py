"""Our variants of Figure 4, which compare a word with as many random words as it occurs.

M = maximum explainable variance, by three estimators, as in `figure_4`. All three depend on
the number n of a word's occurrences, and the paper's baseline has the n of some thousand words.
"""

from functools import partial

from cwr.papers.claims import Claim, Needs
from cwr.texts.ethayarajh2019.claims.figure_4 import ESTIMATED, RELEASED, within_limit
from cwr.texts.ethayarajh2019.claims.readings import MATCHED_EXPLAINED_VARIANCE

ONE_BASELINE = "the released statistics have one baseline a layer, and it is of 1,000 random words"
MATCH = (
    "Our reading of eth-mev-5pct: explained variance depends on the number n of vectors, and the "
    "paper's baseline has far more of them than a word. Here each word stands beside a set of n "
    "random words, n as its own."
)


def _claim(reading: str, estimator: str) -> Claim:
    """The claim by one estimator."""
    return Claim(
        id=f"eth-mev-5pct.{reading}",
        place="not in the paper",
        says=f"By {ESTIMATED[estimator]}, one direction explains less than 5 % of a word's "
        "variance beyond what it explains of as many random words.",
        needs=Needs(measures=(MATCHED_EXPLAINED_VARIANCE,), estimator=estimator),
        holds=partial(within_limit, measure=MATCHED_EXPLAINED_VARIANCE),
        tolerance="mean over words of M minus that of n random words, n as the word's, <= {limit} "
        "in every layer above the input",
        because=MATCH,
        unprinted=ONE_BASELINE,
        ours=True,
    )


MATCHED = [
    _claim("matched", RELEASED),
    _claim("matched-definition", "definition"),
    _claim("matched-pca", "pca"),
]
