"""Runs the workflow engine for `cwr build` and `cwr run`: one run at a time, readable progress."""

import base64
import errno
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from filelock import FileLock, Timeout

from cwr import paths
from cwr.cli import elsewhere, tether, warm_kernels
from cwr.errors import UserError

FULL = 1_000_000  # bytes: a disk with fewer of them free is full
HERE = "local"  # the folder of workflow/ with the engine's settings on one machine
THREADS_ELSEWHERE = 2  # of a notebook with models; a small one gains little from more
BUSY = 75  # exit status when another run is at work
PLANNED = re.compile(r"^notebook\s+(\d+)\s*$", re.MULTILINE)
ENDED = re.compile(r"(?:died with <Signals\.\w+: (\d+)>|exit status (\d+))\.$", re.MULTILINE)
EDITED = re.compile(r"Output (\S+) has older modification time .* than input (\S+)")


class Busy(UserError):
    """The error for a checkout whose lock another run holds."""


@dataclass
class Outcome:
    """The result of a run of the engine.

    status: exit status; negative for a signal. started: names of the notebooks that began.
    done, failed: a line for each notebook that ended, its name first.
    book: whether the build of the book was begun.
    """

    status: int = 0
    started: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    book: bool = False

    @property
    def killed(self) -> list[str]:
        """The names of the notebooks that began and reported no end."""
        ended = {re.split(r"[ ,]", line)[0] for line in [*self.done, *self.failed]}
        return [name for name in self.started if name not in ended]

    @property
    def ended(self) -> int:
        """The number of notebooks that are done or failed."""
        return len(self.done) + len(self.failed)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Holds the checkout's lock during the block; the system frees it when the process dies.

    Raises Busy if another run has the lock.
    """
    (folder / "_build").mkdir(exist_ok=True)
    holder = folder / "_build" / ".lock_holder"  # not the lock, which a second command empties
    try:
        with FileLock(folder / "_build" / ".lock", timeout=0):
            holder.write_text(str(os.getpid()))
            yield
    except Timeout:
        raise Busy(
            f"another cwr is at work in {folder} (process {text_of(holder) or 'unknown'}): "
            "wait until it has ended, then repeat the command"
        ) from None


# ---- a run


def run(
    folder: Path,
    profile: str,
    jobs: int,
    targets: Iterable[str],
    say: Callable[[str], None],
    chapters: str = "",
    on: str = HERE,
    shares: int = 1,
) -> Outcome:
    """Brings the targets up to date; returns the outcome.

    jobs: how many notebooks run at once; each may use its share of this machine's cores. say: gets
        a line whenever something starts or ends. chapters: the book's chapters, separated by
        blanks; empty for all. on: the folder of workflow/ with the engine's settings for the place
        to run. shares: how many jobs share the passes of a notebook before it is run.
    """
    is_here = on == HERE
    elsewhere.forget(folder)
    log = folder / "_build" / "log" / "engine.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with (
        log.open("w", encoding="utf-8") as messages,
        kernels(folder, jobs) if is_here else nullcontext({}) as address,
        subprocess.Popen(
            command(profile, jobs, targets, chapters, on, shares),
            cwd=folder,
            env=os.environ | tether.to_me() | address,
            stdout=subprocess.PIPE,
            stderr=messages,
            text=True,
        ) as engine,
    ):
        try:
            on_record = partial(booked, folder, engine, profile)
            told = engine.stdout if is_here else elsewhere.lines(folder, engine)
            outcome = follow(told, lambda: total(log), say, on_record)
            outcome.status = engine.wait()
        except KeyboardInterrupt:  # the engine got it too; let it end what it must
            engine.wait()
            raise
    for name in outcome.killed:
        paths.recover(folder / "_build" / "run" / profile / name)
    return outcome


def command(
    profile: str,
    jobs: int,
    targets: Iterable[str],
    chapters: str = "",
    on: str = HERE,
    shares: int = 1,
) -> list[str]:
    """Returns the engine's command line.

    On this machine the engine gets one core more than the notebooks with models use, for a notebook
    that runs no model (see the Snakefile). `jobs` notebooks with models run at once; they take
    turns on a GPU. Elsewhere `jobs` jobs are submitted at once; the scheduler assigns cores and
    GPUs.
    """
    if on == HERE:
        threads, gpus = threads_of(jobs), int(has_gpu())
        resources = [f"models={jobs}", *["gpu=1"] * gpus]
        limits = ["--cores", str(threads * jobs + 1), "--resources", *resources]
    else:
        threads, gpus = THREADS_ELSEWHERE, int(os.environ.get("DEVICE", "").startswith("cuda"))
        limits = ["--jobs", str(jobs)]
    settings = [f"profile={profile}", f"threads={threads}", f"chapters={chapters!r}"]
    return [
        sys.executable,
        "-m",
        "snakemake",
        "--profile",
        f"workflow/{on}",
        *limits,
        "--config",
        *settings,
        f"gpu={gpus}",
        f"shares={shares}",
        "--",
        *targets,
    ]


def kernels(folder: Path, jobs: int) -> AbstractContextManager[dict[str, str]]:
    """Returns a context with a server that forks kernels (`warm_kernels`), on Linux without a GPU.

    The context yields the environment variables by which runners find the server. Elsewhere it
    yields none and starts no server: CUDA does not survive a fork.
    """
    if sys.platform != "linux" or has_gpu():
        return nullcontext({})
    return warm_kernels.server(folder, threads_of(jobs))


def threads_of(jobs: int) -> int:
    """Returns how many threads each of `jobs` notebooks that run at once may use."""
    return max(1, cores() // jobs)


def cores() -> int:
    """Returns how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def has_gpu() -> bool:
    """Tells whether notebooks will probably compute on a GPU; torch is not imported."""
    device = os.environ.get("DEVICE", "")
    if device:
        return device.startswith("cuda")
    return shutil.which("nvidia-smi") is not None


def follow(
    lines: Iterable[str],
    total: Callable[[], int],
    say: Callable[[str], None],
    booked: Callable[[str], bool] = lambda name: True,
) -> Outcome:
    """Reports the events that jobs print ("start ...", "done ...", "failed ...") to `say`, counted.

    total: returns the number of notebooks of this run, 0 while it is unknown.
    booked: waits until the engine has recorded a finished notebook; returns whether it did. Only a
        recorded notebook is reported as done, so that it never runs again.
    """
    outcome = Outcome()
    for line in lines:
        event, _, text = line.rstrip("\n").partition(" ")
        if event == "start" and text == "the book":
            outcome.book = True
            say("building the book ...")
        elif event == "start":
            outcome.started.append(text)
            say(f"{text} ...")
        elif event == "done" and booked(text.split()[0]):
            outcome.done.append(text)
            say(f"{_count(outcome, total())} {text}")
        elif event == "failed":
            outcome.failed.append(text)
            say(f"{_count(outcome, total())} FAILED {text}")
    return outcome


def booked(folder: Path, engine: subprocess.Popen, profile: str, name: str) -> bool:
    """Waits until the engine has recorded a notebook's results; returns whether it did.

    False if the engine ended before that: it would run the notebook again. The engine marks
    unfinished outputs by files named in base64.
    """
    while True:
        is_running = engine.poll() is None
        marks = [mark.name for mark in (folder / ".snakemake" / "incomplete").glob("*")]
        if not any(f"/{profile}/{name}/" in _decoded(mark) for mark in marks):
            return True
        if not is_running:
            return False
        time.sleep(0.02)


def _decoded(mark: str) -> str:
    """Returns the output that the engine's mark names; "" for a mark of another kind."""
    try:
        return base64.urlsafe_b64decode(mark).decode()
    except ValueError:
        return ""


def _count(outcome: Outcome, total: int) -> str:
    return f"[{outcome.ended}/{max(total, outcome.ended)}]"


def total(log: Path) -> int:
    """Returns how many notebooks the engine plans to run, by its log; 0 if the log does not say."""
    planned = PLANNED.search(text_of(log))
    return int(planned[1]) if planned else 0


# ---- what went wrong


def explain(folder: Path, outcome: Outcome, say: Callable[[str], None]) -> None:
    """Reports why a run failed: the failed notebooks' first error lines, or the end of the log."""
    logs = folder / "_build" / "log"
    messages = text_of(logs / "engine.log")
    edited = EDITED.search(messages)
    if outcome.failed:
        say(
            f"{len(outcome.failed)} of {outcome.ended} notebooks failed "
            "(how far they came: _build/failed/):"
        )
        for line in outcome.failed:
            say(f"  {line}")
    if os.strerror(errno.ENOSPC) in messages or shutil.disk_usage(logs).free < FULL:
        say(paths.unwritable(OSError(errno.ENOSPC, "", str(folder / "_build"))))
    elif outcome.killed and outcome.status > 0:
        for name in outcome.killed:
            say(f"{name} {end_of(_status_of(name, messages))}")
    elif outcome.status < 0:
        say(
            f"the workflow engine was killed (signal {-outcome.status}): repeat the command, and "
            "it goes on from there"
        )
    elif edited:
        say(f"{edited[2]} was edited while {edited[1]} was being made from it: repeat the command")
    elif outcome.book:
        say(last_lines(logs / "book.log", 3))
    elif not outcome.failed:
        say(f"the workflow engine stopped; the end of its log {logs / 'engine.log'}:")
        say(last_lines(logs / "engine.log", 15))


def end_of(status: int | None) -> str:
    """Returns a phrase on the end of a process that left no message.

    status: the exit status, negative for a signal; None if unknown.
    """
    if status == -signal.SIGKILL:
        return (
            "was killed (signal 9), most often for lack of memory: free some and repeat the "
            "command, or run it with fewer jobs"
        )
    if status is not None and status < 0:
        return f"was ended by {signal.Signals(-status).name} (signal {-status}): repeat the command"
    return f"ended without a word (exit status {'unknown' if status is None else status})"


def _status_of(name: str, messages: str) -> int | None:
    """Returns the exit status of a notebook's runner by the engine's messages; None if unknown."""
    of_runner = [line for line in messages.splitlines() if f" notebooks/{name}.ipynb " in line]
    ends = ENDED.search("\n".join(of_runner))
    return (-int(ends[1]) if ends[1] else int(ends[2])) if ends else None


def text_of(log: Path) -> str:
    """Returns the text of a log; "" if there is none."""
    return log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""


def last_lines(log: Path, count: int) -> str:
    """Returns the last `count` lines of a log that are not blank."""
    lines = [line for line in text_of(log).splitlines() if line.strip()]
    return "\n".join(lines[-count:])


# ---- targets


def results_of(profile: str, names: Iterable[str]) -> list[str]:
    """Returns the engine's targets for notebooks: their executed copies."""
    return [f"_build/run/{profile}/{name}/notebook.ipynb" for name in names]


def book(folder: Path) -> tuple[str, Path]:
    """Returns the engine's target for the book, and the file of the book's first page.

    A book whose first page was removed is marked to be built again.
    """
    index = folder / "_build" / "html" / "index.html"
    if not index.exists():
        (folder / "_build" / "book.done").unlink(missing_ok=True)
    return "_build/book.done", index
