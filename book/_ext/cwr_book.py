"""What the book changes in the theme's pages: no live code, no script twice, marked verdicts."""

import re

from docutils import nodes

VERDICT = re.compile(
    r"(?P<before>(.*: )?)"  # "minilm: ", "beyond the paper: "
    r"(?P<word>holds|fails|undecided|not run|not decidable)"
    r"(?P<after>( here)?"
    # " (0.98; = untrained)", " (no verdict in 4% of draws)"
    r"( \(((by [a-z ]+|no verdict in \d+% of draws|[<>] 0\.\d\d|\d\.\d{2,3})(; )?)?"
    r"(([≠=≈]|(more|less) so than) untrained)?\))?"
    r"( \[\d+\])*)"  # the numbers of notes
)
LIVE_CODE = "thebe"


def without_repetitions(files: list) -> list:
    """The page's scripts or style sheets without those of thebe and without repetitions.

    Theme and extensions both add thebe and MathJax; loaded twice, both throw. An inline script has
    no file name and is known by its body.
    """
    unique: dict[str, object] = {}
    for file in files:
        name = str(getattr(file, "filename", None) or file)
        attributes = getattr(file, "attributes", None) or {}
        text = name + str(attributes.get("body", ""))
        if LIVE_CODE not in text.lower():
            unique.setdefault(text, file)
    return list(unique.values())


def clean(app, pagename, templatename, context, doctree) -> None:
    """Sphinx calls this for each page, late, when everything has been added."""
    for kind in ("script_files", "css_files"):
        context[kind] = without_repetitions(context.get(kind, []))


def mark_verdicts(app, doctree, docname) -> None:
    """Give the verdict word in a line of a cell its class: custom.css sets a sign before it."""
    for entry in list(doctree.findall(nodes.entry)):
        for text in list(entry.findall(nodes.Text)):
            line = VERDICT.fullmatch(text.strip())
            if line and not isinstance(text.parent, nodes.literal):
                text.parent.replace(text, marked(line))


def marked(line: re.Match) -> list[nodes.Node]:
    """A line of VERDICT with its word as an inline of the classes "verdict" and the word."""
    word = line["word"]
    inline = nodes.inline("", word, classes=["verdict", word.replace(" ", "-")])
    return [nodes.Text(line["before"]), inline, nodes.Text(line["after"])]


def drop_live_code(app, doctree, docname) -> None:
    """Remove the settings for running code in the page, which name a stranger's repository."""
    for raw in list(doctree.findall(nodes.raw)):
        if LIVE_CODE in raw.astext().lower():
            raw.parent.remove(raw)


def setup(app) -> dict:
    """Sphinx calls this once: connect the functions above."""
    app.connect("html-page-context", clean, priority=900)
    app.connect("doctree-resolved", mark_verdicts)
    app.connect("doctree-resolved", drop_live_code, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
