"""Would more text decide? The estimates of one model on samples of several sizes.

An interval over n random words narrows like the inverse root of n. One over the words of a text
does so only while the words stay the same: more text also brings rarer words.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr.corpora import Corpus
from cwr.errors import UserError
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
    """What a model keeps of samples of a corpus; a random word of each sentence.

    sizes: numbers of sentences; the corpus ends where it ends, and if that leaves one size, half of
    it stands beside it. options: of `samples.extract`. Raises UserError for a corpus too short for
    two sizes.
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
    """A measure in each layer above the input minus its value in the input, (L - 1,)."""
    return Curve(
        curve.values[1:] - curve.values[:1], curve.replicates[:, 1:] - curve.replicates[:, :1]
    )


def steps(curve: Curve) -> Curve:
    """A measure in each layer above the input minus its value in the layer below, (L - 1,)."""
    return Curve(np.diff(curve.values), np.diff(curve.replicates, axis=1))


def nearness(curve: Curve) -> np.ndarray:
    """How near to 0 a curve is in each layer, in halves of its 95 % interval; below 1 undecided.

    A layer without any spread, such as the static input of a biLSTM, is infinitely far.
    """
    low, high = stats.interval(curve.replicates)
    half = (high - low) / 2
    return np.divide(np.abs(curve.values), half, out=np.full(len(half), np.inf), where=half > 0)


def needed(number: int, nearness: float) -> float:
    """How many items would narrow the interval to where 0 is at its end, if the estimate stayed.

    number: the items now; nearness: as the function of that name gives it. Infinite for 0.
    """
    return number / nearness**2 if nearness else np.inf


def baselines(of_sizes: BySize, draws: int = 1000, seed: int = 0) -> dict[int, Curve]:
    """The anisotropy baseline of each layer over that of the input, by the number of sentences."""
    return {
        size: over_input(contextuality.anisotropy_baseline(sample.random, draws, seed))
        for size, sample in of_sizes.items()
    }


def self_similarities(
    of_sizes: BySize, words: Iterable[str] | None = None, draws: int = 1000, seed: int = 0
) -> dict[int, Curve]:
    """Steps of the adjusted self-similarity from layer to layer, by the number of sentences.

    words: those to average over, where a sample has them; None for all that are frequent in it.
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
    """One layer at every size as `figures.by_k` draws it: a row a size.

    curves: as `baselines` gives them, whose first value is that of layer 1. name: of the line.
    """
    rows = []
    for size, curve in curves.items():
        low, high = stats.interval(curve.replicates[:, layer - 1])
        value = curve.values[layer - 1]
        rows.append({"model": name, "family": family, "k": size, "measure": "difference"})
        rows[-1] |= {"value": value, "low": low, "high": high}
    return pd.DataFrame(rows)
