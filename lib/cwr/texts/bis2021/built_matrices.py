"""Builds embedding matrices with known numbers; computes Table 1 of Biś et al. (2021)."""

import numpy as np

from cwr.errors import UserError
from cwr.measures import geometry, isotropy


def skewed_matrix(rows: int = 2000, dim: int = 256, seed: int = 0) -> np.ndarray:
    """Builds a matrix (rows, dim) with the six numbers of Table 1 for GPT-2 (24 layers).

    The matrix shows that the table's row is possible; the table's GPT-2 has 1024 dimensions. 0.8 %
    of the rows lie far below the mean, along the mean; the rest is Gaussian. I(W) is met if the top
    eigenvector is turned away from the mean. 11 directions stand out, as many as Table 1 removes.
    Raises UserError for dim < 12, rows < 63 or rows <= dim.
    """
    few = round(0.008 * rows)
    if dim < 12 or rows <= dim or few < 1:
        raise UserError(
            f"the matrix has {rows} rows in {dim} dimensions, and cannot be built: it needs 12 "
            "dimensions, 63 rows and more rows than dimensions"
        )
    along = np.full(rows, 6.01 * few / (rows - few))  # along the mean, centred
    along[:few] = -6.01
    noise = np.random.default_rng(seed).normal(size=(rows, dim - 1))
    basis = np.linalg.qr(np.c_[np.ones(rows), along, noise])[0]
    uncorrelated = basis[:, 2:] * np.sqrt(rows)  # (rows, dim - 1), variance 1
    variance = np.r_[np.full(10, 0.104), np.linspace(0.0384, 0.0276, dim - 12), 0]
    return np.c_[2.04 + along, uncorrelated * np.sqrt(variance)]


def columns_of_table_1(W: np.ndarray, removed: int) -> dict[str, float]:
    """Computes the columns of Table 1 for a matrix, {heading: value}; I(W) once for each sign.

    W: (vocabulary, dim). removed: how many principal components W_r lacks.
    Raises ValueError as `geometry.of_matrix` and `Geometry.removed`.
    """
    table = geometry.of_matrix(W)
    columns = {"mean norm": table.norm, "norm of mean": table.mean_norm}
    columns["ratio"] = table.mean_norm / table.norm
    columns["I(W_c)"] = table.centred.isotropy()
    columns["I(W_r)"] = table.removed(removed).isotropy()
    for sign in isotropy.SIGNS:
        columns[f"I(W), {sign}"] = table.raw.isotropy(sign)
    return columns
