"""Reads the training text of our language models: articles of English Wikipedia of 2015.

It has two parts: "train", and "heldout", which is never trained on. `load` reads a part from the
reader's folder or from the cache, where a missing text is first built (411 MB of source files). The
text is under CC BY-SA 3.0; https://en.wikipedia.org/?curid=ID names the authors of article ID.

    articles.py   the files' format, which articles are held out, digests of some (articles.csv)
    build.py      builds a folder in this format from the source files
    cleaning.py   the rules that make paragraphs of running text out of a source file
"""

import itertools
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from filelock import FileLock

from cwr import paths
from cwr.corpora.sentences import Article, Sentence, cut_into_sentences
from cwr.corpora.wiki_text import build
from cwr.corpora.wiki_text.articles import FILES, article_digest, first_words, listed, read
from cwr.errors import UserError

READ = 6_244  # articles of "train" that the shipped models were trained on: the first ones
UNREAD_WORDS = 4_100_000  # a little more than four million of our tokeniser's words


def load(part: str) -> Iterator[Article]:
    """Reads the articles of "train" or "heldout", one at a time, in the order of sha1(title).

    The files lie in the folder `wiki_text` below a folder of CWR_DATA, else in the folder in the
    cache, which is built if missing. Raises UserError for another part, for a file that is missing
    or broken, and where the text is not at hand and cannot be built.
    """
    folder = find(part) or _built_in_cache()
    return (article for name in FILES[part] for article in read(folder / name))


def sample(words: int = 200_000) -> list[Article]:
    """Returns the first held-out articles that reach `words` words together, or all if fewer.

    The order of the articles makes this a random draw, the same on every machine.
    Raises UserError as `load`, and for articles other than articles.csv lists.
    """
    return first_words(words, _compared(load("heldout")))


def _compared(articles: Iterable[Article]) -> Iterator[Article]:
    """Yields the held-out articles, each compared with its listed digest.

    Raises UserError for the first one that differs, is missing or is one too many.
    """
    digests = [listed_digest for _, part, listed_digest in listed() if part == "heldout"]
    pairs = itertools.zip_longest(articles, digests)
    for number, (article, listed_digest) in enumerate(pairs, 1):
        if article is None or article_digest(article) != listed_digest:
            raise UserError(
                f"article {number} of the held-out text in {find('heldout')} is not the one that "
                "the book was measured on: replace that folder, or move it away to have it made "
                "again"
            )
        yield article


def sentences() -> Iterator[Sentence]:
    """Reads the corpus "wiki-text": the sentences of `sample`.

    The corpus has held-out articles only, since the shipped language models are trained on articles
    that are not held out.
    Raises UserError as `load`.
    """
    return cut_into_sentences(sample())


def own() -> Iterator[Sentence]:
    """Reads the corpus "wiki-read": the first READ articles of the training part.

    This is the training text of the shipped models, for models that should read the same words.
    Raises UserError as `load`.
    """
    return cut_into_sentences(itertools.islice(load("train"), READ))


def unread(words: int = UNREAD_WORDS) -> Iterator[Sentence]:
    """Reads the corpus "wiki-unread": the next `words` words of the training part after READ.

    The text is as long as a corpus-size curve needs; the shipped models have read none of it.
    Raises UserError as `load`.
    """
    return cut_into_sentences(first_words(words, itertools.islice(load("train"), READ, None)))


def find(part: str) -> Path | None:
    """Finds the folder of a part, below CWR_DATA or in the cache; None if it must be built.

    Raises UserError for an unknown part, and for a folder with some of a part's files but not all.
    """
    if part not in FILES:
        raise UserError(f"wiki_text has no part {part!r}: ask for {' or '.join(map(repr, FILES))}")
    for root in (*paths.data_roots(), paths.cache_root()):
        folder = root / "wiki_text"
        missing = [name for name in FILES[part] if not (folder / name).is_file()]
        if not missing:
            return folder
        if len(missing) < len(FILES[part]):
            raise UserError(
                f"{folder} lacks {', '.join(missing)}: complete it, or move it away to "
                "use another copy"
            )
    return None


def _built_in_cache() -> Path:
    """Returns the folder in the cache; the first process that needs it builds it, others wait."""
    folder = paths.cache_root() / "wiki_text"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.with_suffix(".lock")):
        if folder.is_dir():  # another process has built it
            return folder
        try:
            listed, identical = build.from_sources(folder)
        except UserError as error:
            raise UserError(
                "the text wiki_text lies below no folder named in CWR_DATA, and making "
                f"it from its source files stopped: {error}"
            ) from None
    print(
        f"wiki_text made in {folder}: of {listed} listed articles {identical} are identical",
        file=sys.stderr,
    )
    return folder
