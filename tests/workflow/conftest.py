"""A miniature checkout: this library and workflow, and two tiny notebooks of its own, run in real kernels."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
WRITE = """import json, os
from pathlib import Path
folder = Path(os.environ["CWR_RESULTS"])
(folder / "results.json").write_text(json.dumps({"seed": seed, "sum": total}))
(folder / "replicates.npz").touch()
(folder / "provenance.json").write_text("{}")"""

RESULTS = """from cwr.report import results
results.write(name, [{"model": "m", "family": "masked", "layer": 0, "measure": "x", "value": value}], {})"""


@dataclass(frozen=True)
class Checkout:
    """A folder with a book of its own."""

    folder: Path

    def notebook(self, name: str, *cells: str, parameters: str = "seed: int = 0") -> Path:
        """Write a notebook of these code cells (the last may be tagged: "verdicts: code")."""
        made = [nbformat.v4.new_code_cell(parameters, metadata={"tags": ["parameters"]})]
        for cell in cells:
            tag, _, code = cell.partition("verdicts: ")
            made.append(
                nbformat.v4.new_code_cell(
                    code or tag, metadata={"tags": ["verdicts"]} if code else {}
                )
            )
        path = self.folder / "notebooks" / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        kernel = {
            "kernelspec": {
                "name": "python3",
                "display_name": "Python 3",
                "language": "python",
            }
        }
        nbformat.write(nbformat.v4.new_notebook(cells=made, metadata=kernel), path)
        return path

    @property
    def environment(self) -> dict[str, str]:
        return os.environ | {
            "PYTHONPATH": str(self.folder / "lib"),
            "CWR_CACHE": str(self.folder / "cache"),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def cwr(self, *words: str) -> subprocess.CompletedProcess:
        """Run the command line here and wait."""
        return subprocess.run(
            self.command(*words),
            cwd=self.folder,
            env=self.environment,
            text=True,
            capture_output=True,
            timeout=120,
        )

    def command(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "cwr.cli.main", *words]

    def ran(self, *words: str) -> list[str]:
        """Names of the notebooks that a successful `cwr WORDS` executed."""
        done = self.cwr(*words)
        assert done.returncode == 0, done.stdout + done.stderr
        return sorted(
            line.split()[1] for line in done.stdout.splitlines() if line.startswith("[")
        )

    def result(self, name: str, profile: str = "small") -> Path:
        return self.folder / "_build" / "run" / profile / name / "results.json"

    def edit(self, name: str, old: str, new: str) -> None:
        """Change a file's text."""
        file = self.folder / name
        assert old in file.read_text(encoding="utf-8")
        file.write_text(
            file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8"
        )

    def give_outputs(self, name: str) -> None:
        """Give each cell of a notebook an output and a count, as `make refresh` does."""
        file = self.folder / "notebooks" / f"{name}.ipynb"
        content = nbformat.read(file, as_version=4)
        for count, cell in enumerate(content.cells, 1):
            cell.outputs = [nbformat.v4.new_output("stream", text="refreshed")]
            cell.execution_count = count
        nbformat.write(content, file)


@pytest.fixture
def write() -> str:
    """A cell that leaves results behind; it wants `seed` and `total`."""
    return WRITE


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """Two notebooks: tiny/01_a uses cwr.helper_a, tiny/02_b uses cwr.helper_b, and both write results."""
    shutil.copytree(
        ROOT / "lib",
        tmp_path / "lib",
        ignore=shutil.ignore_patterns("*.egg-info", "models"),
    )
    (tmp_path / "lib" / "cwr" / "models" / "tiny").mkdir(
        parents=True
    )  # not ours, which weigh 20 MB
    (tmp_path / "lib" / "cwr" / "models" / "tiny" / "config.json").write_text(
        '{"layers": 1}\n'
    )
    shutil.copytree(
        ROOT / "workflow",
        tmp_path / "workflow",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    for file in ("requirements.lock", "models.lock"):
        shutil.copy(ROOT / file, tmp_path)
    (tmp_path / "notebooks" / "profiles").mkdir(parents=True)
    (tmp_path / "notebooks" / "profiles" / "small.yaml").write_text("{}\n")
    (tmp_path / "notebooks" / "profiles" / "other.yaml").write_text(
        "tiny/01_a:\n  seed: 7\n"
    )
    made = Checkout(tmp_path)
    for letter in "ab":
        (tmp_path / "lib" / "cwr" / f"helper_{letter}.py").write_text(
            "def value(seed):\n    return seed + 1\n"
        )
    made.notebook(
        "tiny/01_a",
        "from cwr import helper_a",
        "total = helper_a.value(seed)",
        WRITE,
        "verdicts: import cwr.report.verdicts",
    )
    made.notebook(
        "tiny/02_b", "from cwr.helper_b import value", "total = value(seed)", WRITE
    )
    return made


@pytest.fixture
def with_book():
    """Gives a miniature checkout a book; the address of its first page."""
    return _with_book


def _with_book(checkout) -> Path:
    """Give the miniature a book: the real configuration and extension, a page and its two notebooks."""
    shutil.copy(ROOT / "_config.yml", checkout.folder)
    for part in (ROOT / "book").glob("_*/"):
        shutil.copytree(part, checkout.folder / "book" / part.name)
    shutil.copy(ROOT / "book" / "references.bib", checkout.folder / "book")
    (checkout.folder / "book" / "intro.md").write_text("# Tiny\n\nA small book.\n")
    others = sorted(
        {page.stem for page in (ROOT / "book").glob("*.md")} - {"intro"}
    )  # generated pages link to them
    for page in others:
        (checkout.folder / "book" / f"{page}.md").write_text(f"# Page {page}\n")
    pages = [
        *others,
        "scoreboard",
        "printed_numbers",
        "about_this_run",
        "your_runs",
        "tiny/01_a",
        "tiny/02_b",
    ]
    (checkout.folder / "book" / "_toc.yml").write_text(
        "format: jb-book\nroot: intro\nchapters:\n"
        + "".join(f"- file: {page}\n" for page in pages)
    )
    for name in ("tiny/01_a", "tiny/02_b"):
        path = checkout.notebook(name, f"name, value = {name!r}, 0.5", RESULTS)
        path.write_text(
            path.read_text().replace(
                '"cells": [',
                f'"cells": [{{"cell_type": "markdown", "id": "head", '
                f'"metadata": {{}}, "source": "# Notebook {name}"}},',
                1,
            )
        )
    return checkout.folder / "_build" / "html" / "index.html"
