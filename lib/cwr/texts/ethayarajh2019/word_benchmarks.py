"""Scores word vectors, and noise, on the benchmarks of Table 1, with replicates.

Ethayarajh (2019), section 4.3. Draws resample items, or classes: questions of one class share their
words, so classes tell more honestly how scores would vary with other questions. Rows with the same
items share their draws.

    D draws, n items
"""

import functools
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from cwr.corpora.word_benchmarks import (
    ANALOGY,
    CATEGORIES,
    RELATIONS,
    SIMILARITY,
    Benchmark,
)
from cwr.errors import UserError
from cwr.estimates.benchmarks import replicates
from cwr.measures import benchmarks, stats
from cwr.measures.benchmarks import Score

OVER = ("items", "classes")
MEASURES = {
    SIMILARITY: benchmarks.word_similarity,
    ANALOGY: benchmarks.analogy,
    RELATIONS: benchmarks.relational_similarity,
    CATEGORIES: benchmarks.categorisation,
}
LABELS = {  # the columns that name an item
    SIMILARITY: ["first", "second"],
    ANALOGY: ["first", "second", "third", "answer"],
    CATEGORIES: ["word"],
}

Vectors = Mapping[str, np.ndarray]  # {word: (dim,)}


def score(
    vectors: Vectors, benchmark: Benchmark, missing: str = "skip", seed: int = 0, **options
) -> Score:
    """Scores word vectors on a benchmark, by the measure of its task.

    missing: "skip" or "mean", as in `measures.benchmarks`. seed: of k-means, in categorisation.
    options: `ratings` and `least`, of relational similarity.
    Raises UserError for vectors that cannot be scored: none of the words, or no direction.
    """
    if benchmark.task == CATEGORIES:
        options["seed"] = seed
    if benchmark.task == RELATIONS:
        options["paradigms"] = benchmark.paradigms
    try:
        return MEASURES[benchmark.task](vectors, benchmark.items, missing=missing, **options)
    except ValueError as error:
        raise UserError(
            f"the vectors cannot be scored on {benchmark.name}: {error}; take more text, other "
            "vectors, or leave out the benchmark"
        ) from error


def replicates_of(
    result: Score, benchmark: Benchmark, draws: int = 1000, seed: int = 0, over: str = "items"
) -> np.ndarray:
    """Computes the score of each resampled set of items, (D,), without scoring the vectors again.

    result: of `score` with the same benchmark.
    over: "items" resamples pairs, questions and words, and the pairs of relational similarity
        within each relation; "classes" resamples the classes or relations with all their items.
    The clusters of categorisation are not formed again, nor the commonest class of each: repeated
    words would form clusters of their own, and few words make any cluster purer. So that interval
    is of the share of words in a cluster of their class, and rather too narrow.
    Raises ValueError for another `over`, and for the classes of a benchmark without classes.
    """
    if over not in OVER:
        raise ValueError(f"over {over!r} is none of {', '.join(OVER)}")
    items, task = result.items, benchmark.task
    if over == "classes" and "class" not in items:
        raise ValueError(f"{benchmark.name} has no classes to resample: resample its items")
    if task == SIMILARITY:
        labels = (items["first"] + " " + items["second"]).to_numpy()
        return replicates(items, stats.resample(labels, draws, seed), "spearman")
    if task == RELATIONS:
        return _of_relations(items, draws, seed, over)
    if over == "items":
        labels = items[LABELS[task]].agg(" ".join, axis=1)
        weights = stats.shared_weights(labels, draws, seed)
    else:
        classes, names = pd.factorize(items["class"])
        weights = stats.shared_weights(names, draws, seed)[:, classes]  # (D, n)
    return weights @ items["is_right"].to_numpy(float) / weights.sum(axis=1)


def _of_relations(items: pd.DataFrame, draws: int, seed: int, over: str) -> np.ndarray:
    """The mean correlation over relations, (D,): of resampled relations, or of resampled pairs."""
    if over == "classes":
        correlations = benchmarks.by_relation(items)
        weights = stats.shared_weights(correlations.index, draws, seed)
        return weights @ correlations.to_numpy() / len(correlations)
    total = np.zeros(draws)
    relations = items.groupby("class", sort=False)
    for _, pairs in relations:
        picks = _picks(tuple(pairs["first"] + " " + pairs["second"]), draws, seed)
        correlations = replicates(pairs, picks, "spearman")
        total += np.where(np.isnan(correlations), 0, correlations)  # as `by_relation`
    return total / relations.ngroups


@functools.lru_cache(maxsize=200)  # more than there are relations; some hundred kB each
def _picks(labels: tuple[str, ...], draws: int, seed: int) -> np.ndarray:
    return stats.resample(np.array(labels), draws, seed)


def intervals(
    result: Score, benchmark: Benchmark, draws: int = 1000, seed: int = 0
) -> dict[str, tuple[float, float]]:
    """Computes 95 % intervals over items, and over any classes: {over: (low, high)}."""
    bounds = {}
    for over in OVER if "class" in result.items else OVER[:1]:
        bounds[over] = stats.interval(replicates_of(result, benchmark, draws, seed, over))
    return bounds


def null(
    benchmark: Benchmark,
    words: Sequence[str],
    missing: str = "skip",
    draws: int = 100,
    seed: int = 0,
) -> np.ndarray:
    """Scores random vectors of the same words, (D,), to show what coverage alone gives.

    words: the words that have a vector. missing: as in `score`; with "mean", noise can score above
    or below 0, since a pair of two missing words has the cosine 1. The vectors are Gaussian; their
    number of dimensions matters little. Raises UserError as `score`.
    """
    generator = np.random.default_rng(seed)
    scores = []
    for _ in range(draws):
        vectors = dict(zip(words, generator.normal(size=(len(words), 50)), strict=True))
        scores.append(score(vectors, benchmark, missing, seed).score)
    return np.array(scores)
