"""Checks a value against other parameters, and their models, that its parameter's comment names."""

import contextlib
import graphlib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from cwr.errors import UserError, hint
from cwr.parameters.bounds import as_code
from cwr.parameters.cell import Parameter

_OF = re.compile(
    r"(?:^|[;,:(])\s*(?P<follows>default: those |those |one )?of (?P<other>[a-z]\w*)"
    r"(?P<else_all>, else all)?\s*(?=[;,:)]|$)"
)
_LAYERS = re.compile(r"\b(each )?at most layers of ([a-z]\w*)\b")
_TOKENIZER = re.compile(r"\bwith a tokenizer\b")


@dataclass(frozen=True)
class Mention:
    """A mention `of NAME` in a parameter's comment, by itself or in `default: those of NAME`.

    other: NAME, another parameter. follows: whether the default is cut to entries of NAME's value.
        else_all: whether a default with no such entry becomes all of NAME's entries.
    """

    other: str
    follows: bool
    else_all: bool


def mentions_in(parameter: Parameter, declared: Mapping[str, Any]) -> list[Mention]:
    """Finds the mentions `of NAME` in a parameter's comment, where NAME is another parameter.

    declared: {name: parameter}; a NAME that is not among them is prose.

    A mention stands between punctuation (`;,:()`): "of tuned models" is prose.
    """
    return [
        Mention(
            found["other"],
            follows=(found["follows"] or "").startswith("default"),
            else_all=found["else_all"] is not None,
        )
        for found in _OF.finditer(parameter.help)
        if found["other"] in declared and found["other"] != parameter.name
    ]


def settled(
    declared: Mapping[str, Parameter],
    values: Mapping[str, Any],
    notebook: str,
    typed: Collection[str] = (),
) -> dict[str, Any]:
    """Cuts each default to the entries of the parameter that it follows; returns {name: value}.

    declared: {name: parameter}. values: {name: value} of all declared parameters, each of its type.
        typed: names whose values are no defaults, whatever they equal.
    Raises UserError for a value that is not among those of the parameter that its comment names, a
    value outside its own bounds, a layer that a model does not have, and a model without a
    tokenizer where one is needed.
    """
    values = dict(values)
    for name in _in_order(declared, notebook):
        parameter = declared[name]
        is_default = name not in typed and values[name] == parameter.default
        for word in mentions_in(parameter, declared):
            is_as_declared = values[word.other] == declared[word.other].default
            if word.follows and is_default:
                if is_as_declared:
                    continue
                values[name] = _followed(word, values[name], values[word.other])
            _refuse_other(parameter, word, values, notebook)
        values[name] = _refuse_or_cut_layers(parameter, values, notebook, is_default)
        _refuse_without_tokenizer(parameter, values[name], notebook)
        values[name] = parameter.converted(values[name], notebook)
    return values


def _in_order(declared: Mapping[str, Parameter], notebook: str) -> list[str]:
    """Returns the names, each after those that it depends on. Raises UserError for a circle."""
    needs = {}
    for name, parameter in declared.items():
        layered = {other for _, other in _LAYERS.findall(parameter.help) if other in declared}
        needs[name] = layered | {word.other for word in mentions_in(parameter, declared)}
    try:
        return list(graphlib.TopologicalSorter(needs).static_order())
    except graphlib.CycleError as error:
        circle = ", ".join(error.args[1][1:])
        raise UserError(
            f"the parameters {circle} of {notebook} say `of` each other in a circle; mend a comment"
        ) from None


def _followed(word: Mention, default: Any, other: Any) -> Any:
    """Returns a followed default: its entries among those of the other parameter, or all those."""
    named = {_key(entry) for entry in _entries(other)}
    kept = [entry for entry in _entries(default) if _key(entry) in named]
    if not kept and word.else_all and default:
        kept = _entries(other)
    if isinstance(default, list):
        return kept
    return kept[0] if kept else default


def _refuse_other(parameter: Parameter, word: Mention, values: dict, notebook: str) -> None:
    """Raises UserError for a value, or an entry, that is none of the other parameter's."""
    allowed = {_key(entry): entry for entry in _entries(values[word.other])}
    for number, entry in enumerate(_entries(values[parameter.name])):
        if _key(entry) not in allowed:
            place = _place(parameter.name, number, values[parameter.name])
            texts = [str(text) for text in (*allowed, *allowed.values())]
            among = hint(str(entry), list(dict.fromkeys(texts)))
            among = among if allowed else "it has none"
            raise UserError(
                f"parameter '{parameter.name}' of {notebook} must be of `{word.other}`, but "
                f"{place} is {as_code(entry)}: {among}"
            )


def _refuse_or_cut_layers(
    parameter: Parameter, values: dict, notebook: str, is_default: bool
) -> Any:
    """Returns a value of layers; a default list is cut to the layers that all models have.

    Raises UserError for a layer above the depth of the shallowest model.
    """
    value = values[parameter.name]
    for is_of_each, other in _LAYERS.findall(parameter.help):
        depths = _depths(values[other]) if other in values else {}
        if not depths or value is None:
            continue
        shallowest = min(depths, key=depths.get)
        entries = _entries(value) if is_of_each else [value]
        if is_default and isinstance(value, list):
            entries = value = [layer for layer in value if layer <= depths[shallowest]]
        for number, layer in enumerate(entries):
            if layer > depths[shallowest]:
                place = _place(parameter.name, number, value)
                raise UserError(
                    f"parameter '{parameter.name}' of {notebook} must be at most "
                    f"{depths[shallowest]}, the layers of {shallowest}, but {place} is {layer}"
                )
    return value


def _depths(names: Any) -> dict[str, int]:
    """Returns {model's name in results: its layers} of models whose configuration is at hand."""
    from cwr.encoders import at_hand, called

    found = {}
    for name in _entries(names):
        with contextlib.suppress(UserError):  # whether there is such a model is asked elsewhere
            found[called(name)] = at_hand.depth(name)
    return {name: depth for name, depth in found.items() if depth is not None}


def _refuse_without_tokenizer(parameter: Parameter, value: Any, notebook: str) -> None:
    """Raises UserError for a model that reads words by their characters where pieces are needed."""
    if not _TOKENIZER.search(parameter.help):
        return
    from cwr.encoders import at_hand, called

    for number, name in enumerate(_entries(value)):
        if not at_hand.has_tokenizer(name):
            place = _place(parameter.name, number, value)
            raise UserError(
                f"parameter '{parameter.name}' of {notebook} takes models with a tokenizer, but "
                f"{place} is {called(name)}, which reads words by their characters"
            )


def _entries(value: Any) -> list:
    """Returns the entries of a list, the keys of a dict, or one value; None and "" have none."""
    if isinstance(value, list | tuple | dict | set):
        return list(value)
    return [] if value in (None, "") else [value]


def _key(entry: Any) -> Any:
    """Returns what entries are compared by: of models the name in results, else the entry."""
    from cwr.encoders import called  # not at the top: the lists of a notebook may name no models

    try:
        return called(entry) if isinstance(entry, str) else repr(entry)
    except UserError:  # no name of a model
        return entry


def _place(name: str, number: int, value: Any) -> str:
    return f"{name}[{number}]" if isinstance(value, list | tuple) else name
