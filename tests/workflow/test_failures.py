"""A notebook that fails, a second command at the same time, and two notebooks at once."""

import json
import socket
import subprocess
import sys

import nbformat
import pytest

from cwr.cli import engine
from cwr.report import results

# A forked kernel has the server for a parent, so the runner is sought by its command.
KILL_RUNNER = """
import psutil
for each in psutil.process_iter(["cmdline", "cwd"]):
    words = each.info["cmdline"] or []
    if each.info["cwd"] == {!r} and any(word.endswith("/run_notebook.py") for word in words):
        if any(word.endswith("01_a.ipynb") for word in words):
            each.kill()
"""


def test_a_failing_notebook_is_named_with_its_error_and_the_others_run(checkout):
    checkout.notebook(
        "tiny/01_a", "half = 1", "raise ValueError('no such layer\\nand more')"
    )
    done = checkout.cwr("run", "tiny")
    assert done.returncode == 1
    assert "tiny/01_a, cell [3]: ValueError: no such layer\n" in done.stderr, (
        "one line, the cell as Jupyter counts"
    )
    assert "1 of 2 notebooks failed" in done.stderr
    assert checkout.result("tiny/02_b").exists(), "the other one ran"
    assert not checkout.result("tiny/01_a").exists()
    failed = nbformat.read(
        checkout.folder / "_build/failed/tiny__01_a.ipynb", as_version=4
    )
    assert any("no such layer" in str(cell.get("outputs")) for cell in failed.cells), (
        "how far it came is kept"
    )
    assert "tiny/02_b" not in checkout.cwr("run", "tiny").stdout, "and is not run again"


def test_a_runner_tells_each_line_in_one_write(checkout):
    """Two runners share a pipe: of a line in two writes the other's line may take the middle."""
    told, telling = socket.socketpair(
        socket.AF_UNIX, socket.SOCK_DGRAM
    )  # a message for each write
    command = [sys.executable, "workflow/run_notebook.py", "notebooks/tiny/01_a.ipynb"]
    command += ["--out", "out", "-p", "sed", "1"]
    environment = checkout.environment | {"PYTHONUNBUFFERED": "1"}
    with told, telling:
        subprocess.run(command, cwd=checkout.folder, env=environment, stdout=telling)
        told.setblocking(False)  # nothing more is written
        start, failed = told.recv(1000).decode(), told.recv(1000).decode()
    assert start == "start tiny/01_a\n"
    assert failed.startswith("failed tiny/01_a, ") and failed.endswith("\n")


def test_a_user_error_is_its_sentence_alone(checkout):
    checkout.notebook(
        "tiny/01_a",
        "from cwr.errors import UserError",
        "raise UserError('no model bret: did you mean bert?')",
    )
    assert (
        "tiny/01_a, cell [3]: no model bret: did you mean bert?\n"
        in checkout.cwr("run", "tiny/01_a").stderr
    )


def test_a_notebook_without_results_is_refused(checkout):
    checkout.notebook("tiny/01_a", "total = 1")
    assert (
        "it wrote no results.json, replicates.npz, provenance.json"
        in checkout.cwr("run", "tiny/01_a").stderr
    )


def test_a_full_disk_is_told_in_a_sentence_that_names_the_notebook(checkout):
    fill = "with open('/dev/full', 'w') as file: file.write('x' * 10**6)"
    checkout.notebook("tiny/01_a", fill)
    done = checkout.cwr("run", "tiny/01_a")
    assert done.returncode == 1
    assert "tiny/01_a, cell [2]: the disk is full" in done.stderr
    assert "free some space and repeat the command" in done.stderr


def test_a_killed_runner_is_told_in_a_sentence_and_leaves_nothing_half_done(checkout):
    checkout.notebook("tiny/01_a", KILL_RUNNER.format(str(checkout.folder)))
    done = checkout.cwr("run", "tiny")
    assert done.returncode == 1
    complaint = done.stderr.splitlines()
    assert complaint == [
        "tiny/01_a was killed (signal 9), most often for lack of memory: free some and repeat the "
        "command, or run it with fewer jobs"
    ]
    assert checkout.result("tiny/02_b").exists(), "the other one ran"
    assert not list(checkout.folder.glob("_build/run/small/tiny/.*"))


@pytest.mark.parametrize(
    ("end", "says", "options"),
    [
        ("os.kill(os.getpid(), 11)", "was ended by SIGSEGV (signal 11)", []),
        ("1 / 0", "ended without a word (exit status 1)", []),
        (
            "os.kill(os.getpid(), 9)",
            "was killed (signal 9), most often",
            ["-p", "seed", "1"],
        ),
    ],
)
def test_a_runner_is_called_killed_only_if_a_signal_killed_it(
    checkout, end, says, options
):
    begin = 'tell(f"start {name}")'
    checkout.edit("workflow/run_notebook.py", begin, f"{begin}; {end}")
    done = checkout.cwr("run", "tiny/01_a", *options)
    assert done.returncode == 1
    assert says in done.stderr
    assert ("memory" in done.stderr) == ("9" in end)


def runner(checkout, *options: str, prefix: tuple = ()) -> str:
    """What the runner alone says of tiny/01_a."""
    command = [sys.executable, "workflow/run_notebook.py", "notebooks/tiny/01_a.ipynb"]
    return subprocess.run(
        [*prefix, *command, "--out", "out", *options],
        cwd=checkout.folder,
        env=checkout.environment,
        text=True,
        stdout=subprocess.PIPE,
        timeout=120,
    ).stdout


SAME = """
from cwr.report import results
results.collect([{"model": "m", "measure": "x", "layer": 0, "value": 1.0} for _ in sizes])"""
ROOMS = {
    SAME: "two estimates have the same keys (model m, layer 0, measure x): an entry of a list stands "
    "there twice, or two of them mean the same (sizes: [7, 7])",
    "import numpy as np\nfrom cwr.measures import stats\nstats.interval(np.zeros((0, 3)))": (
        "no replicates (sizes: [7, 7])"
    ),
    "from cwr import helper_a": "ValueError: a fault of ours",
}


@pytest.mark.parametrize("code", ROOMS)
def test_an_error_of_a_measure_is_its_sentence_with_the_parameters_and_any_other_is_raw(
    checkout, code
):
    file = checkout.folder / "lib/cwr/helper_a.py"
    file.write_text("raise ValueError('a fault of ours')\n")
    checkout.notebook(
        "tiny/01_a", code, parameters="sizes: list[int] = [7]\nseed: int = 0"
    )
    said = runner(checkout, "-p", "sizes", "[7, 7]", "-p", "seed", "0")
    assert f"failed tiny/01_a, cell [3]: {ROOMS[code]}" in said
    assert ("ValueError" in said) == ("fault of ours" in said)


@pytest.mark.parametrize(
    "limit", [(), ("bash", "-c", 'ulimit -v 1000000; exec "$@"', "bash")]
)
def test_too_little_memory_is_told_as_such_with_what_to_lower(checkout, limit):
    cell = "import numpy as np\nrows_of_zeros = [np.zeros(10**7) for _ in range(rows)]"
    enormous = "import numpy as np\nzeros = np.zeros((rows, 10**9))"
    checkout.notebook("tiny/01_a", cell if limit else enormous, parameters="rows: int = 1")
    said = runner(checkout, "-p", "rows", "100000", prefix=limit)
    assert "failed tiny/01_a, cell [3]: there was not enough memory (" in said
    assert "): lower rows: 100000, or take a smaller model or text" in said


def test_a_kernel_needs_no_network_whose_ports_another_process_may_take(checkout):
    alone = ("unshare", "-rn")
    if subprocess.run([*alone, "true"], capture_output=True).returncode:
        pytest.skip("needs a Linux machine on which namespaces can be made (unshare -rn)")
    assert "done tiny/01_a in " in runner(checkout, prefix=alone)


def test_a_kernel_that_does_not_answer_or_start_is_told_so_and_no_cause_is_guessed(
    checkout,
):
    (checkout.folder / "lib/ipykernel_launcher.py").write_text(
        "import time; time.sleep(600)"
    )
    checkout.edit("workflow/run_notebook.py", "START_SECONDS = 600", "START_SECONDS = 3")
    silent = runner(checkout)
    assert "its kernel did not start (Kernel didn't respond in 3 seconds)" in silent
    (checkout.folder / "lib/ipykernel_launcher.py").write_text("raise SystemExit(3)")
    ended = runner(checkout)
    assert (
        "failed tiny/01_a, its kernel did not start" in ended and "exit status 3" in ended
    )
    assert "memory" not in silent + ended


def test_results_written_before_a_failure_are_kept_unfinished_and_named(checkout):
    writes = """from cwr.report import results
row = {"model": "m", "family": "masked", "layer": 0, "measure": "x", "value": 0.5}
results.write("tiny/01_a", [row], {})"""
    checkout.notebook("tiny/01_a", writes, "title = {}['a title']")
    said = runner(checkout)
    kept = checkout.folder / "_build/failed/tiny__01_a"
    assert (
        "cell [3]: KeyError: 'a title'; the results that it had written are kept, unfinished, in "
        "_build/failed/tiny__01_a\n" in said
    )
    assert results.read(kept).table["value"].tolist() == [0.5]
    assert (kept / "provenance.json").exists()
    assert not (checkout.folder / "out").exists(), "no results that could be judged"
    checkout.notebook("tiny/01_a", "title = {}['a title']")
    assert "unfinished" not in runner(checkout)
    assert not kept.exists(), "what an earlier failure left is not taken for this one's"


def test_wrong_parameters_of_a_profile_are_refused_before_anything_runs(checkout):
    for text, says in [
        (
            "tiny/01_a:\n  sede: 1",
            "unknown parameter 'sede' of tiny/01_a: did you mean 'seed'",
        ),
        ("tiny/01_a:\n  seed: x", "parameter 'seed' of tiny/01_a must be int"),
        ("tiny/09_z:\n  seed: 1", "sets parameters of 'tiny/09_z', which is no notebook"),
        ("default:\n  sede: 1", "sets 'sede', which is a parameter of no notebook"),
    ]:
        (checkout.folder / "notebooks/profiles/small.yaml").write_text(text)
        done = checkout.cwr("run", "tiny")
        assert (
            done.returncode == 2 and says in done.stderr and "Traceback" not in done.stderr
        )


def test_a_second_command_is_told_to_wait_and_the_first_one_finishes(checkout, write):
    checkout.notebook("tiny/01_a", "import time; time.sleep(6)", "total = 0", write)
    first = subprocess.Popen(
        checkout.command("run", "tiny/01_a"),
        cwd=checkout.folder,
        env=checkout.environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert first.stdout.readline() == "tiny/01_a ...\n"
    second = checkout.cwr("run", "tiny/02_b")
    assert second.returncode == 75 and second.stderr.startswith(
        "cwr: another cwr is at work in "
    )
    assert len(second.stderr.splitlines()) == 1
    assert f"(process {first.pid})" in second.stderr
    assert first.wait(60) == 0


def test_two_jobs_run_two_notebooks_at_once(checkout, write):
    meet = """import os, time
from pathlib import Path
here = Path("here"); here.mkdir(exist_ok=True)
(here / str(os.getpid())).touch()
for _ in range(300):
    if len(list(here.iterdir())) == 2: break
    time.sleep(0.1)
else: raise TimeoutError("nobody else came")
total = int(os.environ["OMP_NUM_THREADS"])"""
    for name in ("tiny/01_a", "tiny/02_b"):
        checkout.notebook(name, meet, write)
    assert checkout.ran("run", "tiny", "--jobs", "2") == ["tiny/01_a", "tiny/02_b"]
    threads = json.loads(checkout.result("tiny/01_a").read_text())["sum"]
    assert threads == max(1, engine.cores() // 2), "the machine's cores are shared out"


def test_a_cell_without_an_end_is_stopped_and_named(checkout):
    notebook = checkout.notebook("tiny/01_a", "half = 1", "while True: pass")
    done = subprocess.run(
        [
            sys.executable,
            "workflow/run_notebook.py",
            notebook,
            "--out",
            "out",
            "--cell-seconds",
            "2",
        ],
        cwd=checkout.folder,
        env=checkout.environment,
        text=True,
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert (
        "failed tiny/01_a, cell [3]: it ran longer than 0:00:02 (h:mm:ss)" in done.stdout
    )
    assert not (checkout.folder / "out").exists()
    assert (checkout.folder / "_build/failed/tiny__01_a.ipynb").exists()


def test_values_out_of_bounds_are_refused_by_papermill_alone(checkout, write):
    notebook = checkout.notebook(
        "tiny/01_a",
        "from cwr import parameters\nparameters.check(globals())",
        "total = 0",
        write,
        parameters="seed: int = 0  # at least 0",
    )
    done = subprocess.run(
        [sys.executable, "-m", "papermill", notebook, "out.ipynb", "-p", "seed", "-1"],
        cwd=checkout.folder,
        env=checkout.environment | {"CWR_RESULTS": str(checkout.folder)},
        text=True,
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert "UserError: parameter 'seed' of this notebook must be at least 0" in done.stderr
    assert not (checkout.folder / "results.json").exists()
