"""Counts the senses of words: by an inventory of senses, or by word classes.

No inventory of senses travels with the book. An annotated text tells in how many word classes a
form occurs: a coarse lower bound (*bank* is a noun in both of its senses).
"""

from collections import Counter
from pathlib import Path

import pandas as pd

from cwr.errors import UserError, first_line

CLASSES = Path(__file__).parent / "word_classes" / "english-ewt.csv"
BY_CLASSES = "word classes"  # the name of the inventory that travels with the book
BY_WORDNET = "WordNet"


def load(inventory: str = BY_CLASSES) -> pd.Series:
    """Loads the number of senses of each word of an inventory, indexed by lower-cased word.

    inventory: BY_CLASSES, or the path of WordNet's file index.sense.
    Raises UserError for a file that cannot be read as such.
    """
    if inventory == BY_CLASSES:
        table = pd.read_csv(CLASSES, index_col="word", keep_default_na=False)  # "null" is a word
        return table["classes"]
    return _wordnet(Path(inventory).expanduser())


def name(inventory: str) -> str:
    """Returns the name of an inventory in results."""
    return BY_CLASSES if inventory == BY_CLASSES else BY_WORDNET


def _wordnet(file: Path) -> pd.Series:
    """Senses of each lemma: a line of index.sense is "lemma%... offset number count"."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(
            f"the inventory of senses {str(file)!r} cannot be read ({first_line(error)}): give the path of "
            f"WordNet's index.sense, or {BY_CLASSES!r}"
        ) from None
    for number, line in enumerate(lines, start=1):
        if "%" not in line or len(line.split()) != 4:
            raise UserError(
                f"line {number} of {file} is no line of WordNet's index.sense: give that file, "
                f"or {BY_CLASSES!r}"
            )
    if not lines:
        raise UserError(f"{file} is empty: give WordNet's index.sense, or {BY_CLASSES!r}")
    return pd.Series(Counter(line.partition("%")[0] for line in lines), name="senses")
