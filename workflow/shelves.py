"""Which texts reach each module of lib/cwr, by imports: where the module belongs.

    python workflow/shelves.py > shelves.csv
    python workflow/shelves.py zhao2020       which notebooks reach which module of its folder

A row a module: its lines, the chapters whose notebooks reach it (or the command line, or the building
of the book), and how many notebooks those are. What one text alone reaches stands in its folder, what
two or more reach, or the command line, is the floor (tests/test_shelves.py). Benchmarks and the making
of our models may read anything, and decide nothing.
"""

import csv
import sys
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from cwr import source_code
from cwr.cli import dependencies

ROOT = Path(__file__).parents[1]
LIBRARY = ROOT / "lib" / "cwr"
COLUMNS = ("module", "lines", "reached by", "notebooks")
BOOK = ("build_book", "course", "reference", "run_notebook", "run_pages")
OTHERS = {  # readers beside the notebooks
    "the command line": sorted(LIBRARY.glob("cli/*.py")),
    "the book": [ROOT / "workflow" / f"{name}.py" for name in BOOK],
}


def reached(definitions: Iterable[source_code.Definition]) -> set[Path]:
    """The modules of some definitions, and those that a module of these imports, whole."""
    found, waiting = set(), [file for file, _ in definitions]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += _behind(module)
    return found


@cache
def _behind(module: Path) -> set[Path]:
    return {file for file, _ in source_code.behind(source_code.everything(module))}


@cache
def of_notebook(notebook: Path) -> set[Path]:
    """The modules that a notebook's code reaches; the cell that judges claims does not count."""
    return reached(source_code.used(dependencies.code_of(notebook), str(notebook)))


def rows() -> list[tuple]:
    """A tuple of COLUMNS a module, by name."""
    readers, notebooks = defaultdict(set), defaultdict(int)
    for notebook in sorted(ROOT.glob("notebooks/*/*.ipynb")):
        for module in of_notebook(notebook):
            readers[module].add(notebook.parent.name)
            notebooks[module] += 1
    for reader, sources in OTHERS.items():
        for module in reached(
            set().union(*(source_code.used(file.read_text("utf-8"), str(file)) for file in sources))
        ):
            readers[module].add(reader)
    return [
        (
            module.relative_to(LIBRARY).as_posix(),
            len(module.read_text(encoding="utf-8").splitlines()),
            ", ".join(sorted(readers[module])),
            notebooks[module],
        )
        for module in sorted(LIBRARY.rglob("*.py"))
    ]


def served(text: str) -> list[str]:
    """Lines "01 05  spheres, figures_of_matrices": the modules of a text's folder by notebook."""
    numbers = defaultdict(list)
    for notebook in sorted(ROOT.glob(f"notebooks/{text}/*.ipynb")):
        for module in of_notebook(notebook):
            if module.parent == LIBRARY / "texts" / text and module.stem != "__init__":
                numbers[module.stem].append(notebook.stem.partition("_")[0])
    modules = defaultdict(list)
    for module in sorted(numbers):
        modules[" ".join(numbers[module])].append(module)
    return [f"{notebooks}  {', '.join(modules[notebooks])}" for notebooks in sorted(modules)]


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print("\n".join(served(sys.argv[1])))
    else:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerows([COLUMNS, *rows()])
