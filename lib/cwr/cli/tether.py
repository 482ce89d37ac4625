"""Processes that end with the one that started them: a killed command leaves nothing behind that writes."""
import ctypes
import os
import signal
import sys
import threading
import time

VARIABLE = "CWR_TETHERED_TO"        # process id of the parent; not set for what is started by hand


def to_me() -> dict[str, str]:
    """Environment for a child that is to end with this process: it calls `end_with_parent` as soon as it can."""
    return {VARIABLE: str(os.getpid())}


def end_with_parent() -> None:
    """Be killed as soon as the parent named in the environment ends, even by kill -9; at once if it has ended.

    Linux's kernel sees to it; elsewhere a thread looks four times a second. Without the variable, and on Windows,
    where a virtual environment puts a process in between, nothing happens.
    """
    if VARIABLE not in os.environ or sys.platform == "win32":
        return
    parent = int(os.environ[VARIABLE])
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(1, signal.SIGKILL)      # 1 is PR_SET_PDEATHSIG
    else:
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.25)
    os.kill(os.getpid(), signal.SIGKILL)
