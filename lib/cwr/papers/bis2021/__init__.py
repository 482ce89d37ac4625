"""Claims, checks and printed numbers of Biś, Podkorytov and Liu (2021), "Too Much in Common"."""

from pathlib import Path

import pandas as pd

from cwr import tables
from cwr.papers.bis2021.checks import CHECKS as CHECKS
from cwr.papers.bis2021.claims_appendix_c import NORMS
from cwr.papers.bis2021.claims_figure_3 import UNUSED_TOKENS
from cwr.papers.bis2021.claims_figures_1_2 import SHAPE
from cwr.papers.bis2021.claims_section_2 import FREQUENCIES
from cwr.papers.bis2021.claims_section_3_3 import LEARNING
from cwr.papers.bis2021.claims_section_5_3 import SCORES_AND_ISOTROPY
from cwr.papers.bis2021.claims_section_7 import STATIC_VECTORS
from cwr.papers.bis2021.claims_table_1 import ISOTROPY
from cwr.papers.bis2021.claims_table_2 import TREATMENTS_COMPARED
from cwr.papers.bis2021.claims_table_3 import SETS_ONE_BY_ONE

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
    """The printed numbers, and what public files say of unused tokens (`cwr.tables.read`)."""
    return tables.read(Path(__file__).parent)
