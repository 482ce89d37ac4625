"""Finds the code of lib/ that decides the results of a notebook or a script.

Parsing the library takes seconds, so the findings are kept in a file of the checkout. They count
for one state of the library.
"""

import ast
import contextlib
import functools
import hashlib
import json
import sys
from pathlib import Path
from typing import TypedDict

from cwr import paths, source_code

KEPT = Path("_build", "dependencies.json")


class Found(TypedDict):
    """What some code depends on: a digest of its definitions, and their files below lib/, sorted."""

    digest: str
    files: list[str]


def definitions(folder: Path, source: Path) -> frozenset[source_code.Definition]:
    """Returns the library's definitions that a notebook or a script depends on: (file, name) each.

    folder: the checkout. Cells tagged `verdicts` do not count: their outputs are computed again
    with the book. Raises UserError for a file that is not Python.
    """
    return source_code.reached(code_of(source), str(source), folder / "lib")


def digest(folder: Path, source: Path) -> str:
    """Computes a digest of the `definitions` of a notebook or a script; errors as there."""
    return _found(folder, source)["digest"]


def files(folder: Path, source: Path) -> list[Path]:
    """Returns the files of lib/ that a notebook or a script depends on: `definitions` and `tables`.

    Paths are relative to the checkout, sorted. Raises UserError as `definitions`.
    """
    modules = [Path("lib", file) for file in _found(folder, source)["files"]]
    return sorted({*modules, *tables(folder, source)})


def tables(folder: Path, source: Path) -> list[Path]:
    """Returns the .csv files of lib/ that a notebook or a script depends on.

    A module brings the .csv of its own name, and a package those of its folder that belong to no
    module. `papers.printed` brings the tables of the notebook's text, `papers.artifacts` the
    artifacts.csv of all texts.
    Paths are relative to the checkout, sorted. Raises UserError as `definitions`.
    """
    library = folder / "lib" / "cwr"
    modules = {folder / "lib" / file for file in _found(folder, source)["files"]}
    packages = {parent for file in modules for parent in file.relative_to(library).parents}
    found = {table for module in modules if (table := module.with_suffix(".csv")).exists()}
    found.update(*(_shared_tables(library / package) for package in packages))
    if library / "papers" / "printed.py" in modules:
        found.update(_shared_tables(library / "texts" / source.parent.name / "claims"))
    if library / "papers" / "artifacts.py" in modules:
        found.update(library.glob("texts/*/claims/artifacts.csv"))
    return sorted(file.relative_to(folder) for file in found)


def code_of(source: Path) -> str:
    """Returns the code of a script, or of a notebook's cells that are Python.

    Of cells tagged `verdicts` only the imports are kept, which later cells may use.
    """
    text = source.read_text(encoding="utf-8")
    if source.suffix != ".ipynb":
        return text
    codes = []
    for cell in json.loads(text)["cells"]:
        tree = _parsed("".join(cell["source"])) if cell["cell_type"] == "code" else None
        if tree and "verdicts" in cell["metadata"].get("tags", []):
            tree.body = [
                each for each in tree.body if isinstance(each, ast.Import | ast.ImportFrom)
            ]
        if tree:
            codes.append(ast.unparse(tree))
    return "\n".join(codes)


def written(notebook: Path) -> str:
    """Computes a digest of what an author writes: a notebook without its outputs."""
    content = json.loads(notebook.read_text(encoding="utf-8"))
    for cell in content["cells"]:
        cell.pop("outputs", None)
        cell.pop("execution_count", None)
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


# ---- what was found, kept


def keep(folder: Path) -> None:
    """Keeps what this process found about a checkout, unless that is read-only or its disk is full.

    The engine and reruns call this; a command that is refused changes no file. Nothing is kept if
    the library was edited meanwhile.
    """
    state = _state(folder / "lib")
    if _state.__wrapped__(folder / "lib") == state:
        text = json.dumps({"state": state, "found": _kept(folder, state)})
        with contextlib.suppress(OSError):
            paths.write_text(folder / KEPT, text)


def _found(folder: Path, source: Path) -> Found:
    code = hashlib.sha256(code_of(source).encode()).hexdigest()
    kept = _kept(folder, _state(folder / "lib"))
    if code not in kept:
        reached, lib = definitions(folder, source), folder / "lib"
        modules = sorted({file.relative_to(lib).as_posix() for file, _ in reached})
        kept[code] = Found(digest=source_code.digest(reached, lib), files=modules)
    return kept[code]


@functools.cache
def _state(lib: Path) -> str:
    """Computes the sha256 over the library's code, and the version of Python that reads it."""
    total = hashlib.sha256(sys.version.encode())
    for file in sorted(lib.rglob("*.py")):
        total.update(f"{file.relative_to(lib)} {file.stat().st_size}\n".encode())
        total.update(file.read_bytes())
    return total.hexdigest()


@functools.cache
def _kept(folder: Path, state: str) -> dict[str, Found]:
    """Reads {sha256 of code: what was found}; empty if nothing is kept for this state of lib/."""
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        kept = json.loads((folder / KEPT).read_text(encoding="utf-8"))
        if kept["state"] == state:
            return kept["found"]
    return {}


def _shared_tables(package: Path) -> list[Path]:
    """Returns the .csv files of a package that belong to no module, except artifacts.csv."""
    shared = [table for table in package.glob("*.csv") if table.stem != "artifacts"]
    return [table for table in shared if not table.with_suffix(".py").exists()]


def _parsed(code: str) -> ast.Module | None:
    """Parses a cell; None for one that is not Python, which says so when it is run."""
    try:
        return ast.parse(code)
    except SyntaxError:
        return None
