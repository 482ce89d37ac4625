"""Defines the claims, checks and printed numbers of Ethayarajh (2019).

"How Contextual are Contextualized Word Representations?", EMNLP-IJCNLP 2019.
"""

from pathlib import Path

import pandas as pd

from cwr import tables
from cwr.texts.ethayarajh2019.claims.checks import CHECKS as CHECKS
from cwr.texts.ethayarajh2019.claims.contextualisation import CONTEXTUALISATION
from cwr.texts.ethayarajh2019.claims.figure_1 import FIGURE_1
from cwr.texts.ethayarajh2019.claims.figure_2 import FIGURE_2
from cwr.texts.ethayarajh2019.claims.figure_3 import FIGURE_3
from cwr.texts.ethayarajh2019.claims.figure_4 import FIGURE_4
from cwr.texts.ethayarajh2019.claims.matched import MATCHED
from cwr.texts.ethayarajh2019.claims.section_4_3 import SECTION_4_3
from cwr.texts.ethayarajh2019.claims.senses import SENSES_AND_CONTEXTS
from cwr.texts.ethayarajh2019.claims.table_1 import TABLE_1

CHAPTER = 1
TITLE = "Ethayarajh (2019), How Contextual are Contextualized Word Representations?"
SHORT = "Ethayarajh"
CLAIMS = [*FIGURE_1, *CONTEXTUALISATION, *FIGURE_2, *FIGURE_3, *FIGURE_4, *MATCHED]
CLAIMS += [*SECTION_4_3, *TABLE_1, *SENSES_AND_CONTEXTS]
HEADLINES = (
    "eth-anisotropy-noninput",
    "eth-same-word-closer",
    "eth-selfsim-decreases.trend",
    "eth-mev-5pct",
    "eth-pc-many",
)


def published() -> pd.DataFrame:
    """Loads the printed numbers and the author's released statistics (`tables.read`)."""
    return tables.read(Path(__file__).parent)
