"""Starts a new text: copies its files from workflow/new_text and adds it to the list of pages."""

import keyword
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from cwr import paths
from cwr.errors import UserError, quoted

TEMPLATES = Path("workflow") / "new_text"  # a tree like the checkout's
LIST = Path("book") / "_toc.yml"  # of pages
PLACE = r"^(?=  - caption: Our models$)"  # in front of it a new text's pages are put
PAGES = (
    "      - file: {key}/index\n        sections:\n"
    "          - file: {key}/00_the_paper_against_itself\n          - file: {key}/01_figure_1\n"
)


def write(root: Path, key: str, title: str) -> list[Path]:
    """Writes the files of a new text and adds the text to the book's list of pages.

    root: the checkout. key: the name of the text's folders. title: its heading.
    Returns the files that are new or changed, below root. Raises UserError for a key that is taken
    or cannot name a package, and for a title that is not one plain line; OSError for a folder that
    cannot be written. After an error nothing has changed.
    """
    _refuse_key(root, key)
    _refuse_title(title)
    added = _added(root, key, title)
    listed = _listed(root, key)
    before = (root / LIST).read_bytes()
    try:
        for file, text in {**added, LIST: listed}.items():
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            paths.write_text(root / file, text)
    except BaseException:
        _take_back(root, key, added, before)
        raise
    return [*added, LIST]


def _refuse_key(root: Path, key: str) -> None:
    if keyword.iskeyword(key) or not re.fullmatch(r"[a-z][a-z0-9_]{1,30}", key):
        raise UserError(
            f"{quoted(key)} cannot name a Python package: take small letters and digits, as in "
            "liu2019"
        )
    for folder in ("lib/cwr/texts", "notebooks", "book", "tests/texts"):
        for file in (root / folder).glob("*"):
            if file.stem == key:
                raise UserError(
                    f"there is {file.relative_to(root)} already: take another name than {key}"
                )


def _refuse_title(title: str) -> None:
    if not title.strip() or not title.isprintable() or set(title) & set('"\\'):
        raise UserError(
            f"{quoted(title)} cannot be a heading: give one line without quotation marks and "
            "backslashes"
        )


def _added(root: Path, key: str, title: str) -> dict[Path, str]:
    """Returns {file below root: its text} of the templates, with this key and title."""
    files = sorted(file for file in (root / TEMPLATES).rglob("*") if file.is_file())
    texts = {}
    for file in files:
        if "__pycache__" not in file.parts:
            name = str(file.relative_to(root / TEMPLATES)).replace("__key__", key)
            text = file.read_text(encoding="utf-8").replace("__key__", key)
            texts[Path(name)] = text.replace("__title__", title)
    return texts


def _listed(root: Path, key: str) -> str:
    """Returns the list of pages with those of a text. Raises UserError without a place for them."""
    before, pages = (root / LIST).read_text(encoding="utf-8"), PAGES.format(key=key)
    after, found = re.subn(PLACE, lambda _: pages, before, count=1, flags=re.MULTILINE)
    if not found:
        raise UserError(f"{LIST} has another form than in a fresh clone: restore it from git")
    return after


def _take_back(root: Path, key: str, added: Iterable[Path], before: bytes) -> None:
    """Removes the new files and restores the list of pages."""
    if (root / LIST).read_bytes() != before:
        (root / LIST).write_bytes(before)
    for file in added:
        (root / file).unlink(missing_ok=True)
        if file.parent.name == key:
            shutil.rmtree(root / file.parent, ignore_errors=True)
