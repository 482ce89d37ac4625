"""Saves the words of a text, as cut by the book's tokeniser, in a file.

Tokenising takes twenty seconds per million words, and needs spaCy, which another machine may lack.
A file has the number of characters of each word and of words of each sentence; together with the
text these give the words. The file is <the text's checksum>.npz in the folder `words` below a
folder of CWR_DATA.
"""

import hashlib
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from cwr import corpora, paths
from cwr.corpora import Article
from cwr.errors import UserError

FOLDER = "words"


def sentences(articles: Sequence[Article]) -> Iterator[tuple[str, ...]]:
    """Yields the words of each sentence, in order, from the text's word file if there is one.

    Without a file the book's tokeniser is used. Raises UserError for a damaged file.
    """
    for root in paths.data_roots():
        file = root / FOLDER / _name(articles)
        if file.is_file():
            return _with_lengths(file, _letters(articles))
    return _tokenised(articles)


def write(articles: Sequence[Article], root: Path) -> Path:
    """Writes the word file of a text below `root`, a folder for CWR_DATA; returns its path.

    Raises UserError for a text whose joined words lack some of its letters.
    """
    sentences = list(_tokenised(articles))
    words = [word for sentence in sentences for word in sentence]
    if "".join(words) != _letters(articles):
        raise UserError("the words of this text are not all of its letters, so no file gives them")
    file = root / FOLDER / _name(articles)
    file.parent.mkdir(parents=True, exist_ok=True)
    lengths = np.array([len(word) for word in words])
    counts = np.array([len(sentence) for sentence in sentences])
    smallest = {name: _narrow(array) for name, array in (("letters", lengths), ("words", counts))}
    np.savez_compressed(file, **smallest)
    return file


def _tokenised(articles: Iterable[Article]) -> Iterator[tuple[str, ...]]:
    for article in articles:
        for paragraph in article.paragraphs:
            for sentence in corpora.tokenise(paragraph):
                yield sentence.words


def _with_lengths(file: Path, letters: str) -> Iterator[tuple[str, ...]]:
    """Cuts a text's letters by a word file. Raises UserError if the two do not fit."""
    try:
        with np.load(file, allow_pickle=False) as arrays:
            stops = np.cumsum(arrays["letters"], dtype=np.int64)
            ends = np.cumsum(arrays["words"], dtype=np.int64)
    except (EOFError, OSError, ValueError, KeyError, zipfile.BadZipFile):
        stops = ends = np.zeros(1, np.int64)
    if stops[-1] != len(letters) or ends[-1] != len(stops):
        raise UserError(f"{file} is damaged or of another text: make it again, or remove it")
    return _cut(letters, stops, ends)


def _cut(letters: str, stops: np.ndarray, ends: np.ndarray) -> Iterator[tuple[str, ...]]:
    """Yields sentences. stops: (words,) ends of words in letters; ends: (sentences,) in stops."""
    start, first = 0, 0
    for end in ends.tolist():
        boundaries = [start, *stops[first:end].tolist()]
        pairs = zip(boundaries, boundaries[1:], strict=False)
        yield tuple(letters[begin:stop] for begin, stop in pairs)
        start, first = boundaries[-1], end


def _letters(articles: Iterable[Article]) -> str:
    """Returns all characters of a text except white space."""
    paragraphs = (paragraph for article in articles for paragraph in article.paragraphs)
    return "".join("".join(paragraph.split()) for paragraph in paragraphs)


def _name(articles: Iterable[Article]) -> str:
    digest = hashlib.sha256()
    for article in articles:
        digest.update("\n".join((*article.paragraphs, "")).encode())
    return f"{digest.hexdigest()[:16]}.npz"


def _narrow(counts: np.ndarray) -> np.ndarray:
    """Converts counts to the smallest integer type that fits."""
    return counts.astype(np.min_scalar_type(int(counts.max(initial=0))))
