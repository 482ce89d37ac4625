"""Scores diagnostic classifiers ("probes"): a binary answer per class, aggregated over contexts.

Zhao et al. (2020), section 3.2.2: the contexts of a word with one class are a *pair*; a probe is
right on a pair if at least half of its contexts are answered correctly; the score is the micro F1
"over all decisions of the classifiers for the word-s-class combinations". The paper does not say
which decisions enter. `READINGS` has three interpretations:

    "pairs"  the literal one: one decision for each pair, by the probe of the pair's class. No false
             positive is possible, and micro F1 is then the share of pairs that are recognised.
    "words"  in addition one decision for each word and each class that none of its contexts has,
             over all contexts of the word. With one context per word and class this is the score of
             type-level vectors (section 3.2.1).
    "full"   in addition one decision for each pair and each class that is not the pair's, even if
             it is a class of the word. The only one of the three that charges a probe for ignoring
             the context. Our choice, not the paper's.

The printed numbers do not show which of the three the authors used.
"""

import numpy as np

READINGS = ("pairs", "words", "full")
HALF = 50  # per cent of the contexts


def micro_f1(
    decisions: np.ndarray, words: np.ndarray, gold: np.ndarray, reading: str = "full"
) -> float:
    """Computes micro F1 of binary probes after aggregation over contexts: 2 TP / (2 TP + FP + FN).

    decisions: (contexts, classes) bool, whether the probe of each class says yes to each context.
    words: (contexts,) int, the word of each context (any integers, in any order).
    gold: (contexts,) int, the index of the context's true class.
    reading: which decisions count, one of `READINGS`. For "pairs" the result is TP / (TP + FN):
        micro F1 equals accuracy where each item has one decision.
    Ties: "at least half" correct is right, on both sides: with exactly half of the contexts
        answered yes a pair is recognised, and exactly half of the contexts answered no is a correct
        no.
    Returns a number in [0, 1]. Raises ValueError as `counts`.
    """
    return f1(counts(decisions, words, gold, reading).sum(axis=0), reading)


def counts(
    decisions: np.ndarray,
    words: np.ndarray,
    gold: np.ndarray,
    reading: str = "full",
    percent: int = HALF,
) -> np.ndarray:
    """Counts true positives, false positives, false negatives by word, ascending, (words, 3).

    decisions: (contexts, classes) bool; words, gold: (contexts,) int; reading: all as in
    `micro_f1`. percent: the share of contexts that must be answered correctly, for yes and for no.
    Sum over (resampled) words before `f1`, so that an interval can resample words.
    Raises ValueError for an unknown reading, no contexts, decisions that are not bool, shapes that
    do not fit, and a class index outside the decisions' columns.
    """
    decisions, words, gold = np.asarray(decisions), np.asarray(words), np.asarray(gold)
    _refuse(decisions, words, gold, reading)
    n_classes = decisions.shape[1]
    names, word = np.unique(words, return_inverse=True)  # (words,), (contexts,)
    pairs, pair = np.unique(word * n_classes + gold, return_inverse=True)  # likewise of pairs
    pair_word, pair_class = pairs // n_classes, pairs % n_classes  # (pairs,)
    is_gold = np.arange(n_classes) == pair_class[:, None]  # (pairs, classes)
    yes, size = _sums(decisions, pair, len(pairs))  # (pairs, classes), (pairs,)
    recognised = ((100 * yes >= percent * size[:, None]) & is_gold).any(axis=1)
    no_alarm = np.zeros(len(pairs), dtype=bool)
    outcomes = np.stack([recognised, no_alarm, ~recognised], axis=1)  # (pairs, 3)
    result, _ = _sums(outcomes, pair_word, len(names))  # (words, 3)
    if reading == "full":
        no = size[:, None] - yes
        alarms = (100 * no < percent * size[:, None]) & ~is_gold
        result[:, 1] += _sums(alarms, pair_word, len(names))[0].sum(axis=1)
    if reading == "words":
        yes_of_word, contexts = _sums(decisions, word, len(names))
        class_of_word = _sums(is_gold, pair_word, len(names))[0] > 0
        no = contexts[:, None] - yes_of_word  # (words, classes)
        alarms = (100 * no < percent * contexts[:, None]) & ~class_of_word
        result[:, 1] += alarms.sum(axis=1)
    return result


def f1(counted: np.ndarray, reading: str = "full") -> float | np.ndarray:
    """Computes F1 of counts of true positives, false positives, false negatives ("pairs": recall).

    counted: (..., 3). Returns (...,), a float for one row. Raises ValueError for an unknown
    reading, and where there are no positives to recognise, which leaves the score undefined.
    """
    if reading not in READINGS:
        raise ValueError(f"reading {reading!r} is none of {', '.join(READINGS)}")
    tp, fp, fn = np.moveaxis(np.asarray(counted, dtype=np.float64), -1, 0)
    if not (tp + fn > 0).all():
        raise ValueError("there are no positives: F1 is undefined")
    result = tp / (tp + fn) if reading == "pairs" else 2 * tp / (2 * tp + fp + fn)
    return float(result) if result.ndim == 0 else result


def context_free_ceiling(classes_of_word: np.ndarray) -> float:
    """Computes the best micro F1 under "full" of a predictor that knows words but no context.

    It knows the classes of each word, and answers alike in all contexts of a word. Saying yes to
    one class of a word with k classes gains one true positive and costs k - 1 false positives, so
    F1 = 2 sum(m) / (P + sum(m k)) for m classes named of each word and P pairs; the best is to name
    all classes of the words with k up to a threshold, and none of the others. Under "pairs" and
    "words" the same predictor reaches 1.

    classes_of_word: (words,), the number of classes of each word, at least 1. Returns a number in
    (0, 1]. Raises ValueError for no words or a word without a class.
    """
    k = np.sort(np.asarray(classes_of_word))
    if not len(k):
        raise ValueError("a ceiling needs words with at least 1 class each, got 0 words")
    if k[0] < 1:
        raise ValueError(
            f"a ceiling needs words with at least 1 class each, got {len(k)} words, one with {k[0]}"
        )
    return float((2 * np.cumsum(k) / (k.sum() + np.cumsum(k**2))).max())


def _sums(rows: np.ndarray, group: np.ndarray, groups: int) -> tuple[np.ndarray, np.ndarray]:
    """Sums of bool rows (n, columns) by group (n,): (groups, columns) int, and sizes (groups,)."""
    order = np.argsort(group, kind="stable")
    size = np.bincount(group, minlength=groups)
    starts = np.concatenate([[0], np.cumsum(size)[:-1]])
    return np.add.reduceat(rows[order].astype(np.int64), starts, axis=0), size


def _refuse(decisions: np.ndarray, words: np.ndarray, gold: np.ndarray, reading: str) -> None:
    if reading not in READINGS:
        raise ValueError(f"reading {reading!r} is none of {', '.join(READINGS)}")
    if decisions.ndim != 2 or not len(decisions):
        raise ValueError(
            "decisions need the shape (contexts, classes) with at least 1 context, "
            f"got {decisions.shape}"
        )
    if decisions.dtype != bool:
        raise ValueError(
            f"decisions are yes or no (bool), got {decisions.dtype}: probabilities "
            "need a threshold first"
        )
    if words.shape != gold.shape or words.shape != decisions.shape[:1]:
        raise ValueError(
            f"{len(decisions)} rows of decisions for {words.shape} words and {gold.shape} classes"
        )
    if gold.min() < 0 or gold.max() >= decisions.shape[1]:
        raise ValueError(
            f"classes {gold.min()} to {gold.max()} do not fit {decisions.shape[1]} probes"
        )
