"""Reads the tables of Gupta and Jaggi (2021): names, scores, leads, gains, rules.

A row's `model` is the teacher of a distilled set of vectors, or the name of a set trained from
scratch; `estimator` is the kind: x2static_sentence, x2static_paragraph, ase_best_layer (one layer
for all sets), ase_best_per_task (for each set the best layer), static (no teacher, and the same
text as the teacher's rows; in print also files of larger corpora), static_elsewhere (no teacher,
another text), fine_tuned (the teacher itself), sentence_encoder. Section 2 speaks of more kinds, of
which no number is printed: decontextualised (the word alone), and aggregated_mean, aggregated_min
and aggregated_max (a word's contextual vectors, pooled).

The paper counts layers as this book does: 0 is the embedding output. Tables 3 and 6 overlap: what
Table 6 repeats carries that `variant` and is not read, and the rows of its 24-layer teachers have
measures ending in LARGE.

    D = draws, R = rows of a table of the paper, N = its data sets, or its one column of averages
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd

from cwr.papers.claims import STATIC, Needs
from cwr.tables import Ambiguous, Missing, Table

W, WM = "word_similarity_spearman", "word_similarity_mean_spearman"
F1, F1M = "classification_macro_f1", "classification_mean_macro_f1"
ACC, ACCM = "classification_accuracy", "classification_mean_accuracy"
LARGE, BOLD = "_large_teacher", "is_bold_"  # end and beginning of names of measures
RUN_MEAN, RUN_SD = "_run_mean", "_run_sd"  # ends: of Table 5's runs
SENTENCE, PARAGRAPH = "x2static_sentence", "x2static_paragraph"
BEST_LAYER, BEST_PER_TASK = "ase_best_layer", "ase_best_per_task"
X2S, ASE = (SENTENCE, PARAGRAPH), (BEST_LAYER, BEST_PER_TASK)
KINDS = (STATIC, *ASE, *X2S, "fine_tuned", "sentence_encoder")
ALONE, ELSEWHERE = "decontextualised", "static_elsewhere"
POOLS = ("aggregated_mean", "aggregated_min", "aggregated_max")
SIMILARITY = ("RG-65", "WS-353", "SL-999", "SV-3500", "RW-2034")
BINARY, DOUBTED = ("CR", "MR", "MPQA", "SUBJ"), ("TREC", "SST-5")
TASKS = (*BINARY, *DOUBTED)
ALL_SETS = (*SIMILARITY, *TASKS)
LARGE_TEACHERS = ("BERT-24", "ROBERTA-24", "GPT2-24")
LARGER_CORPORA = ("GLOVE", "GLOVE (Twitter)", "FASTTEXT")
AVERAGE = "average"  # the one column of printed averages
TEACHERS = ("masked", "causal")  # families: BERT and RoBERTa, GPT-2
PERCENT, RHO = 0.1, 1e-4  # what rounding can do to a mean of printed figures
TIE = 1e-9  # binary fractions are not decimal ones
KIND_NAMES = {
    SENTENCE: "X2Static sentence",
    PARAGRAPH: "X2Static paragraph",
    BEST_LAYER: "ASE",
    BEST_PER_TASK: "ASE best per task",
}
Row = tuple[str, str]  # estimator, model


def among_teachers(*measures: str, **needs) -> Needs:
    """Returns the `Needs` of a claim that compares rows of one table.

    The paper compares kinds of vectors and never families, so either of its two families will do;
    static rows are read wherever there are any. needs: further fields of `Needs`.
    """
    return Needs(measures=measures, families=(), beside=TEACHERS, compares=True, **needs)


def over_all_tasks(*measures: str, **needs) -> Needs:
    """Returns the `Needs` of a claim on the six classification tasks, or on averages over them."""
    return among_teachers(*measures, datasets=TASKS, of=TASKS, **needs)


def name_of(row: Row) -> str:
    """Names a row for readers: "X2Static sentence BERT-12", "CBOW"."""
    return f"{KIND_NAMES.get(row[0], '')} {row[1]}".strip()


@dataclass(frozen=True)
class Scores:
    """The scores of a table: its rows (kind, model) (R), columns (N), values (D, R, N)."""

    rows: list[Row]
    datasets: list[str]
    values: np.ndarray

    @property
    def names(self) -> list[str]:
        """The rows' names for readers (R)."""
        return [name_of(row) for row in self.rows]

    @property
    def cells(self) -> list[str]:
        """The cells' names for readers (R * N), row by row; a column of averages needs no name."""
        if self.datasets == [AVERAGE]:
            return self.names
        return [f"{name} on {dataset}" for name, dataset in product(self.names, self.datasets)]

    def frame(self) -> pd.DataFrame:
        """Converts the first draw to a frame: rows (kind, model), columns the data sets."""
        index = pd.MultiIndex.from_tuples(self.rows, names=["kind", "model"])
        return pd.DataFrame(self.values[0], index, self.datasets)

    def only(self, rows: Sequence[Row], name: str) -> "Scores":
        """Selects the rows that are in `rows`. Raises Missing, with `name`, for none."""
        items = [item for item, row in enumerate(self.rows) if row in rows]
        if not items:
            raise Missing(name)
        return Scores([self.rows[item] for item in items], self.datasets, self.values[:, items])

    def row(self, row: Row) -> np.ndarray:
        """Returns the values of one row, (D, N). Raises Missing if it is not there."""
        if row not in self.rows:
            raise Missing(f"the row {name_of(row)}")
        return self.values[:, self.rows.index(row)]

    def like(self, other: "Scores") -> "Scores":
        """Selects the rows that another table has, in its order.

        Raises Missing for a row or a column that one of them lacks.
        """
        _refuse_other_columns(self, other)
        values = [self.row(row) for row in other.rows]
        return Scores(other.rows, self.datasets, np.stack(values, axis=1))

    def mean(self, datasets: Sequence[str] = ()) -> "Scores":
        """Averages rows over all columns, or over those named, as one column."""
        items = [self.datasets.index(name) for name in datasets or self.datasets]
        return Scores(self.rows, [AVERAGE], self.values[:, :, items].mean(axis=2, keepdims=True))


def cells(table: Table, measure: str, kinds: Sequence[str], datasets: Sequence[str] = ()) -> Scores:
    """Reads the rows of some kinds on the named data sets, or on those of the paper's that exist.

    Raises Missing for no row and for a row that lacks a data set which another row has (or which is
    named), Ambiguous for two values in one cell.
    """
    keys = ("estimator", "model", "dataset")
    selected = _plain(table.where(measure=measure, dataset=datasets or ALL_SETS))
    labels, values = selected.over(keys, measure, at_least=1, estimator=kinds)
    items = {label: item for item, label in enumerate(labels)}
    rows = list(dict.fromkeys((kind, model) for kind, model, _ in labels))
    present = {dataset for _, _, dataset in labels}
    columns = list(datasets) or [name for name in ALL_SETS if name in present]
    grid = [_items_of(items, row, columns, measure) for row in rows]
    return Scores(rows, columns, values[:, grid])


def averages(table: Table, measure: str, kinds: Sequence[str]) -> Scores:
    """Reads the averages (or other single numbers) of rows of some kinds, as one column.

    Raises Missing for no row, Ambiguous for two values in one row.
    """
    selected = _plain(table.where(measure=measure))
    labels, values = selected.over(("estimator", "model"), measure, at_least=1, estimator=kinds)
    return Scores(labels, [AVERAGE], values[:, :, None])


def by_teacher(
    table: Table, measure: str, kind: str, against: str, suffixes: Sequence[str] = ("",)
) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Reads a measure of two kinds, for every teacher with the first: names (R), both (D, R).

    measure: has a single number a row; read with each suffix. Raises Missing for no row of the
    first kind, and for a teacher without the other.
    """
    rows, others = (
        joined(*[averages(table, measure + suffix, (each,)) for suffix in suffixes])
        for each in (kind, against)
    )
    beside = [others.row((against, model)) for _, model in rows.rows]
    return rows.names, rows.values[:, :, 0], np.concatenate(beside, axis=1)


def scores(
    table: Table, measure: str, kinds: Sequence[str], suffixes: Sequence[str] = ("",)
) -> Scores:
    """Reads the rows of some kinds, with each suffix of the measure: all data sets, or averages."""
    is_average = measure.removeprefix(BOLD) in (WM, F1M, ACCM)
    read = averages if is_average else cells
    return joined(*[read(table, measure + suffix, kinds) for suffix in suffixes])


def rivals(table: Table, measure: str, suffixes: Sequence[str] = ("",)) -> Scores:
    """Reads the rows that compete with X2Static: static ones, and ASE's of each measure suffix.

    Raises Missing if there is no static row, or no row of ASE.
    """
    return joined(scores(table, measure, (STATIC,)), scores(table, measure, ASE, suffixes))


def of_other_texts(table: Table, measure: str) -> Scores:
    """Reads averages of static rows of another text: ours of that kind, or printed larger corpora.

    Raises Missing if there is none.
    """
    static = averages(table, measure, (STATIC, ELSEWHERE))
    rows = [row for row in static.rows if row[0] == ELSEWHERE or row[1] in LARGER_CORPORA]
    return static.only(rows, "static vectors of another text")


def _plain(table: Table) -> Table:
    """The rows without a variant: what Table 6 repeats is left out."""
    return table.at(~table.rows.has("variant"))


def _items_of(items: dict, row: Row, columns: Sequence[str], measure: str) -> list[int]:
    """Where a row's columns stand among the labels. Raises Missing for one that it lacks."""
    for column in columns:
        if (*row, column) not in items:
            raise Missing(f"{measure.replace('_', ' ')} of {name_of(row)} on {column}")
    return [items[(*row, column)] for column in columns]


def joined(*blocks: Scores) -> Scores:
    """Joins the rows of several tables.

    Raises Missing if one has a data set that another lacks, Ambiguous if they share a row.
    """
    for block in blocks[1:]:
        _refuse_other_columns(blocks[0], block)
    rows = [row for block in blocks for row in block.rows]
    if len(set(rows)) < len(rows):
        raise Ambiguous(f"the table has two rows of {name_of(max(rows, key=rows.count))}")
    values = np.concatenate([block.values for block in blocks], axis=1)
    return Scores(rows, blocks[0].datasets, values)


def _refuse_other_columns(scores: Scores, other: Scores) -> None:
    for lacking, having in ((scores, other), (other, scores)):
        columns = [name for name in having.datasets if name not in lacking.datasets]
        if columns:
            raise Missing(f"{lacking.names[0]} on {' and '.join(columns)}")


def leads(ours: Scores, baselines: Scores, own_teacher: bool = True) -> np.ndarray:
    """Subtracts from each of our rows its best competitor, (D, R, N).

    own_teacher: its competitors are static rows and, of the ASE rows, those of its teacher (as the
    captions of Tables 3, 4 and 6 define bold); else all baselines.
    Raises Missing if there are ASE rows and none of a row's teacher, or if columns differ.
    """
    _refuse_other_columns(ours, baselines)
    best = []
    for row in ours.rows:
        items = competitors(row, baselines.rows, own_teacher)
        best.append(baselines.values[:, items].max(axis=1))
    return ours.values - np.stack(best, axis=1)


def won(ours: Scores, baselines: Scores, own_teacher: bool = True) -> int:
    """Counts the cells of our table above their best competitor (see `leads`), in the first draw."""
    return int((leads(ours, baselines, own_teacher)[0] > 0).sum())


def competitors(row: Row, baselines: Sequence[Row], own_teacher: bool = True) -> list[int]:
    """Lists the baselines that compete with a row, as in `leads`. Raises Missing as `leads`."""
    static = [item for item, (kind, _) in enumerate(baselines) if kind == STATIC]
    distilled = [item for item, (kind, _) in enumerate(baselines) if kind != STATIC]
    rivalling = [item for item in distilled if not own_teacher or baselines[item][1] == row[1]]
    if distilled and not rivalling:
        raise Missing(f"ASE of {row[1]}")
    return static + rivalling


def gains(table: Table, rows: str, against: Sequence[str]) -> np.ndarray:
    """Subtracts the best other row from the mean or the best X2Static row, by set (D, 5).

    rows: "mean" or "best". Raises Missing unless all five sets are there.
    """
    ours = cells(table, W, X2S, SIMILARITY).values
    baselines = cells(table, W, against, SIMILARITY).values
    centre = ours.mean(axis=1) if rows == "mean" else ours.max(axis=1)
    return centre - baselines.max(axis=1)


class Marks(NamedTuple):
    """The cells (N: row, data set, measure): are they bold, should they be, both (D, N) bool."""

    cells: list[tuple[str, str, str]]
    bold: np.ndarray
    ruled: np.ndarray


def marks(
    table: Table, suffix: str = "", strict: bool = True, measures: Sequence[str] = (W, WM)
) -> Marks:
    """Compares the bold X2Static cells of a table with the caption's rule.

    The rule: above (strict) or at least level with all static rows and ASE of its teacher.
    """
    labels, bold, ruled = [], [], []
    for measure in measures:
        printed = scores(table, BOLD + measure, X2S, (suffix,))
        ours = scores(table, measure, X2S, (suffix,)).like(printed)
        margin = leads(ours, rivals(table, measure, (suffix,)))
        labels += [(*cell, measure) for cell in product(printed.names, printed.datasets)]
        bold.append(flat(printed.values) > 0.5)
        ruled.append(flat(margin) > (TIE if strict else -TIE))
    return Marks(labels, np.concatenate(bold, axis=1), np.concatenate(ruled, axis=1))


def flat(values: np.ndarray) -> np.ndarray:
    """Flattens a table's cells, (D, R, N) -> (D, R * N), in the order of `Scores.cells`."""
    return values.reshape(len(values), -1)
