"""What do the words that stand first in a sentence add to an estimate?

A decoder without a start token reads the first word with nothing before it, and in some models that
vector is far longer than all others. Sampled words know their position, so this needs no new pass.
"""
import numpy as np
import pandas as pd

from cwr.extraction import Extraction
from cwr.measures import contextuality as measures


def baseline(random: Extraction, layer: int) -> dict[str, float]:
    """The anisotropy baseline of one layer with and without first words, and how long vectors are.

    random: keeps `vectors` of the random words. Raises ValueError if fewer than two of them stand
    elsewhere than first.
    """
    first = _stands_first(random)
    vectors = np.array(random.vectors(layer))               # (words, dim)
    lengths = np.linalg.norm(vectors, axis=1)
    return {
        "layer": layer,
        "share of first words": first.mean(),
        "length, first words": lengths[first].mean(),
        "length, others": lengths[~first].mean(),
        "baseline, all": measures.anisotropy_baseline(vectors),
        "baseline, others": measures.anisotropy_baseline(vectors[~first]),
    }


def explained_variance(words: Extraction, items: pd.DataFrame) -> pd.DataFrame:
    """By layer: mean of a measure over words seen first and never seen first, and a length ratio.

    words: keeps `vectors` of the words' occurrences, by word. items: the measure, a row a word and
    a column a layer (`Curve.items`). The ratio is the mean length of vectors in first position over
    that of all others. Columns "seen first", "never first", "length ratio".
    """
    first = _stands_first(words)
    seen_first = items.index.isin(words.table.loc[first, "group"].unique())
    ratios = {}
    for layer in items.columns:
        lengths = np.linalg.norm(words.vectors(layer), axis=1)
        ratios[layer] = lengths[first].mean() / lengths[~first].mean()
    return pd.DataFrame({"seen first": items[seen_first].mean(),
                         "never first": items[~seen_first].mean(),
                         "length ratio": pd.Series(ratios)})


def _stands_first(extraction: Extraction) -> np.ndarray:
    """Which rows of an extraction are the first word of their sentence, (rows,) bool."""
    return (extraction.table["first"] == 0).to_numpy()
