"""The five texts, in the book's order: their claims, checks and printed numbers under one roof."""
from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from cwr.papers import bis2021, ethayarajh2019, gupta2021, survey, zhao2020
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


def _paper(key: str, title: str, short: str, text) -> Paper:
    return Paper(
        key=key,
        title=title,
        short=short,
        claims=tuple(text.CLAIMS),
        checks=tuple(text.CHECKS),
        headlines=tuple(text.HEADLINES),
        published=text.published,
    )


PAPERS = (
    _paper(
        "ethayarajh2019",
        "Ethayarajh (2019), How Contextual are Contextualized Word Representations?",
        "Ethayarajh",
        ethayarajh2019,
    ),
    _paper("bis2021", "Biś et al. (2021), Too Much in Common", "Biś et al.", bis2021),
    _paper("gupta2021", "Gupta & Jaggi (2021), X2Static", "Gupta & Jaggi", gupta2021),
    _paper("zhao2020", "Zhao et al. (2020), semantic class probing", "Zhao et al.", zhao2020),
    _paper("survey", "A survey in two parts, part 2", "Survey, part 2", survey),
)
KEYS = tuple(paper.key for paper in PAPERS)


def paper(key: str) -> Paper:
    """The text with this key. Raises KeyError for another."""
    return next((paper for paper in PAPERS if paper.key == key), None) or _unknown(key)


def _unknown(key: str) -> Paper:
    raise KeyError(f"{key} is none of the texts {', '.join(KEYS)}")
