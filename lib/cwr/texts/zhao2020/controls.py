"""Computes two controls of probes: how much they can memorise, and how many bits they need.

Hewitt and Liang (2019) and Voita and Titov (2020); `measures.code_length` has their measures,
`texts.zhao2020.probe_controls` divides the contexts. Where a class has no context to learn from,
its answers are guessed by the rule of succession, the same in all layers.

    L layers, n contexts, t of them tested, C classes
"""

from collections.abc import Sequence

import numpy as np

from cwr.errors import UserError
from cwr.measures import code_length
from cwr.texts.zhao2020 import probe_controls, probe_training
from cwr.texts.zhao2020.probe_controls import DEV, FEWEST, SHARES, TEST, TRAIN
from cwr.texts.zhao2020.probe_training import Settings
from cwr.texts.zhao2020.probes import numbered


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
    split = probe_controls.within_words(words, settings.seed)
    if not (split == TEST).any():
        raise UserError(
            f"no word has {FEWEST} contexts, so nothing can be remembered: take a larger cap or a "
            "longer text"
        )
    rows = [np.flatnonzero(split == name) for name in (TRAIN, DEV, TEST)]
    answers = []
    for names in (labels, probe_controls.control_labels(words, labels, settings.seed)):
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
    shares: as in `probe_controls.blocks`. Raises UserError as `probe_training.train`.
    """
    words, labels = np.asarray(words), np.asarray(labels)
    gold = numbered(labels, classes)
    block = probe_controls.blocks(words, shares, settings.seed)
    is_dev = probe_controls.dev_words(words, settings.seed)
    bits = np.full((max(1, len(vectors)), len(words)), len(classes) * code_length.EVEN_ODDS)
    for number in np.unique(block)[1:]:
        known, sent = block < number, np.flatnonzero(block == number)
        rows = [np.flatnonzero(known & ~is_dev), np.flatnonzero(known & is_dev), sent]
        margins = _margins(vectors, labels, classes, rows, settings)
        bits[:, sent] = code_length.answer_bits(margins, gold[sent]).sum(axis=-1)
    return bits


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
