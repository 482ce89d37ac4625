"""The texts, in the book's order: their claims, checks and printed numbers under one roof.

A text is a folder of `cwr.texts`. Its `claims` name TITLE, SHORT, CLAIMS, CHECKS, HEADLINES and
`published`. The order is that of artifacts.csv; a text without a row there comes last.
"""

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from cwr.papers import artifacts
from cwr.papers.checks import Check
from cwr.papers.claims import Claim


@dataclass(frozen=True, kw_only=True)
class Paper:
    """One text.

    key: the name of its folders, notebooks and claims. title: as a heading. short: in a cell of a
        table.
    claims: in the order of the text. checks: of its printed numbers. headlines: ids of the claims
        it is known for.
    published: loads its printed and released numbers as a tidy table.
    """

    key: str
    title: str
    short: str
    claims: tuple[Claim, ...]
    checks: tuple[Check, ...]
    headlines: tuple[str, ...]
    published: Callable[[], pd.DataFrame]


def _keys() -> list[str]:
    """The names of the folders of all texts."""
    modules = pkgutil.iter_modules([str(Path(__file__).parents[1] / "texts")])
    folders = sorted(module.name for module in modules if module.ispkg)
    order = list(dict.fromkeys(row["paper"] for row in artifacts.rows()))
    return sorted(folders, key=lambda key: order.index(key) if key in order else len(order))


def _paper(key: str) -> Paper:
    text = importlib.import_module(f"cwr.texts.{key}.claims")
    return Paper(
        key=key,
        title=text.TITLE,
        short=text.SHORT,
        claims=tuple(text.CLAIMS),
        checks=tuple(text.CHECKS),
        headlines=tuple(text.HEADLINES),
        published=text.published,
    )


PAPERS = tuple(map(_paper, _keys()))
KEYS = tuple(paper.key for paper in PAPERS)


def paper(key: str) -> Paper:
    """The text with this key. Raises KeyError for another."""
    return next((paper for paper in PAPERS if paper.key == key), None) or _unknown(key)


def _unknown(key: str) -> Paper:
    raise KeyError(f"{key} is none of the texts {', '.join(KEYS)}")
