"""`cwr new text` in a copy of the checkout: green at once, or nothing has changed."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cwr.cli import new_text
from cwr.errors import UserError

ROOT = Path(__file__).resolve().parents[1]
KEY, TITLE = "liu2019", "Liu et al. (2019), Linguistic Knowledge"
CHECKS = {
    "style": ["-m", "ruff", "check", "--quiet", "."],
    "format": ["-m", "ruff", "format", "--quiet", "--check", "."],
    "contract": ["-c", "from importlinter.cli import lint_imports_command as run; run()"],
    "claims": ["-m", "pytest", "-q", "tests/texts", "-k", KEY],
    "project": ["-m", "pytest", "-q", "tests/test_project.py"],
    **{
        name: [
            *("workflow/run_notebook.py", f"notebooks/{KEY}/{name}.ipynb"),
            *("--out", f"_build/run/small/{KEY}/{name}"),
        ]
        for name in ("00_the_paper_against_itself", "01_figure_1")
    },
}


def files(folder: Path) -> dict[str, bytes]:
    """What is in a folder, by its names below it; compiled modules do not count."""
    found = [
        file for file in folder.rglob("*") if file.is_file() and file.suffix != ".pyc"
    ]
    return {str(file.relative_to(folder)): file.read_bytes() for file in found}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the files of the repository, as a repository."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(
        listed, cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for name in filter(lambda name: (ROOT / name).is_file(), names.splitlines()):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    return tmp_path


def python(folder: Path, *words: str) -> subprocess.CompletedProcess:
    """Python with these words in a checkout, whose library it imports."""
    settings = os.environ | {"PYTHONPATH": str(folder / "lib")}
    return subprocess.run(
        [sys.executable, *words], cwd=folder, env=settings, capture_output=True, text=True
    )


def test_a_new_text_is_green_at_once_and_its_claim_is_judged(checkout: Path) -> None:
    command = ("-m", "cwr.cli.main")
    made = python(checkout, *command, "new", "text", KEY, TITLE)
    assert made.returncode == 0 and f"book/{KEY}/index.md" in made.stdout
    for name, words in CHECKS.items():
        done = python(checkout, *words)
        assert done.returncode == 0, f"{name}: {done.stdout}{done.stderr}"
    (judged,) = json.loads(
        python(checkout, *command, "check", "--paper", KEY, "--json").stdout
    )
    assert judged["published"] == "holds"
    ours = {model: verdict["verdict"] for model, verdict in judged["ours"].items()}
    assert ours == {"cwr-bert": "holds", "cwr-gpt": "holds"}


@pytest.mark.parametrize(
    "key, title, sentence",
    [
        ("survey", "A title", "there is lib/cwr/texts/survey already"),
        ("models", "A title", "there is notebooks/models already"),
        ("class", "A title", "'class' cannot name a Python package"),
        ("2019liu", "A title", "'2019liu' cannot name a Python package"),
        ("../liu", "A title", "'../liu' cannot name a Python package"),
        ("liu2019", 'A "title"', "cannot be a heading"),
        ("liu2019", "A\ntitle", "cannot be a heading"),
    ],
)
def test_a_name_that_cannot_be_is_refused(key: str, title: str, sentence: str) -> None:
    with pytest.raises(UserError) as refusal:
        new_text.write(ROOT, key, title)
    assert sentence in str(refusal.value)


def test_after_a_failure_everything_is_as_it_was(checkout: Path, monkeypatch) -> None:
    before, write, written = files(checkout), new_text.paths.write_text, []

    def until_the_disk_is_full(file: Path, text: str) -> None:
        write(file, text)
        written.append(file)
        if len(written) == 12:
            raise OSError("the disk is full")

    monkeypatch.setattr(new_text.paths, "write_text", until_the_disk_is_full)
    with pytest.raises(OSError, match="disk is full"):
        new_text.write(checkout, KEY, TITLE)
    assert len(written) == 12 and files(checkout) == before
