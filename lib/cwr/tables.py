"""Defines the tidy schema of estimates and printed numbers, and how claims read it.

A row is one number: its key columns (KEYS; absent = NA) and `value`. A claim's predicate reads a
`Table`, the rows in all their draws at once. The readers of a `Table` refuse two numbers where one
is meant, and record their selections.

    D = draws (1 for printed numbers), R = rows, L = layers, N = labels
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from cwr.rows import Rows

KEYS = [
    "model",
    "family",
    "layer",
    "measure",
    "task",
    "dataset",
    "variant",
    "estimator",
    "class",
    "k",
    "head",
    "word",
    "seed",
]
FAMILIES = (
    "bilstm",
    "masked",
    "causal",
    "sentence",
    "static",
)  # the order of every figure and table
UNTRAINED = ("untrained", "untrained blocks")  # `variant` of copies that have learned nothing
ANOTHER_SEED = "seed: another"  # `variant` of the same trainings from other first weights
LACKING = "the claim needs numbers that are missing here: "  # before the names of measures
SPELLED = {
    "uuas": "UUAS (share of edges found)",
    "dspr": "DSpr (rank correlation of distances)",
    "f1": "F1",
}
DEPTH_TOLERANCE = 1e-9  # binary fractions: layer 2 of 12 is a sixth


class Unanswerable(Exception):
    """The error for a question that a table cannot answer; the message says why, as a clause."""


class Missing(Unanswerable):
    """The error for a question about rows that a table lacks, which its argument names."""

    def __str__(self) -> str:
        return f"{LACKING}{super().__str__()}"


class Ambiguous(Unanswerable):
    """The error for a question about one number of which a table has several."""


class Undefined(Unanswerable):
    """The error for a question that is undefined for the numbers of a table."""


def tidy(rows: list[dict] | pd.DataFrame) -> pd.DataFrame:
    """Converts rows to a frame with KEYS (absent = NA) in order, then all other columns."""
    frame = pd.DataFrame(rows)
    frame = frame.reindex(columns=KEYS + [column for column in frame.columns if column not in KEYS])
    frame["layer"] = frame["layer"].astype("Int64")
    return frame


def read(folder: Path) -> pd.DataFrame:
    """Reads the printed numbers in a paper's folder: KEYS, `value`, `artifact` and `printed`.

    Reads printed.csv (numbers in the paper), then all other csv files with a column `printed`
    (small tables that `workflow/tables/<paper>.py` makes from released files). The columns of a
    file are `artifact` (where the number stands), some of KEYS, and `printed` (as printed, decimals
    kept). `value` is the number, NaN where words are printed. Layer 0 is the input of the first
    block.
    """
    files = sorted(folder.glob("*.csv"), key=lambda file: (file.name != "printed.csv", file.name))
    frames = [pd.read_csv(file, dtype=str, keep_default_na=False) for file in files]
    frame = tidy(pd.concat([frame for frame in frames if "printed" in frame]).replace("", pd.NA))
    value = pd.to_numeric(frame["printed"], errors="coerce").astype(float)
    return (
        frame[KEYS]
        .assign(value=value, artifact=frame["artifact"], printed=frame["printed"])
        .reset_index(drop=True)
    )


def matching(table: pd.DataFrame, **keys: object) -> np.ndarray:
    """Marks the rows that have all these values in their key columns, (R,) bool; NA never matches.

    keys: {key column: value}.
    """
    keep = np.ones(len(table), dtype=bool)
    for key, value in keys.items():
        keep &= (table[key] == value).fillna(False).to_numpy(dtype=bool)
    return keep


def where(table: pd.DataFrame, **keys: object) -> pd.DataFrame:
    """Selects the rows that have these values in their key columns; keys: as in `matching`."""
    return table[matching(table, **keys)]


def by_family(table: pd.DataFrame | Rows) -> list[str]:
    """Lists the models of a table, sorted by family as in FAMILIES, other families last.

    Models of one family keep the order in which they first occur.
    """
    rows = Rows.of(table)
    rows = rows.where(rows.has("model"))
    _, first = np.unique(rows.codes("model"), return_index=True)
    models = rows.where(np.sort(first))
    ranks = {family: rank for rank, family in enumerate(FAMILIES)}
    rank = [ranks.get(family, len(FAMILIES)) for family in models.listed("family")]
    names = models.listed("model")
    return [names[number] for number in np.argsort(rank, kind="stable")]


def only_value(table: pd.DataFrame, measure: str, **keys: object) -> float:
    """Returns the value of a measure in the one row that has these values in its key columns.

    keys: as in `matching`. Raises ValueError unless exactly one row matches.
    """
    values = where(table, measure=measure, **keys)["value"]
    if len(values) != 1:
        raise ValueError(f"{measure} has {len(values)} values under {keys}, not one")
    return float(values.iloc[0])


@dataclass(frozen=True)
class Selection:
    """The values that one call of a reader of `Table` selected.

    name: the measure and its keys, for messages. at_least: the fewest items that the caller needs.
        values: (D, n).
    """

    name: str
    at_least: int
    values: np.ndarray


@dataclass(frozen=True)
class Comparison:
    """The values that a predicate compared with fixed bounds.

    labels: one per value, N. values: (D, N). low, high: every value must lie between them; an open
        end is infinite. closed: whether a value on a bound counts as between.
    """

    labels: list[str]
    values: np.ndarray
    low: float
    high: float
    closed: bool


@dataclass(frozen=True)
class Ranking:
    """A rank correlation that a predicate computed: values (D,), over `number` items.

    items: names the ranked items for a reader ("layers").
    """

    values: np.ndarray
    number: int
    items: str


@dataclass(frozen=True)
class Asked:
    """A yes-or-no question about each of N items (layers, steps, pairs), and the answers.

    labels: the names of the items, N. truth: whether the question is true of each item, (D, N)
        bool.
    """

    labels: list[str]
    truth: np.ndarray


@dataclass
class Journal:
    """The record of the values that a predicate read from a table, and of its comparisons.

    draws: the number of draws, D. reasons: {why the question is undefined: the draws with this
        reason, (D,) bool}.
    selections: the values that were read. against: clauses that contradict the claim in the first
        draw.
    comparisons: the values that were compared with fixed bounds. is_compared: whether the
        comparisons alone decide; False once the predicate asks anything else.
    rankings: the rank correlations that were computed.
    asked: the answers on single items, for claims that ask for all of them.
    """

    draws: int
    reasons: dict[str, np.ndarray] = field(default_factory=dict)
    selections: list[Selection] = field(default_factory=list)
    against: list[str] = field(default_factory=list)
    comparisons: list[Comparison] = field(default_factory=list)
    rankings: list[Ranking] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    is_compared: bool = True

    @property
    def undefined(self) -> np.ndarray:
        """The mask of the draws in which the question is undefined, (D,) bool."""
        return np.any([np.zeros(self.draws, dtype=bool), *self.reasons.values()], axis=0)

    @property
    def why(self) -> list[str]:
        """The reasons that apply in every draw; all reasons if none does."""
        return [reason for reason, draws in self.reasons.items() if draws.all()] or [*self.reasons]


class Table:
    """A table of estimates in all their draws, which a claim's predicate queries.

    Readers return arrays whose axis 0 is the draw. They raise `Missing` for absent rows and
    `Ambiguous` for several values where one is meant. A draw in which a selected value is not
    finite becomes undefined.
    """

    def __init__(
        self,
        rows: pd.DataFrame | Rows,
        values: np.ndarray | None = None,
        journal: Journal | None = None,
    ):
        """rows: tidy, (R,); values: (D, R), by default the column `value` as the only draw."""
        self.rows = Rows.of(rows)
        self.draws = self.rows.floats("value")[None] if values is None else values
        self.journal = journal or Journal(len(self.draws))

    # ---- parts of a table

    @property
    def models(self) -> list[str]:
        """The names of the models, in the order of their families."""
        return by_family(self.rows)

    def where(self, **keys: object) -> "Table":
        """Selects the part of the table whose rows match all keys; both share one journal.

        keys: {key column: a value, or a tuple, list or set of values}; a key `not_<column>` leaves
            out the rows with these values.
        """
        keep = np.ones(len(self.rows), dtype=bool)
        for key, value in keys.items():
            values = value if isinstance(value, tuple | list | set) else [value]
            hits = self.rows.one_of(key.removeprefix("not_"), values)
            keep &= ~hits if key.startswith("not_") else hits
        return self.at(keep)

    def at(self, keep: np.ndarray) -> "Table":
        """Selects the part of the table with the rows that `keep` marks, (R,) bool."""
        return Table(self.rows.where(keep), self.draws[:, keep], self.journal)

    def with_measure(self, measure: str, at_least: int = 1, **keys: object) -> dict[str, "Table"]:
        """Returns {model: all its rows} for models with a row of this measure and keys.

        Raises Missing for fewer than `at_least` models.
        """
        models = self.where(measure=measure, **keys).models
        if len(models) < max(at_least, 1):
            raise Missing(
                f"{_words(measure, keys)} of {_models(at_least)}; there {_are(len(models))}"
            )
        return {model: self.where(model=model) for model in models}

    # ---- readers

    def curve(
        self,
        measure: str,
        first: int = 0,
        depths: tuple[float, float] | None = None,
        **keys: object,
    ) -> np.ndarray:
        """Reads a measure of one model by layer, ascending, (D, L).

        first: the lowest layer to read. depths: (low, high), the relative depths (layer / highest
            layer) to read, both included. keys: further key columns.
        Raises Missing for no layer, Ambiguous for two values in a layer.
        """
        part = self.where(measure=measure, **keys)
        layers = part.rows.floats("layer")
        name = _words(measure, keys)
        _refuse_twins(part.rows, layers, name)
        keep = layers >= first
        if depths is not None and len(layers):
            depth = layers / layers.max()
            keep &= (depth >= depths[0] - DEPTH_TOLERANCE) & (depth <= depths[1] + DEPTH_TOLERANCE)
        order = np.flatnonzero(keep)[np.argsort(layers[keep])]
        return part._select(order, name)

    def layers(self, measure: str, first: int = 0, **keys: object) -> np.ndarray:
        """Lists the layers, from `first` on, in which a measure has a value, ascending, (L,) int.

        keys: further key columns. Raises Missing for no layer.
        """
        layers = self.where(measure=measure, **keys).rows.floats("layer")
        layers = np.unique(layers[layers >= first]).astype(int)
        if not len(layers):
            raise Missing(_words(measure, keys))
        return layers

    def value(self, measure: str, **keys: object) -> np.ndarray:
        """Reads the only value of a measure in the rows with these keys, (D,).

        Raises Missing for no row, Ambiguous for several.
        """
        part = self.where(measure=measure, **keys)
        if len(part.rows) > 1:
            raise Ambiguous(
                f"{_words(measure, keys)} has {len(part.rows)} values where one is meant"
                f"{_differing(part.rows.table)}"
            )
        return part._select(np.arange(len(part.rows)), _words(measure, keys))[:, 0]

    def values(self, measure: str, at_least: int = 1, **keys: object) -> np.ndarray:
        """Reads all values of a measure in the rows with these keys, in order, (D, n).

        Raises Missing for fewer than `at_least`.
        """
        part = self.where(measure=measure, **keys)
        return part._select(np.arange(len(part.rows)), _words(measure, keys), at_least)

    def over(
        self, column: str | Sequence[str], measure: str, at_least: int = 2, **keys: object
    ) -> tuple[list, np.ndarray]:
        """Reads a measure by the entries of a key column (or several): labels (N), values (D, N).

        A label is the row's entry in the column, or the tuple of its entries in several columns.
        Labels keep the order of the rows; rows without a label are left out.
        Raises Missing for fewer labels than `at_least`, Ambiguous for two rows under one label.
        """
        part = self.where(measure=measure, **keys)
        columns = [column] if isinstance(column, str) else list(column)
        part = part.at(np.all([part.rows.has(name) for name in columns], axis=0))
        labels = list(zip(*map(part.rows.listed, columns), strict=True))
        if len(set(labels)) < len(labels):
            doubled = next(label for label in labels if labels.count(label) > 1)
            twins = part.rows.where([label == doubled for label in labels]).table
            raise Ambiguous(
                f"{_words(measure, keys)} has two values under one {' and '.join(columns)}"
                f"{_differing(twins)}"
            )
        values = part._select(np.arange(len(labels)), _words(measure, keys), at_least)
        return [label[0] if isinstance(column, str) else label for label in labels], values

    def _select(self, order: np.ndarray, name: str, at_least: int = 1) -> np.ndarray:
        """Returns the values of the rows with these numbers, (D, n); records them in the journal.

        A value that is not finite leaves its draw undefined. Raises Missing for fewer than
        `at_least`.
        """
        values = self.draws[:, order]
        self.journal.selections.append(Selection(name, at_least, values))
        if values.shape[1] < max(at_least, 1):
            wanted = (
                f" of at least {at_least} items; there {_are(values.shape[1])}"
                if values.shape[1]
                else ""
            )
            raise Missing(name + wanted)
        self.undefined(~np.isfinite(values).all(axis=1), f"{name} has no value")
        return values

    # ---- what a predicate says besides its truth

    def undefined(self, draws: np.ndarray, reason: str) -> None:
        """Marks draws, (D,) bool, in which the question is undefined; reason: a clause."""
        draws = np.broadcast_to(draws, self.journal.draws)
        if draws.any():
            self.journal.reasons[reason] = draws | self.journal.reasons.get(reason, False)

    def against(self, clause: str) -> None:
        """Records a clause that contradicts the claim in the first draw ("layer 3: 0.41")."""
        self.journal.against.append(clause)

    def asked(self, labels: list[str], truth: np.ndarray) -> None:
        """Records whether a question is true of each of N items, (D, N) bool, or of one, (D,) bool.

        labels: the names of the items, N.
        """
        columns = np.reshape(truth, (len(self.draws), -1))
        self.journal.asked.append(Asked(labels, columns))

    def compared(
        self, labels: list[str], values: np.ndarray, low: float, high: float, closed: bool = False
    ) -> None:
        """Records that values, (D,) or (D, N), were compared with the bounds `low` and `high`.

        labels: the names of the values, N. closed: whether a value on a bound counts as between
            them.
        """
        columns = np.atleast_1d(values).reshape(len(self.draws), -1)
        self.journal.comparisons.append(Comparison(labels, columns, low, high, closed))

    def ranked(self, values: np.ndarray, number: int, items: str) -> None:
        """Records rank correlations, (D,), over `number` items; items: names them ("layers")."""
        self.journal.rankings.append(Ranking(values, number, items))


def spelled(measure: str) -> str:
    """Returns a measure's name in words, its abbreviations explained."""
    return " ".join(SPELLED.get(word, word) for word in measure.split("_"))


def _words(measure: str, keys: dict) -> str:
    """Formats a measure and its keys: "word similarity spearman (WS-353)"."""
    shown = [_shown(value) for key, value in keys.items() if not key.startswith("not_")]
    return spelled(measure) + (f" ({', '.join(shown)})" if shown else "")


def _shown(value: object) -> str:
    return " or ".join(map(str, value)) if isinstance(value, tuple | list | set) else str(value)


def _models(number: int) -> str:
    return f"at least {number} models" if number > 1 else "a model"


def _are(number: int) -> str:
    return {0: "is none", 1: "is one"}.get(number, f"are {number}")


def _refuse_twins(rows: Rows, layers: np.ndarray, name: str) -> None:
    """Raises Ambiguous, with the column that differs, if two rows have the same layer."""
    found, counts = np.unique(layers[~np.isnan(layers)], return_counts=True)
    if (counts > 1).any():
        layer = found[counts > 1][0]
        twins = rows.where(layers == layer).table
        raise Ambiguous(
            f"{name} has {len(twins)} values in layer {layer:.0f}{_differing(twins)}: choose one"
        )


def _differing(rows: pd.DataFrame) -> str:
    """Returns the first key column in which rows differ: " (dataset lee, my_text.txt)"."""
    for column in KEYS:
        values = rows[column].astype(object).where(rows[column].notna(), "none").unique()
        if len(values) > 1:
            return f" ({column} {', '.join(map(str, values[:4]))})"
    return ""


def concatenated(values: Iterable[np.ndarray]) -> np.ndarray:
    """Concatenates the arrays (D, n) of several readers; returns (D, sum of n)."""
    return np.concatenate(list(values), axis=1)
