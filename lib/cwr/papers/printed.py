"""Loads the printed and released numbers of the texts, without their claims.

A paper's own `published()` gives the same table. Notebooks that measure read it from here: a
corrected claim, which lies in the paper's folder, then makes no notebook stale.
"""

from pathlib import Path

import pandas as pd

from cwr import tables


def load(paper: str) -> pd.DataFrame:
    """Loads the published numbers of one text (`tables.read`). Raises KeyError if it has none."""
    folder = Path(__file__).parents[1] / "texts" / paper / "claims"
    if not (folder / "printed.csv").exists():
        raise KeyError(paper)
    return tables.read(folder)
