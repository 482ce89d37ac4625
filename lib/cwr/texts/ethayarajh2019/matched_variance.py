"""Figure 4 of Ethayarajh (2019) with the number of a word's occurrences taken into account.

All three estimators of explained variance depend on the number n of vectors. The paper subtracts
the value of some thousand random words from that of a word with few occurrences; here beside each
word stands a set of n random words.

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
    """The number of vectors of each word that has two at least, (W,), its index the words."""
    counts = words.table["group"].value_counts().sort_index()
    return counts[counts >= 2]


def random_sets(random: Extraction, n: pd.Series, estimator: str, seed: int = 0) -> pd.DataFrame:
    """The explained variance of a set of n random words for each word, (W, L); layer 0 is NaN.

    random: keeps `vectors` of the random words. n: (W,), its index the words; where it exceeds the
    number of random words the set is all of them. A word has the same set in every layer and by
    every estimator.
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
    """Mean over words of their explained variance minus that of as many random words.

    mean: `contextuality.explained_variance` of the words. beside: `random_sets` by the same
    estimator, of these words at least.
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
    """What the number of occurrences leaves of Figure 4, by the name of the measure.

    words, random, mean: as in `least_explained_variance` and `random_sets`. The released estimator
    has no least value.
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
    """Mean over words of the least value that their n leaves an estimator, by layer.

    words: keeps vectors and sums of the words' occurrences. mean: their explained variance.
    estimator: "pca", whose least value is 1 / (n - 1), or "definition", for which it is
    1 / n + (1 - 1 / n) SelfSim if a word's vectors are of equal length.
    Raises ValueError for another one, which has no such bound.
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
    """Means over words in bins of n.

    values: a row a word, (W, columns). n: (W,), of the same words. edges: the lowest n of each bin,
    ascending; the last bin is open. Returns a row a bin that has words, its index the n in it
    ("5 to 7"), with `count`, how many words, before the columns of `values`.
    """
    n = n[values.index]
    groups = n.groupby(np.digitize(n, edges))
    means = values.groupby(np.digitize(n, edges)).mean()
    means.insert(0, "count", groups.size())
    labels = []
    for low, high in groups.agg(["min", "max"]).itertuples(index=False):
        labels.append(f"{low} to {high}" if low < high else f"{low}")
    return means.set_axis(labels, axis=0).rename_axis("n")
