"""A notebook run with other parameters, into a folder of its own: runs/<paper>/<NN_name>/<hash of the parameters>/."""
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from cwr import parameters
from cwr.cli import checkout, engine, notebook_page, tether

KEPT = ("requirements.lock", "models.lock", "workflow/run_notebook.py")     # besides the notebook and what it imports
MARK = "in_book"        # an empty file of this name lists the run on the book's page "your runs"


def folder_of(folder: Path, name: str, values: dict[str, Any]) -> Path:
    """Where the run of a notebook with these parameters (all of them, defaults too) belongs."""
    told = json.dumps(values, sort_keys=True)
    return folder / "runs" / name / hashlib.sha256(told.encode()).hexdigest()[:10]


def run(folder: Path, name: str, given: dict[str, Any], say: Callable[[str], None],
        add_to_book: bool = False) -> str | None:
    """Run a notebook unless the same run is there already, say where its page is, and return what failed, if so."""
    notebook = checkout.path(folder, name)
    values = parameters.validate(notebook, given)
    out, state = folder_of(folder, name, values), state_of(folder, name, values)
    record = out / "run.json"
    if record.exists() and json.loads(record.read_text(encoding="utf-8"))["state"] == state:
        say(f"{name}: these results are there already")
    else:
        outcome = execute(folder, notebook, out, given, say)
        if outcome.status:
            return (outcome.failed or [f"{name}, it ended without a word (exit status {outcome.status})"])[0]
        notebook_page.write(out / "notebook.ipynb", out / "index.html", title=name)
        record.write_text(json.dumps({"parameters": values, "state": state}, indent=1) + "\n", encoding="utf-8")
    if add_to_book:
        (out / MARK).touch()
    say(f"  {(out / 'index.html').as_uri()}")
    return None


def execute(folder: Path, notebook: Path, out: Path, given: dict[str, Any],
            say: Callable[[str], None]) -> engine.Outcome:
    """Run the notebook through the workflow's own runner, in the folder we are in (parameters may name files in it)."""
    command = [sys.executable, str(folder / "workflow" / "run_notebook.py"), str(notebook), "--out", str(out),
               "--given", json.dumps(given), "--threads", str(engine.cores())]
    log = folder / "_build" / "log" / f"rerun__{out.parent.parent.name}__{out.parent.name}__{out.name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w", encoding="utf-8") as noise, subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=noise, text=True, env=os.environ | tether.to_me()) as runner:
        outcome = engine.follow(runner.stdout, lambda: 1, say)
        outcome.status = runner.wait()
    return outcome


def state_of(folder: Path, name: str, values: dict[str, Any]) -> str:
    """Digest of all that decides the results: notebook, imported library files, versions, files named in values."""
    notebook, digest = checkout.path(folder, name), hashlib.sha256()
    for file in [notebook, *(folder / kept for kept in [*KEPT, *checkout.closure(folder, notebook)])]:
        digest.update(f"{file.relative_to(folder)} {hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    for file in named_files(values):    # a model may be large: its files are known by size and time
        digest.update(f"{file} {file.stat().st_size} {file.stat().st_mtime_ns}\n".encode())
    return digest.hexdigest()


def named_files(value: Any) -> Iterator[Path]:
    """Files that the texts in a parameter's value name, alone or as the content of a folder."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for part in value:
            yield from named_files(part)
    elif isinstance(value, str) and value and Path(value).expanduser().exists():
        place = Path(value).expanduser().resolve()
        yield from [place] if place.is_file() else sorted(file for file in place.rglob("*") if file.is_file())
