"""What a checkout of the book holds: its notebooks, its profiles, and which files decide a notebook's results."""
import ast
import difflib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

import cwr
from cwr import parameters
from cwr.errors import UserError

NOT_RUN_BY_ITSELF = {"assignments", "profiles"}     # folders of notebooks/


def root() -> Path:
    """Folder of the checkout that this library belongs to. Raises UserError for a library without its book."""
    folder = Path(cwr.__file__).resolve().parents[2]
    if not (folder / "workflow" / "Snakefile").exists():
        raise UserError("this cwr was installed without its book: clone the repository and run `make book` in it")
    return folder


def notebooks(folder: Path) -> list[str]:
    """Names '<paper>/<NN_name>' of all notebooks that the workflow runs, in order."""
    found = (path.relative_to(folder / "notebooks").with_suffix("") for path in folder.glob("notebooks/*/*.ipynb"))
    return sorted(name.as_posix() for name in found
                  if name.parts[0] not in NOT_RUN_BY_ITSELF and not name.parts[0].startswith("."))


def of_chapters(folder: Path, chapters: Iterable[str]) -> list[str]:
    """Names of the notebooks of some chapters (folders of notebooks/), in order; of all chapters if none is named.

    Raises UserError for a chapter that does not exist.
    """
    names = notebooks(folder)
    known = sorted({name.split("/")[0] for name in names})
    for chapter in chapters:
        if chapter not in known:
            near = difflib.get_close_matches(chapter, known, n=1, cutoff=0)
            hint = f"did you mean '{near[0]}'?" if near else ""
            raise UserError(f"there is no chapter '{chapter}': {hint} There are {', '.join(known)}")
    wanted = set(chapters) or set(known)
    return [name for name in names if name.split("/")[0] in wanted]


def path(folder: Path, name: str) -> Path:
    """The file of a notebook's name."""
    return folder / "notebooks" / f"{name}.ipynb"


def chosen(folder: Path, said: str) -> list[str]:
    """Names of the notebooks that a reader means by a name, a path, or a paper (all of its notebooks)."""
    names = notebooks(folder)
    name = Path(said).absolute().with_suffix("") if said.endswith(".ipynb") else None
    if name is not None and name.is_relative_to(folder / "notebooks"):
        said = name.relative_to(folder / "notebooks").as_posix()
    found = [name for name in names if said.strip("/") in (name, name.split("/")[0])]
    if not found:
        near = difflib.get_close_matches(said, [*names, *(name.split("/")[0] for name in names)], n=1, cutoff=0)
        raise UserError(f"there is no notebook '{said}'" + (f": did you mean '{near[0]}'?" if near else "")
                        + " (`cwr list notebooks` shows all)")
    return found


def overrides(folder: Path, profile: str, name: str) -> dict[str, Any]:
    """What a profile sets for a notebook: its own entries, and of the entry `default` what the notebook declares.

    Raises UserError for a profile that does not exist, a notebook in it that does not, a parameter that no
    notebook has, and a value of the wrong type.
    """
    said = _profile(folder, profile)
    declared = parameters.read(path(folder, name))
    given = {key: value for key, value in said.get("default", {}).items() if key in declared} | said.get(name, {})
    checked = parameters.validate(path(folder, name), given)
    return {key: checked[key] for key in sorted(given)}


def check_profile(folder: Path, profile: str) -> None:
    """Refuse a profile with a notebook that does not exist or a default that no notebook declares."""
    names, said = notebooks(folder), _profile(folder, profile)
    if strange := [name for name in said if name not in [*names, "default"]]:
        raise UserError(f"profile {profile} sets parameters of '{strange[0]}', which is no notebook of this book; "
                        f"mend notebooks/profiles/{profile}.yaml")
    declared = {parameter for name in names for parameter in parameters.read(path(folder, name))}
    if strange := [key for key in said.get("default", {}) if key not in declared]:
        raise UserError(f"profile {profile} sets '{strange[0]}', which is a parameter of no notebook; "
                        f"mend notebooks/profiles/{profile}.yaml")


def _profile(folder: Path, profile: str) -> dict[str, dict[str, Any]]:
    file = folder / "notebooks" / "profiles" / f"{profile}.yaml"
    if not file.exists():
        there = sorted(other.stem for other in file.parent.glob("*.yaml"))
        raise UserError(f"there is no profile '{profile}'; there are {', '.join(there)}")
    return yaml.safe_load(file.read_text(encoding="utf-8")) or {}


def closure(folder: Path, source: Path) -> list[Path]:
    """Files of lib/ whose content decides what a notebook or a script does: all it imports from cwr, at any depth.

    Imports inside functions count. The cell tagged `verdicts` does not: its output is made anew with the book.
    With a module come its parent packages, a .csv of its own name, and the other .csv files of its package; with
    `papers.printed` come the tables of the notebook's paper. Paths are relative to the checkout, sorted.
    """
    files, todo = set(), _imported(_code(source), source)
    while todo:
        file = _file(folder / "lib", todo.pop())
        if file is not None and file not in files:
            files.add(file)
            todo |= _imported(file.read_text(encoding="utf-8"), file)
    files |= {file.with_suffix(".csv") for file in files if file.with_suffix(".csv").exists()}
    files |= {table for file in files if file.name == "__init__.py" for table in _tables(file.parent)}
    papers = folder / "lib" / "cwr" / "papers"
    if papers / "printed.py" in files:
        files |= set(_tables(papers / source.parent.name))
    return sorted(file.relative_to(folder) for file in files)


def _tables(package: Path) -> list[Path]:
    """The .csv files of a package that belong to no single module of it."""
    return [table for table in package.glob("*.csv") if not table.with_suffix(".py").exists()]


def _code(source: Path) -> str:
    """Python of a script, or of a notebook's code cells that can be read as such."""
    text = source.read_text(encoding="utf-8")
    if source.suffix != ".ipynb":
        return text
    cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"
             and "verdicts" not in cell["metadata"].get("tags", [])]
    return "\n".join(code for cell in cells if _is_python(code := "".join(cell["source"])))


def _is_python(code: str) -> bool:
    try:
        ast.parse(code)
    except SyntaxError:     # such a cell says so when it is run
        return False
    return True


def _imported(code: str, file: Path) -> set[str]:
    """Dotted names below cwr that the code of a file may import, and their parents."""
    try:
        nodes = ast.walk(ast.parse(code))
    except SyntaxError as error:
        raise UserError(f"{file} is not Python: {error.msg} (line {error.lineno}); mend it") from None
    names = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {parent for name in names if name.split(".")[0] == "cwr" for parent in _with_parents(name)}


def _with_parents(name: str) -> Iterable[str]:
    parts = name.split(".")
    return (".".join(parts[:length]) for length in range(1, len(parts) + 1))


def _file(lib: Path, module: str) -> Path | None:
    """File of a module or package; None for a name that is something inside a module."""
    place = lib.joinpath(*module.split("."))
    return next((file for file in (place.with_suffix(".py"), place / "__init__.py") if file.exists()), None)
