"""Measures where in a model a task is solved: Tenney, Das and Pavlick (2019).

Scores are those of cumulative probes: probe P(l) may use the layers 0 to l, mixed with learned
weights. Layer 0 is the input of the first block, L the last layer. All functions are exact; only
the scores are noisy, see `expected_layer`.
"""

from collections.abc import Sequence

import numpy as np

NORMAL_95 = 1.96  # half of a 95 % interval in standard deviations


def score_gains(scores: np.ndarray) -> np.ndarray:
    """Computes how much each layer adds to the layers below: score(l) - score(l - 1) for l = 1..L.

    scores: (..., L + 1), the scores of P(0)..P(L). Returns (..., L); gains can be negative.
    Raises ValueError for fewer than two layers and for NaN.
    """
    scores = np.asarray(scores, dtype=np.float64)
    if scores.shape[-1] < 2:
        raise ValueError(f"gains need at least 2 layers, got {scores.shape[-1]}")
    if np.isnan(scores).any():
        raise ValueError(f"{int(np.isnan(scores).sum())} of {scores.size} scores are missing")
    return np.diff(scores, axis=-1)


def expected_layer(scores: np.ndarray, error: float = 0.0) -> float | np.ndarray:
    """Computes the mean layer weighted by gains: sum l * gain(l) / sum gain(l), l = 1..L.

    Tenney et al. (2019), "cumulative scoring": the expected layer of a task.

    scores: (L + 1,) or (draws, L + 1), of P(0)..P(L).
    error: half the width of a score's 95 % interval, in the scores' unit.
    Returns a layer, or (draws,) layers. Negative gains count with their sign, as in the authors'
    notebook; then the value is no expectation and can leave [1, L].
    Raises ValueError where the whole gain score(L) - score(0), the denominator, is below 2 * error
    or not positive, and as `score_gains`.
    """
    gains = score_gains(scores)
    rise = gains.sum(axis=-1)
    if not (rise > 0).all() or (rise < 2 * error).any():
        raise ValueError(
            f"the scores rise by {rise.min():.3g} from layer 0 to {gains.shape[-1]}; "
            "the rise must be above 0 and at least twice the error, "
            f"{2 * error:.3g}"
        )
    layers = np.arange(1.0, gains.shape[-1] + 1)
    return _number_or_array(gains @ layers / rise)


def centre_of_gravity(weights: np.ndarray) -> float | np.ndarray:
    """Computes the mean layer under the weights of a scalar mix: sum l * weight(l), l = 0..L.

    Tenney et al. (2019), "scalar mixing weights".

    weights: (L + 1,) or (draws, L + 1), a softmax, so non-negative with sum 1. The weights of a mix
        without layer norm also depend on the length of a layer's vectors: long vectors need less
        weight.
    Returns a layer in [0, L], or (draws,) layers.
    Raises ValueError for negative weights, and for a sum that is not 1 within 1e-4 (weights are
    printed rounded).
    """
    weights = np.asarray(weights, dtype=np.float64)
    sums = weights.sum(axis=-1)
    if not (weights >= 0).all() or not (abs(sums - 1) <= 1e-4).all():
        raise ValueError(
            "mixing weights are non-negative and sum to 1; the smallest is "
            f"{weights.min():.3g}, the sums lie in {sums.min():.6g} to "
            f"{sums.max():.6g}"
        )
    return _number_or_array(weights @ np.arange(weights.shape[-1]))


def divergence_from_uniform(weights: np.ndarray) -> float:
    """Computes how far weights over layers are from uniform, in bits: KL(weights || uniform).

    It is log2(n) minus the weights' entropy. Tenney et al. (2019) report it beside the expected
    layer and the centre of gravity.

    weights: (n,), non-negative, of any positive sum: the weights of a scalar mix (n = L + 1), or
        the gains of layers 1..L with negative gains set to 0, as in the authors' notebook (n = L).
    Returns bits in [0, log2(n)]: 0 for equal weights, log2(n) if one layer has all.
    Raises ValueError for a negative weight and for no positive one.
    """
    weights = np.asarray(weights, dtype=np.float64)
    if not (weights >= 0).all() or not weights.sum() > 0:
        raise ValueError(
            "a divergence needs non-negative weights with a positive sum, got a "
            f"smallest weight of {weights.min():.3g} and a sum of {weights.sum():.3g}"
        )
    shares = weights[weights > 0] / weights.sum()
    return float(np.log2(len(weights)) + (shares * np.log2(shares)).sum())


def counts(said: np.ndarray, is_gold: np.ndarray) -> np.ndarray:
    """Counts true positives, false positives and false negatives of each target, (..., n, 3).

    Tenney et al. (2019a), section 2: every label of every target is one binary decision.

    said: (..., n, labels) bool, the decisions of a probe; is_gold: (n, labels) bool. Leave out
    labels that are not scored: coreference is scored on the label "1" alone.
    Raises ValueError for arrays that are not bool, and for shapes that do not fit.
    """
    said, is_gold = np.asarray(said), np.asarray(is_gold)
    if said.dtype != bool or is_gold.dtype != bool or said.shape[-2:] != is_gold.shape:
        raise ValueError(
            f"decisions are yes or no, one a target and label: got {said.dtype} {said.shape} for "
            f"{is_gold.dtype} {is_gold.shape}"
        )
    right = (said & is_gold).sum(axis=-1)
    return np.stack([right, said.sum(axis=-1) - right, is_gold.sum(axis=-1) - right], axis=-1)


def f1(counted: np.ndarray) -> np.ndarray:
    """Computes micro F1, 2 TP / (2 TP + FP + FN), from (..., 3) counts: (...,), in [0, 1].

    The result is NaN where there is neither a gold nor a predicted label.
    """
    tp, fp, fn = np.moveaxis(np.asarray(counted, dtype=np.float64), -1, 0)
    whole = 2 * tp + fp + fn
    return np.where(whole > 0, 2 * tp / np.where(whole > 0, whole, 1), np.nan)


def label_f1(said: np.ndarray, gold: np.ndarray, labels: Sequence[object]) -> np.ndarray:
    """Computes each label's F1, (len(labels),), for targets with one label each; 0 without a hit.

    said, gold: (n,), the predicted and the gold label of each target.
    """
    right = np.array([((said == label) & (gold == label)).sum() for label in labels])
    either = np.array([(said == label).sum() + (gold == label).sum() for label in labels])
    return 2 * right / np.where(either > 0, either, 1)


def relation_f1(said: Sequence[str], gold: Sequence[str]) -> float:
    """Computes the official score of SemEval-2010, task 8: macro F1 over relations except Other.

    Hendrickx et al. (2010): a relation "Cause-Effect(e1,e2)" counts as predicted in either
    direction, and as correct only in the gold one. said, gold: (n,) labels, predicted and gold.
    Raises ValueError where no label of gold has a direction.
    """
    names = [label.partition("(")[0] for label in gold if "(" in label]
    if not names:
        raise ValueError("no gold label is a relation with a direction")
    directed = [(label.partition("(")[0], label) for label in said]
    truth = [(label.partition("(")[0], label) for label in gold]
    values = []
    for name in sorted(set(names)):
        pairs = zip(directed, truth, strict=True)
        right = sum(one == other and one[0] == name for one, other in pairs)
        either = sum(one[0] == name for one in (*directed, *truth))
        values.append(2 * right / either)
    return float(np.mean(values))


def order_agreement(values: np.ndarray) -> float:
    """Computes Kendall's tau: the share of pairs in order minus the share of pairs out of order.

    values: (n,), n >= 2, in the claimed order from low to high; ties count as neither.
    Returns a number in [-1, 1], which is 1 if the values rise strictly.
    Raises ValueError for fewer than two values and for NaN.
    """
    values = np.asarray(values, dtype=np.float64)
    if len(values) < 2 or np.isnan(values).any():
        raise ValueError(f"an order needs at least 2 values without gaps, got {values}")
    first, second = np.triu_indices(len(values), 1)  # (pairs,)
    return float(np.sign(values[second] - values[first]).mean())


def implied_trials(shares: np.ndarray, half_widths: np.ndarray) -> np.ndarray:
    """Computes the number n of trials that a printed 95 % interval of a share p implies.

    n = 1.96^2 p (1 - p) / half_width^2: the normal approximation of a binomial share, solved for n.
    shares: in (0, 1); half_widths: > 0, same unit; numbers or arrays of one shape, which the result
        has.
    Raises ValueError outside these ranges.
    """
    shares = np.asarray(shares, dtype=np.float64)
    half_widths = np.asarray(half_widths, dtype=np.float64)
    if not _strictly_between_0_and_1(shares) or not (half_widths > 0).all():
        raise ValueError(
            "shares lie strictly between 0 and 1 and half widths above 0, got "
            f"{shares.min():.3g} to {shares.max():.3g} and {half_widths.min():.3g}"
        )
    return NORMAL_95**2 * shares * (1 - shares) / half_widths**2


def draw_scores(scores: np.ndarray, trials: float, draws: int, seed: int | list[int]) -> np.ndarray:
    """Adds independent normal errors to given scores p, in each draw, (draws, n).

    The variance of an error is p (1 - p) / trials. scores: (n,), shares strictly between 0 and 1;
    trials: > 0, see `implied_trials`.
    Layers that share their test items err together, so differences of layers vary less than these
    draws do. Raises ValueError outside these ranges.
    """
    scores = np.asarray(scores, dtype=np.float64)
    if not _strictly_between_0_and_1(scores) or not trials > 0:
        raise ValueError(
            "shares lie strictly between 0 and 1 and trials above 0, got "
            f"{scores.min():.3g} to {scores.max():.3g} and {trials:.3g}"
        )
    noise = np.random.default_rng(seed).normal(size=(draws, len(scores)))
    return scores + noise * np.sqrt(scores * (1 - scores) / trials)  # (draws, n)


def _strictly_between_0_and_1(shares: np.ndarray) -> bool:
    return bool(((shares > 0) & (shares < 1)).all())


def _number_or_array(values: np.ndarray) -> float | np.ndarray:
    return float(values) if values.ndim == 0 else values
