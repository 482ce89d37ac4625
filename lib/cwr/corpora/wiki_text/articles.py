"""The articles of `wiki_text`: the format of the files, the held-out articles, word counts.

A folder holds six xz files of UTF-8. A blank line ends an article; an article is a line `# page
id<TAB>title` and then one line per paragraph. Articles are in the order of sha1(title), which is
independent of their topics, so that the first n are a fair sample.
"""

import csv
import functools
import hashlib
import lzma
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from cwr.corpora.sentences import Article
from cwr.errors import UserError

HELD_OUT_FILE = "heldout.txt.xz"
TRAIN_FILES = tuple(f"train_{number}.txt.xz" for number in range(5))
FILES = {"train": TRAIN_FILES, "heldout": (HELD_OUT_FILE,)}
HEAD = re.compile(r"# (\d+)\t(.+)")  # the first line of a block
LONGEST_LINE = 1_000_000  # characters; the longest paragraph has some three thousand
LISTED = Path(__file__).with_suffix(".csv")  # id, part, digest of some articles
SAMPLE = LISTED.with_name("wiki_sample.csv")  # where the articles of "wiki-sample" stand here


def title_hash(title: str) -> bytes:
    """Computes the sha1 of a title, 20 bytes, which decides an article's place and part."""
    return hashlib.sha1(title.encode("utf-8")).digest()


def heldout(title: str) -> bool:
    """Tells whether an article is held out: the first byte of sha1(title) is below 8 (3 % of them).

    No model is ever trained, tuned or counted on such an article, however much text is added.
    """
    return title_hash(title)[0] < 8


def count_words(articles: Iterable[Article]) -> int:
    """Counts the blank-separated words of the articles' paragraphs."""
    return sum(len(text.split()) for article in articles for text in article.paragraphs)


def first_words(words: int, articles: Iterable[Article]) -> list[Article]:
    """Returns the first articles that reach `words` words together, or all if they have fewer."""
    first, count = [], 0
    for article in articles:
        if count >= words:
            break
        first.append(article)
        count += count_words([article])
    return first


def read(path: Path) -> Iterator[Article]:
    """Reads the articles of one xz file as a stream.

    Raises UserError for a file that is cut short, damaged or not in the format. A line longer than
    LONGEST_LINE is not read to its end.
    """
    try:
        with lzma.open(path, "rt", encoding="utf-8", newline="\n") as file:
            lines = iter(functools.partial(file.readline, LONGEST_LINE), "")
            yield from _articles(lines, path)
    except (EOFError, lzma.LZMAError, UnicodeDecodeError) as error:
        raise UserError(
            f"{path} is cut short or damaged ({error}): replace it, or delete it to "
            "have it made again"
        ) from None


def _articles(lines: Iterable[str], path: Path) -> Iterator[Article]:
    """Yields the articles in the lines of a file; several blank lines make no article."""
    head, paragraphs = None, []
    for number, line in enumerate(lines, 1):
        if len(line) == LONGEST_LINE:
            raise UserError(
                f"line {number} of {path} is no paragraph of an article: replace the file"
            )
        line = line.removesuffix("\n")
        if head is None and line:  # an article begins
            head = HEAD.fullmatch(line)
            if head is None:
                raise UserError(
                    f"line {number} of {path} should be '# page id, tab, title': replace the file"
                )
        elif line:
            paragraphs.append(line)
        elif head:
            yield Article(int(head[1]), head[2], tuple(paragraphs))
            head, paragraphs = None, []
    if head:
        yield Article(int(head[1]), head[2], tuple(paragraphs))


def write(path: Path, articles: Iterable[Article]) -> None:
    """Writes articles into an xz file that `read` reads. Raises OSError if it cannot be written."""
    with lzma.open(path, "wt", encoding="utf-8", newline="\n") as file:
        for article in articles:
            file.write(block(article))


def block(article: Article) -> str:
    """Formats an article for a file: its head, its paragraphs, a blank line."""
    return "\n".join((f"# {article.id}\t{article.title}", *article.paragraphs, "", ""))


def article_digest(article: Article) -> str:
    """Computes the first 12 hexadecimal digits of the sha256 of an article's block."""
    return hashlib.sha256(block(article).encode("utf-8")).hexdigest()[:12]


def listed() -> list[tuple[int, str, str]]:
    """Reads articles.csv, (id, part, digest) of some articles in the first build of the text.

    Listed are all held-out articles, and the articles with the first 200,000 words of the train
    part.
    """
    with LISTED.open(encoding="utf-8", newline="") as table:
        return [(int(row["id"]), row["part"], row["digest"]) for row in csv.DictReader(table)]


def of_sample() -> dict[int, float]:
    """Locates the articles of "wiki-sample": {id: how many words of the train part precede it}.

    The number is infinity for an article outside the train part. The two texts are from different
    years, so an id means the same article but not the same words.
    """
    with SAMPLE.open(encoding="utf-8", newline="") as table:
        return {int(row["id"]): float(row["words_before"]) for row in csv.DictReader(table)}
