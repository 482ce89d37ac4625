"""Defines the words that predicates share, asked of all draws at once: "above", "trend", "largest".

Each function takes values with the draw on axis 0 (D). Tests return one truth for each draw, (D,)
bool; the other functions return one number for each draw. Where a test fails in the first draw, the
table is told what goes against the claim (`Table.against`), for the reader of a published verdict.
A question without meaning in a draw (a constant has no rank correlation, a tie no largest) is
marked as undefined.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from cwr.measures import stats
from cwr.tables import Table, Undefined

TIE = 1e-9  # binary fractions are not decimal ones
SHOWN = 6  # so many items are named that go against a claim


def layer_names(layers: Iterable[int]) -> list[str]:
    """Returns the labels of layers that `every` takes: ["layer 3", ...]."""
    return [f"layer {layer}" for layer in layers]


def every(
    table: Table, truth: np.ndarray, labels: Sequence[object], values: np.ndarray | None = None
) -> np.ndarray:
    """Tests in each draw whether all N items are True; returns (D,) bool.

    truth: (D, N) bool. labels: the names of the items, N. values: the numbers behind the truth, (D,
        N). If the first draw fails, the table is told the labels of the items that are False, with
        their values.
    Raises Undefined for N = 0.
    """
    table.journal.is_compared = False
    return _all(table, truth, labels, values)


def _all(
    table: Table, truth: np.ndarray, labels: Sequence[object], values: np.ndarray | None
) -> np.ndarray:
    if truth.shape[1] == 0:
        raise Undefined("the results here contain nothing to compare")
    table.asked([_label(label) for label in labels], truth)
    if not truth[0].all():
        table.against(_named(np.flatnonzero(~truth[0]), labels, values))
    return truth.all(axis=1)


def most(
    table: Table, truth: np.ndarray, labels: Sequence[object], share: float = 0.5
) -> np.ndarray:
    """Tests in each draw whether more than a share of N items is True; returns (D,) bool.

    truth: (D, N) bool. labels: the names of the items, N. If the first draw fails, the table is
        told how many items are True, and the labels of the others.
    Raises Undefined for N = 0.
    """
    if truth.shape[1] == 0:
        raise Undefined("the results here contain nothing to compare")
    shares = truth.mean(axis=1)
    table.compared([f"share of {truth.shape[1]} cases"], shares, share, np.inf)
    holds = shares > share
    table.asked([f"share of {truth.shape[1]} cases"], holds)
    if not holds[0]:
        failing = _named(np.flatnonzero(~truth[0]), labels)
        table.against(
            f"it is true in {truth[0].sum()} of {truth.shape[1]} cases, but not for {failing}"
        )
    return holds


def _named(items: np.ndarray, labels: Sequence[object], values: np.ndarray | None = None) -> str:
    """Lists items by their labels and values in the first draw: "layer 3 = 0.41, ... and 4 more"."""
    numbers = [""] * len(labels) if values is None else [f" = {value:.3g}" for value in values[0]]
    shown = [f"{_label(labels[item])}{numbers[item]}" for item in items[:SHOWN]]
    more = f" and {len(items) - SHOWN} more" if len(items) > SHOWN else ""
    return ", ".join(shown) + more


def at_least(
    table: Table, values: np.ndarray, bound: float, names: str | Sequence[object]
) -> np.ndarray:
    """Tests in each draw whether values reach the bound, less at most `TIE`; returns (D,) bool.

    values: (D,) under one name, or (D, N) under N names: then all N must reach the bound. If the
        first draw fails, the table is told the names and values that miss it. `at_most`, `above`,
        `below` and `near` take values and names alike.
    """
    return _compared(table, values >= bound - TIE, values, names, low=bound, closed=True)


def at_most(
    table: Table, values: np.ndarray, bound: float, names: str | Sequence[object]
) -> np.ndarray:
    """Tests in each draw whether values exceed the bound by at most `TIE`; returns (D,) bool."""
    return _compared(table, values <= bound + TIE, values, names, high=bound, closed=True)


def above(
    table: Table,
    values: np.ndarray,
    bound: float | np.ndarray,
    names: str | Sequence[object],
) -> np.ndarray:
    """Tests in each draw whether values exceed the bound; returns (D,) bool.

    bound: a number, or an estimate with one value for each draw, (D,).
    """
    return _compared(table, values > bound, values, names, low=bound)


def below(
    table: Table,
    values: np.ndarray,
    bound: float | np.ndarray,
    names: str | Sequence[object],
) -> np.ndarray:
    """Tests in each draw whether values lie under the bound; returns (D,) bool.

    bound: a number, or an estimate with one value for each draw, (D,).
    """
    return _compared(table, values < bound, values, names, high=bound)


def near(
    table: Table,
    values: np.ndarray,
    target: float,
    margin: float,
    names: str | Sequence[object],
) -> np.ndarray:
    """Tests in each draw whether values lie within `margin` of the target; returns (D,) bool."""
    truth = np.abs(values - target) <= margin + TIE
    return _compared(table, truth, values, names, target - margin, target + margin, closed=True)


def _compared(
    table: Table,
    truth: np.ndarray,
    values: np.ndarray,
    names: str | Sequence[object],
    low: float | np.ndarray = -np.inf,
    high: float | np.ndarray = np.inf,
    closed: bool = False,
) -> np.ndarray:
    """Tests whether every value lies between low and high, (D,); the journal gets all of them.

    A bound that is itself an estimate, (D,), is no mark on an axis: then the journal gets nothing.
    """
    if isinstance(names, str):
        truth = _noted(table, truth, values, names)
        labels = [names]
    else:
        truth = _all(table, truth, names, values)
        labels = [_label(name) for name in names]
    if np.ndim(low) == np.ndim(high) == 0:
        table.compared(labels, values, float(low), float(high), closed)
    else:
        table.journal.is_compared = False
    return truth


def trend(table: Table, values: np.ndarray, name: str) -> np.ndarray:
    """Computes the Spearman correlation of values, (D, L), with the order of layers; returns (D,).

    A draw in which all values are equal is undefined. Raises Undefined for fewer than three layers:
    the correlation of two is +1 or -1 whatever the numbers.
    """
    return rank_correlation(
        table, values, np.arange(values.shape[1]), f"{name} with depth", "layers"
    )


def rank_correlation(
    table: Table, values: np.ndarray, others: np.ndarray, name: str, items: str = "models"
) -> np.ndarray:
    """Computes the Spearman correlation of values with others, both (D, N) or (N,); returns (D,).

    A draw in which values or others are constant is undefined. The journal keeps the correlation,
    so that a reader can be told how many orders of the items would do as well. items: what the N
    things are, for a reader. Raises Undefined for fewer than three items.
    """
    result = _correlation(table, stats.rank_correlation, values, others, name, items)
    table.ranked(result, np.shape(values)[-1], items)
    return result


def correlation(
    table: Table, values: np.ndarray, others: np.ndarray, name: str, items: str = "models"
) -> np.ndarray:
    """Computes the Pearson correlation of values with others, both (D, N) or (N,); returns (D,).

    A draw in which values or others are constant is undefined. items: what the N things are, for a
    reader. Raises Undefined for fewer than three items.
    """
    return _correlation(table, stats.correlation, values, others, name, items)


def largest(table: Table, values: np.ndarray, name: str) -> np.ndarray:
    """Returns for each draw the index of the largest of N values: values (D, N), indices (D,) int.

    A draw in which two values share the largest is undefined. Raises Undefined for N < 2.
    """
    return _extreme(table, values, name, "largest")


def _extreme(table: Table, values: np.ndarray, name: str, extreme: str) -> np.ndarray:
    table.journal.is_compared = False
    if values.shape[1] < 2:
        raise Undefined(f"{name} has one value, which is the {extreme} in any case")
    highest = values.max(axis=1, keepdims=True)
    ties = np.isclose(values, highest, rtol=0, atol=TIE).sum(axis=1) > 1
    table.undefined(ties, f"two values tie for the {extreme} {name}")
    return values.argmax(axis=1)


def smallest(table: Table, values: np.ndarray, name: str) -> np.ndarray:
    """Returns for each draw the index of the smallest of N values: values (D, N), indices (D,) int.

    A draw in which two values share the smallest is undefined. Raises Undefined for N < 2.
    """
    return _extreme(table, -values, name, "smallest")


def ratio(table: Table, values: np.ndarray, over: np.ndarray, name: str) -> np.ndarray:
    """Computes values / over, both with the draw on axis 0; a draw with a 0 in `over` is undefined.

    name: the ratio's name, for a reader.
    """
    zero = np.asarray(over) == 0
    table.undefined(
        zero.reshape(len(zero), -1).any(axis=1), f"{name} is a ratio with 0 in its denominator"
    )
    return values / np.where(zero, np.nan, over)


def _correlation(table: Table, measure, values, others, name: str, items: str) -> np.ndarray:
    number = np.shape(values)[-1]
    if number < 3:
        raise Undefined(f"a correlation over only {number} {items} says nothing")
    result = np.broadcast_to(measure(values, others), len(table.draws))
    table.undefined(
        np.isnan(result), f"{name} is undefined, since one of the two variables is constant"
    )
    return result


def _noted(table: Table, truth: np.ndarray, values: np.ndarray, name: str) -> np.ndarray:
    table.asked([name], truth)
    if not np.atleast_1d(truth)[0]:
        table.against(f"{name} = {np.atleast_1d(values)[0]:.3g}")
    return truth


def _label(label: object) -> str:
    return " ".join(map(str, label)) if isinstance(label, tuple) else str(label)
