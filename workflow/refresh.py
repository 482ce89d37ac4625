"""Execute committed notebooks and store their text outputs: python workflow/refresh.py [NAME ...]

What nbval compares is what is committed, so the notebooks are executed as nbval does it: defaults,
in their own folder. Pictures are not stored (their cells are); the book's build draws them anew.
"""

import argparse
import os
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from cwr.cli import checkout

PICTURES = ("image/png", "image/jpeg")
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def refresh(notebook: Path) -> None:
    """Execute a notebook in place and store its text outputs, without pictures and times."""
    content = nbformat.read(notebook, as_version=4)
    resources = {"metadata": {"path": str(notebook.parent)}}
    library = Path(checkout.__file__).parents[2]  # this one, though a kernel starts elsewhere
    with tempfile.TemporaryDirectory() as results:
        os.environ |= {"CWR_RESULTS": results, "PYTHONPATH": str(library.resolve())}
        client = NotebookClient(content, timeout=None, kernel_name="python3", resources=resources)
        client.execute()
    for cell in content.cells:
        cell.metadata.pop("execution", None)  # times
        for output in cell.get("outputs", []):
            for picture in PICTURES:
                output.get("data", {}).pop(picture, None)
    content.metadata = METADATA
    nbformat.write(content, notebook)


def main() -> None:
    """Refresh the notebooks that the command line names."""
    parser = argparse.ArgumentParser(
        description="Execute the committed notebooks and keep their text outputs."
    )
    parser.add_argument("names", nargs="*", help="notebooks or papers (default: all)")
    folder = checkout.root()
    names = []
    for text in parser.parse_args().names:
        names += checkout.matching(folder, text)
    for name in names or checkout.notebooks(folder):
        print(f"refresh {name}", flush=True)
        refresh(checkout.path(folder, name))


if __name__ == "__main__":
    main()
