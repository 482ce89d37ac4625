"""Reports the progress of a run of notebooks: counts, titles and times."""

import json
import statistics
import threading
import time
from collections.abc import Callable
from pathlib import Path

from cwr.cli import checkout, outputs


class Progress:
    """A report on notebooks that run in parallel, a line for each beginning and end.

    folder: the checkout. total: how many notebooks there are. say: gets the lines on beginnings and
        successes. complain: gets the lines on failures.
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
        """Reports that a notebook begins, with its title, the time so far and its usual time."""
        title = outputs.heading(checkout.path(self.folder, name))
        before = seconds_before(self.folder, name)
        usual = f", {clock(before)} before" if before is not None else ""
        with self._lock:
            self._begun += 1
            so_far = clock(time.monotonic() - self._started)
            count = f"{self._begun} of {self.total}, {so_far} so far{usual}"
            self._say(f"{name} ... {title} ({count})")

    def is_there(self, name: str) -> None:
        """Reports that a notebook's results exist already."""
        with self._lock:
            self._begun, self._ended = self._begun + 1, self._ended + 1
            self._say(f"{name}: these results are there already")

    def done(self, line: str) -> None:
        """Reports that a notebook is done; line: begins with the notebook's name."""
        with self._lock:
            self._ended += 1
            self._say(f"[{self._ended}/{self.total}] {line}")

    def failed(self, line: str) -> None:
        """Reports that a notebook failed; line: begins with the notebook's name."""
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

    All its reruns count, and its run for the book in the profile `small`.
    """
    records = [*(folder / "runs" / name).glob("*/provenance.json")]
    records.append(folder / "_build" / "run" / "small" / name / "provenance.json")
    seconds = [value for value in map(_seconds, records) if value is not None]
    return statistics.median(seconds) if seconds else None


def _seconds(record: Path) -> float | None:
    """Returns the seconds in a record; None without a readable record."""
    try:
        return float(json.loads(record.read_bytes())["seconds"])
    except (OSError, ValueError, LookupError, TypeError):
        return None
