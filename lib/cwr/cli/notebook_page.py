"""An executed notebook as one HTML page that asks nothing of the network."""

import importlib.util
import shutil
from pathlib import Path

# The script is runs/tex-svg.js, as a page in runs/<paper>/<name>/<hash>/ sees it.
MATHJAX = """<script>MathJax = {tex: {inlineMath: [["$", "$"], ["\\\\(", "\\\\)"]]}};</script>
<script defer src="../../../tex-svg.js"></script>"""


def write(executed: Path, page: Path, title: str) -> None:
    """Turn an executed notebook into the file `page`, pictures inside.

    Its formulas need one file beside the runs, which `mathjax` puts there.
    """
    import nbformat
    from nbconvert.exporters import HTMLExporter
    from pygments.formatters import HtmlFormatter

    from cwr.report import html_page  # not at the top: `cwr` starts without pandas

    notebook = nbformat.read(executed, as_version=4)
    body, _ = HTMLExporter(template_name="basic").from_notebook_node(notebook)
    style = HtmlFormatter().get_style_defs(".highlight")
    page.write_text(html_page.document(title, body, style, mathjax(page)), encoding="utf-8")


def mathjax(page: Path) -> str:
    """Script tags for formulas; empty without the package, and formulas then stay as typed.

    The script itself is copied once, out of the package, to runs/.
    """
    package = importlib.util.find_spec("sphinx-mathjax-offline")
    if package is None:
        return ""
    script = page.parents[3] / "tex-svg.js"
    if not script.exists():
        folder = Path(package.submodule_search_locations[0])
        shutil.copy(folder / "static" / "mathjax" / "tex-svg.js", script)
    return MATHJAX
