"""The page "The printed numbers, checked": every recomputed number of the five texts, with a permanent address."""
from dataclasses import dataclass
from pathlib import Path

from cwr.papers import registry
from cwr.papers.checks import Check, Found
from cwr.report import render
from cwr.report.render import AGREES, DIFFERS, REMARK, counted

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
    text = registry.paper(paper)
    published = text.published()
    return [_row(paper, check, check.find(published), replies) for check in text.checks]


def _row(paper: str, check: Check, found: Found, replies: Path | None) -> Row:
    file = replies / paper / f"{check.id}.md" if replies else None
    reply = file.read_text(encoding="utf8") if file and file.exists() else ""
    return Row(paper, check, found, WITHDRAWN if check.withdrawn else REPLIED if reply else OPEN, reply)


def markdown(rows: list[Row]) -> str:
    """Rows as a table: what was checked, what is printed, what it should be, how we know."""
    head = ["checked", "printed", "recomputed", "how we know"]
    return render.table(head, map(_line, rows))


def _line(row: Row) -> list[str]:
    check = row.check
    fair = f"<br>*A fair reading:* {_text(check.charitable)}" if check.charitable else ""
    return [
        f"`{check.id}` {_text(check.asks)} ({_text(check.place)})",
        ("" if check.stated == "Printed" else f"*{check.stated}:* ") + _text(row.found.printed),
        f"**{verdict(row)}.** {_text(row.found.should_be)}{_copy(check)}",
        f"{_text(check.how)} ({_text(check.sure)}){fair}",
    ]


def _copy(check: Check) -> str:
    """What stands beside a difference that rests on our copy of the text alone."""
    return " (*this rests on our text copy of the paper alone*)" if check.from_copy else ""


def verdict(row: Row) -> str:
    """What became of a check, in a word or three."""
    if row.check.withdrawn:
        return WITHDRAWN
    if row.check.remark:
        return REMARK
    return AGREES if row.found.agrees else DIFFERS


def counts(paper: str) -> str:
    """How many checks of a paper agree, differ or are remarks, for a sentence."""
    return counted(map(verdict, rows(paper)), (AGREES, DIFFERS, REMARK))


def show(paper: str):
    """The checks of one paper as a notebook's output."""
    from IPython.display import Markdown  # here, so that numbers are checked without Jupyter too

    return Markdown(markdown(rows(paper)))


OPENING = """# The printed numbers, checked

What a paper prints can often be recomputed from what else it prints, or from the data released with it. This page lists
every such check of the five texts, those that differ first: {total} checks ({counts}). Most checks stand
for many numbers (a table's averages are one check), and a difference mostly has a fair reading, which stands beside it.
A *remark* is no difference of the print: a rule of thumb of ours, another group's script, or a number that is nowhere
printed. Where a difference rests on our text copy of a paper alone (a sign, an underline), its row says so.
These are good papers, and it is because their tables, code and data are open that anything can be checked at all.
Generated when the book was built: the numbers below are computed, none is typed.

A row has a permanent address (its identifier in the link) and a state: *open*, *author replied* (the reply stands
beside the row, verbatim), or *withdrawn by us* (the row stays, with the reason). {{doc}}`contributing` says how to
reply.
"""


def page(replies: Path | None = None) -> str:
    """The page in MyST Markdown. replies: the folder of replies."""
    papers = {paper: rows(paper.key, replies) for paper in registry.PAPERS}
    words = [verdict(row) for of_paper in papers.values() for row in of_paper]
    states = (AGREES, DIFFERS, REMARK, WITHDRAWN)
    summary = [[paper.title, str(len(of_paper)), *_counts(of_paper, states)] for paper, of_paper in papers.items()]
    head = ["text", "checks", "agree", "differ", "remarks", "withdrawn"]
    sections = [OPENING.format(total=len(words), counts=counted(words, states[:3])), render.filtered(head, summary)]
    for paper, of_paper in papers.items():
        ranked = sorted(of_paper, key=lambda row: (DIFFERS, REMARK, WITHDRAWN, AGREES).index(verdict(row)))
        sections += [f"## {paper.title}\n", *map(_card, ranked)]
    return "\n".join(sections)


def _counts(rows: list[Row], states: tuple[str, ...]) -> list[str]:
    words = [verdict(row) for row in rows]
    return [str(words.count(state)) for state in states]


def _card(row: Row) -> str:
    """One row, with its address: what is printed, what it should be, how we know, how sure, the charitable reading."""
    check = row.check
    fields = {
        check.stated: _text(row.found.printed),
        "Recomputed": f"**{verdict(row)}.** {_text(row.found.should_be)}{_copy(check)}",
        "How we know": _text(check.how),
        "How sure": _text(check.sure),
        "A fair reading": _text(check.charitable),
        "Withdrawn": _text(check.withdrawn),
    }
    lines = [f"- *{name}.* {text}" for name, text in fields.items() if text]
    reply = [f"\n**The author's reply:**\n\n{_quoted(row.reply)}\n"] if row.reply else []
    place = _text(check.place)
    title = f"**{_text(check.asks)}** {place[:1].upper()}{place[1:]}. [`{check.id}`](#{check.id}), {row.state}.\n"
    return "\n".join([f"({check.id})=", title, *lines, *reply, ""])


def _quoted(reply: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in reply.strip().splitlines())


def _text(text: str) -> str:
    """Plain text as Markdown that shows it."""
    for sign in "\\`*_$[]{}#<>":
        text = text.replace(sign, f"\\{sign}")
    return text
