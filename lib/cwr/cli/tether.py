"""Makes processes end with their parent, so that a killed command leaves none behind."""

import ctypes
import os
import signal
import sys
import threading
import time

VARIABLE = "CWR_TETHERED_TO"  # the parent's process id; unset if started by hand
PR_SET_PDEATHSIG = 1  # Linux: the signal to get when the parent ends


def to_me() -> dict[str, str]:
    """Returns environment variables for a child process that shall end with this process.

    The child must call `end_with_parent` as early as possible.
    """
    return {VARIABLE: str(os.getpid())}


def end_with_parent() -> None:
    """Lets this process be killed when the parent named in the environment ends, even by kill -9.

    Linux's kernel does so; elsewhere a thread checks four times a second. If the parent has ended
    already, this process ends at once. Without the variable nothing happens; nor on Windows, where
    a virtual environment puts a process between the two.
    """
    if VARIABLE not in os.environ or sys.platform == "win32":
        return
    parent = int(os.environ[VARIABLE])
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    else:
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.25)
    os.kill(os.getpid(), signal.SIGKILL)
