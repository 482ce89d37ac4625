"""Execute the committed notebooks and take over their text outputs: python workflow/refresh.py [NAME ...]

What nbval compares is what is committed, so the notebooks are executed as nbval does it: defaults, in their own
folder. Pictures are left out of what is stored (their places stay); they are drawn anew when the book is made.
"""
import argparse
import os
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from cwr.cli import checkout

PICTURES = ("image/png", "image/jpeg")


def refresh(notebook: Path) -> None:
    """Execute a notebook in place and keep its text."""
    content = nbformat.read(notebook, as_version=4)
    with tempfile.TemporaryDirectory() as results:
        os.environ["CWR_RESULTS"] = results
        NotebookClient(content, timeout=None, kernel_name="python3",
                       resources={"metadata": {"path": str(notebook.parent)}}).execute()
    for cell in content.cells:
        cell.metadata.pop("execution", None)        # times
        for output in cell.get("outputs", []):
            for picture in PICTURES:
                output.get("data", {}).pop(picture, None)
    content.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                        "language_info": {"name": "python"}}
    nbformat.write(content, notebook)


def main() -> None:
    parser = argparse.ArgumentParser(description="Execute the committed notebooks and keep their text outputs.")
    parser.add_argument("names", nargs="*", help="notebooks or papers (default: all)")
    folder = checkout.root()
    said = parser.parse_args().names
    for name in [name for one in said for name in checkout.chosen(folder, one)] or checkout.notebooks(folder):
        print(f"refresh {name}", flush=True)
        refresh(checkout.path(folder, name))


if __name__ == "__main__":
    main()
