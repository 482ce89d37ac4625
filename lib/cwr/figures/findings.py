"""Computes a figure's texts: in how many models a finding holds, its alternative text, its numbers.

A title says in how many models something is so, and stays true when a reader runs other models.
Tables are tidy (`cwr.tables`): model, family, layer, measure, value; ours also low and high.
"""

from collections.abc import Callable, Mapping

import pandas as pd

from cwr.figures.layers import curves
from cwr.tables import KEYS, where

Course = Callable[[pd.DataFrame], bool]  # of one model's rows, in the order of their layers
MOST_NUMBERS = 5  # in an alternative text, after its first sentence
NUMBERS = ["value", "low", "high"]


# ---- titles


def models_in_which(course: Course, table: pd.DataFrame, y: str, **keys: object) -> str:
    """Returns how many models' curves pass a test: "all 4 models", "3 of 4 models", "no model".

    course: the test of one model's rows, such as `falls`. If the table has only one model, and it
        passes, the text is its name. Other arguments as `figures.by_layer`.
    """
    verdicts = {model: course(rows) for (model, _), rows in curves(table, y, **keys)}
    number = sum(verdicts.values())
    if number == 0:
        return "no model"
    if len(verdicts) == 1:
        return next(iter(verdicts))
    if number == len(verdicts):
        return f"all {number} models"
    return f"{number} of {len(verdicts)} models"


def _ends(rows: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Returns the lower and upper end of each layer's interval; the value where there is none."""
    value = rows["value"]
    low, high = (rows[end].fillna(value) if end in rows else value for end in ("low", "high"))
    return low, high


def falls(rows: pd.DataFrame) -> bool:
    """Tests whether the interval of the last layer lies below the interval of the first layer."""
    low, high = _ends(rows)
    return bool(high.iloc[-1] < low.iloc[0])


def rises(rows: pd.DataFrame) -> bool:
    """Tests whether the interval of the last layer lies above the interval of the first layer."""
    low, high = _ends(rows)
    return bool(low.iloc[-1] > high.iloc[0])


def above_zero(rows: pd.DataFrame) -> bool:
    """Tests whether the interval of every layer above the input lies above 0."""
    hidden = rows[rows["layer"] > 0]
    return len(hidden) > 0 and bool((hidden["low"] > 0).all())


def below(bound: float) -> Course:
    """Returns a test of a model's rows: whether each layer's interval lies below the bound."""

    def stays_below(rows: pd.DataFrame) -> bool:
        return bool((_ends(rows)[1] < bound).all())

    return stays_below


def above(bound: float) -> Course:
    """Returns a test of a model's rows: whether each interval above layer 0 exceeds the bound."""

    def stays_above(rows: pd.DataFrame) -> bool:
        hidden = rows[rows["layer"] > 0]
        return len(hidden) > 0 and bool((_ends(hidden)[0] > bound).all())

    return stays_above


# ---- the alternative text


def describe(
    title: str, table: pd.DataFrame, y: str, what: str = "In the last layer", **keys: object
) -> str:
    """Returns alternative text: the title, then the value of each model's last layer.

    It has at most five numbers: for more models only the lowest and the highest value are given.
    what: a phrase before the values. Other arguments as `figures.by_layer`.
    """
    last = {model: rows["value"].iloc[-1] for (model, _), rows in curves(table, y, **keys)}
    return summary(title, what, last)


def summary(title: str, what: str, values: Mapping[str, float]) -> str:
    """Returns alternative text: the title, then at most five numbers.

    what: a phrase before the numbers ("In the last layer"). values: {label: number}; for more than
        five only the lowest and the highest are given.
    """
    texts = {label: f"{round(value, 2) + 0.0:.2f}" for label, value in values.items()}  # no -0.00
    if len(values) > MOST_NUMBERS:
        lowest, highest = min(values, key=values.get), max(values, key=values.get)
        numbers = f"from {texts[lowest]} ({lowest}) to {texts[highest]} ({highest})"
    else:
        numbers = ", ".join(f"{label} {text}" for label, text in texts.items())
    return f"{' '.join(title.split())}. {what}: {numbers}."


# ---- the numbers of a figure


def plotted(
    ours: pd.DataFrame | None, published: pd.DataFrame | None, *measures: str, **keys: object
) -> pd.DataFrame:
    """Returns the rows that a figure shows, with `source` (ours, published), without empty columns.

    measures: the measures that are drawn. keys: further key columns, as in `figures.by_layer`.
    """
    parts = []
    for source, table in (("ours", ours), ("published", published)):
        if table is None:
            continue
        rows = where(table[table["measure"].isin(measures)], **keys)
        columns = [column for column in KEYS + NUMBERS if column in rows]
        parts.append(rows[columns].dropna(axis=1, how="all").assign(source=source))
    return pd.concat(parts, ignore_index=True)
