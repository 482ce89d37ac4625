"""Compares the paper's own models with the statistics that Ethayarajh (2019) released, by point.

It is meant for a run in the profile `paper`: same models, same sentences. Remaining differences
come from the input of GPT-2, how pieces become words, and sampling on both sides.
"""

import numpy as np
import pandas as pd

from cwr.tables import where

SAME = {"ELMo": "ELMo", "BERT-base-cased": "BERT", "GPT-2-small": "GPT-2"}  # ours: released
PAIRS = 1000  # of random words, drawn with replacement: the released baseline is their mean
BASELINE = "anisotropy_baseline"
COSINES = (BASELINE, "adjusted_self_similarity", "adjusted_intra_sentence_similarity")
VARIANCE = "adjusted_maximum_explainable_variance"
KEYS = ["measure", "model", "layer"]


def point_by_point(ours: pd.DataFrame, released: pd.DataFrame) -> pd.DataFrame:
    """Compares each released point of Figures 1 to 4 with ours, and the difference with noise.

    ours, released: tidy tables. The names of our models may end in a comma and their input
        ("GPT-2-small, bare word or !"). Models without a released counterpart are left out.
    Columns: measure, model, layer, ours, low, high (95 %), released, difference, tolerance, agrees.
    The tolerance is half of our interval plus twice the largest standard error that the released
    baseline b can have: cosines of mean b in [-1, 1] vary by at most 1 - b². Explained variance has
    no such bound, so its points have no tolerance and no `agrees`.
    """
    mine = pd.concat([where(ours, measure=name) for name in COSINES] + [_of_estimator(ours)])
    mine = mine.assign(counterpart=mine["model"].str.partition(", ")[0].map(SAME))
    theirs = pd.concat([where(released, measure=name) for name in COSINES])
    theirs = pd.concat([theirs, _of_estimator(released)])
    theirs = theirs[KEYS + ["value"]].rename(columns={"model": "counterpart", "value": "released"})
    on = ["measure", "counterpart", "layer"]
    points = mine.rename(columns={"value": "ours"}).merge(theirs, on=on)
    baseline = theirs[theirs["measure"] == BASELINE].set_index(["counterpart", "layer"])["released"]
    at = pd.MultiIndex.from_frame(points[["counterpart", "layer"]])
    b = baseline.reindex(at).to_numpy(float)
    noise = 2 * np.sqrt((1 - b**2) / PAIRS)
    points["difference"] = points["ours"] - points["released"]
    half = (points["high"].astype(float) - points["low"].astype(float)) / 2
    points["tolerance"] = (half + noise).where(points["measure"] != VARIANCE)
    agrees = points["difference"].abs() <= points["tolerance"]
    points["agrees"] = agrees.astype(object).where(points["tolerance"].notna(), None)
    columns = [*KEYS, "ours", "low", "high", "released", "difference", "tolerance", "agrees"]
    return points[columns].sort_values(KEYS, ignore_index=True)


def _of_estimator(table: pd.DataFrame) -> pd.DataFrame:
    """Returns the rows of explained variance by the estimator of the released statistics."""
    return where(table, measure=VARIANCE, estimator="released")
