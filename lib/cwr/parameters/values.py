"""Converts a value to the type of its parameter, or refuses it."""

import ast
import json
import types
import typing
from typing import Any

import pydantic

from cwr.errors import UserError
from cwr.parameters.bounds import as_code

_TYPES = {
    "str": str,
    "int": int,
    "float": float,
    "bool": bool,
    "None": None,
    "list": list,
    "dict": dict,
    "tuple": tuple,
    "set": set,
    "Literal": typing.Literal,
    "Any": Any,
}


def converted(name: str, kind: str, value: Any, notebook: str) -> Any:
    """Converts a value to the type that the text `kind` names; an int for a float becomes a float.

    Raises UserError, with the index of a wrong item, for a value of another type, for a number that
    is not finite, and for a text that cannot be written (`refuse_unwritable`).
    """
    refuse_unwritable(name, value, notebook)
    try:
        adapter = _adapter(kind)
        return adapter.validate_python(value, strict=True)
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        indices = [f"[{step}]" for step in first["loc"] if isinstance(step, int)]
        wanted = "a finite number" if first["type"] == "finite_number" else kind
        raise UserError(
            f"parameter '{name}' of {notebook} must be {wanted}, but "
            f"{name}{''.join(indices)} is {as_code(first['input'])}"
        ) from None


def refuse_unwritable(name: str, value: Any, notebook: str) -> None:
    """Raises UserError for a text with half a character (a lone surrogate), anywhere in a value."""
    try:
        json.dumps(value, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError as error:
        raise UserError(
            f"parameter '{name}' of {notebook} has {error.object[error.start]!r}, which is half of a "
            f"sign and stands in no text: write the sign, or give a file a name in UTF-8"
        ) from None
    except (TypeError, ValueError, RecursionError):  # its type says what is wrong
        return


def written(kind: Any) -> str:
    """Formats a type as it is written in code; kind: a type, or its text, returned unchanged."""
    if isinstance(kind, str):
        return kind
    if isinstance(kind, type) and not isinstance(kind, types.GenericAlias):
        return kind.__name__
    return str(kind).replace("typing.", "")


def _adapter(kind: str) -> pydantic.TypeAdapter:
    """Returns a converter to the type that a text writes. Raises UserError if that is no type."""
    try:
        annotated = _resolve(ast.parse(kind, mode="eval").body)
        return pydantic.TypeAdapter(annotated, config=pydantic.ConfigDict(allow_inf_nan=False))
    except (TypeError, ValueError, SyntaxError, pydantic.errors.PydanticUserError):
        raise UserError(
            f"'{kind}' is no type for a parameter; use str, int, float, bool, "
            "list, dict, tuple, Literal or a union of them"
        ) from None


def _resolve(node: ast.expr) -> Any:
    """Returns the type that an annotation writes, by the names of `_TYPES`; never executes it.

    Raises ValueError or TypeError for anything else.
    """
    match node:
        case ast.Name(id=name) if name in _TYPES:
            return _TYPES[name]
        case ast.Constant(value=None):
            return None
        case ast.Subscript(value=ast.Name(id="Literal"), slice=inner):
            return typing.Literal[ast.literal_eval(inner)]
        case ast.Subscript(value=outer, slice=ast.Tuple(elts=inner)):
            return _resolve(outer)[tuple(map(_resolve, inner))]
        case ast.Subscript(value=outer, slice=inner):
            return _resolve(outer)[_resolve(inner)]
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return typing.Union[_resolve(left), _resolve(right)]  # noqa: UP007  # None | None fails
    raise ValueError(ast.unparse(node))
