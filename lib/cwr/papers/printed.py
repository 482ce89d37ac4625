"""The printed and released numbers of the texts, for those who want numbers and no claims.

A paper's own `published()` gives the same table. A notebook that measures reads it from here: so a
mended claim, which its folder holds, makes no notebook stale.
"""

from pathlib import Path

import pandas as pd

from cwr import tables


def load(paper: str) -> pd.DataFrame:
    """The published numbers of one text (`tables.read`). Raises KeyError for a text that has none."""
    folder = Path(__file__).parents[1] / "texts" / paper / "claims"
    if not (folder / "printed.csv").exists():
        raise KeyError(paper)
    return tables.read(folder)
