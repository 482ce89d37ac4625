"""Escapes and arranges text in Markdown: plain, as code, in tables, in folds.

The module is separate so that a notebook with a table does not depend on the verdicts' code.
"""

import html
from collections.abc import Iterable, Sequence

MARKUP = "\\`*_$[]{}#<>&~"


def plain(text: str) -> str:
    """Escapes plain text, so that Markdown shows it unchanged."""
    for sign in MARKUP:
        text = text.replace(sign, f"\\{sign}")
    return text


def code(text: object) -> str:
    """Returns plain text as <code>, which unlike backticks may contain a backtick."""
    return f"<code>{plain(str(text))}</code>"


def cell(text: str) -> str:
    """Escapes bars and line breaks, which would end a cell of a Markdown table."""
    return text.replace("|", "\\|").replace("\n", " ")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Returns a Markdown table; cells may hold Markdown and HTML."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell(str(text)) for text in line)} |" for line in lines)


def fold(title: str, content: str) -> str:
    """Returns Markdown that shows when its title, plain text, is clicked."""
    return f"<details><summary>{html.escape(title)}</summary>\n\n{content}\n\n</details>"
