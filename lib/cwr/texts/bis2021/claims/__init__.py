"""Defines the claims, checks and printed numbers of Biś, Podkorytov and Liu (2021)."""

from pathlib import Path

import pandas as pd

from cwr import tables
from cwr.texts.bis2021.claims.appendix_c import NORMS
from cwr.texts.bis2021.claims.checks import CHECKS as CHECKS
from cwr.texts.bis2021.claims.figure_3 import UNUSED_TOKENS
from cwr.texts.bis2021.claims.figures_1_2 import SHAPE
from cwr.texts.bis2021.claims.section_2 import FREQUENCIES
from cwr.texts.bis2021.claims.section_3_3 import LEARNING
from cwr.texts.bis2021.claims.section_5_3 import SCORES_AND_ISOTROPY
from cwr.texts.bis2021.claims.section_7 import STATIC_VECTORS
from cwr.texts.bis2021.claims.table_1 import ISOTROPY
from cwr.texts.bis2021.claims.table_2 import TREATMENTS_COMPARED
from cwr.texts.bis2021.claims.table_3 import SETS_ONE_BY_ONE

CHAPTER = 2
TITLE = "Biś et al. (2021), Too Much in Common"
SHORT = "Biś et al."
CLAIMS = [
    *ISOTROPY,
    *NORMS,
    *SHAPE,
    *UNUSED_TOKENS,
    *FREQUENCIES,
    *TREATMENTS_COMPARED,
    *SCORES_AND_ISOTROPY,
    *SETS_ONE_BY_ONE,
    *LEARNING,
    *STATIC_VECTORS,
]
HEADLINES = (
    "bis-drift-not-cone",
    "bis-centring-restores-isotropy",
    "bis-nontarget-same-direction",
    "bis-unused-monotone",
    "bis-centring-helps-similarity",
)


def published() -> pd.DataFrame:
    """Loads the printed numbers, and counts of unused tokens in public files (`tables.read`)."""
    return tables.read(Path(__file__).parent)
