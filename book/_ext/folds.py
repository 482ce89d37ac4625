"""Folds of a notebook's page: how to run it, how it was measured, and what few readers need.

A notebook keeps its order; only its page in the book folds. Without scripts a fold opens by hand.
In sight are the answer, PICTURES pictures, a table a section, and the text between them. A page
without verdicts is a lesson, whose sections stay open.
"""

import re

from docutils import nodes

COMPUTED = re.compile(r"\w+/\d\d_\w+$")  # the page of a notebook
ROWS, CHARACTERS = 12, 1500  # of a table in sight: rows of sentences are fewer
PICTURES = 3
KEPT = re.compile(
    "The (claim|question|definition|verdict)|What (differs|to make)|Which verdicts|Try this|Before you"
)


def fold(app, doctree, docname) -> None:
    """Sphinx calls this for each page that is complete."""
    if not COMPUTED.match(docname):
        return
    title = next(doctree.findall(nodes.section))
    is_lesson = not any("tag_verdicts" in cell["classes"] for cell in cells(doctree))
    in_sight = len([child for child in title if isinstance(child, nodes.figure)])
    for section in [child for child in title if isinstance(child, nodes.section)]:
        pictures = len(list(section.findall(nodes.image)))
        is_kept = is_live(section) or is_lesson or KEPT.match(section[0].astext())
        if not is_kept and (not pictures or in_sight + pictures > PICTURES):
            fold_section(section)
        else:
            in_sight += pictures
        shorten(section, with_cells=bool(pictures) and not is_lesson)
    fold_needs(doctree, docname)


def cells(node: nodes.Element) -> list[nodes.container]:
    """The code cells of a notebook, with what they print."""
    return [each for each in node.findall(nodes.container) if "cell" in each["classes"]]


def is_live(node: nodes.Element) -> bool:
    """Whether a reader can move something there: that is never folded."""
    return any('class="live' in raw.astext() for raw in node.findall(nodes.raw))


def folded(content: list[nodes.Node], title: str, kind: str) -> list[nodes.Node]:
    """These nodes between the tags of a fold whose line is `title`, HTML."""
    begin = f'<details class="fold {kind}"><summary>{title}</summary>'
    tags = [nodes.raw("", tag, format="html") for tag in (begin, "</details>")]
    return [tags[0], *content, tags[1]]


def replace(old: list[nodes.Node], new: list[nodes.Node]) -> None:
    """Put nodes in the place of siblings that follow one another."""
    parent, start = old[0].parent, old[0].parent.index(old[0])
    parent[start : start + len(old)] = new


def is_folded(node: nodes.Node) -> bool:
    """Whether a fold, of this module or of the page's own, is open before a node."""
    while node.parent is not None:
        before = node.parent[: node.parent.index(node)]
        tags = "".join(each.astext() for each in before if isinstance(each, nodes.raw))
        if tags.count("<details") > tags.count("</details>"):
            return True
        node = node.parent
    return False


def fold_needs(doctree, docname: str) -> None:
    """Fold what a notebook begins with: its needs, parameters and imports."""
    for needs in doctree.findall(nodes.admonition):
        if needs.astext().startswith("Needs"):
            siblings = needs.parent[needs.parent.index(needs) :]
            content = [each for each in siblings if not isinstance(each, nodes.section)]
            title = f"<strong>Run this page</strong>: <code>cwr run {docname}</code>"
            replace(content, folded(content, title, "run"))
            return


def fold_section(section: nodes.section) -> None:
    """Fold what stands behind the first sentences of a section, which a formula may part."""
    shown = 0
    for node in section[1:]:
        if not isinstance(node, (nodes.paragraph, nodes.math_block)):
            break
        shown += 1
        if node.astext().rstrip(')"”')[-1:] in ".?!:":
            break
    content = section[1 + shown :]
    if content:
        replace(content, folded(content, contents(content), "how"))


def contents(content: list[nodes.Node]) -> str:
    """What a fold has in it: "Read on: a figure, code, 2 tables"."""
    number = {
        kind: sum(len(list(each.findall(kind))) for each in content)
        for kind in (nodes.image, nodes.literal_block, nodes.table)
    }
    figures, code, tables = number.values()
    parts = [
        *(["a figure" if figures == 1 else f"{figures} figures"] if figures else []),
        *(["code"] if code else []),
        *(["a table" if tables == 1 else f"{tables} tables"] if tables else []),
    ]
    return f"Read on: {', '.join(parts) or 'text'}"


def shorten(section: nodes.section, with_cells: bool) -> None:
    """Fold the tables of a section behind the first, and the first one's rows behind ROWS.

    with_cells: also the code beside its pictures, with what it prints.
    """
    if with_cells:
        for cell in cells(section):
            is_shown = "tag_hide-input" in cell["classes"] or is_live(cell)
            if not is_shown and not list(cell.findall(nodes.image)) and not is_folded(cell):
                replace([cell], folded([cell], contents([cell]), "how"))
    tables = [table for table in section.findall(nodes.table) if not is_folded(table)]
    for table in tables[1:]:
        rows = len(next(table.findall(nodes.tbody)))
        replace([table], folded([table], f"A table of {rows} rows", "rows"))
    for table in tables[:1]:
        shorten_table(table)


def shorten_table(table: nodes.table) -> None:
    """Move the rows of a table that are too many into a copy of it, which is folded."""
    body = next(table.findall(nodes.tbody))
    number, shown, length = len(body), 0, 0
    while shown < min(number, ROWS) and length + len(body[shown].astext()) <= CHARACTERS:
        length += len(body[shown].astext())
        shown += 1
    if shown == number:
        return
    rest = table.deepcopy()
    rest["ids"], rest["names"] = [], []
    rest_body = next(rest.findall(nodes.tbody))
    rest_body[:] = rest_body[shown:]
    title = f"The other rows ({number - shown})" if shown else f"A table of {number} rows"
    body[:] = body[:shown]
    replace([table], [*([table] if shown else []), *folded([rest], title, "rows")])


def setup(app) -> dict:
    """Sphinx calls this once: connect the function above, behind the marks of verdicts."""
    app.connect("doctree-resolved", fold, priority=800)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
