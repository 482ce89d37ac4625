"""Claims of Biś et al. (2021), section 7, about static vectors, which the paper does not measure.

D = draws, N = models
"""

import numpy as np

from cwr.papers.claims import Claim
from cwr.papers.predicates import every, most
from cwr.tables import Table
from cwr.texts.bis2021.claims.readings import LANGUAGE_MODELS, RATIO, comparing

STATIC_RATIO = f"static_{RATIO}"
UNMEASURED = "The paper measures no static vectors, so our skip-gram vectors must decide."
NEEDS = comparing(STATIC_RATIO, RATIO, beside=LANGUAGE_MODELS, of=("cwr-static",))


def is_least_shifted(table: Table) -> np.ndarray:
    """Tests whether static vectors' ratio of norms is below that of every token matrix."""
    models, ratios = table.over("model", RATIO, at_least=1)  # (D, N)
    return every(table, table.value(STATIC_RATIO)[:, None] < ratios, models, ratios)


def is_mostly_less_shifted(table: Table) -> np.ndarray:
    """Tests whether static vectors' ratio of norms is below that of most token matrices."""
    models, ratios = table.over("model", RATIO, at_least=2)  # (D, N)
    return most(table, table.value(STATIC_RATIO)[:, None] < ratios, models)


STATIC_VECTORS = [
    Claim(
        id="bis-skipgram-mitigates",
        place="section 7",
        says="Skip-gram seems to mitigate the common shift through negative sampling.",
        needs=NEEDS,
        holds=is_least_shifted,
        tolerance=(
            "the norm of the mean divided by the mean norm is smaller in skip-gram's vectors "
            "than in the token matrix of every masked or causal model"
        ),
        because=(
            'We read "mitigate" as a smaller shift than in Transformers, not as no shift. The '
            "sentence names negative sampling as the reason. Objective, layers and vocabulary "
            "differ as well, so a smaller shift supports the sentence but does not prove its "
            "reason."
        ),
        unprinted=UNMEASURED,
    ),
    Claim(
        id="bis-skipgram-mitigates.most",
        place="section 7",
        says="The common shift of skip-gram's vectors is smaller than that of most Transformers.",
        needs=NEEDS,
        holds=is_mostly_less_shifted,
        tolerance=(
            "the norm of the mean divided by the mean norm is smaller in skip-gram's vectors "
            "than in the token matrices of more than half of the masked and causal models"
        ),
        because='This is the kinder reading: the sentence says "seems to" and names no model.',
        unprinted=UNMEASURED,
    ),
]
