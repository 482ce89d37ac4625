"""Store the text outputs of the book's runs in the notebooks: python workflow/refresh.py [NAME ...]

What nbval compares is what is committed. `cwr build`, or `cwr run NAME`, has executed the notebooks
with their defaults. Pictures are not stored (their cells are); the book's build draws them anew.
"""

import argparse
import shutil
import tempfile
from pathlib import Path

import nbformat

from cwr.cli import checkout
from cwr.errors import UserError
from cwr.report import verdicts

PICTURES = ("image/png", "image/jpeg", "image/svg+xml")
MARKDOWN = "<IPython.core.display.Markdown object>"  # what a kernel prints for one
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def refresh(notebook: Path, run: Path) -> None:
    """Store the text outputs of a run in its notebook, without pictures; claims are judged anew.

    Raises UserError for a run that is not there, or is of other code.
    """
    content, ran = nbformat.read(notebook, as_version=4), []
    with tempfile.TemporaryDirectory() as scratch:
        if (run / "notebook.ipynb").exists():
            copy = shutil.copy(run / "notebook.ipynb", scratch)
            verdicts.fill(copy, run)
            ran = code_cells(nbformat.read(copy, as_version=4))
    cells = code_cells(content)
    if [cell.source for cell in cells] != [cell.source for cell in ran]:
        raise UserError(f"{run} holds no run of {notebook.name} as it is now: `cwr run` it first")
    for number, (cell, same) in enumerate(zip(cells, ran, strict=True), start=1):
        cell.execution_count, cell.outputs = number, same.outputs
        if "verdicts" in cell.metadata.get("tags", []):  # as a kernel gives it
            (filled,) = cell.outputs
            data = filled["data"] | {"text/plain": MARKDOWN}
            cell.outputs = [nbformat.v4.new_output("execute_result", data, execution_count=number)]
        for output in cell.outputs:
            for picture in PICTURES:
                output.get("data", {}).pop(picture, None)
    content.metadata = METADATA
    nbformat.write(content, notebook)


def code_cells(notebook: nbformat.NotebookNode) -> list:
    """The code cells of a notebook."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def main() -> None:
    """Refresh the notebooks that the command line names."""
    parser = argparse.ArgumentParser(
        description="Keep the text outputs of the book's runs in the committed notebooks."
    )
    parser.add_argument("names", nargs="*", help="notebooks or papers (default: all)")
    folder, names = checkout.root(), []
    for text in parser.parse_args().names:
        names += checkout.matching(folder, text)
    for name in names or checkout.notebooks(folder):
        refresh(checkout.path(folder, name), folder / "_build" / "run" / "small" / name)


if __name__ == "__main__":
    try:
        main()
    except UserError as error:
        raise SystemExit(f"cwr: {error}") from None
