"""Collects the texts, in the book's order, with their claims, checks and printed numbers.

A text is a folder of `cwr.texts`. Its `claims` define CHAPTER (its place in the book), TITLE,
SHORT, CLAIMS, CHECKS, HEADLINES and `published`; KIND, if the text is no paper.
"""

import importlib
import pkgutil
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from cwr.papers.checks import Check
from cwr.papers.claims import Claim


@dataclass(frozen=True, kw_only=True)
class Paper:
    """One text.

    key: the name of its folders, notebooks and claims. chapter: its place in the book, from 1.
        title: for a heading. short: for a cell of a table. kind: "paper", or "post" for one that
        prints no numbers: `published` has those of its sources.
    claims: in the order of the text. checks: of its printed numbers. headlines: ids of the claims
        it is known for.
    published: loads its printed and released numbers as a tidy table.
    """

    key: str
    chapter: int
    title: str
    short: str
    kind: str
    claims: tuple[Claim, ...]
    checks: tuple[Check, ...]
    headlines: tuple[str, ...]
    published: Callable[[], pd.DataFrame]

    @property
    def name(self) -> str:
        """The name by which pages call the text, with the year that its key ends in, if any:
        "Ethayarajh 2019"."""
        return " ".join([self.short, *re.findall(r"\d{4}$", self.key)])


def _keys() -> list[str]:
    """Returns the names of the folders of all texts."""
    modules = pkgutil.iter_modules([str(Path(__file__).parents[1] / "texts")])
    return [module.name for module in modules if module.ispkg]


def _paper(key: str) -> Paper:
    text = importlib.import_module(f"cwr.texts.{key}.claims")
    return Paper(
        key=key,
        chapter=text.CHAPTER,
        title=text.TITLE,
        short=text.SHORT,
        kind=getattr(text, "KIND", "paper"),
        claims=tuple(text.CLAIMS),
        checks=tuple(text.CHECKS),
        headlines=tuple(text.HEADLINES),
        published=text.published,
    )


PAPERS = tuple(sorted(map(_paper, _keys()), key=lambda paper: (paper.chapter, paper.key)))
KEYS = tuple(paper.key for paper in PAPERS)


def paper(key: str) -> Paper:
    """Returns the text with this key. Raises KeyError for an unknown key."""
    for text in PAPERS:
        if text.key == key:
            return text
    raise KeyError(f"{key} is none of the texts {', '.join(KEYS)}")
