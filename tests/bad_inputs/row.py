"""A row of the table of bad inputs, and how it is tried."""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cwr.cli import checkout as checkouts
from cwr.cli import main
from cwr.errors import UserError

ENVIRONMENT = {
    "DEVICE": "cpu",
    "OMP_NUM_THREADS": "1",
    "HF_HUB_OFFLINE": "1",
    "CWR_DATA": "",
}
RAW = re.compile(r"Traceback|\b\w+(Error|Exception)\b|object has no attribute|\[Errno")
MAY_CHANGE = re.compile(r"^(_build/(\.lock|log)|cache)")  # relative to the checkout


def nothing(checkout: Path) -> None:
    """Leave the checkout as it is."""


@dataclass(frozen=True)
class Row:
    """One bad input.

    kind: the class of the first trial that it belongs to, 1 to 10 (its list heads
        test_bad_inputs.py). what: the input in a few words.
    command: words of a command line (`{checkout}` is the checkout's path), or a function of the
        checkout that raises UserError; it runs with the checkout as the working folder.
    sentence: a regular expression that one line of standard error matches; empty for silence.
    status: the exit status; 0 for a command that names what is broken and goes on with the rest.
    prepare: breaks something in the checkout first.
    kernel: a notebook's kernel is needed; tried on request only.
    """

    kind: int
    what: str
    command: str | Callable[[Path], object]
    sentence: str
    status: int = 2
    prepare: Callable[[Path], None] = nothing
    kernel: bool = False

    def __str__(self) -> str:
        return f"{self.kind}: {self.what}"


@dataclass(frozen=True)
class Outcome:
    """What a command came to."""

    status: int
    out: str
    err: str


def complaints(row: Row, outcome: Outcome) -> list[str]:
    """What is wrong with the outcome of a row; nothing if it is as the table says."""
    lines = [line for line in outcome.err.splitlines() if line.strip()]
    matching = [line for line in lines if row.sentence and re.search(row.sentence, line)]
    refusals = [line for line in lines if line.startswith(("cwr: ", "Error: "))]
    wrong = []
    if outcome.status != row.status:
        wrong.append(f"exit status {outcome.status}, not {row.status}")
    if RAW.search(outcome.err):
        wrong.append("a traceback, or the line of a library")
    if len(matching) != (1 if row.sentence else len(lines)):
        wrong.append(f"{len(matching)} of {len(lines)} lines match")
    if len(refusals) != (1 if row.status == 2 else 0):
        wrong.append(f"{len(refusals)} refusals")
    if row.status == 2 and outcome.out:
        wrong.append("results beside a refusal")
    return wrong


def content(checkout: Path) -> dict[str, bytes | str]:
    """{path: bytes} of all files of a checkout that a refused command must leave as they are."""
    files = {}
    for folder, _, names in os.walk(checkout):  # follows no links
        for name in names:
            path = Path(folder, name)
            relative = path.relative_to(checkout).as_posix()
            if not MAY_CHANGE.match(relative) and path.is_file():
                files[relative] = path.read_bytes()
    return files


# ---- in this process, without any other


def tried(row: Row, checkout: Path, patch) -> Outcome:
    """The outcome of a row in this process; patch: pytest's monkeypatch.

    A command that would start another process, a kernel or the engine, fails: a bad input is
    refused before.
    """
    for name, value in (ENVIRONMENT | {"CWR_CACHE": str(checkout / "cache")}).items():
        patch.setenv(name, value)
    patch.chdir(checkout)
    patch.setattr(checkouts, "root", lambda: checkout)
    patch.setattr(subprocess, "Popen", _refused)
    if callable(row.command):
        return _called(row.command, checkout)
    command, *words = _words(row.command, checkout)
    assert command == "cwr"
    patch.setattr(sys, "argv", ["cwr", *words])
    with _caught() as (out, err):
        status = _status(main.main)
    return Outcome(status, out.getvalue(), err.getvalue())


def _words(command: str, checkout: Path) -> list[str]:
    return [word.replace("{checkout}", str(checkout)) for word in shlex.split(command)]


def _refused(command: list, *_, **__) -> None:
    raise AssertionError(f"a process was started: {command}")


@contextlib.contextmanager
def _caught() -> Iterator[tuple[io.StringIO, io.StringIO]]:
    """Standard output and standard error, as they are written meanwhile."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        yield out, err


def _status(command: Callable[[], None]) -> int:
    try:
        command()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def _called(function: Callable[[Path], object], checkout: Path) -> Outcome:
    try:
        with _caught() as (out, err):
            function(checkout)
    except UserError as error:
        return Outcome(2, "", f"cwr: {error}\n")
    return Outcome(0, out.getvalue(), err.getvalue())


# ---- by the real command line


def run(row: Row, checkout: Path) -> Outcome:
    """The outcome of a row's command in processes of its own, kernels and all."""
    settings = {"PYTHONPATH": str(checkout / "lib"), "CWR_CACHE": str(checkout / "cache")}
    command, *words = _words(row.command, checkout)
    program = {"cwr": ["-m", "cwr.cli.main"], "run_notebook": ["workflow/run_notebook.py"]}
    done = subprocess.run(
        [sys.executable, *program[command], *words],
        cwd=checkout,
        env=os.environ | ENVIRONMENT | settings,
        capture_output=True,
        text=True,
        timeout=300,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)
