"""Claims of Zhao et al. (2020) about Figure 3 (Table 5): the worth of averages of BERT's vectors.

AVG-BERT-l is the average of a word's vectors in the output of block l, counted from 0 as in the
paper. The last claim compares Figure 3 with Figure 4.

D = draws, B = blocks
"""

import numpy as np

from cwr.papers.claims import Claim, General, Needs
from cwr.papers.predicates import above, below, every
from cwr.tables import Table
from cwr.texts.zhao2020.claims.readings import (
    ANY_ENCODER,
    MASKED,
    MATRIX,
    RANDOM,
    STATIC,
    TOKEN,
    TYPE,
    WITH_STATIC,
    block_names,
    blocks,
    lower_half,
)


def best_average_above_static(table: Table) -> np.ndarray:
    """Tests whether the best averaged vectors of each encoder are above every static space."""
    names, spaces = table.where(not_model=RANDOM).over("model", STATIC, at_least=1)
    truth = []
    for model, rows in table.with_measure(TYPE).items():
        gains = blocks(rows, TYPE).max(axis=1)[:, None] - spaces
        pairs = [f"the best average of {model} minus {name}" for name in names]
        truth.append(above(table, gains, 0, pairs))
    return np.all(truth, axis=0)


def every_average_above_static(table: Table) -> np.ndarray:
    """Tests whether averaged vectors of every block of each encoder exceed every static space."""
    _, spaces = table.where(not_model=RANDOM).over("model", STATIC, at_least=1)
    best = spaces.max(axis=1)
    truth = []
    for model, rows in table.with_measure(TYPE).items():
        averages = blocks(rows, TYPE)
        names = [f"{model} {name}" for name in block_names(rows, TYPE)]
        truth.append(every(table, averages > best[:, None], names, averages))
    return np.all(truth, axis=0)


def upper_half_above_lower(table: Table) -> np.ndarray:
    """Tests whether the mean over the upper half of the blocks exceeds that over the lower half."""
    scores = blocks(table, TYPE, at_least=2)
    lower = lower_half(scores)
    upper = scores[:, lower.shape[1] :]
    difference = upper.mean(axis=1) - lower.mean(axis=1)
    return above(table, difference, 0, "mean of the upper half minus the lower")


def contexts_add_less_than_averages(table: Table) -> np.ndarray:
    """Tests whether contexts add less to averaged vectors than these add to the piece matrix."""
    averages = blocks(table, TYPE).max(axis=1)
    from_contexts = blocks(table, TOKEN).max(axis=1) - averages
    from_learning = averages - table.value(MATRIX)
    return below(table, from_contexts - from_learning, 0, "gain by contexts minus gain by averages")


AVERAGES = [
    Claim(
        id="zha-avg-beats-pse",
        place="section 4.2.2",
        says="Averaged vectors of BERT (AVG-BERT) perform best among all vector spaces.",
        needs=Needs(measures=(TYPE, STATIC), families=WITH_STATIC, compares=True),
        holds=best_average_above_static,
        tolerance="the best layer of AVG-BERT is above every static space",
        general=General(
            says="Averaged vectors of a model perform best among all vector spaces.", **ANY_ENCODER
        ),
    ),
    Claim(
        id="zha-avg-beats-pse.every-layer",
        place="section 4.2.2",
        says="Averaged vectors of BERT (AVG-BERT) perform best in every layer.",
        needs=Needs(measures=(TYPE, STATIC), families=WITH_STATIC, compares=True),
        holds=every_average_above_static,
        tolerance="the lowest layer of AVG-BERT is above every static space",
        because=(
            "This is stricter than the sentence. Layers 0 to 4 are below PSE, which the text does "
            "not say, and layer 5 ties with PSE."
        ),
        general=General(
            says="Averaged vectors of a model perform best in every layer.", **ANY_ENCODER
        ),
        ours=True,
    ),
    Claim(
        id="zha-avg-top-over-low",
        place="section 4.2.2",
        says="Averaged vectors of BERT's upper layers do better than those of its lower layers.",
        needs=Needs(measures=(TYPE,), families=MASKED),
        holds=upper_half_above_lower,
        tolerance="the mean of the upper half of the layers exceeds that of the lower half",
        general=General(
            says=(
                "Averaged vectors of a model's upper layers do better than those of its lower "
                "layers."
            ),
        ),
    ),
    Claim(
        id="zha-learning-not-context",
        place="section 4.2.2",
        says=(
            "The way BERT learns may matter more than contextualization, since averaged vectors "
            "already score high."
        ),
        needs=Needs(
            measures=(TOKEN, TYPE, MATRIX), families=MASKED, estimator="words", or_unnamed=True
        ),
        holds=contexts_add_less_than_averages,
        tolerance=(
            "single contexts gain less F1 over AVG-BERT than AVG-BERT gains over the word-piece "
            'matrix, with F1 counted as "words"'
        ),
        because=(
            'The paper hedges: "suggests", "may be". The authors\' comparison is legitimate if F1 '
            'counts "words". If F1 counts "pairs" or "full", the two tables have different '
            "measures."
        ),
        unprinted=(
            'scores of Tables 5 and 6 can be compared only if F1 counts "words", and the paper '
            "does not say what F1 counts"
        ),
        general=General(
            says=(
                "The way a model learns may matter more than contextualization, since averaged "
                "vectors already score high."
            ),
            tolerance=(
                "single contexts gain less F1 over averaged vectors than these gain over the "
                'word-piece matrix, with F1 counted as "words"'
            ),
        ),
    ),
]
