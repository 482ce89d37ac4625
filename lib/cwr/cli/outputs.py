"""Renders the outputs of an executed notebook as HTML, without its prose and its code."""

import importlib.util
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nbformat import NotebookNode

# The script lies two folders above a page, in runs/ as in the book's your_runs/.
# "$" begins no formula: it may be a corpus' money, while `_from_markdown` marks what is one.
MATHJAX = """<script>MathJax = {tex: {inlineMath: [["\\\\(", "\\\\)"]],
                       displayMath: [["\\\\[", "\\\\]"]]}};</script>
<script defer src="../../tex-svg.js"></script>"""
TAGS = "a b blockquote br code details div em h3 h4 h5 h6 i img li ol p pre small span strong sub"
TABLE_TAGS = "summary sup table tbody td th thead tr ul"
ATTRIBUTES = {
    "*": ["class"],
    "img": lambda tag, name, value: name in ("alt", "width") or _is_content(name, value),
    "td": ["rowspan", "colspan"],
    "th": ["rowspan", "colspan"],
}
# What a page about reruns has beside outputs: headings, figures, links to executed notebooks.
PAGE_TAGS = "h1 h2 figure figcaption"
PAGE_ATTRIBUTES = {
    "a": lambda tag, name, value: name == "href" and bool(BESIDE.fullmatch(value)),
    "details": ["open"],
    "div": ["class", "tabindex"],
}
# To executed notebooks, and to tables beside the page; a drawing (SVG) could run something.
BESIDE = re.compile(r"\.\./[\w.-]+/[\w.-]+/notebook\.ipynb|\w[\w.-]*\.(csv|tex)")


def heading(notebook: Path) -> str:
    """Returns a notebook's first heading as plain text; without one, the file's name."""
    import nbformat

    cells = nbformat.read(notebook, as_version=4).cells
    headings = [line for cell in cells for line in _headings(cell)]
    return headings[0].lstrip("# ") if headings else notebook.stem


def html(executed: Path) -> str:
    """Returns the outputs of an executed notebook as HTML, below the notebook's headings.

    Outputs are figures, tables and computed sentences. The prose is left out, as it is about the
    book's models. The HTML is `cleaned`.
    """
    import nbformat
    from nbconvert.exporters import HTMLExporter

    notebook = nbformat.read(executed, as_version=4)
    notebook.cells = _shown(notebook.cells)
    exporter = HTMLExporter(template_name="basic", exclude_input=True)
    exporter.register_filter("markdown2html", _from_markdown)
    body, _ = exporter.from_notebook_node(notebook)
    return cleaned(body)


def cleaned(body: str) -> str:
    """Removes from HTML everything that could run a script or load something from the network.

    body: the HTML of outputs. Tags outside TAGS and TABLE_TAGS, and attributes outside ATTRIBUTES,
        are removed.
    """
    import bleach

    tags = [*TAGS.split(), *TABLE_TAGS.split()]
    return bleach.clean(body, tags=tags, attributes=ATTRIBUTES, protocols=["data"], strip=True)


def cleaned_page(body: str) -> str:
    """Cleans the HTML of a page about reruns like `cleaned`, but keeps links to files beside it."""
    import bleach

    tags = [*TAGS.split(), *TABLE_TAGS.split(), *PAGE_TAGS.split()]
    attributes = ATTRIBUTES | PAGE_ATTRIBUTES
    protocols = ["data", "https"]  # for bleach a link beside a page has that of the page
    return bleach.clean(body, tags=tags, attributes=attributes, protocols=protocols, strip=True)


def _is_content(name: str, value: str) -> bool:
    """Tells whether an attribute contains an image instead of its address."""
    return name == "src" and value.startswith("data:image/")


def _from_markdown(source: str) -> str:
    """Converts Markdown to HTML; formulas stand between \\( and \\), or \\[ and \\]."""
    from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

    class Formulas(IPythonRenderer):
        def inline_math(self, body: str) -> str:
            return f"\\({self.escape_html(body)}\\)"

        def block_math(self, body: str) -> str:
            return f"\\[{self.escape_html(body)}\\]"

    return MarkdownWithMath(renderer=Formulas(escape=False)).render(source)


def _shown(cells: list["NotebookNode"]) -> list["NotebookNode"]:
    """Returns the cells with outputs, each after the last heading since the outputs before it."""
    from nbformat.v4 import new_markdown_cell

    shown, heading = [], ""
    for cell in cells:
        heading = [heading, *_headings(cell)][-1]
        if cell.get("outputs"):
            title = heading.lstrip("# ")
            shown += [new_markdown_cell(f"### {title}")] if title else []
            shown.append(cell)
            heading = ""
    return shown


def _headings(cell: "NotebookNode") -> list[str]:
    """Returns a cell's lines that are headings, up to the first block of code."""
    prose = cell.source.partition("```")[0] if cell.cell_type == "markdown" else ""
    return [line for line in prose.splitlines() if line.startswith("#")]


def mathjax(runs: Path) -> str:
    """Returns script tags that render formulas; "" without the package: formulas stay as typed.

    runs: the folder of reruns, to which the script is copied once from the package.
    """
    packaged = mathjax_file()
    if packaged is None:
        return ""
    script = runs / packaged.name
    if not script.exists():
        shutil.copy(packaged, script)
    return MATHJAX


def mathjax_file() -> Path | None:
    """Returns MathJax's file in sphinx-mathjax-offline (Apache-2.0); None without the package."""
    package = importlib.util.find_spec("sphinx-mathjax-offline")
    if package is None:
        return None
    return Path(package.submodule_search_locations[0]) / "static" / "mathjax" / "tex-svg.js"
