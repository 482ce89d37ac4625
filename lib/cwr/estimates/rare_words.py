"""Never-used tokens beside used ones, and what a model predicts of rare tokens, as tidy rows.

Biś et al. (2021), section 4.2, Figure 3 and footnote 7.

    v    rows of the embedding matrix, one a token
    n    predicted positions of a text
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr.errors import UserError
from cwr.measures import isotropy, rare_words, stats

if TYPE_CHECKING:
    from cwr.encoders.matrices import Matrix

LAST = 1000  # rows that stand in where a vocabulary has no unused ones (footnote 7)
UNCASED = ("the", "of", "and", "in", "to")  # rows 1996 to 2000 of BERT's uncased vocabulary
RANGES = ((2000, 3000), (28500, 29500))  # of that vocabulary, in the text of section 4.2


@dataclass(frozen=True)
class Reference:
    """The rows that all others are compared with, and what their measures are called after."""

    rows: np.ndarray  # (r,) row numbers
    name: str  # "unused" or "last_rows"


def reference(matrix: "Matrix", last: int = LAST) -> Reference:
    """The unused rows of a vocabulary; if it has none, its last ones.

    Special tokens are left out, though some of them may never have been used either. Raises
    UserError for a vocabulary without unused rows that has no more than `last` rows.
    """
    unused = np.flatnonzero(matrix.is_row("unused"))
    if len(unused):
        return Reference(unused, "unused")
    v = len(matrix.W)
    if v <= last:
        raise UserError(
            f"{matrix.name} has no unused tokens, and its {v:,} rows are no more than the last "
            f"{last:,} that would stand in for them: set last to less"
        )
    return Reference(np.arange(v - last, v), "last_rows")


def similarities(
    matrix: "Matrix", counts: np.ndarray, *, width: int = 1000, bins: int = 10, last: int = LAST
) -> Iterator[dict]:
    """Mean cosines of a model's reference rows with bins of its vocabulary, raw and centred.

    counts: (v,) how often a text has each token. Measures, each also with `_centred`:
        NAME_mean_cosine_by_bin         k = row number // width, as Figure 3
        NAME_mean_cosine_by_frequency   k = 1 (the commonest of `bins`) and up, of counted tokens
        NAME_mean_cosine_uncounted      words and pieces that the text does not have
        NAME_mean_cosine                class = a range of section 4.2, for BERT's uncased vocabulary
    and unused_tokens, the number of unused rows. NAME is that of the `reference`.
    """
    keys = {"model": matrix.name, "family": matrix.family}
    yield {**keys, "measure": "unused_tokens", "value": float(matrix.is_row("unused").sum())}
    rows = reference(matrix, last)
    name = f"{rows.name}_mean_cosine"
    labelled = list(_bins(matrix, counts, rows.rows, width, bins))
    groups = [group for *_, group in labelled]
    for W, suffix in ((matrix.W, ""), (isotropy.center(matrix.W), "_centred")):
        cosines = rare_words.mean_cosines(W, rows.rows, groups)
        for (ending, label, _), cosine in zip(labelled, cosines, strict=True):
            measure = f"{name}{ending}{suffix}"
            yield {**keys, "measure": measure, **label, "value": float(cosine)}


def _bins(
    matrix: "Matrix", counts: np.ndarray, reference: np.ndarray, width: int, bins: int
) -> Iterator[tuple[str, dict, np.ndarray]]:
    """(ending of the measure, key columns, row numbers) of every bin in `similarities`."""
    v = len(matrix.W)
    for k, rows in enumerate(rare_words.index_bins(v, width)):
        yield "_by_bin", {"k": k}, rows
    for k, rows in enumerate(rare_words.frequency_bins(counts, bins), start=1):
        yield "_by_frequency", {"k": k}, rows
    is_uncounted = (counts == 0) & matrix.is_row("word", "piece")
    uncounted = np.setdiff1d(np.flatnonzero(is_uncounted), reference)
    if len(uncounted):
        yield "_uncounted", {}, uncounted
    if tuple(matrix.tokens[1996:2001]) == UNCASED and v >= RANGES[-1][1]:
        for low, high in RANGES:
            yield "", {"class": f"{low}-{high}"}, np.arange(low, high)


def nearest(matrix: "Matrix", counts: np.ndarray, n: int = 20, last: int = LAST) -> pd.DataFrame:
    """The n tokens nearest to the reference rows after centring, by cosine: token, count, cosine.

    The common direction of all rows is taken away first, as in one of the indicators of Land and
    Bartolo (2024): what is left tells rows apart.
    """
    rows = reference(matrix, last).rows
    numbers, cosines = rare_words.nearest(isotropy.center(matrix.W), rows, n)
    tokens = [matrix.tokens[number] for number in numbers]
    return pd.DataFrame({"token": tokens, "count": counts[numbers], "cosine": cosines})


def means_by_bin(
    values: Mapping[str, np.ndarray],
    bins: np.ndarray,
    windows: np.ndarray,
    *,
    draws: int = 1000,
    seed: int = 0,
    **keys: object,
) -> Iterator[dict]:
    """Means over the positions of each bin, with replicates that resample windows of the text.

    Positions of a window were predicted from each other, so windows are what is drawn; all bins and
    measures share the draws. values: {measure: (n,)}. bins: (n,), 0 for positions of no bin, which
    are left out. windows: (n,) the window of each position. A draw without a position is NaN.
    """
    names, window = np.unique(windows, return_inverse=True)
    weights = stats.weights(names, draws, seed)  # (draws, windows)
    for k in np.unique(bins[bins > 0]):
        inside = bins == k
        sizes = weights @ np.bincount(window[inside], minlength=len(names))  # (draws,)
        for measure, of_positions in values.items():
            sums = np.bincount(window[inside], of_positions[inside], minlength=len(names))
            replicates = np.full(draws, np.nan)
            np.divide(weights @ sums, sizes, out=replicates, where=sizes > 0)
            mean = float(of_positions[inside].mean())
            row = {"measure": measure, "k": int(k), "value": mean, "replicates": replicates}
            yield {**keys, **row}
