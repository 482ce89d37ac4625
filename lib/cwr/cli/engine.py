"""The workflow engine behind `cwr build` and `cwr run`: one run at a time, progress and failures a person can read."""
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from filelock import FileLock, Timeout

from cwr.cli import checkout, tether
from cwr.errors import UserError

BUSY = 75       # exit status of a run that found another one at work


class Busy(UserError):
    """Another run holds the lock of this checkout."""


@dataclass
class Outcome:
    """What a run of the engine came to: its exit status, what it ran, and a line for each notebook that failed."""
    status: int = 0
    done: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    book: bool = False


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold the checkout's lock, which the system frees when its holder dies. Raises Busy if another run has it."""
    (folder / "_build").mkdir(exist_ok=True)
    try:
        with FileLock(folder / "_build" / ".lock", timeout=0):
            yield
    except Timeout:
        raise Busy(f"another cwr is at work in {folder}: wait until it has ended, then repeat the command") from None


def run(folder: Path, profile: str, jobs: int, targets: Iterable[str], say: Callable[[str], None],
        chapters: str = "") -> Outcome:
    """Bring the targets up to date. `say` gets a line of progress whenever something starts or ends.

    jobs: how many notebooks at once; each may use its share of this machine's cores. chapters: those of the book, names
    with blanks between; empty for all.
    """
    log = folder / "_build" / "log" / "engine.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w", encoding="utf-8") as chatter, subprocess.Popen(
            command(profile, jobs, targets, chapters), cwd=folder, stdout=subprocess.PIPE, stderr=chatter, text=True,
            env=os.environ | tether.to_me()) as engine:
        try:
            outcome = follow(engine.stdout, lambda: total(log), say)
            outcome.status = engine.wait()
        except KeyboardInterrupt:       # the engine was told as well; let it end what it must
            engine.wait()
            raise
    return outcome


def command(profile: str, jobs: int, targets: Iterable[str], chapters: str = "") -> list[str]:
    """The engine's command line. One core more than there are is for a notebook without a model (see Snakefile)."""
    threads = max(1, cores() // jobs)
    limits = [f"models={jobs}"] + ["gpu=1"] * has_gpu()      # notebooks with models; they take turns on a GPU
    return [sys.executable, "-m", "snakemake", "--profile", "workflow/local", "--cores", str(threads * jobs + 1),
            "--resources", *limits, "--config", f"profile={profile}", f"threads={threads}",
            f"chapters={chapters!r}", "--", *targets]


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def has_gpu() -> bool:
    """Whether notebooks will compute on a GPU, as far as can be told without importing torch."""
    device = os.environ.get("DEVICE", "")
    return device.startswith("cuda") or (not device and shutil.which("nvidia-smi") is not None)


def follow(lines: Iterable[str], total: Callable[[], int], say: Callable[[str], None]) -> Outcome:
    """Read what the jobs print ("start ...", "done ...", "failed ...") and retell it with a count."""
    outcome = Outcome()
    for line in lines:
        event, _, rest = line.rstrip("\n").partition(" ")
        if event == "start" and rest == "the book":
            outcome.book = True
            say("building the book ...")
        elif event == "start":
            say(f"{rest} ...")
        elif event in ("done", "failed"):
            outcome.__dict__[event].append(rest)
            count = len(outcome.done) + len(outcome.failed)
            say(f"[{count}/{max(total(), count)}] {rest}" if event == "done" else
                f"[{count}/{max(total(), count)}] FAILED {rest}")
    return outcome


def total(log: Path) -> int:
    """How many notebooks the engine set out to run, from the table at the head of its log; 0 if not told yet."""
    told = re.search(r"^notebook\s+(\d+)\s*$", all_of(log), re.MULTILINE)
    return int(told[1]) if told else 0


def explain(folder: Path, outcome: Outcome, say: Callable[[str], None]) -> None:
    """Say why a run failed: each notebook with its first error line, or the end of the log that knows."""
    logs = folder / "_build" / "log"
    if outcome.failed:
        say(f"{len(outcome.failed)} of {len(outcome.failed) + len(outcome.done)} notebooks failed "
            "(how far they came: _build/failed/):")
        for line in outcome.failed:
            say(f"  {line}")
    elif outcome.status < 0:
        say(f"the workflow engine was killed (signal {-outcome.status}): repeat the command, and it goes on from there")
    elif edited := re.search(r"Output (\S+) has older modification time .* than input (\S+)",
                             all_of(logs / "engine.log")):
        say(f"{edited[2]} was edited while {edited[1]} was being made from it: repeat the command")
    elif outcome.book:
        say(last_lines(logs / "book.log", 3))
    else:
        say(f"the workflow engine stopped; the end of its log {logs / 'engine.log'}:")
        say(last_lines(logs / "engine.log", 15))


def all_of(log: Path) -> str:
    """The text of a log; nothing if there is none."""
    return log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""


def last_lines(log: Path, count: int) -> str:
    """The last lines of a log that say something."""
    return "\n".join([line for line in all_of(log).splitlines() if line.strip()][-count:])


def results_of(profile: str, names: Iterable[str]) -> list[str]:
    """The engine's targets for notebooks: their executed copies."""
    return [f"_build/run/{profile}/{name}/notebook.ipynb" for name in names]


def book(folder: Path) -> tuple[str, Path]:
    """The engine's target for the book, and the book's first page. A book that was removed is made again."""
    index = folder / "_build" / "html" / "index.html"
    if not index.exists():
        (folder / "_build" / "book.done").unlink(missing_ok=True)
    return "_build/book.done", index


def check(folder: Path, profile: str, names: Iterable[str]) -> None:
    """Refuse wrong parameters of a profile before anything starts."""
    checkout.check_profile(folder, profile)
    for name in names:
        checkout.overrides(folder, profile, name)
