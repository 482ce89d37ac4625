"""Renders frames for a page: one head, whole numbers without decimals, a dash for absent values."""

import re

import pandas as pd
from pandas.api.types import is_bool, is_float, is_integer

from cwr.report.markup import cell, plain

ABSENT = "–"
NUMBER = re.compile(rf"[-+]?\d[\d.,]*(e[-+]\d+)?%?|{ABSENT}")


def shown(frame: pd.DataFrame | pd.Series, digits: int | None = 2):
    """Returns a frame as a notebook's output: a table; columns of numbers are right-aligned.

    frame: its index comes first, unless it only counts the rows. Several levels of headings become
        one, and names of measures lose their underscores. digits: decimals of numbers that are not
        whole; None for as many as they have.
    """
    from IPython.display import Markdown  # not at the top: the text of a table needs no Jupyter

    return Markdown(markdown(frame, digits))


def markdown(frame: pd.DataFrame | pd.Series, digits: int | None = 2) -> str:
    """Returns the text of `shown`: a Markdown table."""
    frame = frame.to_frame() if isinstance(frame, pd.Series) else frame
    names, levels = _index(frame)
    heads = [*names, *(_heading(column, frame.columns.names) for column in frame.columns)]
    columns = [*levels, *(column for _, column in frame.items())]
    cells = [_cells(column, digits) for column in columns]
    rulers = ["---:" if all(map(NUMBER.fullmatch, texts)) else "---" for texts in cells]
    lines = [heads, rulers, *zip(*cells, strict=True)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _index(frame: pd.DataFrame) -> tuple[list[str], list[pd.Series]]:
    """Returns the headings and labels of the index's levels; a repeated outer label stands once."""
    index = frame.index
    if isinstance(index, pd.RangeIndex) and index.name is None:
        return [], []
    levels = [index.get_level_values(level).to_series() for level in range(index.nlevels)]
    for number, outer in enumerate(levels[:-1]):
        levels[number] = outer.astype(object).mask(outer.eq(outer.shift()), "")
    corner = frame.columns.name if frame.columns.nlevels == 1 else None
    names = [corner if name is None else name for name in index.names]
    return [_text("" if name is None else name) for name in names], levels


def _heading(column: object, names: list[str | None]) -> str:
    """Returns the heading of a column in words; several levels stand one behind the other."""
    labels = column if isinstance(column, tuple) else (column,)
    return " ".join(_text(label, name) for label, name in zip(labels, names, strict=True))


def _cells(column: pd.Series, digits: int | None) -> list[str]:
    """Returns the texts of a column; a column of whole numbers (layers, counts) has no decimals."""
    numbers = [float(value) for value in column.dropna() if is_float(value)]
    is_whole = any(abs(number) > 1 for number in numbers) and all(map(float.is_integer, numbers))
    return [_cell(value, 0 if is_whole else digits, column.name) for value in column]


def _cell(value: object, digits: int | None, name: object) -> str:
    """Returns the text of one value."""
    if pd.isna(value):
        return ABSENT
    if is_bool(value):
        return "yes" if value else "no"
    if is_integer(value):
        return f"{value:,}"
    if is_float(value):
        return f"{value:g}" if digits is None else f"{value:z,.{digits}f}"  # z: no -0.00
    return _text(value, name)


def _text(label: object, name: object = None) -> str:
    """Returns a label escaped, so that Markdown and HTML read it as text alone."""
    text = f"{label:g}" if is_float(label) else str(label)
    if name == "measure":
        text = text.replace("_", " ")
    return cell(plain(text))
