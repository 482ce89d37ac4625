"""`cwr run NOTEBOOK -p name value`: a folder and a page of its own, and nothing done twice."""

import json
import re


def runs(checkout) -> list[str]:
    return sorted(
        file.parent.relative_to(checkout.folder / "runs").parts[1]
        for file in checkout.folder.glob("runs/*/*/*/run.json")
    )


def test_a_rerun_has_a_folder_and_a_page_of_its_own(checkout):
    done = checkout.cwr("run", "tiny/01_a", "-p", "seed", "3", "--add-to-book")
    assert done.returncode == 0, done.stderr
    page = checkout.folder / re.search(r"file://(\S+/index.html)", done.stdout)[1]
    assert json.loads((page.parent / "results.json").read_text()) == {"seed": 3, "sum": 4}
    assert json.loads((page.parent / "run.json").read_text())["parameters"] == {"seed": 3}
    assert (page.parent / "in_book").exists()
    assert not checkout.result("tiny/01_a").exists(), "the book's own results are not touched"
    text = page.read_text(encoding="utf-8")
    assert "helper_a.value(seed)" in re.sub("<[^>]+>", "", text)
    assert not re.findall(r"""(?:src|href)=["']?(?:https?:)?//""", text), (
        "the page asks nothing of the network"
    )
    assert all(
        (page.parent / address).exists()
        for address in re.findall(r'<script[^>]* src="([^"]+)"', text)
    )

    again = checkout.cwr("run", "tiny/01_a", "-p", "seed", "3")
    assert "these results are there already" in again.stdout and page.as_uri() in again.stdout

    checkout.edit("lib/cwr/helper_a.py", "seed + 1", "seed + 2")
    third = checkout.cwr("run", "tiny/01_a", "-p", "seed", "3")
    assert "[1/1] tiny/01_a in " in third.stdout, "other code, other results"
    assert json.loads((page.parent / "results.json").read_text())["sum"] == 5


def test_a_paper_is_rerun_notebook_by_notebook_with_the_parameters_that_each_has(checkout, write):
    checkout.notebook(
        "tiny/02_b", "total = twice", write, parameters="seed: int = 0\ntwice: float = 1.0"
    )
    checkout.notebook(
        "tiny/00_print", "seed, total = 0, rounding", write, parameters="rounding: float = 0.05"
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


def test_what_no_notebook_of_a_paper_has_is_refused_with_the_nearest_of_all(checkout, write):
    checkout.notebook(
        "tiny/00_print", "seed, total = 0, rounding", write, parameters="rounding: float = 0.05"
    )
    for given, place, near in (
        ("sede", "tiny/01_a", "seed"),
        ("round", "tiny/00_print", "rounding"),
    ):
        done = checkout.cwr("run", "tiny", "-p", "seed", "3", "-p", given, "3")
        assert done.returncode == 2
        assert f"unknown parameter '{given}' of {place}: did you mean '{near}'?" in done.stderr
        assert len(done.stderr.splitlines()) == 1 and runs(checkout) == []


def test_a_dry_run_plans_only_the_notebooks_that_have_a_parameter(checkout, write):
    checkout.notebook(
        "tiny/00_print", "seed, total = 0, rounding", write, parameters="rounding: float = 0.05"
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
        (["-p", "seed", "many"], "parameter 'seed' of tiny/01_a must be int, but seed is 'many'"),
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
    assert done.returncode == 1 and "failed: tiny/01_a, cell [3]: KeyError: 3" in done.stderr
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
    assert "there already" in checkout.cwr("run", "tiny/01_a", "-p", "corpus", "b.txt").stdout
