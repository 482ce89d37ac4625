"""Computes two controls of probes: how much they can memorise, and how many bits they need.

Hewitt and Liang (2019) and Voita and Titov (2020); `measures.code_length` has their measures.
Where a class has no context to learn from, its answers are guessed by the rule of succession, the
same in all layers.

    L layers, n contexts, t of them tested, W words, C classes
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from cwr.errors import UserError
from cwr.measures import code_length, stats
from cwr.texts.zhao2020 import probe_training
from cwr.texts.zhao2020.probe_training import Settings
from cwr.texts.zhao2020.probes import numbered

TRAIN, DEV, TEST = "train", "dev", "test"
FEWEST = 4  # contexts of a word that is divided
DEV_SHARE = 0.2  # of what is learned from
SHARES = (0.016, 0.032, 0.0625, 0.125, 0.25, 0.5, 1.0)  # of the contexts, where a block ends


def memory(
    vectors: Sequence[np.ndarray],
    words: Sequence[str],
    labels: Sequence[str],
    classes: Sequence[str],
    settings: Settings,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tests probes on words they know: words (t,), and whether probes are right, twice (L, t).

    The first answers are on the classes, the second on the control, which gives each word a random
    class. Half of the contexts of each word are tested, the others learned from.
    vectors: an array (n, d) for each layer. words, labels: (n,), every label one of `classes`.
    Raises UserError where no word has enough contexts, and as `probe_training.train`.
    """
    words, labels = np.asarray(words), np.asarray(labels)
    split = within_words(words, settings.seed)
    if not (split == TEST).any():
        raise UserError(
            f"no word has {FEWEST} contexts, so nothing can be remembered: take a larger cap or a "
            "longer text"
        )
    rows = [np.flatnonzero(split == name) for name in (TRAIN, DEV, TEST)]
    answers = []
    for names in (labels, control_labels(words, labels, settings.seed)):
        margins = _margins(vectors, names, classes, rows, settings)
        gold = numbered(names[rows[2]], classes)
        answers.append(code_length.is_right(margins, gold))
    return words[rows[2]], *answers


def code_bits(
    vectors: Sequence[np.ndarray],
    words: Sequence[str],
    labels: Sequence[str],
    classes: Sequence[str],
    settings: Settings,
    shares: Sequence[float] = SHARES,
) -> np.ndarray:
    """Computes the bits of all C answers of each context in an online code, (L, n).

    Probes trained on the blocks before encode a block; a fifth of their words are for development.
    The answers of the first block cost a bit each. Without vectors (L = 0), one row is the cost of
    coding by the rates of the classes.
    vectors: an array (n, d) for each layer. words, labels: (n,), every label one of `classes`.
    shares: as in `blocks`. Raises UserError as `probe_training.train`.
    """
    words, labels = np.asarray(words), np.asarray(labels)
    gold = numbered(labels, classes)
    block = blocks(words, shares, settings.seed)
    is_dev = dev_words(words, settings.seed)
    bits = np.full((max(1, len(vectors)), len(words)), len(classes) * code_length.EVEN_ODDS)
    for number in np.unique(block)[1:]:
        known, sent = block < number, np.flatnonzero(block == number)
        rows = [np.flatnonzero(known & ~is_dev), np.flatnonzero(known & is_dev), sent]
        margins = _margins(vectors, labels, classes, rows, settings)
        bits[:, sent] = code_length.answer_bits(margins, gold[sent]).sum(axis=-1)
    return bits


# ---- how contexts are divided


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


# ---- from contexts to rows


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


def _margins(
    vectors: Sequence[np.ndarray],
    labels: np.ndarray,
    classes: Sequence[str],
    rows: Sequence[np.ndarray],
    settings: Settings,
) -> np.ndarray:
    """Margins on the third of three sets of rows, of probes of the first two, (max(1, L), t, C)."""
    train, dev, test = rows
    yes = (labels[np.concatenate([train, dev]), None] == np.array(classes)).sum(axis=0)  # (C,)
    succession = np.log((yes + 1) / (len(train) + len(dev) - yes + 1))
    margins = np.tile(succession, (max(1, len(vectors)), len(test), 1))
    is_learned = np.isin(classes, labels[train])
    if len(vectors):
        inputs, dev_inputs, test_inputs = ([layer[part] for layer in vectors] for part in rows)
        learned = np.array(classes)[is_learned]
        data = inputs, labels[train], dev_inputs, labels[dev]
        probes = probe_training.train(*data, learned.tolist(), settings)
        margins[..., is_learned] = probes.margins(test_inputs)
    return margins
