"""What each block adds: paired differences of a score from layer to layer.

D draws
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from cwr.measures import stats


def steps(rows: Sequence[dict], first: int = 0) -> pd.DataFrame:
    """The differences of neighbouring layers of each model, and of its last block and its first.

    rows: of one measure and estimator, as `probes.score_rows` gives them: model, layer, value and
        replicates, which share their draws. first: the layer to begin with.
    Columns: model, step ("1 to 2"), difference, low, high (95 % interval), up: the share of draws in
    which it is above 0.
    """
    table = []
    for model, of_model in pd.DataFrame(list(rows)).groupby("model", sort=False):
        by_layer = of_model[of_model["layer"] >= first].set_index("layer").sort_index()
        layers = by_layer.index.tolist()
        above_input = [layer for layer in layers if layer > 0]
        pairs = list(zip(layers, layers[1:], strict=False))
        if len(above_input) > 2:
            pairs.append((above_input[0], above_input[-1]))
        for low, high in pairs:
            drawn = by_layer["replicates"][high] - by_layer["replicates"][low]  # (D,)
            difference = by_layer["value"][high] - by_layer["value"][low]
            interval = stats.interval(drawn)
            table.append((model, f"{low} to {high}", difference, *interval, np.mean(drawn > 0)))
    columns = ["model", "step", "difference", "low", "high", "up"]
    return pd.DataFrame(table, columns=columns)
