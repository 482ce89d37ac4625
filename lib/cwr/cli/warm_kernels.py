"""Starts kernels that have imported the large libraries already, on Linux without a GPU.

Three quarters of a notebook's start, six CPU-seconds, are imports of torch, transformers and
similar libraries, the same in every notebook. One process imports them once a run and forks a
kernel for each request. Jupyter starts, and sees, a stand-in that needs a few milliseconds:

    runner ──► stand-in ──(socket: command, environment, folder, outputs)──► server ──fork──► kernel

The server tells the stand-in how its kernel ended, and the stand-in ends likewise. The stand-in
also ends with its runner, and a kernel with its stand-in. Without a server the stand-in becomes the
kernel that Jupyter asked for.
"""

import contextlib
import fcntl
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cwr.cli import stand_in, tether

VARIABLE = "CWR_WARM_KERNELS"  # where the server listens; unset: there is none
LAUNCHER = "ipykernel_launcher"
PRELOADED = (
    "ipykernel.ipkernel",
    "ipykernel.kernelapp",
    "pandas",
    "scipy.stats",
    "torch",
    "transformers.models.bert.modeling_bert",
    "transformers.models.gpt2.modeling_gpt2",
)
LONGEST = 1 << 20  # bytes of a request


@contextlib.contextmanager
def server(folder: Path, threads: int) -> Iterator[dict[str, str]]:
    """Runs a server of kernels during the block; yields the variable by which runners find it.

    folder: the server's working folder. threads: how many the numerical libraries may use.
    """
    environment = os.environ | tether.to_me() | {"OMP_NUM_THREADS": str(threads)}
    with tempfile.TemporaryDirectory(prefix="cwr-") as scratch:
        address = str(Path(scratch) / "kernels")  # not in _build: at most 107 bytes are allowed
        with socket.socket(socket.AF_UNIX) as listening:  # from now on, so that nobody is too early
            listening.bind(address)
            listening.listen()
            number = listening.fileno()
            command = [sys.executable, "-m", __name__, str(number)]
            process = subprocess.Popen(command, cwd=folder, env=environment, pass_fds=[number])
        with process:
            try:
                yield {VARIABLE: address}
            finally:
                process.kill()


def command_line(original: list[str]) -> list[str]:
    """Returns the command line of a kernel's stand-in, a child of this process.

    original: the kernel's command line, which is returned if there is no server.
    """
    address = os.environ.get(VARIABLE)
    if not address:
        return original
    return [sys.executable, "-S", stand_in.__file__, address, str(os.getpid()), *original]


def serve(listening: socket.socket) -> None:
    """Forks a kernel for each request; the first request waits until the libraries are imported.

    Returns in a kernel that has ended; the server itself is killed.
    """
    kernels: dict[int, socket.socket] = {}  # {process: the connection to its stand-in}
    ends, wakes = socket.socketpair()
    wakes.setblocking(False)
    signal.set_wakeup_fd(wakes.fileno())  # a child's end is a byte there
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for those who ask
    while True:
        is_readable, _, _ = select.select([listening, ends], [], [])
        if ends in is_readable:
            ends.recv(LONGEST)
            tell_ends(kernels)
        if listening in is_readable:
            connection, _ = listening.accept()
            for name in PRELOADED:
                importlib.import_module(name)
            process = os.fork()
            if process == 0:
                for unneeded in (listening, ends, wakes, *kernels.values()):
                    unneeded.close()
                become_kernel(connection)
                return
            kernels[process] = connection


def tell_ends(kernels: dict[int, socket.socket]) -> None:
    """Sends each ended kernel's exit status, negative for a signal, to its stand-in.

    kernels: {process: connection}; ended kernels are removed.
    """
    for process in list(kernels):
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            with kernels.pop(process) as connection, contextlib.suppress(OSError):
                connection.send(str(os.waitstatus_to_exitcode(status)).encode())


def become_kernel(connection: socket.socket) -> None:
    """Turns this process, just forked, into the kernel that a stand-in asked for."""
    text, outputs = received(connection)
    os.setsid()
    end_with(connection)
    request = json.loads(text)
    for number, output in enumerate(outputs):
        os.dup2(output, number)
        os.close(output)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    if "OMP_NUM_THREADS" in os.environ:  # read when torch was imported, of another environment
        sys.modules["torch"].set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    original = request["command"]
    watched = f"--IPKernelApp.parent_handle={os.getppid()}"  # the server, whose end is the kernel's
    sys.argv = [*original[original.index(LAUNCHER) :], watched]
    runpy.run_module(LAUNCHER, run_name="__main__")


def received(connection: socket.socket) -> tuple[bytes, list[int]]:
    """Returns a whole request and the open files that came with it."""
    text, files, _, _ = socket.recv_fds(connection, LONGEST, 3)
    while more := connection.recv(LONGEST):
        text += more
    return text, files


def end_with(connection: socket.socket) -> None:
    """Lets the system end this process as soon as the other end of a connection is closed.

    An event on the connection raises SIGIO, which nobody handles, so it ends any computation. A
    connection that is closed already raises nothing more, so the process then exits at once; it
    skips clean-up, since a forked process may wait in vain for threads that only its parent has.
    """
    os.dup(connection.fileno())  # open to the very end, which a kernel may never reach by itself
    flags = fcntl.fcntl(connection, fcntl.F_GETFL)
    fcntl.fcntl(connection, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(connection, fcntl.F_SETFL, flags | os.O_ASYNC)
    look = select.poll()
    look.register(connection, 0)  # a closed end is always told
    if look.poll(0):
        os._exit(1)


if __name__ == "__main__":
    tether.end_with_parent()
    serve(socket.socket(fileno=int(sys.argv[1])))
