"""Makes the live figure of neighbours: a word's nearest words in several tables of vectors.

The words are the most frequent ones that all tables have. Each neighbour is one of these words, so
a reader can walk from word to word.

    n = words, k = neighbours of a word
"""

import base64
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from cwr.corpora.word_vectors import WordVectors
from cwr.errors import UserError, most_like, quoted
from cwr.measures.neighbours import nearest

MOST = 2000  # words that can be typed
K = 8
MIDDLE = slice(100, 1100, 200)  # ranks of the words that are shown if a reader names none
UNIT = 100  # cosines are whole hundredths
NOTE = (
    "Each list shows the words with the highest cosine to one word, nearest first. The lists "
    "contain only the most frequent words that all tables share."
)
SENTENCE = "All tables share {shared} of the {k} nearest neighbours of {word} (in bold)."


def live_data(tables: Mapping[str, WordVectors], start: str, most: int = MOST, k: int = K) -> dict:
    """Collects the data of the live figure `neighbours`: words, and their neighbours in each table.

    tables: {heading: vectors}, the words of the first from common to rare. Words with other signs
    than letters are left out. start: the word that is shown first; the commonest one if the tables
    do not share it. Rows of neighbours are 16-bit whole numbers and cosines 8-bit hundredths, a
    word after the other, in base64. Raises UserError if the tables share k words or fewer.
    """
    words = shared_words(tables, most)
    if len(words) <= k:
        raise UserError(
            f"the tables share {len(words)} words that have only letters, too few for {k} neighbours: "
            "take a longer text"
        )
    columns = []
    for name, vectors in tables.items():
        matrix = np.stack(list(vectors.of(words).values()))  # (n, dim)
        rows, cosines = nearest(matrix, range(len(words)), k)
        hundredths = np.rint(cosines * UNIT)
        columns.append(
            {"name": name, "rows": _packed(rows, "<u2"), "cosines": _packed(hundredths, "i1")}
        )
    shown = start if start in words else words[0]
    lists = {"words": words, "columns": columns}
    return {"sentence": SENTENCE, "unit": UNIT, "k": k, "start": shown, **lists}


def shared_words(tables: Mapping[str, WordVectors], most: int = MOST) -> list[str]:
    """Lists the first words, of letters alone, that all tables have, in the first table's order."""
    first, *others = tables.values()
    common = set(first.words).intersection(*(set(table.words) for table in others))
    return [word for word in first.words if word.isalpha() and word in common][:most]


def queries(words: Sequence[str], known: Sequence[str]) -> list[str]:
    """Returns the words whose neighbours are shown: those given, or else some known ones.

    known: words with a vector, from common to rare. Those shown are of letters alone, at the ranks
    MIDDLE, or the commonest one of a short text.
    Raises UserError for a word without a vector.
    """
    for word in words:
        if word not in known:
            found = most_like(word, known, least=0.6)
            hint = f"did you mean {found!r}?" if found else "try another"
            raise UserError(
                f"{quoted(word)} has no vector, since it occurs too seldom in the text: {hint}"
            )
    of_letters = [word for word in known if word.isalpha()]
    return list(words) or of_letters[MIDDLE] or of_letters[:1]


def neighbours(data: dict, word: str) -> dict[str, list[tuple[str, float]]]:
    """Lists a word's neighbours, nearest first: {heading: [(neighbour, cosine)]}.

    data: of `live_data`. Raises UserError for a word that the figure does not have.
    """
    words, k = data["words"], data["k"]
    if word not in words:
        raise UserError(f"{quoted(word)} is not among the {len(words):,} words: take a common one")
    at = slice(words.index(word) * k, (words.index(word) + 1) * k)
    lists = {}
    for column in data["columns"]:
        rows = _unpacked(column["rows"], "<u2")[at]
        cosines = _unpacked(column["cosines"], "i1")[at] / data["unit"]
        lists[column["name"]] = [
            (words[row], float(cosine)) for row, cosine in zip(rows, cosines, strict=True)
        ]
    return lists


def sentence(data: dict, word: str) -> str:
    """Formats the figure's sentence for one word. Raises UserError as `neighbours`."""
    listed = [{name for name, _ in column} for column in neighbours(data, word).values()]
    shared = len(set.intersection(*listed))
    return data["sentence"].format(shared=shared, k=data["k"], word=word)


def table(data: dict, words: Sequence[str]) -> pd.DataFrame:
    """Tabulates the neighbours of a few words as text, a row per word and table of vectors.

    Raises UserError as `neighbours`.
    """
    rows = []
    for word in words:
        for name, column in neighbours(data, word).items():
            listed = ", ".join(f"{neighbour} {cosine:.2f}" for neighbour, cosine in column)
            rows.append({"word": word, "vectors": name, "nearest neighbours": listed})
    return pd.DataFrame(rows)


def _packed(numbers: np.ndarray, kind: str) -> str:
    return base64.b64encode(numbers.astype(kind).tobytes()).decode()


def _unpacked(text: str, kind: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), kind)
