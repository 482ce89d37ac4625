"""Computes a figure's texts: its title's models, its alternative text, its numbers.

A title names the models in which a finding holds, so it stays true when a reader runs other models.
Tables are tidy (`cwr.tables`): model, family, layer, measure, value; ours also low and high.
"""

from collections.abc import Callable, Iterable, Mapping

import numpy as np
import pandas as pd

from cwr.errors import listed
from cwr.figures.layers import curves_by_model
from cwr.tables import KEYS, UNTRAINED, where

Course = Callable[[pd.DataFrame], bool]  # of one model's rows, in the order of their layers
MOST_NUMBERS = 5  # in an alternative text, after its first sentence
NUMBERS = ["value", "low", "high"]


# ---- titles


def models_in_which(course: Course, table: pd.DataFrame, y: str, **keys: object) -> str:
    """Names the models whose curves pass a test: "a, b and c", "no model".

    course: tests one model's rows, such as `falls`. Other arguments as `figures.by_layer`.
    """
    curves = curves_by_model(table, y, **keys)
    passing = [model for (model, _), rows in curves if course(rows)]
    return listed(passing) if passing else "no model"


def which_move(choices: Iterable[str], moving: Iterable[str], what: str) -> str:
    """Says which choices move a quantity: "the choice of ties moves it", "no choice moves it".

    choices: all that were tried; moving: those of them that move the quantity. A choice ("pooling:
        first piece") is named by the words before its colon, one with several values once. what:
        the quantity.
    """
    tried, movers = (
        list(dict.fromkeys(name.partition(":")[0] for name in names)) for names in (choices, moving)
    )
    if not movers:
        return f"no choice moves {what}"
    if len(tried) > 1 and len(movers) == len(tried):
        return f"every choice moves {what}"
    return f"the choice of {listed(movers)} moves {what}"


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
    """Makes a test of a model's rows: whether each layer's interval lies below the bound."""

    def stays_below(rows: pd.DataFrame) -> bool:
        return bool((_ends(rows)[1] < bound).all())

    return stays_below


def above(bound: float) -> Course:
    """Makes a test of a model's rows: whether each interval above layer 0 exceeds the bound."""

    def stays_above(rows: pd.DataFrame) -> bool:
        hidden = rows[rows["layer"] > 0]
        return len(hidden) > 0 and bool((_ends(hidden)[0] > bound).all())

    return stays_above


def nearest(
    published: pd.DataFrame,
    y: str,
    ours: pd.DataFrame,
    longer: pd.DataFrame | None = None,
    untrained: pd.DataFrame | None = None,
) -> str:
    """Returns a sentence for each published curve that has a nearer curve than our first one.

    The distance is the mean of the absolute differences at the layers of our curve above its input;
    the published curve is interpolated in relative depth. Only curves of its family count. ours,
    longer, untrained: as in `figures.by_family`; the copies of a model are averaged.
    """
    tables = {"`{}`": ours, "the longer run's `{}`": longer}
    for kind in UNTRAINED if untrained is not None else ():
        tables[f"`{{}}` ({kind})"] = where(untrained, variant=kind)
    sentences = []
    for (model, family), rows in curves_by_model(published, y):
        distances = {
            name.format(candidate): _distance(_course(rows), _course(of_candidate))
            for name, table in tables.items()
            if table is not None
            for (candidate, _), of_candidate in curves_by_model(where(table, family=family), y)
        }
        near = min(distances, key=distances.get, default=None)
        first = next(iter(distances), None)
        if near != first and f"{distances[near]:.2f}" != f"{distances[first]:.2f}":
            sentences.append(
                f"Of our curves, that of {near} lies nearest to the published curve of {model}, at a mean "
                f"distance of {distances[near]:.2f}. That of {first} lies at a mean distance of "
                f"{distances[first]:.2f}."
            )
    return " ".join(sentences)


def _course(rows: pd.DataFrame) -> pd.Series:
    """Returns the mean value at each relative depth, in order."""
    values = rows.groupby("layer")["value"].mean().astype(float)
    return values.set_axis(values.index.to_numpy(dtype=float) / values.index.max())


def _distance(published: pd.Series, course: pd.Series) -> float:
    beyond_input = course[course.index > 0]
    there = np.interp(beyond_input.index, published.index, published)
    return float(np.abs(beyond_input - there).mean())


# ---- the alternative text


def describe(
    title: str, table: pd.DataFrame, y: str, what: str = "In the last layer", **keys: object
) -> str:
    """Formats alternative text: the title, then the value of each model's last layer.

    It has at most five numbers: for more models only the lowest and the highest value are given.
    what: a phrase before the values. Other arguments as `figures.by_layer`.
    """
    last = {model: rows["value"].iloc[-1] for (model, _), rows in curves_by_model(table, y, **keys)}
    return summary(title, what, last)


def summary(title: str, what: str, values: Mapping[str, float]) -> str:
    """Formats alternative text: the title, then at most five numbers.

    what: a phrase before the numbers ("In the last layer"). values: {label: number}; for more than
        five only the lowest and the highest are given.
    """
    texts = {label: two_decimals(value) for label, value in values.items()}
    if len(values) > MOST_NUMBERS:
        lowest, highest = min(values, key=values.get), max(values, key=values.get)
        numbers = f"from {texts[lowest]} ({lowest}) to {texts[highest]} ({highest})"
    else:
        numbers = ", ".join(f"{label} {text}" for label, text in texts.items())
    return f"{' '.join(title.split())}. {what}: {numbers}."


def two_decimals(value: float) -> str:
    """Formats a number with two decimals and a true minus sign; what rounds to 0 has no sign."""
    return f"{float(value):z.2f}".replace("-", "\N{MINUS SIGN}")


# ---- the numbers of a figure


def plotted(
    ours: pd.DataFrame | None, published: pd.DataFrame | None, *measures: str, **keys: object
) -> pd.DataFrame:
    """Tabulates the rows that a figure shows, with `source` (ours, published), no empty columns.

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


def plotted_runs(
    ours: pd.DataFrame, longer: pd.DataFrame | None, published: pd.DataFrame | None, *measures: str
) -> pd.DataFrame:
    """Tabulates `plotted` rows of a run and of a longer run; the longer run's source says so.

    longer: None for no longer run.
    """
    parts = [plotted(ours, published, *measures)]
    if longer is not None:
        parts.append(plotted(longer, None, *measures).assign(source="ours, longer run"))
    return pd.concat(parts, ignore_index=True)
