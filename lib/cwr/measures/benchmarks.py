"""Word vectors against human judgement.

n    pairs of words
dim  dimensions
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cwr.measures import stats
from cwr.measures.contextuality import unit_rows

MISSING = ("skip", "mean")
CORRELATIONS = {"pearson": stats.correlation, "spearman": stats.rank_correlation}


@dataclass(frozen=True)
class WordSimilarity:
    """How well similarities of vectors agree with scores of people.

    score: the correlation, in [-1, 1].
    n: pairs that were compared. covered: pairs both of whose words have a vector.
    items: (n,), first, second, score (of people) and similarity (of the vectors), in the order and
        under the index of the pairs.
    """

    score: float
    n: int
    covered: int
    items: pd.DataFrame


def cosines(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Cosine of each row of first with the same row of second, (n,).

    first, second: (n, dim). Raises ValueError for a zero or NaN row, whose direction is undefined.
    """
    return inner_products(unit_rows(first), unit_rows(second))


def inner_products(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Inner product of each row of first with the same row of second, (n,), in float64.

    first, second: (n, dim).
    """
    return np.einsum("nd,nd->n", first, second, dtype=np.float64)


PRODUCTS = {"cosine": cosines, "inner": inner_products}


def word_similarity(
    vectors: Mapping[str, np.ndarray],
    pairs: pd.DataFrame,
    missing: str = "skip",
    correlation: str = "spearman",
    product: str = "cosine",
) -> WordSimilarity:
    """Correlation between scores that people gave to pairs of words and products of their vectors.

    Biś et al. (2021), section 5.2, Tables 2 and 3, with correlation="pearson", by both products;
    the field's usual choice is Spearman's.

    vectors: {word: (dim,)}. pairs: (n,), columns first, second and score; a repeated pair counts as
    often as it stands there.
    missing: "skip" leaves out a pair one of whose words has no vector, as the released code of Biś
        et al.; "mean" puts the mean of all vectors in the word's place.
    correlation: "pearson" or "spearman". product: "cosine" or "inner".
    Raises ValueError for another choice, for fewer than two pairs to compare, for a correlation
    that is undefined because one side is constant, and by cosine for a vector without direction.
    """
    _refuse_unknown("missing", missing, MISSING)
    _refuse_unknown("correlation", correlation, CORRELATIONS)
    _refuse_unknown("product", product, PRODUCTS)
    words = list(vectors)
    is_covered = pairs["first"].isin(words) & pairs["second"].isin(words)
    items = pairs if missing == "mean" and words else pairs[is_covered]
    if len(items) < 2:
        raise ValueError(
            f"of {len(pairs)} pairs of words {is_covered.sum()} have vectors for both words, and a "
            "correlation needs 2"
        )
    fallback = np.mean(list(vectors.values()), axis=0) if missing == "mean" else None
    first, second = (_stacked(vectors, items[side], fallback) for side in ("first", "second"))
    items = items.assign(similarity=PRODUCTS[product](first, second))
    score = float(CORRELATIONS[correlation](items["similarity"], items["score"]))
    if np.isnan(score):
        raise ValueError(
            f"the correlation of {len(items)} pairs is undefined: a side is constant, or no number"
        )
    return WordSimilarity(score, len(items), int(is_covered.sum()), items)


def _stacked(
    vectors: Mapping[str, np.ndarray], words: pd.Series, fallback: np.ndarray | None
) -> np.ndarray:
    """The vectors of words, (n, dim); the fallback, (dim,), for a word without one."""
    return np.stack([vectors.get(word, fallback) for word in words])


def _refuse_unknown(name: str, choice: str, choices) -> None:
    if choice not in choices:
        raise ValueError(f"{name} {choice!r} is none of {', '.join(choices)}")
