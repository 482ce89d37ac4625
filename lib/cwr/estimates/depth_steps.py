"""Computes what each block adds: paired differences of a score from layer to layer.

Layers share their draws, so a difference has an interval of its own, narrower than the layers'
intervals suggest.

    D draws
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from cwr.measures import stats

COLUMNS = ["model", "step", "between_blocks", "difference", "low", "high", "up"]


def steps(rows: Sequence[dict]) -> pd.DataFrame:
    """Computes differences of each model's neighbouring layers, then of its last and first block.

    rows: of one measure and estimator, as `probes.score_rows` gives them: model, layer, value and
        replicates, (D,), which share their draws.
    Columns: model; step ("1 to 2"); between_blocks: whether the step leads from one block to the
    next, as in the paper, not from the input or over all blocks; difference; low and high, the
    difference's 95 % interval; up: the share of draws in which the difference is above 0.
    """
    table = []
    for model, of_model in pd.DataFrame(list(rows)).groupby("model", sort=False):
        by_layer = of_model.set_index("layer").sort_index()
        layers = by_layer.index.tolist()
        blocks = [layer for layer in layers if layer > 0]
        pairs = [(low, high, low > 0) for low, high in zip(layers, layers[1:], strict=False)]
        if len(blocks) > 2:
            pairs.append((blocks[0], blocks[-1], False))
        for low, high, between_blocks in pairs:
            drawn = by_layer["replicates"][high] - by_layer["replicates"][low]
            difference = by_layer["value"][high] - by_layer["value"][low]
            numbers = difference, *stats.interval(drawn), np.mean(drawn > 0)
            table.append((model, f"{low} to {high}", between_blocks, *numbers))
    return pd.DataFrame(table, columns=COLUMNS)
