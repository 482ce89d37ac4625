"""How evenly do the rows of an embedding matrix point in all directions? Measures of Biś et al. (2021), section 5.1.

W is (vocabulary, dim), one row per word. Two measures of the same matrix can disagree: the partition function sees the
mean vector and the unit of length, the mean cosine sees the mean only.
"""
import numpy as np

SIGNS = ("positive", "negative", "both")
BLOCK = 2048                                                # rows cast to float64 at a time


def _matrix(W: np.ndarray) -> np.ndarray:
    """W as an array (vocabulary, dim); refuses no rows, no columns, NaN and infinity."""
    W = np.asarray(W)
    if W.ndim != 2 or not W.size:
        raise ValueError(f"an embedding matrix has rows and columns, got shape {W.shape}")
    if not np.isfinite(W).all():
        raise ValueError(f"row {int(np.argmin(np.isfinite(W).all(axis=1)))} of the matrix holds NaN or infinity")
    return W


def _blocks(W: np.ndarray):
    return (np.asarray(W[start:start + BLOCK], dtype=np.float64) for start in range(0, len(W), BLOCK))


def _moments(W: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """W'W (dim, dim) and the mean row (dim,), in float64, a block of rows at a time."""
    gram, total = np.zeros((W.shape[1],) * 2), np.zeros(W.shape[1])
    for block in _blocks(W):
        gram += block.T @ block
        total += block.sum(axis=0)
    return (gram + gram.T) / 2, total / len(W)


def center(W: np.ndarray) -> np.ndarray:
    """W without its mean row, W_c = W - 1 mu' (Biś et al., section 5.1). W: (vocabulary, dim), not modified.

    Returns float64 of the same shape. Raises ValueError for an empty matrix, NaN and infinity.
    """
    W = _matrix(W).astype(np.float64)
    return W - W.mean(axis=0)


def all_but_the_top(W: np.ndarray, d: int, centered: bool = True) -> np.ndarray:
    """W_c without its d leading principal components (Biś et al., equations 9 to 11), (vocabulary, dim) float64.

    d: how many, 0 to dim; the text sets ceil(dim / 100), the released `embeddings_benchmark.py` 2.
    centered: True subtracts the projection of the centred rows (equation 11), False that of the rows as they are (Mu
        and Viswanath, 2018); the two differ by one constant vector.
    Components come from an exact eigendecomposition; the released `post_processing.py` uses a randomised one.
    Raises ValueError as `center`, and for d outside [0, dim].
    """
    W = _matrix(W).astype(np.float64)
    if not 0 <= d <= W.shape[1]:
        raise ValueError(f"{d} components of {W.shape[1]} dimensions cannot be removed")
    moved = W - W.mean(axis=0)
    top = np.linalg.eigh(moved.T @ moved)[1][:, W.shape[1] - d:]            # (dim, d)
    return moved - ((moved if centered else W) @ top) @ top.T


def log_partition(W: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """ln Z(c) = ln sum_w exp(c . w) for each direction c (Arora et al., 2016; Biś et al., equation 7).

    W: (vocabulary, dim); directions: (k, dim), used as they are. Returns (k,). Computed by log-sum-exp, so that
    vectors of any length are allowed; the released `isotropy.py` exponentiates in float32.
    """
    W = _matrix(W)
    directions = np.asarray(directions, dtype=np.float64)
    highest, total = np.full(len(directions), -np.inf), np.zeros(len(directions))
    for block in _blocks(W):
        scores = block @ directions.T                                       # (rows, k)
        top = np.maximum(highest, scores.max(axis=0))
        total = total * np.exp(highest - top) + np.exp(scores - top).sum(axis=0)
        highest = top
    return highest + np.log(total)


def _oriented(vectors: np.ndarray, mean: np.ndarray, scale: float) -> np.ndarray:
    """Eigenvectors (dim, dim), one a row, each turned towards the mean; where it has none, to its largest component."""
    along = vectors @ mean
    largest = vectors[np.arange(len(vectors)), abs(vectors).argmax(axis=1)]
    return vectors * np.where(np.where(abs(along) > 1e-12 * scale, along, largest) < 0, -1, 1)[:, None]


def partition_isotropy(W: np.ndarray, sign: str = "positive") -> float:
    """I(W) = min Z(c) / max Z(c) over the eigenvectors c of W'W (Biś et al., equation 8), in [0, 1]; 1: isotropic.

    An eigenvector has no sign, but Z(c) and Z(-c) differ, so neither text nor code fixes I(W). sign:
        "positive" each eigenvector is turned so that its product with the mean row is not negative; without a
                   product (below 1e-12 of the rows' root mean square), so that its largest component is positive
        "negative" the opposite of "positive"
        "both"     every eigenvector in both signs; the smallest of the three, and the only one free of a choice
    Not scale invariant: longer rows are less isotropic. With equal eigenvalues the eigenvectors, and so I(W), are
    not unique. W: (vocabulary, dim), not modified; memory dim^2, not vocabulary * dim.
    Raises ValueError for an unknown sign, an empty matrix, NaN and infinity.
    """
    if sign not in SIGNS:
        raise ValueError(f"sign {sign!r} is none of {', '.join(SIGNS)}")
    W = _matrix(W)
    gram, mean = _moments(W)
    vectors = _oriented(np.linalg.eigh(gram)[1].T, mean, float(np.sqrt(np.trace(gram) / len(W))))
    chosen = {"positive": vectors, "negative": -vectors, "both": np.concatenate([vectors, -vectors])}[sign]
    logs = log_partition(W, chosen)
    return float(np.exp(logs.min() - logs.max()))
