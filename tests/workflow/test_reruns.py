"""`cwr run NOTEBOOK -p name value`: a folder and a page of its own, and nothing done twice."""

import json
import re
from pathlib import Path

from cwr.cli import reruns


def runs(checkout) -> list[str]:
    return sorted(
        file.parent.relative_to(checkout.folder / "runs").parts[1]
        for file in checkout.folder.glob("runs/*/*/*/run.json")
    )


def results(checkout) -> dict:
    """The results of the only rerun."""
    (file,) = checkout.folder.glob("runs/*/*/*/results.json")
    return json.loads(file.read_text())


def test_a_rerun_has_a_folder_of_its_own_and_one_page(checkout, write):
    checkout.notebook(
        "tiny/01_a",
        "from cwr import helper_a",
        "total = helper_a.value(seed)\ntotal",
        write,
    )
    done = checkout.cwr("run", "tiny/01_a", "-p", "seed", "3", "--add-to-book")
    assert done.returncode == 0, done.stderr
    (address,) = re.findall(r"file://(\S+)", done.stdout)
    page = Path(address)
    assert page.parent.parent == checkout.folder / "runs" / "tiny"
    assert results(checkout) == {"seed": 3, "sum": 4}
    (run,) = json.loads((page.parent / "reruns.json").read_text())["reruns"]
    record = json.loads((page.parents[1] / run / "run.json").read_text())
    assert record["parameters"] == {"seed": 3}
    assert (page.parent / "in_book").exists()
    assert not checkout.result("tiny/01_a").exists(), (
        "the book's own results are not touched"
    )
    text = page.read_text(encoding="utf-8")
    assert "<pre>4</pre>" in text.replace("\n", "") and "seed: 3" in text
    assert "helper_a.value(seed)" not in text, "it shows what was displayed, not the code"
    links = re.findall(r"""(?:src|href)=["']([^"']+)""", text)
    files = [link for link in links if not link.startswith("data:")]
    assert files and all((page.parent / file).exists() for file in files)

    checkout.give_outputs("tiny/01_a")
    again = checkout.cwr("run", "tiny/01_a", "-p", "seed", "3")
    assert (
        "these results are there already" in again.stdout and page.as_uri() in again.stdout
    )

    checkout.edit("lib/cwr/helper_a.py", "seed + 1", "seed + 2")
    third = checkout.cwr("run", "tiny/01_a", "-p", "seed", "3")
    assert "[1/1] tiny/01_a in " in third.stdout, "other code, other results"
    assert results(checkout)["sum"] == 5


def test_one_notebook_that_fails_leaves_the_page_of_the_others(checkout):
    checkout.notebook("tiny/02_b", "raise KeyError(seed)")
    done = checkout.cwr("run", "tiny", "-p", "seed", "3")
    assert (
        done.returncode == 1 and "failed: tiny/02_b, cell [3]: KeyError: 3" in done.stderr
    )
    assert (done.stdout + done.stderr).count("KeyError") == 1, "told once"
    assert {"[1/2]", "[2/2]"} <= set(re.findall(r"\[\d/\d\]", done.stdout + done.stderr))
    (address,) = re.findall(r"file://(\S+)", done.stdout)
    text = Path(address).read_text(encoding="utf-8")
    assert "tiny/01_a" in text and "02_b" not in text


def test_a_paper_is_rerun_notebook_by_notebook_with_the_parameters_that_each_has(
    checkout, write
):
    checkout.notebook(
        "tiny/02_b", "total = twice", write, parameters="seed: int = 0\ntwice: float = 1.0"
    )
    checkout.notebook(
        "tiny/00_print",
        "seed, total = 0, rounding",
        write,
        parameters="rounding: float = 0.05",
    )
    done = checkout.cwr("run", "tiny", "-p", "twice", "2", "-p", "seed", "3")
    assert done.returncode == 0 and runs(checkout) == ["01_a", "02_b"]
    assert done.stderr == (
        "tiny/00_print has no parameter twice, seed: not run\ntiny/01_a has no parameter twice\n"
    )
    kept = [
        json.loads(file.read_text())["parameters"]
        for file in sorted(checkout.folder.glob("runs/*/*/*/run.json"))
    ]
    assert kept == [{"seed": 3}, {"seed": 3, "twice": 2.0}]


def test_what_no_notebook_of_a_paper_has_is_refused_with_the_nearest_of_all(
    checkout, write
):
    checkout.notebook(
        "tiny/00_print",
        "seed, total = 0, rounding",
        write,
        parameters="rounding: float = 0.05",
    )
    for given, place, near in (
        ("sede", "tiny/01_a", "seed"),
        ("round", "tiny/00_print", "rounding"),
    ):
        done = checkout.cwr("run", "tiny", "-p", "seed", "3", "-p", given, "3")
        assert done.returncode == 2
        assert (
            f"unknown parameter '{given}' of {place}: did you mean '{near}'?"
            in done.stderr
        )
        assert len(done.stderr.splitlines()) == 1 and runs(checkout) == []


def test_a_dry_run_plans_only_the_notebooks_that_have_a_parameter(checkout, write):
    checkout.notebook(
        "tiny/00_print",
        "seed, total = 0, rounding",
        write,
        parameters="rounding: float = 0.05",
    )
    done = checkout.cwr("run", "tiny", "--dry-run", "-p", "seed", "3")
    assert (
        done.returncode == 0
        and "tiny/01_a\n    seed = 3" in done.stdout
        and "00_print" not in done.stdout
    )
    assert "tiny/00_print" in checkout.cwr("run", "tiny", "--dry-run").stdout


def test_wrong_parameters_are_refused_before_anything_runs(checkout):
    for words, says in [
        (
            ["-p", "sede", "3"],
            "unknown parameter 'sede' of tiny/01_a: did you mean 'seed'? It has seed",
        ),
        (
            ["-p", "seed", "many"],
            "parameter 'seed' of tiny/01_a must be int, but seed is 'many'",
        ),
        (["--profile", "smal"], "there is no profile 'smal'; there are other, small"),
    ]:
        done = checkout.cwr("run", "tiny/01_a", *words)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"cwr: {says}\n")
    done = checkout.cwr("run", "tiny/01_aa")
    assert done.returncode == 2 and "did you mean 'tiny/01_a'?" in done.stderr
    assert runs(checkout) == []


def test_a_failing_rerun_is_named_and_leaves_no_results(checkout):
    checkout.notebook("tiny/01_a", "raise KeyError(seed)")
    done = checkout.cwr("run", "tiny/01_a", "-p", "seed", "3")
    assert (
        done.returncode == 1 and "failed: tiny/01_a, cell [3]: KeyError: 3" in done.stderr
    )
    assert runs(checkout) == []


def test_a_file_named_in_a_parameter_is_part_of_what_decides(checkout, write):
    checkout.notebook(
        "tiny/01_a",
        "seed, total = 0, open(corpus).read()",
        write,
        parameters='corpus: str = "a.txt"',
    )
    for text in ("one", "other"):
        (checkout.folder / "b.txt").write_text(text)
        assert "[1/1]" in checkout.cwr("run", "tiny/01_a", "-p", "corpus", "b.txt").stdout
    assert (
        "there already" in checkout.cwr("run", "tiny/01_a", "-p", "corpus", "b.txt").stdout
    )


def test_a_rerun_whose_record_or_results_are_broken_runs_again(checkout):
    command = ("run", "tiny/01_a", "-p", "seed", "3")
    assert checkout.cwr(*command).returncode == 0
    (record,) = checkout.folder.glob("runs/*/*/*/run.json")
    results = record.with_name("results.json")
    assert reruns._state_of_last_run(record.parent)
    for content in ("[]", "{}", "3", "", '{"parameters": {'):
        record.write_text(content)
        assert reruns._state_of_last_run(record.parent) is None, content
    assert "[1/1] tiny/01_a" in checkout.cwr(*command).stdout
    assert json.loads(record.read_text())["parameters"] == {"seed": 3}
    results.unlink()
    assert "[1/1] tiny/01_a" in checkout.cwr(*command).stdout and results.exists()
    assert "there already" in checkout.cwr(*command).stdout


def test_word_vectors_that_a_notebook_exports_are_named_where_they_lie(checkout, write):
    export = (
        'import os, pathlib\n(pathlib.Path(os.environ["CWR_RESULTS"]) / "vectors").mkdir()'
    )
    checkout.notebook("tiny/01_a", "total = 0", export, write)
    for words in ([], ["-p", "seed", "3"]):
        done = checkout.cwr("run", "tiny/01_a", *words)
        (folder,) = re.findall(r"Word vectors: (\S+)", done.stdout)
        assert Path(folder).is_dir() and (Path(folder).parent / "results.json").exists()


MEETS = """import time
from pathlib import Path
Path(f"{mine}.begun").touch()
ends = time.monotonic() + 50
while not Path(f"{other}.begun").exists() and time.monotonic() < ends:
    time.sleep(0.1)
assert Path(f"{other}.begun").exists(), "the other notebook does not run beside this one"
total = 0"""


def test_reruns_of_several_chapters_run_side_by_side_and_have_one_page(checkout, write):
    for name, mine, other in (("tiny/02_b", "b", "c"), ("more/01_c", "c", "b")):
        names = f'mine: str = "{mine}"\nother: str = "{other}"\nseed: int = 0'
        checkout.notebook(name, MEETS, write, parameters=names)
    done = checkout.cwr("run", "more", "tiny/02_b", "-p", "seed", "3", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    (address,) = re.findall(r"Your run: file://(\S+)", done.stdout)
    assert Path(address).parents[1] == checkout.folder / "runs" / "answers"
    again = checkout.cwr("run", "all", "-p", "seed", "3", "--add-to-book")
    assert again.returncode == 0 and again.stdout.count("there already") == 2
    assert "\ntiny/01_a ... 01_a (3 of 3, 0:0" in again.stdout
    marked = sorted(
        mark.parent.parent.name for mark in checkout.folder.glob("runs/*/*/in_book")
    )
    assert marked == ["more", "tiny"], "the book lists pages of chapters"
    (address,) = re.findall(r"Your run: file://(\S+)", again.stdout)
    links = re.findall(r"""href=["']([^"']+)""", Path(address).read_text(encoding="utf-8"))
    files = [link for link in links if link.endswith(".ipynb")]
    assert len(files) == 3 and all(
        (Path(address).parent / file).exists() for file in files
    )
    asked = {
        json.loads(file.read_text())["asked"]
        for file in checkout.folder.glob("runs/*/*/*/run.json")
    }
    assert len(asked) == 1, "results that were there already belong to the newer command"
