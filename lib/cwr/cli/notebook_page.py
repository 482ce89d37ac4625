"""An executed notebook as one HTML page that asks nothing of the network."""
import importlib.util
import shutil
from pathlib import Path

MATHJAX = """<script>MathJax = {tex: {inlineMath: [["$", "$"], ["\\\\(", "\\\\)"]]}};</script>
<script defer src="../../../tex-svg.js"></script>"""         # runs/tex-svg.js seen from runs/<paper>/<name>/<hash>/


def write(executed: Path, page: Path, title: str) -> None:
    """Turn an executed notebook into the file `page`, pictures inside; formulas need one file beside the runs."""
    import nbformat
    from nbconvert.exporters import HTMLExporter
    from pygments.formatters import HtmlFormatter

    from cwr.report import html_page  # not at the top: the command line starts without pandas

    body, _ = HTMLExporter(template_name="basic").from_notebook_node(nbformat.read(executed, as_version=4))
    style = HtmlFormatter().get_style_defs(".highlight")
    page.write_text(html_page.document(title, body, style, mathjax(page)), encoding="utf-8")


def mathjax(page: Path) -> str:
    """Script tags for formulas: MathJax of the book's tools, copied once to runs/; without it they stay as typed."""
    package = importlib.util.find_spec("sphinx-mathjax-offline")
    if package is None:
        return ""
    script = page.parents[3] / "tex-svg.js"
    if not script.exists():
        folder = Path(package.submodule_search_locations[0])
        shutil.copy(folder / "static" / "mathjax" / "tex-svg.js", script)
    return MATHJAX
