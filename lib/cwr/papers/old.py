"""Transition: predicates that are asked of one draw at a time, until each paper's are rewritten; then this file goes."""
from dataclasses import replace

import numpy as np
import pandas as pd

from cwr.papers.claims import Claim


def one_draw_at_a_time(claims):
    """The claims with predicates on frames turned into predicates on `Table`."""
    return [_old(claim) for claim in claims]


def _old(claim):
    form = _old(claim.any_model) if isinstance(claim.any_model, Claim) else claim.any_model
    holds = claim.holds
    def asked(table):
        frame = table.rows.astype({"measure": object, "layer": float})
        return np.array([bool(holds(frame.assign(value=values))) for values in table.draws])
    return replace(claim, holds=holds and asked, any_model=form)


def by_layer(table, measure):
    keep = table["measure"].to_numpy() == measure
    order = np.argsort(table["layer"].to_numpy()[keep])
    return table["value"].to_numpy()[keep][order]


def rank_correlation(values, others=None):
    others = np.arange(len(values)) if others is None else others
    ranks = [pd.Series(np.asarray(each)).rank().to_numpy() for each in (values, others)]
    if any(len(np.unique(each)) < 2 for each in ranks):
        return 0.0
    return float(np.corrcoef(*ranks)[0, 1])


def anywhere(says, claim, holds=None, tolerance="", families=()):
    needs = replace(claim.needs, families=families, n_layers=None, compares=False)
    transfer = replace(claim, id=claim.id + ".transfer", place="not in the paper", says=says, needs=needs, because="",
                       holds=holds or claim.holds, tolerance=tolerance or claim.tolerance)
    return replace(claim, any_model=transfer)


def at_depths(table, measure, low, high):
    keep = table["measure"].to_numpy() == measure
    layer, values = table["layer"].to_numpy(dtype=float)[keep], table["value"].to_numpy()[keep]
    order = np.argsort(layer)
    depth = layer[order] / layer.max()
    return values[order][(depth >= low - 1e-9) & (depth <= high + 1e-9)]
