"""The four tasks of Table 1, which compare static word vectors with people's judgements of words.

Ethayarajh (2019), section 4.3, as the package `word-embeddings-benchmarks` (commit c78272b8), which
the paper used, computes them. Word similarity is also that of Biś et al. (2021), section 5.2. Each
task returns a `Score`, whose items can be resampled.

The argument `missing` chooses what happens to a word without a vector:
    "skip"  an item with such a word is left out: the score is that of the covered items.
    "mean"  the mean of all vectors replaces the word's, and no item is left out, as in the package.
            Where few items are covered, such a score says more of the coverage than of the vectors.

All tasks raise ValueError for vectors with NaN or infinity.

n    items: pairs of words, questions, words
v    words with a vector
dim  dimensions
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cwr.measures import stats
from cwr.measures.contextuality import unit_rows

MISSING = ("skip", "mean")
RATINGS = ("numbers", "strings")
CORRELATIONS = {"pearson": stats.correlation, "spearman": stats.rank_correlation}
LINKAGES = (  # the agglomerative clusterings that the package tries
    ("ward", "euclidean"),
    ("average", "cosine"),
    ("complete", "cosine"),
    ("average", "euclidean"),
    ("complete", "euclidean"),
)
STARTS = 10  # of k-means
BLOCK = 500  # questions answered at once: memory is BLOCK * v


@dataclass(frozen=True)
class Score:
    """The score of word vectors in one task.

    score: a correlation in [-1, 1], or a share in [0, 1]. n: the number of items compared.
    covered: the number of items whose words all have a vector.
    items: (n,), the compared items in their order and under their index, with the columns that the
        task adds.
    """

    score: float
    n: int
    covered: int
    items: pd.DataFrame


def cosines(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Computes the cosine of each row of first with the same row of second, (n,).

    first, second: (n, dim). Raises ValueError for a zero or NaN row, whose direction is undefined.
    """
    return inner_products(unit_rows(first), unit_rows(second))


def inner_products(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Computes the inner product of each row of first with the same row of second, (n,) float64.

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
) -> Score:
    """Correlates people's scores of word pairs with the cosines or products of the words' vectors.

    The defaults give Ethayarajh (2019), Table 1; correlation="pearson" with either product gives
    Biś et al. (2021), section 5.2, Tables 2 and 3.

    vectors: {word: (dim,)}. pairs: (n,), columns first, second and score; a repeated pair counts as
    often as it occurs. Items gain the column similarity.
    missing: "skip", as the released code of Biś et al., or "mean".
    correlation: "pearson" or "spearman". product: "cosine" or "inner". Raises ValueError for
    another choice, for fewer than two pairs to compare, for a correlation that is undefined because
    one side is constant, and with "cosine" for a vector without direction.
    """
    _refuse_unknown("correlation", correlation, CORRELATIONS)
    _refuse_unknown("product", product, PRODUCTS)
    lookup = _look_up(vectors, pairs, ("first", "second"), missing, "pairs of words", least=2)
    first, second = (lookup.table[column] for column in lookup.rows.T)
    items = lookup.items.assign(similarity=PRODUCTS[product](first, second))
    score = float(CORRELATIONS[correlation](items["similarity"], items["score"]))
    if np.isnan(score):
        raise ValueError(
            f"the correlation of {len(items)} pairs is undefined: a side is constant, or no number"
        )
    return lookup.score(score, items)


def analogy(
    vectors: Mapping[str, np.ndarray], questions: pd.DataFrame, missing: str = "skip"
) -> Score:
    """Computes the share of questions "first is to second as third is to …" answered correctly.

    3CosAdd (Mikolov et al. 2013): of all words with a vector, except the three of the question, the
    answer has the largest inner product with second - first + third, all at unit length. So a
    larger vocabulary makes every question harder, covered or not.

    vectors: {word: (dim,)}. questions: (n,), columns first, second, third and answer. Items gain
    the columns prediction (a word) and is_right.
    missing: "skip" needs a vector of all four words; with "mean" an answer without one is wrong.
    Raises ValueError for another choice, a vector without direction, and no question to ask.
    """
    columns = ("first", "second", "third", "answer")
    lookup = _look_up(vectors, questions, columns, missing, "questions")
    units = unit_rows(lookup.table[:-1])  # (v, dim)
    answers = []
    for start in range(0, len(lookup.rows), BLOCK):
        answers.append(_answers(units, lookup.rows[start : start + BLOCK, :3]))
    predictions = np.array(list(vectors), dtype=object)[np.concatenate(answers)]
    is_right = predictions == lookup.items["answer"].to_numpy()
    items = lookup.items.assign(prediction=predictions, is_right=is_right)
    return lookup.score(is_right.mean(), items)


def _answers(units: np.ndarray, queries: np.ndarray) -> np.ndarray:
    """Returns the rows 3CosAdd answers, (q,). units: (v, dim). queries: (q, 3); -1: the mean."""
    table = np.vstack([units, units.mean(axis=0)])
    first, second, third = (table[column] for column in queries.T)
    products = (second - first + third) @ units.T  # (q, v)
    for column in queries.T:
        known = np.flatnonzero(column >= 0)
        products[known, column[known]] = -np.inf
    return products.argmax(axis=1)


def categorisation(
    vectors: Mapping[str, np.ndarray], words: pd.DataFrame, missing: str = "skip", seed: int = 0
) -> Score:
    """Clusters words in six ways; returns the best clustering's purity, by people's classes.

    The package reports the *largest* purity of six clusterings into as many clusters as classes,
    agglomerative by LINKAGES and k-means with STARTS starts (scikit-learn).

    vectors: {word: (dim,)}, not rescaled; the package's have length one.
    words: (n,), columns word and class. Items gain the columns cluster, and is_right: whether a
        word has the commonest class of its cluster.
    seed: for k-means. Raises ValueError for another choice of missing, for a vector without
    direction, and for fewer than two classes.
    """
    lookup = _look_up(vectors, words, ("word",), missing, "words", least=2)
    classes = lookup.items["class"].to_numpy()
    k = len(set(classes))
    if k < 2:
        raise ValueError(f"the {len(classes)} words to cluster are all of the class {classes[0]!r}")
    compared = lookup.table[lookup.rows[:, 0]]
    unit_rows(compared)  # refuses what has no direction
    best, clusters = -1.0, None
    for assigned in _clusterings(compared, k, seed):
        value = purity(classes, assigned)
        if value > best:
            best, clusters = value, assigned
    commonest = pd.crosstab(clusters, classes).idxmax(axis=1)
    is_right = classes == commonest[clusters].to_numpy()
    return lookup.score(best, lookup.items.assign(cluster=clusters, is_right=is_right))


def _clusterings(compared: np.ndarray, k: int, seed: int) -> Iterator[np.ndarray]:
    """Cluster numbers (n,) by each of the package's clusterings. compared: (n, dim)."""
    from sklearn.cluster import AgglomerativeClustering, KMeans

    for linkage, metric in LINKAGES:
        clustering = AgglomerativeClustering(k, metric=metric, linkage=linkage)
        yield clustering.fit_predict(compared)
    distinct = len(np.unique(compared, axis=0))  # all words without a vector have the same
    yield KMeans(min(k, distinct), n_init=STARTS, random_state=seed).fit_predict(compared)


def purity(classes: np.ndarray, clusters: np.ndarray) -> float:
    """Computes the share of words that have the commonest class of their cluster, in (0, 1].

    classes, clusters: (n,), labels. Purity grows with the number of clusters; it is 1 if each word
    is a cluster of its own.
    """
    return float(pd.crosstab(clusters, classes).max(axis=1).sum() / len(classes))


def relational_similarity(
    vectors: Mapping[str, np.ndarray],
    pairs: pd.DataFrame,
    paradigms: pd.DataFrame,
    missing: str = "skip",
    ratings: str = "numbers",
    least: int = 5,
) -> Score:
    """Scores vectors on relational similarity, SemEval-2012, task 2 (Jurgens et al. 2012).

    People have judged how well a pair of words exemplifies a relation. A pair's difference is the
    vector of its first word minus that of its second; its similarity is the inner product with the
    mean difference of the relation's paradigm pairs. The score is the rank correlation of
    similarities and judgements, averaged over relations. A relation in which all similarities or
    all judgements are equal counts 0, as in the package; with missing = "mean" that can happen.

    vectors: {word: (dim,)}, not rescaled; the package's have length one.
    pairs: (n,), columns class (the relation), first, second and score. Items gain the column
        similarity. paradigms: columns class, first and second.
    missing: "skip" also leaves out a relation without a covered paradigm pair, and a relation with
        fewer than `least` covered pairs, whose correlation could be little else than 1 or -1.
    ratings: "strings" sorts the ratings as texts ("10.0" before "2.0"), as the package does by
        mistake; the items' scores are then their ranks in that order.
    Raises ValueError for another choice, and where no relation is left.
    """
    _refuse_unknown("ratings", ratings, RATINGS)
    if ratings == "strings":
        pairs = pairs.assign(score=pairs["score"].map(str).rank(method="dense"))
    columns = ("first", "second")
    lookup = _look_up(vectors, pairs, columns, missing, "pairs of words")
    models = _look_up(vectors, paradigms, columns, missing, "paradigm pairs")
    directions = models.differences().groupby(models.items["class"].to_numpy()).mean()
    products = []
    for relation, differences in lookup.differences().groupby(lookup.items["class"].to_numpy()):
        is_enough = missing == "mean" or len(differences) >= least
        if relation in directions.index and is_enough:
            products.append(differences @ directions.loc[relation])
    if not products:
        raise ValueError(
            f"of {pairs['class'].nunique()} relations none has a paradigm pair and {least} pairs "
            "with vectors for all words"
        )
    similarity = pd.concat(products)
    items = lookup.items.loc[lookup.items.index.isin(similarity.index)]
    items = items.assign(similarity=similarity)
    return lookup.score(float(by_relation(items).mean()), items)


def by_relation(items: pd.DataFrame) -> pd.Series:
    """Computes Spearman's correlation for each relation, by class; 0 where a side is constant.

    items: the items of `relational_similarity`, with the columns class, score and similarity.
    """
    correlations = {}
    for relation, pairs in items.groupby("class", sort=False):
        value = float(stats.rank_correlation(pairs["similarity"], pairs["score"]))
        correlations[relation] = 0.0 if np.isnan(value) else value
    return pd.Series(correlations)


@dataclass(frozen=True)
class _Lookup:
    """The items to compare, with the rows of their words.

    items: (n,). rows: (n, words per item), into table; -1 where a word has no vector. table: (v +
    1, dim), the vectors, and their mean as the last row. covered: the number of covered items.
    """

    items: pd.DataFrame
    rows: np.ndarray
    table: np.ndarray
    covered: int

    def differences(self) -> pd.DataFrame:
        """Subtracts the second word's vector from the first's, (n, dim), by item."""
        first, second = (self.table[column] for column in self.rows.T)
        return pd.DataFrame(first - second, index=self.items.index)

    def score(self, value: float, items: pd.DataFrame) -> Score:
        """The result of a task that compared these items."""
        return Score(float(value), len(items), self.covered, items)


def _look_up(
    vectors: Mapping[str, np.ndarray],
    items: pd.DataFrame,
    columns: tuple[str, ...],
    missing: str,
    kind: str,
    least: int = 1,
) -> _Lookup:
    """Looks up the items that `missing` leaves, and the vectors of the words in their columns.

    Raises ValueError for an unknown rule, for fewer items than `least` (named by `kind`), and for a
    vector with NaN or infinity.
    """
    _refuse_unknown("missing", missing, MISSING)
    index = {word: row for row, word in enumerate(vectors)}
    rows = np.stack([items[column].map(index).fillna(-1).to_numpy(int) for column in columns], 1)
    is_covered = (rows >= 0).all(axis=1)
    is_compared = np.full(len(items), bool(index)) if missing == "mean" else is_covered
    if is_compared.sum() < least:
        raise ValueError(
            f"of {len(items)} {kind} {is_covered.sum()} have vectors for all words, and a score "
            f"needs {least}"
        )
    table = np.stack(list(vectors.values())).astype(np.float64)
    is_number = np.isfinite(table).all(axis=1)
    if not is_number.all():
        word = list(vectors)[int(np.argmin(is_number))]
        raise ValueError(f"the vector of {word!r} has an entry that is no number")
    table = np.vstack([table, table.mean(axis=0)])
    return _Lookup(items[is_compared], rows[is_compared], table, int(is_covered.sum()))


def _refuse_unknown(name: str, choice: str, choices) -> None:
    if choice not in choices:
        raise ValueError(f"{name} {choice!r} is none of {', '.join(choices)}")
