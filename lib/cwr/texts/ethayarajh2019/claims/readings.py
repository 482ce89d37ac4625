"""Reads tables for the claims, checks and notebooks of Ethayarajh (2019).

It has the names of measures, the curve of a measure without gaps, and Table 1 as arrays.

    D = draws (1 for printed numbers), L = layers, V = vectors of Table 1, N = benchmarks
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from cwr.papers import predicates
from cwr.tables import DEPTH_TOLERANCE, Missing, Table, Undefined

# Figure 1: b in the claims' words
BASELINE = "anisotropy_baseline"
# Figure 2: S is the adjusted one
SELF_SIMILARITY = "self_similarity"
ADJUSTED_SELF_SIMILARITY = "adjusted_self_similarity"
SELF_SIMILARITY_LAYER_MEAN = "self_similarity_layer_mean"
STOPWORD_PERCENTILE = "stopword_percentile"
# Figure 3: I is the adjusted one
INTRA_SENTENCE = "intra_sentence_similarity"
ADJUSTED_INTRA_SENTENCE = "adjusted_intra_sentence_similarity"
INTRA_SENTENCE_COSINE = "intra_sentence_cosine"
# Figure 4
EXPLAINED_VARIANCE = "maximum_explainable_variance"
ADJUSTED_EXPLAINED_VARIANCE = "adjusted_maximum_explainable_variance"
MATCHED_EXPLAINED_VARIANCE = "adjusted_maximum_explainable_variance_matched"
EXPLAINED_VARIANCE_BASELINE = "maximum_explainable_variance_baseline"
EXPLAINED_VARIANCE_NEVER_FIRST = "maximum_explainable_variance_never_first"
EXPLAINED_VARIANCE_SEEN_FIRST = "maximum_explainable_variance_seen_first"
EXPLAINED_VARIANCE_VARYING = "maximum_explainable_variance_varying"
EXPLAINED_VARIANCE_LEAST = "maximum_explainable_variance_least"
SHARE_BELOW_BASELINE = "share_of_words_below_baseline"
SHARE_BELOW_PCA = "share_of_words_below_pca_bound"
SHARE_BELOW_SELF_SIMILARITY = "share_of_words_below_self_similarity"
# Table 1: Spearman correlation, accuracy or purity, by benchmark
SCORE = "static_benchmark_score"

ONE_TOKEN = (
    "Caveat: we infer that GPT-2's released statistics rest on an input in which more than half "
    'of the distinct words became the token "!".'
)
STEP = 0.01  # two estimates' noise makes such a step
NO_LAYER = -1  # of a static vector in Table 1
LEAST_BENCHMARKS = 3  # of fewer there is no "most"


# ---- curves


def curves(published: pd.DataFrame, measure: str, estimator: str | None = None) -> pd.DataFrame:
    """Pivots a measure of a tidy table by layer (rows) and model (columns).

    estimator: of the values, where the measure has several. Raises ValueError for two values of a
    layer.
    """
    rows = published[(published["measure"] == measure) & published["layer"].notna()]
    if estimator is not None:
        rows = rows[rows["estimator"] == estimator]
    return rows.pivot(index="layer", columns="model", values="value")


def ranges(frame: pd.DataFrame, form: str = "{:.2f}") -> str:
    """Formats the smallest and largest value of each model: "ELMo 0.16 to 0.98"."""
    shown = []
    for model, column in frame.dropna(axis=1, how="all").items():
        shown.append(f"{model} {form.format(column.min())} to {form.format(column.max())}")
    return "; ".join(shown)


def layers(
    table: Table,
    measure: str,
    first: int = 0,
    depths: tuple[float, float] = (0, 1),
    at_least: int = 1,
) -> tuple[list[str], np.ndarray]:
    """Reads a measure in a model's layers: names ("layer 3"), values (D, L), lowest first.

    first: the first layer that the measure has (1 where the input layer has none).
    depths: the lowest and the highest relative depth (layer / highest layer), both included.
    Raises Missing if a layer between the first and the highest is not there, Undefined for fewer
    than `at_least` layers, Ambiguous for two values of a layer.
    """
    numbers = table.layers(measure, first)
    _refuse_gaps(numbers, first, measure)
    depth = numbers / max(numbers[-1], 1)
    low, high = depths
    inside = (depth >= low - DEPTH_TOLERANCE) & (depth <= high + DEPTH_TOLERANCE)
    values = table.curve(measure, first=first)[:, inside]
    if values.shape[1] < at_least:
        name = measure.replace("_", " ")
        raise Undefined(f"{name} has {values.shape[1]} of the {at_least} layers that are compared")
    return predicates.layer_names(numbers[inside]), values


def curve(table: Table, measure: str, first: int = 0, at_least: int = 1) -> np.ndarray:
    """Reads a measure in all layers of a model, (D, L), lowest first; arguments as `layers`."""
    return layers(table, measure, first, at_least=at_least)[1]


def last(table: Table, measure: str) -> np.ndarray:
    """Reads a measure of a model in its last layer, (D,). Raises as `layers`."""
    return curve(table, measure)[:, -1]


def _refuse_gaps(numbers: np.ndarray, first: int, measure: str) -> None:
    """Raises Missing unless these are all layers from the first to the highest."""
    lacking = sorted(set(range(first, numbers[-1] + 1)) - set(numbers.tolist()))
    if lacking:
        raise Missing(f"{measure.replace('_', ' ')} in layer {lacking[0]}")


# ---- Table 1


@dataclass(frozen=True)
class Scores:
    """The benchmark scores of static vectors, or of vectors distilled from layers.

    vectors: (family, model, layer) of each of V. benchmarks: N names. values: (D, V, N).
    """

    vectors: list[tuple[str, str, int]]
    benchmarks: list[str]
    values: np.ndarray

    @property
    def names(self) -> list[str]:
        """The vectors' names for a reader: "BERT layer 1"."""
        return [f"{model} layer {layer}" for _, model, layer in self.vectors]

    @property
    def layers(self) -> np.ndarray:
        """The layers of the vectors, (V,)."""
        return np.array([layer for _, _, layer in self.vectors])

    @property
    def families(self) -> np.ndarray:
        """The families of the vectors, (V,)."""
        return np.array([family for family, _, _ in self.vectors])

    def at(self, keep: np.ndarray) -> "Scores":
        """Selects vectors by `keep`, (V,) bool. Raises Missing for none."""
        if not keep.any():
            raise Missing("static benchmark score of such a layer")
        vectors = [self.vectors[index] for index in np.flatnonzero(keep)]
        return Scores(vectors, self.benchmarks, self.values[:, keep])


def static(table: Table, benchmarks: list[str]) -> Scores:
    """Reads vectors of no encoder on these benchmarks. Raises Missing if one lacks a score."""
    labels, values = table.where(family="static").over(("family", "model", "dataset"), SCORE)
    return _grid([(*label[:2], NO_LAYER, label[2]) for label in labels], values, benchmarks)


def components(table: Table, *families: str) -> Scores:
    """Reads first principal components of layers, on all benchmarks; families: of these only.

    Raises Missing for a vector without a score that another has, and for fewer than three
    benchmarks.
    """
    rows = table.where(not_family="static")
    rows = rows.where(family=families) if families else rows
    labels, values = rows.over(("family", "model", "layer", "dataset"), SCORE)
    return _grid(labels, values, list(dict.fromkeys(label[-1] for label in labels)))


def _grid(labels: list[tuple], values: np.ndarray, benchmarks: list[str]) -> Scores:
    """Scores from labels (family, model, layer, benchmark) and values, (D, number of labels)."""
    if len(benchmarks) < LEAST_BENCHMARKS:
        raise Missing(f"static benchmark score on {LEAST_BENCHMARKS} benchmarks at least")
    columns = {label: number for number, label in enumerate(labels)}
    vectors = list(dict.fromkeys(label[:3] for label in labels))
    order = []
    for vector in vectors:
        for benchmark in benchmarks:
            if (*vector, benchmark) not in columns:
                raise Missing(f"static benchmark score ({vector[1]}, {benchmark})")
            order.append(columns[*vector, benchmark])
    return Scores(vectors, benchmarks, values[:, order].reshape(len(values), len(vectors), -1))


def beats_static(table: Table, scores: Scores) -> np.ndarray:
    """Tells where vectors exceed every static vector, (D, V, N) bool; a tie does not count."""
    rivals = static(table, scores.benchmarks).values.max(axis=1)  # (D, N)
    return scores.values > rivals[:, None]


def best_or_tied(scores: Scores) -> np.ndarray:
    """Counts the benchmarks on which no other vector has a higher score, for each vector, (D, V)."""
    return (scores.values >= scores.values.max(axis=1, keepdims=True)).sum(axis=2)


def without_best(scores: Scores) -> Scores:
    """Leaves out the vector that section 4.3 names as the best, BERT's first layer."""
    return scores.at(~((scores.families == "masked") & (scores.layers == 1)))


def lower_better(scores: Scores) -> np.ndarray:
    """Tells on which benchmarks a model's lowest layer exceeds its highest, (D, N) bool.

    Raises Missing for one layer.
    """
    if len(scores.vectors) < 2:
        raise Missing("static benchmark score of two layers")
    lowest, highest = scores.layers.argmin(), scores.layers.argmax()
    return scores.values[:, lowest] > scores.values[:, highest]


def lower_counts(published: pd.DataFrame) -> dict[str, int]:
    """Counts Table 1's benchmarks on which the lowest layer exceeds the highest, {model: n}."""
    table = Table(published)
    models = table.where(not_family="static").with_measure(SCORE)
    return {model: int(lower_better(components(rows))[0].sum()) for model, rows in models.items()}


def causal_against_others(table: Table) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Returns benchmarks (N), the best causal score, and ELMo's and BERT's lowest, both (D, N).

    Raises Missing where one of them has no score.
    """
    scores = components(table)
    causal = scores.at(scores.families == "causal").values
    others = scores.at(np.isin(scores.families, ("bilstm", "masked"))).values
    return scores.benchmarks, causal.max(axis=1), others.min(axis=1)


def wins(published: pd.DataFrame) -> pd.DataFrame:
    """Counts the benchmarks of Table 1 on which each vector beats each rival, a row per vector."""
    table = Table(published)
    scores = components(table)
    rivals = static(table, scores.benchmarks)
    counts = {
        f"beats {model}": (scores.values > rivals.values[:, [number]]).sum(axis=2)[0]
        for number, (_, model, _) in enumerate(rivals.vectors)
    }
    counts["beats both"] = beats_static(table, scores).sum(axis=2)[0]
    counts["best or tied among these"] = best_or_tied(scores)[0]
    index = pd.MultiIndex.from_tuples(scores.vectors, names=["family", "model", "layer"])
    return pd.DataFrame(counts, index=index)
