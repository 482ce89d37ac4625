"""The claims of this text about Figure 1."""

import numpy as np

from cwr.papers import claims, predicates
from cwr.tables import Table
from cwr.texts.__key__.claims.readings import MEAN_COSINE


def last_layer_above(table: Table, bound: float = 0) -> np.ndarray:
    """Whether the mean cosine of the last layer is above a bound."""
    last = table.curve(MEAN_COSINE)[:, -1]  # (draws,)
    return predicates.above(table, last, bound, "the last layer")


FIGURE_1 = [
    claims.Claim(
        id="__key__-last-layer-above-zero",
        place="Figure 1",
        says="In the last layer, two random words have a mean cosine above 0.",
        needs=claims.Needs(measures=(MEAN_COSINE,), families=()),
        holds=last_layer_above,
        tolerance="mean cosine of the last layer > {bound}",
        because="Write here which reading of the words is fair, and what the threshold rests on.",
    ),
]
