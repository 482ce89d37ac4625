"""Selects and queries parts of a frame's rows without copying the frame.

N = rows of the frame, R = rows of a part, C = distinct values of a column
"""

from collections.abc import Collection, Sequence
from functools import cached_property

import numpy as np
import pandas as pd

ABSENT = -1  # code of a row without a value


class Column:
    """A column of a frame, (N,), with its values numbered by first occurrence."""

    def __init__(self, column: pd.Series):
        self.column = column

    @cached_property
    def codes(self) -> np.ndarray:
        """The number of each row's value, (N,) int; ABSENT without a value."""
        return self._numbered[0]

    @cached_property
    def values(self) -> list:
        """The distinct values, C."""
        return list(self._numbered[1])

    @cached_property
    def code(self) -> dict:
        """{value: its number}."""
        return {value: number for number, value in enumerate(self.values)}

    @cached_property
    def _numbered(self) -> tuple[np.ndarray, Sequence]:
        return pd.factorize(self.column)

    @cached_property
    def listed(self) -> np.ndarray:
        """The value of each row as an object, (N,)."""
        listed = np.empty(len(self.column), dtype=object)
        listed[:] = list(self.column)
        return listed

    @cached_property
    def numbers(self) -> np.ndarray:
        """The value of each row as a number, (N,) float; NaN without a value."""
        return self.column.to_numpy(dtype=float, na_value=np.nan)


class Rows:
    """Some rows of a frame, (R,). All parts of a frame share it and the numbered values."""

    def __init__(
        self,
        frame: pd.DataFrame,
        numbers: np.ndarray | None = None,
        columns: dict[str, Column] | None = None,
    ):
        """frame: (N,). numbers: (R,), row numbers in frame; None: all rows.

        columns: the columns that are already numbered, shared by all parts.
        """
        self.frame = frame
        self._is_whole = numbers is None
        self.numbers = np.arange(len(frame)) if numbers is None else numbers
        self._columns = {} if columns is None else columns
        self._codes: dict[str, np.ndarray] = {}

    @classmethod
    def of(cls, table: "pd.DataFrame | Rows") -> "Rows":
        """Returns all rows of a frame; returns `Rows` unchanged."""
        return table if isinstance(table, Rows) else cls(table)

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def table(self) -> pd.DataFrame:
        """The rows as a new frame, numbered from 0."""
        part = self.frame if self._is_whole else self.frame.iloc[self.numbers]
        return part.reset_index(drop=True)

    def where(self, keep: np.ndarray) -> "Rows":
        """Selects rows by `keep`, (R,) bool or row numbers; nothing is copied."""
        return Rows(self.frame, self.numbers[keep], self._columns)

    def codes(self, column: str) -> np.ndarray:
        """Returns the number of each row's value in a column, (R,) int; ABSENT without a value."""
        if column not in self._codes:
            self._codes[column] = self._column(column).codes[self.numbers]
        return self._codes[column]

    def one_of(self, column: str, values: Collection) -> np.ndarray:
        """Tells which rows have one of these values in a column, (R,) bool.

        NA among the values stands for rows without a value.
        """
        code, codes = self._column(column).code, self.codes(column)
        wanted = {ABSENT if _is_absent(value) else code.get(value) for value in values} - {None}
        if len(wanted) == 1:
            return codes == wanted.pop()
        is_wanted = np.zeros(len(code) + 1, dtype=bool)  # the last one is ABSENT
        is_wanted[list(wanted)] = True
        return is_wanted[codes]

    def has(self, column: str) -> np.ndarray:
        """Tells which rows have a value in a column, (R,) bool."""
        return self.codes(column) != ABSENT

    def distinct(self, column: str) -> list:
        """Returns the values of a column, each once, in the order of the rows."""
        values = self._column(column).values
        return [values[code] for code in dict.fromkeys(self.codes(column).tolist()) if code >= 0]

    def by(self, column: str) -> dict[object, "Rows"]:
        """Returns {value of a column: its rows}, in the order of the rows."""
        return {value: self.where(self.one_of(column, [value])) for value in self.distinct(column)}

    def listed(self, column: str) -> list:
        """Returns the value of each row in a column, a list of R."""
        return self._column(column).listed[self.numbers].tolist()

    def floats(self, column: str) -> np.ndarray:
        """Returns the value of each row in a column, (R,) float; NaN without a value."""
        return self._column(column).numbers[self.numbers]

    def _column(self, column: str) -> Column:
        if column not in self._columns:
            self._columns[column] = Column(self.frame[column])
        return self._columns[column]


def _is_absent(value: object) -> bool:
    return value is None or value is pd.NA or value != value


def joined(parts: Sequence[Rows]) -> Rows:
    """Concatenates the rows of all parts; parts of one frame are not copied."""
    first = parts[0]
    if all(part.frame is first.frame for part in parts):
        numbers = np.concatenate([part.numbers for part in parts])
        return Rows(first.frame, numbers, first._columns)
    return Rows(pd.concat([part.table for part in parts], ignore_index=True))
