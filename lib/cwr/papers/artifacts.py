"""Lists every figure and table of the five texts, and the notebook that makes it."""

import csv
import functools
from collections.abc import Iterable
from pathlib import Path

NOT_WRITTEN = "not run: this chapter's notebooks are not written yet"


@functools.cache
def rows() -> tuple[dict, ...]:
    """Returns a dictionary for each artifact: paper, artifact, notebook, measures and profile_*.

    Read from the artifacts.csv of each text, in the book's order; `notebook` is "" for none yet.
    """
    from cwr.papers.registry import KEYS  # not at the top: it reads the claims of all texts

    listed = []
    for key in KEYS:
        file = Path(__file__).parents[1] / "texts" / key / "claims" / "artifacts.csv"
        with file.open(newline="", encoding="utf8") as lines:
            listed += [{"paper": key, **row} for row in csv.DictReader(lines)]
    return tuple(listed)


def only_printed(notebook: str) -> bool:
    """Tells whether a notebook ("<paper>/<NN_name>") is the 00 of a paper: such a notebook checks
    printed numbers and runs no model.
    """
    return notebook.rpartition("/")[2].startswith("00_")


def is_planned(row: dict) -> bool:
    """Tells whether an artifact's notebook is named, with its measures, but not written yet."""
    return row.get("profile_base") == NOT_WRITTEN


def measured(row: dict) -> bool:
    """Tells whether an artifact's notebook measures something, rather than only reading print."""
    return bool(row["notebook"]) and not (only_printed(row["notebook"]) or is_planned(row))


@functools.cache
def measures() -> dict[str, frozenset[str]]:
    """Returns {notebook: the measures it writes}, for all notebooks that measure something."""
    notebooks: dict[str, set[str]] = {}
    for row in filter(measured, rows()):
        notebooks.setdefault(row["notebook"], set()).update(row["measures"].split(";"))
    return {notebook: frozenset(names) for notebook, names in notebooks.items()}


def unmeasured(needed: Iterable[str]) -> list[str]:
    """Returns the measures of `needed` that no notebook writes, in their order."""
    written = frozenset().union(*measures().values())
    return [measure for measure in needed if measure not in written]


def rerun(needed: Iterable[str], paper: str) -> str:
    """Returns the argument of `cwr run` that measures all `needed`: a notebook, or a whole paper.

    If no notebooks of the paper measure all of `needed`: its notebook 00, which checks printed
    numbers.
    """
    needed = frozenset(needed)
    single = [notebook for notebook, written in measures().items() if needed and needed <= written]
    if single:
        return single[0]
    whole = frozenset().union(
        *(written for notebook, written in measures().items() if notebook.startswith(paper))
    )
    return paper if needed and needed <= whole else f"{paper}/00_the_paper_against_itself"
