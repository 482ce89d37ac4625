"""Builds HTML pages outside the book: a chapter of a reader's reruns, and the taste."""

import html
from collections.abc import Iterable, Sequence
from pathlib import Path
from string import Template

from cwr.papers.claims import Claim
from cwr.report import render

SKELETON = Path(__file__).parent / "templates" / "page.html"
Line = tuple[str, list[str]]  # a verdict, and the cells of its row as HTML


def document(title: str, body: str, head: str = "") -> str:
    """Returns a whole HTML page. title: plain text; body: HTML; head: further HTML of the head."""
    template = Template(SKELETON.read_text(encoding="utf-8"))
    return template.substitute(title=html.escape(title), body=body, head=head)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Returns a table that scrolls by itself. head: plain text; rows: cells of HTML."""
    titles = "".join(f"<th>{html.escape(title)}</th>" for title in head)
    lines = "\n".join(
        "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows
    )
    # the focus lets a reader without a mouse scroll
    return (
        f'<div class="scroll" tabindex="0"><table><thead><tr>{titles}</tr></thead>\n'
        f"<tbody>{lines}</tbody></table></div>"
    )


def by_verdict(
    head: Sequence[str], lines: Sequence[Line], order: Sequence[str], unfolded: Sequence[str]
) -> str:
    """Returns a folded table for each verdict, below a line that counts its rows.

    head: the titles of the columns. lines: (verdict, cells of the row). order: the verdicts in the
        order of their tables, any others last. unfolded: the verdicts whose tables are open.
    """
    tables = []
    for verdict in dict.fromkeys([*order, *(word for word, _ in lines)]):
        rows = [cells for word, cells in lines if word == verdict]
        if rows:
            title = f"{render.badge(verdict)}: {len(rows)}"
            tables.append(fold(title, table(head, rows), is_open=verdict in unfolded))
    return "\n".join(tables)


def fold(title: str, content: str, is_open: bool = False) -> str:
    """Returns HTML that unfolds when its title, also HTML, is clicked."""
    state = " open" if is_open else ""
    return f"<details{state}><summary>{title}</summary>{content}</details>"


def statement(claim: Claim) -> str:
    """Returns a claim as HTML for a cell: its words, place, reading and, folded, the reasons."""
    source = f"<small>{html.escape(claim.place)}, <code>{html.escape(claim.id)}</code></small>"
    return f"{html.escape(claim.says)}<br>{source}{render.explained(claim)}"
