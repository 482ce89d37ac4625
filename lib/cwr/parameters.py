"""Parameters of a notebook: read from its cell tagged `parameters`, and refused before anything slow starts."""
import ast
import difflib
import io
import json
import tokenize
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pydantic

from cwr.errors import UserError

_TYPES = {"str": str, "int": int, "float": float, "bool": bool, "list": list, "dict": dict, "tuple": tuple, "set": set,
          "None": None, "Literal": typing.Literal, "Any": Any}
_CHECKED = "_parameters_were_checked"       # set in a namespace by its first `check`
_IPYTHON = {"In", "Out", "get_ipython", "exit", "quit", "open"}


@dataclass(frozen=True)
class Parameter:
    """One line of a parameters cell: `name: type = default  # help`; `type` as it is written there."""
    name: str
    type: str
    default: Any
    help: str = ""

    @property
    def kind(self) -> Any:
        """The type itself."""
        return _resolve(ast.parse(self.type, mode="eval").body)


def read(notebook: str | Path) -> dict[str, Parameter]:
    """Declared parameters of a notebook by name, in their order. Nothing of the notebook is executed.

    Raises UserError when there is no cell tagged `parameters`, or a line of it is not `name: type = literal`.
    """
    source = _tagged_source(Path(notebook))
    comments = _comments(source)
    declared = {}
    for node in ast.parse(source).body:
        if not (isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None):
            raise UserError(f"{title(notebook)}: line {node.lineno} of the parameters cell is not of the form "
                            "`name: type = value`; write it so, or move it to a later cell")
        name = node.target.id
        try:
            default = ast.literal_eval(node.value)
        except ValueError:
            raise UserError(f"{title(notebook)}: the value of parameter '{name}' is computed; write it out") from None
        default = _converted(name, _resolve(node.annotation), default, title(notebook))
        declared[name] = Parameter(name, ast.unparse(node.annotation), default, comments.get(node.end_lineno, ""))
    return declared


def validate(notebook: str | Path, given: Mapping[str, Any]) -> dict[str, Any]:
    """The notebook's parameters with `given` in place of defaults: {name: value} for every declared name.

    Raises UserError for a name that the notebook does not declare (and names the nearest) and for a wrong type.
    """
    declared = read(notebook)
    _refuse_unknown(given, declared, title(notebook))
    return {name: _converted(name, parameter.kind, given[name], title(notebook)) if name in given
            else parameter.default for name, parameter in declared.items()}


def from_text(notebook: str | Path, given: Mapping[str, str]) -> dict[str, Any]:
    """Values typed on a command line, as what their parameters ask for: JSON or YAML first, then bare text.

    Of `given` alone, without defaults. One bare text stands for a list of one: `-p models minilm`.
    """
    declared = read(notebook)
    _refuse_unknown(given, declared, title(notebook))
    return {name: _parsed(declared[name], text, title(notebook)) for name, text in given.items()}


def check(namespace: dict[str, Any]) -> dict[str, Any]:
    """In a notebook's first cell after its parameters: `given = parameters.check(globals())`, {name: value}.

    Declared are the annotated names. papermill sets a mistyped name without a word; here every other public
    variable is refused as an unknown parameter, with the nearest declared one. Only the first check in a kernel can
    tell so: when the cell is run again, the variables of later cells are there too, and only types are checked.
    Raises UserError.
    """
    declared = dict(namespace.get("__annotations__", {}))
    if not namespace.get(_CHECKED):
        _refuse_unknown([name for name, value in namespace.items() if _is_variable(name, value)],
                        declared, "this notebook")
    values = {}
    for name, kind in declared.items():
        if name not in namespace:
            raise UserError(f"parameter '{name}' of this notebook has no value; give it one in the parameters cell")
        kind = _resolve(ast.parse(kind, mode="eval").body) if isinstance(kind, str) else kind
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
        raise UserError(f"there is no notebook {notebook}; `cwr list notebooks` shows those of the book") from None
    except (ValueError, KeyError, TypeError):
        raise UserError(f"{notebook} is not a Jupyter notebook (format 4); save it from JupyterLab") from None
    for cell in cells:
        if "parameters" in cell.get("metadata", {}).get("tags", []):
            return "".join(cell["source"])
    raise UserError(f"{title(notebook)} has no cell tagged `parameters`; tag the one that sets them")


def _comments(source: str) -> dict[int, str]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {token.start[0]: token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT}


def _resolve(node: ast.expr) -> Any:
    """The type that an annotation writes, out of a closed list of names: an annotation is never executed."""
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
            return typing.Union[_resolve(left), _resolve(right)]    # noqa: UP007  # None | None is no type
    raise UserError(f"'{ast.unparse(node)}' is no type for a parameter; use str, int, float, bool, list, dict, "
                    "tuple, Literal or a union of them")


def _refuse_unknown(given: typing.Iterable[str], declared: Mapping[str, Any], where: str) -> None:
    for name in given:
        if name not in declared:
            near = difflib.get_close_matches(name, declared, n=1, cutoff=0)
            meant = f"did you mean '{near[0]}'? It has {', '.join(declared)}" if near else "it has none"
            raise UserError(f"unknown parameter '{name}' of {where}: {meant}")


def _converted(name: str, kind: Any, value: Any, where: str) -> Any:
    try:
        return pydantic.TypeAdapter(kind).validate_python(value, strict=True)
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        place = "".join(f"[{step!r}]" for step in first["loc"] if isinstance(step, int))
        raise UserError(f"parameter '{name}' of {where} must be {_written(kind)}, but {name}{place} is "
                        f"{first['input']!r}") from None


def _written(kind: Any) -> str:
    return kind.__name__ if isinstance(kind, type) and not isinstance(kind, types.GenericAlias) else \
        str(kind).replace("typing.", "")


def _parsed(parameter: Parameter, text: str, where: str) -> Any:
    import yaml  # here, because only the command line reads text

    readings = []
    for reader in (json.loads, yaml.safe_load, str, lambda bare: [bare]):
        try:
            readings.append(reader(text))
            return _converted(parameter.name, parameter.kind, readings[-1], where)
        except (ValueError, yaml.YAMLError, UserError):
            continue
    return _converted(parameter.name, parameter.kind, readings[0], where)    # raises: shows the first reading


def _is_variable(name: str, value: Any) -> bool:
    return not (name.startswith("_") or name in _IPYTHON or callable(value) or isinstance(value, types.ModuleType))
