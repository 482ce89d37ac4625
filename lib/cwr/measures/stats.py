"""Draws bootstrap replicates that can be combined across notebooks, and computes intervals.

Items (words, sentences, sampled tokens) are resampled, never the occurrences within an item. The
draws of replicate r depend on the item set, the seed and r alone: two measures of the same items
get the same draws, so their replicates can be subtracted; different item sets are drawn
independently.
"""

import functools
import hashlib
from collections.abc import Callable, Sequence
from statistics import NormalDist

import numpy as np


def resample(items: Sequence | np.ndarray, draws: int = 1000, seed: int = 0) -> np.ndarray:
    """Draws for each replicate the indices of n items with replacement, (draws, n) int.

    items: n labels or values; the draws depend on them, seed and draw alone.
    Raises ValueError for no items.
    """
    items = np.asarray(items)
    if not len(items):
        raise ValueError("nothing to resample: no items")
    entropy = _entropy(items, seed)
    picks = []
    for r in range(draws):
        generator = np.random.default_rng([entropy, r])
        picks.append(generator.integers(len(items), size=len(items)))
    return np.stack(picks)  # (draws, n)


def weights(items: Sequence | np.ndarray, draws: int = 1000, seed: int = 0) -> np.ndarray:
    """Counts how often each bootstrap replicate draws each item, (draws, n); rows sum to n.

    Raises ValueError for no items.
    """
    picks = resample(items, draws, seed)
    n = picks.shape[1]
    cells = picks + n * np.arange(draws)[:, None]  # of the table (draws, n), row by row
    counts = np.bincount(cells.ravel(), minlength=draws * n)
    return counts.reshape(draws, n).astype(np.float64)


def shared_weights(items: Sequence | np.ndarray, draws: int = 1000, seed: int = 0) -> np.ndarray:
    """Returns `weights` of items, cached and read-only, for measures that share these items."""
    return _shared_weights(tuple(np.asarray(items).tolist()), draws, seed)


@functools.lru_cache(maxsize=8)  # of some 20 MB each
def _shared_weights(items: tuple, draws: int, seed: int) -> np.ndarray:
    drawn = weights(np.array(items), draws, seed)
    drawn.setflags(write=False)
    return drawn


def bootstrap(
    statistic: Callable, items: Sequence | np.ndarray, draws: int = 1000, seed: int = 0
) -> np.ndarray:
    """Computes replicates of a statistic, (draws, ...): `statistic(sample)` for each resample.

    items: n values, rows or labels (first axis = items). A mean over *pairs* of items must not
    count an item's own copies: use `weights` with `contextuality.mean_pairwise_cosine`.
    The result depends on items and seed alone. Raises ValueError for no items.
    """
    items = np.asarray(items)
    return np.array([statistic(items[pick]) for pick in resample(items, draws, seed)])


def interval(replicates: np.ndarray, level: float = 0.95) -> tuple:
    """Computes the percentile interval (low, high) over the first axis of replicates.

    replicates: (draws,) or (draws, ...). Returns floats, or arrays of the shape of a draw; NaN
    where replicates are NaN.
    Raises ValueError for a level outside (0, 1) and for no replicates.
    """
    replicates = np.asarray(replicates, dtype=np.float64)
    if not 0 < level < 1:
        raise ValueError(f"level {level} is not between 0 and 1")
    if not len(replicates):
        raise ValueError("no replicates")
    low, high = np.quantile(replicates, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return (float(low), float(high)) if low.ndim == 0 else (low, high)


def mean_draws(values: np.ndarray, draws: int = 1000, seed: int = 0) -> np.ndarray:
    """Draws from the posterior of the mean of a few values, Student's t, (draws, ...).

    A bootstrap of two or six values is far too narrow. The mean of n normal values has this
    posterior under a flat prior, with n - 1 degrees of freedom (Gelman et al., 2013, Bayesian Data
    Analysis, section 3.2). Arrays are drawn as wholes, so the draws keep a sum that all values
    share. For n = 1 every draw equals the value.
    values: (n, ...). Draws with equal n and seed use the same random numbers, so they are paired.
    Raises ValueError for no values.
    """
    values = np.asarray(values, dtype=np.float64)
    if not len(values):
        raise ValueError("no values to draw a mean of")
    n, mean = len(values), values.mean(axis=0)
    if n == 1:
        return np.repeat(values, draws, axis=0)
    generator = np.random.default_rng([n, seed])
    normal = generator.normal(size=(draws, n))
    tail = np.sqrt((n - 1) / generator.chisquare(n - 1, size=(draws, 1)))
    spread = np.tensordot(normal * tail, values - mean, axes=1)  # (draws, ...)
    return mean + spread / np.sqrt(n * (n - 1))


def mean_over_trainings(values: np.ndarray, resampled: np.ndarray, seed: int = 0) -> np.ndarray:
    """Draws the mean score of a few trainings on resampled items, (draws, ...).

    Each draw is the mean over all trainings on its items plus an error for the few trainings
    (`mean_draws`): the two sources are independent, so their errors add up.
    values: (n, ...), the score of each training on all items. resampled: (draws, n, ...), the
    scores on the items of each draw. Raises ValueError as `mean_draws`.
    """
    of_trainings = mean_draws(values, len(resampled), seed)
    return resampled.mean(axis=1) + of_trainings - np.mean(values, axis=0)


def least_detectable(replicates: np.ndarray, level: float = 0.95, power: float = 0.8) -> float:
    """Computes the smallest true effect that such a sample would detect, in the replicates' unit.

    The minimum detectable effect of Bloom (1995, Evaluation Review 19(5)): the number of standard
    errors that a two-sided test finds in a share `power` of samples, 2.80 by default. The standard
    error is the standard deviation of the replicates. Estimates are assumed to be normal, with the
    same standard error for any effect.
    replicates: (draws,), without NaN. Raises ValueError for fewer than two, for a level outside
    (0, 1) and for a power outside [0.5, 1).
    """
    replicates = np.asarray(replicates, dtype=np.float64)
    if len(replicates) < 2:
        raise ValueError(f"a standard error needs two replicates at least, got {len(replicates)}")
    if not (0 < level < 1 and 0.5 <= power < 1):
        raise ValueError(f"level {level} is not between 0 and 1, or power {power} not from 0.5 on")
    quantile = NormalDist().inv_cdf
    return float((quantile((1 + level) / 2) + quantile(power)) * replicates.std(ddof=1))


def percentile_rank(values: np.ndarray) -> np.ndarray:
    """Computes each value's rank divided by the number n of values, (n,) in (0, 1].

    values: (n,). The smallest value has rank 1. Ties share the mean of their ranks.
    """
    ordered = np.sort(values)
    first = np.searchsorted(ordered, values, "left")
    after = np.searchsorted(ordered, values, "right")
    return (first + 1 + after) / 2 / len(ordered)


def ranks(values: np.ndarray) -> np.ndarray:
    """Ranks values (..., n) along the last axis from 1; ties share their mean rank.

    The rank of NaN is 0.5, and NaN does not change the ranks of the others. NumPy alone, where
    `scipy.stats.rankdata` would do: claims are judged with it, and `make taste` judges them
    without SciPy.
    """
    values = np.asarray(values, dtype=float)
    order = np.argsort(values, axis=-1, kind="stable")  # (..., n), NaN last
    ordered = np.take_along_axis(values, order, axis=-1)
    is_new = np.ones(values.shape, dtype=bool)  # no tie with the value before
    is_new[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    is_last = np.ones(values.shape, dtype=bool)  # no tie with the value after
    is_last[..., :-1] = is_new[..., 1:]
    position = np.arange(values.shape[-1])
    first = np.maximum.accumulate(np.where(is_new, position, 0), axis=-1)
    from_the_end = np.where(is_last, position, len(position))[..., ::-1]
    last = np.minimum.accumulate(from_the_end, axis=-1)[..., ::-1]
    shared = np.where(np.isnan(ordered), 0.5, (first + last) / 2 + 1)
    ranked = np.empty(values.shape)
    np.put_along_axis(ranked, order, shared, axis=-1)
    return ranked


def correlation(values: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Computes the Pearson correlation along the last axis, (...,); NaN where a side is constant.

    values, others: (..., n), broadcast against each other. Raises ValueError for n < 2.
    """
    values, others = np.asarray(values, dtype=float), np.asarray(others, dtype=float)
    if values.shape[-1] < 2:
        raise ValueError(f"a correlation needs at least 2 pairs, got {values.shape[-1]}")
    constant = (np.ptp(values, axis=-1) == 0) | (np.ptp(others, axis=-1) == 0)
    first = values - values.mean(axis=-1, keepdims=True)
    second = others - others.mean(axis=-1, keepdims=True)
    product = (first * second).sum(axis=-1)
    norms = np.sqrt((first**2).sum(axis=-1) * (second**2).sum(axis=-1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(constant, np.nan, product / norms)


def rank_correlation(values: np.ndarray, others: np.ndarray | None = None) -> np.ndarray:
    """Computes the Spearman correlation along the last axis, (...,), with others or with the index.

    values, others: (..., n), broadcast against each other. Ties share their rank. NaN where a side
        is constant. Raises ValueError for n < 2.
    """
    others = np.arange(np.shape(values)[-1]) if others is None else others
    return correlation(ranks(values), ranks(others))


def _entropy(items: np.ndarray, seed: int) -> int:
    """Returns a number for the generators, from the seed and the items' shape and content."""
    if items.dtype.kind in "OUS":
        content = "\x1f".join(map(str, items.ravel())).encode()
    else:
        content = np.ascontiguousarray(items).tobytes()
    head = f"{seed}|{items.shape}|".encode()
    return int.from_bytes(hashlib.sha256(head + content).digest(), "big")
