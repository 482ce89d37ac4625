"""Makes the live figure of removed coordinates: baseline and self-similarity, layer by layer.

The coordinates that contribute most to the mean cosine of random words are removed first. The
switch also subtracts the mean of the text's other words from all vectors.

    L = layers (0 to n_layers)
"""

import itertools
from functools import partial

import numpy as np
import pandas as pd

from cwr.estimates.samples import Samples
from cwr.measures import anisotropy
from cwr.measures.anisotropy import Treatment
from cwr.texts.ethayarajh2019 import treatments

MOST = 5  # coordinates that the slider takes away
UNIT = 100  # of a cosine: page and library round to hundredths
SENTENCE = (
    "{treatment}: in the last layer two random words have a mean cosine of {b}. The mean cosine of "
    "two occurrences of one word is higher, by {s}."
)
SWITCH = ("The vectors as they are", "Minus the mean of other words")


def entry(model: str, family: str, sample: Samples) -> dict:
    """Computes a model's curves `b` and `s` for the figure: [switch][coordinates removed][layer].

    b: the mean cosine of two random words; s: self-similarity minus b; both in whole hundredths.
    """
    curves = {"b": [], "s": []}
    for is_centred in (False, True):
        of_switch = [_curves(sample, is_centred, k) for k in range(MOST + 1)]
        curves["b"].append([b for b, _ in of_switch])
        curves["s"].append([s for _, s in of_switch])
    return {"model": model, "family": family, **curves}


def _curves(sample: Samples, is_centred: bool, k: int) -> tuple[list[int], list[int]]:
    """Both curves, each (L,) in hundredths, without k coordinates."""
    changed = treatments.treated(sample, partial(_fit, is_centred=is_centred, k=k))
    named = treatments.similarities(changed, draws=1)
    measures = ("anisotropy_baseline", "adjusted_self_similarity")
    b, s = (np.rint(named[measure].values * UNIT).astype(int).tolist() for measure in measures)
    return b, s


def _fit(sample: Samples, layer: int, is_centred: bool, k: int) -> Treatment:
    """The treatment that drops k coordinates, after the mean is subtracted if it is."""
    contributions = anisotropy.cosine_contributions(sample.random.vectors(layer))
    drop = anisotropy.without_largest(contributions, k)
    if not is_centred:
        return drop
    mean = treatments.mean_of_others(sample, layer)
    return lambda vectors: drop(vectors - mean)


def live_data(entries: list[dict]) -> dict:
    """Collects the data of the live figure `coordinates`, one entry per model."""
    return {"sentence": SENTENCE, "unit": UNIT, "treatments": _treatments(), "models": entries}


def _treatments() -> list[list[str]]:
    """What each setting is called, by switch and number of coordinates."""
    counts = ["", ", without 1 coordinate"]
    counts += [f", without {k} coordinates" for k in range(2, MOST + 1)]
    return [[f"{words}{count}" for count in counts] for words in SWITCH]


def sentence(data: dict, is_centred: bool, k: int) -> str:
    """Formats the figure's sentence for one setting. data: of `live_data`. k: coordinates gone."""
    values = {}
    for name in ("b", "s"):
        of_models = [
            f"{each[name][is_centred][k][-1] / data['unit']:.2f} in {each['model']}"
            for each in data["models"]
        ]
        values[name] = ", ".join(of_models)
    return data["sentence"].format(treatment=data["treatments"][is_centred][k], **values)


def table(data: dict) -> pd.DataFrame:
    """Tabulates the values of the last layers, a row per setting. data: of `live_data`."""
    rows = []
    for switch, words in enumerate(SWITCH):
        for k in range(MOST + 1):
            row = {"vectors": words, "coordinates removed": k}
            for name, each in itertools.product(("b", "s"), data["models"]):
                row[f"{name} {each['model']}"] = each[name][switch][k][-1] / data["unit"]
            rows.append(row)
    return pd.DataFrame(rows)
