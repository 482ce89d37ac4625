"""Checks of the numbers that this text prints."""

import pandas as pd

from cwr.papers import checks
from cwr.tables import where
from cwr.texts.__key__.claims.readings import MEAN_COSINE


def cosines_are_cosines(table: pd.DataFrame) -> checks.Found:
    """Whether each printed mean cosine lies between -1 and 1."""
    values = where(table, measure=MEAN_COSINE)["value"]
    wrong = values[~values.between(-1, 1)]
    printed = ", ".join(f"{value:g}" for value in wrong) or f"{len(values)} cosines"
    return checks.Found(wrong.empty, printed, "each between -1 and 1")


CHECKS = [
    checks.Check(
        id="__key__-check-cosines",
        place="Figure 1",
        asks="Is each printed mean cosine between -1 and 1?",
        find=cosines_are_cosines,
        how="a cosine has no other values",
        sure="exact",
    ),
]
