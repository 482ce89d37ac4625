"""Docstrings as Sphinx reads them: the library's are plain text with `code` in it.

    name, other: what they are        an item of a list; its lines after the first are indented
    `code`                            a literal
    >>> an example                    a doctest, as it is

Everything else is prose, in which *, | and _ mean nothing.
"""

import inspect
import re
from collections.abc import Iterator

ENTRY = re.compile(r"(?P<names>\*{0,2}\w+(, \*{0,2}\w+)*):(?: (?P<text>.*))?$")
CODE = re.compile(r'(`[^`]+`|"[^"\s]+")')  # also a value that is a string
INDENT = "    "


def restructured(app, kind: str, name: str, item, options, lines: list[str]) -> None:
    """Sphinx calls this with each docstring; `lines` become reStructuredText, in place."""
    parameters = _parameters(item) if kind in ("function", "method") else None
    new: list[str] = []
    for block in _blocks(lines):
        new += [*_block(block, parameters), ""]
    lines[:] = new


def _parameters(item) -> set[str] | None:
    """The names that a function takes; None where that cannot be told."""
    try:
        return set(inspect.signature(item).parameters)
    except (TypeError, ValueError):
        return None


def _blocks(lines: list[str]) -> Iterator[list[str]]:
    """Lines that belong together: a paragraph, a doctest, or an entry with its indented lines."""
    block: list[str] = []
    for line in lines:
        indented = line.startswith(" ")
        starts = not indented and (ENTRY.match(line) or (block and block[-1].startswith(" ")))
        if block and (not line.strip() or starts):
            yield block
            block = []
        if line.strip():
            block.append(line)
    if block:
        yield block


def _block(block: list[str], parameters: set[str] | None) -> list[str]:
    """reStructuredText of one block."""
    if block[0].startswith(">>>"):
        return block
    entry = ENTRY.match(block[0])
    if entry and _is_known(entry["names"], parameters):
        names = ", ".join(f"``{name}``" for name in entry["names"].split(", "))
        body = _text([entry["text"] or "", *block[1:]])
        first, *rest = body
        return [f"*   {names}: {first}", *(INDENT + line if line else "" for line in rest)]
    return _text(block)


def _is_known(names: str, parameters: set[str] | None) -> bool:
    """Whether these are names of parameters; a word before a colon in prose is none."""
    return parameters is None or {name.strip("*") for name in names.split(", ")} <= parameters


def _text(lines: list[str]) -> list[str]:
    """A paragraph, and a list below it of lines that are indented unevenly.

    An item begins at the smallest indent; deeper lines go on with it.
    """
    depths = [len(line) - len(line.lstrip()) for line in lines]
    smallest = min(filter(None, depths), default=0)
    if max(depths) == smallest:
        return [_escaped(" ".join(map(str.strip, lines)).strip())]
    head, items = [], []
    for line, depth in zip(lines, depths, strict=True):
        if depth == smallest:
            items.append([line])
        else:
            (items[-1] if items else head).append(line)
    listed = [f"*   {_escaped(' '.join(' '.join(item).split()))}" for item in items]
    return [_escaped(" ".join(head).strip()), "", *listed]


def _escaped(text: str) -> str:
    """Prose with its code as literals, and without what reStructuredText would read as markup."""
    parts = CODE.split(text)  # prose and code by turns
    parts[::2] = [re.sub(r"([*|_\\`])", r"\\\1", part) for part in parts[::2]]
    parts[1::2] = [f"``{part.strip('`')}``" for part in parts[1::2]]
    return "\\ ".join(part for part in parts if part)


def setup(app) -> dict:
    """What Sphinx asks an extension."""
    app.connect("autodoc-process-docstring", restructured)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
