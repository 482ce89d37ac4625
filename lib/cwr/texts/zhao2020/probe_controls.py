"""Divides contexts for the controls of probes (`measures.code_length`), and averages their values.

n contexts, W words, L layers
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from cwr.measures import stats

TRAIN, DEV, TEST = "train", "dev", "test"
FEWEST = 4  # contexts of a word that is divided
DEV_SHARE = 0.2  # of what is learned from
SHARES = (0.016, 0.032, 0.0625, 0.125, 0.25, 0.5, 1.0)  # of the contexts, where a block ends


def blocks(words: Sequence[str], shares: Sequence[float] = SHARES, seed: int = 0) -> np.ndarray:
    """Assigns each context to a block of an online code, (n,) int from 0; a word is in one block.

    Voita and Titov (2020) double the known contexts from block to block. Words are shuffled once
    and laid end to end; a word belongs to the block in which its first context lies, so that the
    first block is never empty.
    shares: increasing, the last one 1. Raises ValueError for others, and for no contexts.
    """
    if not len(words):
        raise ValueError("a code needs contexts, got none")
    if shares[-1] != 1 or not (np.diff([0, *shares]) > 0).all():
        raise ValueError(f"blocks end at increasing shares up to 1, got {tuple(shares)}")
    names, word, sizes = np.unique(words, return_inverse=True, return_counts=True)
    order = np.random.default_rng(seed).permutation(len(names))
    before = np.cumsum(sizes[order]) - sizes[order]  # contexts before each shuffled word
    block_of_word = np.empty(len(names), dtype=np.int64)
    block_of_word[order] = np.searchsorted(shares, before / len(words), side="right")
    return block_of_word[word]


def dev_words(words: Sequence[str], seed: int = 0) -> np.ndarray:
    """Tells which contexts are for development when a code's length is measured online, (n,) bool.

    Their share is DEV_SHARE. All contexts of a word go together; words are drawn independently of `blocks`.
    """
    return blocks(words, (1 - DEV_SHARE, 1), seed + 1) == 1


def within_words(words: Sequence[str], seed: int = 0) -> np.ndarray:
    """Splits contexts so that test words are known: half of each word's are tested, (n,) text.

    Selectivity needs this split: where words are divided, no probe can know the control label of a
    test word. Of the other half a share DEV_SHARE is for development. Words with fewer contexts
    than FEWEST get "".
    """
    generator = np.random.default_rng(seed)
    result = np.full(len(words), "", dtype="<U5")
    for contexts in pd.Series(range(len(words))).groupby(np.asarray(words)).indices.values():
        rows = generator.permutation(contexts)
        if len(rows) >= FEWEST:
            half = len(rows) // 2
            result[rows[:half]] = TEST
            is_dev = generator.random(len(rows) - half) < DEV_SHARE
            result[rows[half:]] = np.where(is_dev, DEV, TRAIN)
    return result


def control_labels(words: Sequence[str], labels: Sequence[str], seed: int = 0) -> np.ndarray:
    """Draws a label for each word, as often as contexts have it, the same in all its contexts.

    Hewitt and Liang (2019), section 2.1. words, labels: (n,); returns (n,).
    """
    names, word = np.unique(words, return_inverse=True)
    drawn = np.random.default_rng(seed).choice(np.asarray(labels), size=len(names))
    return drawn[word]


def rows(
    values: np.ndarray,
    words: Sequence[str],
    layers: Sequence[int | None],
    draws: int = 1000,
    seed: int = 0,
    **keys: object,
) -> list[dict]:
    """Averages values over contexts in each layer, as rows for `report.results.write`.

    Draws resample words. values: (L, n), bits, or whether a probe is right. words: (n,). layers:
        the number of each, None for values without layers. keys: of all rows.
    """
    names, word, sizes = np.unique(words, return_inverse=True, return_counts=True)
    weights = stats.weights(names, draws, seed)  # (draws, W)
    result = []
    for layer, of_layer in zip(layers, values, strict=True):
        sums = np.bincount(word, weights=of_layer)  # (W,)
        named = keys if layer is None else {**keys, "layer": layer}
        drawn = (weights @ sums) / (weights @ sizes)
        result.append({**named, "value": float(np.mean(of_layer)), "replicates": drawn})
    return result
