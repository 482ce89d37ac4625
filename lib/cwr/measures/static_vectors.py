"""Summaries of a word's occurrences as one vector, and operations on tables of such vectors.

Ethayarajh (2019), section 4.3: a word's static embedding in a layer is the first principal
component of its contextualised representations there. Before scoring, the released code scales a
table of vectors to unit length and lowers case: see below. Gupta and Jaggi (2021), section 2,
compare other summaries of a word's occurrences, and `model2vec` treats vectors of words encoded
alone, as is common today.

w    words
n    occurrences of a word
dim  dimensions
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from cwr.measures.contextuality import unit_rows

Vectors = Mapping[str, np.ndarray]  # {word: (dim,)}
NO_VARIANCE = 1e-12  # of the squared length: what float32 leaves of equal occurrences
PCA_DIMS, SIF = 256, 1e-4  # the defaults of Model2Vec


def first_principal_vector(vectors: np.ndarray, centered: bool = False) -> np.ndarray:
    """Computes the first principal direction of one word's occurrences, a unit vector (dim,).

    Ethayarajh (2019), section 4.3: the first right singular vector of the occurrences *as they
    are*, as the released code takes it (scikit-learn's TruncatedSVD). Its sign is such that the
    largest entry of the left singular vector is positive, so it points where the occurrences do,
    and differs little from their mean.

    vectors: (n, dim), one row per occurrence; not modified.
    centered: subtracts the mean first (PCA, in the code of December 2019). The direction then says
        how the occurrences vary, and its sign is arbitrary.
    Raises ValueError for no occurrence, for NaN, infinity and zeros only, and when centred for
    fewer than two occurrences and for occurrences that do not vary.
    """
    return first_principal_vectors(np.asarray(vectors)[None], centered)[0]


def first_principal_vectors(occurrences: np.ndarray, centered: bool = False) -> np.ndarray:
    """Computes `first_principal_vector` of many words with equally many occurrences, (w, dim).

    occurrences: (w, n, dim). The smaller Gram matrix of each word is decomposed, all words in one
    call. Raises ValueError as `first_principal_vector`, with the word's number.
    """
    stack = np.asarray(occurrences, dtype=np.float64)
    n, dim = stack.shape[1:]
    sizes = np.einsum("wnd,wnd->w", stack, stack)
    _refuse(~(np.isfinite(sizes) & (sizes > 0)), "no direction: all zero, or one is no number")
    if centered:
        stack = stack - stack.mean(axis=1, keepdims=True)
        spreads = np.einsum("wnd,wnd->w", stack, stack)
        _refuse(spreads <= NO_VARIANCE * sizes, f"no variance: {n} of them, all equal")
    if n <= dim:
        left = np.linalg.eigh(stack @ stack.swapaxes(1, 2))[1][:, :, -1]  # (w, n)
        right = np.einsum("wnd,wn->wd", stack, left)
    else:
        right = np.linalg.eigh(stack.swapaxes(1, 2) @ stack)[1][:, :, -1]  # (w, dim)
        left = np.einsum("wnd,wd->wn", stack, right)
    largest = np.abs(left).argmax(axis=1)[:, None]
    signs = np.sign(np.take_along_axis(left, largest, axis=1))  # (w, 1)
    return signs * unit_rows(right)


def mean_vectors(occurrences: np.ndarray) -> np.ndarray:
    """Computes the mean of each word's occurrences, (w, dim): a control for the first component.

    occurrences: (w, n, dim).
    """
    return np.asarray(occurrences, dtype=np.float64).mean(axis=1)


SUMMARIES = {
    "component": first_principal_vectors,
    "centred component": lambda stack: first_principal_vectors(stack, centered=True),
    "mean": mean_vectors,
}


def of_words(
    vectors: np.ndarray, words: Sequence[str], summary: str = "component"
) -> dict[str, np.ndarray]:
    """Computes one vector for each word, {word: (dim,)}, in the order in which words first occur.

    vectors: (rows, dim), one row per occurrence. words: (rows,), the word of each row.
    summary: one of SUMMARIES. Words with equally many occurrences are summarised together, for
    speed.
    Raises ValueError for an unknown summary, and as `first_principal_vector`.
    """
    return _word_by_word(vectors, words, SUMMARIES, summary)


POOLS = {
    "mean": mean_vectors,
    "min": lambda stack: np.asarray(stack, dtype=np.float64).min(axis=1),
    "max": lambda stack: np.asarray(stack, dtype=np.float64).max(axis=1),
}


def aggregated(
    vectors: np.ndarray, words: Sequence[str], pool: str = "mean", cap: int = 100
) -> dict[str, np.ndarray]:
    """Pools each word's occurrences into one vector, dimension by dimension, {word: (dim,)}.

    Bommasani et al. (2020), as cited by Gupta and Jaggi (2021), section 2: the mean is best.
    vectors: (rows, dim), one row per occurrence. words: (rows,). pool: one of POOLS. cap: the
    number of first occurrences of a word that are pooled. Raises ValueError for an unknown pool.
    """
    words = pd.Series(words, dtype=object)
    first = np.flatnonzero(words.groupby(words).cumcount() < cap)
    return _word_by_word(vectors[first], words.to_numpy()[first], POOLS, pool)


def _word_by_word(
    vectors: np.ndarray, words: Sequence[str], summaries: Mapping[str, Callable], summary: str
) -> dict[str, np.ndarray]:
    """A summary of each word's occurrences, {word: (dim,)}; arguments as `of_words`."""
    if summary not in summaries:
        raise ValueError(f"summary {summary!r} is none of {', '.join(summaries)}")
    group, names = pd.factorize(np.asarray(words, dtype=object))
    count = np.bincount(group)
    order = np.argsort(group, kind="stable")
    start = np.cumsum(count) - count
    result = np.empty((len(names), vectors.shape[1]))
    for n in np.unique(count):
        members = np.flatnonzero(count == n)
        rows = order[start[members][:, None] + np.arange(n)]  # (w, n)
        result[members] = summaries[summary](vectors[rows])
    return dict(zip(names, result, strict=True))


def model2vec(vectors: np.ndarray, dims: int = PCA_DIMS, sif: float = SIF) -> np.ndarray:
    """Treats vectors of words encoded alone as Model2Vec 0.8.2 does, (w, at most dims) float64.

    Vectors become their first `dims` principal components (scikit-learn's PCA). The row of rank r,
    from 0, is then multiplied by a / (a + p), with a = `sif` and the frequency p guessed from the
    rank alone: 1 / (r + 2), divided by its sum over all words. The factors change no cosine of two
    words, only sums of vectors.

    vectors: (w, dim), from the commonest word to the rarest. As in Model2Vec, components are taken
    only if there are more words than dims. Raises ValueError for dims below 1 and a sif that is not
    above 0.
    """
    if dims < 1 or sif <= 0:
        raise ValueError(f"Model2Vec needs dims of at least 1 and sif above 0, got {dims}, {sif}")
    from sklearn.decomposition import PCA

    vectors = np.asarray(vectors, dtype=np.float64)
    dims = min(dims, vectors.shape[1])
    if dims < len(vectors):
        vectors = PCA(dims, svd_solver="full").fit_transform(vectors)
    inverse_rank = 1 / (np.arange(len(vectors)) + 2)
    frequency = inverse_rank / inverse_rank.sum()
    return vectors * (sif / (sif + frequency))[:, None]


def unit_length(vectors: Vectors) -> dict[str, np.ndarray]:
    """Scales every vector to length one. Raises ValueError for a zero or NaN vector."""
    rows = unit_rows(np.stack(list(vectors.values())))
    return dict(zip(vectors, rows, strict=True))


def lower_cased(vectors: Vectors) -> dict[str, np.ndarray]:
    """Converts words to lower case; of several cased forms of a word the first one is kept."""
    lowered = {}
    for word, vector in vectors.items():
        lowered.setdefault(word.lower(), vector)
    return lowered


def _refuse(is_bad: np.ndarray, reason: str) -> None:
    """Raises ValueError with the first word that is bad. is_bad: (w,)."""
    if is_bad.any():
        raise ValueError(f"the occurrences of word {int(is_bad.argmax())} have {reason}")
