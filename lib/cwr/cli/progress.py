"""Tells how a run of notebooks goes: how many are done, what each is about, how long it took."""

import json
import statistics
import threading
import time
from collections.abc import Callable
from pathlib import Path

from cwr.cli import checkout, outputs


class Progress:
    """A report on notebooks that run side by side: a line when one begins and one when it ends.

    folder: the checkout. total: how many notebooks there are. say: gets a line of what goes well.
        complain: gets a line of what fails.
    """

    def __init__(
        self,
        folder: Path,
        total: int,
        say: Callable[[str], None],
        complain: Callable[[str], None],
    ) -> None:
        self.folder, self.total, self._say, self._complain = folder, total, say, complain
        self._started, self._begun, self._ended = time.monotonic(), 0, 0
        self._lock = threading.Lock()

    def begins(self, name: str) -> None:
        """Says that a notebook begins: its subject, the time so far, its usual time."""
        title = outputs.heading(checkout.path(self.folder, name))
        before = seconds_before(self.folder, name)
        usual = f", {clock(before)} before" if before is not None else ""
        with self._lock:
            self._begun += 1
            so_far = clock(time.monotonic() - self._started)
            count = f"{self._begun} of {self.total}, {so_far} so far{usual}"
            self._say(f"{name} ... {title} ({count})")

    def is_there(self, name: str) -> None:
        """Says that a notebook's results are there already."""
        with self._lock:
            self._begun, self._ended = self._begun + 1, self._ended + 1
            self._say(f"{name}: these results are there already")

    def done(self, line: str) -> None:
        """Says that a notebook is done; line: begins with the notebook's name."""
        with self._lock:
            self._ended += 1
            self._say(f"[{self._ended}/{self.total}] {line}")

    def failed(self, line: str) -> None:
        """Says that a notebook failed; line: begins with the notebook's name."""
        with self._lock:
            self._ended += 1
            self._complain(f"[{self._ended}/{self.total}] failed: {line}")


def clock(seconds: float) -> str:
    """Formats seconds as minutes and seconds, "1:05", or hours, minutes and seconds, "2:01:05"."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def seconds_before(folder: Path, name: str) -> float | None:
    """Returns the median time of a notebook's earlier runs here, in seconds; None if it never ran.

    Its reruns count, whatever their parameters, and its run for the book in the profile `small`.
    """
    records = [*(folder / "runs" / name).glob("*/provenance.json")]
    records.append(folder / "_build" / "run" / "small" / name / "provenance.json")
    seconds = [value for value in map(_seconds, records) if value is not None]
    return statistics.median(seconds) if seconds else None


def _seconds(record: Path) -> float | None:
    """The time in a record; None if there is no such file, or it tells none."""
    try:
        return float(json.loads(record.read_bytes())["seconds"])
    except (OSError, ValueError, LookupError, TypeError):
        return None
