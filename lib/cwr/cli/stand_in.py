"""Stands in for a kernel that another process forks. Jupyter starts it; see `warm_kernels`.

    python -S stand_in.py ADDRESS RUNNER COMMAND...

It imports only the standard library, so that it starts in a few milliseconds.
"""

import contextlib
import json
import os
import resource
import select
import signal
import socket
import sys

A_SECOND = 1.0
LONGEST = 16  # bytes of an exit status


def stand_in(address: str, runner: int, command: list[str]) -> None:
    """Requests the kernel of a command line and stays until the kernel or the runner has ended.

    runner: the id of the runner's process, the parent of this one.
    Ends as the kernel ended: by the same signal, or with its exit status. If nobody listens at the
    address, becomes the kernel.
    """
    request = {"command": command, "environment": dict(os.environ), "folder": os.getcwd()}
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(address)
            socket.send_fds(connection, [json.dumps(request).encode()], [0, 1, 2])
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            os.execv(command[0], command)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Jupyter's word to a kernel before its end
        while os.getppid() == runner:
            is_readable, _, _ = select.select([connection], [], [], A_SECOND)
            if is_readable:  # the server's word on the kernel's end; none if the server has ended
                end_as(int(connection.recv(LONGEST) or b"1"))


def end_as(status: int) -> None:
    """Ends this process with an exit status, or by a signal if it is negative."""
    if status < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the kernel has left its own, if any
        with contextlib.suppress(OSError):  # of SIGKILL, which nobody handles
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    sys.exit(status)


if __name__ == "__main__":
    stand_in(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
