"""The page "The printed numbers, checked": every recomputed number of the five texts, with a permanent address."""
import html
import importlib
from dataclasses import dataclass
from pathlib import Path

from IPython.display import Markdown

from cwr.papers.checks import Check, Found

OPEN, REPLIED, WITHDRAWN = "open", "author replied", "withdrawn by us"


@dataclass(frozen=True)
class Row:
    """One row of the page: the check, what came out, its state, and the author's reply, verbatim (empty: none)."""
    paper: str
    check: Check
    found: Found
    state: str
    reply: str = ""


def rows(paper: str, replies: Path | None = None) -> list[Row]:
    """All checks of one paper. replies: the folder of replies, <paper>/<check id>.md."""
    module = importlib.import_module(f"cwr.papers.{paper}")
    table = module.published()
    return [_row(paper, check, check.find(table), replies) for check in module.CHECKS]


def _row(paper: str, check: Check, found: Found, replies: Path | None) -> Row:
    file = replies / paper / f"{check.id}.md" if replies else None
    reply = file.read_text(encoding="utf8") if file and file.exists() else ""
    return Row(paper, check, found, WITHDRAWN if check.withdrawn else REPLIED if reply else OPEN, reply)


def markdown(rows: list[Row]) -> str:
    """Rows as a table: what was checked, what is printed, what it should be, how we know."""
    lines = ["| checked | printed | recomputed | how we know |", "|---|---|---|---|"]
    for row in rows:
        c, verdict = row.check, "agrees" if row.found.agrees else "differs"
        reading = f"<br>*A fair reading:* {html.escape(c.charitable)}" if c.charitable else ""
        lines.append(f"| `{c.id}` {html.escape(c.asks)} ({html.escape(c.place)}) | {html.escape(row.found.printed)} "
                     f"| **{verdict}.** {html.escape(row.found.should_be)} "
                     f"| {html.escape(c.how)} ({html.escape(c.sure)}){reading} |")
    return "\n".join(lines)


def show(paper: str) -> Markdown:
    """The checks of one paper as a notebook's output."""
    return Markdown(markdown(rows(paper)))
