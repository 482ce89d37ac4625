"""What the book changes in the theme's pages: no live-code scripts, no script twice, verdict words marked."""
import re

from docutils import nodes

VERDICT = re.compile(r"(?P<before>(.*: )?)(?P<word>holds|fails|undecided|not run|not decidable)(?P<rest>"
                     r"( here)?( \((by [a-z ]+|[<>] 0\.\d\d|\d\.\d\d)\))?( \[\d+\])?)")


def one_of_each(files: list) -> list:
    """The page's scripts or style sheets without those of thebe and without repetitions, in their order.

    Theme and extensions both add thebe and MathJax; loaded twice, both throw. An inline script has no file
    name and is told from others by its body.
    """
    kept: dict[str, object] = {}
    for file in files:
        name = str(getattr(file, "filename", None) or file)
        body = str((getattr(file, "attributes", None) or {}).get("body", ""))
        if "thebe" not in (name + body).lower():
            kept.setdefault(name + body, file)
    return list(kept.values())


def clean(app, pagename, templatename, context, doctree) -> None:
    """Sphinx calls this for each page, late, when everything has been added."""
    for kind in ("script_files", "css_files"):
        context[kind] = one_of_each(context.get(kind, []))


def mark_verdicts(app, doctree, docname) -> None:
    """Give the verdict word of a table cell's line a class of its own: custom.css sets a sign before it."""
    for text in [node for entry in doctree.findall(nodes.entry) for node in entry.findall(nodes.Text)]:
        found = VERDICT.fullmatch(text.strip())
        if found and not isinstance(text.parent, nodes.literal):
            word = found["word"]
            marked = nodes.inline("", word, classes=["verdict", word.replace(" ", "-")])
            text.parent.replace(text, [nodes.Text(found["before"]), marked, nodes.Text(found["rest"])])


def drop_live_code(app, doctree, docname) -> None:
    """Take out the settings for running code in the page, which name a stranger's repository."""
    for raw in [node for node in doctree.findall(nodes.raw) if "thebe" in node.astext().lower()]:
        raw.parent.remove(raw)


def setup(app) -> dict:
    app.connect("html-page-context", clean, priority=900)
    app.connect("doctree-resolved", mark_verdicts)
    app.connect("doctree-resolved", drop_live_code, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
