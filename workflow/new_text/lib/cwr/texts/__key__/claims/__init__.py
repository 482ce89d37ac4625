"""The claims, checks and printed numbers of: __title__"""

from pathlib import Path

import pandas as pd

from cwr import tables
from cwr.texts.__key__.claims.checks import CHECKS as CHECKS
from cwr.texts.__key__.claims.figure_1 import FIGURE_1

CHAPTER = 6
TITLE = "__title__"
# In narrow columns, so the authors alone: "Liu et al."
SHORT = "__title__"
CLAIMS = [*FIGURE_1]
HEADLINES = ("__key__-last-layer-above-zero",)


def published() -> pd.DataFrame:
    """The printed numbers, a tidy table (`cwr.tables.read`)."""
    return tables.read(Path(__file__).parent)
