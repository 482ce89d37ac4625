"""Compares never-used tokens with used ones, and averages predictions of rare tokens, as tidy rows.

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
ENDINGS = {
    "bin": "_by_bin",
    "frequency": "_by_frequency",
    "uncounted": "_uncounted",
    "range": "",
}


@dataclass(frozen=True)
class Reference:
    """The rows that all others are compared with, and the start of their measures' names."""

    rows: np.ndarray  # (r,) row numbers
    name: str  # "unused" or "last_rows"


def reference(matrix: "Matrix", last: int = LAST) -> Reference:
    """Returns the unused rows of a vocabulary, or its last rows if all are used.

    Special tokens are left out, though some of them may never have been used either, and so are
    zero rows, which have no direction. Raises UserError for a vocabulary without unused rows that
    has no more than `last` rows.
    """
    has_direction = directed(matrix)
    unused = np.flatnonzero(matrix.is_row("unused") & has_direction)
    if len(unused):
        return Reference(unused, "unused")
    rows = np.flatnonzero(has_direction)
    if len(rows) <= last:
        raise UserError(
            f"{matrix.name} has no unused tokens, and its {len(rows):,} rows are no more than the "
            f"last {last:,} that would stand in for them: set last to less"
        )
    return Reference(rows[-last:], "last_rows")


def directed(matrix: "Matrix") -> np.ndarray:
    """Tells which rows are not zero, (v,) bool; in an untrained BERT, [PAD] is zero."""
    return matrix.W.any(axis=1)


def similarities(
    matrix: "Matrix", counts: np.ndarray, *, width: int = 1000, bins: int = 10, last: int = LAST
) -> pd.DataFrame:
    """Averages the cosine of the reference rows with each bin of rows: a row per bin and matrix.

    counts: (v,) how often a text has each token. Columns model, family, measure, value, and
        reference  "unused" or "last_rows"
        matrix     "raw" or "centred"
        by         the rule that cuts the bins:
                   "bin"        k = row number // width, as Figure 3
                   "frequency"  k = 1 (the commonest of `bins`) and up, tokens in the text
                   "uncounted"  no k: words and pieces that do not occur in the text
                   "range"      class = a range of section 4.2, in BERT's uncased vocabulary only
        overlaps   whether reference rows lie in the bin
    Raises UserError as `reference` and `frequency_bins`, ValueError as `measures.rare_words`.
    """
    named = reference(matrix, last)
    frame = pd.DataFrame(_filled(matrix, _bins(matrix, counts, named.rows, width, bins)))
    groups = frame.pop("rows")
    frame["overlaps"] = [bool(np.isin(rows, named.rows).any()) for rows in groups]
    parts = []
    for name, W in (("raw", matrix.W), ("centred", isotropy.center(matrix.W))):
        cosines = rare_words.mean_cosines(W, named.rows, list(groups))
        parts.append(frame.assign(matrix=name, value=cosines))
    keys = {"model": matrix.name, "family": matrix.family, "reference": named.name}
    table = pd.concat(parts, ignore_index=True).assign(**keys)
    ending = table["by"].map(ENDINGS) + table["matrix"].map({"raw": "", "centred": "_centred"})
    return table.assign(measure=table["reference"] + "_mean_cosine" + ending)


def tidy_rows(table: pd.DataFrame) -> list[dict]:
    """Converts the rows of `similarities` to the keys of `cwr.tables`; absent keys are left out."""
    columns = ["model", "family", "measure", "k", "class", "value"]
    present = table.reindex(columns=columns).astype({"k": "Int64"})
    return [row.dropna().to_dict() for _, row in present.iterrows()]


def _bins(
    matrix: "Matrix", counts: np.ndarray, reference: np.ndarray, width: int, bins: int
) -> Iterator[dict]:
    """Every bin of `similarities`: by, k or class, and its row numbers."""
    v = len(matrix.W)
    for k, rows in enumerate(rare_words.index_bins(v, width)):
        yield {"by": "bin", "k": k, "rows": rows}
    for k, rows in enumerate(frequency_bins(counts, bins), start=1):
        yield {"by": "frequency", "k": k, "rows": rows}
    is_uncounted = (counts == 0) & matrix.is_row("word", "piece")
    uncounted = np.setdiff1d(np.flatnonzero(is_uncounted), reference)
    if len(uncounted):
        yield {"by": "uncounted", "rows": uncounted}
    if tuple(matrix.tokens[1996:2001]) == UNCASED and v >= RANGES[-1][1]:
        for low, high in RANGES:
            yield {"by": "range", "class": f"{low}-{high}", "rows": np.arange(low, high)}


def frequency_bins(counts: np.ndarray, bins: int) -> rare_words.Bins:
    """Calls `measures.rare_words.frequency_bins`; raises UserError for fewer tokens than bins."""
    used = np.count_nonzero(counts)
    if used < bins:
        raise UserError(
            f"{used:,} different tokens of the text cannot be cut into {bins:,} bins: ask for fewer, "
            "or take more text"
        )
    return rare_words.frequency_bins(counts, bins)


def _filled(matrix: "Matrix", bins: Iterator[dict]) -> Iterator[dict]:
    """These bins without zero rows; one that has no others is left out."""
    has_direction = directed(matrix)
    for one in bins:
        rows = one["rows"][has_direction[one["rows"]]]
        if len(rows):
            yield {**one, "rows": rows}


def nearest(matrix: "Matrix", counts: np.ndarray, n: int = 20, last: int = LAST) -> pd.DataFrame:
    """Finds the n tokens nearest to the reference rows after centring: token, count, cosine.

    Centring removes the direction that all rows share, as in one of the indicators of Land and
    Bartolo (2024).
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
    """Averages values over the positions of each bin; replicates resample windows of the text.

    Windows are resampled because positions of a window were predicted from each other; all bins and
    measures share the draws. values: {measure: (n,)}. bins: (n,), 0 for positions in no bin, which
    are left out. windows: (n,), the window of each position. A draw without a position is NaN.
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
