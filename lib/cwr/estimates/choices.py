"""Runs a pipeline again under each choice that a text leaves open, one changed at a time.

A choice is a row of a text's `choices.csv`, or a row for each parameter that it changes: its kind,
its name within the kind, a parameter and a value. A pipeline is some functions, its stages, that
ask for each other, and for parameters, by the names of their arguments, as pytest's fixtures do.
Results are shared between choices: a stage runs again only when a parameter is changed that it, or
a stage that it asks for, depends on.

    D draws
"""

import inspect
import json
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from cwr.errors import UserError, hint, quoted
from cwr.measures import stats

Changes = dict[str, Any]  # {parameter: value} where a choice differs from the chapter


def load_choices(file: Path) -> dict[str, Changes]:
    """Reads the choices of a text from a file, {"kind: name": {parameter: value}}, in its order.

    file: CSV with the columns kind, name (one of the two may be empty), parameter and value; a
    value that is not JSON is a string.
    """
    choices: dict[str, Changes] = {}
    for row in _read(file).itertuples():
        choices.setdefault(row.called, {})[row.parameter] = _value(row.value)
    return choices


def load_words(file: Path) -> dict[str, str]:
    """Reads what figures call the choices of a text, {"kind: name": words}.

    file: as in `load_choices`, with a column `in words`; where it is empty, the name stays.
    """
    table = _read(file)
    words = table["in words"].where(table["in words"] != "", table["called"])
    return dict(zip(table["called"], words, strict=True))


def _read(file: Path) -> pd.DataFrame:
    """Reads a file of choices; the column `called` joins kind and name."""
    table = pd.read_csv(file, dtype=str, keep_default_na=False)
    names = zip(table["kind"], table["name"], strict=True)
    return table.assign(called=[": ".join(filter(None, of)) for of in names])


def _value(text: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return tuple(value) if isinstance(value, list) else value


def choice_kinds(choices: Iterable[str]) -> tuple[str, ...]:
    """Lists the kinds among choices called "kind: name", each once, in order."""
    return tuple(dict.fromkeys(name.split(":")[0] for name in choices))


def of_kinds(choices: Mapping[str, Changes], wanted: Collection[str]) -> dict[str, Changes]:
    """Selects the choices whose kind is among the wanted kinds, in the order of `choices`.

    Raises UserError for a wanted kind that no choice has.
    """
    known = choice_kinds(choices)
    for kind in wanted:
        if kind not in known:
            raise UserError(f"{quoted(kind)} is no kind of choice: {hint(kind, known)}")
    return {name: changes for name, changes in choices.items() if name.split(":")[0] in wanted}


class Pipeline:
    """A set of functions (stages), each run once per combination of the parameters it depends on.

    `pipeline(stage, **changes)` returns the result of the stage of this name, with these values of
    the changed parameters and the chapter's values of all others.
    """

    def __init__(self, *stages: Callable, fixed: Collection[str] = (), **chapter: Any):
        """Builds a pipeline from its stages.

        stages: functions, known by their names, each of whose arguments is the name of another
        stage or of a parameter. fixed: parameters that cannot matter here (the pooling of a word's
        pieces, to a model that reads words whole): changed, they stay as in the chapter. chapter:
        the value of each parameter.
        Raises ValueError for an argument that names neither a stage nor a parameter, and for stages
        that ask for each other.
        """
        self.stages = {stage.__name__: stage for stage in stages}
        self.fixed, self.chapter = frozenset(fixed), chapter
        self._needs: dict[str, frozenset[str]] = {}
        self._kept: dict[tuple[Hashable, ...], Any] = {}
        for name in self.stages:
            self.needs(name)

    def __call__(self, stage: str, **changes: Any) -> Any:
        """Runs a stage under changed parameters, or returns its kept result for equal parameters.

        Raises ValueError for a name that is no stage, and for a change whose name is no parameter.
        """
        changes = self.effective(changes)
        needed = self.needs(stage)
        key = stage, *((name, changes[name]) for name in sorted(needed & changes.keys()))
        if key not in self._kept:
            values = self.chapter | changes
            arguments = {
                name: values[name] if name in values else self(name, **changes)
                for name in _asked(self.stages[stage])
            }
            self._kept[key] = self.stages[stage](**arguments)
        return self._kept[key]

    def kept(self, stage: str) -> list:
        """Lists the results of a stage so far, one for each set of changes that it ran with."""
        return [value for (name, *_), value in self._kept.items() if name == stage]

    def needs(self, stage: str, asking: tuple[str, ...] = ()) -> frozenset[str]:
        """Lists the parameters that a stage depends on, by itself or by stages that it asks for.

        asking: for the recursion, the stages from the first call to this one. Raises ValueError for
        a stage that asks for itself, and for a name that is neither a stage nor a parameter.
        """
        if stage not in self._needs:
            if stage not in self.stages:
                raise ValueError(f"{stage} is neither a stage nor a parameter")
            if stage in asking:
                raise ValueError(f"the stage {stage} asks for itself")
            parts = [
                {name} if name in self.chapter else self.needs(name, (*asking, stage))
                for name in _asked(self.stages[stage])
            ]
            self._needs[stage] = frozenset().union(*parts)
        return self._needs[stage]

    def effective(self, changes: Changes) -> Changes:
        """Selects the changes of parameters that are not fixed, to values other than the chapter's.

        Raises ValueError for a change whose name is no parameter.
        """
        for name in changes:
            if name not in self.chapter:
                raise ValueError(f"{name} is no parameter of this pipeline")
        return {
            name: value
            for name, value in changes.items()
            if name not in self.fixed and value != self.chapter[name]
        }

    def applicable(self, choices: Mapping[str, Changes]) -> dict[str, Changes]:
        """Selects the choices with an effective change, and drops their other changes.

        choices: {name: changes}. Raises ValueError as `effective`.
        """
        effective = {name: self.effective(changes) for name, changes in choices.items()}
        return {name: changes for name, changes in effective.items() if changes}


def _asked(stage: Callable) -> tuple[str, ...]:
    return tuple(inspect.signature(stage).parameters)


def run_choices(
    pipeline: Pipeline, stage: str, choices: Mapping[str, Changes], chapter: bool = True
) -> list[dict]:
    """Computes a stage's rows as in the chapter (variant None) and under each choice (its name).

    stage: the name of a stage that returns rows for `report.results.write`. choices: {name:
    changes}; a choice that changes no parameter of this stage has no rows. chapter: whether the
    chapter's rows come first, or are left out.
    """
    needs = pipeline.needs(stage)
    asked: dict[str | None, Changes] = {None: {}} if chapter else {}
    for name, changes in pipeline.applicable(choices).items():
        if needs & changes.keys():
            asked[name] = changes
    return [
        {**row, "variant": name}
        for name, changes in asked.items()
        for row in pipeline(stage, **changes)
    ]


def moves(
    quantities: Mapping[tuple, Mapping[str, np.ndarray]], keys: Iterable[str]
) -> pd.DataFrame:
    """Measures how far each choice moves some quantities from their values in the chapter.

    quantities: {(variant, *values of the keys): {panel: its value and its draws, (1 + D,)}};
    variant None for the chapter. Returns a row per panel, choice and values of the keys. Columns
    panel, variant, the keys, value, change, and low and high of the change's 95 % interval; draws
    are paired. A quantity that is not defined (NaN) is left out, and so is an undefined draw.
    """
    table = []
    for (variant, *values), of_choice in quantities.items():
        if variant is None:
            continue
        chapter = quantities[None, *values]
        for panel, drawn in of_choice.items():
            change = drawn - chapter[panel]
            if not np.isnan(change[0]):
                low, high = stats.interval(change[1:][~np.isnan(change[1:])])
                named = dict(zip(keys, values, strict=True))
                numbers = {"value": drawn[0], "change": change[0], "low": low, "high": high}
                table.append({"panel": panel, "variant": variant, **named, **numbers})
    words, numbers = ["panel", "variant", *keys], ["value", "change", "low", "high"]
    moved = pd.DataFrame(table, columns=[*words, *numbers])
    return moved.astype({**dict.fromkeys(words, str), **dict.fromkeys(numbers, float)})
