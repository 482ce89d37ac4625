"""Compares estimates with and without the words that stand first in a sentence.

A decoder without a start token reads the first word with nothing before it; in some models this
vector is far longer than all others. Extractions hold word positions, so no new pass is needed.
"""

import numpy as np
import pandas as pd

from cwr.estimates.curves import Curve, over_items
from cwr.extraction import Extraction
from cwr.measures import contextuality as measures


def baseline(random: Extraction, layer: int) -> dict[str, float]:
    """Computes a layer's anisotropy baseline with and without first words, and vector lengths.

    random: an extraction with `vectors` of the random words. Raises ValueError if fewer than two of
    the words stand elsewhere than first.
    """
    first = _stands_first(random)
    vectors = np.array(random.vectors(layer))  # (words, dim)
    lengths = np.linalg.norm(vectors, axis=1)
    return {
        "layer": layer,
        "share of first words": first.mean(),
        "length, first words": lengths[first].mean(),
        "length, others": lengths[~first].mean(),
        "baseline, all": measures.anisotropy_baseline(vectors),
        "baseline, others": measures.anisotropy_baseline(vectors[~first]),
    }


def explained_variance(
    words: Extraction, items: pd.DataFrame, draws: int = 1000, seed: int = 0
) -> dict[str, Curve]:
    """Averages explained variance over words ever seen first in a sentence, and over the others.

    Section 4.3 of Ethayarajh (2019) explains GPT-2's high values by anisotropy; the words that
    never stand first test the explanation.
    words: an extraction with `vectors` of the words' occurrences, by word. items: the measure, a
    row per word and a column per layer (`Curve.items`).
    Returns {measure: curve}, without the kinds of words that do not occur.
    """
    first = _stands_first(words)
    seen_first = items.index.isin(words.table.loc[first, "group"].unique())
    kinds = {"seen_first": items[seen_first], "never_first": items[~seen_first]}
    return {
        f"maximum_explainable_variance_{kind}": over_items(values, draws, seed)
        for kind, values in kinds.items()
        if len(values)
    }


def length_ratios(words: Extraction) -> np.ndarray:
    """Divides the mean length of vectors in first position by that of all others, by layer, (L,).

    words: an extraction with `vectors`. NaN where no vector, or every one, is in first position.
    """
    first = _stands_first(words)
    if not first.any() or first.all():
        return np.full(words.n_layers + 1, np.nan)
    ratios = []
    for layer in range(words.n_layers + 1):
        lengths = np.linalg.norm(words.vectors(layer), axis=1)
        ratios.append(lengths[first].mean() / lengths[~first].mean())
    return np.array(ratios)


def _stands_first(extraction: Extraction) -> np.ndarray:
    """Which rows of an extraction are the first word of their sentence, (rows,) bool."""
    return (extraction.table["first"] == 0).to_numpy()
