"""Reads a notebook's parameters, its cell tagged `parameters`, and checks them before slow steps.

`read`, `validate` and `from_text` take a notebook's file and execute nothing of it; `check` is
called in the notebook itself. A line of the cell is

    draws: int = 1000          # bootstrap replicates; at least 2
    pooling: str = "mean"      # of a word's pieces: mean | first | last

Its comment is for readers. It may go on in indented lines of comment below. These words in it are
checked:

    at least 2, at most 9, above 0, below 1    the value; of a list or dict the number of its entries
    one | another choice                       the value, or each entry, is one of these
    each at least 1, each 1 to 100             each entry of a list; also at most, above, below
    each once, ascending                       no entry repeats another; each is above the one before
    of NAME                                    the value, or each entry, is among those of another
                                               parameter; models are compared by `encoders.called`
    default: those of NAME                     as `of NAME`, and where NAME has another value than
                                               declared, the default is cut to what is among NAME's
    default: those of NAME, else all           the same, or all of NAME's where nothing would be left
    at most layers of NAME                     no layer above the depth of the shallowest of these
    each at most layers of NAME                models; a default list is cut to the layers they have
    with a tokenizer                           no model that reads words by their characters

A `seed` is at most 2147483647 in every notebook.

`of NAME` counts only between punctuation (`;,:()`), and where NAME is a parameter of the cell: "of
tuned models" is prose. Facts that need a model to be fetched first are not checked.
"""

import json
import types
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from cwr.errors import UserError, most_like
from cwr.parameters import relations as _relations
from cwr.parameters import values as _values
from cwr.parameters.cell import Parameter as Parameter
from cwr.parameters.cell import declarations as _declarations
from cwr.parameters.cell import read as read
from cwr.parameters.cell import title as title

_CHECKED = "_parameters_were_checked"  # set in a namespace by its first `check`
_IPYTHON = {"In", "Out", "get_ipython", "exit", "quit", "open"}


def validate(notebook: str | Path, given: Mapping[str, Any]) -> dict[str, Any]:
    """Checks given parameters of a notebook; returns {name: value} of all, defaults filled in.

    Defaults follow from other parameters where their comments say so.
    Raises UserError for a name that the notebook does not declare (and names the nearest) and for a
    value of a wrong type or ruled out by its comment.
    """
    declared = read(notebook)
    _refuse_unknown(given, declared, title(notebook))
    values = {}
    for name, parameter in declared.items():
        values[name] = parameter.default
        if name in given:
            values[name] = parameter.converted(given[name], title(notebook))
    return _relations.settled(declared, values, title(notebook))


def from_text(
    notebook: str | Path, given: Mapping[str, str], usual: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Converts values typed on a command line to their parameters' types; adds no defaults.

    Each text is read as JSON, else YAML, else bare text; one bare text stands for a list of one:
    `-p models minilm`. usual: the values of a profile; they are returned, too, and adapt to the
    typed values as defaults do.
    Raises UserError as `validate`.
    """
    name, declared = title(notebook), read(notebook)
    _refuse_unknown(given, declared, name)
    typed = {key: _parsed(declared[key], text, name) for key, text in given.items()}
    values = {**(usual or {}), **typed}
    defaults = {key: parameter.default for key, parameter in declared.items()} | dict(usual or {})
    declared = {key: replace(declared[key], default=defaults[key]) for key in declared}
    settled = _relations.settled(declared, defaults | values, name, typed)
    return {key: settled[key] for key in values}


def check(namespace: dict[str, Any]) -> dict[str, Any]:
    """Checks a notebook's parameters and returns them: `given = parameters.check(globals())`.

    Returns {name: value}. The annotated names of `namespace` are the declared ones; their defaults
    and comments are read from the cells that this kernel ran (IPython's `In`). A default that
    follows from another parameter gets its value in `namespace`, too. papermill sets a mistyped
    name without a word; here every other public variable is refused as an unknown parameter, with
    the nearest declared one. Only the first check in a kernel does so: when the cell is run again,
    the variables of later cells are there too, and only values are checked.
    Raises UserError for such a variable, a parameter without a value, and a value of a wrong type
    or ruled out by its comment.
    """
    annotations = namespace.get("__annotations__", {})
    if not namespace.get(_CHECKED):
        variables = [name for name, value in namespace.items() if _is_variable(name, value)]
        _refuse_unknown(variables, annotations, "this notebook")
    declarations = _declarations(namespace.get("In", []))
    declared, values = {}, {}
    for name, kind in annotations.items():
        if name not in namespace:
            raise UserError(
                f"parameter '{name}' of this notebook has no value; give it one in the "
                "parameters cell"
            )
        default, comment = declarations.get(name, (None, ""))
        declared[name] = Parameter(name, _values.written(kind), default, comment)
        values[name] = _converted(declared[name], namespace[name])
    values = _relations.settled(declared, values, "this notebook")
    namespace.update(values)
    namespace[_CHECKED] = True
    return values


def _converted(parameter: Parameter, value: Any) -> Any:
    """Converts a value of this notebook to its parameter's type.

    Raises UserError as `check`; for a text in place of a list it says how papermill takes lists.
    """
    try:
        return parameter.converted(value, "this notebook")
    except UserError as error:
        if not isinstance(value, str) or not parameter.type.startswith(("list", "dict")):
            raise
        written = value if value.startswith(("[", "{")) else f"[{value}]"
        raise UserError(
            f"{error}; papermill's -p gives a text: write -y '{parameter.name}: {written}'"
        ) from None


def _refuse_unknown(names: Iterable[str], declared: Mapping[str, Any], notebook: str) -> None:
    for name in names:
        if name not in declared:
            found, hint = most_like(name, declared, least=0), "it has none"
            if found:
                hint = f"did you mean '{found}'? It has {', '.join(declared)}"
            raise UserError(f"unknown parameter '{name}' of {notebook}: {hint}")


def _parsed(parameter: Parameter, text: str, notebook: str) -> Any:
    """Converts a text to the parameter's type: its JSON or YAML value, the text, or a list of it.

    Raises UserError if none of these is of that type.
    """
    said = _structure(text)
    _values.refuse_unwritable(parameter.name, said, notebook)
    readings = [said, text]
    if said is not None and not isinstance(said, list | dict):
        readings.append([text])
    for value in readings:
        try:
            value = _values.converted(parameter.name, parameter.type, value, notebook)
        except UserError:
            continue
        return parameter.converted(value, notebook)
    return parameter.converted(said, notebook)  # raises


def _structure(text: str) -> Any:
    """Returns the JSON value of a text, else its YAML value; the text itself if it is neither."""
    import yaml  # here, because only the command line reads text

    for reader in (json.loads, yaml.safe_load):
        try:
            return reader(text)
        except (ValueError, RecursionError, yaml.YAMLError):
            continue
    return text


def _is_variable(name: str, value: Any) -> bool:
    if name.startswith("_") or name in _IPYTHON:
        return False
    return not callable(value) and not isinstance(value, types.ModuleType)
