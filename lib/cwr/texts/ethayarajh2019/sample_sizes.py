"""Estimates measures on samples of several sizes, to see whether more text would decide.

An interval over n random words narrows like the inverse root of n. An interval over the words of a
text does so only while the words stay the same: more text also brings rarer words.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr.corpora import Corpus
from cwr.errors import UserError, listed
from cwr.estimates import contextuality, samples
from cwr.estimates.curves import Curve, over_items
from cwr.estimates.samples import Samples
from cwr.measures import stats

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

BySize = dict[int, Samples]  # by the number of sentences, the fewest first


def by_size(
    encoder: "Encoder", corpus: Corpus, sizes: Iterable[int], seed: int = 0, **options
) -> BySize:
    """Extracts a model's vectors from samples of a corpus, {number of sentences: samples}.

    Each sentence gives one random word. sizes: numbers of sentences, at most those of the corpus;
    if this leaves one size, half of the corpus is the second. options: of `samples.extract`. Raises
    UserError for a corpus of fewer than four sentences.
    """
    longest = len(corpus.sentences)
    if longest < 4:
        raise UserError(
            f"{corpus.name} has {longest} sentences, too few to ask whether more would decide: give "
            "more text"
        )
    numbers = {min(size, longest) for size in sizes}
    numbers |= {longest // 2} if len(numbers) == 1 else set()
    return {
        size: samples.extract(encoder, corpus.sample(size, seed), tokens=size, seed=seed, **options)
        for size in sorted(numbers)
    }


def over_input(curve: Curve) -> Curve:
    """Subtracts a measure's value in the input from its value in each layer above, (L - 1,)."""
    return Curve(
        curve.values[1:] - curve.values[:1], curve.replicates[:, 1:] - curve.replicates[:, :1]
    )


def steps(curve: Curve) -> Curve:
    """Subtracts from each layer of a measure above the input the layer below it, (L - 1,)."""
    return Curve(np.diff(curve.values), np.diff(curve.replicates, axis=1))


def nearness(curve: Curve) -> np.ndarray:
    """Divides each layer's distance from 0 by half its 95 % interval; below 1 is undecided.

    A layer without spread, such as the static input of a biLSTM, is infinitely far from 0.
    """
    low, high = stats.interval(curve.replicates)
    half = (high - low) / 2
    return np.divide(np.abs(curve.values), half, out=np.full(len(half), np.inf), where=half > 0)


def needed(number: int, nearness: float) -> float:
    """Returns how many items would narrow the interval until 0 is its end, at the same estimate.

    number: the items now; nearness: a value of the function `nearness`. Infinite for 0.
    """
    return number / nearness**2 if nearness else np.inf


def baselines(of_sizes: BySize, draws: int = 1000, seed: int = 0) -> dict[int, Curve]:
    """Subtracts the input's anisotropy baseline from each layer's, {number of sentences: curve}."""
    return {
        size: over_input(contextuality.anisotropy_baseline(sample.random, draws, seed))
        for size, sample in of_sizes.items()
    }


def self_similarities(
    of_sizes: BySize, words: Iterable[str] | None = None, draws: int = 1000, seed: int = 0
) -> dict[int, Curve]:
    """Computes steps of adjusted self-similarity from layer to layer, {number of sentences: curve}.

    words: the words to average over, where a sample has them; None for all that are frequent in it.
    """
    of_steps = {}
    for size, sample in of_sizes.items():
        similarity = contextuality.self_similarity(sample.words, draws, seed)
        if words is not None:
            items = similarity.items
            similarity = over_items(items[items.index.isin(list(words))], draws, seed)
        baseline = contextuality.anisotropy_baseline(sample.random, draws, seed)
        of_steps[size] = steps(similarity - baseline)
    return of_steps


def table(curves: Mapping[int, Curve], layer: int, name: str, family: str) -> pd.DataFrame:
    """Tabulates one layer at every sample size, a row per size, for `figures.by_k`.

    curves: of `baselines`, whose first value is that of layer 1. name: the name of the line.
    """
    rows = []
    for size, curve in curves.items():
        low, high = stats.interval(curve.replicates[:, layer - 1])
        value = curve.values[layer - 1]
        rows.append({"model": name, "family": family, "k": size, "measure": "difference"})
        rows[-1] |= {"value": value, "low": low, "high": high}
    return pd.DataFrame(rows)


def title(by_size: pd.DataFrame, name: str) -> str:
    """Formats a title: which layers of a model differ from its input, in the largest sample first.

    by_size: rows of `table` for several layers, of curves minus the input; `model` names the layer.
    """
    is_apart = (by_size["low"] > 0) | (by_size["high"] < 0)
    apart = {
        size: list(by_size.loc[is_apart & (by_size["k"] == size), "model"])
        for size in (by_size["k"].max(), by_size["k"].min())
    }
    (most, of_most), (fewest, of_fewest) = apart.items()
    differ = "differ" if len(of_most) > 1 else "differs"
    do = "do" if len(of_fewest) > 1 else "does"
    return (
        f"On {most:,} sentences {listed(of_most) if of_most else 'neither layer'} of {name} "
        f"{differ} from the input; on {fewest:,} {listed(of_fewest)} {do}"
    )


def title_of_step(by_size: pd.DataFrame, layer: int, name: str, level: float) -> str:
    """Formats a title: whether the largest sample decides that a model's step reaches a level.

    by_size: rows of `table` for one layer, of `self_similarities`; `model` names the words.
    """
    most = by_size["k"].max()
    largest = by_size[by_size["k"] == most]
    is_above, is_below = largest["low"] > level, largest["high"] < level
    into = f"into layer {layer} of {name}"
    if not (is_above | is_below).any():
        return f"{most:,} sentences do not decide whether self-similarity rises by {level} {into}"
    words = np.select([is_above, is_below], [f"above {level}", f"below {level}"], "undecided")
    found = [f"{word} over {of}" for word, of in zip(words, largest["model"], strict=True)]
    return f"On {most:,} sentences the rise of self-similarity {into} is {listed(found)}"
