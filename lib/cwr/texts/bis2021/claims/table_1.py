"""Claims of Biś et al. (2021) that Table 1 judges: isotropy before and after centring.

"Most" is read as more than half; the paper sets no thresholds. On our matrices I is that of
eigenvectors turned towards the mean of W, for W_c and W_r, too; the last notebook of the chapter
says which verdicts another sign changes.

    D = draws, N = models
"""

from functools import partial

import numpy as np

from cwr.papers.claims import Claim, General, Needs
from cwr.papers.predicates import TIE, at_least, at_most, every, most, near, ratio, smallest
from cwr.tables import Table
from cwr.texts.bis2021.claims.readings import (
    CHECKPOINTS,
    I_CENTRED,
    I_RAW,
    I_REMOVED,
    LANGUAGE_MODELS,
    MEAN,
    NORM,
    RATIO,
    ROUNDING,
    SEVERAL,
    SHARED,
    SYMBOLS,
    TABLE_1_MODELS,
    TOP,
    by_model,
    comparing,
    exp_of_mean,
    of_table_1,
)

EXCEPTION = "RoBERTa-large"
COSINE_CENTRED = "embedding_mean_cosine_centred"
MATCHED_CENTRED = f"matched_{I_CENTRED}"  # of rows divided by their mean norm
DIFFERENCE = "difference_from_table_1"  # a row a column of Table 1, its measure in `class`
NEAR_ONE = 0.95  # "nearly perfect" isotropy
LOW, HIGH = 0.85, 1.15  # between these I(W) is about exp(-‖μ‖)


def is_near_one(table: Table, measure: str, name: str, least: float = NEAR_ONE) -> np.ndarray:
    """Tests whether the isotropy of a model is near 1; the model's name is for a reader."""
    return at_least(table, table.value(measure), least, name)


def is_shifted(table: Table, along: float = 0.9, shared: float = SHARED) -> np.ndarray:
    """Tests whether the mean dominates the rows of a matrix, and they share nothing without it.

    along: cosine with the mean at which the dominant direction counts as the mean.
    """
    is_mean = at_least(table, table.value(TOP), along, "cosine of top eigenvector and mean")
    none_left = at_most(table, table.value(COSINE_CENTRED), shared, "mean cosine of W_c")
    return is_mean & none_left


def most_are_near_one(table: Table, least: float = NEAR_ONE) -> np.ndarray:
    """Tests whether more than half of the models are near isotropic without their mean."""
    models, isotropy = table.over("model", I_CENTRED, at_least=SEVERAL)
    return most(table, isotropy >= least, models)


def is_only_exception(table: Table, threshold: float) -> np.ndarray:
    """Tests whether RoBERTa-large alone has I(W_c) below a threshold, and has the lowest I(W)."""
    models, (raw, centred) = of_table_1(table, I_RAW, I_CENTRED)
    is_exception = np.array(models) == EXCEPTION
    is_alone = every(table, (centred < threshold) == is_exception, models, centred)
    return is_alone & _is_lowest(table, models, raw, I_RAW)


def is_lowest_twice(table: Table) -> np.ndarray:
    """Tests whether RoBERTa-large has both the lowest I(W) and the lowest I(W_c)."""
    models, (raw, centred) = of_table_1(table, I_RAW, I_CENTRED)
    return _is_lowest(table, models, raw, I_RAW) & _is_lowest(table, models, centred, I_CENTRED)


def same_is_lowest(table: Table) -> np.ndarray:
    """Tests whether one model has both the lowest I(W) and the lowest I(W_c)."""
    models, (raw, centred) = by_model(table, I_RAW, I_CENTRED)
    first = smallest(table, raw, SYMBOLS[I_RAW])
    second = smallest(table, centred, SYMBOLS[I_CENTRED])
    if first[0] != second[0]:
        table.against(
            f"{models[first[0]]} has the lowest I(W), {models[second[0]]} the lowest I(W_c)"
        )
    return first == second


def isotropy_rises(table: Table) -> np.ndarray:
    """Tests whether I(W) <= I(W_c) <= I(W_r) in a model."""
    values = [table.value(measure) for measure in (I_RAW, I_CENTRED, I_REMOVED)]
    steps = np.diff(np.stack(values, axis=1), axis=1)  # (D, 2)
    return every(table, steps >= 0, ("I(W_c) - I(W)", "I(W_r) - I(W_c)"), steps)


def table_1_comes_out(table: Table) -> np.ndarray:
    """Tests whether the six columns of one model equal the printed ones within their rounding."""
    columns, differences = table.over("class", DIFFERENCE, at_least=len(SYMBOLS))
    half = np.array([0.0005 if column == I_REMOVED else ROUNDING for column in columns])
    return every(table, np.abs(differences) <= half + TIE, columns, differences)


def is_exp_of_mean(table: Table, low: float = LOW, high: float = HIGH) -> np.ndarray:
    """Tests whether I(W) of one model over exp(-‖μ‖) lies between low and high, both included."""
    quotient = table.value(I_RAW) * np.exp(table.value(MEAN))
    return near(table, quotient, (low + high) / 2, (high - low) / 2, "I(W) / exp(-‖μ‖)")


def is_mostly_exp_of_mean(table: Table, low: float = LOW, high: float = HIGH) -> np.ndarray:
    """Tests whether I(W) over exp(-‖μ‖) is from low to high in more than half of the models."""
    models, ratios = exp_of_mean(table)
    return most(table, (ratios >= low - TIE) & (ratios <= high + TIE), models)


def is_ratio_of_norms(table: Table, rounding: float = ROUNDING) -> np.ndarray:
    """Tests whether the last column is the quotient of the two before it, within rounding."""
    quotient = ratio(table, table.value(MEAN), table.value(NORM), "norm of the mean / mean norm")
    return near(table, quotient - table.value(RATIO), 0, rounding, "quotient - printed ratio")


def _is_lowest(table: Table, models: list[str], values: np.ndarray, measure: str) -> np.ndarray:
    """Whether RoBERTa-large has the lowest of values (D, N)."""
    lowest = smallest(table, values, SYMBOLS[measure])
    if models[lowest[0]] != EXCEPTION:
        table.against(f"{models[lowest[0]]} has the lowest {SYMBOLS[measure]}")
    return lowest == models.index(EXCEPTION)


ISOTROPY = [
    Claim(
        id="bis-drift-not-cone",
        place="abstract; sections 1, 4.1 and 8",
        says="Embeddings are shifted in a common direction; they do not fill a narrow cone.",
        needs=Needs(measures=(COSINE_CENTRED, TOP), families=LANGUAGE_MODELS),
        holds=is_shifted,
        tolerance=(
            "the cosine of W's top eigenvector and the mean is at least {along}, and the mean "
            "cosine of the rows of the centred W_c is at most {shared}, in each model"
        ),
        because=(
            "The paper defines neither a shift nor a cone, so the thresholds are ours. It "
            "speaks of a dominant direction; we test whether it is that of the mean, and "
            "require no minimum length. In Table 1 the mean of RoBERTa-base is only 0.16 of a "
            "row's length. Two variants require isotropy without the mean: at matched scale "
            "(bis-drift-not-cone.matched) and in the unit of the rows "
            "(bis-drift-not-cone.isotropy)."
        ),
        unprinted=(
            "The paper prints the cosine of eigenvector and mean for one model only. A run on "
            "the paper's checkpoints must decide."
        ),
    ),
    Claim(
        id="bis-drift-not-cone.matched",
        place="Table 1",
        says="Without its mean every embedding matrix is near isotropic, whatever the unit of "
        "length.",
        needs=Needs(measures=(MATCHED_CENTRED,), families=LANGUAGE_MODELS),
        holds=partial(is_near_one, measure=MATCHED_CENTRED, name="I(W_c) at matched scale"),
        tolerance=(
            "I(W_c), with rows divided by their mean norm, is at least {least} in each model"
        ),
        because="This reading requires no shift, so independent rows also pass.",
        unprinted=(
            "Table 1 prints I in the unit of the rows. A run on the paper's checkpoints must "
            "decide."
        ),
    ),
    Claim(
        id="bis-drift-not-cone.isotropy",
        place="Table 1",
        says="Without its mean every embedding matrix is near isotropic.",
        needs=Needs(measures=(I_CENTRED,), families=LANGUAGE_MODELS),
        holds=partial(is_near_one, measure=I_CENTRED, name=SYMBOLS[I_CENTRED]),
        tolerance="I(W_c) is at least {least} in each model",
        because=(
            "This is the strict reading, limited to what Table 1 can decide about a cone. "
            "Long rows lower I. This reading requires no shift."
        ),
    ),
    Claim(
        id="bis-drift-not-cone.most",
        place="Table 1",
        says="Without their mean most embedding matrices are near isotropic.",
        needs=comparing(I_CENTRED, at_least=SEVERAL),
        holds=most_are_near_one,
        tolerance="I(W_c) is at least {least} in more than half of the models",
        because='This is the kinder reading: the caption of Table 1 says "most of the tested '
        'models".',
    ),
    Claim(
        id="bis-centring-restores-isotropy",
        place="abstract; section 5.3; Table 1",
        says="Removing the mean vector is enough for most models to reach nearly perfect isotropy.",
        needs=comparing(I_CENTRED, at_least=SEVERAL),
        holds=most_are_near_one,
        tolerance="I(W_c) is at least {least} in more than half of the models",
        because=(
            'The text gives no number for "nearly perfect". Five of the paper\'s eight models '
            "reach 0.95, and six reach 0.91."
        ),
    ),
    Claim(
        id="bis-only-exception-roberta-large",
        place="section 5.3",
        says=(
            "RoBERTa-large, the least isotropic model at first, is the only model that stays far "
            "from isotropic without its mean."
        ),
        needs=comparing(I_RAW, I_CENTRED, models=TABLE_1_MODELS),
        holds=partial(is_only_exception, threshold=0.85),
        tolerance=(
            "of the eight models only RoBERTa-large has I(W_c) below {threshold}, and it has the "
            "lowest I(W)"
        ),
        because=(
            "The text sets no threshold. The sentence is right for any threshold above 0.64 "
            "(RoBERTa-large) and up to 0.87 (RoBERTa-base). At 0.95 there are three exceptions."
        ),
        general="The claim names the one exception among eight models.",
    ),
    Claim(
        id="bis-only-exception-roberta-large.strict",
        place="section 5.3",
        says=(
            "RoBERTa-large is the only model whose isotropy without its mean is below a higher "
            "threshold."
        ),
        needs=comparing(I_RAW, I_CENTRED, models=TABLE_1_MODELS),
        holds=partial(is_only_exception, threshold=0.9),
        tolerance=(
            "of the eight models only RoBERTa-large has I(W_c) below {threshold:.2f}, and it has "
            "the lowest I(W)"
        ),
        because="At this threshold RoBERTa-base is a second exception.",
        general="The claim names the one exception among eight models.",
    ),
    Claim(
        id="bis-roberta-large-lowest-initial",
        place="section 5.3",
        says="RoBERTa-large, the least isotropic model after centring, has the lowest initial "
        "isotropy.",
        needs=comparing(I_RAW, I_CENTRED, models=TABLE_1_MODELS),
        holds=is_lowest_twice,
        tolerance="of the eight models RoBERTa-large has the lowest I(W) and the lowest I(W_c)",
        general=General(
            says="The model that is least isotropic without its mean is the least isotropic with "
            "it, too.",
            holds=same_is_lowest,
            tolerance="the same model has the lowest I(W) and the lowest I(W_c)",
            compares=True,
            at_least=SEVERAL,
        ),
    ),
    Claim(
        id="bis-isotropy-order",
        place="Table 1",
        says="Centring raises isotropy, and removing components raises it further.",
        needs=Needs(measures=(I_RAW, I_CENTRED, I_REMOVED), families=LANGUAGE_MODELS),
        holds=isotropy_rises,
        tolerance="I(W) <= I(W_c) <= I(W_r) in each model",
        because=(
            "The second step is nearly algebra: along a removed component Z has its least value."
        ),
    ),
    Claim(
        id="bis-pp-near-one",
        place="Table 1",
        says="Without its top components every embedding matrix is near isotropic.",
        needs=Needs(measures=(I_REMOVED,), families=LANGUAGE_MODELS),
        holds=partial(is_near_one, measure=I_REMOVED, name=SYMBOLS[I_REMOVED]),
        tolerance="I(W_r) is at least {least} in each model",
        because='The text calls these embeddings "highly isotropic" and sets no threshold.',
    ),
    Claim(
        id="bis-table1-values",
        place="Table 1",
        says="Recomputation gives the 48 values of Table 1.",
        needs=Needs(measures=(DIFFERENCE,), families=LANGUAGE_MODELS, of=TABLE_1_MODELS),
        holds=table_1_comes_out,
        tolerance=(
            "six values of each model are within half a unit of the second decimal, or of the "
            "third for I(W_r); we take I with the sign that fits best"
        ),
        because=(
            "The sign of an eigenvector is arbitrary, so we compare I under all signs. The "
            "notebook says which signs match a cell."
        ),
        unprinted=CHECKPOINTS,
    ),
    Claim(
        id="bis-i-equals-exp-mu",
        place="not in the paper",
        says="The isotropy I(W) is about exp(-‖μ‖), so it tells us the length of the mean "
        "vector μ.",
        needs=Needs(measures=(I_RAW, MEAN), families=LANGUAGE_MODELS),
        holds=is_exp_of_mean,
        tolerance="I(W) / exp(-‖μ‖) lies in {low} to {high} in each model",
        because=(
            "This is a rule of thumb of ours, not a theorem. Skewed rows break it, and for them "
            "the sign of an eigenvector decides."
        ),
        ours=True,
    ),
    Claim(
        id="bis-i-equals-exp-mu.most",
        place="not in the paper",
        says="In most models the isotropy I(W) is about exp(-‖μ‖), where μ is the mean vector.",
        needs=comparing(I_RAW, MEAN, at_least=SEVERAL),
        holds=is_mostly_exp_of_mean,
        tolerance="I(W) / exp(-‖μ‖) lies in {low} to {high} in more than half of the models",
        because="This is the kinder reading of our own rule of thumb.",
        ours=True,
    ),
    Claim(
        id="bis-ratio-column",
        place="Table 1",
        says="The last column of Table 1 is the norm of the mean divided by the mean norm.",
        needs=Needs(measures=(MEAN, NORM, RATIO), families=LANGUAGE_MODELS),
        holds=is_ratio_of_norms,
        tolerance="the two are equal within rounding, {rounding}, in each model",
        print_only="our ratio is this quotient by definition",
    ),
]
