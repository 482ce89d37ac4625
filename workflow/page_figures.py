"""The figures of a notebook's page: their links, and the one that answers the claim before all."""

import base64
import re
from pathlib import Path

import nbformat

LINKS = "\n\n[The numbers of this figure (CSV)](<{files}.csv>) · [the drawing (SVG)](<{files}.svg>)"
# How a claim announces the figure that answers it, in a notebook.
ANNOUNCED = re.compile(r"What our models say is \{numref\}`(?P<name>[\w-]+)`, below\.")


def arrange(page: Path) -> None:
    """Link each figure of a notebook's page, and show the one that a claim announces under it.

    A caption ends with links to the figure's numbers and drawing, which lie in the folder that has
    the page's name. The announced figure stands before any code; in JupyterLab it stays where it is
    drawn, and on the page its cell says where it has gone.
    """
    notebook = nbformat.read(page, as_version=4)
    drawn = {}
    for cell in notebook.cells:
        figure = cell.metadata.get("mystnb", {}).get("figure")
        if figure is not None:
            figure["caption"] += LINKS.format(files=f"{page.stem}/{figure['name']}")
            drawn[figure["name"]] = cell
    for cell in notebook.cells:
        announced = ANNOUNCED.search(cell.source)
        if announced and announced["name"] in drawn:
            figure = _moved(drawn[announced["name"]], page)
            cell.source = cell.source.replace(announced[0], f"What our models say:\n\n{figure}")
    nbformat.write(notebook, page)


def _moved(cell: nbformat.NotebookNode, page: Path) -> str:
    """Take the picture out of a cell's outputs, and give it as a figure in MyST.

    The picture goes to the folder that has the page's name.
    """
    settings = cell.metadata["mystnb"]
    figure, alt = settings.pop("figure"), settings["image"]["alt"]
    name = figure["name"]
    for output in cell.outputs:
        if "image/png" in output.get("data", {}):
            picture = base64.b64decode(output.data["image/png"])
            (page.with_suffix("") / f"{name}.png").write_bytes(picture)
            output.data = {"text/markdown": f"{{numref}}`{name}` is drawn here."}
            output.metadata = {}
    options = f":name: {name}\n:alt: {alt}"
    return f"```{{figure}} {page.stem}/{name}.png\n{options}\n\n{figure['caption']}\n```"
