"""Claims of Biś et al. (2021) about the shape of the matrix: Figures 1 and 2.

The claim of section 5.3 on RoBERTa-large's mean direction is here, too.

    D = draws, N = shifts of a sphere
"""

from functools import partial

import numpy as np

from cwr.papers.claims import Claim, General, Needs
from cwr.papers.predicates import TIE, at_least, below, every, near
from cwr.tables import Table
from cwr.texts.bis2021.claims.readings import (
    ANGLE,
    CHECKPOINTS,
    COSINE,
    LANGUAGE_MODELS,
    NO_VALUES,
    RATIO,
    TOP,
    comparing,
)

MASKED = ("masked",)
ROBERTA_LARGE = ("RoBERTa-large",)
SECOND = "second_over_first_singular_value"
SECOND_CENTRED = f"{SECOND}_centred"
INDEX_R2, FREQUENCY_R2 = "vocabulary_index_r2", "frequency_r2"
SPHERE = "sphere_singular_ratio"  # its shift, in radii, is the key column k


def top_is_mean(table: Table, least: float = 0.985) -> np.ndarray:
    """Tests whether the cosine of a model's top eigenvector and its mean rounds to 0.99 or more."""
    return at_least(table, table.value(TOP), least, "cosine of top eigenvector and mean")


def mean_cosine_is_as_printed(
    table: Table, printed: float = 0.33, margin: float = 0.01
) -> np.ndarray:
    """Tests whether the mean cosine is the printed one, within the margin."""
    return near(table, table.value(COSINE), printed, margin, "mean cosine")


def angle_is_arc_cosine(table: Table, margin: float = 0.05) -> np.ndarray:
    """Tests whether the angle is the mean cosine's arc cosine; undefined for a cosine beyond 1."""
    cosine = table.value(COSINE)
    table.undefined(np.abs(cosine) > 1, "a cosine beyond 1 has no angle")
    angle = np.degrees(np.arccos(np.clip(cosine, -1, 1)))
    return near(table, angle - table.value(ANGLE), 0, margin, "arc cosine - angle")


def cosine_is_squared_ratio(table: Table, margin: float = 0.01) -> np.ndarray:
    """Tests whether the mean cosine is near the squared ratio of the norms."""
    difference = table.value(RATIO) ** 2 - table.value(COSINE)
    return near(table, difference, 0, margin, "squared ratio - mean cosine")


def centring_flattens(table: Table) -> np.ndarray:
    """Tests whether the second singular value is a larger part of the first after centring."""
    raw, centred = table.value(SECOND), table.value(SECOND_CENTRED)
    return below(table, raw, centred, "second over first singular value of W")


def is_visible(table: Table, measure: str, name: str, least: float = 0.2) -> np.ndarray:
    """Tests whether two principal components of W_c explain at least this share of a property."""
    return at_least(table, table.value(measure), least, f"R² of {name}")


def gap_grows_with_shift(table: Table, margin: float = 0.05) -> np.ndarray:
    """Tests whether the gap between the singular values of a sphere follows the law for its shift.

    Raises Missing for fewer than two shifts.
    """
    shifts, ratios = table.over("k", SPHERE, at_least=2)
    law = np.sqrt(1 + 3 * np.array(shifts, dtype=float) ** 2)
    return every(table, np.abs(ratios / law - 1) <= margin + TIE, shifts, ratios)


SHAPE = [
    Claim(
        id="bis-roberta-large-eig-mean",
        place="section 5.3",
        says="RoBERTa-large's top eigenvector is almost its mean direction (cosine 0.99).",
        needs=Needs(measures=(TOP,), families=MASKED, models=ROBERTA_LARGE),
        holds=top_is_mean,
        tolerance="the cosine of the top eigenvector and the mean is at least {least}",
        because=(
            "Table 1 does not contradict the claim. If the largest variance is about -2 ln "
            "I(W_c), the cosine is at least 0.928."
        ),
        unprinted=(
            "The text prints the cosine itself, which Table 1 cannot confirm. A run on the "
            "paper's checkpoints must decide."
        ),
        general=General(
            says="The top eigenvector of a model's matrix is almost its mean direction."
        ),
    ),
    Claim(
        id="bis-roberta-large-cos",
        place="section 5.3",
        says="RoBERTa-large's embeddings have a mean cosine of 0.33.",
        needs=Needs(measures=(COSINE,), families=MASKED, models=ROBERTA_LARGE),
        holds=mean_cosine_is_as_printed,
        tolerance="the mean cosine is {printed} +- {margin}",
        because=(
            "The text prints the number. Two variants of this claim compare it with other printed "
            "numbers."
        ),
        unprinted=CHECKPOINTS,
        general="The claim is one number of one model.",
    ),
    Claim(
        id="bis-roberta-large-cos.angle",
        place="section 5.3",
        says="RoBERTa-large's mean cosine of 0.33 is an angle of 70.7 degrees.",
        needs=Needs(measures=(COSINE, ANGLE), families=MASKED, models=ROBERTA_LARGE),
        holds=angle_is_arc_cosine,
        tolerance="the arc cosine of the mean cosine is this angle, within {margin} degrees",
        because=("70.7 degrees is the angle of the mean cosine, not the mean of the angles."),
        general="The claim converts one printed number into another.",
    ),
    Claim(
        id="bis-roberta-large-cos.ratio",
        place="not in the paper; beside section 5.3 and Table 1",
        says="RoBERTa-large's mean cosine agrees with its norms in Table 1.",
        needs=Needs(measures=(COSINE, RATIO), families=MASKED, models=ROBERTA_LARGE),
        holds=cosine_is_squared_ratio,
        tolerance="the squared ratio of the norms is within {margin} of the mean cosine",
        because=("The squared ratio is a mean cosine in which longer rows weigh more."),
        general=(
            "The squared ratio stands for the cosine only if rows are equally long; a run can "
            "measure the cosine itself."
        ),
        ours=True,
    ),
    Claim(
        id="bis-singular-gap",
        place="section 4.1; Figure 1c, f",
        says="The first singular value dominates the raw matrix; centring flattens the spectrum.",
        needs=Needs(measures=(SECOND, SECOND_CENTRED), families=LANGUAGE_MODELS),
        holds=centring_flattens,
        tolerance=(
            "the second singular value over the first is smaller in W than in the centred W_c, in "
            "each model"
        ),
        because='We read "rapid decay" as the gap after the first value, which a shift creates.',
        unprinted=NO_VALUES,
    ),
    Claim(
        id="bis-frequency-clusters-remain",
        place="section 5.1; Figure 1b, e",
        says="After centring, tokens of similar frequency still lie together.",
        needs=Needs(measures=(INDEX_R2,), families=LANGUAGE_MODELS),
        holds=partial(is_visible, measure=INDEX_R2, name="the vocabulary index"),
        tolerance=(
            "two principal components of the centred W_c explain at least {least} of the variance "
            "of the vocabulary index"
        ),
        because=(
            "The figure shows the clusters by colour, and the threshold is ours. In BERT's "
            "vocabulary the index follows frequency only in the middle part."
        ),
        unprinted=NO_VALUES,
    ),
    Claim(
        id="bis-frequency-clusters-remain.counted",
        place="section 5.1",
        says="After centring, tokens that are equally frequent in a text still lie together.",
        needs=Needs(measures=(FREQUENCY_R2,), families=LANGUAGE_MODELS),
        holds=partial(is_visible, measure=FREQUENCY_R2, name="log frequency"),
        tolerance=(
            "two principal components of the centred W_c explain at least {least} of the variance "
            "of the logarithm of the counted frequency, over the tokens that occur"
        ),
        because=(
            "The text speaks of frequency, but the figure shows the index. In many vocabularies "
            "the index follows frequency only loosely. So here we count tokens in a text."
        ),
        unprinted="The figure is coloured by index, so a count on a text must decide.",
    ),
    Claim(
        id="bis-sphere-shift-gap",
        place="section 4.1; Figure 2",
        says="As a sphere moves away from the origin, the gap between its singular values grows.",
        needs=comparing(SPHERE),
        holds=gap_grows_with_shift,
        tolerance=(
            "the first singular value over the second is within {margin:%} of sqrt(1 + 3 s²) at "
            "every shift, where s is the shift over the radius"
        ),
        because=(
            "The law is exact for points spread evenly on the surface of a sphere in three "
            "dimensions. The 5 % allow for the sampling of points."
        ),
        unprinted=(
            "Figure 2 of the paper prints no values; we draw points on a sphere and measure them."
        ),
        arithmetic=True,
    ),
]
