"""The partition function Z of Arora et al. (2016), and the isotropy of Biś et al. (2021).

    v    words of the vocabulary, the rows of W
    dim  dimensions
    k    directions

An eigenvector has no sign, but Z(c) and Z(-c) differ: a `Partition` holds both.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

SIGNS = ("positive", "negative", "both")
BLOCK = 2048  # rows cast to float64 at a time
NO_PRODUCT = 1e-12  # in units of the rows' root mean square


@dataclass(frozen=True)
class Partition:
    """The pair ln Z(c) and ln Z(-c) at k directions c: `positive` and `negative`, (k,) each."""

    positive: np.ndarray
    negative: np.ndarray

    def isotropy(self, sign: str = "positive") -> float:
        """Computes min Z / max Z over the directions c, -c, or both (`sign`); in [0, 1].

        Biś et al., equation 8. Raises ValueError for a sign that is none of SIGNS.
        """
        if sign not in SIGNS:
            raise ValueError(f"sign {sign!r} is none of {', '.join(SIGNS)}")
        both = np.concatenate([self.positive, self.negative])
        logs = {"positive": self.positive, "negative": self.negative, "both": both}[sign]
        return float(np.exp(logs.min() - logs.max()))

    def attainable(self) -> tuple[float, float]:
        """Returns the lowest and the highest isotropy over all 2^k choices of signs."""
        low = np.minimum(self.positive, self.negative)
        high = np.maximum(self.positive, self.negative)
        spread = high[:, None] - low  # (k, k), of two different directions
        np.fill_diagonal(spread, 0)
        starts = np.concatenate([low, high])
        starts = starts[starts <= high.min()]  # each direction has a value at or above them
        ends = np.where(low >= starts[:, None], low, high).max(axis=1)
        return float(np.exp(-spread.max())), float(np.exp(-(ends - starts).min()))


def both_signs(W: np.ndarray, directions: np.ndarray) -> Partition:
    """Computes ln Z(c) and ln Z(-c), Z(c) = sum_w exp(c . w), for each direction c, at once.

    Biś et al., equation 7. W: (v, dim); directions: (k, dim), not rescaled. Log-sum-exp allows
    vectors of any length; the released `isotropy.py` exponentiates in float32. Raises ValueError as
    `checked_matrix`.
    """
    directions = np.asarray(directions, dtype=np.float64)
    positive, negative = _LogSum(len(directions)), _LogSum(len(directions))
    for block in blocks(checked_matrix(W)):
        scores = block @ directions.T  # (rows, k)
        negative.add(-scores)
        positive.add(scores)
    return Partition(positive.logarithm(), negative.logarithm())


class _LogSum:
    """ln sum exp(score) of each of k columns, to which rows are added."""

    def __init__(self, k: int):
        self.highest = np.full(k, -np.inf)  # of all scores up to now
        self.total = np.zeros(k)  # of exp(score - highest)

    def add(self, scores: np.ndarray) -> None:
        """Adds the rows of `scores`, (rows, k), and overwrites them: there is no second copy."""
        highest = np.maximum(self.highest, scores.max(axis=0))
        scores -= highest
        np.exp(scores, out=scores)
        self.total = self.total * np.exp(self.highest - highest) + scores.sum(axis=0)
        self.highest = highest

    def logarithm(self) -> np.ndarray:
        """Returns ln sum exp(score) of each column, (k,)."""
        return self.highest + np.log(self.total)


# ---- matrices, a block of rows at a time


def checked_matrix(W: np.ndarray) -> np.ndarray:
    """Converts W to an array (v, dim); ValueError for no rows, no columns, NaN and infinity."""
    W = np.asarray(W)
    if W.ndim != 2 or not W.size:
        raise ValueError(f"an embedding matrix has rows and columns, got shape {W.shape}")
    if not np.isfinite(W).all():
        row = int(np.argmin(np.isfinite(W).all(axis=1)))
        raise ValueError(f"row {row} of the matrix holds NaN or infinity")
    return W


def blocks(W: np.ndarray) -> Iterator[np.ndarray]:
    """Yields the rows of W in float64, `BLOCK` at a time, (up to BLOCK, dim)."""
    for start in range(0, len(W), BLOCK):
        yield np.asarray(W[start : start + BLOCK], dtype=np.float64)


def moments(W: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Computes W's mean row (dim,) and covariance (dim, dim; over v, not v - 1), in float64.

    W'W / v is the covariance plus the outer product of the mean with itself.
    """
    mean = np.mean(W, axis=0, dtype=np.float64)
    scatter = np.zeros((len(mean), len(mean)))
    for block in blocks(W):
        centred = block - mean
        scatter += centred.T @ centred
    return mean, (scatter + scatter.T) / (2 * len(W))


def lengths_and_sum(
    W: np.ndarray, origin: np.ndarray | float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Computes the lengths of the rows of W less `origin`, (v,), and the sum of unit rows, (dim,).

    A zero row has no direction and is left out of the sum.
    """
    of_blocks, total = [], np.zeros(W.shape[1])
    for block in blocks(W):
        block = block - origin
        norms = np.linalg.norm(block, axis=1)
        of_blocks.append(norms)
        total += (block[norms > 0] / norms[norms > 0, None]).sum(axis=0)
    return np.concatenate(of_blocks), total


def eigenvectors(gram: np.ndarray, mean: np.ndarray, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Computes eigenvalues (dim,), largest first, and eigenvectors with signs, the rows (dim, dim).

    An eigenvector's sign makes its product with the mean positive, or, where that product is below
    1e-12 of `scale` (the rows' root mean square), its largest component.
    """
    values, columns = np.linalg.eigh(gram)
    vectors = columns.T[::-1]
    along = vectors @ mean
    largest = vectors[np.arange(len(vectors)), abs(vectors).argmax(axis=1)]
    deciding = np.where(abs(along) > NO_PRODUCT * scale, along, largest)
    return values[::-1], vectors * np.where(deciding < 0, -1, 1)[:, None]
