"""Reads what jobs on a cluster's nodes print; only the checkout's folder is shared with them."""

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
    """Detaches a job from the submitting processes, and redirects its output to where `cwr` reads.

    folder: the checkout. A scheduler may pass on the environment of the submitting process, which
    names a parent and a server of kernels on another node.
    """
    for variable in (tether.VARIABLE, warm_kernels.VARIABLE):
        os.environ.pop(variable, None)
    (folder / SAID).mkdir(parents=True, exist_ok=True)
    name = folder / SAID / f"{socket.gethostname()}-{os.getpid()}"
    os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 1)


def forget(folder: Path) -> None:
    """Removes the output of an earlier run's jobs. folder: the checkout."""
    for file in (folder / SAID).glob("*"):
        file.unlink()


def lines(folder: Path, engine: subprocess.Popen) -> Iterator[str]:
    """Yields the jobs' output line by line until the engine has ended, then the engine's own."""
    read: dict[Path, int] = {}  # bytes of each file
    is_running = True
    while is_running:
        is_running = engine.poll() is None
        for file in sorted((folder / SAID).glob("*")):
            with file.open("rb") as said:
                said.seek(read.get(file, 0))
                whole, newline, _ = said.read().rpartition(b"\n")
            read[file] = read.get(file, 0) + len(whole + newline)
            yield from whole.decode("utf-8", "replace").splitlines()
        if is_running:
            time.sleep(PAUSE)
    yield from engine.stdout  # of what runs here, the building of the book
