"""An executed notebook as one HTML page that asks nothing of the network."""
import html
import importlib.util
import shutil
from pathlib import Path

HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
body {{ font: 16px/1.55 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 54rem; margin: 2rem auto;
        padding: 0 1rem; }}
img {{ max-width: 100%; height: auto; }}
pre {{ overflow-x: auto; padding: .6rem .8rem; }}
.highlight pre {{ background: #f6f6f4; font-size: .85rem; }}
.output_area, .rendered_html {{ overflow-x: auto; }}
.prompt, .anchor-link {{ display: none; }}
table {{ border-collapse: collapse; font-size: .9rem; }}
th, td {{ padding: .25rem .7rem; border-bottom: 1px solid #e4e4e4; text-align: right; }}
{highlighting}
</style>
{mathjax}
</head>
<body>
"""
MATHJAX = """<script>MathJax = {{tex: {{inlineMath: [["$", "$"], ["\\\\(", "\\\\)"]]}}}};</script>
<script defer src="{address}"></script>"""


def write(executed: Path, place: Path, title: str) -> None:
    """Turn an executed notebook into the page `place`, pictures inside; formulas need one file beside the runs."""
    import nbformat
    from nbconvert.exporters import HTMLExporter
    from pygments.formatters import HtmlFormatter

    body, _ = HTMLExporter(template_name="basic").from_notebook_node(nbformat.read(executed, as_version=4))
    head = HEAD.format(title=html.escape(title), highlighting=HtmlFormatter().get_style_defs(".highlight"),
                       mathjax=mathjax(place))
    place.write_text(f"{head}{body}\n</body>\n</html>\n", encoding="utf-8")


def mathjax(place: Path) -> str:
    """Script tags for formulas: MathJax of the book's tools, copied once to runs/; without it they stay as typed."""
    package = importlib.util.find_spec("sphinx-mathjax-offline")
    if package is None:
        return ""
    ours = place.parents[3] / "tex-svg.js"      # runs/tex-svg.js for runs/<paper>/<name>/<hash>/index.html
    if not ours.exists():
        shutil.copy(Path(package.submodule_search_locations[0]) / "static" / "mathjax" / "tex-svg.js", ours)
    return MATHJAX.format(address="../../../tex-svg.js")
