"""Defines the claims, checks and printed numbers of Gupta and Jaggi (2021), on X2Static."""

from pathlib import Path

import pandas as pd

from cwr import tables
from cwr.texts.gupta2021.claims.captions import CAPTIONS
from cwr.texts.gupta2021.claims.checks import CHECKS as CHECKS
from cwr.texts.gupta2021.claims.figure_1 import FIGURE_1
from cwr.texts.gupta2021.claims.section_4_2 import SECTION_4_2
from cwr.texts.gupta2021.claims.section_4_3 import SECTION_4_3
from cwr.texts.gupta2021.claims.sections import SECTIONS
from cwr.texts.gupta2021.claims.table_3 import TABLE_3
from cwr.texts.gupta2021.claims.table_4 import TABLE_4
from cwr.texts.gupta2021.claims.table_6 import TABLE_6

CHAPTER = 3
TITLE = "Gupta & Jaggi (2021), X2Static"
SHORT = "Gupta & Jaggi"
CLAIMS = [*TABLE_3, *SECTION_4_2, *SECTION_4_3, *TABLE_4, *FIGURE_1, *TABLE_6, *CAPTIONS, *SECTIONS]
HEADLINES = (
    "gup-x2static-beats-ase",
    "gup-x2static-beats-static-avg",
    "gup-x2static-beats-all-cells",
    "gup-down-beats-all",
    "gup-ase-saturates",
)


def published() -> pd.DataFrame:
    """Loads the printed numbers, class counts and bold marks, a tidy table (`cwr.tables.read`)."""
    return tables.read(Path(__file__).parent)
