"""What a change makes run again, and what it does not."""

import ast
import json
import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BOTH = ["tiny/01_a", "tiny/02_b"]


@pytest.fixture
def fresh(checkout):
    """A checkout whose two notebooks have been run."""
    assert checkout.ran("run", "tiny") == BOTH
    return checkout


def test_only_what_depends_on_a_change_runs_again(fresh):
    assert fresh.ran("run", "tiny") == [], "nothing has changed"

    for file in (
        "notebooks/tiny/01_a.ipynb",
        "lib/cwr/helper_a.py",
        "workflow/run_notebook.py",
    ):
        os.utime(fresh.folder / file)
    assert fresh.ran("run", "tiny") == [], "a touched file is the same file"

    for code in ("# a comment\n", "def unused():\n    return 1\n"):
        with (fresh.folder / "lib/cwr/helper_b.py").open("a") as file:
            file.write(code)
    assert fresh.ran("run", "tiny") == [], "a comment, and a function that nobody uses"

    fresh.edit("lib/cwr/helper_b.py", "seed + 1", "seed + 2")
    assert fresh.ran("run", "tiny") == ["tiny/02_b"], (
        "a file of the library, with what imports it"
    )
    assert json.loads(fresh.result("tiny/02_b").read_text())["sum"] == 2

    fresh.give_outputs("tiny/01_a")
    assert fresh.ran("run", "tiny") == [], "outputs, which a refresh takes from the run"

    fresh.edit(
        "notebooks/tiny/01_a.ipynb", "helper_a.value(seed)", "helper_a.value(seed) + 10"
    )
    assert fresh.ran("run", "tiny") == ["tiny/01_a"], "an edited notebook"

    with (fresh.folder / "lib/cwr/report/verdicts.py").open("a") as file:
        file.write("# judged otherwise\n")
    assert fresh.ran("run", "tiny") == [], "what only the cell tagged verdicts imports"

    fresh.edit("notebooks/profiles/small.yaml", "{}", "tiny/02_b:\n  seed: 5")
    assert fresh.ran("run", "tiny") == ["tiny/02_b"], "a parameter of the profile"
    assert json.loads(fresh.result("tiny/02_b").read_text())["seed"] == 5

    os.utime(fresh.folder / "lib/cwr/models/tiny/config.json")
    assert fresh.ran("run", "tiny") == [], "a touched model is the same model"
    fresh.edit("lib/cwr/models/tiny/config.json", "1", "2")
    assert fresh.ran("run", "tiny") == BOTH, (
        "other weights may give every notebook other numbers"
    )

    fresh.edit("lib/cwr/parameters/values.py", "strict=True", "strict=bool(1)")
    assert fresh.ran("run", "tiny") == BOTH, "how a parameter's value is read"

    longer = fresh.folder / "book/reference/base/tiny/02_b/results.json"
    longer.parent.mkdir(parents=True)
    longer.write_text("{}")
    assert fresh.ran("run", "tiny") == ["tiny/02_b"], (
        "a longer run to draw beside the reader's own"
    )


def test_profiles_keep_their_results_apart(fresh):
    assert fresh.ran("run", "tiny/01_a", "--profile", "other") == ["tiny/01_a"]
    assert json.loads(fresh.result("tiny/01_a", "other").read_text())["seed"] == 7
    assert json.loads(fresh.result("tiny/01_a").read_text())["seed"] == 0


def test_the_book_is_stale_after_a_change_of_any_script_that_makes_pages():
    """The engine's list of scripts has all that `build_book` imports, directly or not."""
    made, left = set(), ["build_book"]
    while left:
        name = left.pop()
        made.add(f"workflow/{name}.py")
        tree = ast.parse((ROOT / "workflow" / f"{name}.py").read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            names = [node.module] if isinstance(node, ast.ImportFrom) else []
            names += (
                [each.name for each in node.names] if isinstance(node, ast.Import) else []
            )
            if isinstance(node, ast.ImportFrom):
                names += [f"{node.module}/{each.name}" for each in node.names]
            scripts = [
                each for each in names if (ROOT / "workflow" / f"{each}.py").exists()
            ]
            left += [each for each in scripts if f"workflow/{each}.py" not in made]
    engine = (ROOT / "workflow" / "Snakefile").read_text(encoding="utf-8")
    listed = re.search(r"PAGES = .*? in \(\n(.*?)\n\)\]", engine, re.DOTALL)[1]
    assert {f"workflow/{name}.py" for name in re.findall(r'"([^"]+)"', listed)} == made
