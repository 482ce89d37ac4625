"""Builds the text of `wiki_text` from its source files: 400 files of WikiExtractor, 411 MB."""

from collections.abc import Collection, Iterable
from pathlib import Path

from tqdm import tqdm

from cwr import downloads, paths
from cwr.corpora.sentences import Article
from cwr.corpora.wiki_text.articles import (
    HELD_OUT_FILE,
    TRAIN_FILES,
    article_digest,
    heldout,
    listed,
    title_hash,
    write,
)
from cwr.corpora.wiki_text.cleaning import documents, selected, unwanted
from cwr.errors import UserError

SET = "wiki-text"  # the source files in the registry of downloads


def from_sources(folder: Path, names: Collection[str] | None = None) -> tuple[int, int]:
    """Builds the text from its source files and writes it as a new folder (see `articles`).

    names: source files, such as "text/AA/wiki_00"; None takes all 400. Only these are fetched, and
        kept, so that a second try continues the first. With fewer files, repetitions of paragraphs
        in files left out are not recognised; no article changes its part.
    Returns the number of articles of articles.csv in the source files, and the number of these
    articles that come out identical.
    Raises UserError for an unknown source file, a source file that cannot be fetched, a folder that
    exists or cannot be written.
    """
    rows = _source_files(names)
    if folder.exists():
        raise UserError(
            f"{folder} exists: name another folder, or move it away to build the text again"
        )
    progress = tqdm(rows, desc="wiki_text", unit=" files", disable=None)
    files = [downloads.fetch(row) for row in progress]
    articles, pages = clean_articles(files)
    _write(articles, folder)
    digests = {page: first_digest for page, _, first_digest in listed() if page in pages}
    identical = sum(digests.get(article.id) == article_digest(article) for article in articles)
    return len(digests), identical


def clean_articles(files: Iterable[Path]) -> tuple[list[Article], set[int]]:
    """Cleans the articles of source files, in the order of sha1(title); returns also all page ids.

    Give the files in the order of their page ids: the first copy of a repeated paragraph is kept.
    """
    articles, pages, earlier = [], set(), set()
    for file in files:
        for page, title, lines in documents(file.read_bytes().decode("utf-8")):
            pages.add(page)
            if unwanted(title):
                continue
            paragraphs = selected(lines, earlier)
            if paragraphs:
                articles.append(Article(page, title, paragraphs))
    articles.sort(key=lambda article: title_hash(article.title))
    return articles, pages


def _source_files(names: Collection[str] | None) -> list[downloads.Row]:
    """Returns the registry's rows of these source files, in its order; of all for None."""
    rows = {row.path.split("/", 3)[3]: row for row in downloads.rows(SET)}  # path in the repository
    if names is None:
        return list(rows.values())
    unknown = sorted(set(names) - set(rows))
    if unknown or not names:
        file = unknown[0] if unknown else "to build from"
        raise UserError(
            f"wiki_text has no source file {file}: name some of text/AA/wiki_00 to text/AD/wiki_99"
        )
    return [row for name, row in rows.items() if name in names]


def _write(articles: list[Article], folder: Path) -> None:
    """Writes a folder's files: the held-out articles in one, the others in five of equal size."""
    held_out = [article for article in articles if heldout(article.title)]
    train = [article for article in articles if not heldout(article.title)]
    cuts = [len(train) * number // len(TRAIN_FILES) for number in range(len(TRAIN_FILES) + 1)]
    try:
        with paths.replacing(folder) as scratch:
            for name, start, end in zip(TRAIN_FILES, cuts[:-1], cuts[1:], strict=True):
                write(scratch / name, train[start:end])
            write(scratch / HELD_OUT_FILE, held_out)
    except OSError as error:
        raise UserError(
            f"cannot write {folder} ({error.strerror}): free some space there, or name "
            "another folder (CWR_CACHE names the cache's)"
        ) from None
