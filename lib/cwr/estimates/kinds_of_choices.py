"""Choices behind a chapter's numbers, in kinds: "ties: half is not enough" is of the kind "ties"."""

from collections.abc import Collection, Iterable, Mapping
from typing import TypeVar

from cwr.errors import UserError, hint, quoted

Choice = TypeVar("Choice")


def kinds(choices: Iterable[str]) -> tuple[str, ...]:
    """The kinds of choices "kind: choice", each once, in their order."""
    return tuple(dict.fromkeys(name.split(":")[0] for name in choices))


def of_kinds(choices: Mapping[str, Choice], wanted: Collection[str]) -> dict[str, Choice]:
    """The choices of these kinds, in their own order. Raises UserError for another kind."""
    known = kinds(choices)
    for kind in wanted:
        if kind not in known:
            raise UserError(f"{quoted(kind)} is no kind of choice: {hint(kind, known)}")
    return {name: choice for name, choice in choices.items() if name.split(":")[0] in wanted}
