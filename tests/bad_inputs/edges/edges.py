"""The edges of a notebook's parameters, read off their declarations: type, default and words.

An input is one parameter changed in the smallest settings of its notebook. Each is to end in
results or in one sentence, whatever is legal: nothing here says which.
"""

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bad_inputs.edges import settings

from cwr import parameters
from cwr.cli import plan
from cwr.encoders.hub import NAMES

BOUND = re.compile(r"(each )?\b(at least|at most|above|below) (-?\d+(?:\.\d+)?)")
RANGE = re.compile(r"\beach (-?\d+(?:\.\d+)?) to (-?\d+(?:\.\d+)?)")
CHOICES = re.compile(r"[\w-]+(?: \| [\w-]+)+")
SEEDS = 2**31 - 1, 2**40  # the largest, and one beyond
NAMELESS = ["", "zz"]  # texts that name nothing


@dataclass(frozen=True)
class Input:
    """One parameter of a notebook at an edge. given: all that is not at its default."""

    notebook: str
    name: str
    what: str
    given: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.notebook}, {self.name}: {self.what}"


def of_notebook(notebook: Path, files: Mapping[str, str]) -> list[Input]:
    """All edges of a notebook's parameters, each value once."""
    declared, tiny = parameters.read(notebook), settings.tiny(notebook, files)
    seen, inputs = [], []
    for name, parameter in declared.items():
        usual = tiny.get(name, parameter.default)
        for what, changes in _edges(parameter, usual, declared, files):
            given = tiny | changes
            if given not in seen:
                seen.append(given)
                inputs.append(Input(parameters.title(notebook), name, what, given))
    return inputs


def _edges(
    parameter, usual: Any, declared: Mapping, files: Mapping
) -> Iterator[tuple[str, dict]]:
    """What is tried, in words, and {parameter: value}."""
    name, kind = parameter.name, parameter.type
    values = itertools.chain(
        _of_lists(parameter, usual)
        if kind.startswith("list")
        else _of_items(parameter, usual),
        [("None", None)] if "None" in kind else [],
        [("nothing in it", {}), ("an unknown key", {"zz": 1})]
        if kind.startswith("dict")
        else [],
    )
    yield from ((what, {name: value}) for what, value in values)
    if _names_models(parameter):
        yield from _models(parameter, declared, files)
    elif name in (*plan.DATA, "tagged") and "one sentence" not in parameter.help:
        for title in ("plain", "short", "text"):
            value = [files[title]] if kind.startswith("list") else files[title]
            yield f"the file {title}", {name: value}


def _of_lists(parameter, usual: list) -> Iterator[tuple[str, list]]:
    """A list's edges, and those of its first item."""
    fewest, _ = _bounds(parameter, counted=True)
    fewest = int(fewest or 0)
    filled = (usual or parameter.default or ["zz"]) * max(1, fewest)
    yield "empty", []
    yield "one entry", filled[:1]
    yield "the fewest", list(dict.fromkeys(filled))[: max(1, fewest)]
    yield "an entry twice", filled[:1] * max(2, fewest)
    yield "backwards", usual[::-1]
    for what, item in _of_items(parameter, filled[0]):
        yield f"first entry {what}", [item, *filled[1 : max(1, fewest)]]
        yield f"last entry {what}", [*filled[: max(1, fewest) - 1], item]


def _of_items(parameter, usual: Any) -> Iterator[tuple[str, Any]]:
    """The edges of one value, by its type: bounds, one beyond them, choices, texts."""
    if isinstance(usual, bool):
        yield "the other", not usual
    elif isinstance(usual, int | float):
        yield from _of_numbers(parameter, type(usual))
    elif isinstance(usual, str):
        choices = CHOICES.search(parameter.help)
        yield from (
            ((repr(choice), choice) for choice in choices[0].split(" | "))
            if choices
            else ()
        )
        yield from ((repr(text), text) for text in NAMELESS)


def _of_numbers(parameter, kind: type) -> Iterator[tuple[str, float]]:
    low, high = _bounds(parameter, counted=False)
    step = 1 if kind is int else 1e-6
    lowest = 0 if low is None else low
    inside = ("above", "below")  # these bounds are no legal values
    for number in (lowest - step, lowest + step * (inside[0] in parameter.help)):
        yield f"{kind(number)}", kind(number)
    if high is not None:
        for number in (high - step * (inside[1] in parameter.help), high + step):
            yield f"{kind(number)}", kind(number)
    elif parameter.name == "seed":
        yield from ((f"{seed}", seed) for seed in SEEDS)
    elif parameter.type.startswith("list"):
        yield "99", kind(99)


def _bounds(parameter, counted: bool) -> tuple[float | None, float | None]:
    """Lowest and highest value in the words, of a list's count or of each of its items."""
    of_items = parameter.type.startswith("list") and not counted
    low = high = None
    for each, words, limit in BOUND.findall(parameter.help):
        if bool(each) == of_items:
            if words in ("at least", "above"):
                low = float(limit)
            else:
                high = float(limit)
    if of_items and (both := RANGE.search(parameter.help)):
        low, high = map(float, both.groups())
    return low, high


def _names_models(parameter) -> bool:
    """Whether a parameter's values are models: by its name, or by its default."""
    defaults = (
        parameter.default if isinstance(parameter.default, list) else [parameter.default]
    )
    return parameter.name in plan.MODELS or any(value in NAMES for value in defaults)


def _models(parameter, declared: Mapping, files: Mapping) -> Iterator[tuple[str, dict]]:
    """Models of other depths and kinds; with them, where there is one, the list they are of."""
    for model in ("cwr-elmo", files["bert-12"], files["gpt2-1"], files["llama-2"]):
        value = [model] if parameter.type.startswith("list") else model
        title = Path(model).name
        yield f"the model {title}", {parameter.name: value}
        if parameter.name != "models" and "models" in declared:
            yield (
                f"the model {title}, also in models",
                {parameter.name: value, "models": [model]},
            )
