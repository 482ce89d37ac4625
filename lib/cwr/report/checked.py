"""The page "The printed numbers, checked": every recomputed number of the five texts, with a permanent address."""
import importlib
from dataclasses import dataclass
from pathlib import Path

from cwr.papers.checks import Check, Found
from cwr.report import AGREES, DIFFERS, counted

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
        c, fair = row.check, f"<br>*A fair reading:* {_cell(row.check.charitable)}" if row.check.charitable else ""
        lines.append(f"| `{c.id}` {_cell(c.asks)} ({_cell(c.place)}) | {_cell(row.found.printed)} "
                     f"| **{verdict(row)}.** {_cell(row.found.should_be)} | {_cell(c.how)} ({_cell(c.sure)}){fair} |")
    return "\n".join(lines)


def verdict(row: Row) -> str:
    """What became of a check, in a word or three."""
    return WITHDRAWN if row.check.withdrawn else AGREES if row.found.agrees else DIFFERS


def show(paper: str):
    """The checks of one paper as a notebook's output."""
    from IPython.display import Markdown  # here, so that numbers are checked without Jupyter too

    return Markdown(markdown(rows(paper)))


OPENING = """# The printed numbers, checked

What a paper prints can often be recomputed from what else it prints, or from the data released with it. This page lists
every such check of the five texts, those that differ first: {total} checks ({counts}). Most checks stand
for many numbers (a table's averages are one check), and a difference mostly has a fair reading, which stands beside it.
These are good papers, and it is because their tables, code and data are open that anything can be checked at all.
Generated when the book was built: the numbers below are computed, none is typed.

A row has a permanent address (its identifier in the link) and a state: *open*, *author replied* (the reply stands
beside the row, verbatim), or *withdrawn by us* (the row stays, with the reason). {{doc}}`contributing` says how to
reply.
"""


def page(papers: dict[str, str], replies: Path | None = None) -> str:
    """The page in MyST Markdown. papers: {paper: title}, in the book's order; replies: the folder of replies."""
    every = {paper: rows(paper, replies) for paper in papers}
    words = [verdict(row) for its in every.values() for row in its]
    every_count = counted(words, (AGREES, DIFFERS))
    parts = [OPENING.format(total=len(words), counts=every_count), "```{table}\n:class: filtered\n",
             "| text | checks | agree | differ | withdrawn |", "|---|---|---|---|---|"]
    for paper, its in every.items():
        counts = [sum(verdict(row) == word for row in its) for word in (AGREES, DIFFERS, WITHDRAWN)]
        parts.append(f"| {papers[paper]} | {len(its)} | " + " | ".join(map(str, counts)) + " |")
    parts.append("```\n")
    for paper, its in every.items():
        parts += [f"## {papers[paper]}\n", *(_card(row) for row in sorted(its, key=lambda row: row.found.agrees))]
    return "\n".join(parts)


def _card(row: Row) -> str:
    """One row, with its address: what is printed, what it should be, how we know, how sure, the charitable reading."""
    c = row.check
    fields = {"Printed": row.found.printed, "Recomputed": f"**{verdict(row)}.** {_text(row.found.should_be)}",
              "How we know": c.how, "How sure": c.sure, "A fair reading": c.charitable, "Withdrawn": c.withdrawn}
    lines = [f"- *{name}.* {text if name == 'Recomputed' else _text(text)}" for name, text in fields.items() if text]
    reply = [f"\n**The author's reply:**\n\n{_quoted(row.reply)}\n"] if row.reply else []
    return "\n".join([f"({c.id})=", f"**{_text(c.asks)}** {_text(c.place)[:1].upper()}{_text(c.place)[1:]}. "
                      f"[`{c.id}`](#{c.id}), {row.state}.\n", *lines, *reply, ""])


def _quoted(reply: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in reply.strip().splitlines())


def _text(text: str) -> str:
    """Plain text as Markdown that shows it."""
    for sign in "\\`*_$[]{}#<>":
        text = text.replace(sign, f"\\{sign}")
    return text


def _cell(text: str) -> str:
    return _text(text).replace("|", "\\|").replace("\n", " ")
