"""The project's own files agree with each other and with what is promised."""

import importlib.util
import json
import re
import subprocess
import tomllib
from collections import Counter
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def pins(name: str) -> dict[str, str]:
    """{distribution: version} of a lock file."""
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return {
        canonicalize_name(line.split("==")[0]): line.split("==")[1]
        for line in lines
        if line and line[0] != "#"
    }


def wanted() -> list[Requirement]:
    extras = (
        packages
        for extra, packages in PROJECT["optional-dependencies"].items()
        if extra != "cluster"  # the reader's own
    )
    return [
        Requirement(line)
        for line in PROJECT["dependencies"] + [line for extra in extras for line in extra]
    ]


@pytest.mark.parametrize("requirement", wanted(), ids=str)
def test_the_lock_holds_what_the_project_asks_for(requirement):
    version = pins("requirements.lock").get(canonicalize_name(requirement.name))
    assert version is not None and requirement.specifier.contains(version)


def test_the_lock_pins_exact_public_versions():
    for name in ("requirements.lock", "models.lock"):
        for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
            assert line.startswith("#") or re.fullmatch(r"[\w.-]+==[\w.]+", line), (
                f"{name}: {line}"
            )
    assert not pins("requirements.lock").keys() & pins("models.lock").keys()
    assert not [
        name for name in pins("requirements.lock") if name == "cwr" or "slurm" in name
    ]


@pytest.mark.parametrize("name", ["library.txt", "notebooks.txt"])
def test_what_is_carried_to_a_borrowed_machine_has_the_versions_of_the_lock(name):
    carried = pins(f"workflow/gpu/{name}")
    lock = pins("requirements.lock")
    assert carried and carried == {package: lock.get(package) for package in carried}


def test_environment_and_makefile_install_the_same_lock_and_python():
    described = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))[
        "dependencies"
    ]
    assert {"pip": ["-r requirements.lock"]} in described and "python=3.11" in described
    assert "python3.11" in (ROOT / "Makefile").read_text(encoding="utf-8")
    assert Requirement(f"python{PROJECT['requires-python']}").specifier.contains("3.11")
    torch = pins("requirements.lock")["torch"]
    assert f"TORCH_INSTALL ?= torch=={torch}\n" in (ROOT / "Makefile").read_text(
        encoding="utf-8"
    )


def files() -> list[Path]:
    """What is in the repository, or would be with the next commit."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    return [path for name in listed if (path := ROOT / name).is_file()]


def test_no_file_names_a_registry_or_a_folder_of_one_machine():
    parts = [
        ("/wo", "rk/"),
        ("/ho", "me/"),
        ("/ro", "ot/"),
        ("/tm", "p/"),
        ("py", r"pi\.org"),
        ("python", "hosted"),
        ("deb", r"\.debian"),
        ("registry", r"\.npm"),
        ("conda", r"\.anaconda\.org"),
    ]
    strange = re.compile(
        "|".join(first + rest for first, rest in parts)
    )  # in two parts: this file is read too
    found = {}
    for path in files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        if match := strange.search(text):
            found[str(path.relative_to(ROOT))] = match[0]
    assert not found


def test_the_public_face_is_the_committed_one():
    spec = importlib.util.spec_from_file_location(
        "public_face", ROOT / "tests" / "public_face.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    committed = (ROOT / "tests" / "public_face.txt").read_text(encoding="utf-8")
    assert module.face() == committed, (
        "meant? python tests/public_face.py > tests/public_face.txt, and the changelog"
    )


def test_make_shows_its_targets():
    shown = subprocess.run(
        ["make"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert all(
        f"make {target} " in shown
        for target in ("book", "test", "lab", "refresh", "clean", "help")
    )


def test_installation_is_done_once_for_each_content_of_the_locks(tmp_path):
    for name in ("Makefile", "pyproject.toml", "requirements.lock", "models.lock"):
        (tmp_path / name).write_text(
            (ROOT / name).read_text(encoding="utf-8"), encoding="utf-8"
        )

    def steps() -> list[str]:
        plan = subprocess.run(
            ["make", "-n", "install", "PYTHON=python3"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        return re.findall(r'"install: ([\w.]+)', plan.stdout)

    assert steps() == ["virtual", "torch", "libraries", "models", "cwr"]
    stamp = re.search(
        r"touch (\S+)",
        subprocess.run(
            ["make", "-n", "install"], cwd=tmp_path, capture_output=True, text=True
        ).stdout,
    )[1]
    (tmp_path / stamp).parent.mkdir()
    (tmp_path / stamp).touch()
    assert steps() == []
    (tmp_path / "models.lock").write_text("# another model\n")
    assert steps() == ["virtual", "torch", "libraries", "models", "cwr"]


def figure_names() -> list[str]:
    return [
        output["metadata"]["image/png"]["name"]
        for page in sorted((ROOT / "notebooks").glob("*/*.ipynb"))
        for cell in json.loads(page.read_text(encoding="utf-8"))["cells"]
        for output in cell.get("outputs", ())
        if "name" in output.get("metadata", {}).get("image/png", {})
    ]


def figures_of_code() -> list[str]:
    """Names that figures get in code: a notebook may wait for its first run."""
    return [
        name
        for page in sorted((ROOT / "notebooks").glob("*/*.ipynb"))
        for cell in json.loads(page.read_text(encoding="utf-8"))["cells"]
        if cell["cell_type"] == "code"
        for name in re.findall(
            r"figures\.show\([^\"]*?\"([\w-]+)\"", "".join(cell["source"])
        )
    ]


def test_every_figure_of_the_book_has_a_name_of_its_own():
    """Names are labels, and the book is not built with a label twice."""
    names = figure_names()
    assert len(names) > 50
    assert not [name for name, times in Counter(names).items() if times > 1]


def prose() -> dict[str, str]:
    """The text of each page and of each notebook's cells of prose, by its path."""
    texts = {
        str(page.relative_to(ROOT)): page.read_text(encoding="utf-8")
        for folder in ("book", "notebooks")
        for page in sorted((ROOT / folder).rglob("*.md"))
    }
    for page in sorted((ROOT / "notebooks").glob("*/*.ipynb")):
        cells = json.loads(page.read_text(encoding="utf-8"))["cells"]
        texts[str(page.relative_to(ROOT))] = "\n\n".join(
            "".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"
        )
    return texts


def test_what_the_prose_refers_to_has_its_label():
    """Sphinx would say so too, when all notebooks have run."""
    texts = prose()
    labels = {
        label
        for text in texts.values()
        for label in re.findall(r"^\(([\w-]+)\)=$", text, re.MULTILINE)
    } | set(figure_names() + figures_of_code())
    asked = {
        (path, re.split(r"[<>]", target)[-2] if target.endswith(">") else target)
        for path, text in texts.items()
        for target in re.findall(r"\{(?:ref|numref)\}`([^`{}]+)`", text)
    }
    assert len(asked) > 50
    assert not {(path, label) for path, label in asked if label not in labels}
