"""Projects the rows of an embedding matrix on two directions, and computes its singular values.

Biś et al. (2021), sections 4.1 and 5.1, Figure 1.

    v    words of the vocabulary, the rows of W
    dim  dimensions

W is (v, dim), one row a word.
"""

from dataclasses import dataclass

import numpy as np

from cwr.measures import partition


@dataclass(frozen=True)
class View:
    """A matrix seen along its first two right singular vectors.

    directions: (2, dim), the two vectors, one a row.
    scores: (v, 2), the products of the matrix's rows with them.
    singular_values: (dim,), of the matrix, the largest first.
    """

    directions: np.ndarray
    scores: np.ndarray
    singular_values: np.ndarray

    @property
    def decay(self) -> np.ndarray:
        """The singular values divided by the largest, (dim,), as Figure 1c and f draw them."""
        return self.singular_values / self.singular_values[0]


def views(W: np.ndarray) -> tuple[View, View]:
    """Projects W and W_c = W - 1 mu' on their own first two singular vectors (Figure 1).

    One Gram matrix serves both, as W'W = W_c'W_c + v mu mu'; the released `vis.py` decomposes both
    matrices. The sign of a singular vector is arbitrary. The first of W is turned so that its
    scores do not sum to less than 0. Scores of W_c sum to 0, so the other three vectors are turned
    so that their largest component is positive.
    W: (v, dim), dim >= 2, not modified. Raises ValueError as `partition.checked_matrix`, for fewer
    than two rows or columns, and for rows that are all equal.
    """
    W = partition.checked_matrix(W)
    if min(W.shape) < 2:
        raise ValueError(f"two singular vectors need two rows and columns, got shape {W.shape}")
    mean, covariance = partition.moments(W)
    centred = len(W) * covariance
    gram = centred + len(W) * np.outer(mean, mean)
    if np.trace(centred) <= np.finfo(float).eps * np.trace(gram):
        raise ValueError("the rows of the matrix are all equal: nothing is left without their mean")
    return _view(W, gram, mean), _view(W, centred, mean, is_centred=True)


def _view(W: np.ndarray, gram: np.ndarray, mean: np.ndarray, is_centred: bool = False) -> View:
    """The view of the matrix with this Gram matrix: W, or W without its mean row."""
    eigenvalues, eigenvectors = np.linalg.eigh(gram)  # ascending; a column a vector
    vectors = eigenvectors[:, :-3:-1]  # (dim, 2)
    deciding = vectors[abs(vectors).argmax(axis=0), [0, 1]]  # the largest component of each
    if not is_centred and mean @ vectors[:, 0]:
        deciding[0] = mean @ vectors[:, 0]
    vectors = vectors * np.sign(deciding)
    scores = W @ vectors - is_centred * (mean @ vectors)
    return View(vectors.T, scores, np.sqrt(np.clip(eigenvalues[::-1], 0, None)))


def r_squared(scores: np.ndarray, target: np.ndarray) -> float:
    """Computes the share of the variance of `target` that a plane over the scores explains.

    The plane is fitted by least squares, with an intercept. scores: (n, 2); target: (n,).
    Raises ValueError for a target that does not vary, and for fewer than four points, through
    three of which a plane always goes.
    """
    target = np.asarray(target, dtype=np.float64)
    if len(target) < 4 or not np.ptp(target):
        raise ValueError(f"a plane needs four points and a target that varies, got {len(target)}")
    design = np.column_stack([np.ones(len(target)), scores])
    fitted = design @ np.linalg.lstsq(design, target)[0]
    return float(1 - np.sum((target - fitted) ** 2) / np.sum((target - target.mean()) ** 2))
