"""Builds the page "The printed numbers, checked", where each recomputed number has its address."""

from dataclasses import dataclass
from pathlib import Path

from cwr.papers import registry
from cwr.papers.checks import Check, Found
from cwr.report import markup
from cwr.report.markup import plain
from cwr.report.render import AGREES, DIFFERS, REMARK, begun, counted, sentence

OPEN, REPLIED, WITHDRAWN = "open", "author replied", "withdrawn by us"
COUNTED = (AGREES, DIFFERS, REMARK)
FIRST_ON_PAGE = (DIFFERS, REMARK, WITHDRAWN, AGREES)


@dataclass(frozen=True)
class Row:
    """One check of a paper's printed numbers, with its result.

    paper: the paper's key. check: the question. found: the result.
    state: OPEN, REPLIED or WITHDRAWN. reply: the author's words, verbatim; empty if there are none.
    """

    paper: str
    check: Check
    found: Found
    state: str
    reply: str = ""


def rows(paper: str, replies: Path | None = None) -> list[Row]:
    """Runs all checks of one paper; returns a row for each check.

    replies: the folder of authors' replies, <paper>/<check id>.md. Raises KeyError for an unknown
        key.
    """
    text = registry.paper(paper)
    published = text.published()
    return [_row(paper, check, check.find(published), replies) for check in text.checks]


def _row(paper: str, check: Check, found: Found, replies: Path | None) -> Row:
    reply = _reply(replies / paper / f"{check.id}.md") if replies else ""
    state = REPLIED if reply else OPEN
    return Row(paper, check, found, WITHDRAWN if check.withdrawn else state, reply)


def _reply(file: Path) -> str:
    """Reads the author's reply from a file; returns "" if the file does not exist."""
    return file.read_text(encoding="utf8") if file.exists() else ""


def markdown(rows: list[Row]) -> str:
    """Returns a Markdown table of rows: question, printed and recomputed values, evidence."""
    head = ["checked", "printed", "recomputed", "how we know"]
    return markup.table(head, map(_line, rows))


def _line(row: Row) -> list[str]:
    check = row.check
    stated = "" if check.stated == "Printed" else f"*{check.stated}:* "
    fair = f"<br>*A fair reading:* {plain(check.charitable)}" if check.charitable else ""
    return [
        f"`{check.id}` {plain(check.asks)} ({plain(check.place)})",
        stated + plain(row.found.printed),
        _recomputed(row),
        f"{plain(sentence(begun(check.how)))} *How sure:* {plain(sentence(check.sure))}{fair}",
    ]


def _recomputed(row: Row) -> str:
    """Returns a check's verdict, the recomputed number, and a note where our copy decides."""
    should_be = plain(sentence(begun(row.found.should_be)))
    note = " (*This check rests on our text copy of the paper alone.*)" * row.check.from_copy
    return f"**{verdict(row)}.** {should_be}{note}"


def verdict(row: Row) -> str:
    """Returns the state of a check: "agrees", "differs", "remark" or "withdrawn by us"."""
    if row.check.withdrawn:
        return WITHDRAWN
    if row.check.remark:
        return REMARK
    return AGREES if row.found.agrees else DIFFERS


def counts(paper: str) -> str:
    """Returns how many checks of a paper agree, differ or are remarks, as part of a sentence."""
    return counted(map(verdict, rows(paper)), COUNTED)


def show(paper: str):
    """Returns the checks of one paper as a notebook's output (IPython Markdown)."""
    from IPython.display import Markdown  # not at the top: numbers are checked without Jupyter too

    return Markdown(markdown(rows(paper)))


OPENING = """# The printed numbers, checked

A printed number can often be recomputed from other numbers of the paper, or from the released data.
This page lists {total} such checks of the five texts ({counts}); checks that differ come first. Most
checks cover many numbers: the averages of a table are one check. A fair reading stands beside most
differences. A *remark* is no difference: it is about a rule of thumb of ours, another group's script,
or a number that is nowhere printed. Some checks (of a sign, of an underline) rest on our text copy of a
paper alone, and their rows say so.
These are good papers. They can be checked only because their tables, code and data are open.
The numbers below were computed when the book was built.

A row has a permanent address (its identifier in the link) and a state: *open*, *author replied*
(the reply stands beside the row, verbatim), or *withdrawn by us* (the row stays, with the reason).
{{doc}}`contributing` says how to reply.
"""


def page(replies: Path | None = None) -> str:
    """Returns the page "The printed numbers, checked" in MyST Markdown.

    replies: the folder of authors' replies, as in `rows`; None: no reply is shown.
    """
    papers = {paper: rows(paper.key, replies) for paper in registry.PAPERS}
    words = [verdict(row) for checks in papers.values() for row in checks]
    sections = [
        OPENING.format(total=len(words), counts=counted(words, COUNTED)),
        _summary(papers),
    ]
    for paper, checks in papers.items():
        ranked = sorted(checks, key=lambda row: FIRST_ON_PAGE.index(verdict(row)))
        sections += [f"## {paper.title}\n", *map(_card, ranked)]
    return "\n".join(sections)


def _summary(papers: dict[registry.Paper, list[Row]]) -> str:
    """Returns a table of counts, a row for each text."""
    head = ["text", "checks", "agree", "differ", "remarks", "withdrawn"]
    cells = []
    for paper, checks in papers.items():
        words = [verdict(row) for row in checks]
        counts = [words.count(state) for state in (*COUNTED, WITHDRAWN)]
        cells.append([paper.title, str(len(checks)), *map(str, counts)])
    return markup.table(head, cells) + "\n"


def _card(row: Row) -> str:
    """Returns one row under its address: question, numbers, evidence and fair reading."""
    check = row.check
    fields = {
        check.stated: plain(row.found.printed),
        "Recomputed": _recomputed(row),
        "How we know": plain(sentence(begun(check.how))),
        "How sure": plain(sentence(begun(check.sure))),
        "A fair reading": plain(check.charitable),
        "Withdrawn": plain(check.withdrawn),
    }
    position = plain(check.place)
    position = position[:1].upper() + position[1:]
    title = f"**{plain(check.asks)}** {position}. [`{check.id}`](#{check.id}), {row.state}.\n"
    lines = [f"- *{name}.* {text}" for name, text in fields.items() if text]
    if row.reply:
        lines.append(f"\n**The author's reply:**\n\n{_quoted(row.reply)}\n")
    return "\n".join([f"({check.id})=", title, *lines, ""])


def _quoted(reply: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in reply.strip().splitlines())
