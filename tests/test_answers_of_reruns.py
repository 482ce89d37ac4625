"""What reruns of a model answer together, on the results that travel with the book."""

import csv
import hashlib
import json
import os
import pty
import re
import shutil
import subprocess
import sys
import termios
from contextlib import suppress
from html import unescape
from pathlib import Path

import pytest

from cwr import parameters, paths
from cwr.cli import chapter_page, checkout, judging, matching_runs, reruns
from cwr.cli.chapter_page import Run
from cwr.papers import artifacts, registry
from cwr.report import kept, render, results, verdicts

MODEL = "cwr-bert"
NAMED = {"models": [MODEL], "teacher": MODEL}
BASE = paths.CHECKOUT / paths.LONGER
# Than that of survey/03, with which it shares estimates: two runs of one reader would be refused.
ANOTHER_MACHINE = "survey/02_architecture_or_learning"


def rerun(runs: Path, name: str, asked: float, **changes) -> Run:
    """Leave results of the book as a rerun of a notebook with one model: its folder under runs/."""
    notebook = checkout.path(paths.CHECKOUT, name)
    defaults = parameters.validate(notebook, {})
    given = {key: NAMED[key] for key in NAMED if key in defaults} | changes
    values = defaults | given
    folder = reruns.folder_of(runs.parent, name, values)
    shutil.copytree(BASE / name, folder)
    shutil.copy(notebook, folder / "notebook.ipynb")
    record = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
    (folder / "provenance.json").write_text(json.dumps(record | {"parameters": values}))
    (folder / "run.json").write_text(
        json.dumps({"parameters": values, "given": given, "state": "", "asked": asked})
    )
    return Run(folder, defaults)


def with_results(paper: str) -> list[str]:
    """The notebooks of a text that have results of one machine, in order."""
    names = {
        f"{paper}/{file.parent.name}" for file in BASE.glob(f"{paper}/*/results.json")
    }
    return sorted(names - {ANOTHER_MACHINE})


def only(told):
    """The one of them."""
    (verdict,) = told
    return verdict


def on_the_page(page: Path) -> dict[str, str]:
    """{claim: verdict} in the file beside a page."""
    with page.with_name("verdicts.csv").open(newline="", encoding="utf-8") as file:
        return {line["claim"]: line["verdict"] for line in csv.DictReader(file)}


@pytest.mark.parametrize("paper", registry.KEYS)
def test_check_answers_what_the_page_of_a_chapter_answers(tmp_path, paper):
    made = [
        rerun(tmp_path / "runs", name, number)  # as if each had a command of its own
        for number, name in enumerate(with_results(paper))
    ]
    page = chapter_page.write(made, tmp_path / "book")
    lines = []
    judged = judging.claims(
        tmp_path, "small", paper, None, model=MODEL, run="", say=lines.append
    )
    rows = [row.deciding for row in judged if row.deciding.ours]
    checked = {row.claim.id: only(row.ours.values()).verdict for row in rows}
    shown = on_the_page(page)
    assert len(shown) > 10 and {name: checked[name] for name in shown} == shown
    assert {verdict for name, verdict in checked.items() if name not in shown} <= {
        "not run"
    }
    text = unescape(re.sub("<[^>]+>", "", page.read_text(encoding="utf-8")))
    counts = re.findall(
        r"of \d+ claims? (\d+) holds?, (\d+) fails?, (\d+) undecided", text
    )
    words = [sum(map(int, column)) for column in zip(*counts, strict=True)]
    assert words == [list(shown.values()).count(word) for word in render.DECIDED]
    assert words == list(map(int, re.findall(r"\d+", judging.one_model(judged))[:3]))
    assert len(lines) == 1, "nothing is left out"


def test_the_parameters_that_keep_reruns_apart_are_alike_by_default_in_each_chapter():
    compared = 0
    for text in registry.KEYS:
        names = (*matching_runs.SAME, *matching_runs.SAME_IN.get(text, ()))
        notebooks = [name for name in artifacts.measures() if name.startswith(f"{text}/")]
        declared = [
            parameters.read(checkout.path(paths.CHECKOUT, name)) for name in notebooks
        ]
        for name in names:
            values = {str(each[name].default) for each in declared if name in each}
            assert len(values) == 1, (text, name, values)
            compared += 1
    assert compared > len(registry.KEYS) * len(matching_runs.SAME)


def judged_on(runs: Path, run: str | None = None) -> tuple[list[str], list[str]]:
    """The notebooks and hashes that a model is judged on, and the lines behind."""
    lines = []
    matching_runs.of_model(runs, MODEL, run, lines.append)
    return lines[0].partition(" is judged on ")[2].split(", "), lines[1:]


def test_another_text_or_folder_is_another_run_and_another_number_of_components_is_not(
    tmp_path,
):
    first, second, third = with_results("bis2021")[1:4]
    runs = tmp_path / "runs"
    rerun(runs, first, 3, removed=2)
    rerun(runs, second, 2, removed=1)
    other = rerun(runs, third, 1)
    assert len(judged_on(runs)[0]) == 3
    shutil.rmtree(other.folder)
    rerun(runs, third, 1, seed=1)
    assert len(judged_on(runs)[0]) == 2
    assert judged_on(runs)[1] == [
        "left out: 1 with another seed (--run and a hash judges another)"
    ]


def test_a_command_that_asks_again_for_older_results_is_the_newest(tmp_path):
    name, beside = with_results("ethayarajh2019")[:2]
    runs = tmp_path / "runs"
    old, new = rerun(runs, name, 1), rerun(runs, name, 2, corpus="my.txt")
    rerun(runs, beside, 1)
    newest = f"{name}/{new.folder.name}"
    assert judged_on(runs)[0] == [newest], "the other notebook read another corpus"
    record = json.loads((old.folder / "run.json").read_text())
    (old.folder / "run.json").write_text(json.dumps(record | {"asked": 3}))
    assert (
        f"{name}/{old.folder.name}" in judged_on(runs)[0] and len(judged_on(runs)[0]) == 2
    )
    assert judged_on(runs, new.folder.name)[0] == [newest]


def test_two_folders_of_one_name_are_two_models(tmp_path, monkeypatch):
    runs, names = tmp_path / "runs", with_results("bis2021")[1:3]
    for number, name in enumerate(names):
        folder = tmp_path / str(number) / "mine"
        folder.mkdir(parents=True)
        monkeypatch.setenv("CWR_RESULTS", str(runs / name / "abc"))
        row = {"model": "mine", "family": "masked", "measure": str(number), "value": 1.0}
        results.write(name, [row], {"models": [str(folder)]})
        os.utime(runs / name / "abc" / "results.json", (number, number))
    lines = []
    matching_runs.of_model(runs, "mine", None, lines.append)
    assert lines[0] == f"mine is judged on {names[1]}/abc"
    assert lines[1].startswith("left out: 1 with another model (")


def test_one_page_of_two_texts_is_about_the_readers_model_with_files_and_a_paragraph(
    tmp_path,
):
    names = ["ethayarajh2019/01_anisotropy", *with_results("bis2021")[1:3]]
    runs = tmp_path / "runs"
    page = chapter_page.write([rerun(runs, name, 0) for name in names], tmp_path / "book")
    assert page.parents[1] == runs / "answers"
    text = page.read_text(encoding="utf-8")
    answers = text.partition("What was run")[0]  # below it are the notebooks' own tables
    heads = {head for head in re.findall(r"<th>([^<]+)</th>", answers)}
    assert {"claim", MODEL, "untrained copies", "published"} <= heads
    beside = results.read(BASE / names[0]).table["model"].unique()
    assert len(beside) == 6 and not heads & (set(beside) - {MODEL})
    assert text.index("What the texts are known for") < text.index("<figure>")
    assert all(
        claim in text for claim in ("eth-anisotropy-noninput", "bis-drift-not-cone")
    )
    links = [
        link
        for link in re.findall(r'href="([^"]+)"', text)
        if not link.startswith("data:")
    ]
    assert links and all((page.parent / link).exists() for link in links)
    kinds = [link.rpartition(".")[2] for link in links]
    assert kinds.count("svg") == kinds.count("csv") - 1 == text.count("<figure>") == 2
    (weights,) = re.findall(r"model.safetensors, sha256 ([0-9a-f]{16})", text)
    file = paths.CHECKOUT / "lib" / "cwr" / "models" / MODEL / "model.safetensors"
    assert hashlib.sha256(file.read_bytes()).hexdigest().startswith(weights)
    assert (
        text.count("@software{cwr,") == 1
        and 'open=""' not in text
        and "<details open" not in text
    )
    table = (page.parent / "verdicts.tex").read_text(encoding="utf-8")
    decided = [word for word in on_the_page(page).values() if word != "not run"]
    assert table.count(f"& {MODEL} &") + table.count("& cwr &") == len(decided)


# ---- `cwr check` in a terminal


def in_a_terminal(columns: int, *words: str) -> list[str]:
    """The lines that a command shows in a terminal of this width."""
    terminal, inner = pty.openpty()
    termios.tcsetwinsize(inner, (24, columns))
    environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
    command = [sys.executable, "-m", "cwr.cli.main", *words]
    with subprocess.Popen(command, stdout=inner, stderr=inner, env=environment) as process:
        os.close(inner)
        shown = b""
        with suppress(OSError):  # Linux: the other end is closed
            while part := os.read(terminal, 65536):
                shown += part
        process.wait()
    os.close(terminal)
    return shown.decode().splitlines()


def test_check_fits_the_terminal_and_keeps_a_row_on_a_line_elsewhere():
    # of a profile without results: with many models no table fits, and rows become blocks
    asked = ["check", "--paper", "bis2021", "--profile", "paper"]
    words = ["-m", "cwr.cli.main", *asked]
    piped = subprocess.run([sys.executable, *words], capture_output=True, text=True).stdout
    shown = in_a_terminal(110, *words[2:])
    assert max(map(len, shown)) <= 110 < max(map(len, piped.splitlines()))
    assert " ".join(" ".join(shown).split()) == " ".join(piped.split())
    hanging = [line for line in shown if line.startswith(" " * 40)]
    assert len(hanging) > 10, "what goes on stands below its own column"


def test_a_model_and_many_models_fit_a_terminal_of_80_letters():
    estimates = kept.read(paths.CHECKOUT / "nowhere" / "base")
    every = verdicts.judge_all(estimates, "base", "ethayarajh2019")
    lines = judging.every_model(every, 80).splitlines()
    assert max(map(len, lines)) <= 80 and lines[0] == every[0].claim.id
    one = judging.of_reader(estimates, [MODEL], MODEL, "ethayarajh2019")
    lines = judging.one_model(one, False, 80).splitlines()
    assert max(map(len, lines)) <= 80 < max(map(len, judging.one_model(one).splitlines()))
