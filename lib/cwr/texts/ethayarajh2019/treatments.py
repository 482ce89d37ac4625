"""Recomputes Figures 1 and 2 of Ethayarajh (2019) without possible artefacts of the measure.

A treatment removes something from all vectors of a layer: their mean, the coordinates behind the
mean cosine, the sizes of coordinates. It is fitted on the random words of that layer and applied to
them and to the words alike, so every curve has the same items and draws as without it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd

from cwr.errors import UserError
from cwr.estimates import contextuality
from cwr.estimates.curves import Curve, over_items
from cwr.estimates.samples import Samples
from cwr.extraction import Extraction
from cwr.extraction.answer import Part
from cwr.measures import anisotropy
from cwr.measures import contextuality as measures
from cwr.measures.anisotropy import Treatment

DROPPED = (1, 2, 3, 5)  # coordinates, the largest contributions first
SAMPLED = "1,000 sampled pairs"  # what the released code makes of a mean over all pairs
Fit = Callable[[Samples, int], Treatment]  # on the random words of one layer


@dataclass(frozen=True, eq=False)
class Treated(Part):
    """All rows of an extraction after a treatment, with the same methods as an `Extraction`.

    treatments: one per layer.
    """

    treatments: list[Treatment]

    @classmethod
    def of(cls, extraction: Extraction, treatments: list[Treatment]) -> "Treated":
        """Wraps an extraction with one treatment per layer."""
        rows = np.arange(len(extraction.table))
        return cls(extraction, extraction.table, rows, treatments)

    def vectors(self, layer: int) -> np.ndarray:
        """Returns a layer's treated vectors, (len(table), dim) float64; dim may have changed."""
        return self.treatments[layer](super().vectors(layer).astype(np.float64))


def treated(sample: Samples, fit: Fit) -> Samples:
    """Applies a treatment to a sample's random words and words; its sentences stay as they are."""
    treatments = [fit(sample, layer) for layer in range(sample.random.n_layers + 1)]
    random = Treated.of(sample.random, treatments)
    words = Treated.of(sample.words, treatments)
    return replace(sample, random=random, words=words)


# ---- what is taken away


def fits(seed: int = 0) -> dict[str, Fit]:
    """Returns all treatments by their names in tables and figures. seed: for the clusters."""
    dropping = {}
    for k in DROPPED:
        dropping[f"without {k} coordinate{'s' if k > 1 else ''}"] = partial(_dropping, k=k)
    return {
        "mean of other words removed": _less_mean_of_others,
        "mean of the sample removed": _less_mean_of_sample,
        "z-scores": _standardising,
        **dropping,
        "ranks (Spearman)": _ranking,
        "cluster means removed": partial(_less_cluster_means, seed=seed),
    }


def mean_of_others(sample: Samples, layer: int) -> np.ndarray:
    """Averages the vectors of all words of the text except the random ones, (dim,).

    Raises UserError if all words are random words.
    """
    sums = sample.sentences.sums(layer)
    random = _random(sample, layer)
    others = sums.count.sum() - len(random)
    if others < 1:
        raise UserError(
            f"all {len(random)} words of the text are random words, and none is left for their mean: "
            "take more sentences, or fewer tokens"
        )
    return (sums.sum.sum(axis=0) - random.sum(axis=0)) / others


def _less_mean_of_others(sample: Samples, layer: int) -> Treatment:
    return anisotropy.centred_at(mean_of_others(sample, layer))


def _less_mean_of_sample(sample: Samples, layer: int) -> Treatment:
    return anisotropy.centred_at(_random(sample, layer).mean(axis=0))


def _standardising(sample: Samples, layer: int) -> Treatment:
    """Z-scores by the mean of the other words and the random words' standard deviation."""
    deviation = _random(sample, layer).std(axis=0)
    return anisotropy.standardised(mean_of_others(sample, layer), deviation)


def _dropping(sample: Samples, layer: int, k: int) -> Treatment:
    """Without the k coordinates with the largest contributions to the baseline."""
    return anisotropy.without_largest(anisotropy.cosine_contributions(_random(sample, layer)), k)


def _ranking(sample: Samples, layer: int) -> Treatment:
    return anisotropy.ranked


def _less_cluster_means(sample: Samples, layer: int, seed: int) -> Treatment:
    try:
        means = anisotropy.clusters(_random(sample, layer), seed)
    except ValueError as error:
        raise UserError(f"{error}: take more sentences, or more tokens") from None
    return anisotropy.centred_at_nearest(means)


def _random(sample: Samples, layer: int) -> np.ndarray:
    """The random words' vectors in one layer, (n, dim) float64."""
    return sample.random.vectors(layer).astype(np.float64)


# ---- what is left of the figures


def similarities(sample: Samples, draws: int = 1000, seed: int = 0) -> dict[str, Curve]:
    """Computes Figure 1's baseline and both self-similarities of Figure 2, {measure: curve}."""
    baseline = contextuality.anisotropy_baseline(sample.random, draws, seed)
    return _adjusted(contextuality.self_similarity(sample.words, draws, seed), baseline)


def sampled_similarities(sample: Samples, draws: int = 1000, seed: int = 0) -> dict[str, Curve]:
    """Computes `similarities` from at most 1,000 sampled pairs, as the released code does.

    Its baseline has no replicates: the released code draws pairs anew, not words.
    """
    baseline = contextuality.anisotropy_baseline_released(sample.random, seed)
    rows_of = sample.words.table.groupby("group").indices
    rows_of = {word: rows for word, rows in rows_of.items() if len(rows) >= 2}
    items = pd.DataFrame(index=list(rows_of), columns=range(len(baseline.values)), dtype=float)
    for layer in items:
        vectors = sample.words.vectors(layer)
        items[layer] = [
            measures.self_similarity_released(vectors[rows], seed) for rows in rows_of.values()
        ]
    return _adjusted(over_items(items, draws, seed), baseline)


def _adjusted(similarity: Curve, baseline: Curve) -> dict[str, Curve]:
    return {
        "anisotropy_baseline": baseline,
        "self_similarity": similarity,
        "adjusted_self_similarity": similarity - baseline,
    }


def sampling_error(vectors: np.ndarray, times: int = 20) -> dict[str, float]:
    """Measures how far self-similarity from 1,000 sampled pairs lies from its exact value.

    vectors: (n, dim), the occurrences of one word. times: the number of estimates, each with its
    own seed. Returns `exact`, `bias` (the mean difference of the estimates from it), and `spread`
    (their standard deviation).
    """
    exact = measures.self_similarity(vectors)
    drawn = [measures.self_similarity_released(vectors, seed) for seed in range(times)]
    bias = float(np.mean(drawn)) - exact
    return {"exact": exact, "bias": bias, "spread": float(np.std(drawn, ddof=1))}
