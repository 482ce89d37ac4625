"""Compares the attention probabilities of two models, head by head.

Zhao et al. (2020), Figure 7: cosine of the flattened attention before and after fine-tuning. The
paper does not say how examples are averaged; here each example has a cosine, and the cosines are
averaged. Probabilities are never negative, and heads that look at one token in all sentences are
nearly constant, so these cosines start high: compare them with those of *other* heads.

    e     examples
    h     heads of one layer; g those of the other model
    n     pieces of the longest example; shorter ones are padded
"""

from collections.abc import Iterable

import numpy as np

TOLERANCE = 1e-3  # of a sum of float32 or float16 probabilities


def head_cosines(first: np.ndarray, second: np.ndarray, counted: np.ndarray) -> np.ndarray:
    """Computes the cosine of each head of one model with each of the other, per example: (e, h, g).

    first, second: (e, h, n, n) and (e, g, n, n), from each piece (rows) to each piece, of the same
        examples cut into the same pieces; not modified. The attention of padding is never read.
    counted: (e, n) bool, the pieces that are compared: no padding, and no special tokens if wished.
    The diagonal shows the change by training, the rest a floor (`same_head`, `other_heads`).
    Raises ValueError for shapes that do not fit, an example without pieces, numbers that are no
    probabilities, and a head without attention among the counted pieces: it has no direction.
    """
    counted = np.asarray(counted, dtype=bool)
    if not counted.any(axis=-1).all():
        raise ValueError("an example has no counted piece, so its attention has no cosine")
    first, second = _flattened(first, counted), _flattened(second, counted)
    products = first @ second.swapaxes(1, 2)  # (e, h, g)
    return products / _norms(first)[:, :, None] / _norms(second)[:, None, :]


def same_head(cosines: np.ndarray) -> np.ndarray:
    """Selects the cosine of each head with itself in the other model, (e, h). cosines: (e, h, h).

    Raises ValueError for models with different numbers of heads.
    """
    _refuse_unequal(cosines)
    return np.diagonal(cosines, axis1=1, axis2=2).copy()


def other_heads(cosines: np.ndarray) -> np.ndarray:
    """Averages the cosines of each head with all other heads of its layer, (e, h): a floor.

    cosines: (e, h, h), of `head_cosines` for a model and itself, or for two models.
    Raises ValueError for fewer than two heads and for models with different numbers of heads.
    """
    _refuse_unequal(cosines)
    h = cosines.shape[1]
    if h < 2:
        raise ValueError(f"other heads need a layer of at least 2, got {h}")
    return (cosines.sum(axis=2) - same_head(cosines)) / (h - 1)


def narrowest_bands(reaches: Iterable[int], n_layers: int) -> list[int]:
    """Lists the narrowest attention bands by which a word depends on `reaches` words a side; and 0.

    A band of k words in each of L layers lets a word depend on L k words a side, so a reach that is
    no multiple of L takes the next larger band. reaches: in words, 0 or more. n_layers: L.
    """
    return sorted({-(-words // n_layers) for words in (0, *reaches)})


def _flattened(attention: np.ndarray, counted: np.ndarray) -> np.ndarray:
    """The probabilities between counted pieces, 0 elsewhere, in float64: (e, h, n * n)."""
    attention = np.asarray(attention, dtype=np.float64)
    e, n = counted.shape
    if attention.ndim != 4 or attention.shape[::2] != (e, n) or attention.shape[3] != n:
        raise ValueError(f"attention {attention.shape} is not ({e}, heads, {n}, {n}) as its pieces")
    from_counted = np.broadcast_to(counted[:, None, :], attention.shape[:3])  # (e, h, n)
    rows = attention[from_counted]  # (counted rows, n)
    if not ((rows >= 0).all() and (np.abs(rows.sum(axis=1) - 1) < TOLERANCE).all()):
        raise ValueError("rows of attention are no probabilities: none below 0, and the sum 1")
    pairs = counted[:, None, :, None] & counted[:, None, None, :]  # (e, 1, n, n)
    return np.where(pairs, attention, 0.0).reshape(e, -1, n * n)


def _norms(vectors: np.ndarray) -> np.ndarray:
    """Lengths of the last axis, (e, h). Raises ValueError for a zero vector."""
    norms = np.linalg.norm(vectors, axis=-1)
    if not (norms > 0).all():
        example, head = np.argwhere(norms == 0)[0]
        raise ValueError(f"head {head} of example {example} has no attention to a counted piece")
    return norms


def _refuse_unequal(cosines: np.ndarray) -> None:
    _, h, g = cosines.shape
    if h != g:
        raise ValueError(f"heads cannot be paired: one model has {h}, the other {g}")
