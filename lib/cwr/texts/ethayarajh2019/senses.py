"""Tests on vectors what Ethayarajh (2019), section 4.2, says of senses and contexts.

Do a word's occurrences fall into clusters? Do stopwords vary because they are stopwords or because
they are frequent? Does self-similarity depend on the number of contexts or on that of senses?

Axes: D draws, L layers (0 to n_layers), W words, n occurrences, dim.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from cwr.corpora import Corpus
from cwr.errors import UserError
from cwr.estimates.contextuality import ROUNDED, STOPWORDS
from cwr.estimates.curves import Curve, over_items
from cwr.extraction import Extraction
from cwr.measures import clusters, stats
from cwr.measures.partial_correlation import partial_correlation

LEAST_PEERS = 5  # words of a bin of frequency that are no stopwords
USAGE = ("occurrences", "contexts", "senses")  # of a word


# ---- a finite number of senses?


def occurrences(words: Extraction, n: int, most: int, seed: int = 0) -> dict[str, np.ndarray]:
    """Draws n occurrences of each of the most frequent words: {word: (L, n, dim)}.

    words: an extraction with `vectors` and `sums` by word. n: the occurrences drawn at random;
    words with fewer are left out. most: the largest number of words. A word that does not vary in a
    layer where others do is left out.
    Raises UserError if no word is left.
    """
    kept = words.table["group"].value_counts()
    counts = pd.Series(words.sums(0).count, words.groups()).sort_values(ascending=False)
    layers = [words.vectors(layer) for layer in range(words.n_layers + 1)]
    generator = np.random.default_rng(seed)
    stacks = {}
    for word in counts.index[(kept >= n)[counts.index]][:most]:
        rows = np.flatnonzero(words.table["group"] == word)
        rows = np.sort(generator.choice(rows, n, replace=False))
        stacks[word] = np.stack([layer[rows] for layer in layers])  # (L, n, dim)
    varying = {word: list(map(clusters.vary, stack)) for word, stack in stacks.items()}
    varying = pd.DataFrame(varying).T  # (W, L)
    if varying.empty or not varying.iloc[:, 1:].all(axis=1).any():
        raise UserError(f"no word has {n} occurrences that vary: ask for fewer, or take more text")
    keep = varying.loc[:, varying.any()].all(axis=1)
    return {word: stacks[word] for word in keep.index[keep]}


def pseudo_words(vectors: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Makes words with two planted senses: half the occurrences of one word and half of the next.

    vectors: {word: (L, n, dim)} of at least two words. Returns the same, under "one/other".
    """
    names = list(vectors)
    mixed = {}
    for one, other in zip(names[::2], names[1::2], strict=False):
        half = vectors[one].shape[1] // 2
        halves = [vectors[one][:, :half], vectors[other][:, half:]]
        mixed[f"{one}/{other}"] = np.concatenate(halves, axis=1)
    return mixed


def explained_by_centroids(
    vectors: Mapping[str, np.ndarray], k: int, draws: int = 1000, seed: int = 0
) -> dict[str, Curve]:
    """Averages over words the share of variance that k centroids explain, {measure: curve}.

    Also returns the share for Gaussian vectors of the same covariance, and the difference of both.
    vectors: {word: (L, n, dim)}. NaN in layer 0 where a word is one static vector.
    Raises UserError for fewer than two occurrences a centroid, and ValueError as
    `clusters.explained_by_centroids` for a layer above.
    """
    n = min(stack.shape[1] for stack in vectors.values())
    if n < 2 * k:
        raise UserError(f"{k} centroids need {2 * k} occurrences of a word, not {n}: ask for more")
    shares = {word: _shares(stack, k, seed) for word, stack in vectors.items()}
    own, twin = (
        pd.DataFrame({word: pair[side] for word, pair in shares.items()}).T for side in (0, 1)
    )
    return {
        "explained_by_centroids": over_items(own, draws, seed),
        "explained_by_centroids_gaussian": over_items(twin, draws, seed),
        "explained_beyond_gaussian": over_items(own - twin, draws, seed),
    }


def _shares(stack: np.ndarray, k: int, seed: int) -> tuple[list[float], list[float]]:
    """What k centroids explain of one word's occurrences (L, n, dim), and of its Gaussian twins."""
    own, twin = [], []
    for layer, vectors in enumerate(stack):
        if layer == 0 and len(np.unique(vectors, axis=0)) <= k:  # one vector a word
            own.append(np.nan)
            twin.append(np.nan)
            continue
        few = clusters.in_few_coordinates(vectors)
        own.append(clusters.explained_by_centroids(few, k, seed))
        twin.append(clusters.explained_by_centroids(clusters.gaussian_twin(few, seed), k, seed))
    return own, twin


# ---- frequency, contexts and senses


def usage(corpus: Corpus, targets: pd.DataFrame) -> pd.DataFrame:
    """Counts each word's occurrences and the different sentences that hold it, (W, 2), by word.

    targets: a row per occurrence, with `sentence` and `group`, the word. Columns: occurrences,
    contexts. Two sentences of the same text are one context.
    """
    texts = targets["sentence"].map(lambda number: corpus.sentences[number].text)
    by_word = texts.groupby(targets["group"])
    return pd.DataFrame({"occurrences": by_word.size(), "contexts": by_word.nunique()})


def stopword_percentiles_within_frequency(
    similarity: pd.Series, occurrences: pd.Series
) -> pd.Series:
    """Ranks each stopword's self-similarity among other words as frequent as it, in [0, 1], sorted.

    The percentile is the share of other words in the same frequency bin (one per doubling) that are
    less self-similar; at 0.5 a stopword is like any word of its frequency. Stopwords in bins with
    fewer than LEAST_PEERS other words are left out.
    similarity, occurrences: (W,), indexed by word. Raises UserError if no stopword is left.
    """
    bins = np.floor(np.log2(occurrences.loc[similarity.index]))
    is_stopword = similarity.index.isin(STOPWORDS)
    percentiles = {}
    for word, value in similarity[is_stopword].items():
        peers = similarity[~is_stopword & (bins == bins[word])]
        if len(peers) >= LEAST_PEERS:
            percentiles[word] = (peers < value).mean() + (peers == value).mean() / 2
    if not percentiles:
        raise UserError(
            f"no stopword has {LEAST_PEERS} other words of its frequency: take more text"
        )
    return pd.Series(percentiles).sort_values()


def stopword_percentile_within_frequency(
    ranks: pd.Series, draws: int = 1000, seed: int = 0
) -> tuple[float, np.ndarray]:
    """Returns the median of `stopword_percentiles_within_frequency`, and its replicates (D,).

    Draws resample the stopwords; the other words are fixed.
    """
    replicates = stats.bootstrap(np.median, ranks.to_numpy(), draws, seed)
    return float(ranks.median()), replicates


def correlations(
    items: pd.DataFrame, usage: pd.DataFrame, draws: int = 1000, seed: int = 0
) -> dict[str, dict[str, Curve]]:
    """Computes rank correlations of self-similarity with the usage of words; draws resample words.

    items: (W, L) self-similarity. usage: (W, 3) occurrences, contexts and senses, indexed as items.
    Returns {measure: {usage: curve}}: plain correlations with each of the three, and partial ones
    with contexts or senses, the other held constant. NaN in a layer where all words are alike.
    Raises UserError if all words have the same usage.
    """
    alike = [name for name in USAGE if usage[name].nunique() < 2]
    if alike:
        raise UserError(
            f"the {len(usage)} words with a known number of senses all have the same number of "
            f"{' and of '.join(alike)}: take more text, or another inventory of senses"
        )
    items = items.round(ROUNDED)  # what rounding errors order has no order
    every_word = np.arange(len(items))[None]
    picks = np.concatenate([every_word, stats.resample(items.index, draws, seed)])  # (1 + D, W)
    ranks = {name: rankdata(usage[name].to_numpy()[picks], axis=-1) for name in USAGE}
    similarity = [rankdata(items[layer].to_numpy()[picks], axis=-1) for layer in items]

    def curve(which: str, held: str | None = None) -> Curve:
        variables = (ranks[which], ranks.get(held))
        by_layer = np.stack([partial_correlation(each, *variables) for each in similarity], axis=1)
        return Curve(by_layer[0], by_layer[1:], items)

    return {
        "self_similarity_correlation": {which: curve(which) for which in USAGE},
        "self_similarity_partial_correlation": {
            "contexts": curve("contexts", "senses"),
            "senses": curve("senses", "contexts"),
        },
    }


def first_layer(curve: Curve) -> int:
    """Returns the first layer with a value: 1 where a word is one vector at the input, else 0."""
    return int(np.isnan(curve.values[0]))
