"""Why a notebook failed, told in one line: a cell's error, a kernel that died or never answered.

A cause is named only where there is a sign of it: the kind of an error, a signal, an exit status.
"""

import errno
import os
import re
import signal
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import cwr
from cwr import paths
from cwr.errors import first_line, quoted

LIBRARY = Path(cwr.__file__).resolve().parent
# Their ValueErrors are sentences about what a notebook was asked; elsewhere one is a fault of ours.
SPEAKING = ("measures/", "tables.py", "report/results.py")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
FRAME = re.compile(r"^File (.+?):\d+", re.MULTILINE)  # as IPython writes one
MEMORY = re.compile(r"MemoryError|OutOfMemory|can't allocate memory|Cannot allocate memory")
FEWER = "take a smaller model or text, run fewer jobs at once, or close other programs"


class Failure(Exception):
    """What went wrong in a notebook, in one line."""


def of_cell(
    cell: int, kind: str, message: str, traceback: Sequence[str], changed: dict[str, Any]
) -> Failure:
    """The failure of a cell that raised an error.

    cell: its number as Jupyter counts. kind, message: the error's. traceback: as IPython shows it.
    changed: {parameter: value} of those that do not have the notebook's own values.
    """
    return Failure(f"cell [{cell}]: {_sentence(kind, message, traceback, changed)}")


def _sentence(kind: str, message: str, traceback: Sequence[str], changed: dict[str, Any]) -> str:
    line = (message.strip().splitlines() or [""])[0]
    if kind == "OSError" and os.strerror(errno.ENOSPC) in message:
        return paths.unwritable(OSError(errno.ENOSPC, message))
    if MEMORY.search(f"{kind}: {message}"):
        return _without_memory(line or kind, changed)
    if kind == "UserError":
        return line
    if kind == "ValueError" and line and _innermost(traceback).startswith(SPEAKING):
        return f"{line} ({_listed(changed)})" if changed else line
    return f"{kind}: {line}" if line else kind


def _without_memory(line: str, changed: dict[str, Any]) -> str:
    """What to say of too little memory; numbers among the changed parameters may have asked it."""
    numbers = {name: value for name, value in changed.items() if type(value) in (int, float)}
    lower = f"lower {_listed(numbers)}, or {FEWER}" if numbers else FEWER
    return f"there was not enough memory ({line}): {lower}"


def _listed(changed: dict[str, Any]) -> str:
    return ", ".join(f"{name}: {quoted(str(value))[1:-1]}" for name, value in changed.items())


def _innermost(traceback: Sequence[str]) -> str:
    """The file of the library, relative to it, in which an error arose; "" without one."""
    files = FRAME.findall(COLOUR.sub("", "\n".join(traceback)))
    resolved = [Path(file).expanduser().resolve() for file in files]
    ours = [file for file in resolved if file.is_relative_to(LIBRARY)]
    return ours[-1].relative_to(LIBRARY).as_posix() if ours else ""


def of_long_cell(cell: int, seconds: int) -> Failure:
    """The failure of a cell that was stopped after some seconds."""
    return Failure(
        f"cell [{cell}]: it ran longer than {timedelta(seconds=seconds)} (h:mm:ss) and was "
        "stopped; workflow/run_notebook.py --cell-seconds sets another limit"
    )


def of_dead_kernel(cell: int, status: int | None) -> Failure:
    """The failure of a notebook whose kernel ended by itself in a cell.

    status: its exit status, negative for a signal; None if nobody knows.
    """
    return Failure(f"cell [{cell}]: {_end(status)}")


def _end(status: int | None) -> str:
    if status == -signal.SIGKILL:
        return f"its kernel was killed (signal 9), most often for lack of memory: {FEWER}"
    if status is not None and status < 0:
        return f"its kernel was ended by {signal.Signals(-status).name} (signal {-status})"
    return f"its kernel ended (exit status {'unknown' if status is None else status})"


def of_start(error: RuntimeError, status: int | None) -> Failure:
    """The failure of a notebook whose kernel died, or did not answer, before its first cell."""
    told = f"; {_end(status)}" if status else ""
    return Failure(f"its kernel did not start ({first_line(error)}{told}): repeat the command")
