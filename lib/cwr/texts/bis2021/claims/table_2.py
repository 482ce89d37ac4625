"""Claims of Biś et al. (2021) that Table 2 judges: mean word similarity after each treatment.

Gains and gaps are in points, Pearson's r times 100.

    D = draws, N = models, S = the two scores
"""

from functools import partial

import numpy as np

from cwr.papers.claims import Claim, General, Needs
from cwr.papers.predicates import above, at_least, every, ratio
from cwr.tables import Table
from cwr.texts.bis2021.claims.readings import (
    CENTRED,
    LANGUAGE_MODELS,
    MANY,
    PROCESSED,
    RAW,
    SCALED,
    SCORES,
    SET,
    SET_SCALED,
    SETS,
    SEVERAL,
    TABLE_2_MODELS,
    cell_labels,
    comparing,
    flat,
    gains,
    gains_by_set,
    is_bert,
    of_one,
    of_table_2,
    scored,
)

PROCESSED_UNCENTRED = f"{PROCESSED}_uncentred"  # by the form of Mu and Viswanath
BESIDE_BERT = ("GPT-2-small", "GPT-2-medium", "RoBERTa-base", "RoBERTa-large")
FAILURE = ("BERT-large-cased", "cosine")
NEARLY = 0.9  # the share of what post-processing does that is nearly all of it
ONE_CELL = "The claim names one cell of the paper's table."


def centring_helps_all_but_bert(table: Table) -> np.ndarray:
    """Tests whether centring adds by both scores in the six models but BERT, by neither there."""
    models, points = gains(of_table_2(table), CENTRED, at_least=MANY)
    truth = (points > 0) == ~is_bert(models)[:, None]  # (D, N, S)
    return every(table, flat(truth), cell_labels(models), flat(points))


def is_better(table: Table, treatment: str = CENTRED, than: str = RAW) -> np.ndarray:
    """Tests whether one model scores higher after `treatment` than after `than`, by both scores."""
    return above(table, of_one(table, treatment) - of_one(table, than), 0, SCORES)


def scaled_beats_centred(table: Table) -> np.ndarray:
    """Tests whether scaled centring beats centring on average over the models, by each score."""
    _, (centred, scaled) = scored(table, CENTRED, SCALED)
    lead = (scaled - centred).mean(axis=1)  # (D, S)
    return above(table, lead, 0, SCORES)


def share_of_processing(table: Table, models: int = SEVERAL) -> np.ndarray:
    """Divides the mean gain of scaled centring, over models and scores, by post-processing's, (D,).

    Undefined in draws where post-processing gains nothing. Raises Missing for fewer models.
    """
    _, (raw, scaled, processed) = scored(table, RAW, SCALED, PROCESSED, at_least=models)
    scaled_gain = (scaled - raw).mean(axis=(1, 2))
    full_gain = (processed - raw).mean(axis=(1, 2))
    table.undefined(full_gain <= 0, "post-processing gains nothing, so no gain can come near it")
    return ratio(table, scaled_gain, full_gain, "gain over gain")


def scaled_is_near_processed(
    table: Table, models: int = SEVERAL, least: float = NEARLY
) -> np.ndarray:
    """Tests whether scaled centring reaches this share of the gain of post-processing."""
    return at_least(table, share_of_processing(table, models), least, "share of the gain")


def scaled_is_near_processed_without_bert(table: Table, least: float = NEARLY) -> np.ndarray:
    """Tests `scaled_is_near_processed` in the four models that are not BERT."""
    return scaled_is_near_processed(table.where(model=BESIDE_BERT), len(BESIDE_BERT), least)


def scaled_scores_near_processed(table: Table, least: float = NEARLY) -> np.ndarray:
    """Tests whether scaled centring's mean score is this share of post-processing's."""
    _, (scaled, processed) = scored(table, SCALED, PROCESSED)
    share = ratio(table, scaled.mean(axis=(1, 2)), processed.mean(axis=(1, 2)), "score over score")
    return at_least(table, share, least, "share of the score")


def fails_in_one_cell(table: Table) -> np.ndarray:
    """Tests whether scaled centring fails to raise Table 2's averages in the named cell alone."""
    models, points = gains(of_table_2(table), SCALED, at_least=MANY)
    labels = cell_labels(models)
    is_failure = np.array([label == FAILURE for label in labels])
    return every(table, (flat(points) <= 0) == is_failure, labels, flat(points))


def fails_in_one_cell_of_every_set(table: Table) -> np.ndarray:
    """Tests whether scaled centring fails on some set in the model and by the score named only."""
    models, points = gains_by_set(of_table_2(table), SET_SCALED, at_least=MANY)
    labels, lowest = cell_labels(models), flat(points.min(axis=3))
    is_failure = np.array([label == FAILURE for label in labels])
    return every(table, (lowest <= 0) == is_failure, labels, lowest)


def centred_projection_is_better(table: Table) -> np.ndarray:
    """Tests whether equation 11 has a higher mean over models and scores than the other form."""
    _, (centred, uncentred) = scored(table, PROCESSED, PROCESSED_UNCENTRED)
    lead = (centred - uncentred).mean(axis=(1, 2))
    return above(table, lead, 0, "lead of equation 11")


TREATMENTS_COMPARED = [
    Claim(
        id="bis-centring-helps-similarity",
        place="section 5.3; Table 2",
        says=(
            "Centring raises the mean correlation with human judgements in every model but the "
            "BERT-cased ones."
        ),
        needs=comparing(RAW, CENTRED, of=SETS, models=TABLE_2_MODELS),
        holds=centring_helps_all_but_bert,
        tolerance=(
            "the gain is above 0 by both scores in four models, and at most 0 by both in the two "
            "BERT models"
        ),
        because=(
            "The smallest gain, that of RoBERTa-base by cosine, is 0.04 points. The paper prints "
            "no interval."
        ),
        general=General(
            says="Centring raises the mean correlation of a model with human judgements.",
            holds=is_better,
            tolerance="the gain is above 0 by both scores",
        ),
    ),
    Claim(
        id="bis-scaled-beats-centred",
        place="section 5.3",
        says="Scaled centring is more effective than centring, in Table 2 as a whole.",
        needs=comparing(SCALED, CENTRED, of=SETS, at_least=SEVERAL),
        holds=scaled_beats_centred,
        tolerance="the mean over the models is higher than that of centring, by each score",
        because='The sentence speaks of Table 2 as a whole and does not say "always".',
    ),
    Claim(
        id="bis-scaled-beats-centred.strict",
        place="section 5.3",
        says="Scaled centring is better than centring in every model and by both scores.",
        needs=Needs(measures=(SCALED, CENTRED), of=SETS, families=LANGUAGE_MODELS),
        holds=partial(is_better, treatment=SCALED, than=CENTRED),
        tolerance="the average is higher than that of centring by both scores, in each model",
        because=(
            "Scaled centring is better in 11 of 12 cells; for RoBERTa-base by inner product it "
            "is 0.08 lower."
        ),
    ),
    Claim(
        id="bis-scaled-near-pp",
        place="section 5.3",
        says="Scaled centring is nearly as effective as post-processing.",
        needs=comparing(RAW, SCALED, PROCESSED, of=SETS, at_least=SEVERAL),
        holds=scaled_is_near_processed,
        tolerance=(
            "the mean gain over the raw vectors is at least {least} of that of post-processing"
        ),
        because='The text gives no number for "nearly". We measure effectiveness by the gain.',
    ),
    Claim(
        id="bis-scaled-near-pp.without-bert",
        place="section 5.3",
        says="Without the BERT models, scaled centring is nearly as effective as post-processing.",
        needs=comparing(RAW, SCALED, PROCESSED, of=SETS, models=BESIDE_BERT),
        holds=scaled_is_near_processed_without_bert,
        tolerance=(
            "the mean gain of the four other models is at least {least} of that of post-processing"
        ),
        because=(
            "This is a kinder reading: the sentence before it in the paper sets the BERT models "
            "apart."
        ),
        general="The claim sets the BERT models apart from four others.",
    ),
    Claim(
        id="bis-scaled-near-pp.score",
        place="section 5.3",
        says="Scores after scaled centring are nearly those after post-processing.",
        needs=comparing(SCALED, PROCESSED, of=SETS, at_least=SEVERAL),
        holds=scaled_scores_near_processed,
        tolerance="the mean score is at least {least} of that after post-processing",
        because="This is the kindest reading; even raw vectors pass.",
    ),
    Claim(
        id="bis-scaled-only-failure",
        place="section 5.3",
        says="Scaled centring fails to improve performance only in BERT-large-cased by cosine.",
        needs=comparing(RAW, SCALED, of=SETS, models=TABLE_2_MODELS),
        holds=fails_in_one_cell,
        tolerance="this is the only average of Table 2 with a gain of 0 or less",
        because="The sentence is about Table 2, which prints averages over the sets.",
        general=ONE_CELL,
    ),
    Claim(
        id="bis-scaled-only-failure.per-set",
        place="section 5.3; Table 3",
        says="Set by set, scaled centring fails only in BERT-large-cased by cosine.",
        needs=comparing(SET, SET_SCALED, models=TABLE_2_MODELS, datasets=SETS),
        holds=fails_in_one_cell_of_every_set,
        tolerance="this is the only model and score with a gain of 0 or less on some set",
        because="This is the strict reading; it uses Table 3.",
        general=ONE_CELL,
    ),
    Claim(
        id="bis-mu-d-text",
        place="section 5.1, equation 11",
        says=(
            "Projecting the centred rows works better than the original method of Mu and Viswanath."
        ),
        needs=comparing(PROCESSED, PROCESSED_UNCENTRED, of=SETS, at_least=SEVERAL),
        holds=centred_projection_is_better,
        tolerance="the mean over models and scores is higher than that of the original method",
        unprinted="The paper does not print the original method's scores, so a run must decide.",
    ),
]
