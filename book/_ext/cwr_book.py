"""What the book changes in the theme's pages: no live code, no script twice or without need,
buttons that say what they are, and drawings for phones.
"""

import re
import shutil
from pathlib import Path

from docutils import nodes

from cwr.figures.finish import PHONE

LIVE_CODE = "thebe"
FORMULA = 'class="math '
DRAWING = re.compile(
    r'(?P<before><figure [^>]*id="(?P<name>[^"]+)"[^>]*>\s*)(?P<picture><img [^>]*>)'
)
TOGGLE = re.compile(r"(?P<link><a [^>]*>(?P<title>[^<]+)</a><details[^>]*>)<summary>")


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
    body = context.get("body", "")
    if FORMULA not in body:
        scripts = context["script_files"]
        context["script_files"] = [file for file in scripts if "mathjax" not in str(file).lower()]
    body = body.replace(' aria-label="Toggle hidden content"', "")  # its text names it
    context["body"] = DRAWING.sub(lambda found: for_phones(app, pagename, found), body)
    contents = context["generate_toctree_html"]
    context["generate_toctree_html"] = lambda **options: named(contents(**options))


def for_phones(app, pagename: str, figure: re.Match) -> str:
    """A figure's picture, as HTML, which on a phone is the drawing that was made for phones, if any."""
    file = Path(pagename) / (figure["name"] + PHONE)
    if not (Path(app.srcdir) / file).exists():
        return figure[0]
    (Path(app.outdir) / file).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(Path(app.srcdir) / file, Path(app.outdir) / file)
    source = f'<source media="(max-width: 480px)" srcset="{file.parent.name}/{file.name}">'
    return f"{figure['before']}<picture>{source}{figure['picture']}</picture>"


def named(contents: str) -> str:
    """The contents, as HTML, with a name for each button that unfolds a chapter."""
    return TOGGLE.sub(r'\g<link><summary aria-label="Pages of: \g<title>">', str(contents))


def address_folds(app, doctree) -> None:
    """Give a fold the address that a heading of its title would have."""
    for fold in doctree.findall(nodes.container):
        if fold.get("design_component") == "dropdown":
            fold[0]["ids"].append(nodes.make_id(fold[0].astext()))


def drop_live_code(app, doctree, docname) -> None:
    """Remove the settings for running code in the page, which name a stranger's repository."""
    for raw in list(doctree.findall(nodes.raw)):
        if LIVE_CODE in raw.astext().lower():
            raw.parent.remove(raw)


def setup(app) -> dict:
    """Sphinx calls this once: connect the functions above."""
    app.connect("html-page-context", clean, priority=900)
    app.connect("doctree-read", address_folds)
    app.connect("doctree-resolved", drop_live_code, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
