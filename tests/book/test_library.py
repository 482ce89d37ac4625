"""The pages on the library: generated from docstrings, whole, and without a warning of Sphinx."""

import importlib.util
import shutil
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

import build_book

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("library", "library_measures")
NO_CALL = {"cwr.texts.ethayarajh2019.claims.CLAIMS"}  # a list, which has no docstring


def public_names() -> set[str]:
    spec = importlib.util.spec_from_file_location(
        "public_face", ROOT / "tests" / "public_face.py"
    )
    face = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(face)
    return set(face.NAMES) - NO_CALL


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> list[BeautifulSoup]:
    """The two pages as a book of their own; `sphinx` takes a warning for an error."""
    folder = tmp_path_factory.mktemp("library")
    source = folder / "source"
    for folder_of_book in (ROOT / "book").glob("_*/"):
        shutil.copytree(folder_of_book, source / folder_of_book.name)
    shutil.copy(ROOT / "_config.yml", source)
    for name in ("references.bib", *(f"{page}.md" for page in PAGES)):
        shutil.copy(ROOT / "book" / name, source)
    contents = "format: jb-book\nroot: library\nchapters:\n- file: library_measures\n"
    (source / "_toc.yml").write_text(contents)
    build_book.copy_mathjax(source)
    build_book.sphinx(source, folder / "out", folder / "log")
    html = folder / "out" / "_build" / "html"
    return [
        BeautifulSoup((html / f"{page}.html").read_text(), "html.parser") for page in PAGES
    ]


def test_every_public_name_has_its_entry_with_a_text(pages):
    entries = {
        signature["id"]: signature.find_next_sibling("dd").get_text().strip()
        for page in pages
        for signature in page.select("dt.sig[id]")
    }
    assert public_names() <= set(entries)
    assert [name for name in public_names() if len(entries[name]) < 20] == []


def test_parameters_are_items_and_code_is_code(pages):
    entry = pages[0].find(id="cwr.vectors").find_next_sibling("dd")
    items = [item.get_text() for item in entry.select("li")]
    assert items[0].startswith("sentences: ") and items[2].startswith("pooling: ")
    assert '"mean"' in [code.get_text() for code in entry.select("li code")]
    assert entry.select_one(".highlight").get_text().startswith(">>> ")
    text = "".join(page.select_one("article").get_text() for page in pages)
    assert "|sum u|^2 - n" in text and "``" not in text and "\\" not in text
    nested = (
        pages[1]
        .find(id="cwr.measures.isotropy.partition_isotropy")
        .find_next_sibling("dd")
    )
    assert [item.get_text().split()[0] for item in nested.select("li")] == [
        '"positive"',
        '"negative"',
        '"both"',
    ]
