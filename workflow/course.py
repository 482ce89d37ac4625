"""Make a course folder for nbgrader with the release versions of the assignments: python workflow/course.py

The folder is a complete nbgrader course: settings, source/ (for instructors) and release/ (for students).
Submissions, marks and feedback that nbgrader puts beside them are left alone.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from cwr.cli import checkout
from cwr.errors import UserError

SETTINGS = "nbgrader_config.py"


def build(assignments: Path, course: Path, fresh: bool = False) -> list[Path]:
    """Fill the folder `course` from `assignments` (settings, one folder an assignment); the release folders.

    What an instructor may have edited in `course`, the settings and source/, is kept if it is there;
    fresh=True replaces it. Release versions are made anew. Raises UserError with nbgrader's reason.
    """
    course.mkdir(parents=True, exist_ok=True)
    if fresh:
        shutil.rmtree(course / "source", ignore_errors=True)
    if fresh or not (course / SETTINGS).exists():
        shutil.copy(assignments / SETTINGS, course)
    for notebook in sorted(assignments.glob("*/*.ipynb")):
        source = course / "source" / notebook.parent.name
        if not source.exists():
            shutil.copytree(notebook.parent, source, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    sources = [folder for folder in sorted((course / "source").glob("[!.]*")) if folder.is_dir()]
    return [release(course, source.name) for source in sources]


def release(course: Path, name: str) -> Path:
    """release/<name> as nbgrader makes it from source/<name>: without solutions, hidden checks and outputs."""
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])   # it calls alembic
    done = subprocess.run([sys.executable, "-m", "nbgrader", "generate_assignment", name, "--force"],
                          cwd=course, env=os.environ | {"PATH": programs}, capture_output=True, text=True)
    if done.returncode:
        reasons = re.findall(r"^ *(?:\w+\.)*\w*(?:Error|Exception): (.*)", done.stderr, re.MULTILINE)
        raise UserError(f"nbgrader made no release of {name}: {(reasons or ['it does not say why'])[0]}; "
                        f"mend {course / 'source' / name} and run this again")
    return course / "release" / name


def main() -> None:
    ours = checkout.root() / "_build" / "course"
    parser = argparse.ArgumentParser(description="Make a course folder with the release versions.")
    parser.add_argument("--to", type=Path, default=ours, help="course folder (default: _build/course)")
    course = parser.parse_args().to.expanduser().resolve()
    try:
        made = build(checkout.root() / "notebooks" / "assignments", course, fresh=course == ours)
    except UserError as error:
        sys.exit(f"course: {error}")
    for folder in made:
        print(f"For students: {folder.as_uri()}")


if __name__ == "__main__":
    main()
