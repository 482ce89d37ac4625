"""Notebooks that run as the jobs of a scheduler, on nodes that share the folder alone.

No scheduler is needed: the one here starts each job in a session of its own and hands its
environment on, as sbatch does.
"""

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cwr.cli import checkout as names
from cwr.cli import elsewhere, engine, tether
from cwr.errors import UserError

ROOT = Path(__file__).resolve().parents[2]
MODEL = Path("lib", "cwr", "models", "cwr-bert")
SUBMIT = """#!/bin/bash
# gives a number for the job, and leaves it to itself
setsid bash "$1" > /dev/null 2>&1 < /dev/null &
echo $!
"""
CONFIG = """executor: cluster-generic
cluster-generic-submit-cmd: workflow/by_hand/submit.sh
latency-wait: 20
nolock: true
rerun-incomplete: true
keep-going: true
"""


@pytest.fixture
def by_hand(checkout):
    """A checkout with a scheduler of its own."""
    folder = checkout.folder / "workflow" / "by_hand"
    folder.mkdir()
    (folder / "config.yaml").write_text(CONFIG)
    (folder / "submit.sh").write_text(SUBMIT)
    (folder / "submit.sh").chmod(0o755)
    return checkout


def run(
    checkout, monkeypatch, names=("tiny/01_a", "tiny/02_b"), on="by_hand", **options
) -> tuple[engine.Outcome, list[str]]:
    """Runs notebooks as jobs, with the environment of a command line."""
    for name, value in checkout.environment.items():
        monkeypatch.setenv(name, value)
    said = []
    targets = engine.results_of("small", names)
    with engine.alone(checkout.folder):
        outcome = engine.run(
            checkout.folder, "small", 2, targets, said.append, on=on, **options
        )
    return outcome, said


def test_jobs_of_a_scheduler_give_the_results_of_this_machine(by_hand, monkeypatch):
    outcome, said = run(by_hand, monkeypatch)
    log = (by_hand.folder / "_build" / "log" / "engine.log").read_text()
    assert outcome.status == 0, log
    assert sorted(line.split()[1] for line in said if line[0] == "[") == [
        "tiny/01_a",
        "tiny/02_b",
    ]
    there = [by_hand.result(name).read_bytes() for name in ("tiny/01_a", "tiny/02_b")]
    assert by_hand.ran("run", "tiny") == [], "what was run there is not run again here"
    shutil.rmtree(by_hand.folder / "_build" / "run")
    assert by_hand.ran("run", "tiny") == ["tiny/01_a", "tiny/02_b"]
    here = [by_hand.result(name).read_bytes() for name in ("tiny/01_a", "tiny/02_b")]
    assert here == there


def test_a_job_that_fails_says_why_and_the_others_go_on(by_hand, monkeypatch):
    by_hand.edit("lib/cwr/helper_a.py", "seed + 1", "seed / 0")
    outcome, said = run(by_hand, monkeypatch)
    assert outcome.status and len(outcome.done) == 1
    (failed,) = outcome.failed
    assert "tiny/01_a" in failed and "ZeroDivisionError" in failed
    assert json.loads(by_hand.result("tiny/02_b").read_text())
    told = []
    engine.explain(by_hand.folder, outcome, told.append)
    assert told[0].startswith("1 of 2 notebooks failed") and failed in told[1]


PASS = """from cwr import corpora, encoders, extraction
text = corpora.load(story)
answer = extraction.run(encoders.load("cwr-bert"), text, reducers=(extraction.sums(),))
total = float(answer.sums(2).sum.sum())"""
MEETING = """    import os, time
    from pathlib import Path
    with open("blocks", "a") as file:
        file.write(f"{os.getpid()} {collectors[0].block.number}\\n")
    for _ in range(600):
        if len({line.split()[0] for line in open("blocks")}) < 2:
            time.sleep(0.1)
"""


def test_jobs_share_the_passes_of_a_notebook(checkout, write, monkeypatch):
    """Each job waits at its blocks until another job is at one, too."""
    folder, story = checkout.folder, ROOT / "tests" / "data" / "story.jsonl"
    shutil.copytree(ROOT / MODEL, folder / MODEL)
    parameters = f"seed: int = 0\nstory: str = {str(story)!r}"
    checkout.notebook("tiny/03_c", PASS, write, parameters=parameters)
    checkout.edit("lib/cwr/encoders/pieces.py", "ONCE = 4096", "ONCE = 3")
    assert checkout.ran("run", "tiny/03_c") == ["tiny/03_c"]
    alone = checkout.result("tiny/03_c").read_bytes()

    shutil.rmtree(folder / "cache")
    begin = "    question = collectors[0].block.question\n"
    checkout.edit("lib/cwr/extraction/passes.py", begin, MEETING + begin)
    outcome, said = run(checkout, monkeypatch, ["tiny/03_c"], engine.HERE, shares=2)
    assert outcome.status == 0, (folder / "_build" / "log" / "engine.log").read_text()
    assert said[-1].startswith("[1/1] tiny/03_c"), "a job that shares is no notebook"
    assert checkout.result("tiny/03_c").read_bytes() == alone
    lines = [line.split() for line in (folder / "blocks").read_text().splitlines()]
    processes, blocks = zip(*lines, strict=True)
    assert len(set(processes)) == 2 and len(blocks) == len(set(blocks)) > 2
    assert not list(folder.glob("_build/shares/**/*-of-*")), "marks go when they were read"


def test_a_job_is_free_of_a_parent_on_another_node(tmp_path):
    """With the variable of who submitted it, it would end itself."""
    code = (
        "import os, pathlib\n"
        "from cwr.cli import elsewhere, tether\n"
        "elsewhere.begin(pathlib.Path.cwd())\n"
        "tether.end_with_parent()\n"
        "print('alive', flush=True)\n"
    )
    import os
    import sys

    stranger = os.environ | {tether.VARIABLE: "1"}
    for cut, expected in ((True, 0), (False, -9)):
        lines = code if cut else code.replace("elsewhere.begin(pathlib.Path.cwd())\n", "")
        done = subprocess.run([sys.executable, "-c", lines], env=stranger, cwd=tmp_path)
        assert done.returncode == expected
    (said,) = (tmp_path / elsewhere.SAID).glob("*")
    assert said.read_text() == "alive\n"


def test_what_jobs_say_is_told_once_and_whole(tmp_path):
    elsewhere.forget(tmp_path)
    (tmp_path / elsewhere.SAID).mkdir(parents=True)
    engine_process = subprocess.Popen(["sleep", "1.5"], stdout=subprocess.PIPE, text=True)
    told = []
    for number, line in enumerate(writing(tmp_path, engine_process)):
        told.append(line)
        assert number < 10
    assert sorted(told) == ["done a", "done b", "start a", "start b"]


def writing(folder, process):
    lines = elsewhere.lines(folder, process)
    (folder / elsewhere.SAID / "a").write_text("start a\ndone")
    (folder / elsewhere.SAID / "b").write_text("start b\n")
    yield next(lines)
    with (folder / elsewhere.SAID / "a").open("a") as file:
        file.write(" a\n")
    time.sleep(0.1)
    with (folder / elsewhere.SAID / "b").open("a") as file:
        file.write("done b\n")
    yield from lines


def test_a_place_without_settings_is_refused(checkout):
    with pytest.raises(UserError, match="workflow/moon.*there are local, slurm"):
        names.refuse_unknown_place(checkout.folder, "moon")
    refused = checkout.cwr("build", "--on", "moon")
    assert refused.returncode == 2 and "workflow/moon/config.yaml" in refused.stderr


SLOWLY = """import pathlib, sys, time
said = pathlib.Path(sys.argv[1]).open("ab", buffering=0)
said.write(b"start a/01\\nfailed a/01: caf\\xc3")  # half of a letter
time.sleep(2)
said.write(b"\\xa9\\n")"""


def test_a_line_of_a_job_is_told_once_and_when_it_is_whole(tmp_path):
    said = tmp_path / elsewhere.SAID / "node-1"
    said.parent.mkdir(parents=True)
    job = [sys.executable, "-c", SLOWLY, str(said)]
    with subprocess.Popen(job, stdout=subprocess.PIPE, text=True) as engine:
        told = list(elsewhere.lines(tmp_path, engine))
    assert told == ["start a/01", "failed a/01: café"]
