"""What an accuracy says about the macro-F1 beside it: the smallest one and, for two classes, the largest.

All figures are shares in [0, 1], not per cent. Class i has n_i items, a_i of them missed, and b_i items of other
classes wrongly called i (false alarms); F1_i = 2(n_i - a_i) / (2 n_i - a_i + b_i), 0 for a class without hits.
"""
from collections.abc import Sequence
from itertools import product

import numpy as np

MOST_CLASSES = 12                                           # classes to enumerate: 12 * 2^11 sets of missed classes


def counts_of(class_counts: Sequence[int]) -> np.ndarray:
    """Class counts as an array (classes,) float. Raises ValueError unless they are whole, >= 0 and not all 0."""
    counts = np.asarray(class_counts, dtype=np.float64)
    if counts.ndim != 1 or not counts.sum() > 0 or (counts < 0).any() or (counts % 1 != 0).any():
        raise ValueError(f"class counts are whole numbers, not all of them 0, got {list(class_counts)}")
    return counts


def errors_at(class_counts: Sequence[int], accuracy: float) -> int:
    """How many wrong items an accuracy stands for: (1 - accuracy) * sum(class_counts), rounded to a whole number.

    Raises ValueError for counts as `counts_of`, for an accuracy outside [0, 1], and for errors of a single class,
    which has nothing to be mistaken for.
    """
    counts = counts_of(class_counts)
    if not 0 <= accuracy <= 1:                              # also refuses NaN
        raise ValueError(f"an accuracy is a share between 0 and 1, got {accuracy}")
    errors = int(round((1 - accuracy) * counts.sum()))
    if errors and len(counts) < 2:
        raise ValueError(f"one class leaves no room for {errors} errors")
    return errors


def macro_f1(confusion: np.ndarray) -> float:
    """Mean of F1 over all classes of a confusion matrix (classes, classes), rows true, columns predicted."""
    confusion = np.asarray(confusion, dtype=np.float64)
    hits, size = np.diag(confusion), confusion.sum(axis=0) + confusion.sum(axis=1)
    return float(np.divide(2 * hits, size, out=np.zeros_like(hits), where=size > 0).mean())


def smallest_macro_f1(class_counts: Sequence[int], accuracy: float) -> float:
    """The smallest macro-F1 that predictions with this accuracy can have: an exact minimum over confusion matrices.

    class_counts: items of each class in the test set; the mean is over all of them, present or not. accuracy: a
    share, taken as E = `errors_at` wrong items; where it was rounded, ask for the lower edge of what it may be.

    F1_i is concave in a_i, so some minimum has every a_i but one at 0 or n_i: these are enumerated. It is convex in
    b_i, so the E false alarms go to the class that loses most, one by one. This minimum over sums alone, a proven
    lower bound, is exact if errors off the diagonal can have these sums: iff a_i + b_i <= E for every class. If not
    (few errors), the minimum is taken under that condition: either all classes keep it with a_i at 0 or n_i but one,
    or one class has a_i + b_i = E, so that every error involves it (`_through_one_class`).

    Raises ValueError as `errors_at`, and for more than 12 classes with items: see `low_macro_f1`.
    """
    counts, errors = counts_of(class_counts), errors_at(class_counts, accuracy)
    if len(counts) == 2:
        return float(_two_classes(counts, errors).min())
    total, possible = _over_sums(counts, errors)
    if not possible:
        missed = _missed(counts, errors)
        capped, _ = _totals(counts, missed, np.full(len(missed), errors), errors - missed)
        total = min(capped.min(), *(_through_one_class(counts, hub, errors) for hub in range(len(counts))))
    return float(total / len(counts))


def low_macro_f1(class_counts: Sequence[int], accuracy: float) -> float:
    """A macro-F1 that some predictions with this accuracy have: whole classes missed, the smallest first.

    At least `smallest_macro_f1`, for any number of classes: what it reaches is possible, what it does not reach need
    not be impossible. Arguments and refusals as there.
    """
    counts, errors = counts_of(class_counts), errors_at(class_counts, accuracy)
    order = np.argsort(counts, kind="stable")
    before = np.concatenate([[0], np.cumsum(counts[order])[:-1]])
    missed = np.zeros((1, len(counts)))
    missed[0, order] = np.clip(errors - before, 0, counts[order])
    totals, _ = _totals(counts, missed, np.array([errors]), errors - missed)
    return float(totals[0] / len(counts))


def largest_macro_f1(class_counts: Sequence[int], accuracy: float) -> float:
    """The largest macro-F1 that predictions of two classes with this accuracy can have. Arguments and refusals as
    `smallest_macro_f1`; ValueError for other than two classes. For a rounded accuracy, ask for its upper edge."""
    counts, errors = counts_of(class_counts), errors_at(class_counts, accuracy)
    if len(counts) != 2:
        raise ValueError(f"the largest macro-F1 is computed for 2 classes, got {len(counts)}")
    return float(_two_classes(counts, errors).max())


def mean_of_runs_envelope(class_counts: Sequence[int], lowest: float = 0, highest: float = 1
                          ) -> tuple[np.ndarray, np.ndarray]:
    """Below which the mean macro-F1 of several runs cannot lie: corners (accuracies, macro-F1), to be interpolated.

    The lower convex envelope of the minimum over sums (`smallest_macro_f1`) for runs with accuracies between `lowest`
    and `highest`; read it at the runs' mean accuracy. A further error never raises the minimum, so between two numbers
    of errors the smaller value stands for all; intervals are halved while such a stand-in is a corner.
    Raises ValueError as `smallest_macro_f1`.
    """
    counts, total = counts_of(class_counts), int(counts_of(class_counts).sum())
    few, many = errors_at(class_counts, highest), errors_at(class_counts, lowest)
    new, values = set(np.linspace(few, many, 25).round().astype(int).tolist()), {}
    while new:
        values |= {errors: _over_sums(counts, errors)[0] / len(counts) for errors in new}
        grid = sorted(values)
        stand_ins = {before + 1: after for before, after in zip(grid[:-1], grid[1:], strict=True)}
        points = {1 - errors / total: (value, errors) for errors, value in values.items()}
        points |= {1 - errors / total: (values[after], errors) for errors, after in stand_ins.items() if errors < after}
        hull = _lower_hull([(x, y) for x, (y, _) in sorted(points.items())])
        new = {(e + stand_ins[e]) // 2 for x, _ in hull if (e := points[x][1]) not in values}
    return np.array([x for x, _ in hull]), np.array([y for _, y in hull])


def _lower_hull(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The corners of the lower convex envelope of points sorted by x."""
    hull: list[tuple[float, float]] = []
    for x, y in points:
        while len(hull) > 1 and (hull[-1][0] - hull[-2][0]) * (y - hull[-2][1]) <= (
                hull[-1][1] - hull[-2][1]) * (x - hull[-2][0]):
            hull.pop()
        hull.append((x, y))
    return hull


def _over_sums(counts: np.ndarray, errors: int) -> tuple[float, bool]:
    """The smallest sum of F1 over all sums of misses and false alarms, and whether a confusion matrix has them."""
    if (counts > 0).sum() > MOST_CLASSES:
        raise ValueError(f"{int((counts > 0).sum())} classes are more than the {MOST_CLASSES} that can be enumerated")
    missed = _missed(counts, errors)
    totals, alarms = _totals(counts, missed, np.full(len(missed), errors), np.inf)
    best = int(totals.argmin())
    return float(totals[best]), bool((missed[best] + alarms[best] <= errors).all())


def _two_classes(counts: np.ndarray, errors: int) -> np.ndarray:
    """Macro-F1 of every confusion matrix of two classes with so many errors: misses of one are alarms of the other."""
    first = np.arange(max(0, errors - counts[1]), min(counts[0], errors) + 1)
    both = [2 * (n - a) / np.maximum(2 * n - a + errors - a, 1)
            for n, a in ((counts[0], first), (counts[1], errors - first))]
    return (both[0] + both[1]) / 2


def _missed(counts: np.ndarray, errors: int) -> np.ndarray:
    """All misses (rows, classes) that sum to `errors`, every class but one at 0 or at its count."""
    present = np.flatnonzero(counts)
    if errors > counts.sum() or not len(present):
        return np.zeros((int(errors == 0), len(counts)))
    whole = np.array(list(product((0, 1), repeat=len(present)))) * counts[present]      # (2^classes, classes)
    rows = []
    for k in range(len(present)):
        part = whole[whole[:, k] == 0].copy()
        part[:, k] = errors - part.sum(axis=1)
        rows.append(part[(part[:, k] >= 0) & (part[:, k] <= counts[present[k]])])
    missed = np.zeros((sum(map(len, rows)), len(counts)))
    missed[:, present] = np.concatenate(rows)
    return missed


def _totals(counts: np.ndarray, missed: np.ndarray, alarms: np.ndarray, cap) -> tuple[np.ndarray, np.ndarray]:
    """Smallest sum of F1 with these misses (rows, classes) and so many false alarms (rows,), at most `cap` a class.

    Returns the sums (rows,), infinite where the caps leave too little room, and the false alarms (rows, classes).
    The next false alarm costs a class h / (s (s + 1)), h = 2(n - a), s = 2n - a + b, which falls with b: all steps
    dearer than a common threshold are taken at once (found by halving), the last ones singly.
    """
    h, s = 2 * (counts - missed), np.maximum(2 * counts - missed, 1)
    cap = np.broadcast_to(np.asarray(np.minimum(cap, alarms[:, None]), dtype=np.float64), missed.shape)
    room = cap.sum(axis=1) >= alarms

    def taken(threshold: np.ndarray) -> np.ndarray:
        steps = np.ceil((np.sqrt(1 + 4 * h / threshold[:, None]) - 1) / 2 - s)
        return np.clip(steps, 0, cap)                       # (rows, classes)

    low, high = np.full(len(missed), 1e-18), np.full(len(missed), 2.0)
    for _ in range(30):
        middle = np.sqrt(low * high)
        over = taken(middle).sum(axis=1) > alarms
        low, high = np.where(over, middle, low), np.where(over, high, middle)
    b = taken(high)
    while (open_ := room & (b.sum(axis=1) < alarms)).any():
        loss = np.where(b < cap, h / ((s + b) * (s + b + 1)), -1)
        b[open_, loss[open_].argmax(axis=1)] += 1
    return np.where(room, (h / (s + b)).sum(axis=1), np.inf), b


def _through_one_class(counts: np.ndarray, hub: int, errors: int) -> float:
    """Smallest sum of F1 when every error is a miss of `hub` or a false alarm for it; infinite if there is none."""
    others = np.delete(counts, hub)
    parts = {t: _missed(others, errors - t) for t in range(int(min(errors, counts[hub])) + 1)}
    missed = np.concatenate(list(parts.values()))
    if not len(missed):
        return np.inf
    t = np.repeat(list(parts), [len(part) for part in parts.values()])
    totals, _ = _totals(others, missed, t, np.inf)
    own = 2 * (counts[hub] - t) / np.maximum(2 * counts[hub] - t + errors - t, 1)
    return float((own + totals).min())
