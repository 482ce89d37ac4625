"""Computes word similarity from the rows of an embedding matrix, treated in several ways.

Biś et al. (2021), sections 5.1 and 5.2, Tables 2 and 3. A treatment applies to the *whole* matrix;
then the rows of the words are taken. All treatments of a matrix are compared on the same pairs, and
their replicates share their draws, so that gains can be subtracted draw by draw.

    v rows, dim dimensions, n pairs, D draws
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from cwr.corpora import word_pairs
from cwr.errors import UserError
from cwr.estimates import paired
from cwr.estimates.isotropy import components
from cwr.measures import isotropy, stats
from cwr.measures.benchmarks import PRODUCTS, cosines, word_similarity
from cwr.tables import by_family, where

if TYPE_CHECKING:
    from cwr.encoders.matrices import Matrix

SET, AVERAGE, AVERAGE_HERE = "similarity_pearson", "similarity_average", "similarity_average_here"
PAIRS = "similarity_pairs"  # the measure that says how many pairs were compared
RELEASED = 2  # components that the released `embeddings_benchmark.py` removes
POINTS = 100  # correlations are printed times 100
TREATMENTS = {  # the ending of a measure's name: the treatment in words
    "": "raw",
    "_centred": "centred",
    "_scaled": "centred and scaled",
    "_processed": "post-processed",
    "_processed_uncentred": "Mu and Viswanath",
    "_processed_released": f"post-processed, D = {RELEASED}",
}

Vectors = Mapping[str, Mapping[str, np.ndarray]]  # {treatment: {word: (dim,)}}


def word_vectors(
    matrix: "Matrix", words: Iterable[str], removed: int | None = None, leading_space: bool = True
) -> Vectors:
    """Returns the vectors of the words that are exactly one token, under each of the TREATMENTS.

    matrix: all of its rows are treated. words: to look up; words of several tokens are left out.
    removed: how many principal components post-processing removes; None: as many as in the text.
    leading_space: whether a byte-level vocabulary is searched for the word with a blank before it,
        as in the released code.
    Returns {ending of TREATMENTS: {word: (dim,)}}. Raises UserError for more components than the
    matrix has dimensions.
    """
    d = components(matrix.dim) if removed is None else removed
    if d > matrix.dim:
        raise UserError(
            f"{d} principal components cannot be removed from {matrix.name}, which has "
            f"{matrix.dim} dimensions: remove fewer"
        )
    rows = {}
    for word in words:
        row = matrix.row_of(word, leading_space)
        if row is not None:
            rows[word] = row
    numbers, vectors = list(rows.values()), {}
    for ending, treat in _treatments(d).items():
        vectors[ending] = dict(zip(rows, treat(matrix.W, numbers), strict=True))
    return vectors


def _treatments(d: int) -> dict[str, Callable[[np.ndarray, list[int]], np.ndarray]]:
    """Maps each treatment to a function of W (v, dim) and row numbers that gives (rows, dim)."""
    top = isotropy.all_but_the_top
    functions = (
        lambda W, rows: W[rows],
        isotropy.center,
        isotropy.scaled_center,
        lambda W, rows: top(W, d, rows=rows),
        lambda W, rows: top(W, d, centered=False, rows=rows),
        lambda W, rows: top(W, RELEASED, rows=rows),
    )
    return dict(zip(TREATMENTS, functions, strict=True))


def similarity(
    matrix: "Matrix",
    vectors: Vectors,
    pairs: Mapping[str, pd.DataFrame],
    correlation: str = "pearson",
    draws: int = 1000,
    seed: int = 0,
) -> list[dict]:
    """Computes Table 3 and Table 2's averages for one matrix, as rows for `report.results.write`.

    vectors: from `word_vectors`. pairs: {data set: (n,)}, as `word_pairs.load` reads them.
    correlation: "pearson" as the paper, or "spearman"; the measures keep their names, so that the
        same claims are judged under either.
    Values are correlations times 100, with replicates over the pairs. The averages are over the
    five sets of Table 3 where all are there; else over the sets at hand, under AVERAGE_HERE. Raises
    UserError for a data set with fewer than two pairs whose words have vectors.
    """
    rows = []
    for name, scored in pairs.items():
        try:
            rows += _of_set(vectors, scored, correlation, draws, seed, dataset=name)
        except ValueError as error:
            raise UserError(
                f"{matrix.name} cannot be compared with {name}: {error}; leave out the data set or "
                "the model"
            ) from error
    rows += _averages(rows, list(pairs))
    return [{"model": matrix.name, "family": matrix.family, **row} for row in rows]


def _of_set(
    vectors: Vectors, scored: pd.DataFrame, correlation: str, draws: int, seed: int, dataset: str
) -> list[dict]:
    """Returns rows of one data set: a correlation per treatment and product, and its pairs."""
    rows, picks = [], None
    for ending, by_word in vectors.items():
        for product in PRODUCTS:
            result = word_similarity(by_word, scored, correlation=correlation, product=product)
            if picks is None:  # the same pairs are left under every treatment
                labels = result.items["first"] + " " + result.items["second"]
                picks = stats.resample(labels.to_numpy(), draws, seed)
                rows.append({"measure": PAIRS, "dataset": dataset, "value": float(result.n)})
            rows.append(
                {
                    "measure": f"{SET}{ending}",
                    "dataset": dataset,
                    "estimator": product,
                    "value": POINTS * result.score,
                    "replicates": POINTS * replicates(result.items, picks, correlation),
                }
            )
    return rows


def replicates(items: pd.DataFrame, picks: np.ndarray, correlation: str) -> np.ndarray:
    """Computes the correlation of similarity and score in each resampled set of pairs, (D,).

    items: (n,), pairs with columns similarity and score. picks: (D, n), the pairs of each draw.
    correlation: "pearson" or "spearman".
    """
    columns = [items[column].to_numpy()[picks] for column in ("similarity", "score")]
    if correlation == "spearman":
        columns = [rankdata(column, axis=1) for column in columns]
    return stats.correlation(*columns)


def _averages(rows: list[dict], names: list[str]) -> list[dict]:
    """Averages over data sets, draw by draw: over the five of Table 3, or all that are here."""
    is_table_3 = set(word_pairs.TABLE_3) <= set(names)
    names = list(word_pairs.TABLE_3) if is_table_3 else names
    average = AVERAGE if is_table_3 else AVERAGE_HERE
    scores = (row for row in rows if row["measure"] != PAIRS and row["dataset"] in names)
    means = paired.mean(scores, "dataset")
    return [{**row, "measure": row["measure"].replace(SET, average)} for row in means]


def cells(table: pd.DataFrame, measure: str = SET) -> pd.Series:
    """Formats the cells of Table 3, "inner / cosine" as printed, by model, treatment and data set.

    table: tidy results, ours or printed. measure: SET, or an average, whose data set is NA.
    """
    texts = {}
    for model in by_family(table):
        for ending, treatment in TREATMENTS.items():
            rows = where(table, model=model, measure=f"{measure}{ending}")
            for dataset, scores in rows.groupby("dataset", sort=False, dropna=False):
                value = scores.set_index("estimator")["value"]
                text = f"{value['inner']:.1f} / {value['cosine']:.1f}"
                texts[model, treatment, dataset] = text
    return pd.Series(texts).rename_axis(["model", "treatment", "data set"])


def nearness(matrix: "Matrix", W: np.ndarray, word: str, others: Iterable[str]) -> pd.DataFrame:
    """Tabulates words, the given one first: its cosine with each, and the number of their tokens.

    Words are cut into tokens as within a text; a word of several tokens gets the mean of their
    rows.
    W: (v, dim), the matrix or a treatment of it. Raises ValueError for a mean without direction.
    """
    words, vectors, tokens = [word, *others], [], []
    for each in words:
        counts = matrix.count([f" {each}"])
        rows = np.flatnonzero(counts)
        vectors.append(np.average(W[rows], axis=0, weights=counts[rows]))
        tokens.append(int(counts.sum()))
    cosine = cosines(np.tile(vectors[0], (len(words), 1)), np.stack(vectors))
    return pd.DataFrame({"cosine": cosine, "tokens": tokens}, index=words)


def gains(rows: Iterable[dict]) -> pd.DataFrame:
    """Computes each treatment's gain over the raw correlation on each data set, with intervals.

    rows: from `similarity`. Columns model, family, dataset, treatment (in words), estimator, gain,
        low and high (paired, 95 % over the pairs, in points), half_width (of the interval: the
        least detectable gain), and n (number of pairs).
    """
    rows = list(rows)
    raw = [row for row in rows if row["measure"] == SET]
    treated = [
        {**row, "treatment": TREATMENTS[row["measure"].removeprefix(SET)]}
        for row in rows
        if row["measure"].startswith(SET) and row["measure"] != SET
    ]
    keys = ["model", "dataset", "estimator"]
    columns = ["model", "family", "dataset", "estimator", "treatment"]
    table = paired.frame(paired.minus(treated, raw, keys), columns, "gain")
    n = {
        (row["model"], row["dataset"]): int(row["value"]) for row in rows if row["measure"] == PAIRS
    }
    return table.assign(
        half_width=(table["high"] - table["low"]) / 2,
        n=[n[cell] for cell in zip(table["model"], table["dataset"], strict=True)],
    )
