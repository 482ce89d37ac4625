"""Claims of Ethayarajh (2019) in section 4.3 on the variance before the adjustment, and on senses.

M = maximum explainable variance, by three estimators, as in `claims_figure_4`.
"""

import numpy as np

import cwr.texts.ethayarajh2019.claims.readings as readings
from cwr.papers import predicates
from cwr.papers.claims import PAPER_FAMILIES, Claim, General, Needs
from cwr.tables import Table
from cwr.texts.ethayarajh2019.claims.figure_4 import ESTIMATORS, FEW_OCCURRENCES, FIRST
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
    "On the released statistics it is mostly an effect of sentence-initial words, as we infer from "
    "the rebuilt input."
)


def _around_030(table: Table) -> np.ndarray:
    """Whether raw M is roughly 30 % in the middle layers."""
    names, variance = readings.layers(table, EXPLAINED_VARIANCE, FIRST, MIDDLE)
    near = np.abs(variance - 0.30) <= 0.06 + predicates.TIE
    return predicates.every(table, near, names, variance)


def _reaches(table: Table, measure: str, bound: float) -> np.ndarray:
    """Whether a measure reaches the bound in every middle layer in which raw M is high.

    Undefined in draws where it is high in none.
    """
    names, raw = readings.layers(table, EXPLAINED_VARIANCE, FIRST, MIDDLE)
    _, variance = readings.layers(table, measure, FIRST, MIDDLE)
    is_high = raw >= MANY - predicates.TIE
    reason = "the raw explained variance is below 20 % in every middle layer: nothing to explain"
    table.undefined(~is_high.any(axis=1), reason)
    reaches = (variance >= bound - predicates.TIE) | ~is_high
    return predicates.every(table, reaches, names, variance)


def _many_below_baseline(table: Table) -> np.ndarray:
    """Whether many words are below the baseline in every layer."""
    names, share = readings.layers(table, SHARE_BELOW_BASELINE, FIRST)
    return predicates.at_least(table, share, MANY, names)


def _many_in_some_model(table: Table) -> np.ndarray:
    """Whether many words are below the baseline in every layer of some model."""
    models = table.with_measure(SHARE_BELOW_BASELINE).values()
    return np.stack([_many_below_baseline(rows) for rows in models]).any(axis=0)


SECTION_4_3 = [
    Claim(
        id="eth-mev-gpt2-30pct",
        place="section 4.3",
        says="In GPT-2 the raw explained variance is roughly 30 % in layers 2 to 11.",
        needs=Needs(
            measures=(EXPLAINED_VARIANCE,),
            families=("causal",),
            n_layers=12,
            estimator="released",
        ),
        holds=_around_030,
        tolerance="within 0.30 +- 0.06 in layers 2 to 11 of 12, by depth, by the released "
        "estimator",
        because=f"{FIRST_TOKENS} {ONE_TOKEN}",
        general=General(
            says="The raw explained variance is roughly 30 % from 1/6 to 11/12 of the depth.",
        ),
    ),
    Claim(
        id="eth-mev-gpt2-30pct.definition",
        place="section 4.3",
        says="In GPT-2 the raw explained variance by equation 3 is roughly 30 % in layers 2 to 11.",
        needs=Needs(
            measures=(EXPLAINED_VARIANCE,),
            families=("causal",),
            n_layers=12,
            estimator="definition",
        ),
        holds=_around_030,
        tolerance="within 0.30 +- 0.06 in layers 2 to 11 of 12, by depth, by equation 3",
        because=f"{ESTIMATORS} By equation 3 nothing was released.",
        general=General(
            says="The raw explained variance by equation 3 is roughly 30 % from 1/6 to 11/12 of "
            "the depth.",
        ),
    ),
    Claim(
        id="eth-mev-gpt2-30pct.pca",
        place="section 4.3",
        says="In GPT-2 the raw explained variance by a centred PCA is roughly 30 % in layers 2 to "
        "11.",
        needs=Needs(
            measures=(EXPLAINED_VARIANCE,),
            families=("causal",),
            n_layers=12,
            estimator="pca",
        ),
        holds=_around_030,
        tolerance="within 0.30 +- 0.06 in layers 2 to 11 of 12, by depth, by a centred PCA",
        because=f"{ESTIMATORS} {FEW_OCCURRENCES}",
        general=General(
            says="The raw explained variance by a centred PCA is roughly 30 % from 1/6 to 11/12 "
            "of the depth.",
        ),
    ),
    Claim(
        id="eth-mev-gpt2-cause",
        place="section 4.3",
        says="GPT-2's 30 % are due to its extreme anisotropy.",
        needs=Needs(
            measures=(EXPLAINED_VARIANCE_NEVER_FIRST, EXPLAINED_VARIANCE),
            families=("causal",),
            n_layers=12,
            estimator="released",
        ),
        holds=lambda table: _reaches(table, EXPLAINED_VARIANCE_NEVER_FIRST, MANY),
        tolerance="words never in the first position reach 0.2 too, wherever all words do, layers 2 to "
        "11 of 12, by depth",
        because="True if anisotropy means the explained variance of random words, which is "
        "eth-mev-gpt2-cause.baseline; both then come from the same first tokens. Which "
        "published words are never first is known from the rebuilt input. A model with a start "
        "token, such as cwr-gpt, has nothing in its first position that could be the cause; where "
        f"its raw value is low, there is nothing to explain. One without is the test. {ONE_TOKEN}",
        general=General(
            says="Where the raw explained variance is 20 % or more, words never in the first "
            "position reach 20 % too, from 1/6 to 11/12 of the depth.",
        ),
    ),
    Claim(
        id="eth-mev-gpt2-cause.baseline",
        place="section 4.3",
        says="Where GPT-2's raw value is 30 %, one direction explains nearly all variance of "
        "random words.",
        needs=Needs(
            measures=(EXPLAINED_VARIANCE_BASELINE, EXPLAINED_VARIANCE),
            families=("causal",),
            n_layers=12,
            estimator="released",
        ),
        holds=lambda table: _reaches(table, EXPLAINED_VARIANCE_BASELINE, 0.9),
        tolerance="explained variance of random words >= 0.9, wherever that of a word is 0.2 or more, "
        "layers 2 to 11 of 12, by depth",
        because="The charitable reading of eth-mev-gpt2-cause: anisotropy by the text's other "
        f"gauge. {ONE_TOKEN}",
        general=General(
            says="Where the raw explained variance is 20 % or more, one direction explains nearly "
            "all variance of random words, from 1/6 to 11/12 of the depth.",
        ),
    ),
    Claim(
        id="eth-mev-below-baseline",
        place="section 4.3",
        says="For many words the raw value is below the value of random words.",
        needs=Needs(
            measures=(SHARE_BELOW_BASELINE,),
            families=(),
            estimator="released",
            compares=True,
            beside=PAPER_FAMILIES,
        ),
        holds=_many_in_some_model,
        tolerance="at least 20 % of the words, in every layer of some model",
        because=f"The text names no model, so one is enough. {ONE_TOKEN}",
    ),
    Claim(
        id="eth-mev-below-baseline.each",
        place="section 4.3",
        says="In each model the raw value of many words is below the value of random words.",
        needs=Needs(
            measures=(SHARE_BELOW_BASELINE,),
            families=PAPER_FAMILIES,
            estimator="released",
        ),
        holds=_many_below_baseline,
        tolerance="at least 20 % of the words, in every layer above the input",
        because=f"The strict reading of eth-mev-below-baseline. {ONE_TOKEN}",
    ),
    Claim(
        id="eth-no-finite-senses",
        place="abstract; section 4.2; section 4.3",
        says="A word does not have a finite set of sense vectors.",
        needs=Needs(measures=(ADJUSTED_EXPLAINED_VARIANCE, STOPWORD_PERCENTILE)),
        holds=None,
        tolerance="no predicate",
        because="It rests on the small explained variance and on the stopwords, which "
        "eth-mev-5pct and eth-stopwords-lowest judge. Explained variance cannot answer it, since "
        "many tight senses leave little to any one direction; the notebook on senses and contexts "
        "asks it of clusters.",
        unprinted="an interpretation, which no number of the paper decides by itself; "
        "eth-finite-senses.clusters asks it of clusters",
    ),
]
