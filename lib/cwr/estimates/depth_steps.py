"""Computes what each block adds: paired differences of a score from layer to layer.

Layers share their draws, so a difference has an interval of its own, narrower than the layers'
intervals suggest.

    D draws
"""

from collections.abc import Sequence
from operator import itemgetter

import numpy as np
import pandas as pd

from cwr.errors import listed
from cwr.estimates import paired


def steps(rows: Sequence[dict]) -> pd.DataFrame:
    """Subtracts each layer's score from the next one's, and the first block's from the last one's.

    rows: of one measure and estimator, as `probes.score_rows` gives them: model, layer, value and
        replicates, (D,), which share their draws.
    Columns: model; step ("1 to 2"); between_blocks: whether the step leads from one block to the
    next, as in the paper, not from the input or over all blocks; difference; low and high, the
    difference's 95 % interval; up: the share of draws in which the difference is above 0.
    """
    moves = []
    for model in dict.fromkeys(row["model"] for row in rows):
        of_model = [row for row in rows if row["model"] == model]
        single = paired.steps_along(of_model, "layer")
        moves += [{**step, "between_blocks": step["before"] > 0} for step in single]
        blocks = sorted((row for row in of_model if row["layer"] > 0), key=itemgetter("layer"))
        if len(blocks) > 2:
            (whole,) = paired.steps_along([blocks[0], blocks[-1]], "layer")
            moves.append({**whole, "between_blocks": False})
    moves = [{**move, "step": f"{move['before']} to {move['layer']}"} for move in moves]
    table = paired.frame(moves, ["model", "step", "between_blocks"], "difference")
    return table.assign(up=[np.mean(move["replicates"] > 0) for move in moves])


def falls_in_words(table: pd.DataFrame) -> str:
    """Says in which models a step falls beyond its interval: "falls measurably at some step in a, not in b".

    table: rows of `steps`.
    """
    is_falling = (table["high"] < 0).groupby(table["model"], sort=False).any()
    falling, others = (list(is_falling.index[is_falling == state]) for state in (True, False))
    if not falling:
        return f"falls measurably at no step in {listed(others)}"
    rest = f", not in {listed(others)}" if others else ""
    return f"falls measurably at some step in {listed(falling)}{rest}"
