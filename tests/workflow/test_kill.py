"""kill -9 at random moments, then the same command: nothing finished is lost, nothing is left that writes."""

import base64
import contextlib
import os
import random
import subprocess
import time
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).resolve().parents[2]

KILLS = 12
NAMES = ("tiny/01_a", "tiny/02_b", "tiny/03_c")


def processes_in(folder) -> list[psutil.Process]:
    """Every process that works in the checkout: command, engine, runner, kernel."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.cwd() == str(folder) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            continue
    return found


def finished(checkout) -> dict[str, str]:
    """The unique mark that each finished notebook left; what the engine knows as incomplete is not finished."""
    unfinished = {
        base64.b64decode(file.name).decode()
        for file in checkout.folder.glob(".snakemake/incomplete/*")
    }
    marks = {}
    for name in NAMES:
        out = f"_build/run/small/{name}"
        if (checkout.folder / out / "results.json").exists() and not any(
            file.startswith(out) for file in unfinished
        ):
            marks[name] = (checkout.folder / out / "results.json").read_text()
    return marks


def edit_all(checkout, write: str, round_: int) -> None:
    """Make every notebook stale: each writes a mark of its own that no other execution shares."""
    for name in NAMES:
        checkout.notebook(
            name,
            "import time, uuid",
            "time.sleep(0.2)",
            f"total = uuid.uuid4().hex  # {round_}",
            write,
        )


def test_after_kill_9_at_any_moment_the_same_command_goes_on(checkout, write):
    edit_all(checkout, write, 0)
    before, stale, moments, counts = {}, {}, random.Random(), []
    for number in range(1, KILLS + 1):
        command = subprocess.Popen(
            checkout.command("run", "tiny", "--jobs", "2"),
            cwd=checkout.folder,
            env=checkout.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        lines = []  # of progress: so that a busy machine is killed as far on
        for _ in range(moments.randint(0, 5)):
            lines.append(command.stdout.readline())
        time.sleep(moments.uniform(0, 1))
        victim = moments.choice(
            [command, *psutil.Process(command.pid).children()]
        )  # the command or its engine
        victim.kill()
        rest, said = command.communicate(
            timeout=300
        )  # whoever is left may start every kernel cold
        announced = {
            line.split()[1].decode()
            for line in [*lines, *rest.splitlines()]
            if line.startswith(b"[")
            and b" FAILED " not in line  # its kernel's server was killed
        }
        until = time.monotonic() + 5
        while (left := processes_in(checkout.folder)) and time.monotonic() < until:
            time.sleep(0.1)
        assert not left, f"kill {number} left {[process.cmdline() for process in left]}"
        assert b"another cwr" not in said and b"locked" not in said
        after = dict(finished(checkout).items() - stale.items())
        assert announced <= finished(checkout).keys(), (
            f"kill {number} undid what was said done"
        )
        assert before.items() <= after.items(), (
            f"kill {number} lost or repeated a finished notebook"
        )
        counts.append(len(after))
        before = after
        if len(after) == len(NAMES):
            edit_all(checkout, write, number)
            before, stale = {}, after
    assert checkout.cwr("run", "tiny").returncode == 0
    assert before.items() <= finished(checkout).items()
    assert len(finished(checkout)) == len(NAMES) and len(set(counts)) > 1, (
        "some kills hit, some came late"
    )
    assert not list(checkout.folder.glob("_build/run/small/tiny/.*")), (
        "nothing half done is left"
    )


def test_a_killed_builder_leaves_no_sphinx_behind_that_writes_on(checkout, with_book):
    index = with_book(checkout)
    command = subprocess.Popen(
        checkout.command("build"),
        cwd=checkout.folder,
        env=checkout.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while "building the book" not in command.stdout.readline():
        assert command.poll() is None, command.stderr.read()
    while (sphinx := one_that_runs("jupyter_book", checkout.folder)) is None:
        assert command.poll() is None, "the build ended before a sphinx was seen"
        time.sleep(0.05)
    sphinx.parent().kill()
    wait_for(
        lambda: sphinx not in processes_in(checkout.folder), 1.5
    )  # it runs for longer
    command.communicate(timeout=30)
    wait_for(lambda: not processes_in(checkout.folder))
    assert checkout.cwr("build").returncode == 0 and index.exists()


def one_that_runs(text: str, folder) -> psutil.Process | None:
    """A process below the checkout whose command line contains a text."""
    for process in processes_in(folder):
        if text in " ".join(process.cmdline()):
            return process
    return None


def wait_for(condition, seconds: float = 15):
    """The first true value of a condition; AssertionError if there is none in time."""
    until = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.05)
    return value


@pytest.mark.skipif(
    "CWR_KILLS" not in os.environ,
    reason="half an hour: CWR_KILLS=60 kills a real make book so often",
)
def test_a_real_make_book_goes_on_after_kill_9_at_any_moment(tmp_path):
    clone = tmp_path / "book"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    (clone / ".venv").symlink_to(ROOT / ".venv")
    environment = os.environ | {
        "PYTHONPATH": f"{clone}/lib",
        "CWR_CACHE": f"{tmp_path}/cache",
    }
    moments = random.Random()
    for _ in range(int(os.environ["CWR_KILLS"])):
        command = subprocess.Popen(["make", "book"], cwd=clone, env=environment)
        time.sleep(moments.uniform(0, 60))
        victims = psutil.Process(command.pid).children(recursive=True)
        moments.choice(victims or [command]).kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            command.wait(5)
        for process in [command, *processes_in(clone)]:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        wait_for(lambda: not processes_in(clone))
    done = subprocess.run(
        ["make", "book"], cwd=clone, env=environment, text=True, capture_output=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert not list(clone.glob("_build/run/small/*/.*.part-*")), (
        "nothing half done is left"
    )
