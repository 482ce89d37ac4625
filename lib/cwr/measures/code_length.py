"""How much a probe has to be told, and how much of its score is memory: two controls of probes.

The *online code* (Voita and Titov 2020, "Information-Theoretic Probing with Minimum Description
Length", section 2.2): labels are sent block by block, the first at equal odds, each other block by a
probe that learned from all blocks before it. What is easily read off the vectors has a short code.
*Selectivity* (Hewitt and Liang 2019, "Designing and Interpreting Probes with Control Tasks", section
2): how much better a probe does than the same probe on labels drawn at random for each word type,
which nothing but memory of the words can tell.

    n contexts, C classes
"""

from collections.abc import Sequence

import numpy as np

EVEN_ODDS = 1.0  # bits of a binary answer of which nothing is known


def answer_bits(margins: np.ndarray, gold: np.ndarray) -> np.ndarray:
    """Bits that the right answer of each binary probe costs, -log2 of its probability.

    margins: (..., n, C), how much more yes than no, in nats of odds. gold: (n,) int, the class of
        each context. Returns (..., n, C), 1 where a margin is 0.
    Raises ValueError for contexts or classes that do not fit.
    """
    margins, gold = np.asarray(margins, dtype=np.float64), np.asarray(gold)
    is_class = _is_class(margins, gold)
    signed = np.where(is_class, margins, -margins)
    return np.logaddexp(0, -signed) / np.log(2)


def online_code_length(first: int, later: Sequence[float], answers: int) -> float:
    """Bits of all labels of an online code with binary probes.

    first: contexts of the first block, whose answers cost one bit each. later: for each later
        block the sum of `answer_bits` by probes of the blocks before it. answers: C, answers a
        context.
    Raises ValueError for an empty first block and for a block whose length is no number of at least
    0.
    """
    later = np.asarray(later, dtype=np.float64)
    if first < 1 or answers < 1:
        raise ValueError(f"a code begins with 1 context and 1 answer, got {first} and {answers}")
    if not (later >= 0).all():  # also refuses NaN
        raise ValueError(f"the length of a block is at least 0 bits, got {later.min()}")
    return float(first * answers * EVEN_ODDS + later.sum())


def compression(contexts: int, length: float, answers: int) -> float:
    """How many times shorter a code is than one bit an answer; 1: nothing was learned.

    contexts: n, of all blocks. length: of `online_code_length`. answers: C.
    """
    return contexts * answers * EVEN_ODDS / length


def accuracy(margins: np.ndarray, gold: np.ndarray) -> np.ndarray:
    """The share of contexts of whose class the probe says yes most firmly, (...).

    margins: (..., n, C). gold: (n,) int. Of equal margins the first class is taken.
    Raises ValueError for contexts or classes that do not fit.
    """
    margins, gold = np.asarray(margins), np.asarray(gold)
    _is_class(margins, gold)
    return (margins.argmax(axis=-1) == gold).mean(axis=-1)


def selectivity(
    margins: np.ndarray, gold: np.ndarray, control_margins: np.ndarray, control: np.ndarray
) -> np.ndarray:
    """Accuracy on the classes minus accuracy on the control labels of the same contexts, (...).

    margins, control_margins: (..., n, C) of probes trained on either. gold, control: (n,) int.
    Raises ValueError for contexts or classes that do not fit, and for other contexts.
    """
    if np.shape(margins) != np.shape(control_margins):
        shapes = f"{np.shape(margins)} and {np.shape(control_margins)}"
        raise ValueError(f"selectivity compares the same contexts and classes, got {shapes}")
    return accuracy(margins, gold) - accuracy(control_margins, control)


def _is_class(margins: np.ndarray, gold: np.ndarray) -> np.ndarray:
    """Whether a context is of a class, (n, C)."""
    if margins.ndim < 2 or gold.shape != margins.shape[-2:-1] or not len(gold):
        raise ValueError(f"{gold.shape} classes do not fit margins of the shape {margins.shape}")
    n_classes = margins.shape[-1]
    if gold.min() < 0 or gold.max() >= n_classes:
        raise ValueError(f"classes {gold.min()} to {gold.max()} do not fit {n_classes} probes")
    return np.arange(n_classes) == gold[:, None]
