"""The one skeleton of the pages that stand alone: a rerun, a chapter of a reader's model, the
taste.
"""
import html
from collections.abc import Iterable, Sequence
from pathlib import Path
from string import Template

SKELETON = Path(__file__).parent / "templates" / "page.html"


def document(title: str, body: str, style: str = "", head: str = "") -> str:
    """A whole HTML page. title: plain text; body: HTML; style: further CSS; head: further HTML of
    the head.
    """
    template = Template(SKELETON.read_text(encoding="utf-8"))
    return template.substitute(title=html.escape(title), body=body, style=style, head=head)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table that scrolls by itself. head: plain text; rows: cells of HTML."""
    titles = "".join(f"<th>{html.escape(title)}</th>" for title in head)
    lines = "\n".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{titles}</tr></thead>\n<tbody>{lines}</tbody></table></div>'
