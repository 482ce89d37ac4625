"""The book rule: built from results, not built in vain, and never lost to a failure."""

import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RESULTS = """from cwr.report import results
results.write(name, [{"model": "m", "family": "masked", "layer": 0, "measure": "x", "value": value}], {})"""


def with_book(checkout) -> Path:
    """Give the miniature a book: the real configuration and extension, a page and its two notebooks."""
    shutil.copy(ROOT / "_config.yml", checkout.folder)
    for part in ("_ext", "_static"):
        shutil.copytree(ROOT / "book" / part, checkout.folder / "book" / part)
    shutil.copy(ROOT / "book" / "references.bib", checkout.folder / "book")
    (checkout.folder / "book" / "intro.md").write_text("# Tiny\n\nA small book.\n")
    others = sorted(
        {page.stem for page in (ROOT / "book").glob("*.md")} - {"intro"}
    )  # generated pages link to them
    for page in others:
        (checkout.folder / "book" / f"{page}.md").write_text(f"# Page {page}\n")
    pages = [
        *others,
        "scoreboard",
        "printed_numbers",
        "about_this_run",
        "your_runs",
        "tiny/01_a",
        "tiny/02_b",
    ]
    (checkout.folder / "book" / "_toc.yml").write_text(
        "format: jb-book\nroot: intro\nchapters:\n" + "".join(f"- file: {page}\n" for page in pages)
    )
    for name in ("tiny/01_a", "tiny/02_b"):
        path = checkout.notebook(name, f"name, value = {name!r}, 0.5", RESULTS)
        path.write_text(
            path.read_text().replace(
                '"cells": [',
                f'"cells": [{{"cell_type": "markdown", "id": "head", '
                f'"metadata": {{}}, "source": "# Notebook {name}"}},',
                1,
            )
        )
    return checkout.folder / "_build" / "html" / "index.html"


def test_the_book_is_built_once_and_survives_what_fails_after(checkout):
    index = with_book(checkout)
    built = checkout.cwr("build")
    assert built.returncode == 0, built.stdout + built.stderr
    assert built.stdout.endswith(f"The book: {index.as_uri()}\n")
    assert "A small book" in index.with_name("intro.html").read_text()
    assert "[2/2] tiny/0" in built.stdout and "building the book" in built.stdout

    before = index.stat().st_mtime_ns
    again = checkout.cwr("build")
    assert "nothing has changed" in again.stdout and index.stat().st_mtime_ns == before

    checkout.edit("book/intro.md", "A small book", "{ref}`nowhere` A small book")
    refused = checkout.cwr("build")
    assert refused.returncode == 1 and "nowhere" in refused.stderr
    assert "the one of before is untouched" in refused.stderr
    assert index.stat().st_mtime_ns == before

    checkout.edit("book/intro.md", "{ref}`nowhere` A small book", "A small book")
    checkout.edit("notebooks/tiny/01_a.ipynb", "0.5", "1 / 0")
    failed = checkout.cwr("build")
    assert (
        failed.returncode == 1
        and "tiny/01_a, cell [2]: ZeroDivisionError: division by zero" in failed.stderr
    )
    assert index.stat().st_mtime_ns == before
