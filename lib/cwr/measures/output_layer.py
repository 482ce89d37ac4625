"""The output layer of a language model, softmax(W h), and what one step of training does to its rows.

Biś et al. (2021), section 3.3. W is (vocabulary, dim), one row per word; hidden is (positions, dim), the outputs.
"""
import numpy as np


def _log_probabilities(W: np.ndarray, hidden: np.ndarray) -> np.ndarray:
    scores = np.asarray(hidden, dtype=np.float64) @ np.asarray(W, dtype=np.float64).T      # (positions, vocabulary)
    scores = scores - scores.max(axis=1, keepdims=True)
    return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))


def _checked(W: np.ndarray, hidden: np.ndarray, targets: np.ndarray) -> np.ndarray:
    targets = np.asarray(targets)
    if len(targets) != len(hidden):
        raise ValueError(f"{len(targets)} targets for {len(hidden)} positions")
    if len(targets) and not (0 <= targets.min() and targets.max() < len(W)):
        raise ValueError(f"targets lie in [0, {len(W)}), got {targets.min()} to {targets.max()}")
    return targets


def cross_entropy(W: np.ndarray, hidden: np.ndarray, targets: np.ndarray) -> float:
    """Sum over positions of -log softmax(W h)_target (equation 3). targets: (positions,), row numbers of W.

    Raises ValueError for another number of targets than positions, and for a target that is no row of W.
    """
    targets = _checked(W, hidden, targets)
    return float(-_log_probabilities(W, hidden)[np.arange(len(targets)), targets].sum())


def gradient(W: np.ndarray, hidden: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Derivative of `cross_entropy` by W, (vocabulary, dim): (y - one-hot target)' h, the transpose of equation 5.

    Its rows sum to zero, because adding one vector to all rows of W adds the same number to all scores of a position,
    and softmax does not see it. So plain gradient descent leaves the mean row of W where it is.
    """
    targets = _checked(W, hidden, targets)
    errors = np.exp(_log_probabilities(W, hidden))                          # (positions, vocabulary)
    errors[np.arange(len(targets)), targets] -= 1
    return errors.T @ np.asarray(hidden, dtype=np.float64)
