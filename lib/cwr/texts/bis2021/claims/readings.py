"""Reads the tables of Biś et al. (2021) into arrays.

The paper looks at embedding matrices, not at layers. A model has one name in all tables: "GPT-2 (12
layers)" of Table 1 is GPT-2-small, "Bert" of Table 3 is BERT. Similarity is Pearson's r times 100,
by two SCORES of a pair of words: the key column `estimator` is "cosine" or "inner" (inner product).

    D = draws, N = items (models, or whatever a label names), S = the two SCORES, K = the five SETS
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from cwr.papers.claims import Needs
from cwr.tables import Missing, Table, concatenated

I_RAW = "partition_isotropy"
I_CENTRED, I_REMOVED = f"{I_RAW}_centred", f"{I_RAW}_removed"
NORM, MEAN, RATIO = "embedding_norm", "mean_vector_norm", "mean_vector_norm_ratio"
COSINE, ANGLE = "embedding_mean_cosine", "embedding_mean_cosine_angle"
TOP = "top_eigenvector_mean_cosine"
SYMBOLS = {
    I_RAW: "I(W)",
    I_CENTRED: "I(W_c)",
    I_REMOVED: "I(W_r)",
    NORM: "mean norm",
    MEAN: "norm of the mean",
    RATIO: "ratio of the norms",
}

# Table 2 holds means over the sets, Table 3 a row a set; treatments are those of sections 5.1, 5.2
RAW = "similarity_average"
CENTRED, SCALED, PROCESSED = f"{RAW}_centred", f"{RAW}_scaled", f"{RAW}_processed"
SET = "similarity_pearson"
SET_CENTRED, SET_SCALED, SET_PROCESSED = f"{SET}_centred", f"{SET}_scaled", f"{SET}_processed"
TREATMENTS = {CENTRED: "centred", SCALED: "centred and scaled", PROCESSED: "post-processed"}
SCORES = ("cosine", "inner")
SETS = ("men", "rare words", "simlex-999", "wordsim-relatedness", "wordsim-similarity")
WORDSIM = ("wordsim-relatedness", "wordsim-similarity")  # the two parts of one benchmark

TABLE_2_MODELS = (
    "BERT-base-cased",
    "BERT-large-cased",
    "GPT-2-small",
    "GPT-2-medium",
    "RoBERTa-base",
    "RoBERTa-large",
)
TABLE_1_MODELS = ("BERT-base-uncased", "BERT-large-uncased", *TABLE_2_MODELS)
LANGUAGE_MODELS = ("masked", "causal")  # the families of BERT and RoBERTa, and of GPT-2

SHARED = 0.05  # a mean cosine above which rows share a direction
ROUNDING = 0.005  # half a unit of the second decimal
SEVERAL = 3  # models, before a mean or a majority says something
MANY = len(TABLE_2_MODELS)  # models, before a correlation over them says something

CHECKPOINTS = "No printed number decides the claim; a run on the paper's checkpoints does."
NO_VALUES = "The figure prints no values, so a run on the paper's checkpoints must decide."

Columns = tuple[list, list[np.ndarray]]  # labels (N), and an array (D, N, ...) a measure


def comparing(*measures: str, **further: tuple[str, ...] | int) -> Needs:
    """Returns the `Needs` of a claim that compares models of any family, or names none."""
    return Needs(measures=measures, families=(), compares=True, **further)


# ---- arrays of a table, side by side


def common(columns: Sequence[tuple[list, np.ndarray]], at_least: int, name: str) -> Columns:
    """Cuts columns of one table to the labels that all of them have, in the order of the first.

    columns: (labels, values (D, labels, ...)) each. Returns labels (N), an array (D, N, ...) each.
    Raises Missing, with `name`, for fewer common labels than `at_least`.
    """
    positions = [dict(zip(labels, range(len(labels)), strict=True)) for labels, _ in columns]
    labels = [label for label in positions[0] if all(label in known for known in positions)]
    if len(labels) < max(at_least, 1):
        raise Missing(f"{name}, all of it, of at least {at_least} items; there are {len(labels)}")
    values = []
    for known, (_, column) in zip(positions, columns, strict=True):
        values.append(column[:, [known[label] for label in labels]])
    return labels, values


def by_model(table: Table, *measures: str, at_least: int = SEVERAL) -> Columns:
    """Reads measures with one value a model; returns models (N), and (D, N) per measure.

    Raises Missing for fewer models than `at_least`.
    """
    columns = [table.over("model", measure, at_least=at_least) for measure in measures]
    return common(columns, at_least, _listed(measures))


def of_table_1(table: Table, *measures: str) -> Columns:
    """Reads `by_model` for the eight models of Table 1 only.

    Raises Missing if one of them lacks a measure.
    """
    models = table.where(model=TABLE_1_MODELS)
    return by_model(models, *measures, at_least=len(TABLE_1_MODELS))


def of_table_2(table: Table) -> Table:
    """Selects the rows of the six models of Table 2."""
    return table.where(model=TABLE_2_MODELS)


# ---- word similarity


def scored(table: Table, *measures: str, at_least: int = SEVERAL, **keys: object) -> Columns:
    """Reads similarity by both SCORES; returns models (N), and (D, N, S) per measure.

    keys: further key columns (dataset="men"). Raises Missing for fewer models than `at_least`.
    """
    columns = []
    for measure in measures:
        for score in SCORES:
            columns.append(table.over("model", measure, at_least, estimator=score, **keys))
    models, values = common(columns, at_least, _listed(measures))
    pairs = zip(values[::2], values[1::2], strict=True)
    return models, [np.stack(pair, axis=-1) for pair in pairs]


def scored_by_set(table: Table, *measures: str, at_least: int = SEVERAL) -> Columns:
    """Reads similarity on all five SETS; returns models (N), and (D, N, S, K) per measure.

    Raises Missing for fewer models than `at_least`.
    """
    columns = []
    for name in SETS:
        models, values = scored(table, *measures, at_least=at_least, dataset=name)
        columns.append((models, np.stack(values, axis=-1)))  # (D, N, S, measures)
    models, values = common(columns, at_least, _listed(measures))
    stacked = np.stack(values, axis=-1)  # (D, N, S, measures, K)
    return models, [stacked[:, :, :, position] for position in range(len(measures))]


def of_one(table: Table, measure: str, **keys: object) -> np.ndarray:
    """Reads the similarity of one model by both SCORES, (D, S).

    Raises Missing if it lacks one of them, Ambiguous for several models.
    """
    return np.stack([table.value(measure, estimator=score, **keys) for score in SCORES], axis=1)


def gains(table: Table, after: str, at_least: int = SEVERAL) -> tuple[list, np.ndarray]:
    """Computes a treatment's gains in the averages of Table 2: models (N), points (D, N, S).

    Raises Missing for fewer models than `at_least`.
    """
    models, (raw, treated) = scored(table, RAW, after, at_least=at_least)
    return models, treated - raw


def gains_by_set(table: Table, after: str, at_least: int = SEVERAL) -> tuple[list, np.ndarray]:
    """Computes a treatment's gains on each set of Table 3: models (N), points (D, N, S, K).

    Raises Missing for fewer models than `at_least`.
    """
    models, (raw, treated) = scored_by_set(table, SET, after, at_least=at_least)
    return models, treated - raw


def gaps(table: Table, *measures: str, at_least: int = SEVERAL) -> Columns:
    """Computes cosine minus inner product: models (N), (D, N) per measure. Raises as `scored`."""
    models, values = scored(table, *measures, at_least=at_least)
    return models, [value[:, :, 0] - value[:, :, 1] for value in values]


def closed(table: Table, at_least: int = SEVERAL) -> tuple[list, np.ndarray]:
    """Computes the share of the gap between cosine and inner product that centring closes.

    Returns models (N), shares (D, N), above 1 where the gap turns. Undefined in draws where cosine
    does not lead at first in every model, and has no gap to close. Raises Missing as `scored`.
    """
    models, (raw, centred) = gaps(table, RAW, CENTRED, at_least=at_least)
    has_gap = raw > 0
    table.undefined(
        ~has_gap.all(axis=1), "cosine does not lead at first, so there is no gap to close"
    )
    return models, 1 - centred / np.where(has_gap, raw, np.nan)


def averages(table: Table, four_sets: bool = False) -> tuple[list, np.ndarray, np.ndarray]:
    """Returns Table 2 as printed, and as computed from Table 3.

    Returns labels (treatment, model, score), and twice (D, labels). four_sets: the two parts of
    WordSim353 are averaged first, so that each of the four named sets counts once.
    Raises Missing if one of the six models lacks a value.
    """
    labels, printed, computed = [], [], []
    for average, of_sets in ((RAW, SET), (SCALED, SET_SCALED), (PROCESSED, SET_PROCESSED)):
        models, (whole,) = scored(table, average, at_least=MANY)
        models_by_set, (by_set,) = scored_by_set(table, of_sets, at_least=MANY)
        columns = [(models, whole), (models_by_set, by_set @ _weights(four_sets))]
        models, (whole, mean) = common(columns, MANY, _listed([average, of_sets]))
        labels += [(average, *cell) for cell in cell_labels(models)]
        printed.append(flat(whole))
        computed.append(flat(mean))
    return labels, concatenated(printed), concatenated(computed)


def cell_labels(models: Sequence[str], *others: Sequence[str]) -> list[tuple]:
    """Labels the columns of `flat`: (model, score, ...) in their order."""
    labels = [(model, score) for model in models for score in SCORES]
    for names in others:
        labels = [(*label, name) for label in labels for name in names]
    return labels


def flat(values: np.ndarray) -> np.ndarray:
    """Flattens values (D, N, S, ...) to one row a draw, (D, N * S * ...)."""
    return values.reshape(len(values), -1)


def is_bert(models: Sequence[str]) -> np.ndarray:
    """Tells which models are BERT, (N,) bool; RoBERTa is not."""
    return np.array([model.startswith("BERT") for model in models], dtype=bool)


# ---- else


def exp_of_mean(table: Table, at_least: int = SEVERAL) -> tuple[list, np.ndarray]:
    """Divides I(W) by exp(-‖μ‖): models (N), ratios (D, N).

    The ratio is near 1 where the top eigenvector is the mean and little else remains. Raises
    Missing for fewer models than `at_least`.
    """
    models, (isotropy, mean) = by_model(table, I_RAW, MEAN, at_least=at_least)
    return models, isotropy * np.exp(mean)


def as_numbers(table: Table, column: str) -> np.ndarray:
    """Converts a key column of numbers or texts to numbers, (rows,); NaN where empty."""
    return pd.to_numeric(table.rows.table[column], errors="coerce").to_numpy(float, na_value=np.nan)


def as_frame(labels: Sequence[object], **columns: np.ndarray) -> pd.DataFrame:
    """Converts the first draw of arrays (D, N) to columns of a frame, indexed by the labels (N)."""
    is_tuple = isinstance(labels[0], tuple)
    index = pd.MultiIndex.from_tuples(labels) if is_tuple else pd.Index(labels)
    return pd.DataFrame({name: values[0] for name, values in columns.items()}, index=index)


def _weights(four_sets: bool) -> np.ndarray:
    """How much each of the five SETS counts in an average, (K,)."""
    if not four_sets:
        return np.full(len(SETS), 1 / len(SETS))
    return np.array([1 / 8 if name in WORDSIM else 1 / 4 for name in SETS])


def _listed(measures: Sequence[str]) -> str:
    return " and ".join(measure.replace("_", " ") for measure in measures)
