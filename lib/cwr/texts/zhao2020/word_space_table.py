"""Makes the rows of Table 5 of Zhao et al. (2020), drawn in Figure 3: one per space and split."""

import numpy as np
import pandas as pd

from cwr.corpora.wiki_pse.contexts import DEV, TEST

MEASURES = ("static_probe_f1", "matrix_probe_f1", "type_probe_f1")  # in the order of the rows
_ORDER = {measure: number for number, measure in enumerate(MEASURES)}
MATRIX, AVERAGE = "BERTw", "AVG, layer {}"


def scores(table: pd.DataFrame) -> pd.DataFrame:
    """Sorts the scores of spaces, static ones first by score, and adds `split` and `name`.

    table: tidy, ours or the printed one. Layers are counted as in this book. If there are several
    models, the names of spaces contain those of their models.
    """
    measure = table["measure"].str.removesuffix("_dev")
    is_dev = table["measure"].str.endswith("_dev")
    order = measure.map(_ORDER)
    height = table["value"].where(order == 0)  # only the static ones stand by their scores
    table = table.assign(split=np.where(is_dev, DEV, TEST), order=order, height=height)
    keys = ["order", "height", "model", "layer"]
    table = table[measure.isin(MEASURES)].sort_values(keys, kind="stable")
    models = table["model"][table["order"] > 0].nunique()
    names = [_name(row, several=models > 1) for row in table.itertuples()]
    return table.assign(name=names).drop(columns=["order", "height"])


def _name(row: tuple, several: bool) -> str:
    if row.order == 0:
        return row.model
    kind = MATRIX if row.order == 1 else AVERAGE.format(row.layer)
    return f"{kind}, {row.model}" if several else kind
