"""Folds of a notebook's page: how to run it, how it was measured, and what few readers need.

A notebook keeps its order; only its page in the book folds. Without scripts a fold opens by hand.
In sight are the answer, PICTURES pictures, a table a section, and the text between them. Of the
verdicts the main claim's are in sight, of the differences in print and of the closing remarks the
first; the exercises are a line. The pages on our models are lessons, whose sections stay open.
"""

import re
from html import escape

from docutils import nodes

COMPUTED = re.compile(r"\w+/\d\d_\w+$")  # the page of a notebook
LESSONS = "models/"  # pages whose sections stay open
ROWS, CHARACTERS = 12, 1500  # of a table in sight: rows of sentences are fewer
OF_A_CLAIM = "claimjudged on"  # begins the head of a table with a few rows a claim
DIFFERENCES, REMARKS = 900, 1000  # characters in sight
PICTURES = 3
KEPT = re.compile(
    "The (claim|question|definition|verdict)|What (differs|to make)|Which verdicts|Try this|Before you"
)


def fold(app, doctree, docname) -> None:
    """Sphinx calls this for each page that is complete."""
    if not COMPUTED.match(docname):
        return
    page = next(doctree.findall(nodes.section))
    is_lesson = docname.startswith(LESSONS)
    sections = [child for child in page if isinstance(child, nodes.section)]
    fold_needs(doctree, docname)
    if not is_lesson:
        fold_sections(page, sections)
    for section in sections:
        title = section[0].astext()
        if is_lesson:
            fold_cards(section)
        else:
            fold_cells(section)
        shorten(section)
        if title == "Try this":
            fold_exercises(section)
        elif title.startswith("What to make"):
            fold_remarks(section)
        elif title == "What differs?":
            for differences in list(section.findall(nodes.bullet_list))[:1]:
                shorten_list(differences)


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


def fold_sections(page: nodes.section, sections: list[nodes.section]) -> None:
    """Fold the sections that few readers need, and those whose pictures are too many for the page.

    A section whose title is a question keeps its first paragraph in sight. Other sections, on how
    something was measured, fold whole; those that follow one another are one line.
    """
    in_sight = len([child for child in page if isinstance(child, nodes.figure)])
    runs: list[list[nodes.section]] = [[]]
    for section in sections:
        title, pictures = section[0].astext(), len(list(section.findall(nodes.image)))
        is_kept = is_live(section) or KEPT.match(title)
        if is_kept or pictures and in_sight + pictures <= PICTURES:
            in_sight += pictures
            runs.append([])
        elif title.endswith("?"):
            fold_section(section)
            runs.append([])
        else:
            runs[-1].append(section)
    for run in runs:
        if len(run) == 1:
            fold_section(run[0])
        elif run:
            titles = " · ".join(escape(section[0].astext()) for section in run)
            replace(run, folded(run, f"{titles} ({parts(run)})", "how"))


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


def fold_exercises(section: nodes.section) -> None:
    """Fold the exercises of a page, with the commands above them, behind a line that counts them."""
    content = [
        child for child in section[1:] if not child.astext().startswith("The numbers of this page")
    ]
    exercises = [len(child) for child in content if isinstance(child, nodes.enumerated_list)]
    if exercises:
        commands = "commands to run and " * isinstance(content[0], nodes.literal_block)
        line = f"{commands}{sum(exercises)} exercises, each with its answer or a hint"
        replace(content, folded(content, line[0].upper() + line[1:], "how"))


def fold_remarks(section: nodes.section) -> None:
    """Fold what goes on behind the first REMARKS characters of a section, and what stays announced.

    A paragraph that ends with a colon stays with what it announces.
    """
    shown, length = 1, 0
    while shown < len(section) and not is_live(section[shown]):
        length += len(said(section[shown]))
        if length > REMARKS and shown > 1:
            break
        shown += 1
    while shown > 2 and section[shown - 1].astext().endswith(":"):
        shown -= 1
    rest = [child for child in section[shown:] if not isinstance(child, nodes.section)]
    if rest and not is_live(section):
        replace(rest, folded(rest, contents(rest), "how"))


def said(node: nodes.Element) -> str:
    """What a reader sees of a node: of a code cell what it prints."""
    if "cell" not in node.get("classes", []):
        return node.astext()
    printed = [each for each in node if "cell_output" in each["classes"]]
    return " ".join(each.astext() for each in printed).strip()


def shorten_list(items: nodes.bullet_list) -> None:
    """Fold the items of a list behind those of the first DIFFERENCES characters."""
    shown = length = 0
    while shown < len(items) and (length <= DIFFERENCES or not shown):
        length += len(items[shown].astext())
        shown += length <= DIFFERENCES or not shown
    rest = items[shown:]
    if rest:
        other = nodes.bullet_list("", *rest, **items.attributes)
        items[:] = items[:shown]
        replace([items], [items, *folded([other], f"The others ({len(rest)})", "rows")])


def contents(content: list[nodes.Node]) -> str:
    """What a fold has in it: "Read on: a figure, code, 2 tables, 3 paragraphs"."""
    return f"Read on: {parts(content) or 'text'}"


def parts(content: list[nodes.Node]) -> str:
    """What there is in these nodes: "a figure, code, 2 tables, 3 paragraphs"."""
    number = {
        kind: sum(len(list(each.findall(kind))) for each in content)
        for kind in (nodes.image, nodes.literal_block, nodes.table)
    }
    figures, code, tables = number.values()
    texts = sum(isinstance(each, nodes.paragraph) for each in content)
    listed = [
        *(["a figure" if figures == 1 else f"{figures} figures"] if figures else []),
        *(["code"] if code else []),
        *(["a table" if tables == 1 else f"{tables} tables"] if tables else []),
        *(["a paragraph" if texts == 1 else f"{texts} paragraphs"] if texts else []),
    ]
    return ", ".join(listed)


def fold_cells(section: nodes.section) -> None:
    """Fold the code of a section with what it prints; cells that follow one another share a fold.

    In sight stay pictures, verdicts, what a reader can move, and what cells without code say.
    """
    for parent in [section, *section.findall(nodes.section)]:
        run: list[nodes.Node] = []
        for child in [*parent, None]:
            if child is not None and is_method(child):
                run.append(child)
            elif run:
                replace(run, folded(run, contents(run), "how"))
                run = []


def fold_cards(section: nodes.section) -> None:
    """Fold what stands behind the first paragraph below each heading that a cell prints, if several."""
    for printed in section.findall(nodes.container):
        headings = [each for each in printed if isinstance(each, nodes.rubric)]
        top = min((each["level"] for each in headings), default=0)
        cards = [printed.index(each) for each in headings if each["level"] == top]
        if len(cards) > 1:
            ends = [*cards[1:], len(printed)]
            for start, end in reversed(list(zip(cards, ends, strict=True))):
                if rest := printed[start + 2 : end]:
                    replace(rest, folded(rest, contents(rest), "how"))


def is_method(node: nodes.Node) -> bool:
    """Whether a node is a cell to fold: its code was to be shown, or nothing comes of it."""
    if "cell" not in getattr(node, "attributes", {}).get("classes", []) or is_folded(node):
        return False
    is_shown = "tag_verdicts" in node["classes"] or list(node.findall(nodes.image))
    if is_shown or is_live(node):
        return False
    is_quiet = not said(node) or said(node).endswith("is drawn here.")
    return is_quiet or "tag_hide-input" not in node["classes"]


def shorten(section: nodes.section) -> None:
    """Fold the tables of a section behind the first, and the first one's rows behind ROWS."""
    tables = [table for table in section.findall(nodes.table) if not is_folded(table)]
    for table in tables[1:]:
        rows = len(next(table.findall(nodes.tbody)))
        replace([table], folded([table], f"A table of {rows} rows", "rows"))
    for table in tables[:1]:
        shorten_table(table)


def shorten_table(table: nodes.table) -> None:
    """Move the rows of a table that are too many into a copy of it, which is folded.

    A table of verdicts keeps the rows of its first claim.
    """
    body = next(table.findall(nodes.tbody))
    claims = []
    heads = next(table.findall(nodes.thead)).astext().replace("\n", "")
    if heads.startswith(OF_A_CLAIM):
        table["classes"] += ["of-claims", *["no-short-run"] * ("here" not in heads)]
        claims = [number for number, row in enumerate(body) if row[0].astext()]
    number, shown, length = len(body), 0, 0
    most = min(ROWS, claims[1] if claims[1:] else number)
    while shown < most and length + len(body[shown].astext()) <= CHARACTERS:
        length += len(body[shown].astext())
        shown += 1
    if shown == number:
        return
    rest = table.deepcopy()
    rest["ids"], rest["names"] = [], []
    rest_body = next(rest.findall(nodes.tbody))
    rest_body[:] = rest_body[shown:]
    title = f"The other rows ({number - shown})" if shown else f"A table of {number} rows"
    if claims[1:] and shown == claims[1]:
        title = "Another claim" if len(claims) == 2 else f"{len(claims) - 1} other claims"
    body[:] = body[:shown]
    replace([table], [*([table] if shown else []), *folded([rest], title, "rows")])


def setup(app) -> dict:
    """Sphinx calls this once: connect the function above, behind the marks of verdicts."""
    app.connect("doctree-resolved", fold, priority=800)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
