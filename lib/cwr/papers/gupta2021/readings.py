"""Reading and recomputing the numbers of Gupta and Jaggi (2021), for the claims and the checks alike.

A row's `model` is the teacher of a distilled set of vectors, or the name of a set trained from scratch; `estimator`
is the kind: x2static_sentence, x2static_paragraph, ase_best_layer (one layer for all sets), ase_best_per_task (each
set its best layer), static (no teacher), fine_tuned (the teacher itself), sentence_encoder. The paper counts layers as
this book does: 0 is the embedding output. Tables 3 and 6 overlap: what Table 6 repeats carries that `variant`, and the
rows of its 24-layer teachers have measures ending in LARGE.
"""
from collections.abc import Iterable

import numpy as np
import pandas as pd

from cwr.measures import classification
from cwr.tables import one

W, WM = "word_similarity_spearman", "word_similarity_mean_spearman"
F1, F1M = "classification_macro_f1", "classification_mean_macro_f1"
ACC, ACCM = "classification_accuracy", "classification_mean_accuracy"
LARGE, BOLD = "_large_teacher", "is_bold_"
X2S, ASE = ("x2static_sentence", "x2static_paragraph"), ("ase_best_layer", "ase_best_per_task")
SIMILARITY, BINARY, DOUBTED = ("RG-65", "WS-353", "SL-999", "SV-3500", "RW-2034"), ("CR", "MR", "MPQA", "SUBJ"), (
    "TREC", "SST-5")
PERCENT, RHO = 0.1, 1e-4                                    # what rounding can do to a mean of printed figures
SHOWN = {"x2static_sentence": "X2Static sentence", "x2static_paragraph": "X2Static paragraph", "ase_best_layer": "ASE",
         "ase_best_per_task": "ASE best per task"}
Row = tuple[str, str]                                       # estimator, model


def cells(table: pd.DataFrame, *measures: str) -> dict[Row, dict[str, float]]:
    """{(estimator, model): {data set: value}} of some measures; rows of a variant are left out."""
    keep = table["measure"].isin(measures).to_numpy() & table["variant"].isna().to_numpy()
    found: dict[Row, dict[str, float]] = {}
    columns = (table[name].to_numpy()[keep] for name in ("estimator", "model", "dataset", "value"))
    for estimator, model, dataset, value in zip(*columns, strict=True):
        found.setdefault((estimator, model), {})["" if pd.isna(dataset) else dataset] = value
    return found


def means(table: pd.DataFrame, *measures: str) -> dict[Row, float]:
    """{(estimator, model): value} of measures that have no data sets (printed averages, single numbers)."""
    return {row: found[""] for row, found in cells(table, *measures).items()}


def named(row: Row) -> str:
    """A row's name for readers: "X2Static sentence BERT-12", "CBOW"."""
    return f"{SHOWN.get(row[0], '')} {row[1]}".strip()


def mean(values: dict[str, float], datasets: Iterable[str] = ()) -> float:
    """Mean over a row's data sets, or over those named."""
    return float(np.mean([values[name] for name in datasets] if datasets else list(values.values())))


def of(found: dict[Row, object], *estimators: str) -> dict[Row, object]:
    """The rows of some kinds."""
    return {row: value for row, value in found.items() if row[0] in estimators}


def competitors(found: dict[Row, object], row: Row | None = None) -> dict[Row, object]:
    """Static rows and ASE rows: those of all teachers, or only of the teacher of `row` (the paper's rule for bold)."""
    return {other: value for other, value in of(found, "static", *ASE).items()
            if row is None or other[0] == "static" or other[1] == row[1]}


def beaten(table: pd.DataFrame, *measures: str, own: bool = True, kinds: tuple[str, ...] = ("static", *ASE)
           ) -> dict[tuple[str, str, str], float]:
    """How far each X2Static cell lies above its best competitor: {(estimator, model, data set): margin}.

    own: competitors are those of `competitors(row)`, else all. kinds: the kinds that count as competitors.
    """
    found = cells(table, *measures)
    return {(*row, name): value - max((other[name] for other in of(competitors(found, row if own else None),
                                                                  *kinds).values()), default=np.inf)
            for row, values in of(found, *X2S).items() for name, value in values.items()}


def gains(table: pd.DataFrame, rows: str, against: tuple[str, ...]) -> dict[str, float]:
    """Per similarity set: the mean (rows="mean") or best ("best") X2Static row minus the best row of other kinds."""
    found, choose = cells(table, W), np.mean if rows == "mean" else np.max
    return {name: choose([v[name] for v in of(found, *X2S).values()])
            - max((v[name] for v in of(found, *against).values()), default=np.inf) for name in SIMILARITY}


def welch(table: pd.DataFrame, rounding: float = 0.0) -> dict[str, float]:
    """Welch's t of paragraph X2Static against ASE from Table 5's means and deviations, {teacher and measure: t}.

    rounding: how much worse each printed figure may be than it looks.
    """
    runs, found = one(table, "downstream_runs"), {}
    for name in (F1M, ACCM):
        centre, spread = means(table, f"{name}_run_mean"), means(table, f"{name}_run_sd")
        for (kind, model), value in of(centre, "x2static_paragraph").items():
            difference = value - centre["ase_best_layer", model] - 2 * rounding
            deviations = [spread[row] + rounding for row in ((kind, model), ("ase_best_layer", model))]
            found[f"{model} {name}"] = difference / np.sqrt(sum(d * d for d in deviations) / runs)
    return found


def off_runs(table: pd.DataFrame) -> dict[str, float]:
    """Table 4's single runs minus the mean of six in Table 5, in standard deviations: {row and measure: z}."""
    found = {}
    for name in (F1M, ACCM):
        once, centre = means(table, name), means(table, f"{name}_run_mean")
        spread = means(table, f"{name}_run_sd")
        found |= {f"{named(row)} {name}": (once[row] - centre[row]) / spread[row] for row in centre}
    return found


def bold(table: pd.DataFrame, suffix: str = "", strict: bool = True, base: tuple[str, ...] = (W, WM)
         ) -> dict[tuple[str, str, str], tuple[bool, bool]]:
    """Whether each X2Static cell is bold and should be: {(row, measure, data set): (is, should be)}.

    The rule: above (strict) or at least level with every static row and the ASE rows of its teacher.
    """
    found = {}
    for measure in base:
        values, marks = cells(table, measure, measure + suffix), cells(table, BOLD + measure + suffix)
        for row, sets in marks.items():
            for name, mark in sets.items():
                best = max(v[name] for v in competitors(values, row).values() if name in v)
                margin = values[row][name] - best
                found[named(row), measure, name] = (mark > 0.5, margin > 1e-9 if strict else margin > -1e-9)
    return found


def class_counts(table: pd.DataFrame, dataset: str) -> tuple[int, ...]:
    """Items of each class: of the official test set, of all items where there is none."""
    keep = ((table["measure"] == "class_count") & (table["dataset"] == dataset)
            & table["variant"].isin(("test", "all")))
    return tuple(table["value"][keep].astype(int))


def f1_pairs(table: pd.DataFrame, dataset: str) -> pd.DataFrame:
    """Printed macro-F1 and accuracy of every row of Table 4 for one data set, per cent; index: the rows."""
    f1, accuracy = cells(table, F1), cells(table, ACC)
    return pd.DataFrame({"macro_f1": {named(row): values[dataset] for row, values in f1.items()},
                         "accuracy": {named(row): values[dataset] for row, values in accuracy.items()}})


def bounds(pairs: pd.DataFrame, counts: tuple[int, ...], bound=classification.smallest_macro_f1,
           half: float = 0.05) -> pd.Series:
    """`bound` at each printed accuracy, per cent, the accuracy's rounding (+-half a digit) granted to the reader:
    at its lower edge for a smallest value, at its upper edge for a largest (half < 0)."""
    return pairs["accuracy"].map(lambda printed: 100 * bound(counts, (printed - half) / 100))


def least_curve(accuracy: pd.Series, counts: tuple[int, ...]) -> tuple[np.ndarray, list[float]]:
    """The smallest macro-F1 by accuracy, per cent: 40 points from a little below to a little above those printed."""
    x = np.linspace(accuracy.min() - 1, min(100, accuracy.max() + 0.8), 40)
    return x, [100 * classification.smallest_macro_f1(counts, value / 100) for value in x]
