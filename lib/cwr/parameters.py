"""Parameters of a notebook: its cell tagged `parameters`, read and checked before anything slow.

`read`, `validate` and `from_text` take a notebook's file and execute nothing of it; `check` is
called in the notebook itself.
"""

import ast
import difflib
import io
import json
import tokenize
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pydantic

from cwr.errors import UserError

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
_CHECKED = "_parameters_were_checked"  # set in a namespace by its first `check`
_IPYTHON = {"In", "Out", "get_ipython", "exit", "quit", "open"}


@dataclass(frozen=True)
class Parameter:
    """One line of a parameters cell: `name: type = default  # help`; `type` as text."""

    name: str
    type: str
    default: Any
    help: str = ""

    @property
    def kind(self) -> Any:
        """The type itself."""
        return _resolve(ast.parse(self.type, mode="eval").body)


def read(notebook: str | Path) -> dict[str, Parameter]:
    """Declared parameters of a notebook by name, in their order. Nothing of it is executed.

    Raises UserError when there is no cell tagged `parameters`, or a line of it is not
    `name: type = literal`.
    """
    source = _tagged_source(Path(notebook))
    comments = _comments(source)
    declared = {}
    for node in ast.parse(source).body:
        if not _is_declaration(node):
            raise UserError(
                f"{title(notebook)}: line {node.lineno} of the parameters cell is not "
                "of the form `name: type = value`; write it so, or move it to a later "
                "cell"
            )
        name, kind = node.target.id, ast.unparse(node.annotation)
        default = _literal(node, notebook)
        default = _converted(name, _resolve(node.annotation), default, title(notebook))
        declared[name] = Parameter(name, kind, default, comments.get(node.end_lineno, ""))
    return declared


def validate(notebook: str | Path, given: Mapping[str, Any]) -> dict[str, Any]:
    """{name: value} of all parameters of a notebook, with `given` in place of defaults.

    Raises UserError for a name that the notebook does not declare (and names the nearest) and for a
    value of a wrong type.
    """
    declared = read(notebook)
    _refuse_unknown(given, declared, title(notebook))
    values = {}
    for name, parameter in declared.items():
        values[name] = parameter.default
        if name in given:
            values[name] = _converted(name, parameter.kind, given[name], title(notebook))
    return values


def from_text(notebook: str | Path, given: Mapping[str, str]) -> dict[str, Any]:
    """Values typed on a command line, converted to their parameters' types; no defaults are added.

    JSON is tried first, then YAML, then bare text; one bare text stands for a list of one:
    `-p models minilm`. Raises UserError as `validate`.
    """
    declared = read(notebook)
    _refuse_unknown(given, declared, title(notebook))
    return {name: _parsed(declared[name], text, title(notebook)) for name, text in given.items()}


def check(namespace: dict[str, Any]) -> dict[str, Any]:
    """{name: value} of a notebook's parameters: `given = parameters.check(globals())` below them.

    The annotated names of `namespace` are the declared ones. papermill sets a mistyped name without
    a word; here every other public variable is refused as an unknown parameter, with the nearest
    declared one. Only the first check in a kernel can tell so: when the cell is run again, the
    variables of later cells are there too, and only types are checked.
    Raises UserError for such a variable, a parameter without a value, and a value of a wrong type.
    """
    declared = dict(namespace.get("__annotations__", {}))
    if not namespace.get(_CHECKED):
        variables = [name for name, value in namespace.items() if _is_variable(name, value)]
        _refuse_unknown(variables, declared, "this notebook")
    values = {}
    for name, kind in declared.items():
        if name not in namespace:
            raise UserError(
                f"parameter '{name}' of this notebook has no value; give it one in the "
                "parameters cell"
            )
        if isinstance(kind, str):
            kind = _resolve(ast.parse(kind, mode="eval").body)
        values[name] = _converted(name, kind, namespace[name], "this notebook")
    namespace[_CHECKED] = True
    return values


def title(notebook: str | Path) -> str:
    """'<paper>/<NN_name>' of a notebook's path, as messages and commands name it."""
    path = Path(notebook).absolute()
    return f"{path.parent.name}/{path.stem}"


def _tagged_source(notebook: Path) -> str:
    try:
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    except FileNotFoundError:
        raise UserError(
            f"there is no notebook {notebook}; `cwr list notebooks` shows those of the book"
        ) from None
    except (ValueError, KeyError, TypeError):
        raise UserError(
            f"{notebook} is not a Jupyter notebook (format 4); save it from JupyterLab"
        ) from None
    for cell in cells:
        if "parameters" in cell.get("metadata", {}).get("tags", []):
            return "".join(cell["source"])
    raise UserError(
        f"{title(notebook)} has no cell tagged `parameters`; tag the one that sets them"
    )


def _comments(source: str) -> dict[int, str]:
    """The comments of a cell by line number."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = [token for token in tokens if token.type == tokenize.COMMENT]
    return {comment.start[0]: comment.string.lstrip("# ") for comment in comments}


def _is_declaration(node: ast.stmt) -> bool:
    """Whether a statement is of the form `name: type = value`."""
    annotated = isinstance(node, ast.AnnAssign) and node.value is not None
    return annotated and isinstance(node.target, ast.Name)


def _literal(node: ast.AnnAssign, notebook: str | Path) -> Any:
    try:
        return ast.literal_eval(node.value)
    except ValueError:
        raise UserError(
            f"{title(notebook)}: the value of parameter '{node.target.id}' is "
            "computed; write it out"
        ) from None


def _resolve(node: ast.expr) -> Any:
    """The type that an annotation writes, by the names of `_TYPES`; it is never executed."""
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
    raise UserError(
        f"'{ast.unparse(node)}' is no type for a parameter; use str, int, float, bool, "
        "list, dict, tuple, Literal or a union of them"
    )


def _refuse_unknown(names: Iterable[str], declared: Mapping[str, Any], notebook: str) -> None:
    for name in names:
        if name not in declared:
            nearest = difflib.get_close_matches(name, declared, n=1, cutoff=0)
            hint = "it has none"
            if nearest:
                hint = f"did you mean '{nearest[0]}'? It has {', '.join(declared)}"
            raise UserError(f"unknown parameter '{name}' of {notebook}: {hint}")


def _converted(name: str, kind: Any, value: Any, notebook: str) -> Any:
    """A value as the type `kind`. UserError, with the index of a wrong item, if it has another."""
    try:
        return pydantic.TypeAdapter(kind).validate_python(value, strict=True)
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        indices = [f"[{step}]" for step in first["loc"] if isinstance(step, int)]
        raise UserError(
            f"parameter '{name}' of {notebook} must be {_written(kind)}, but "
            f"{name}{''.join(indices)} is {first['input']!r}"
        ) from None


def _written(kind: Any) -> str:
    """A type as one writes it."""
    if isinstance(kind, type) and not isinstance(kind, types.GenericAlias):
        return kind.__name__
    return str(kind).replace("typing.", "")


def _parsed(parameter: Parameter, text: str, notebook: str) -> Any:
    """A text as the parameter's type, by the first reader that gives it; UserError if none does."""
    import yaml  # here, because only the command line reads text

    readings = []
    for reader in (json.loads, yaml.safe_load, str, _list_of_one):
        try:
            readings.append(reader(text))
            return _converted(parameter.name, parameter.kind, readings[-1], notebook)
        except (ValueError, yaml.YAMLError, UserError):
            continue
    return _converted(parameter.name, parameter.kind, readings[0], notebook)  # raises


def _list_of_one(text: str) -> list[str]:
    """A bare text as a list. ValueError for what YAML reads as a list, a mapping or nothing."""
    import yaml

    if isinstance(yaml.safe_load(text), list | dict | None):
        raise ValueError(f"{text} is no bare text")
    return [text]


def _is_variable(name: str, value: Any) -> bool:
    if name.startswith("_") or name in _IPYTHON:
        return False
    return not callable(value) and not isinstance(value, types.ModuleType)
