"""Defines claims, checks and printed numbers of Zhao et al. (2020): classes in BERT's layers.

The paper counts a model's blocks from 0, this book from 1: its layer 11 is our layer 12, and our
layer 0, the input of the first block, was never probed. Claims speak of layers as the paper does;
`readings` converts.
"""

from pathlib import Path

import pandas as pd

from cwr import tables
from cwr.texts.zhao2020.claims.checks import CHECKS as CHECKS
from cwr.texts.zhao2020.claims.context_alone import CONTEXT_ALONE
from cwr.texts.zhao2020.claims.f1_readings import in_each_reading
from cwr.texts.zhao2020.claims.figure_3 import SPACES
from cwr.texts.zhao2020.claims.figure_4 import DEPTH
from cwr.texts.zhao2020.claims.figure_4_means import MEANS
from cwr.texts.zhao2020.claims.figure_5 import CONTEXT
from cwr.texts.zhao2020.claims.figure_6 import TUNING
from cwr.texts.zhao2020.claims.figure_7 import ATTENTION_CHANGE
from cwr.texts.zhao2020.claims.figures_3_and_4 import AVERAGES
from cwr.texts.zhao2020.claims.tables_2_and_8 import COUNTS
from cwr.texts.zhao2020.claims.tables_3_and_7 import FINE_TUNING

CHAPTER = 4
TITLE = "Zhao et al. (2020), semantic class probing"
SHORT = "Zhao et al."
CLAIMS = in_each_reading(
    [
        *DEPTH,
        *CONTEXT_ALONE,
        *MEANS,
        *SPACES,
        *AVERAGES,
        *CONTEXT,
        *TUNING,
        *ATTENTION_CHANGE,
        *FINE_TUNING,
        *COUNTS,
    ]
)
HEADLINES = (
    "zha-f1-rises-with-depth",
    "zha-low-layers-most",
    "zha-top-two-little",
    "zha-five-words",
    "zha-ft-low-stable",
)


def published() -> pd.DataFrame:
    """Loads printed numbers, and counts and reference scores of the released lists (`tables`)."""
    return tables.read(Path(__file__).parent)
