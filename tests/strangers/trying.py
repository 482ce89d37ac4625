"""One notebook through the workflow's runner: seconds, peak memory, and how it ended."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
# A process inherits the peak of the one that starts it, so a small one stands between.
MEASURED = """import resource, subprocess, sys
status = subprocess.call(sys.argv[2:])
with open(sys.argv[1], "w") as file:
    file.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024))
sys.exit(status)"""
RAW = re.compile(
    r"Traceback|\b\w+(Error|Exception)\b|object has no attribute|\[Errno|died"
)


@dataclass(frozen=True)
class Trial:
    """How one run of a notebook ended.

    which: the stranger, or the profile. ended: "done", "refused" in one sentence, or "raw".
    seconds: of the wall. megabytes: most that one of its processes had resident.
    """

    notebook: str
    which: str
    ended: str
    line: str
    seconds: float
    megabytes: int


def run(notebook: str, which: str, given: dict, folder: Path, **variables: str) -> Trial:
    """Run a notebook with these parameters; what it writes goes below `folder`."""
    out = folder / "out" / f"{notebook.replace('/', '__')}.{which}"
    command = [sys.executable, str(ROOT / "workflow" / "run_notebook.py")]
    command += [str(ROOT / "notebooks" / f"{notebook}.ipynb"), "--out", str(out)]
    command += ["--given", json.dumps(given), "--threads", "1"]
    started = time.monotonic()
    log = out.with_suffix(".log")
    log.parent.mkdir(parents=True, exist_ok=True)
    peak = out.with_suffix(".megabytes")
    measured = [sys.executable, "-c", MEASURED, str(peak), *command]
    with log.open("w") as stream:
        status = subprocess.call(
            measured, cwd=ROOT, env=os.environ | variables, stdout=stream, stderr=stream
        )
    line = _last(log.read_text().splitlines())
    ended = _ended(status, line)
    seconds = round(time.monotonic() - started, 1)
    return Trial(notebook, which, ended, line, seconds, int(peak.read_text()))


def _last(lines: list[str]) -> str:
    """The runner's line about the end; else the last one."""
    told = [line for line in lines if line.startswith(("done ", "failed "))]
    return [*lines, *told][-1] if lines else ""


def _ended(status: int, line: str) -> str:
    if status == 0:
        return "done"
    return "raw" if RAW.search(line) or not line.startswith("failed ") else "refused"


def log(trial: Trial, file: Path) -> None:
    """Add a trial to a log of one JSON object a line."""
    with file.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(asdict(trial), ensure_ascii=False) + "\n")


def logged(file: Path) -> dict[tuple[str, str], Trial]:
    """The last trial of each notebook and stranger."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    trials = [Trial(**json.loads(line)) for line in lines]
    return {(trial.notebook, trial.which): trial for trial in trials}


def table(trials: Iterable[Trial]) -> str:
    """Markdown: a chapter and stranger a row, with its longest notebook and largest process."""
    rows = [
        "| chapter | model | notebooks | seconds | peak memory | ended |",
        "|---|---|--:|--:|--:|---|",
    ]
    groups: dict[tuple[str, str], list[Trial]] = {}
    for trial in trials:
        groups.setdefault((trial.notebook.split("/")[0], trial.which), []).append(trial)
    for (chapter, which), of_group in sorted(groups.items()):
        ends = [trial.ended for trial in of_group]
        ended = ", ".join(f"{ends.count(end)} {end}" for end in sorted(set(ends)))
        seconds = sum(trial.seconds for trial in of_group)
        peak = max(trial.megabytes for trial in of_group)
        rows.append(
            f"| {chapter} | {which} | {len(ends)} | {seconds:,.0f} | {peak:,} MB | {ended} |"
        )
    return "\n".join(rows) + "\n"
