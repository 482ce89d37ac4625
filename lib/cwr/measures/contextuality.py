"""Measures how contextual representations are: Ethayarajh (2019), section 3, in closed form.

Every measure returns one value per item (a word, a sentence, a sample); averaging over items comes
later, so that items can be resampled. Sums are in float64: GPT-2's first tokens have huge norms.
"""

import numpy as np

ESTIMATORS = ("definition", "pca", "released")


def unit_rows(vectors: np.ndarray) -> np.ndarray:
    """Scales the rows of `vectors` (n, dim) to length one, float64.

    Raises ValueError for a zero or NaN row, whose direction is undefined.
    """
    vectors = np.asarray(vectors, dtype=np.float64)
    norms = np.linalg.norm(vectors, axis=1)
    if not (norms > 0).all():  # also refuses NaN
        row = int(np.argmin(norms > 0))
        raise ValueError(f"row {row} has no direction (norm {norms[row]})")
    return vectors / norms[:, None]  # (n, dim)


def mean_pairwise_cosine(
    vectors: np.ndarray, weights: np.ndarray | None = None
) -> float | np.ndarray:
    """Computes the mean cosine over all pairs of different rows.

    Over unit vectors u the double sum of cosines is |sum u|^2 - n: it costs n * dim, not n^2 * dim.

    vectors: (n, dim), n >= 2; not modified.
    weights: how often each row counts, (n,) or (draws, n), as a bootstrap draws it. Pairs of a row
        with its own copies are left out, else repeats bias the mean: (|sum w u|^2 - sum w^2) /
        ((sum w)^2 - sum w^2).
    Returns a cosine in [-1, 1]; with weights (draws, n) an array (draws,). Raises ValueError for n
    < 2, for a zero or NaN row, and for weights that leave fewer than two different rows.
    """
    units = unit_rows(vectors)
    if len(units) < 2:
        raise ValueError(f"a mean over pairs needs at least 2 rows, got {len(units)}")
    weights = np.ones(len(units)) if weights is None else np.asarray(weights, dtype=np.float64)
    if weights.shape[-1] != len(units):
        raise ValueError(f"{weights.shape[-1]} weights for {len(units)} rows")
    totals = weights @ units  # (dim,) or (draws, dim)
    own = (weights**2).sum(axis=-1)
    pairs = weights.sum(axis=-1) ** 2 - own
    if not (pairs > 0).all():
        raise ValueError("the weights leave fewer than two different rows")
    result = ((totals**2).sum(axis=-1) - own) / pairs
    return float(result) if result.ndim == 0 else result


def self_similarity(vectors: np.ndarray) -> float:
    """Computes the mean cosine between representations of one word in different contexts.

    Ethayarajh (2019), section 3.3, Definition 1, equation 1; not adjusted for anisotropy (subtract
    `anisotropy_baseline` of the same layer). vectors: (n, dim), one row per occurrence, n >= 2.
    Raises ValueError as `mean_pairwise_cosine`. The authors' `analyze.py` samples pairs:
    `self_similarity_released`.
    """
    return mean_pairwise_cosine(vectors)


def self_similarity_from_sums(unit_sums: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Computes the self-similarity of many words at once from the sums of their unit vectors.

    unit_sums: (words, dim), sum over each word's occurrences of the vector scaled to length one;
    counts: (words,), each >= 2. Returns (words,), equal to `self_similarity` of each word. Raises
    ValueError for a count below 2.
    """
    counts = np.asarray(counts, dtype=np.float64)
    if (counts < 2).any():
        raise ValueError(f"self-similarity needs at least 2 occurrences, got {int(counts.min())}")
    return ((np.asarray(unit_sums, dtype=np.float64) ** 2).sum(axis=1) - counts) / (
        counts * (counts - 1)
    )


def anisotropy_baseline(
    vectors: np.ndarray, weights: np.ndarray | None = None
) -> float | np.ndarray:
    """Computes the mean cosine between representations of randomly drawn words of one layer.

    Ethayarajh (2019), section 3.4, equation 4 (expectation over word occurrences). vectors: (n,
    dim), one row per sampled occurrence; weights as in `mean_pairwise_cosine`. It is near 0 if
    directions are spread evenly, 1 if all agree. All pairs of the sample are used; the authors'
    code draws 1,000 of them: `anisotropy_baseline_released`.
    """
    return mean_pairwise_cosine(vectors, weights)


def self_similarity_released(vectors: np.ndarray, seed: int) -> float:
    """Computes self-similarity as the authors' `analyze.py`: at most 1,000 pairs, 3 decimals.

    For n <= 32 all ordered pairs count (at most 1,000), else 1,000 pairs drawn without replacement.
    vectors: (n, dim), n >= 2. seed: for the draw (the authors set none). Returns a cosine. Raises
    ValueError as `self_similarity`.
    """
    units = unit_rows(vectors)
    n = len(units)
    if n * (n - 1) <= 1000:
        return round(mean_pairwise_cosine(vectors), 3)
    pair = np.random.default_rng(seed).choice(n * (n - 1), size=1000, replace=False)
    first, other = pair // (n - 1), pair % (n - 1)
    second = other + (other >= first)  # skips the pair of a row with itself
    return round(float(np.einsum("ij,ij->i", units[first], units[second]).mean()), 3)


def anisotropy_baseline_released(vectors: np.ndarray, seed: int, pairs: int = 1000) -> float:
    """Estimates the baseline b from random pairs, with replacement, as the authors' `analyze.py`.

    vectors: (n, dim). seed: for the pairs (the authors set none). pairs: the number of pairs. A row
    can be paired with itself, which adds (1 - b) / n on average. Returns a cosine. Raises
    ValueError for a zero or NaN row.
    """
    units = unit_rows(vectors)
    first, second = np.random.default_rng(seed).integers(len(units), size=(2, pairs))
    return float(np.einsum("ij,ij->i", units[first], units[second]).mean())


def intra_sentence_similarity(vectors: np.ndarray) -> float:
    """Computes the mean cosine between the words of one sentence and the sentence's mean vector.

    Ethayarajh (2019), section 3.3, Definition 2, equation 2. vectors: (n, dim), the words of one
    sentence, n >= 1; the mean is taken over raw, not unit, vectors. Every word is part of the mean
    it is compared with, so n = 1 gives 1 and the value of unrelated words is not 0: see
    `intra_sentence_null`. Raises ValueError for no rows, a zero or NaN row, or a zero mean.
    """
    if not len(vectors):
        raise ValueError("a sentence without words has no intra-sentence similarity")
    mean = np.asarray(vectors, dtype=np.float64).mean(axis=0, keepdims=True)
    return float((unit_rows(vectors) @ unit_rows(mean)[0]).mean())


def intra_sentence_similarity_from_sums(
    unit_sums: np.ndarray, sums: np.ndarray, counts: np.ndarray
) -> np.ndarray:
    """Computes the intra-sentence similarity of many sentences at once, (sentences,).

    The value is <sum of unit vectors, mean> / (n |mean|), equal to `intra_sentence_similarity`.
    unit_sums, sums: (sentences, dim), over the words' unit vectors and raw vectors; counts:
    (sentences,) words. Raises ValueError for a zero sum.
    """
    directions = unit_rows(sums)
    return np.einsum("ij,ij->i", np.asarray(unit_sums, dtype=np.float64), directions) / np.asarray(
        counts
    )


def intra_sentence_null(n: int | np.ndarray, baseline: float) -> float | np.ndarray:
    """Computes the intra-sentence similarity of n words that are only as similar as random words.

    For unit vectors with mean pairwise cosine c, Definition 2 equals |mean| = sqrt(1/n + (1 - 1/n)
    c); here c is the anisotropy baseline. Raises ValueError for a baseline below -1/(n-1),
    impossible for real vectors.
    """
    radicand = 1 / np.asarray(n) + (1 - 1 / np.asarray(n)) * baseline
    if (radicand < 0).any():
        raise ValueError(f"{n} vectors cannot have a mean pairwise cosine of {baseline}")
    result = np.sqrt(radicand)
    return float(result) if result.ndim == 0 else result


def _largest_share(vectors: np.ndarray) -> float:
    """Largest squared singular value over the sum of all, from the smaller Gram matrix."""
    gram = vectors @ vectors.T if len(vectors) < vectors.shape[1] else vectors.T @ vectors
    return float(np.linalg.eigvalsh(gram)[-1] / np.trace(gram))


def maximum_explainable_variance(vectors: np.ndarray, estimator: str = "definition") -> float:
    """Computes the share of the variance in one word's representations that one direction explains.

    Ethayarajh (2019), section 3.3, Definition 3, equation 3. vectors: (n, dim), n >= 2 occurrences.
    estimator:
        "definition" s_1^2 / sum s_i^2 of the matrix as it is (equation 3 as printed), in [1/n, 1];
        "pca"        the same after centring, in [1/(n-1), 1];
        "released"   as in the released statistics: variance along the first right singular vector
                     of the *uncentred* matrix over the total variance (scikit-learn's TruncatedSVD
                     ratio). Not an upper bound on anything; near 0 for vectors in a narrow cone.
    Raises ValueError for n < 2, an unknown estimator, NaN, all-zero vectors, and (pca, released)
    for occurrences that do not vary, where the ratio is 0/0.
    """
    vectors = np.asarray(vectors, dtype=np.float64)
    if estimator not in ESTIMATORS:
        raise ValueError(f"estimator {estimator!r} is none of {', '.join(ESTIMATORS)}")
    if len(vectors) < 2:
        raise ValueError(f"explained variance needs at least 2 occurrences, got {len(vectors)}")
    centred = vectors - vectors.mean(axis=0)
    spread, size = (centred**2).sum(), (vectors**2).sum()
    if not size > 0:
        raise ValueError("all vectors are zero or one is NaN")
    if estimator == "definition":
        return _largest_share(vectors)
    if spread <= 1e-12 * size:  # equal rows up to float32 rounding of the encoder
        raise ValueError("the occurrences do not vary: their explained variance is 0/0")
    if estimator == "pca":
        return _largest_share(centred)
    if len(vectors) < vectors.shape[1]:
        left = np.linalg.eigh(vectors @ vectors.T)[1][:, -1]
        direction = unit_rows((vectors.T @ left)[None])[0]  # (dim,)
    else:
        direction = np.linalg.eigh(vectors.T @ vectors)[1][:, -1]
    return float(((centred @ direction) ** 2).sum() / spread)
