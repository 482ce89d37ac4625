"""Measures how far the number that decides a claim is from the claim's threshold.

D = draws, N = values that a claim compares
"""

from dataclasses import dataclass, field

import numpy as np

from cwr.measures import stats
from cwr.tables import Journal


@dataclass(frozen=True)
class Distance:
    """The value that decides a claim, and the bounds between which the claim holds.

    name: the value's label ("layer 3", "last layer"). interval: the 95 % interval of the draws;
        None without draws. low, high: the bounds, infinite where open. model: the published model
        that has this value; empty for ours. draws: the value in each draw, (D,), NaN where it is
        undefined; None without draws.
    """

    name: str
    value: float
    interval: tuple[float, float] | None
    low: float
    high: float
    model: str = ""
    draws: np.ndarray | None = field(default=None, compare=False, repr=False)

    @property
    def room(self) -> np.ndarray | None:
        """The distance to the nearer bound, (D,), negative outside; None without draws."""
        return None if self.draws is None else _room(self.draws, self.low, self.high)


def distance(
    point: Journal, point_truth: np.ndarray, draws: Journal | None, truth: np.ndarray | None
) -> Distance | None:
    """Returns a claim's distance from its bounds; None unless one number and fixed bounds decide.

    point: the journal of the claim's predicate on the estimates themselves; point_truth: its answer,
        (1,) bool. draws, truth: the same on the replicates, (D,) bool; None without replicates.
    If several values must lie between the same bounds, the worst value in each draw counts. This
    number alone must decide the predicate in every draw: a claim that also asks for something
    else has no distance.
    """
    at_point = _worst(point, point_truth)
    if at_point is None:
        return None
    (value,), label, bounds = at_point
    if draws is None:
        return Distance(label, float(value), None, *bounds)
    at_draws = _worst(draws, truth)
    if at_draws is None or at_draws[2] != bounds:
        return None
    values = np.where(draws.undefined, np.nan, at_draws[0])
    interval = stats.interval(values[~draws.undefined])
    return Distance(label, float(value), interval, *bounds, draws=values)


def paired_interval(
    before: tuple[Distance, ...], after: tuple[Distance, ...]
) -> tuple[float, float] | None:
    """Returns the 95 % interval of a deciding number's change, after minus before, paired by draw.

    before, after: the distances of two verdicts, each with one number (D,). Draws in which either
        number is undefined do not count. None if one of the verdicts has no draws.
    """
    draws = [far.draws for far in (*before, *after) if far.draws is not None]
    if len(draws) < 2:
        return None
    shared = min(map(len, draws))
    difference = draws[1][:shared] - draws[0][:shared]
    return stats.interval(difference[~np.isnan(difference)])


def _worst(
    journal: Journal, truth: np.ndarray
) -> tuple[np.ndarray, str, tuple[float, float]] | None:
    """Returns each draw's worst value (D,), the first draw's label, and the bounds; or None."""
    bounds = {(each.low, each.high) for each in journal.comparisons}
    if len(bounds) != 1 or not journal.is_compared or journal.undefined.all():
        return None
    ((low, high),) = bounds
    values = np.concatenate([each.values for each in journal.comparisons], axis=1)  # (D, N)
    labels = [label for each in journal.comparisons for label in each.labels]
    room = _room(values, low, high)
    worst = room.argmin(axis=1)
    defined = ~journal.undefined
    if not _explains(room.min(axis=1)[defined], truth[defined]):
        return None
    return values[np.arange(len(values)), worst], labels[worst[0]], (low, high)


def _room(values: np.ndarray, low: float, high: float) -> np.ndarray:
    """Returns the distance from values to the nearer bound, negative outside."""
    return np.minimum(values - low, high - values)


def _explains(room: np.ndarray, truth: np.ndarray) -> bool:
    """Tells whether truth (D,) equals room > 0, except where a value lies on the bound."""
    on_bound = np.abs(room) <= 1e-9
    return bool(np.isfinite(room).all() and ((room > 0) == truth)[~on_bound].all())
