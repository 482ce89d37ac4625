"""How evenly do the rows of an embedding matrix point in all directions?

Biś et al. (2021), section 5.1.

    v    words of the vocabulary, the rows of W
    dim  dimensions
    k    directions

W is (v, dim), one row a word. Two measures of the same matrix can disagree: the partition function
sees the mean vector and the unit of length, the mean cosine sees the mean only.
"""

from collections.abc import Iterator

import numpy as np

SIGNS = ("positive", "negative", "both")
BLOCK = 2048  # rows cast to float64 at a time
NO_PRODUCT = 1e-12  # in units of the rows' root mean square


def center(W: np.ndarray) -> np.ndarray:
    """W without its mean row, W_c = W - 1 mu' (Biś et al., section 5.1). W: (v, dim), not modified.

    Returns float64 of the same shape. Raises ValueError for an empty matrix, NaN and infinity.
    """
    W = _matrix(W).astype(np.float64)
    return W - W.mean(axis=0)


def all_but_the_top(W: np.ndarray, d: int, centered: bool = True) -> np.ndarray:
    """W_c without its leading principal components (Biś et al., equations 9 to 11), float64.

    W: (v, dim), as is the result.
    d: how many components go, 0 to dim; the text sets ceil(dim / 100), the released
        `embeddings_benchmark.py` 2.
    centered: True subtracts the projection of the centred rows (equation 11), False that of the
        rows as they are (Mu and Viswanath, 2018); the two differ by one constant vector.
    Components come from an exact eigendecomposition; the released `post_processing.py` uses a
    randomised one. Raises ValueError as `center`, and for d outside [0, dim].
    """
    W = _matrix(W).astype(np.float64)
    dim = W.shape[1]
    if not 0 <= d <= dim:
        raise ValueError(f"{d} components of {dim} dimensions cannot be removed")
    moved = W - W.mean(axis=0)
    _, components = np.linalg.eigh(moved.T @ moved)  # columns, the leading ones last
    top = components[:, dim - d :]  # (dim, d)
    projected = moved if centered else W
    return moved - (projected @ top) @ top.T


def log_partition(W: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """ln Z(c) = ln sum_w exp(c . w) for each direction c.

    Arora et al. (2016); Biś et al., equation 7.

    W: (v, dim); directions: (k, dim), used as they are. Returns (k,). Computed by log-sum-exp, so
    that vectors of any length are allowed; the released `isotropy.py` exponentiates in float32.
    Raises ValueError as `center`.
    """
    W = _matrix(W)
    directions = np.asarray(directions, dtype=np.float64)
    highest = np.full(len(directions), -np.inf)  # of all scores up to this block
    total = np.zeros(len(directions))  # of exp(score - highest)
    for block in _blocks(W):
        scores = block @ directions.T  # (rows, k)
        top = np.maximum(highest, scores.max(axis=0))
        total = total * np.exp(highest - top) + np.exp(scores - top).sum(axis=0)
        highest = top
    return highest + np.log(total)


def partition_isotropy(W: np.ndarray, sign: str = "positive") -> float:
    """I(W) = min Z(c) / max Z(c) over the eigenvectors c of W'W, in [0, 1]; 1 is isotropic.

    Biś et al., equation 8. An eigenvector has no sign, but Z(c) and Z(-c) differ, so neither text
    nor code fixes I(W). sign:
        "positive" each eigenvector is turned so that its product with the mean row is not negative;
                   without a product (below 1e-12 of the rows' root mean square), so that its
                   largest component is positive
        "negative" the opposite of "positive"
        "both"     every eigenvector in both signs; the smallest of the three, and the only one free
                   of a choice
    Not scale invariant: longer rows are less isotropic. With equal eigenvalues the eigenvectors,
    and so I(W), are not unique. W: (v, dim), not modified; memory dim^2, not v * dim.
    Raises ValueError for an unknown sign, an empty matrix, NaN and infinity.
    """
    if sign not in SIGNS:
        raise ValueError(f"sign {sign!r} is none of {', '.join(SIGNS)}")
    W = _matrix(W)
    gram, mean = _moments(W)
    _, eigenvectors = np.linalg.eigh(gram)  # columns
    root_mean_square = float(np.sqrt(np.trace(gram) / len(W)))
    towards_mean = _oriented(eigenvectors.T, mean, root_mean_square)
    directions = {
        "positive": towards_mean,
        "negative": -towards_mean,
        "both": np.concatenate([towards_mean, -towards_mean]),
    }
    logs = log_partition(W, directions[sign])
    return float(np.exp(logs.min() - logs.max()))


def _matrix(W: np.ndarray) -> np.ndarray:
    """W as an array (v, dim). Raises ValueError for no rows, no columns, NaN and infinity."""
    W = np.asarray(W)
    if W.ndim != 2 or not W.size:
        raise ValueError(f"an embedding matrix has rows and columns, got shape {W.shape}")
    if not np.isfinite(W).all():
        row = int(np.argmin(np.isfinite(W).all(axis=1)))
        raise ValueError(f"row {row} of the matrix holds NaN or infinity")
    return W


def _blocks(W: np.ndarray) -> Iterator[np.ndarray]:
    """The rows of W in float64, `BLOCK` at a time."""
    for start in range(0, len(W), BLOCK):
        yield np.asarray(W[start : start + BLOCK], dtype=np.float64)


def _moments(W: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """W'W (dim, dim) and the mean row (dim,), in float64, a block of rows at a time."""
    dim = W.shape[1]
    gram, total = np.zeros((dim, dim)), np.zeros(dim)
    for block in _blocks(W):
        gram += block.T @ block
        total += block.sum(axis=0)
    return (gram + gram.T) / 2, total / len(W)


def _oriented(vectors: np.ndarray, mean: np.ndarray, scale: float) -> np.ndarray:
    """Eigenvectors (dim, dim), one a row, each turned towards the mean.

    Where its product with the mean is nought (on this scale), it is turned to its largest
    component.
    """
    along = vectors @ mean
    largest = vectors[np.arange(len(vectors)), abs(vectors).argmax(axis=1)]
    deciding = np.where(abs(along) > NO_PRODUCT * scale, along, largest)
    return vectors * np.where(deciding < 0, -1, 1)[:, None]
