"""Measures decisions along the layers of a model: which are firm, which reverse, when they settle.

Tenney, Das and Pavlick (2019), section 4.3 and Figure 3, show a few sentences in which the probe of
a higher layer decides otherwise than that of a lower one. They give no rate; these measures do. A
reading is the decisions of one probe. Neighbouring readings are those of neighbouring layers, or of
several probes of one layer, which is the placebo: it has no evidence to change a decision.

    K readings (layers, or probes of one layer), n items, C labels, T = K lock-in times
"""

import numpy as np
from scipy.stats import binomtest

DELTA = 0.2  # a margin from which a decision is firm; our choice
AMBIGUOUS = 0.7  # the mean probability below which the source calls an item ambiguous

NONE, CORRECTION, CORRUPTION, WRONG_TO_WRONG, RETURN = range(5)
KINDS = ("correction", "corruption", "wrong to wrong", "return")  # of reversals, from CORRECTION on


# ---- one reading


def decisions(probabilities: np.ndarray) -> np.ndarray:
    """Returns the label with the highest probability, the first of equal ones, (...) int.

    probabilities: (..., C), C >= 2: of each label, or independent scores of labels between 0 and 1.
    Raises ValueError for fewer than two labels and for numbers that are not finite.
    """
    _refuse_probabilities(probabilities)
    return np.asarray(probabilities).argmax(axis=-1)


def margins(probabilities: np.ndarray) -> np.ndarray:
    """Subtracts the second highest probability from the highest, (...) float64 in [0, 1].

    probabilities: (..., C) and refusals as in `decisions`.
    """
    _refuse_probabilities(probabilities)
    two = np.partition(np.asarray(probabilities, dtype=np.float64), -2, axis=-1)[..., -2:]
    return two[..., 1] - two[..., 0]


# ---- readings in their order


def firm(decided: np.ndarray, margin: np.ndarray, delta: float = DELTA) -> np.ndarray:
    """Tells which decisions are firm: the margin reaches delta, and the next reading decides alike.

    The last reading has no next one: there the margin is enough.
    decided, margin: (..., K, n), of `decisions` and `margins`. Returns (..., K, n) bool.
    Raises ValueError for shapes that differ, fewer than two readings and a delta outside [0, 1].
    """
    decided, margin = np.asarray(decided), np.asarray(margin)
    if decided.shape != margin.shape or decided.ndim < 2 or decided.shape[-2] < 2:
        raise ValueError(
            "decisions and margins have one shape (..., readings, items) with at least 2 readings, "
            f"got {decided.shape} and {margin.shape}"
        )
    if not 0 <= delta <= 1:
        raise ValueError(f"a margin lies between 0 and 1, so delta {delta} is none")
    result = margin >= delta
    result[..., :-1, :] &= decided[..., :-1, :] == decided[..., 1:, :]
    return result


def reversals(
    decided: np.ndarray, margin: np.ndarray, gold: np.ndarray, delta: float = DELTA
) -> np.ndarray:
    """Determines each item's kind of reversal, (..., n) int: NONE, or 1 + its index in KINDS.

    An item has a reversal if two of its firm decisions differ. The first and the last firm decision
    tell its kind: a correction leads from a wrong label to the right one, a corruption from
    the right to a wrong one, wrong to wrong between two wrong labels; a return ends with the label
    that it began with.
    decided, margin, delta: as in `firm`. gold: (n,) int, the right labels.
    Raises ValueError as `firm`, and for another number of items.
    """
    decided, gold = np.asarray(decided), np.asarray(gold)
    is_firm = firm(decided, margin, delta)
    if gold.shape != decided.shape[-1:]:
        raise ValueError(f"{decided.shape[-1]} items decided, {gold.shape} right labels")
    last = decided.shape[-2] - 1 - is_firm[..., ::-1, :].argmax(axis=-2)  # (..., n)
    begins = _at(decided, is_firm.argmax(axis=-2))
    ends = _at(decided, last)
    has_reversal = (is_firm & (decided != begins[..., None, :])).any(axis=-2)
    kind = np.full(begins.shape, WRONG_TO_WRONG)
    kind[begins == gold] = CORRUPTION
    kind[ends == gold] = CORRECTION
    kind[begins == ends] = RETURN
    return np.where(has_reversal, kind, NONE)


def disagreement(decided: np.ndarray, margin: np.ndarray, delta: float = DELTA) -> np.ndarray:
    """Tells where two readings differ, each by a margin of at least delta, (..., n) bool.

    This is the weak placebo, two probes of one layer: a longer path has more pairs that can differ.
    decided, margin: (..., 2, n). Raises ValueError for another number of readings.
    """
    decided, margin = np.asarray(decided), np.asarray(margin)
    if decided.shape != margin.shape or decided.ndim < 2 or decided.shape[-2] != 2:
        raise ValueError(
            f"two readings can disagree, got shapes {decided.shape} and {margin.shape}"
        )
    return (margin >= delta).all(axis=-2) & (decided[..., 0, :] != decided[..., 1, :])


def lock_in(decided: np.ndarray) -> np.ndarray:
    """Returns the first reading from which on all readings agree with the last one, (..., n) int.

    decided: (..., K, n). 0: the decision never changes; K - 1: only the last reading decides so.
    """
    decided = np.asarray(decided)
    is_other = decided != decided[..., -1:, :]
    readings = decided.shape[-2]
    last_other = readings - 1 - is_other[..., ::-1, :].argmax(axis=-2)  # (..., n)
    return np.where(is_other.any(axis=-2), last_other + 1, 0)


def churn(decided: np.ndarray) -> np.ndarray:
    """Computes the share of steps between neighbouring readings that change the decision, (..., n).

    decided: (..., K, n). Raises ValueError for fewer than two readings.
    """
    decided = np.asarray(decided)
    if decided.shape[-2] < 2:
        raise ValueError(f"a step needs 2 readings, got {decided.shape[-2]}")
    return (decided[..., 1:, :] != decided[..., :-1, :]).mean(axis=-2)


def ambiguous(probabilities: np.ndarray, sentences: np.ndarray) -> np.ndarray:
    """Tells from which items the source would choose its examples, (n,) bool.

    Tenney, Das and Pavlick (2019), appendix: no label's mean probability over the layers exceeds
    AMBIGUOUS, and the sentence has more than one such item.
    probabilities: (K, n, C). sentences: (n,) int, the sentence of each item.
    Raises ValueError as `decisions`.
    """
    _refuse_probabilities(probabilities)
    highest = np.asarray(probabilities, dtype=np.float64).mean(axis=0).max(axis=-1)  # (n,)
    is_unsure = highest <= AMBIGUOUS
    _, number = np.unique(sentences, return_inverse=True)
    of_sentence = np.bincount(number, weights=is_unsure)
    return is_unsure & (of_sentence[number] > 1)


# ---- a step from one reading to the next


def mcnemar(before: np.ndarray, after: np.ndarray) -> tuple[int, int, float]:
    """Counts items that became right and wrong, with the exact p of McNemar's test.

    The p is that of a fair coin thrown once for each item that changed, two-sided; 1 if none did.
    The first number minus the second is the gain in right items.
    before, after: (n,) bool, whether each item is right. Raises ValueError for other shapes.
    """
    before, after = np.asarray(before, dtype=bool), np.asarray(after, dtype=bool)
    if before.shape != after.shape or before.ndim != 1:
        raise ValueError(f"one truth an item before and after, got {before.shape}, {after.shape}")
    gained, lost = int((after & ~before).sum()), int((before & ~after).sum())
    changed = gained + lost
    return gained, lost, float(binomtest(gained, changed).pvalue) if changed else 1.0


def holm(p: np.ndarray) -> np.ndarray:
    """Adjusts the p of several tests by Holm's rule, (tests,): rejected at alpha if below alpha.

    Holm (1979): the i-th smallest of m is multiplied by m - i + 1; none is below a smaller one's.
    Raises ValueError for a p outside [0, 1].
    """
    p = np.asarray(p, dtype=np.float64)
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError(f"a p lies between 0 and 1, got {p}")
    order = p.argsort(kind="stable")
    stepwise = p[order] * np.arange(len(p), 0, -1)
    result = np.empty(len(p))
    result[order] = np.minimum(np.maximum.accumulate(stepwise), 1)
    return result


# ---- which of two decisions settles first


def precedence(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Computes how often one decision of a pair settles first, and by chance: (...) each.

    Q = P(t(z) < t(x)) + P(t(z) = t(x)) / 2 for pairs of items z and x with lock-in times t; 1/2 if
    neither is earlier. Chance is the mean of Q over all permutations of the z of one stratum, which
    then have other partners. The mean is exact; no permutation is drawn.

    counts: (..., strata, T, T), how many pairs of a stratum have t(z) = row and t(x) = column; they
        may be weights.
    Raises ValueError for no pair and for a negative count.
    """
    counts = np.asarray(counts, dtype=np.float64)
    totals = counts.sum(axis=(-3, -2, -1))
    if not (totals > 0).all() or (counts < 0).any():
        raise ValueError("an order needs pairs: counts are non-negative, and not all are 0")
    times = np.arange(counts.shape[-1])
    wins = (times[:, None] < times) + 0.5 * (times[:, None] == times)  # (T, T)
    observed = (counts * wins).sum(axis=(-3, -2, -1)) / totals
    of_stratum = counts.sum(axis=(-2, -1))[..., None, None]  # (..., strata, 1, 1)
    rows, columns = counts.sum(axis=-1)[..., None], counts.sum(axis=-2)[..., None, :]
    expected = rows * columns / np.where(of_stratum > 0, of_stratum, 1)  # (..., strata, T, T)
    return observed, (expected * wins).sum(axis=(-3, -2, -1)) / totals


def _at(decided: np.ndarray, reading: np.ndarray) -> np.ndarray:
    """The decision of each item in the reading that it names. decided: (..., K, n); (..., n) -> same."""
    return np.take_along_axis(decided, reading[..., None, :], axis=-2)[..., 0, :]


def _refuse_probabilities(probabilities: np.ndarray) -> None:
    probabilities = np.asarray(probabilities)
    if probabilities.ndim < 2 or probabilities.shape[-1] < 2:
        raise ValueError(
            f"a decision is between 2 labels at least, got the shape {probabilities.shape}"
        )
    if not np.isfinite(probabilities).all():
        bad = int((~np.isfinite(probabilities)).sum())
        raise ValueError(f"{bad} of {probabilities.size} probabilities are no numbers")
