"""Where the modules of the library belong, by who reaches them."""

import importlib
import importlib.util
from pathlib import Path

import pytest

from cwr.cli import dependencies
from cwr.papers.registry import KEYS

ROOT = Path(__file__).resolve().parents[1]
IN_THE_FIELD = "measures"  # a measure stays there though one text uses it today


@pytest.fixture(scope="module")
def shelves():
    spec = importlib.util.spec_from_file_location(
        "shelves", ROOT / "workflow" / "shelves.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def readers(shelves) -> dict[Path, set[str]]:
    """{module below lib/cwr: the texts whose notebooks reach it, and the others who do}."""
    return {
        Path(module): set(found.split(", ")) - {""}
        for module, _, found, _ in shelves.rows()
    }


def test_what_one_text_alone_reaches_stands_in_its_folder(readers):
    lost = {
        module: text
        for module, (text, *more) in (
            (m, [*found]) for m, found in readers.items() if found
        )
        if not more and text in KEYS and module.parts[0] not in ("texts", IN_THE_FIELD)
    }
    assert lost == {}, "move them to texts/<text>"


def test_nobody_else_reaches_what_stands_in_the_folder_of_a_text(readers):
    lost = {
        module: found - {module.parts[1]}
        for module, found in readers.items()
        if module.parts[0] == "texts"
        and len(module.parts) > 2
        and "claims" not in module.parts
    }
    assert {module: more for module, more in lost.items() if more} == {}, (
        "move them to the floor"
    )


@pytest.mark.parametrize("text", KEYS)
def test_the_folder_of_a_text_says_which_module_serves_which_notebook(shelves, text):
    said = importlib.import_module(f"cwr.texts.{text}").__doc__.splitlines()
    lines = [line.strip() for line in said if line.startswith("    ")]
    assert lines == shelves.served(text), (
        "put into its docstring, indented by four blanks, what this prints: "
        f"python workflow/shelves.py {text}"
    )


def test_a_notebook_reaches_what_the_workflow_makes_it_depend_on(shelves):
    for notebook in sorted(ROOT.glob("notebooks/*/*.ipynb"))[::8]:
        files = {file for file, _ in dependencies.definitions(ROOT, notebook)}
        assert files <= shelves.of_notebook(notebook)
