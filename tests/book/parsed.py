"""The pages of the built book as trees, which a process reads once: a test changes a copy, never these."""

import functools
from pathlib import Path

from bs4 import BeautifulSoup


def soup(html: Path, page: str) -> BeautifulSoup:
    """A page of the book in the folder html, without the ending of its name."""
    return parsed(html / f"{page}.html")


@functools.cache
def parsed(file: Path) -> BeautifulSoup:
    """The tree of a file, which stays as it was read."""
    return BeautifulSoup(file.read_text(encoding="utf-8"), "html.parser")
