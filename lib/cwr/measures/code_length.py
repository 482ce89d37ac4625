"""Computes two controls of probes: the code length of their labels, and their selectivity.

*Online code* (Voita and Titov 2020, "Information-Theoretic Probing with Minimum Description
Length", section 2.2): labels are sent block by block, the first at equal odds, each later block by
a probe that learned from all earlier blocks. Labels that are easy to read off vectors cost few
bits. *Selectivity* (Hewitt and Liang 2019, "Designing and Interpreting Probes with Control Tasks",
section 2): the accuracy of a probe minus that of the same probe on labels drawn at random for each
word type, which a probe can only learn by memorising words.

    n contexts, C classes
"""

import numpy as np

EVEN_ODDS = 1.0  # bits of a binary answer of which nothing is known


def answer_bits(margins: np.ndarray, gold: np.ndarray) -> np.ndarray:
    """Computes the bits that each binary probe's right answer costs, -log2 of its probability.

    margins: (..., n, C), the log odds of yes against no, in nats. gold: (n,) int, the class of each
        context. Returns (..., n, C), 1 where a margin is 0.
    Raises ValueError for a number of contexts or classes that does not fit.
    """
    margins, gold = np.asarray(margins, dtype=np.float64), np.asarray(gold)
    is_class = _is_class(margins, gold)
    signed = np.where(is_class, margins, -margins)
    return np.logaddexp(0, -signed) / np.log(2)


def compression(bits: np.ndarray, answers: int) -> np.ndarray:
    """Computes the compression of a code: one bit per answer over the code's bits per answer.

    bits: (..., n), the code length of each context. answers: C, the answers of a context. Returns
    (...,): 1 means that nothing was learned. Raises ValueError for no contexts, and for a code
    length that is NaN or below 0 bits.
    """
    bits = np.asarray(bits, dtype=np.float64)
    if not bits.shape[-1] or not (bits >= 0).all():  # also refuses NaN
        raise ValueError(f"a code has contexts of at least 0 bits each, got {bits}")
    return answers * EVEN_ODDS / bits.mean(axis=-1)


def is_right(margins: np.ndarray, gold: np.ndarray) -> np.ndarray:
    """Tells whether the gold class has the largest margin, (..., n) bool; the mean is accuracy.

    margins: (..., n, C). gold: (n,) int. Of equal margins the first class is taken.
    Raises ValueError for a number of contexts or classes that does not fit.
    """
    margins, gold = np.asarray(margins), np.asarray(gold)
    _is_class(margins, gold)
    return margins.argmax(axis=-1) == gold


def selectivity(is_right: np.ndarray, is_control_right: np.ndarray) -> np.ndarray:
    """Subtracts correctness on the control labels from correctness on the classes, (..., n) int.

    Each value is 1, 0 or -1; their mean is the selectivity of the probes.
    is_right, is_control_right: (..., n) bool, from probes of the classes and probes of the control.
    Raises ValueError for unequal shapes.
    """
    if np.shape(is_right) != np.shape(is_control_right):
        shapes = f"{np.shape(is_right)} and {np.shape(is_control_right)}"
        raise ValueError(f"selectivity compares the same contexts, got {shapes}")
    return np.asarray(is_right, dtype=int) - np.asarray(is_control_right, dtype=int)


def _is_class(margins: np.ndarray, gold: np.ndarray) -> np.ndarray:
    """Tells whether a context has a class, (n, C) bool."""
    if margins.ndim < 2 or gold.shape != margins.shape[-2:-1] or not len(gold):
        raise ValueError(f"{gold.shape} classes do not fit margins of the shape {margins.shape}")
    n_classes = margins.shape[-1]
    if gold.min() < 0 or gold.max() >= n_classes:
        raise ValueError(f"classes {gold.min()} to {gold.max()} do not fit {n_classes} probes")
    return np.arange(n_classes) == gold[:, None]
