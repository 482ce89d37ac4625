"""Claims of Ethayarajh (2019) in section 4.3 on the variance before the adjustment, and on senses.

M = maximum explainable variance, by three estimators, as in `figure_4`.
"""

from functools import partial

import numpy as np

import cwr.texts.ethayarajh2019.claims.readings as readings
from cwr.papers import predicates
from cwr.papers.claims import PAPER_FAMILIES, Claim, General, Needs
from cwr.tables import Table
from cwr.texts.ethayarajh2019.claims.figure_4 import (
    ESTIMATED,
    ESTIMATORS,
    FEW_OCCURRENCES,
    FIRST,
    RELEASED,
    suffixes,
)
from cwr.texts.ethayarajh2019.claims.readings import (
    ADJUSTED_EXPLAINED_VARIANCE,
    EXPLAINED_VARIANCE,
    EXPLAINED_VARIANCE_BASELINE,
    EXPLAINED_VARIANCE_NEVER_FIRST,
    ONE_TOKEN,
    SHARE_BELOW_BASELINE,
    STOPWORD_PERCENTILE,
)

MANY = 0.2  # "many words", and "around 30 %" less a third
MIDDLE = (2 / 12, 11 / 12)  # layers 2 to 11 of 12, by depth
FIRST_TOKENS = (
    "In the released statistics this value is mostly an effect of sentence-initial words, as we infer "
    "from the rebuilt input."
)


def _around(table: Table, level: float = 0.3, margin: float = 0.06) -> np.ndarray:
    """Whether raw M is roughly at this level in the middle layers."""
    names, variance = readings.layers(table, EXPLAINED_VARIANCE, FIRST, MIDDLE)
    near = np.abs(variance - level) <= margin + predicates.TIE
    return predicates.every(table, near, names, variance)


def _reaches(
    table: Table, measure: str, high: float = MANY, bound: float | None = None
) -> np.ndarray:
    """Whether a measure reaches the bound in every middle layer in which raw M is high.

    high: what raw M must reach for it. bound: what the measure must; by default as much.
    Undefined in draws where it is high in none.
    """
    names, raw = readings.layers(table, EXPLAINED_VARIANCE, FIRST, MIDDLE)
    _, variance = readings.layers(table, measure, FIRST, MIDDLE)
    is_high = raw >= high - predicates.TIE
    reason = f"the raw explained variance is below {100 * high:g} % in every middle layer"
    table.undefined(~is_high.any(axis=1), f"{reason}, so there is nothing to explain")
    reaches = (variance >= (bound or high) - predicates.TIE) | ~is_high
    return predicates.every(table, reaches, names, variance)


def _many_below_baseline(table: Table, many: float = MANY) -> np.ndarray:
    """Whether many words are below the baseline in every layer."""
    names, share = readings.layers(table, SHARE_BELOW_BASELINE, FIRST)
    return predicates.at_least(table, share, many, names)


def _many_in_some_model(table: Table, many: float = MANY) -> np.ndarray:
    """Whether many words are below the baseline in every layer of some model."""
    models = table.with_measure(SHARE_BELOW_BASELINE).values()
    return np.stack([_many_below_baseline(rows, many) for rows in models]).any(axis=0)


def _around_30(estimator: str, because: str) -> Claim:
    """The claim of 30 % by one estimator."""
    reading, named = suffixes(estimator)
    value = f"raw explained variance{named} is roughly 30 %"
    return Claim(
        id=f"eth-mev-gpt2-30pct{reading}",
        place="section 4.3",
        says=f"In GPT-2 the {value} in layers 2 to 11.",
        needs=Needs(
            measures=(EXPLAINED_VARIANCE,), families=("causal",), n_layers=12, estimator=estimator
        ),
        holds=_around,
        tolerance="the raw explained variance is within {level:.2f} +- {margin} in layers 2 to 11 of 12, by "
        "depth, by " + ESTIMATED[estimator],
        because=because,
        general=General(says=f"The {value} from 1/6 to 11/12 of the depth."),
    )


SECTION_4_3 = [
    _around_30(RELEASED, f"{FIRST_TOKENS} {ONE_TOKEN}"),
    _around_30("definition", f"{ESTIMATORS} No value by equation 3 was released."),
    _around_30("pca", f"{ESTIMATORS} {FEW_OCCURRENCES}"),
    Claim(
        id="eth-mev-gpt2-cause",
        place="section 4.3",
        says="GPT-2's explained variance of 30 % is due to its extreme anisotropy.",
        needs=Needs(
            measures=(EXPLAINED_VARIANCE_NEVER_FIRST, EXPLAINED_VARIANCE),
            families=("causal",),
            n_layers=12,
            estimator=RELEASED,
        ),
        holds=partial(_reaches, measure=EXPLAINED_VARIANCE_NEVER_FIRST),
        tolerance=(
            "wherever the explained variance of all words is {high} or more in layers 2 to 11 "
            "of 12, by depth, that of words never in the first position is, too"
        ),
        because=(
            "The claim is true if anisotropy means the explained variance of random words, as "
            "eth-mev-gpt2-cause.baseline tests. The same first tokens then raise both values. "
            "We know from the rebuilt input which published words are never first. In a model "
            "with a start token, such as cwr-gpt, no word occupies the first position. So only "
            f"a model without a start token can test the claim. {ONE_TOKEN}"
        ),
        general=General(
            says=(
                "Words never in the first position have a raw explained variance of 20 % wherever "
                "all words have, from 1/6 to 11/12 of the depth."
            ),
        ),
    ),
    Claim(
        id="eth-mev-gpt2-cause.baseline",
        place="section 4.3",
        says=(
            "In GPT-2's layers with an explained variance of 30 %, one direction explains nearly "
            "all variance of random words."
        ),
        needs=Needs(
            measures=(EXPLAINED_VARIANCE_BASELINE, EXPLAINED_VARIANCE),
            families=("causal",),
            n_layers=12,
            estimator=RELEASED,
        ),
        holds=partial(_reaches, measure=EXPLAINED_VARIANCE_BASELINE, bound=0.9),
        tolerance=(
            "the explained variance of random words is at least {bound} in each layer where that "
            "of a word is {high} or more, in layers 2 to 11 of 12, by depth"
        ),
        because=(
            "This is the charitable reading of eth-mev-gpt2-cause, with the text's other measure "
            f"of anisotropy. {ONE_TOKEN}"
        ),
        general=General(
            says="Where the raw explained variance is 20 % or more, one direction explains nearly "
            "all variance of random words, from 1/6 to 11/12 of the depth.",
        ),
    ),
    Claim(
        id="eth-mev-below-baseline",
        place="section 4.3",
        says="For many words the raw explained variance is below that of random words.",
        needs=Needs(
            measures=(SHARE_BELOW_BASELINE,),
            families=(),
            estimator=RELEASED,
            compares=True,
            beside=PAPER_FAMILIES,
        ),
        holds=_many_in_some_model,
        tolerance="this is true of at least {many:%} of the words, in every layer of some model",
        because='The text sets no number for "many words"; we take a fifth. The text names no model, '
        f"so one model is enough. {ONE_TOKEN}",
    ),
    Claim(
        id="eth-mev-below-baseline.each",
        place="section 4.3",
        says=(
            "In each model the raw explained variance of many words is below that of random words."
        ),
        needs=Needs(measures=(SHARE_BELOW_BASELINE,), families=PAPER_FAMILIES, estimator=RELEASED),
        holds=_many_below_baseline,
        tolerance="this is true of at least {many:%} of the words, in every layer above the input",
        because=f"This is the strict reading of eth-mev-below-baseline. {ONE_TOKEN}",
    ),
    Claim(
        id="eth-no-finite-senses",
        place="section 1, finding 4; section 4.2; section 4.3",
        says="A word does not have a finite set of sense vectors.",
        needs=Needs(measures=(ADJUSTED_EXPLAINED_VARIANCE, STOPWORD_PERCENTILE)),
        holds=None,
        tolerance="no test of ours decides it",
        because=(
            "The statement rests on the small explained variance and on the stopwords, which "
            "eth-mev-5pct and eth-stopwords-lowest judge. Explained variance cannot decide the "
            "statement: even with twenty-one tight senses, one direction explains little."
        ),
        unprinted=(
            "this is an interpretation, which no number of the paper decides by itself; "
            "eth-finite-senses.clusters tests it with clusters"
        ),
    ),
]
