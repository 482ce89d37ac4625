"""Curves: one measure in every layer of a model, with the bootstrap replicates of its mean over items.

Here extraction meets the measures: a value per item (word, sentence, sampled token) and layer comes first, the mean
over items second, and what is resampled is the item. Curves over the same items share their draws, so they can be
subtracted.
"""
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cwr.extraction import Extraction
from cwr.measures import contextuality, stats


@dataclass(frozen=True)
class Curve:
    """values: (layers,); replicates: (draws, layers), or None where there is nothing to resample.

    items: what was resampled, with its value in every layer, (items, layers), NaN where it has none.
    """
    values: np.ndarray
    replicates: np.ndarray | None = None
    items: pd.DataFrame | None = None

    def __sub__(self, other: "Curve") -> "Curve":
        """The difference, draw by draw; a curve without replicates is subtracted as a constant."""
        if self.replicates is None:
            return Curve(self.values - other.values)
        theirs = other.values if other.replicates is None else other.replicates
        return Curve(self.values - other.values, self.replicates - theirs)


def anisotropy_baseline(run: Extraction, draws: int = 1000, seed: int = 0) -> Curve:
    """Mean cosine of random words in each layer; `run` keeps the vectors of the random tokens (the items)."""
    weights = stats.weights(run.table[["sentence", "first"]], draws, seed)
    layers = [run.vectors(layer) for layer in range(run.n_layers + 1)]
    values = np.array([contextuality.anisotropy_baseline(v) for v in layers])
    return Curve(values, np.stack([contextuality.anisotropy_baseline(v, weights) for v in layers], axis=1))


def self_similarity(run: Extraction, draws: int = 1000, seed: int = 0) -> Curve:
    """Mean over words of their self-similarity; `run` has the `sums` of the words' occurrences.

    Words with one occurrence (others were out of reach for the model) have no self-similarity and are left out.
    """
    words, enough = np.array(run.groups(), dtype=object), run.sums(0).count >= 2
    values = [contextuality.self_similarity_from_sums(sums.unit_sum[enough], sums.count[enough])
              for sums in map(run.sums, range(run.n_layers + 1))]
    return over_items(pd.DataFrame(np.stack(values, axis=1), index=words[enough]), draws, seed)


def intra_sentence(run: Extraction, draws: int = 1000, seed: int = 0) -> tuple[Curve, Curve, pd.Series]:
    """Mean over sentences of intra-sentence similarity, of the mean cosine of distinct words, and the word counts.

    run: `sums` of the words, grouped by sentence. Sentences of one word, which have no pair, are left out.
    """
    names, counts = np.array(run.groups(), dtype=object), run.sums(0).count
    pairs = counts >= 2
    similarity, cosine = [], []
    for sums in map(run.sums, range(run.n_layers + 1)):
        parts = sums.unit_sum[pairs], sums.sum[pairs], counts[pairs]
        similarity.append(contextuality.intra_sentence_similarity_from_sums(*parts))
        cosine.append(contextuality.self_similarity_from_sums(parts[0], parts[2]))
    names = names[pairs]
    curves = [over_items(pd.DataFrame(np.stack(v, axis=1), index=names), draws, seed) for v in (similarity, cosine)]
    return curves[0], curves[1], pd.Series(counts[pairs], index=names)


def intra_sentence_null(words: pd.Series, baseline: Curve, draws: int = 1000, seed: int = 0) -> Curve:
    """Intra-sentence similarity of sentences of these lengths if their words were as similar as random ones."""
    values = [contextuality.intra_sentence_null(words.to_numpy(), b) for b in baseline.values]
    return over_items(pd.DataFrame(np.stack(values, axis=1), index=words.index), draws, seed)


def explained_variance(run: Extraction, estimator: str, draws: int = 1000, seed: int = 0) -> Curve:
    """Mean over words of their maximum explainable variance, by one estimator; `run` keeps the words' vectors.

    As in Figure 4, layer 0 is not looked at (NaN): there a word may be one static vector, whose ratio is 0/0. Words
    whose occurrences do not vary in a later layer either (one repeated sentence) are left out.
    """
    groups = {word: rows for word, rows in run.table.groupby("group").indices.items() if len(rows) >= 2}
    values = np.array([[_or_nan(contextuality.maximum_explainable_variance, vectors[rows], estimator)
                        for rows in groups.values()] for vectors in map(run.vectors, range(1, run.n_layers + 1))])
    items = pd.DataFrame(values.T, index=list(groups), columns=range(1, run.n_layers + 1)).dropna()
    return over_items(items.reindex(columns=range(run.n_layers + 1)), draws, seed)


def explained_variance_baseline(run: Extraction, estimator: str) -> Curve:
    """Explained variance of random words taken together, in each layer: one matrix, so no replicates."""
    return Curve(np.array([contextuality.maximum_explainable_variance(run.vectors(layer), estimator)
                           for layer in range(run.n_layers + 1)]))


def figure_2(words: Extraction, random: Extraction, draws: int = 1000, seed: int = 0) -> dict[str, Curve]:
    """Self-similarity as it is and minus the baseline, as Figure 2 of Ethayarajh (2019) shows it.

    words: `sums` of the occurrences of words, by word; random: `vectors` of random tokens.
    """
    own = self_similarity(words, draws, seed)
    return {"self_similarity": own, "adjusted_self_similarity": own - anisotropy_baseline(random, draws, seed)}


def figure_3(by_sentence: Extraction, random: Extraction, draws: int = 1000, seed: int = 0) -> dict[str, Curve]:
    """Intra-sentence similarity, minus the baseline as in Figure 3, beside its null and the mean cosine of pairs.

    by_sentence: `sums` of all words, by sentence; random: `vectors` of random tokens. Null and cosine are adjusted.
    """
    b = anisotropy_baseline(random, draws, seed)
    similarity, cosine, lengths = intra_sentence(by_sentence, draws, seed)
    return {"intra_sentence_similarity": similarity, "adjusted_intra_sentence_similarity": similarity - b,
            "intra_sentence_null": intra_sentence_null(lengths, b, draws, seed) - b,
            "intra_sentence_cosine": cosine - b}


def figure_4(words: Extraction, random: Extraction, estimator: str, draws: int = 1000,
             seed: int = 0) -> dict[str, Curve]:
    """Explained variance by one estimator: of words, of random words, the difference as in Figure 4.

    words: `vectors` of the occurrences of words, by word; random: `vectors` of random tokens.
    """
    mean, baseline = explained_variance(words, estimator, draws, seed), explained_variance_baseline(random, estimator)
    below = over_items((mean.items < baseline.values).astype(float), draws, seed)
    return {"maximum_explainable_variance": mean, "adjusted_maximum_explainable_variance": mean - baseline,
            "maximum_explainable_variance_baseline": baseline, "share_of_words_below_baseline": below}


def over_items(items: pd.DataFrame, draws: int = 1000, seed: int = 0) -> Curve:
    """The mean over items (rows) in each layer (columns); the index names the items. Raises ValueError for none."""
    weights = stats.weights(items.index, draws, seed)
    values = items.to_numpy(dtype=float)
    return Curve(values.mean(axis=0), weights @ values / len(values), items)


def _or_nan(measure: Callable[..., float], *arguments) -> float:
    try:
        return measure(*arguments)
    except ValueError:
        return float("nan")
