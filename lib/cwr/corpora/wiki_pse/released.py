"""The lists released with Wiki-PSE: words, their semantic classes, and how often each occurs.

A line of a list is a word between "@" signs, with "_" for blanks, a tab, and its classes with
frequencies:

    @apple@	-organization=1652 -food=117 -art=16 -living_thing=14 -product=6 -person=3

The counts in Tables 2 and 8 of Zhao et al. (2020) follow from them: `contexts` is the frequency, at
most 100. Two things are easily missed. A class can be listed twice for a word (`location` is, 177
times): its frequencies are added. And one word has an empty name ("@@"): no text contains it, so it
is dropped.
"""

import functools

import pandas as pd

from cwr import downloads
from cwr.corpora.wiki_pse.contexts import CAP, PAIR
from cwr.errors import UserError, quoted

TRAIN, TEST = SPLITS = ("train", "test")  # dev is a fifth of the training words, not said which
FOLDER = "yyaghoobzadeh/WIKI-PSE/eec5f44d2bc05fc098b852b2e992c360a73d601f/dataset"
EMPTY = "@@"  # the word without a name


def pairs(split: str, cap: int = CAP) -> pd.DataFrame:
    """Reads a split's list, one row per pair: word, class, frequency, contexts (at most `cap`).

    Words are plain text ("new york"), classes are spelt as in Table 8 ("living-thing").
    Raises UserError as `entries`.
    """
    table = added(entries(split))
    table = table[table["word"] != EMPTY].reset_index(drop=True)
    words = table["word"].str[1:-1].str.replace("_", " ")
    return table.assign(word=words, contexts=table["frequency"].clip(upper=cap))


@functools.cache
def classes() -> dict[str, str]:
    """Returns the class of each word of both lists, {word: class}; "" for several classes.

    Raises UserError as `entries`.
    """
    of_word = pd.concat([pairs(split) for split in SPLITS]).groupby("word")["class"]
    return of_word.first().where(of_word.nunique() == 1, "").to_dict()


def entries(split: str) -> pd.DataFrame:
    """Reads a split's list as in its file, one row per entry: word ("@a_b@"), class, frequency.

    split: one of `SPLITS`. Classes are spelt as in Table 8.
    Raises UserError for a file that cannot be fetched, and for a line of another form.
    """
    file = downloads.fetch(f"{FOLDER}/{split}.tsv")
    rows = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        word, _, classes = line.partition("\t")
        for entry in classes.split():
            name, _, frequency = entry.removeprefix("-").rpartition("=")
            if not (name and frequency.isdecimal()):
                raise UserError(
                    f"line {number} of {file} has {quoted(entry)} where a class and its frequency "
                    "should stand (-class=7): get the file that downloads.csv lists"
                )
            rows.append((word, name.replace("_", "-"), int(frequency)))
    return pd.DataFrame(rows, columns=[*PAIR, "frequency"])


def added(table: pd.DataFrame) -> pd.DataFrame:
    """Sums the frequencies of repeated entries, so that a word and class have one row."""
    return table.groupby(PAIR, sort=False)["frequency"].sum().reset_index()
