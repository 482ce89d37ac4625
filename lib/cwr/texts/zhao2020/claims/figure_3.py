"""Claims of Zhao et al. (2020) about Figure 3 (Table 5): one vector a word, in several spaces.

AVG-BERT-l is the average of a word's vectors in the output of block l, counted from 0 as in the
paper; BERTw is the matrix of word pieces.

D = draws, B = blocks
"""

from functools import partial

import numpy as np

from cwr.papers.claims import Claim, General, Needs
from cwr.papers.predicates import TIE, above, every, largest, near
from cwr.tables import Table
from cwr.texts.zhao2020.claims.readings import (
    ANY_ENCODER,
    MASKED,
    MATRIX,
    RANDOM,
    SEED_NOISE,
    STATIC,
    TRAINED_ELSEWHERE,
    TYPE,
    TYPE_DEV,
    TYPE_SEEDS,
    WITH_STATIC,
    block_names,
    blocks,
    static_scores,
)

GLOVE_AND_FASTTEXT = ("GloVe", "fastText")


def every_space_beats_random(table: Table) -> np.ndarray:
    """Tests whether static spaces, piece matrices and averaged vectors all score above random."""
    random = table.value(STATIC, model=RANDOM)
    names, scores = table.where(not_model=RANDOM).over("model", STATIC, at_least=1)
    truth = [every(table, scores > random[:, None], names, scores)]
    for model, rows in table.with_measure(MATRIX).items():
        matrix = rows.value(MATRIX)
        truth.append(above(table, matrix, random, f"{model} matrix"))
    for model, rows in table.with_measure(TYPE).items():
        averages = blocks(rows, TYPE)
        names = [f"{model} {name}" for name in block_names(rows, TYPE)]
        truth.append(every(table, averages > random[:, None], names, averages))
    return np.all(truth, axis=0)


def matrix_is_like_static(
    table: Table, model: tuple[str, ...] = TRAINED_ELSEWHERE, margin: float = 0.03
) -> np.ndarray:
    """Tests whether piece matrices score within the margin of each static space of `model`."""
    names, scores = static_scores(table, STATIC, model)
    truth = []
    for model, rows in table.with_measure(MATRIX).items():
        differences = scores - rows.value(MATRIX)[:, None]
        pairs = [f"{name} minus the matrix of {model}" for name in names]
        truth.append(near(table, differences, 0, margin, pairs))
    return np.all(truth, axis=0)


def first_average_above_matrix(table: Table, margin: float = 0.05) -> np.ndarray:
    """Tests whether averages of the first block exceed the piece matrix by more than the margin."""
    gain = blocks(table, TYPE)[:, 0] - table.value(MATRIX)
    return above(table, gain, margin, "AVG-BERT-0 minus the matrix")


def last_but_one_is_best(table: Table, measure: str) -> np.ndarray:
    """Tests whether the last block but one has the largest score."""
    scores = blocks(table, measure, at_least=2)
    best, last_but_one = largest(table, scores, "score"), scores.shape[1] - 2
    if best[0] != last_but_one:
        names = block_names(table, measure)
        table.against(
            f"the largest is {names[best[0]]} = {scores[0, best[0]]:.3f}, "
            f"{names[last_but_one]} = {scores[0, last_but_one]:.3f}"
        )
    return best == last_but_one


def last_but_one_ties_with_best(
    table: Table, measure: str, margin: float = SEED_NOISE, from_first: bool = True
) -> np.ndarray:
    """Tests whether the last block but one is at most the margin below the largest score.

    Undefined in draws where every block is: then each of them ties with the best.
    """
    scores = blocks(table, measure, at_least=2, from_first=from_first)
    table.undefined(np.ptp(scores, axis=1) <= margin + TIE, "all layers tie")
    short = scores.max(axis=1) - scores[:, -2]
    truth = short <= margin + TIE
    if not truth[0]:
        table.against(f"it is {short[0]:.3f} below the largest")
    return truth


SPACES = [
    Claim(
        id="zha-rand-low",
        place="section 4.2.2",
        says="Every vector space does better than random vectors.",
        needs=Needs(
            measures=(TYPE, MATRIX, STATIC), families=WITH_STATIC, compares=True, models=(RANDOM,)
        ),
        holds=every_space_beats_random,
        tolerance="every space scores above random vectors (Rand)",
        because=(
            "Rand scores like a guess at the base rate. The same answer for every word (person, "
            "location and organization) scores more, and reads no vector either."
        ),
        general=General(
            says=(
                "Every space of vectors of words does better than random vectors, whatever the "
                "model."
            ),
            **ANY_ENCODER,
        ),
    ),
    Claim(
        id="zha-bertw-like-static",
        place="section 4.2.2",
        says="BERT's word-piece matrix is similar to GloVe and fastText.",
        needs=Needs(
            measures=(MATRIX, STATIC),
            families=WITH_STATIC,
            compares=True,
            models=GLOVE_AND_FASTTEXT,
        ),
        holds=partial(matrix_is_like_static, model=GLOVE_AND_FASTTEXT),
        tolerance="the matrix scores within {margin} of GloVe and of fastText",
        because=(
            'The text gives no number for "similar". Our threshold of 0.03 is about half of the '
            "difference between fastText and GloVe."
        ),
        general=General(
            says=(
                "A model's word-piece matrix is similar to static word vectors trained on another "
                "corpus: cwr-static, GloVe, fastText."
            ),
            holds=matrix_is_like_static,
            tolerance="the matrix scores within {margin} of each static table at hand",
            **ANY_ENCODER,
        ),
    ),
    Claim(
        id="zha-avg0-beats-bertw",
        place="section 4.2.2",
        says=(
            "Averaged vectors of BERT's layer 0 (AVG-BERT-0) score far above its word-piece matrix."
        ),
        needs=Needs(measures=(TYPE, MATRIX), families=MASKED),
        holds=first_average_above_matrix,
        tolerance="the average scores higher than the matrix by more than {margin}",
        because=(
            'The text says "significantly" and reports no test. The threshold of five points is '
            "ours."
        ),
        general=General(
            says=(
                "The average of a word's vectors after the first block is far above the word-piece "
                "matrix."
            ),
        ),
    ),
    Claim(
        id="zha-avg10-best",
        place="section 4.2.2; Figure 3 (test)",
        says="Averaged vectors are best in BERT's layer 10 (AVG-BERT-10).",
        needs=Needs(measures=(TYPE,), families=MASKED, n_layers=12),
        holds=partial(last_but_one_is_best, measure=TYPE),
        tolerance="layer 10 has the largest value of the printed test row",
        because=(
            "On the test split layer 9 is 0.001 higher, which is one standard deviation over seeds."
        ),
        general=General(
            says="Averaged vectors are best in the layer before the last.",
            tolerance="this layer has the largest value of the test row",
        ),
    ),
    Claim(
        id="zha-avg10-best.tie",
        place="section 4.2.2; Figure 3 (test)",
        says="Averaged vectors are best in BERT's layer 10, or tie with the best.",
        needs=Needs(measures=(TYPE,), families=MASKED, n_layers=12),
        holds=partial(last_but_one_ties_with_best, measure=TYPE),
        tolerance="layer 10 is within {margin} of the largest",
        because=(
            "This is a kinder reading: seeds move F1 by 0.001, so a difference of up to 0.002 is "
            "a tie."
        ),
        general=General(
            says="Averaged vectors are best in the layer before the last, or tie with the best.",
        ),
    ),
    Claim(
        id="zha-avg10-best.seeds",
        place="caption of Table 5",
        says=(
            "Over five seeds averaged vectors are best in BERT's layer 10, or tie with the best."
        ),
        needs=Needs(measures=(TYPE_SEEDS,), families=MASKED, n_layers=12),
        holds=partial(last_but_one_ties_with_best, measure=TYPE_SEEDS, margin=0, from_first=False),
        tolerance="layer 10 has the largest mean of five seeds, ties included",
        because=(
            "This is a kinder reading: the means of layers 9 and 10 are equal to three decimals."
        ),
        general=General(
            says=(
                "Over several seeds averaged vectors are best in the layer before the last, or "
                "tie with the best."
            ),
            tolerance="this layer has the largest mean over seeds, ties included",
        ),
    ),
    Claim(
        id="zha-avg10-best.dev",
        place="Table 5 (dev)",
        says="On the dev split averaged vectors are best in BERT's layer 10.",
        needs=Needs(measures=(TYPE_DEV,), families=MASKED, n_layers=12),
        holds=partial(last_but_one_is_best, measure=TYPE_DEV),
        tolerance="layer 10 has the largest value of the printed dev row",
        because=(
            "This is a kinder reading: the sentence does not name the split, though its figure "
            "shows test."
        ),
        general=General(
            says="On the dev split averaged vectors are best in the layer before the last.",
            tolerance="this layer has the largest value of the dev row",
        ),
    ),
]
