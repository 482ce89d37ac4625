"""Applies a reader's changes to a recipe, and refuses impossible ones."""

import dataclasses
from collections.abc import Mapping

from cwr.errors import UserError, hint, quoted
from cwr.making.language_models.recipes import Recipe

FIELDS = {field.name: type(field.default) for field in dataclasses.fields(Recipe)}
BOUNDS = {  # lowest and highest value; short windows are a quarter of `size`
    **{"layers": (1, 100), "dim": (1, 10_000), "rows": (1, 10_000), "size": (8, 100_000)},
    **{"epochs": (1e-3, 1e3), "rate": (1e-8, 1.0), "masked": (0.01, 1.0)},
    **{"warm_up": (0.0, 1.0), "decay": (0.0, 1.0), "short": (0.0, 1.0)},
    **{"seed": (0, 2**31), "heads": (0, 1_000), "penalty": (0.0, 1e6)},
}
HEAD = 64  # dimensions of a head, where a recipe does not say how many heads there are


def changed(recipe: Recipe, changes: Mapping[str, object]) -> Recipe:
    """Returns a recipe with changed fields; changes: {field: value}.

    Raises UserError for a field that a recipe does not have, a value of another type or out of
    bounds, and dimensions that do not divide among the heads.
    """
    for name, value in changes.items():
        _check(name, value)
    new = dataclasses.replace(recipe, **changes)
    heads = new.heads or new.dim // HEAD
    if new.family != "bilstm" and (not heads or new.dim % heads):
        raise UserError(
            f"{new.dim} dimensions do not make heads of {HEAD}: give a number of dimensions that "
            'does, or how many "heads" there are'
        )
    return new


def _check(name: str, value: object) -> None:
    if name not in FIELDS:
        raise UserError(f"a recipe has no {quoted(name)}: {hint(name, FIELDS)}")
    kind = FIELDS[name]
    if type(value) is not kind and (kind, type(value)) != (float, int):
        raise UserError(f"{quoted(name)} of a recipe is of the type {kind.__name__}, not {value!r}")
    low, high = BOUNDS.get(name, (value, value))
    if not low <= value <= high:
        raise UserError(f"{quoted(name)} of a recipe is {low:g} to {high:g}, not {value!r}")
