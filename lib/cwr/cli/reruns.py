"""Runs a notebook with other parameters, into its own folder runs/<paper>/<NN_name>/<hash>/."""

import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from cwr import parameters, paths
from cwr.cli import checkout, dependencies, engine, tether
from cwr.cli.progress import Progress

# These decide results too, besides the notebook and what it imports.
PINS = ("requirements.lock", "models.lock", "workflow/run_notebook.py")
# What a run of a notebook leaves, besides its figures.
RESULTS = ("notebook.ipynb", "results.json", "replicates.npz", "provenance.json")
MARK = "in_book"  # an empty file beside a page: the book lists it


def folder_of(folder: Path, name: str, values: dict[str, Any]) -> Path:
    """Returns the folder for a notebook's run with these parameters.

    folder: the checkout. name: the notebook's. values: {parameter: value} of all parameters.
    """
    text = json.dumps(values, sort_keys=True)
    return folder / "runs" / name / hashlib.sha256(text.encode()).hexdigest()[:10]


def run_all(
    folder: Path,
    settings: dict[str, dict[str, Any]],
    jobs: int,
    say: Callable[[str], None],
    complain: Callable[[str], None],
) -> list[str]:
    """Runs notebooks, `jobs` at a time; returns the names of those that are done.

    folder: the checkout. settings: {notebook: {parameter: value}}, without defaults. say, complain:
        as in `Progress`. On a GPU the notebooks take turns.
    """
    progress = Progress(folder, len(settings), say, complain)
    at_once = 1 if engine.has_gpu() else jobs
    asked, threads = time.time(), engine.threads_of(at_once)

    def run_one(name: str) -> bool:
        return run(folder, name, settings[name], asked, threads, progress)

    with ThreadPoolExecutor(at_once) as pool:
        try:
            are_done = list(pool.map(run_one, settings))
        except BaseException:  # an interrupt, too: what has not begun does not begin
            pool.shutdown(cancel_futures=True)
            raise
    dependencies.keep(folder)
    return [name for name, is_done in zip(settings, are_done, strict=True) if is_done]


def run(
    folder: Path, name: str, changes: dict[str, Any], asked: float, threads: int, progress: Progress
) -> bool:
    """Runs a notebook, unless its results exist already; returns whether they exist now.

    folder: the checkout. name: the notebook's. changes: parameters, without defaults. asked: when
        the command began, in seconds since 1970, the same for all its reruns. threads: how many the
        numerical libraries may use.
    Raises UserError for a parameter that the notebook does not have, and for a value that it
    refuses.
    """
    notebook = checkout.path(folder, name)
    values = parameters.validate(notebook, changes)
    out = folder_of(folder, name, values)
    state = state_of(folder, name, values)
    if _state_of_last_run(out) == state:
        progress.is_there(name)
    else:
        progress.begins(name)
        outcome = execute(folder, notebook, out, changes, threads)
        if outcome.status:
            silence = f"{name}, it {engine.end_of(outcome.status)}"
            progress.failed(next(iter(outcome.failed), silence))
            return False
        progress.done(outcome.done[0])
    record = {"parameters": values, "given": changes, "state": state, "asked": asked}
    paths.write_text(out / "run.json", json.dumps(record, indent=1) + "\n")
    return True


def _state_of_last_run(out: Path) -> str | None:
    """Returns the `state_of` at which the results in this folder were written.

    None if a file of the results is missing, or if the record cannot be read.
    """
    if not all((out / name).exists() for name in RESULTS):
        return None
    try:
        return json.loads((out / "run.json").read_bytes())["state"]
    except (OSError, ValueError, LookupError, TypeError):  # half written, or edited: run again
        return None


def execute(
    folder: Path, notebook: Path, out: Path, changes: dict[str, Any], threads: int
) -> engine.Outcome:
    """Runs the notebook by the workflow's runner; returns the outcome.

    The working folder stays that of this process, as parameters may name files in it.
    """
    command = [
        sys.executable,
        str(folder / "workflow" / "run_notebook.py"),
        str(notebook),
        "--out",
        str(out),
        "--given",
        json.dumps(changes),
        "--threads",
        str(threads),
    ]
    run_name = "__".join(["rerun", *out.parts[-3:]])
    log = folder / "_build" / "log" / f"{run_name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    environment = os.environ | tether.to_me()
    with (
        log.open("w", encoding="utf-8") as messages,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=messages, text=True, env=environment
        ) as runner,
    ):
        outcome = engine.follow(runner.stdout, lambda: 1, _silent)
        outcome.status = runner.wait()
    return outcome


def _silent(line: str) -> None:
    """Says nothing."""


def state_of(folder: Path, name: str, values: dict[str, Any]) -> str:
    """Returns a digest of all that decides the results of a notebook with these parameters.

    It covers the notebook, the definitions of the library that it depends on, the pinned versions,
    and the files that parameters name.
    """
    notebook = checkout.path(folder, name)
    digest = hashlib.sha256(dependencies.digest(folder, notebook).encode())
    digest.update(dependencies.written(notebook).encode())
    for file in (folder / path for path in (*PINS, *dependencies.tables(folder, notebook))):
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        digest.update(f"{file.relative_to(folder)} {content}\n".encode())
    for file in named_files(values):  # a model may be large: size and time must do
        stat = file.stat()
        digest.update(f"{file} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def named_files(value: Any) -> Iterator[Path]:
    """Yields the files that the texts in a parameter's value name, and the files in named folders.

    Subfolders are not searched: they could be a whole disk, and a model's files lie on top.
    """
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for item in value:
            yield from named_files(item)
    elif isinstance(value, str) and value:
        path = paths.named(value)
        if path and path.is_file():
            yield path.resolve()
        elif path:
            yield from sorted(file for file in path.resolve().glob("*") if file.is_file())
