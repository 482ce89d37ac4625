"""The figures of a notebook's page: their links, and the one that answers its question before all."""

import re
from pathlib import Path

import nbformat

from cwr.figures import COLOURS, GREY, GRID, INK
from cwr.figures.finish import PHONE
from cwr.papers import artifacts

LINKS = "\n\n[The numbers of this figure (CSV)](<{files}.csv>) · [the drawing (SVG)](<{files}.svg>)"
# The colours of a drawing that would be too dark, or too bright, on the ground of the theme's dark
# scheme, with those that stand for them there. A browser tells a drawing the page's scheme.
IN_THE_DARK = {
    "#000000": "#D5DBE3",
    INK: "#D5DBE3",
    GREY: "#A5ADB6",
    "#5a5a5a": "#A5ADB6",
    GRID: "#3D444D",
    "#ffffff": "#121212",
    COLOURS["masked"]: "#5B94E0",
    COLOURS["causal"]: "#E0705F",
    COLOURS["static"]: "#B58BCF",
}
ON_WHITE = re.compile("<image|QuadMesh")  # a heat map: its colours, and the text on them, stay
# How a claim announces the figure that answers it, in a notebook.
ANNOUNCED = re.compile(
    r"\{numref\}`(?P<name>[\w-]+)` below shows the numbers of our\s(?:models|texts)\."
)


def arrange(page: Path) -> None:
    """Link each figure of a notebook's page, and show the one that answers its question first.

    A page shows the drawings (SVG) that lie beside the pictures: sharp at any size, in both schemes,
    on a phone those for phones (`book/_ext/cwr_book.py`).
    A caption ends with links to the figure's numbers and drawing, which lie in the folder that has
    the page's name. The figure that the claim announces, or else the first, stands below the title;
    in JupyterLab it stays where it is drawn, and on the page its cell says where it has gone.
    """
    notebook = nbformat.read(page, as_version=4)
    drawn = {}
    for cell in notebook.cells:
        figure = cell.metadata.get("mystnb", {}).get("figure")
        if figure is not None:
            figure["caption"] += LINKS.format(files=f"{page.stem}/{figure['name']}")
            drawn[figure["name"]] = cell
            drawing = page.with_suffix("") / f"{figure['name']}.svg"
            for output in cell.outputs:
                if "image/png" in output.get("data", {}):
                    output.data["image/svg+xml"] = in_both_schemes(drawing.read_text("utf-8"))
            narrow = drawing.with_name(f"{figure['name']}{PHONE}")
            if narrow.exists():
                narrow.write_text(in_both_schemes(narrow.read_text("utf-8")), encoding="utf-8")
    first = next(iter(drawn), None)
    for cell in notebook.cells:
        announced = ANNOUNCED.search(cell.source)
        if announced and announced["name"] in drawn:
            first = announced["name"]
            cell.source = cell.source.replace(
                announced[0], announced[0].replace("` below", "` above")
            )
    if first and not artifacts.only_printed(f"{page.parent.name}/{page.stem}"):
        notebook.cells.insert(
            1, nbformat.v4.new_markdown_cell(_moved(drawn[first], page), id="figure")
        )
    nbformat.write(notebook, page)


def in_both_schemes(drawing: str) -> str:
    """A drawing of matplotlib (SVG) that takes other colours on a dark page, unless it is a heat map."""
    if ON_WHITE.search(drawing):
        return drawing
    rules = [f"svg {{ fill: {IN_THE_DARK[INK]} }}"]  # text without a colour of its own
    for colour, dark in IN_THE_DARK.items():
        for kind in ("fill", "stroke"):
            selectors = '[style*="{0}: {1}"], [{0}="{1}"]'.format(kind, colour.lower())
            rules.append(f"{selectors} {{ {kind}: {dark} !important }}")
    style = f"<style>@media (prefers-color-scheme: dark) {{ {' '.join(rules)} }}</style>"
    return drawing.replace("</defs>", f"{style}</defs>", 1)


def _moved(cell: nbformat.NotebookNode, page: Path) -> str:
    """Take the picture out of a cell's outputs, and give it as a figure in MyST.

    The picture goes to the folder that has the page's name.
    """
    settings = cell.metadata["mystnb"]
    figure, alt = settings.pop("figure"), settings["image"]["alt"]
    name = figure["name"]
    for output in cell.outputs:
        if "image/svg+xml" in output.get("data", {}):
            drawing = page.with_suffix("") / f"{name}-on-page.svg"
            drawing.write_text(output.data["image/svg+xml"], encoding="utf-8")
            output.data = {"text/markdown": f"{{numref}}`{name}` is drawn here."}
            output.metadata = {}
    options = f":name: {name}\n:alt: {alt}"
    return f"```{{figure}} {page.stem}/{name}-on-page.svg\n{options}\n\n{figure['caption']}\n```"
