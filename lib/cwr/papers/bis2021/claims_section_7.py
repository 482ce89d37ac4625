"""What Biś et al. (2021) say in section 7 of static vectors, which the paper does not measure.

D = draws, N = models
"""

import numpy as np

from cwr.papers.bis2021.readings import LANGUAGE_MODELS, RATIO
from cwr.papers.claims import Claim, Needs
from cwr.papers.predicates import every
from cwr.tables import Table

STATIC_RATIO = f"static_{RATIO}"


def is_least_shifted(table: Table) -> np.ndarray:
    """Whether the ratio of the norms of static vectors is below that of every token matrix."""
    static = table.value(STATIC_RATIO)  # (D,)
    models, ratios = table.over("model", RATIO, at_least=1)  # (D, N)
    return every(table, static[:, None] < ratios, models, ratios)


STATIC_VECTORS = [
    Claim(
        id="bis-skipgram-mitigates",
        place="section 7",
        says="Skip-gram seems to mitigate the common shift through negative sampling.",
        needs=Needs(
            measures=(STATIC_RATIO, RATIO), families=(), beside=LANGUAGE_MODELS, compares=True
        ),
        holds=is_least_shifted,
        tolerance="norm of the mean over the mean norm, smaller in skip-gram's vectors than in the "
        "token matrix of every masked or causal model",
        because='"Mitigate" is read as less of it than in Transformers, not as none of it. '
        "The sentence names negative sampling as the reason; objective, layers and vocabulary "
        "differ as well, so a smaller shift bears the sentence out and does not prove its reason.",
        unprinted="The paper measures no static vectors; skip-gram's at hand decide.",
    ),
]
