"""Computes Figure 4 of Ethayarajh (2019) with as many random words as a word has occurrences.

All three estimators of explained variance depend on the number n of vectors. The paper subtracts
the value of some thousand random words even from that of a word with few occurrences. Here each
word is compared with a set of n random words.

    W = words, L = layers (0 to n_layers)
"""

import numpy as np
import pandas as pd

from cwr.estimates import contextuality
from cwr.estimates.curves import Curve, over_items
from cwr.extraction import Extraction
from cwr.measures import contextuality as measures
from cwr.texts.ethayarajh2019 import bounds


def occurrences(words: Extraction) -> pd.Series:
    """Counts the vectors of each word that has at least two, (W,), indexed by word."""
    counts = words.table["group"].value_counts().sort_index()
    return counts[counts >= 2]


def random_sets(random: Extraction, n: pd.Series, estimator: str, seed: int = 0) -> pd.DataFrame:
    """Computes the explained variance of n random words for each word, (W, L); layer 0 is NaN.

    random: an extraction with `vectors` of the random words. n: (W,), indexed by word; a set has at
    most all random words. A word has the same set in every layer and by every estimator.
    """
    total, generator = len(random.table), np.random.default_rng(seed)
    sets = [generator.choice(total, min(size, total), replace=False) for size in n]
    layers = range(random.n_layers + 1)
    variance = pd.DataFrame(np.nan, index=n.index, columns=layers)
    for layer in layers[1:]:
        vectors = random.vectors(layer).astype(np.float64)
        variance[layer] = [
            measures.maximum_explainable_variance(vectors[rows], estimator) for rows in sets
        ]
    return variance


def matched_explained_variance(
    mean: Curve, beside: pd.DataFrame, draws: int = 1000, seed: int = 0
) -> Curve:
    """Averages over words their explained variance minus that of as many random words.

    mean: `contextuality.explained_variance` of the words. beside: `random_sets` by the same
    estimator, with a row for each of these words.
    """
    return over_items(mean.items - beside.loc[mean.items.index], draws, seed)


def measures_by_n(
    words: Extraction,
    random: Extraction,
    mean: Curve,
    estimator: str,
    draws: int = 1000,
    seed: int = 0,
) -> dict[str, Curve]:
    """Computes the measures of Figure 4 that allow for the number of occurrences, {measure: curve}.

    words, random, mean: as in `least_explained_variance` and `random_sets`. The estimator
    "released" has no least value, hence no second measure.
    """
    beside = random_sets(random, occurrences(words), estimator, seed)
    matched = matched_explained_variance(mean, beside, draws, seed)
    named = {"adjusted_maximum_explainable_variance_matched": matched}
    if estimator != "released":
        least = least_explained_variance(words, mean, estimator, draws, seed)
        named["maximum_explainable_variance_least"] = least
    return named


def least_explained_variance(
    words: Extraction, mean: Curve, estimator: str, draws: int = 1000, seed: int = 0
) -> Curve:
    """Averages over words the least value that an estimator can have for n occurrences, by layer.

    words: an extraction with vectors and sums by word. mean: the words' explained variance.
    estimator: "pca", whose least value is 1 / (n - 1), or "definition", for which it is
    1 / n + (1 - 1 / n) SelfSim if a word's vectors are of equal length.
    Raises ValueError for any other estimator.
    """
    n = occurrences(words)[mean.items.index].to_numpy()
    if estimator == "pca":
        least = np.repeat(bounds.least_pca_share(n)[:, None], len(mean.values), axis=1)
    elif estimator == "definition":
        similarity = contextuality.self_similarity(words).items.loc[mean.items.index]
        least = bounds.least_explainable_variance(n[:, None], similarity.to_numpy())
    else:
        raise ValueError(f"the estimator {estimator!r} has no least value that n alone decides")
    return over_items(pd.DataFrame(least, index=mean.items.index), draws, seed)


def by_occurrences(values: pd.DataFrame, n: pd.Series, edges: list[int]) -> pd.DataFrame:
    """Averages values over words in bins of n (occurrences).

    values: a row per word, (W, columns). n: (W,), of the same words. edges: the lowest n of each
    bin, ascending; the last bin is open. Returns a row per bin that has words, indexed by the range
    of n in it ("5 to 7"), with `count`, how many words, before the columns of `values`.
    """
    n = n[values.index]
    groups = n.groupby(np.digitize(n, edges))
    means = values.groupby(np.digitize(n, edges)).mean()
    means.insert(0, "count", groups.size())
    labels = []
    for low, high in groups.agg(["min", "max"]).itertuples(index=False):
        labels.append(f"{low} to {high}" if low < high else f"{low}")
    return means.set_axis(labels, axis=0).rename_axis("n")
