"""A checkout for each bad input: this library, the book's notebooks without outputs, no results."""

import shutil
import sys
from pathlib import Path

import nbformat
import pytest

TESTS = Path(__file__).resolve().parents[1]
ROOT = TESTS.parent
sys.path.insert(0, str(TESTS))  # the tables import `bad_inputs.row`
sys.path.insert(0, str(ROOT / "workflow"))


@pytest.fixture(scope="session")
def template(tmp_path_factory) -> Path:
    """A checkout in which nothing was run; its library and workflow are links to the real ones."""
    folder = tmp_path_factory.mktemp("template") / "checkout"
    for file in ROOT.glob("notebooks/*/*.ipynb"):
        notebook = nbformat.read(file, as_version=4)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs = []
        copy = folder / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, copy)
    shutil.copytree(ROOT / "notebooks" / "profiles", folder / "notebooks" / "profiles")
    for name in (
        "lib",
        "workflow",
        "book",
        "requirements.lock",
        "models.lock",
        "_config.yml",
    ):
        (folder / name).symlink_to(ROOT / name)
    return folder


@pytest.fixture
def checkout(template: Path, tmp_path: Path) -> Path:
    """A checkout of this test's own."""
    return shutil.copytree(template, tmp_path / "checkout", symlinks=True)
