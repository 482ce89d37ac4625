"""Measures how similar the words of a sentence are, and how much of this word classes explain.

Peters et al. (2018b), Figure 1: the matrix of cosines between all words of a sentence, in a low and
in a high layer. A pattern seen in one matrix ("the words of a noun phrase cluster") is measured
here as a difference between two kinds of pairs, *within* and *across*. They are matched: each pair
within is compared with the pairs across of its *stratum*, such as those at the same distance.

    n words, d dimensions, P pairs of words, S strata, D documents, ... anything before (draws)

Sums are kept by document, so that an interval can resample documents without a second look at
pairs.
"""

from dataclasses import dataclass

import numpy as np

ACROSS, WITHIN = 0, 1  # kinds of pairs, and places on the last axis of counts and sums
NEITHER = -1


def unit_vectors(vectors: np.ndarray) -> np.ndarray:
    """Scales vectors (n, d) to length 1, in float32 if they are float32, else in float64.

    Raises ValueError for a zero or NaN vector, whose direction is undefined.
    """
    vectors = np.asarray(vectors)
    if vectors.dtype != np.float32:
        vectors = vectors.astype(np.float64)
    norms = np.sqrt(np.einsum("nd,nd->n", vectors, vectors))
    if not (norms > 0).all():  # also refuses NaN
        row = int(np.argmin(norms))
        raise ValueError(f"row {row} has no direction (norm {norms[row]})")
    return vectors / norms[:, None]


def centred(vectors: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Subtracts the mean of a whole corpus, (d,), from vectors (n, d)."""
    return vectors - mean


def standardised(vectors: np.ndarray, mean: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """Scales vectors (n, d) to mean 0 and standard deviation 1 over a corpus in each dimension.

    mean, spread: (d,), of the corpus. A dimension that does not vary becomes 0.
    """
    return (vectors - mean) / np.where(spread > 0, spread, 1).astype(spread.dtype)


@dataclass(frozen=True, eq=False)
class Matching:
    """The pairs of words, within and across, that can be compared, divided into strata.

    pair: (p,) indices among the P pairs. cell: (p,) the document, stratum and kind of each compared
    pair as one number. counts: (D, S, 2), pairs per cell, ACROSS and WITHIN on the last axis.
    within: the number of all pairs within, compared or not.
    """

    pair: np.ndarray
    cell: np.ndarray
    counts: np.ndarray
    within: int

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Sums values (P,) of compared pairs within each document, stratum and kind, (D, S, 2)."""
        total = np.bincount(self.cell, values[self.pair], minlength=self.counts.size)
        return total.reshape(self.counts.shape)

    @property
    def compared(self) -> float:
        """The share of pairs within for which there are pairs across to compare."""
        return float(self.counts[..., WITHIN].sum() / self.within)


def matching(
    kind: np.ndarray, stratum: np.ndarray, document: np.ndarray, least: int = 1
) -> Matching:
    """Divides pairs into strata and keeps the strata with pairs within and `least` pairs across.

    kind: (P,) WITHIN, ACROSS or NEITHER. stratum: (P,) any integers. document: (P,) int, 0 to D -
    1. least: the pairs across that a stratum needs. Raises ValueError if no stratum is left.
    """
    pair = np.flatnonzero(kind != NEITHER)
    kind, stratum, documents = kind[pair], stratum[pair], int(document.max()) + 1
    names, stratum = np.unique(stratum, return_inverse=True)
    of_stratum = np.bincount(2 * stratum + kind, minlength=2 * len(names)).reshape(-1, 2)
    usable = (of_stratum[:, WITHIN] > 0) & (of_stratum[:, ACROSS] >= max(least, 1))
    if not usable.any():
        raise ValueError(
            f"no stratum has a pair within and {max(least, 1)} pairs across: there is nothing to "
            "compare"
        )
    number = np.cumsum(usable) - 1  # of a stratum among those kept
    kept = usable[stratum]
    shape = documents, int(usable.sum()), 2
    cell = np.ravel_multi_index((document[pair[kept]], number[stratum[kept]], kind[kept]), shape)
    counts = np.bincount(cell, minlength=np.prod(shape)).reshape(shape)
    return Matching(pair[kept], cell, counts, int((kind == WITHIN).sum()))


def matched_difference(counts: np.ndarray, sums: np.ndarray) -> np.ndarray:
    """Averages over pairs within: a pair's value less the mean of the pairs across in its stratum.

    counts, sums: (..., S, 2), `Matching.counts` and `Matching.sums` summed over (resampled)
    documents. A stratum without one of the kinds is left out. Returns (...); NaN where no stratum
    has both.
    """
    counts = np.asarray(counts, dtype=np.float64)
    usable = (counts > 0).all(axis=-1)
    means = sums / np.where(counts > 0, counts, 1)
    weight = np.where(usable, counts[..., WITHIN], 0)
    difference = ((means[..., WITHIN] - means[..., ACROSS]) * weight).sum(axis=-1)
    total = weight.sum(axis=-1)
    return np.where(total > 0, difference / np.where(total > 0, total, 1), np.nan)


# ---- pronouns without training


def antecedent(pronoun: np.ndarray, candidates: np.ndarray, phrase: np.ndarray | None) -> int:
    """Returns the index of the (first) candidate with the largest cosine to the pronoun.

    Peters et al. (2018b), "unsupervised coreference": the mean vector (d,) of the pronoun's phrase
    is first subtracted from the pronoun's vector (d,), unless phrase is None.
    candidates: (n, d). Raises ValueError for no candidates, and for a zero or NaN vector.
    """
    if not len(candidates):
        raise ValueError("there is no candidate to choose from")
    query = pronoun if phrase is None else pronoun - phrase
    return int(np.argmax(unit_vectors(candidates) @ unit_vectors(query[None])[0]))
