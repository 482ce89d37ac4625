"""The numbers of Table 1 of Biś et al. (2021) for an embedding matrix, from one Gram matrix.

    v    words of the vocabulary, the rows of W
    dim  dimensions, and as many eigenvectors

Z_W(c) = exp(c . mu) Z_{W_c}(c), so one product with the rows serves W and W_c. W_r, which lacks the
first D principal components, has the eigenvectors of W_c: along a kept one Z is that of W_c, along
a removed one every row is 0 and Z = v. So any D costs nothing more.
"""

from dataclasses import dataclass

import numpy as np

from cwr.measures.isotropy import isoscore_of
from cwr.measures.partition import (
    Partition,
    both_signs,
    checked_matrix,
    eigenvectors,
    lengths_and_sum,
    moments,
)

EQUAL = 1e-8  # two eigenvalues whose gap is a smaller share of the larger one


@dataclass(frozen=True)
class Geometry:
    """The geometry of one matrix W: the quantities behind Table 1 and section 5.3 of Biś et al.

    W_c is W without its mean row.
    rows: the number of rows, zero rows included. zero_rows: the number of zero rows; they have no
        cosine.
    norm, norm_centred: mean length of the rows of W, and of W_c.
    mean: (dim,), the mean row of W.
    mean_cosine, mean_cosine_centred: mean cosine over all pairs of rows of W, and of W_c.
    along: (dim,), products of the eigenvectors of W'W with the mean row, none negative.
    squares: (dim,), the eigenvalues of W'W / rows, the largest first. variances: (dim,), the
        eigenvalues of the covariance. All eigenvectors are turned towards the mean row of W.
    raw: Z of W along the eigenvectors of W'W; centred: Z of W_c along the eigenvectors of W_c'W_c.
    isoscore: see `isotropy.isoscore`.
    """

    rows: int
    zero_rows: int
    norm: float
    norm_centred: float
    mean: np.ndarray
    mean_cosine: float
    mean_cosine_centred: float
    along: np.ndarray
    squares: np.ndarray
    variances: np.ndarray
    raw: Partition
    centred: Partition
    isoscore: float

    @property
    def mean_norm(self) -> float:
        """The length of the mean row."""
        return float(np.linalg.norm(self.mean))

    @property
    def top_cosine(self) -> float:
        """The cosine of the top eigenvector of W'W with the mean row; NaN without a mean row."""
        return float(self.along[0] / self.mean_norm) if self.mean_norm else float("nan")

    def removed(self, d: int) -> Partition:
        """Returns Z of W_r, which lacks the first d principal components (equations 9 to 11).

        Raises ValueError for d outside [0, dim].
        """
        dim = len(self.variances)
        if not 0 <= d <= dim:
            raise ValueError(f"{d} components of {dim} dimensions cannot be removed")
        is_gone = np.arange(dim) < d
        logs = (self.centred.positive, self.centred.negative)
        return Partition(*(np.where(is_gone, np.log(self.rows), values) for values in logs))

    def gaussian(self) -> Partition:
        """Returns Z along the eigenvectors of W'W for Gaussian rows with W's mean and covariance.

        ln Z(c) = ln v + c . mu + c'Cc / 2. What I(W) has beyond this comes from the shape of the
        rows' distribution.
        """
        halves = np.log(self.rows) + (self.squares - self.along**2) / 2
        return Partition(halves + self.along, halves - self.along)

    def gaussian_centred(self) -> Partition:
        """Returns Z for Gaussian rows like those of W_c, along the eigenvectors of W_c'W_c."""
        halves = np.log(self.rows) + self.variances / 2
        return Partition(halves, halves)

    def remarks(self) -> list[str]:
        """Returns warnings, if any, about zero rows and equal eigenvalues, a sentence each."""
        sentences = []
        if self.zero_rows:
            sentences.append(f"{self.zero_rows} zero rows have no direction: no cosine counts them")
        for name, values in (("W'W", self.squares), ("W_c'W_c", self.variances)):
            if pairs := equal_eigenvalues(values):
                sentences.append(
                    f"{pairs} neighbouring eigenvalues of {name} are equal, so its eigenvectors, "
                    "and I, are not unique: another library may give another number"
                )
        return sentences


def of_matrix(W: np.ndarray) -> Geometry:
    """Computes the geometry of W, (v, dim), with more rows than columns; W is not modified.

    The rows are read in blocks: beside W only a few matrices (dim, dim) are in memory.
    Raises ValueError for fewer rows than columns, for one column, for rows that are all equal, and
    for NaN and infinity.
    """
    W = checked_matrix(W)
    if len(W) <= W.shape[1]:
        raise ValueError(
            f"{len(W)} rows of {W.shape[1]} dimensions do not fill them: an embedding matrix has "
            "one row a word, and more rows than columns"
        )
    mean, covariance = moments(W)
    isoscore = isoscore_of(covariance, mean)
    gram = covariance + np.outer(mean, mean)
    scale = float(np.sqrt(np.trace(gram)))
    squares, of_raw = eigenvectors(gram, mean, scale)
    variances, of_centred = eigenvectors(covariance, mean, scale)
    raw, shifted = _halves(both_signs(W, np.concatenate([of_raw, of_centred])))
    shift = of_centred @ mean
    zero_rows, norm, cosine = _directions(W, np.zeros_like(mean))
    _, norm_centred, cosine_centred = _directions(W, mean)
    return Geometry(
        rows=len(W),
        zero_rows=zero_rows,
        norm=norm,
        norm_centred=norm_centred,
        mean=mean,
        mean_cosine=cosine,
        mean_cosine_centred=cosine_centred,
        along=of_raw @ mean,
        squares=squares,
        variances=variances,
        raw=raw,
        centred=Partition(shifted.positive - shift, shifted.negative + shift),
        isoscore=isoscore,
    )


def equal_eigenvalues(values: np.ndarray) -> int:
    """Counts neighbouring eigenvalues, of (dim,) in descending order, that agree to 1 part in 10^8.

    Eigenvalues of 0 do not count: Z is v along any of their eigenvectors.
    """
    larger, smaller = values[:-1], values[1:]
    return int((larger - smaller < EQUAL * larger).sum())


def _halves(partition: Partition) -> tuple[Partition, Partition]:
    """The first and the second half of the directions."""
    positive, negative = np.split(partition.positive, 2), np.split(partition.negative, 2)
    return Partition(positive[0], negative[0]), Partition(positive[1], negative[1])


def _directions(W: np.ndarray, origin: np.ndarray) -> tuple[int, float, float]:
    """Zero rows, mean length and mean cosine over all pairs of the rows of W less `origin`.

    Over unit rows the double sum of cosines is |sum|^2 - n; zero rows are in no pair.
    """
    norms, total = lengths_and_sum(W, origin)
    n = int((norms > 0).sum())
    return len(W) - n, float(norms.mean()), float((total @ total - n) / (n * (n - 1)))
