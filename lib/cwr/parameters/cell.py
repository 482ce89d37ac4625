"""Reads the parameters cell of a notebook's file as text; executes nothing of it."""

import ast
import io
import json
import re
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cwr.errors import UserError
from cwr.parameters import bounds, values


@dataclass(frozen=True)
class Parameter:
    """A line of a parameters cell, `name: type = default  # help`, with the type as text."""

    name: str
    type: str
    default: Any
    help: str = ""

    def converted(self, value: Any, notebook: str) -> Any:
        """Converts a value to this parameter's type. Raises UserError if it does not fit."""
        value = values.converted(self.name, self.type, value, notebook)
        bounds.refuse_outside(self.name, self.help, value, notebook)
        return value


def title(notebook: str | Path) -> str:
    """Returns a notebook's name in messages and commands, '<paper>/<NN_name>', from its path."""
    path = Path(notebook).absolute()
    return f"{path.parent.name}/{path.stem}"


def read(notebook: str | Path) -> dict[str, Parameter]:
    """Reads the declared parameters of a notebook: {name: Parameter}, in their order.

    Raises UserError when there is no cell tagged `parameters`, a line of it is not `name: type =
    literal`, or a default is of another type or out of the bounds in its comment.
    """
    name = title(notebook)
    source = _tagged_source(Path(notebook))
    lines = _lines(source, name)
    for node in ast.parse(source).body:
        if not _is_declaration(node):
            raise UserError(
                f"{name}: line {node.lineno} of the parameters cell is not of the form "
                "`name: type = value`; write it so, or move it to a later cell"
            )
    parameters = {}
    for node, comment in lines:
        parameter = Parameter(node.target.id, ast.unparse(node.annotation), None, comment)
        default = parameter.converted(_literal(node, name), name)
        parameters[parameter.name] = replace(parameter, default=default)
    return parameters


def declarations(cells: Iterable[str]) -> dict[str, tuple[Any, str]]:
    """Parses {parameter: (default, comment)} from sources of cells; the last declaration counts.

    A default that is computed, and not a literal, is None. A cell that is not Python is skipped.
    """
    found = {}
    for source in cells:
        try:
            lines = _lines(source, "this notebook")
        except UserError:  # a cell with a line that only IPython understands
            continue
        for node, comment in lines:
            found[node.target.id] = _literal_or_none(node), comment
    return found


def _tagged_source(notebook: Path) -> str:
    """Returns the code of the cell tagged `parameters`. Raises UserError if there is none."""
    try:
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        for cell in cells:
            if "parameters" in cell.get("metadata", {}).get("tags", []):
                return "".join(cell["source"])
    except FileNotFoundError:
        raise UserError(
            f"there is no notebook {notebook}; `cwr list notebooks` shows those of the book"
        ) from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UserError(
            f"{notebook} is not a Jupyter notebook (format 4); save it from JupyterLab"
        ) from None
    raise UserError(
        f"{title(notebook)} has no cell tagged `parameters`; tag the one that sets them"
    )


def _lines(source: str, notebook: str) -> list[tuple[ast.AnnAssign, str]]:
    """Returns the declarations of a cell, each with its comment.

    A comment stands on its lines, and goes on in indented lines below that hold nothing else.
    Raises UserError if the cell is not Python.
    """
    try:
        statements = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError) as error:  # ValueError: a null byte
        line = getattr(error, "lineno", None) or 1
        raise UserError(
            f"{notebook}: line {line} of the parameters cell is not Python (a bracket or a quote "
            "may be missing); mend it"
        ) from None
    declarations = filter(_is_declaration, statements)
    comments = _comments(source)
    return [(node, _comment_of(node, comments, source.splitlines())) for node in declarations]


def _comments(source: str) -> dict[int, str]:
    """Returns {line number: the comment on it}; source: Python."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {
        token.start[0]: token.string.lstrip("# ").rstrip()
        for token in tokens
        if token.type == tokenize.COMMENT
    }


def _comment_of(node: ast.stmt, comments: dict[int, str], lines: list[str]) -> str:
    """Returns the comment of a statement, on its lines and on indented lines of comment below."""
    last = node.end_lineno
    while last < len(lines) and re.match(r"\s+#", lines[last]):
        last += 1
    numbers = range(node.lineno, last + 1)
    return " ".join(comments[number] for number in numbers if number in comments)


def _is_declaration(node: ast.stmt) -> bool:
    """Tells whether a statement is of the form `name: type = value`."""
    annotated = isinstance(node, ast.AnnAssign) and node.value is not None
    return annotated and isinstance(node.target, ast.Name)


def _literal_or_none(node: ast.AnnAssign) -> Any:
    try:
        return _literal(node, "this notebook")
    except UserError:
        return None


def _literal(node: ast.AnnAssign, notebook: str) -> Any:
    try:
        return ast.literal_eval(node.value)
    except (ValueError, TypeError, RecursionError):
        raise UserError(
            f"{notebook}: the value of parameter '{node.target.id}' is computed; write it out"
        ) from None
