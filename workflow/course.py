"""Fill a course folder for nbgrader with the assignments: python workflow/course.py

The folder is a complete nbgrader course: settings, source/ (for instructors) and release/ (for
students). Submissions, marks and feedback that nbgrader puts beside them are left alone.
With --seed the students' data are drawn anew, so that published solutions name other letters and numbers.
"""

import argparse
import importlib.util
import itertools
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import nbformat
import numpy as np
from nbgrader.api import Gradebook

from cwr import paths
from cwr.cli import checkout
from cwr.errors import UserError

SETTINGS = "nbgrader_config.py"
NOT_COPIED = shutil.ignore_patterns(".*", "__pycache__")
LETTER = re.compile(r"\b[A-Z]$")  # of a set of data: "A", "words A"
NBGRADER = """
import sys
from nbgrader import apps

for name in sys.argv[3:]:
    print(name, flush=True)
    app = getattr(apps, sys.argv[1])()
    app.initialize([name, *sys.argv[2].split()])
    app.start()
"""
REASON = re.compile(r"^ *(?:\w+\.)*\w*(?:Error|Exception): (.*)", re.MULTILINE)


def build(
    assignments: Path,
    course: Path,
    names: Sequence[str] = (),
    seed: int | None = None,
    fresh: bool = False,
) -> list[Path]:
    """Fill the folder `course` from `assignments` and return the release folders.

    assignments: the settings, and a folder with a notebook for each assignment.
    names: the assignments of the course; without names it has those of its folder source/, or all
    if there is no such folder. seed: the data of those that are copied now are drawn with it.
    What an instructor may have edited in `course`, the settings and source/, stays as it is;
    fresh=True replaces it. Release versions are always written anew.
    Raises UserError for an unknown name, for a seed where the data are there, and with nbgrader's
    reason if it refuses an assignment.
    """
    published = {
        notebook.parent.name: notebook.parent for notebook in assignments.glob("*/*.ipynb")
    }
    source = course / "source"
    course.mkdir(parents=True, exist_ok=True)
    if fresh:
        shutil.rmtree(source, ignore_errors=True)
    if fresh or not (course / SETTINGS).exists():
        shutil.copy(assignments / SETTINGS, course)
    for name in names or (() if source.exists() else published):
        if (source / name).exists():
            if seed is not None:
                raise UserError(f"{source / name} has its data: remove it to draw others")
        elif name in published:
            shutil.copytree(published[name], source / name, ignore=NOT_COPIED)
            if seed is not None:
                draw_data(source / name, seed)
        else:
            raise UserError(f"no assignment {name}: there are {', '.join(sorted(published))}")
    kept = names or [folder.name for folder in source.glob("[!.]*") if folder.is_dir()]
    drop_all_but(course, set(kept))
    release(course, sorted(kept))
    return [course / "release" / name for name in sorted(kept)]


def draw_data(folder: Path, seed: int) -> None:
    """Replace the data file in the folder of an assignment by one that its recipe draws with the seed.

    A draw that does not show what the assignment asks about is drawn again. Sets of data that are
    called A, B, C change their letters, and the model answers say so. An assignment whose data are
    a paper's printed numbers keeps them.
    """
    recipe = _module(next(folder.glob("make_*.py")))
    if not hasattr(recipe, "contents"):
        return
    draws = (recipe.contents(seed + 1000 * attempt) for attempt in itertools.count())
    contents = next(data for data in draws if getattr(recipe, "teaches", bool)(data))
    letters = sorted({name[-1] for name in contents if LETTER.search(name)})
    new = dict(zip(letters, np.random.default_rng(seed).permutation(letters).tolist(), strict=True))
    np.savez_compressed(
        recipe.FILE,
        **{LETTER.sub(lambda at: new[at[0]], name): contents[name] for name in contents},
    )
    renamed = "".join(f", {old} is called {new[old]}" for old in letters)
    note = f"*The students' data are drawn with seed {seed}: numbers are others than here{renamed}.*\n\n"
    file = folder / f"{folder.name}.ipynb"
    notebook = nbformat.read(file, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and cell.metadata.nbgrader.solution:
            cell.source = note + cell.source
    nbformat.write(notebook, file)


def _module(path: Path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    spec.loader.exec_module(module := importlib.util.module_from_spec(spec))
    return module


def drop_all_but(course: Path, names: set[str]) -> None:
    """Take the release versions of other assignments away, and those nobody has handed in from the gradebook."""
    for folder in course.glob("release/*"):
        if folder.name not in names:
            shutil.rmtree(folder)
    if (course / "gradebook.db").exists():
        with Gradebook(f"sqlite:///{course}/gradebook.db", "cwr") as book:
            for assignment in list(book.assignments):
                if assignment.name not in names and not assignment.submissions:
                    book.remove_assignment(assignment.name)


def release(course: Path, names: Sequence[str]) -> None:
    """Have nbgrader write release/<name> from source/<name> of each assignment.

    Solutions, hidden checks and outputs are taken out. Raises UserError with nbgrader's reason.
    """
    process = nbgrader(course, "GenerateAssignmentApp", names, "--force")
    if process.returncode:
        name = process.stdout.splitlines()[-1]
        reasons = [*REASON.findall(process.stderr), "it does not say why"]
        raise UserError(
            f"nbgrader made no release of {name}: {reasons[0]}; "
            f"mend {course / 'source' / name} and run this again"
        )


def nbgrader(
    course: Path, app: str, names: Sequence[str], *options: str
) -> subprocess.CompletedProcess:
    """Run an app of nbgrader on some assignments, in one process; it prints each name before it."""
    command = [sys.executable, "-c", NBGRADER, app, " ".join(options), *names]
    folders = [str(Path(sys.executable).parent), os.environ["PATH"]]  # nbgrader calls alembic
    environment = os.environ | {"PATH": os.pathsep.join(folders)}
    return subprocess.run(command, cwd=course, env=environment, capture_output=True, text=True)


def main() -> None:
    """Fill the course folder that the command line names, and print what is for students."""
    default = checkout.root() / "_build" / "course"
    parser = argparse.ArgumentParser(description="Make a course folder with the release versions.")
    parser.add_argument(
        "--to", type=Path, default=default, help="course folder (default: _build/course)"
    )
    parser.add_argument("--assignments", default="", help="their names (default: see build)")
    parser.add_argument("--seed", type=int, help="draw the students' data with this number")
    options = parser.parse_args()
    course = options.to.expanduser().resolve()
    assignments = checkout.root() / "notebooks" / "assignments"
    try:
        folders = build(
            assignments,
            course,
            options.assignments.split(),
            options.seed,
            fresh=course == default,
        )
    except UserError as error:
        sys.exit(f"course: {error}")
    except OSError as error:
        sys.exit(f"course: {paths.unwritable(error)}")
    for folder in folders:
        print(f"For students: {folder.as_uri()}")


if __name__ == "__main__":
    main()
