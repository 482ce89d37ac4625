"""Claims of Biś et al. (2021) that Table 3 judges: word similarity set by set.

D = draws, N = models, S = the two scores, K = the five sets
"""

from functools import partial

import numpy as np

from cwr.papers.claims import Claim, Needs
from cwr.papers.predicates import TIE, above, every
from cwr.tables import Table, concatenated
from cwr.texts.bis2021.claims.readings import (
    CENTRED,
    LANGUAGE_MODELS,
    PROCESSED,
    RAW,
    ROUNDING,
    SCALED,
    SCORES,
    SET,
    SET_CENTRED,
    SET_PROCESSED,
    SET_SCALED,
    SETS,
    SEVERAL,
    TABLE_2_MODELS,
    averages,
    comparing,
    flat,
    gains_by_set,
    of_one,
    of_table_2,
)
from cwr.texts.bis2021.claims.table_2 import is_better

PRINTED_TABLES = "The claim is about the paper's two tables."
TABLES_2_AND_3 = comparing(
    RAW, SCALED, PROCESSED, SET, SET_SCALED, SET_PROCESSED, models=TABLE_2_MODELS, datasets=SETS
)


def helps_on_every_set(
    table: Table, treatment: str, scores: tuple[str, ...] = SCORES
) -> np.ndarray:
    """Tests whether on average over the models a treatment adds on every set, by some scores."""
    positions = [SCORES.index(score) for score in scores]
    labels = [(name, score) for score in scores for name in SETS]
    _, points = gains_by_set(table, treatment)
    mean = flat(points.mean(axis=1)[:, positions])  # (D, scores * K)
    return above(table, mean, 0, labels)


def scaled_helps_everywhere(table: Table) -> np.ndarray:
    """Tests whether scaled centring adds on every set by both scores, in one model."""
    labels = [(name, score) for name in SETS for score in SCORES]
    points = concatenated(
        of_one(table, SET_SCALED, dataset=name) - of_one(table, SET, dataset=name) for name in SETS
    )
    return above(table, points, 0, labels)


def is_mean_of_sets(
    table: Table, four_sets: bool = False, rounding: float = ROUNDING
) -> np.ndarray:
    """Tests whether every average of Table 2 is the mean over the five sets, or the four named."""
    labels, printed, computed = averages(of_table_2(table), four_sets)
    difference = printed - computed
    is_equal = np.abs(difference) <= rounding + TIE
    return every(table, is_equal, [label[1:] for label in labels], difference)


SETS_ONE_BY_ONE = [
    Claim(
        id="bis-all-four-benchmarks",
        place="section 1",
        says="Centring improves performance on all benchmarks.",
        needs=comparing(SET, SET_CENTRED, datasets=SETS, at_least=SEVERAL),
        holds=partial(helps_on_every_set, treatment=SET_CENTRED),
        tolerance="the mean gain over the models is above 0 on every set, by both scores",
        because=(
            'By "all of them" the paper means the benchmarks, not the models; section 5.3 '
            "itself makes an exception for BERT. The paper reports no significance test."
        ),
        unprinted=(
            "Table 3 prints scaled centring, not plain centring, for each set, so a run must "
            "decide."
        ),
    ),
    Claim(
        id="bis-all-four-benchmarks.averages",
        place="section 1; Table 2",
        says="Centring improves the average over the benchmarks in every model.",
        needs=Needs(measures=(RAW, CENTRED), of=SETS, families=LANGUAGE_MODELS),
        holds=is_better,
        tolerance="the gain of the average is above 0 by both scores, in each model",
        because=(
            "This is a strict reading: if an average falls, the score on some set falls. Section "
            "5.3 itself reports this of BERT."
        ),
    ),
    Claim(
        id="bis-all-four-benchmarks.scaled",
        place="section 1; Table 3",
        says="Scaled centring improves every benchmark in every model.",
        needs=Needs(measures=(SET, SET_SCALED), families=LANGUAGE_MODELS, datasets=SETS),
        holds=scaled_helps_everywhere,
        tolerance="the gain is above 0 on every set by both scores, in each model",
        because="This is the strict reading of the printed cells.",
    ),
    Claim(
        id="bis-all-four-benchmarks.inner",
        place="section 1; Table 3",
        says="Scaled centring improves every benchmark on average over the models, by inner "
        "product.",
        needs=comparing(SET, SET_SCALED, datasets=SETS, at_least=SEVERAL),
        holds=partial(helps_on_every_set, treatment=SET_SCALED, scores=("inner",)),
        tolerance="the mean gain over the models is above 0 on every set, by inner product",
        because="This is the kinder reading of the printed cells.",
    ),
    Claim(
        id="bis-all-four-benchmarks.cosine",
        place="section 1; Table 3",
        says="Scaled centring improves every benchmark on average over the models, by cosine.",
        needs=comparing(SET, SET_SCALED, datasets=SETS, at_least=SEVERAL),
        holds=partial(helps_on_every_set, treatment=SET_SCALED, scores=("cosine",)),
        tolerance="the mean gain over the models is above 0 on every set, by cosine",
        because="In print the mean gain by cosine is above 0 on all sets but SimLex-999.",
    ),
    Claim(
        id="bis-table2-from-table3",
        place="Tables 2 and 3",
        says="Table 2 is the mean of the five columns of Table 3.",
        needs=TABLES_2_AND_3,
        holds=is_mean_of_sets,
        tolerance="the two are equal within rounding, {rounding}",
        because="We count the two parts of WordSim353 as two sets, which is one way to read "
        "section 5.2.",
        general=PRINTED_TABLES,
    ),
    Claim(
        id="bis-table2-from-table3.four-sets",
        place="Table 2, caption",
        says="Table 2 is the mean of the four sets it names.",
        needs=TABLES_2_AND_3,
        holds=partial(is_mean_of_sets, four_sets=True),
        tolerance=(
            "the two are equal within rounding, {rounding}, with the two parts of WordSim353 "
            "averaged first"
        ),
        because=(
            "The printed values contain no error. The caption allows this reading, but the "
            "numbers exclude it."
        ),
        general=PRINTED_TABLES,
    ),
]
