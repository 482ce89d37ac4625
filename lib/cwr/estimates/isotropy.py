"""Computes Table 1 of Biś et al. (2021) under several choices of the eigenvectors' signs.

Results are rows for `results.write`, without intervals: a matrix has no items to resample.
"""

import math

import numpy as np
import pandas as pd

from cwr.errors import UserError
from cwr.measures import geometry, isotropy, output_layer
from cwr.measures.geometry import Geometry
from cwr.measures.partition import Partition
from cwr.papers import printed
from cwr.tables import where

ISOTROPY = "partition_isotropy"
DIFFERENCE = "difference_from_table_1"
SIGNS = {"": "towards", "_negative": "against", "_lowest": "lowest", "_highest": "highest"}
NOT_WORDS = ("special", "unused", "reserved")  # kinds of rows that no text holds
ROWS = {"all": "all", "used": "without special and never-used rows", "words": "words only"}
MARGIN = "margin_gain_by_centring"
OUTPUTS = 100  # rows that stand for what a model hands to its last layer
TOP = 20  # components that a curve over D removes at most


def table_1(matrix, removed: int | None = None) -> list[dict]:
    """Measures one token matrix for Table 1; returns a row for `results.write` per measure.

    The rows hold the columns of Table 1 and further measures. matrix: anything with `name`,
    `family` and `W` (vocabulary, dim). removed: how many components are taken away in W_r (D in the
    paper); None takes the number in the paper's text.
    Raises ValueError as `geometry.of_matrix`, UserError as `columns`.
    """
    return table_1_rows(matrix.name, matrix.family, geometry.of_matrix(matrix.W), removed)


def table_1_rows(
    model: str, family: str, table: Geometry, removed: int | None = None
) -> list[dict]:
    """Returns the rows of `table_1` for a computed geometry.

    If Table 1 has the model, further rows have the differences from Table 1. removed: as in
    `table_1`.
    """
    values = columns(table, removed)
    keys = {"model": model, "family": family}
    lines = [{**keys, "measure": name, "value": value} for name, value in values.items()]
    differences = beside_table_1(model, values)["difference"]
    for column, value in differences.items():
        lines.append({**keys, "measure": DIFFERENCE, "class": column, "value": float(value)})
    return lines


def columns(table: Geometry, removed: int | None = None) -> dict[str, float]:
    """Returns the measures of Table 1 and section 5.3 for a matrix, {measure: value}.

    I(W), I(W_c) and I(W_r) are given `by_sign`; I(W) and I(W_c) also for Gaussian rows with the
    same mean and covariance (`gaussian_`). removed: as in `table_1`.
    Raises UserError for more components than dimensions.
    """
    dim = len(table.mean)
    d = components(dim) if removed is None else removed
    if d > dim:
        raise UserError(f"{d} components of {dim} dimensions cannot be removed: remove fewer")
    values = {}
    partitions = {
        ISOTROPY: table.raw,
        f"{ISOTROPY}_centred": table.centred,
        f"{ISOTROPY}_removed": table.removed(d),
        f"gaussian_{ISOTROPY}": table.gaussian(),
        f"gaussian_{ISOTROPY}_centred": table.gaussian_centred(),
    }
    for measure, partition in partitions.items():
        values |= by_sign(measure, partition)
    return values | {
        "embedding_norm": table.norm,
        "mean_vector_norm": table.mean_norm,
        "mean_vector_norm_ratio": table.mean_norm / table.norm,
        "embedding_mean_cosine": table.mean_cosine,
        "embedding_mean_cosine_angle": math.degrees(math.acos(table.mean_cosine)),
        "embedding_mean_cosine_centred": table.mean_cosine_centred,
        "top_eigenvector_mean_cosine": table.top_cosine,
        "isoscore": table.isoscore,
    }


def margin_row(model: str, family: str, W: np.ndarray) -> dict:
    """Returns a row with the share by which centring W raises the scores' mean margin.

    W: (rows, dim); OUTPUTS of its rows stand for inputs of the output layer. The share is 0 by
    proof, but for rounding: the mean adds one number to all scores of an input. Raises ValueError
    as `output_layer.margins`.
    """
    hidden = W[:: max(len(W) // OUTPUTS, 1)][:OUTPUTS]
    raw = output_layer.margins(W, hidden).mean()
    centred = output_layer.margins(isotropy.center(W), hidden).mean()
    keys = {"model": model, "family": family, "measure": MARGIN}
    return {**keys, "value": float(centred / raw - 1)}


def by_sign(measure: str, partition: Partition) -> dict[str, float]:
    """Returns isotropy by choice of signs: towards the mean row, against, both, lowest, highest."""
    lowest, highest = partition.attainable()
    return {
        measure: partition.isotropy("positive"),
        f"{measure}_negative": partition.isotropy("negative"),
        f"{measure}_both": partition.isotropy("both"),
        f"{measure}_lowest": lowest,
        f"{measure}_highest": highest,
    }


def components(dim: int) -> int:
    """Computes how many principal components the paper removes for W_r, D = ceil(dim / 100)."""
    return math.ceil(dim / 100)


def by_components(table: Geometry, top: int = TOP) -> pd.Series:
    """Computes I(W_r) for D = 0, 1, ..., `top` removed components; returns a series indexed by D.

    Eigenvectors are turned towards the mean row.
    """
    numbers = range(min(top, len(table.mean)) + 1)
    values = [table.removed(d).isotropy() for d in numbers]
    return pd.Series(values, pd.Index(numbers, name="components removed"), name="I(W_r)")


def selected(matrix, choice: str) -> np.ndarray:
    """Selects rows of a `Matrix`: all, used ones or words only (choice: one of ROWS), (rows, dim).

    Raises ValueError for a choice that is none of ROWS.
    """
    if choice not in ROWS:
        raise ValueError(f"rows {choice!r} is none of {', '.join(ROWS)}")
    if choice == "all":
        return matrix.W
    is_word = matrix.is_row("word")
    return matrix.W[is_word if choice == "words" else ~matrix.is_row(*NOT_WORDS)]


def beside_table_1(model: str, values: dict[str, float]) -> pd.DataFrame:
    """Compares a model's values with Table 1, one row per column; empty for a model not in it.

    values: as `columns`. I is compared in the sign that fits best: towards or against the mean row,
        or the lowest or highest that any choice of signs gives. Columns of the frame: printed,
        nearest, difference (nearest less printed), signs (the choices that give the printed value
        within its rounding).
    """
    cells = where(printed.load("bis2021"), artifact="Table 1", model=model)
    lines = {}
    for cell in cells.itertuples():
        is_isotropy = cell.measure.startswith(ISOTROPY)
        endings = SIGNS if is_isotropy else {"": "yes"}
        differences = {
            name: values[cell.measure + end] - cell.value for end, name in endings.items()
        }
        nearest = min(differences.values(), key=abs)
        half = 0.5 / 10 ** len(cell.printed.partition(".")[2])
        meets = [name for name, difference in differences.items() if abs(difference) <= half]
        lines[cell.measure] = {
            "printed": cell.value,
            "nearest": cell.value + nearest,
            "difference": nearest,
            "signs": ", ".join(meets) or "none",
        }
    names = ["printed", "nearest", "difference", "signs"]
    return pd.DataFrame.from_dict(lines, orient="index", columns=names)
