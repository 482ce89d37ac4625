"""Fill a course folder for nbgrader with the assignments: python workflow/course.py

The folder is a complete nbgrader course: settings, source/ (for instructors) and release/ (for
students). Submissions, marks and feedback that nbgrader puts beside them are left alone.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from cwr import paths
from cwr.cli import checkout
from cwr.errors import UserError

SETTINGS = "nbgrader_config.py"
NOT_COPIED = shutil.ignore_patterns(".*", "__pycache__")
REASON = re.compile(r"^ *(?:\w+\.)*\w*(?:Error|Exception): (.*)", re.MULTILINE)


def build(assignments: Path, course: Path, fresh: bool = False) -> list[Path]:
    """Fill the folder `course` from `assignments` and return the release folders.

    assignments: the settings, and a folder with a notebook for each assignment.
    What an instructor may have edited in `course`, the settings and source/, stays as it is;
    fresh=True replaces it. Release versions are always written anew.
    Raises UserError with nbgrader's reason if it refuses an assignment.
    """
    course.mkdir(parents=True, exist_ok=True)
    if fresh:
        shutil.rmtree(course / "source", ignore_errors=True)
    if fresh or not (course / SETTINGS).exists():
        shutil.copy(assignments / SETTINGS, course)
    for notebook in sorted(assignments.glob("*/*.ipynb")):
        source = course / "source" / notebook.parent.name
        if not source.exists():
            shutil.copytree(notebook.parent, source, ignore=NOT_COPIED)
    folders = sorted((course / "source").glob("[!.]*"))
    return [release(course, folder.name) for folder in folders if folder.is_dir()]


def release(course: Path, name: str) -> Path:
    """The folder release/<name>, which nbgrader writes from source/<name>.

    Solutions, hidden checks and outputs are taken out. Raises UserError with nbgrader's reason.
    """
    command = [sys.executable, "-m", "nbgrader", "generate_assignment", name, "--force"]
    folders = [str(Path(sys.executable).parent), os.environ["PATH"]]  # nbgrader calls alembic
    environment = os.environ | {"PATH": os.pathsep.join(folders)}
    process = subprocess.run(command, cwd=course, env=environment, capture_output=True, text=True)
    if process.returncode:
        reasons = [*REASON.findall(process.stderr), "it does not say why"]
        raise UserError(
            f"nbgrader made no release of {name}: {reasons[0]}; "
            f"mend {course / 'source' / name} and run this again"
        )
    return course / "release" / name


def main() -> None:
    """Fill the course folder that the command line names, and print what is for students."""
    default = checkout.root() / "_build" / "course"
    parser = argparse.ArgumentParser(description="Make a course folder with the release versions.")
    parser.add_argument(
        "--to", type=Path, default=default, help="course folder (default: _build/course)"
    )
    course = parser.parse_args().to.expanduser().resolve()
    assignments = checkout.root() / "notebooks" / "assignments"
    try:
        folders = build(assignments, course, fresh=course == default)
    except UserError as error:
        sys.exit(f"course: {error}")
    except OSError as error:
        sys.exit(f"course: {paths.unwritable(error)}")
    for folder in folders:
        print(f"For students: {folder.as_uri()}")


if __name__ == "__main__":
    main()
