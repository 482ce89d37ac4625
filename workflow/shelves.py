"""Which texts reach each module of lib/cwr, by imports: where the module belongs.

    python workflow/shelves.py > shelves.csv
    python workflow/shelves.py zhao2020       which notebooks reach which module of its folder

A row a module: its lines, the chapters whose notebooks reach it (or the command line, or the building
of the book), and how many notebooks those are. What one text alone reaches stands in its folder, what
two or more reach, or the command line, is the floor (tests/test_shelves.py). Benchmarks and the making
of our models may read anything, and decide nothing.

`from package import name` reaches the module that defines the name and not all that the package's
`__init__` brings along, so this asks less than the workflow's `checkout.closure`, which must never
miss a file.
"""

import ast
import csv
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from cwr.cli import checkout

ROOT = Path(__file__).parents[1]
LIBRARY = ROOT / "lib" / "cwr"
COLUMNS = ("module", "lines", "reached by", "notebooks")
BOOK = ("build_book", "course", "reference", "run_notebook", "run_pages")
OTHERS = {  # readers beside the notebooks
    "the command line": sorted(LIBRARY.glob("cli/*.py")),
    "the book": [ROOT / "workflow" / f"{name}.py" for name in BOOK],
}


@cache
def named(module: Path) -> frozenset[Path]:
    """The modules of cwr that a module names in its imports, also inside functions."""
    return frozenset(imported(ast.parse(module.read_text(encoding="utf-8"))))


def imported(tree: ast.Module) -> Iterator[Path]:
    """The modules of cwr that the code of a tree imports.

    Of a package that is imported whole, as in `from cwr import figures`, those that define the names
    that the code takes from it.
    """
    taken = defaultdict(set)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            taken[node.value.id].add(node.attr)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from filter(None, (file(alias.name) for alias in node.names))
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                found = defining(node.module, alias.name)
                package = f"{node.module}.{alias.name}"
                if found is not None and found.name == "__init__.py" and file(package) == found:
                    names = taken[alias.asname or alias.name]
                    yield from filter(None, (defining(package, name) for name in names))
                elif found is not None:
                    yield found


def file(name: str) -> Path | None:
    """The file of a module or package of cwr; None for another name."""
    return checkout.file_of(LIBRARY.parent, name) if name.split(".")[0] == "cwr" else None


def defining(package: str, name: str) -> Path | None:
    """The module that `from package import name` needs: a module, or where the name comes from."""
    module, source = file(f"{package}.{name}"), file(package)
    if module is not None or source is None or source.name != "__init__.py":
        return module or source
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import) and name in {alias.asname for alias in node.names}:
            return None  # as `plt`, another library's
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if name == (alias.asname or alias.name):
                    return defining(node.module, alias.name)
    return source  # defined in the package itself


def reached(start: set[Path]) -> set[Path]:
    """The modules behind some, and these."""
    found, waiting = set(), list(start)
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += named(module)
    return found


@cache
def of_notebook(notebook: Path) -> set[Path]:
    """The modules that a notebook's code reaches; the cell that judges claims does not count."""
    return reached(set(imported(ast.parse(checkout.code_of(notebook)))))


def rows() -> list[tuple]:
    """A tuple of COLUMNS a module, by name."""
    readers, notebooks = defaultdict(set), defaultdict(int)
    for notebook in sorted(ROOT.glob("notebooks/*/*.ipynb")):
        for module in of_notebook(notebook):
            readers[module].add(notebook.parent.name)
            notebooks[module] += 1
    for reader, sources in OTHERS.items():
        for module in reached(set().union(*map(named, sources))):
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
