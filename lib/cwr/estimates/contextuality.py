"""Estimates how contextual a model is, layer by layer: Ethayarajh (2019), Figures 1 to 4.

The measures are those of `cwr.measures.contextuality`, one value per word or sentence; this file
has the measures' means over words or sentences, with replicates that resample words or sentences.
An adjusted measure is, as in the figures, a measure minus its value for random words in the same
layer.

Axes: D draws, L layers (0 to n_layers), W words, S sentences.
"""

import numpy as np
import pandas as pd

from cwr.errors import UserError
from cwr.estimates.curves import Curve, over_items
from cwr.extraction import Extraction
from cwr.measures import contextuality as measures
from cwr.measures import stats

# The 26 stopwords on which we check the statement on stopwords in section 4.2.
STOPWORDS = tuple(
    "the of to and a in is that for on with as by at from an be it was are this 's "
    "or not his its".split()
)
ROUNDED = 4  # so many decimals: two machines agree on them


# ---- Figure 1: how similar are random words?


def anisotropy_baseline(random: Extraction, draws: int = 1000, seed: int = 0) -> Curve:
    """Computes the mean cosine over all pairs of random words, by layer.

    random: keeps `vectors` of the random words, which are resampled. Raises UserError for so few
        words that a draw has one word alone.
    """
    weights = stats.weights(random.table[["sentence", "first"]], draws, seed)  # (D, words)
    if np.count_nonzero(weights, axis=1).min() < 2:
        raise UserError(
            f"{len(random.table)} random words are too few to be drawn anew: take more sentences, or "
            "more tokens"
        )
    values, replicates = [], []
    for layer in _layers(random):
        vectors = random.vectors(layer)
        values.append(measures.anisotropy_baseline(vectors))
        replicates.append(measures.anisotropy_baseline(vectors, weights))
    return Curve(np.array(values), np.stack(replicates, axis=1))


def anisotropy_baseline_released(random: Extraction, seed: int = 0) -> Curve:
    """Estimates the baseline as the released code does, from 1,000 pairs drawn with replacement.

    random: keeps `vectors` of the random words. seed: for the pairs. The curve has no replicates.
    """
    values = [
        measures.anisotropy_baseline_released(random.vectors(layer), seed)
        for layer in _layers(random)
    ]
    return Curve(np.array(values))


# ---- Figure 2: how similar are the occurrences of a word?


def self_similarity(words: Extraction, draws: int = 1000, seed: int = 0) -> Curve:
    """Computes the words' mean self-similarity in each layer.

    words: keeps `sums` of the words' occurrences, by word. A word with a vector for only one
        occurrence has no self-similarity and is left out.
    """
    names, counts = np.array(words.groups(), dtype=object), words.sums(0).count
    repeated = counts >= 2
    by_layer = []
    for layer in _layers(words):
        unit_sums = words.sums(layer).unit_sum[repeated]
        by_layer.append(measures.self_similarity_from_sums(unit_sums, counts[repeated]))
    return over_items(_items(by_layer, names[repeated]), draws, seed)


def adjusted_self_similarity(
    words: Extraction, random: Extraction, draws: int = 1000, seed: int = 0
) -> dict[str, Curve]:
    """Computes Figure 2: {measure: curve}, self-similarity as it is and minus the baseline.

    words: as in `self_similarity`; random: as in `anisotropy_baseline`.
    """
    similarity = self_similarity(words, draws, seed)
    baseline = anisotropy_baseline(random, draws, seed)
    return {"self_similarity": similarity, "adjusted_self_similarity": similarity - baseline}


def stopword_percentiles(similarity: pd.Series) -> np.ndarray:
    """Ranks the STOPWORDS among all words by a value: percentiles in (0, 1], ascending.

    similarity: (W,), its index the words. 0.05 says that 5 % of the words lie as low or lower.
    """
    percentiles = stats.percentile_rank(similarity.to_numpy())
    return np.sort(percentiles[similarity.index.isin(STOPWORDS)])


def stopword_percentile(
    similarity: pd.Series, draws: int = 1000, seed: int = 0
) -> tuple[float, np.ndarray]:
    """Computes the median of `stopword_percentiles`, and its replicates (D,).

    The stopwords are resampled; their ranks among all words stay fixed. Raises ValueError if none
    of the STOPWORDS is among the words.
    """
    percentiles = stopword_percentiles(similarity)
    replicates = stats.bootstrap(np.median, percentiles, draws, seed)
    return float(np.median(percentiles)), replicates


def extremes(similarity: pd.Series, n: int = 8) -> tuple[list[str], list[str]]:
    """Returns the n words with the lowest and the n with the highest value, the most extreme first.

    similarity: (W,), its index the words. Values are compared by ROUNDED decimals, and words with
        equal rounded values stand in alphabetical order, so that rounding errors decide nothing.
    """
    rounded = similarity.round(ROUNDED).sort_index()
    least = rounded.sort_values(kind="stable").index[:n]
    most = rounded.sort_values(kind="stable", ascending=False).index[:n]
    return list(least), list(most)


def lowest_means(similarity: pd.Series, n: int = 20) -> pd.Series:
    """Selects the n words with the lowest values, and all STOPWORDS.

    similarity: (W,), its index the words. Ties as in `extremes`.
    """
    least, _ = extremes(similarity, n)
    return similarity[similarity.index.isin([*least, *STOPWORDS])]


# ---- Figure 3: how similar are the words of a sentence?


def intra_sentence_similarity(
    sentences: Extraction, draws: int = 1000, seed: int = 0
) -> tuple[Curve, Curve, pd.Series]:
    """Computes how similar the words of a sentence are, by two measures averaged over sentences.

    sentences: keeps `sums` of all words, by sentence. A sentence of one word, which has no pair, is
        left out.
    Returns the intra-sentence similarity (each word against the sentence's mean), the mean cosine
    of different words of a sentence, and the number of words of each sentence, (S,).
    """
    names, counts = np.array(sentences.groups(), dtype=object), sentences.sums(0).count
    pairs = counts >= 2
    names, counts = names[pairs], counts[pairs]
    similarity, cosine = [], []
    for layer in _layers(sentences):
        sums = sentences.sums(layer)
        unit_sum, total = sums.unit_sum[pairs], sums.sum[pairs]  # (S, dim)
        similarity.append(measures.intra_sentence_similarity_from_sums(unit_sum, total, counts))
        cosine.append(measures.self_similarity_from_sums(unit_sum, counts))
    return (
        over_items(_items(similarity, names), draws, seed),
        over_items(_items(cosine, names), draws, seed),
        pd.Series(counts, index=names),
    )


def intra_sentence_null(
    lengths: pd.Series, baseline: Curve, draws: int = 1000, seed: int = 0
) -> Curve:
    """Computes intra-sentence similarity as if words were only as similar as random words.

    lengths: number of words, (S,), indexed by sentence; baseline: mean cosine of random words.
    """
    by_layer = [
        measures.intra_sentence_null(lengths.to_numpy(), cosine) for cosine in baseline.values
    ]
    return over_items(_items(by_layer, lengths.index), draws, seed)


def adjusted_intra_sentence_similarity(
    sentences: Extraction, random: Extraction, draws: int = 1000, seed: int = 0
) -> dict[str, Curve]:
    """Computes the four curves of our Figure 3, {measure: curve}.

    "intra_sentence_similarity" is Definition 2 as it is. From the other three the anisotropy
    baseline is subtracted: "adjusted_intra_sentence_similarity", Definition 2;
    "intra_sentence_null", the value of Definition 2 for words that are only as similar as random
    words; "intra_sentence_cosine", the mean cosine of different words of a sentence.
    sentences: as in `intra_sentence_similarity`; random: as in `anisotropy_baseline`.
    """
    baseline = anisotropy_baseline(random, draws, seed)
    similarity, cosine, lengths = intra_sentence_similarity(sentences, draws, seed)
    null = intra_sentence_null(lengths, baseline, draws, seed)
    return {
        "intra_sentence_similarity": similarity,
        "adjusted_intra_sentence_similarity": similarity - baseline,
        "intra_sentence_null": null - baseline,
        "intra_sentence_cosine": cosine - baseline,
    }


# ---- Figure 4: how much of a word's variance does one direction explain?


def explained_variance(
    words: Extraction, estimator: str, draws: int = 1000, seed: int = 0
) -> Curve:
    """Computes the words' mean maximum explainable variance in each layer, by one estimator.

    words: keeps `vectors` of the words' occurrences, by word. As in Figure 4, layer 0 is left out
        (NaN): there a word may be one static vector, whose ratio is 0/0. A word whose occurrences
        do not vary in a later layer (one repeated context) has no value and is left out.
    Raises UserError if no word has a value, and ValueError for an unknown estimator.
    """
    if estimator not in measures.ESTIMATORS:
        raise ValueError(f"estimator {estimator!r} is none of {', '.join(measures.ESTIMATORS)}")
    rows_of = words.table.groupby("group").indices
    rows_of = {word: rows for word, rows in rows_of.items() if len(rows) >= 2}
    items = pd.DataFrame(index=list(rows_of), columns=_layers(words), dtype=float)
    for layer in _layers(words)[1:]:
        vectors = words.vectors(layer)
        items[layer] = [
            explained_if_it_varies(vectors[rows], estimator) for rows in rows_of.values()
        ]
    items = items.dropna(subset=items.columns[1:])
    if items.empty:
        raise UserError(
            "no word of the text has occurrences that vary, so that none has a variance to explain: "
            "take a text with more different sentences"
        )
    return over_items(items, draws, seed)


def explained_variance_baseline(random: Extraction, estimator: str) -> Curve:
    """Computes the explained variance of random words as if they were one word, by layer.

    random: keeps `vectors` of the random words. The curve has no replicates.
    """
    values = [
        measures.maximum_explainable_variance(random.vectors(layer), estimator)
        for layer in _layers(random)
    ]
    return Curve(np.array(values))


def adjusted_explained_variance(
    words: Extraction, random: Extraction, estimator: str, draws: int = 1000, seed: int = 0
) -> dict[str, Curve]:
    """Computes Figure 4, with the share of words below the baseline: {measure: curve}.

    words: as in `explained_variance`; random: as in `explained_variance_baseline`.
    """
    mean = explained_variance(words, estimator, draws, seed)
    baseline = explained_variance_baseline(random, estimator)
    below = (mean.items < baseline.values).astype(float)
    return {
        "maximum_explainable_variance": mean,
        "adjusted_maximum_explainable_variance": mean - baseline,
        "maximum_explainable_variance_baseline": baseline,
        "share_of_words_below_baseline": over_items(below, draws, seed),
    }


def explained_if_it_varies(vectors: np.ndarray, estimator: str) -> float:
    """Computes the maximum explainable variance of one word; NaN where it is undefined.

    vectors: (n, dim), one row per occurrence. estimator: as in
    `measures.contextuality.maximum_explainable_variance`, whose every ValueError becomes NaN.
    """
    try:
        return measures.maximum_explainable_variance(vectors, estimator)
    except ValueError:
        return float("nan")


def _layers(extraction: Extraction) -> range:
    """Returns all layers of an extraction, 0 to n_layers."""
    return range(extraction.n_layers + 1)


def _items(by_layer: list[np.ndarray], names) -> pd.DataFrame:
    """Returns values by layer, each (items,), as a table: a row per item, a column per layer."""
    return pd.DataFrame(np.stack(by_layer, axis=1), index=names)
