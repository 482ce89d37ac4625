"""The output layer of a language model, softmax(W h), and how a training step changes its rows.

Biś et al. (2021), section 3.3.

    v   words of the vocabulary, the rows of W
    p   positions in a text
    d   dimensions

W is (v, d), one row a word; hidden is (p, d), the input of the output layer.
"""

import numpy as np


def cross_entropy(W: np.ndarray, hidden: np.ndarray, targets: np.ndarray) -> float:
    """Sums -log softmax(W h)_target over positions (equation 3), in nats.

    W: (v, d); hidden: (p, d); targets: (p,), row numbers of W.
    Raises ValueError for unequal numbers of targets and positions, and for a target that is no row
    of W.
    """
    targets = _checked(W, hidden, targets)
    return float(-_log_probabilities(W, hidden)[np.arange(len(targets)), targets].sum())


def gradient(W: np.ndarray, hidden: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Computes the derivative of `cross_entropy` by W, (v, d): (y - one-hot target)' h, equation 5.

    The rows sum to zero, because adding one vector to all rows of W adds the same number to all
    scores of a position, which softmax ignores. So plain gradient descent leaves the mean row of W
    where it is. W: (v, d); hidden: (p, d); targets: (p,). Raises ValueError as `cross_entropy`.
    """
    targets = _checked(W, hidden, targets)
    errors = np.exp(_log_probabilities(W, hidden))  # (p, v)
    errors[np.arange(len(targets)), targets] -= 1
    return errors.T @ np.asarray(hidden, dtype=np.float64)


def nontarget_rows(W: np.ndarray, hidden: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Returns the rows of `gradient` for words that are not targets, (words, d): "common enemies".

    At one position all these rows point along h (section 3.3). Shapes and ValueError as `gradient`.
    """
    return np.delete(gradient(W, hidden, targets), targets, axis=0)


def margins(W: np.ndarray, hidden: np.ndarray) -> np.ndarray:
    """Computes the margin of each position, (p,): the highest score minus the second highest.

    W: (v, d); hidden: (p, d). Raises ValueError for fewer than two words.
    """
    if len(W) < 2:
        raise ValueError(f"a margin needs at least 2 words, got {len(W)}")
    scores = np.asarray(hidden, dtype=np.float64) @ np.asarray(W, dtype=np.float64).T
    return np.diff(np.partition(scores, -2, axis=1)[:, -2:], axis=1)[:, 0]


def _log_probabilities(W: np.ndarray, hidden: np.ndarray) -> np.ndarray:
    """log softmax(W h) of each position, (p, v)."""
    scores = np.asarray(hidden, dtype=np.float64) @ np.asarray(W, dtype=np.float64).T
    scores = scores - scores.max(axis=1, keepdims=True)
    return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))


def _checked(W: np.ndarray, hidden: np.ndarray, targets: np.ndarray) -> np.ndarray:
    targets = np.asarray(targets)
    if len(targets) != len(hidden):
        raise ValueError(f"{len(targets)} targets for {len(hidden)} positions")
    if len(targets) and not (0 <= targets.min() and targets.max() < len(W)):
        raise ValueError(f"targets lie in [0, {len(W)}), got {targets.min()} to {targets.max()}")
    return targets
