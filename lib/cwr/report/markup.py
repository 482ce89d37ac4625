"""Text in Markdown: shown as it is, as code, in the cells of a table.

A room of its own, so that a notebook that shows a table does not depend on how verdicts are told.
"""

import html
from collections.abc import Iterable, Sequence

MARKUP = "\\`*_$[]{}#<>&~"


def plain(text: str) -> str:
    """Plain text as Markdown that shows it."""
    for sign in MARKUP:
        text = text.replace(sign, f"\\{sign}")
    return text


def code(text: object) -> str:
    """Plain text in the type of code, as Markdown; backticks would end at a backtick in it."""
    return f"<code>{plain(str(text))}</code>"


def cell(text: str) -> str:
    """Text as the content of one cell of a Markdown table: a bar or a line break would end it."""
    return text.replace("|", "\\|").replace("\n", " ")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; cells may hold Markdown and HTML."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell(str(text)) for text in line)} |" for line in lines)


def fold(title: str, content: str) -> str:
    """Markdown that shows when its title, plain text, is clicked."""
    return f"<details><summary>{html.escape(title)}</summary>\n\n{content}\n\n</details>"
