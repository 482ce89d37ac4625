"""Claims of Biś et al. (2021) about norms: appendix C with Figures 5 and 6, and section 5.2.

D = draws, N = models
"""

from functools import partial

import numpy as np

from cwr.papers.claims import Claim, General, Needs
from cwr.papers.predicates import above, below, correlation, near, rank_correlation
from cwr.tables import Table
from cwr.texts.bis2021.claims.readings import (
    I_RAW,
    LANGUAGE_MODELS,
    MANY,
    NO_VALUES,
    NORM,
    RATIO,
    TABLE_1_MODELS,
    by_model,
    comparing,
    of_table_1,
)

NORM_CENTRED = "embedding_norm_centred"
NORM_FREQUENCY = "norm_frequency_correlation"
COEFFICIENTS = {"Spearman": rank_correlation, "Pearson": correlation}
BERT_SHORTEST = (("BERT", "GPT-2"), ("BERT", "RoBERTa"))  # (shorter rows, longer rows)
CORPORA = "The claim names three families of models by the corpora they were trained on."


def correlates_as_printed(table: Table, printed: float = -0.61, margin: float = 0.02) -> np.ndarray:
    """Tests whether the eight models' mean norm and I(W) correlate as printed, in the margin."""
    _, (norm, isotropy) = of_table_1(table, NORM, I_RAW)
    pearson = correlation(table, norm, isotropy, "mean norm and I(W)")
    return near(table, pearson, printed, margin, "Pearson correlation")


def longer_is_less_isotropic(table: Table) -> np.ndarray:
    """Tests whether mean norm and I(W) correlate negatively over the models."""
    _, (norm, isotropy) = by_model(table, NORM, I_RAW, at_least=MANY)
    pearson = correlation(table, norm, isotropy, "mean norm and I(W)")
    return below(table, pearson, 0, "Pearson correlation")


def larger_ratio_is_less_isotropic(
    table: Table, coefficient: str = "Spearman", bound: float = -0.5
) -> np.ndarray:
    """Tests whether the ratio of the norms and I(W) have a correlation below the bound."""
    _, (ratios, isotropy) = by_model(table, RATIO, I_RAW, at_least=MANY)
    found = COEFFICIENTS[coefficient](table, ratios, isotropy, "ratio and I(W)")
    return below(table, found, bound, f"{coefficient} correlation")


def norms_follow_corpora(table: Table, pairs: tuple[tuple[str, str], ...]) -> np.ndarray:
    """Tests whether for each pair of names every model of the first has shorter rows."""
    models, (norm,) = of_table_1(table, NORM)
    differences, labels = [], []
    for shorter, longer in pairs:
        for first in _named(models, shorter):
            for second in _named(models, longer):
                differences.append(norm[:, second] - norm[:, first])
                labels.append(f"{models[second]} less {models[first]}")
    differences = np.stack(differences, axis=1)  # (D, pairs of models)
    return above(table, differences, 0, labels)


def centring_shrinks_norms(table: Table) -> np.ndarray:
    """Tests whether the mean norm of one model is smaller after centring."""
    return below(table, table.value(NORM_CENTRED), table.value(NORM), "mean norm of W_c")


def frequent_are_shorter(table: Table) -> np.ndarray:
    """Tests whether the norm of one model's rows falls with the frequency of their tokens."""
    return below(table, table.value(NORM_FREQUENCY), 0, "Spearman correlation")


def _named(models: list[str], name: str) -> list[int]:
    """The positions of the models of one name: "BERT" does not mean RoBERTa."""
    return [position for position, model in enumerate(models) if model.startswith(name)]


NORMS = [
    Claim(
        id="bis-norm-isotropy-corr",
        place="appendix C",
        says="A model's mean norm and its isotropy I(W) correlate at -0.61.",
        needs=comparing(I_RAW, NORM, models=TABLE_1_MODELS),
        holds=correlates_as_printed,
        tolerance=(
            "the Pearson correlation over the eight models of Table 1 is {printed} +- {margin}"
        ),
        because=(
            "The text names neither the coefficient nor the kind of isotropy; Pearson's "
            "coefficient and I(W) reproduce the number. With eight models p = 0.10."
        ),
        general=General(
            says="The longer the rows of a model are, the less isotropic it is.",
            holds=longer_is_less_isotropic,
            tolerance=(
                "the Pearson correlation of mean norm and I(W) is below 0 over at least six models"
            ),
            compares=True,
            at_least=MANY,
        ),
    ),
    Claim(
        id="bis-ratio-isotropy",
        place="appendix C",
        says="The ratio ‖mean‖ / mean norm tends to be larger in less isotropic models.",
        needs=comparing(I_RAW, RATIO, at_least=MANY),
        holds=larger_ratio_is_less_isotropic,
        tolerance="the {coefficient} correlation is below {bound} over at least six models",
        because=(
            'The text names no coefficient. We read "tends to" as a trend over the models. With '
            "eight models p = 0.12."
        ),
    ),
    Claim(
        id="bis-ratio-isotropy.pearson",
        place="appendix C",
        says=(
            "The ratio ‖mean‖ / mean norm is larger in less isotropic models, by Pearson's "
            "coefficient."
        ),
        needs=comparing(I_RAW, RATIO, at_least=MANY),
        holds=partial(larger_ratio_is_less_isotropic, coefficient="Pearson"),
        tolerance="the {coefficient} correlation is below {bound} over at least six models",
        because=(
            "In print, Pearson's coefficient is negative too, but weaker. With eight models p = "
            "0.29."
        ),
    ),
    Claim(
        id="bis-bigger-corpus-bigger-norm",
        place="Figure 5",
        says="Models trained on more text, and for more steps, have longer embeddings.",
        needs=comparing(NORM, models=TABLE_1_MODELS),
        holds=partial(norms_follow_corpora, pairs=(*BERT_SHORTEST, ("GPT-2", "RoBERTa"))),
        tolerance=(
            "every BERT has a lower mean norm than every GPT-2, and every GPT-2 a lower one than "
            "every RoBERTa"
        ),
        because=(
            "RoBERTa-base's rows are shorter than GPT-2's. We take the order of the corpora by "
            "size from the papers of the models, and do not compare training steps."
        ),
        general=CORPORA,
    ),
    Claim(
        id="bis-bigger-corpus-bigger-norm.bert-smallest",
        place="Figure 5",
        says="BERT, with the least text, has the shortest embeddings.",
        needs=comparing(NORM, models=TABLE_1_MODELS),
        holds=partial(norms_follow_corpora, pairs=BERT_SHORTEST),
        tolerance="the mean norm of every BERT is below that of every GPT-2 and RoBERTa",
        because=(
            "This is the kinder reading. The models differ in family and tokeniser as well as in "
            "the size of the corpus."
        ),
        general=CORPORA,
    ),
    Claim(
        id="bis-centring-shrinks-norms",
        place="Figure 6",
        says="Centring shortens the embeddings.",
        needs=Needs(measures=(NORM, NORM_CENTRED), families=LANGUAGE_MODELS),
        holds=centring_shrinks_norms,
        tolerance="the mean norm of the centred matrix W_c is below that of W, in each model",
        because=(
            "This is nearly algebra: the root mean square of the norms always falls. The caption "
            "names no direction."
        ),
        arithmetic=True,
        unprinted=NO_VALUES,
    ),
    Claim(
        id="bis-frequent-shorter",
        place="section 5.2",
        says="The vectors of frequent words tend to be shorter.",
        needs=Needs(measures=(NORM_FREQUENCY,), families=LANGUAGE_MODELS),
        holds=frequent_are_shorter,
        tolerance=(
            "the Spearman correlation of count and norm, over the tokens that occur, is below 0 "
            "in each model"
        ),
        because=(
            "The paper takes the statement from Schakel and Wilson (2015), and for BERT from "
            "Podkorytov et al. (2020). The statement is the paper's reason for scaled centring."
        ),
        unprinted="The paper cites the statement and prints no number, so a run must decide.",
    ),
]
