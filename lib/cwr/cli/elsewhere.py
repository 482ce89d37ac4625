"""Jobs on the nodes of a cluster: they share the checkout's folder, and nothing else, with `cwr`."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from cwr.cli import tether, warm_kernels

SAID = Path("_build", "log", "said")  # a file a job, with what it prints
PAUSE = 0.5  # seconds between two looks at what jobs have said


def begin(folder: Path) -> None:
    """Frees a job from the processes of who submitted it, and lets it print where `cwr` reads.

    folder: the checkout. A scheduler may hand the submitting process' environment on, which names a
    parent and a server of kernels that are on another node.
    """
    for variable in (tether.VARIABLE, warm_kernels.VARIABLE):
        os.environ.pop(variable, None)
    (folder / SAID).mkdir(parents=True, exist_ok=True)
    name = folder / SAID / f"{socket.gethostname()}-{os.getpid()}"
    os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 1)


def forget(folder: Path) -> None:
    """Removes what the jobs of an earlier run have said."""
    for file in (folder / SAID).glob("*"):
        file.unlink()


def lines(folder: Path, engine: subprocess.Popen) -> Iterator[str]:
    """Yields the lines that jobs print, as they come, until the engine has ended; then its own."""
    read: dict[Path, int] = {}
    is_running = True
    while is_running:
        is_running = engine.poll() is None
        for file in sorted((folder / SAID).glob("*")):
            whole, _, _ = file.read_text(encoding="utf-8")[read.get(file, 0) :].rpartition("\n")
            if whole:
                read[file] = read.get(file, 0) + len(whole) + 1
                yield from whole.splitlines()
        if is_running:
            time.sleep(PAUSE)
    yield from engine.stdout  # of what runs here, the building of the book
