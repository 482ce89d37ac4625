"""Checks a value against the bounds and choices in its parameter's comment."""

import operator
import re
from collections.abc import Iterator
from typing import Any

from cwr.errors import LONGEST, UserError

_COMPARISONS = {
    "at least": operator.ge,
    "at most": operator.le,
    "above": operator.gt,
    "below": operator.lt,
}
_NUMBER = r"(-?\d+(?:\.\d+)?)\b"
_BOUND = re.compile(rf"\b(each )?({'|'.join(_COMPARISONS)}) {_NUMBER}")
_RANGE = re.compile(rf"\beach {_NUMBER} to {_NUMBER}")
_CHOICES = re.compile(r"[^|:;,()]+(?:\|[^|:;,()]+)+")
_ONCE = re.compile(r"\beach once\b")
_ASCENDING = re.compile(r"\bascending\b")
# What holds of a name in every notebook. Seeds: NumPy takes 32 bits, and others are made by adding.
_ALWAYS = {"seed": "at most 2147483647"}


def refuse_outside(name: str, comment: str, value: Any, notebook: str) -> None:
    """Raises UserError for a value outside the bounds or choices in its parameter's comment.

    name, comment: the parameter's (`cwr.parameters` explains comments). notebook: names it in
        errors. None is never refused.
    """
    if value is None:
        return
    for says, found in _faults(name, f"{comment}; {_ALWAYS.get(name, '')}", value):
        raise UserError(f"parameter '{name}' of {notebook} must {says}, but {found}")


def _faults(name: str, comment: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yields what a value must be or have, and what it is, for each word that it breaks."""
    entries = value if isinstance(value, list | tuple) else []
    for is_of_each, words, limit in _limits(comment):
        if is_of_each:
            for number, entry in enumerate(entries):
                if not _COMPARISONS[words](entry, float(limit)):
                    yield f"have entries {words} {limit}", f"{name}[{number}] is {as_code(entry)}"
        elif not _COMPARISONS[words](_size(value), float(limit)):
            counted = f"have {words} {limit} {'entry' if limit == '1' else 'entries'}"
            says = counted if isinstance(value, list | dict) else f"be {words} {limit}"
            yield says, f"{name} is {as_code(value)}"
    yield from _unchosen(name, choices(comment), value)
    yield from _misplaced(name, comment, entries)


def _limits(comment: str) -> Iterator[tuple[str, str, str]]:
    """Yields the limits in a comment: "each " or "", a comparison in words, and its number."""
    yield from _BOUND.findall(comment)
    for low, high in _RANGE.findall(comment):
        yield "each ", "at least", low
        yield "each ", "at most", high


def _size(value: Any) -> Any:
    """Returns what a bound is about: the number of entries of a list or dict, else the value."""
    return len(value) if isinstance(value, list | dict) else value


def choices(comment: str) -> list[str]:
    """Parses the choices that a comment lists as `one | another`; [] if it lists none."""
    found = _CHOICES.search(comment)
    return [choice.strip() for choice in found[0].split("|")] if found else []


def _unchosen(name: str, allowed: list[str], value: Any) -> Iterator[tuple[str, str]]:
    """Yields a fault for each entry of a list, or any other value, that is none of the choices."""
    if not allowed:
        return
    said = f"{', '.join(allowed[:-1])} or {allowed[-1]}"
    if not isinstance(value, list):
        if value not in allowed:
            yield f"be {said}", f"{name} is {as_code(value)}"
        return
    for number, entry in enumerate(value):
        if entry not in allowed:
            yield f"have the entries {said}", f"{name}[{number}] is {as_code(entry)}"


def _misplaced(name: str, comment: str, entries: list) -> Iterator[tuple[str, str]]:
    """Yields a fault for each entry that repeats another or, if they must ascend, does not."""
    for number, entry in enumerate(entries):
        place = f"{name}[{number}]"
        if _ONCE.search(comment) and entry in entries[:number]:
            yield "have each entry once", f"{place} is {as_code(entry)} again"
        if number and _ASCENDING.search(comment) and not entry > entries[number - 1]:
            yield (
                "have ascending entries",
                f"{place} is {as_code(entry)} after {as_code(entries[number - 1])}",
            )


def as_code(value: Any) -> str:
    """Formats a value as code on one line, cut at LONGEST characters."""
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
