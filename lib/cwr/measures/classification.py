"""Bounds the macro-F1 at a given accuracy: the smallest, and the largest for two classes.

All numbers are shares in [0, 1], not per cent. Class i has n_i items, a_i misses among them, and
b_i false alarms: items of other classes called i. Then F1_i = 2(n_i - a_i) / (2 n_i - a_i + b_i),
and 0 for a class without hits.
"""

from collections.abc import Sequence
from itertools import product

import numpy as np

MOST_CLASSES = 12  # to enumerate: 12 * 2^11 sets of missed classes
GRID = 25  # numbers of errors with which an envelope begins
CHEAPEST, DEAREST = 1e-18, 2.0  # between them lies what a false alarm costs a class
HALVINGS = 30  # of that range, on a logarithmic scale


def counts_of(class_counts: Sequence[int]) -> np.ndarray:
    """Converts class counts to an array (classes,) float.

    Raises ValueError unless they are whole, >= 0 and not all 0.
    """
    counts = np.asarray(class_counts, dtype=np.float64)
    if counts.ndim != 1 or not counts.sum() > 0 or (counts < 0).any() or (counts % 1 != 0).any():
        raise ValueError(
            f"class counts are whole numbers, not all of them 0, got {list(class_counts)}"
        )
    return counts


def errors_at(class_counts: Sequence[int], accuracy: float) -> int:
    """Computes the number of errors at an accuracy: (1 - accuracy) * sum(class_counts), rounded.

    Raises ValueError as `counts_of`, for an accuracy outside [0, 1], and for errors where there is
    only one class.
    """
    counts = counts_of(class_counts)
    if not 0 <= accuracy <= 1:  # also refuses NaN
        raise ValueError(f"an accuracy is a share between 0 and 1, got {accuracy}")
    errors = int(round((1 - accuracy) * counts.sum()))
    if errors and len(counts) < 2:
        raise ValueError(f"one class leaves no room for {errors} errors")
    return errors


def smallest_macro_f1(class_counts: Sequence[int], accuracy: float) -> float:
    """Computes the smallest macro-F1 that predictions with this accuracy can have, exactly.

    class_counts: items of each class in the test set; the mean is over all of them, present or not.
    accuracy: a share, taken as E = `errors_at` wrong items; for a rounded accuracy give the lower
        edge of its rounding interval.

    It is a minimum over confusion matrices. F1_i is concave in a_i, so some minimum has every a_i
    but one at 0 or n_i: these are enumerated. It is convex in b_i, so the E false alarms go to the
    class that loses most, one by one. This minimum over sums alone, a proven lower bound, is exact
    if errors off the diagonal can have these sums: iff a_i + b_i <= E for every class. If not (few
    errors), the minimum is taken under that condition: either all classes keep it with a_i at 0 or
    n_i but one, or one class has a_i + b_i = E, so that every error involves it
    (`_through_one_class`).

    Raises ValueError as `errors_at`, and for more than 12 classes with items: see `low_macro_f1`.
    """
    counts, errors = counts_of(class_counts), errors_at(class_counts, accuracy)
    if len(counts) == 2:
        return float(_two_classes(counts, errors).min())
    total, possible = _over_sums(counts, errors)
    if not possible:
        missed = _missed(counts, errors)
        alarms = np.full(len(missed), errors)
        within_cap, _ = _totals(counts, missed, alarms, errors - missed)
        through_one = [_through_one_class(counts, hub, errors) for hub in range(len(counts))]
        total = min(within_cap.min(), *through_one)
    return float(total / len(counts))


def low_macro_f1(class_counts: Sequence[int], accuracy: float) -> float:
    """Computes a low macro-F1 that predictions with this accuracy can have, not always the lowest.

    These predictions miss whole classes, the smallest first. The value, for any number of classes,
    is an upper bound of the smallest macro-F1: a lower macro-F1 may still be possible.
    class_counts: items of each class; accuracy: a share.
    Raises ValueError as `errors_at`.
    """
    counts, errors = counts_of(class_counts), errors_at(class_counts, accuracy)
    order = np.argsort(counts, kind="stable")
    before = np.concatenate([[0], np.cumsum(counts[order])[:-1]])  # items of all smaller classes
    missed = np.zeros((1, len(counts)))
    missed[0, order] = np.clip(errors - before, 0, counts[order])
    totals, _ = _totals(counts, missed, np.array([errors]), errors - missed)
    return float(totals[0] / len(counts))


def largest_macro_f1(class_counts: Sequence[int], accuracy: float) -> float:
    """Computes the largest macro-F1 that predictions of two classes with this accuracy can have.

    class_counts: items of each class; accuracy: a share; for a rounded accuracy give the upper edge
        of its rounding interval.
    Raises ValueError as `errors_at`, and for a number of classes other than two.
    """
    counts, errors = counts_of(class_counts), errors_at(class_counts, accuracy)
    if len(counts) != 2:
        raise ValueError(f"the largest macro-F1 is computed for 2 classes, got {len(counts)}")
    return float(_two_classes(counts, errors).max())


def mean_of_runs_envelope(
    class_counts: Sequence[int], lowest: float = 0, highest: float = 1
) -> tuple[np.ndarray, np.ndarray]:
    """Computes a lower bound of several runs' mean macro-F1, as a curve: accuracies, macro-F1.

    The bound is the lower convex envelope of the minimum over sums (`smallest_macro_f1`) for runs
    with accuracies between `lowest` and `highest`; interpolate its corners, two arrays (corners,),
    at the runs' mean accuracy. The minimum never rises with the errors, so its last value bounds a
    whole interval of numbers of errors; intervals whose bound is a corner are halved. Raises
    ValueError as `smallest_macro_f1`.
    """
    counts = counts_of(class_counts)
    items = int(counts.sum())
    few, many = errors_at(class_counts, highest), errors_at(class_counts, lowest)
    values = {}  # macro-F1 by number of errors
    todo = set(np.linspace(few, many, GRID).round().astype(int).tolist())
    while todo:
        for errors in todo:
            values[errors] = _over_sums(counts, errors)[0] / len(counts)
        points = _with_stand_ins(values, items)
        corners = _lower_hull([(x, y) for x, (y, _) in sorted(points.items())])
        todo = _halfway(corners, points, values)
    return np.array([x for x, _ in corners]), np.array([y for _, y in corners])


def _with_stand_ins(values: dict[int, float], items: int) -> dict[float, tuple[float, int]]:
    """Returns {accuracy: (macro-F1, errors)} of computed values, and one stand-in per interval.

    A stand-in has the interval's first uncomputed number of errors, and its last value.
    """
    points = {1 - errors / items: (value, errors) for errors, value in values.items()}
    for before, after in _intervals(values):
        if before + 1 < after:
            points[1 - (before + 1) / items] = (values[after], before + 1)
    return points


def _halfway(
    corners: list[tuple[float, float]],
    points: dict[float, tuple[float, int]],
    values: dict[int, float],
) -> set[int]:
    """The numbers of errors at which to halve the intervals whose stand-in is a corner."""
    ends = {before + 1: after for before, after in _intervals(values)}
    stand_ins = [points[x][1] for x, _ in corners if points[x][1] not in values]
    return {(errors + ends[errors]) // 2 for errors in stand_ins}


def _intervals(values: dict[int, float]) -> list[tuple[int, int]]:
    """Neighbours among the numbers of errors that are computed."""
    grid = sorted(values)
    return list(zip(grid[:-1], grid[1:], strict=True))


def _lower_hull(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The corners of the lower convex envelope of points (x, y) sorted by x."""
    hull: list[tuple[float, float]] = []
    for point in points:
        while len(hull) > 1 and not _turns_left(hull[-2], hull[-1], point):
            hull.pop()
        hull.append(point)
    return hull


def _turns_left(
    first: tuple[float, float], second: tuple[float, float], third: tuple[float, float]
) -> bool:
    """Whether the way over three points turns left in the second one."""
    (x, y), (x2, y2), (x3, y3) = first, second, third
    return (x2 - x) * (y3 - y) > (y2 - y) * (x3 - x)


def _over_sums(counts: np.ndarray, errors: int) -> tuple[float, bool]:
    """Returns the smallest sum of F1 over sums of misses and alarms, and if a matrix has them."""
    present = int((counts > 0).sum())
    if present > MOST_CLASSES:
        raise ValueError(
            f"{present} classes are more than the {MOST_CLASSES} that can be enumerated"
        )
    missed = _missed(counts, errors)
    totals, alarms = _totals(counts, missed, np.full(len(missed), errors), np.inf)
    best = int(totals.argmin())
    return float(totals[best]), bool((missed[best] + alarms[best] <= errors).all())


def _two_classes(counts: np.ndarray, errors: int) -> np.ndarray:
    """Computes macro-F1 of every confusion matrix of two classes with these errors, (matrices,).

    The misses of one class are the false alarms of the other.
    """
    a_first = np.arange(max(0, errors - counts[1]), min(counts[0], errors) + 1)
    first = _f1_where_errors_are_shared(counts[0], a_first, errors)
    second = _f1_where_errors_are_shared(counts[1], errors - a_first, errors)
    return (first + second) / 2


def _f1_where_errors_are_shared(n: float, a: np.ndarray, errors: int) -> np.ndarray:
    """F1 of a class of n items with a misses, when all other errors are false alarms for it."""
    return 2 * (n - a) / np.maximum(2 * n - a + errors - a, 1)


def _missed(counts: np.ndarray, errors: int) -> np.ndarray:
    """Lists all misses (rows, classes) that sum to `errors`, with all classes but one at 0 or n."""
    present = np.flatnonzero(counts)
    if errors > counts.sum() or not len(present):
        return np.zeros((int(errors == 0), len(counts)))
    subsets = np.array(list(product((0, 1), repeat=len(present))))
    whole = subsets * counts[present]  # (2^classes, classes)
    rows = []
    for k in range(len(present)):
        misses = whole[whole[:, k] == 0].copy()
        misses[:, k] = errors - misses.sum(axis=1)  # class k takes the rest
        fits = (misses[:, k] >= 0) & (misses[:, k] <= counts[present[k]])
        rows.append(misses[fits])
    missed = np.zeros((sum(map(len, rows)), len(counts)))
    missed[:, present] = np.concatenate(rows)
    return missed


def _totals(
    counts: np.ndarray, missed: np.ndarray, alarms: np.ndarray, cap: float | np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Computes the smallest sums of F1 with these misses (rows, classes) and alarms (rows,).

    cap: the most false alarms of a class, a number or (rows, classes).
    Returns the sums (rows,), infinite where the caps leave too little room, and the false alarms
    (rows, classes).

    With h = 2(n - a) and s = 2n - a, a class has F1 = h / (s + b), and its next false alarm costs h
    / ((s + b) (s + b + 1)), which falls with b: all steps dearer than a common threshold are taken
    at once (it is looked for by halving), the last ones singly.
    """
    h, s = 2 * (counts - missed), np.maximum(2 * counts - missed, 1)
    cap = np.asarray(np.minimum(cap, alarms[:, None]), dtype=np.float64)
    cap = np.broadcast_to(cap, missed.shape)
    room = cap.sum(axis=1) >= alarms  # (rows,)

    def steps_dearer_than(threshold: np.ndarray) -> np.ndarray:
        steps = np.ceil((np.sqrt(1 + 4 * h / threshold[:, None]) - 1) / 2 - s)
        return np.clip(steps, 0, cap)  # (rows, classes)

    low, high = np.full(len(missed), CHEAPEST), np.full(len(missed), DEAREST)
    for _ in range(HALVINGS):
        middle = np.sqrt(low * high)
        too_many = steps_dearer_than(middle).sum(axis=1) > alarms
        low, high = np.where(too_many, middle, low), np.where(too_many, high, middle)
    b = _last_steps(steps_dearer_than(high), h, s, cap, np.where(room, alarms, 0))
    return np.where(room, (h / (s + b)).sum(axis=1), np.inf), b


def _last_steps(
    b: np.ndarray, h: np.ndarray, s: np.ndarray, cap: np.ndarray, alarms: np.ndarray
) -> np.ndarray:
    """Adds false alarms one by one to b (rows, classes), which is changed, up to `alarms` (rows,).

    Each goes to the class that loses most; h, s, cap: (rows, classes), as in `_totals`.
    """
    rows = b.sum(axis=1) < alarms
    while rows.any():
        cost = np.where(b < cap, h / ((s + b) * (s + b + 1)), -1)
        b[rows, cost[rows].argmax(axis=1)] += 1
        rows = b.sum(axis=1) < alarms
    return b


def _through_one_class(counts: np.ndarray, hub: int, errors: int) -> float:
    """Computes the smallest sum of F1 when every error is a miss of `hub` or a false alarm for it.

    Infinite if there are no such predictions.
    """
    others = np.delete(counts, hub)
    rows, misses_of_hub = [], []
    for a in range(int(min(errors, counts[hub])) + 1):  # misses of the hub
        missed = _missed(others, errors - a)
        rows.append(missed)
        misses_of_hub += [a] * len(missed)
    missed, a = np.concatenate(rows), np.array(misses_of_hub, dtype=int)
    if not len(missed):
        return np.inf
    totals, _ = _totals(others, missed, a, np.inf)
    return float((_f1_where_errors_are_shared(counts[hub], a, errors) + totals).min())
