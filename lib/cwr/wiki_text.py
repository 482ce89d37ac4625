"""The text that our own language models are trained on: articles of the English Wikipedia of 2015.

A folder `wiki_text` holds it as xz files of UTF-8: blocks parted by one blank line, each a line
`# page id<TAB>title` and then one paragraph a line. Articles stand in the order of sha1(title), so any prefix is a
fair sub-corpus. The text is under CC BY-SA 3.0; https://en.wikipedia.org/?curid=ID names the authors of article ID.
Where no such folder is at hand, `build` makes it from its 400 source files (411 MB, `wiki_cleaning` has the rules).
"""
import csv
import hashlib
import lzma
import os
import re
import shutil
import sys
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock
from tqdm import tqdm

from cwr import downloads, paths, wiki_cleaning
from cwr.errors import UserError

SET = "wiki-text"                                            # its source files in the registry of downloads
LISTED = Path(__file__).with_suffix(".csv")                  # id, part and digest of some articles of the first build
FILES = {"train": tuple(f"train_{number}.txt.xz" for number in range(5)), "heldout": ("heldout.txt.xz",)}
HEAD = re.compile(r"# (\d+)\t(.+)")


@dataclass(frozen=True)
class Article:
    """One article: its page id, its title, and its paragraphs, each one line of running text."""

    id: int
    title: str
    paragraphs: tuple[str, ...]


def heldout(title: str) -> bool:
    """Whether an article is held out: the first byte of sha1(title) is below 8 (3 % of all titles).

    Nothing is ever trained, tuned or counted on such an article, however much text is added.
    """
    return hashlib.sha1(title.encode("utf-8")).digest()[0] < 8


def articles(part: str) -> Iterator[Article]:
    """The articles of "train" or "heldout", one at a time, in the order of the files.

    Read from the folder `wiki_text` below a folder of CWR_DATA, else from the one in the cache, which is built
    first where it is not. Raises UserError for another part, for a file that is missing or broken, and where
    the text is not at hand and cannot be built.
    """
    folder = found(part) or _built_in_cache()
    return (article for name in FILES[part] for article in read(folder / name))


def read(path: Path) -> Iterator[Article]:
    """The articles of one xz file, streaming. UserError for a file that is broken or not in the format."""
    head, paragraphs = None, []
    try:
        with lzma.open(path, "rt", encoding="utf-8", newline="\n") as lines:
            for number, line in enumerate(lines, 1):
                line = line.removesuffix("\n")
                if head is None and line:                   # an article begins
                    head = HEAD.fullmatch(line)
                    if head is None:
                        raise UserError(f"line {number} of {path} should be '# page id, tab, title': replace the file")
                elif line:
                    paragraphs.append(line)
                elif head:
                    yield Article(int(head[1]), head[2], tuple(paragraphs))
                    head, paragraphs = None, []
        if head:
            yield Article(int(head[1]), head[2], tuple(paragraphs))
    except (EOFError, lzma.LZMAError, UnicodeDecodeError) as error:
        raise UserError(f"{path} is cut short or damaged ({error}): replace it, or delete it to have it "
                        "made again") from None


def found(part: str) -> Path | None:
    """The folder that holds a part: the first of those below CWR_DATA and the cache; None if it would be built."""
    if part not in FILES:
        raise UserError(f"wiki_text has no part {part!r}: ask for {' or '.join(map(repr, FILES))}")
    for folder in (root / "wiki_text" for root in (*paths.data_roots(), paths.cache_root())):
        missing = [name for name in FILES[part] if not (folder / name).is_file()]
        if not missing:
            return folder
        if len(missing) < len(FILES[part]):
            raise UserError(f"{folder} lacks {', '.join(missing)}: complete it, or move it away to use another copy")
    return None


def count_words(chosen: Iterable[Article]) -> int:
    """Blank-separated words of the articles' paragraphs."""
    return sum(len(paragraph.split()) for article in chosen for paragraph in article.paragraphs)


def until(words: int, among: Iterable[Article]) -> list[Article]:
    """The first articles that hold that many words together; all of them if they hold fewer."""
    taken, counted = [], 0
    for article in among:
        if counted >= words:
            break
        taken.append(article)
        counted += count_words([article])
    return taken


def sample(words: int = 200_000) -> list[Article]:
    """The first held-out articles that hold that many words together; all of them if they hold fewer.

    Their order is that of sha1(title): a draw without a seed to choose, the same on every machine.
    """
    return until(words, articles("heldout"))


def build(folder: Path, files: Collection[str] | None = None) -> tuple[int, int]:
    """Makes the text from its source files and writes it as a new folder, in the format of the delivered one.

    files: source files by their names, such as "text/AA/wiki_00"; None takes all 400. Only these are fetched, and
    they stay, so that a second try goes on where the first one ended. With fewer, a paragraph that stands first in
    a file left out is not recognised as repeated; no article changes sides.
    Returns how many of the articles listed in wiki_text.csv the files hold, and how many came out identical.
    Raises UserError for an unknown file, one that cannot be fetched, a folder that exists or cannot be written.
    """
    names = {row.path.split("/", 3)[3]: row for row in downloads.rows(SET)}
    unknown = sorted(set(files or ()) - set(names))
    if unknown or (files is not None and not files):
        raise UserError(f"wiki_text has no source file {unknown[0] if unknown else 'to build from'}: "
                        "name some of text/AA/wiki_00 to text/AD/wiki_99")
    rows = [row for name, row in names.items() if files is None or name in files]
    if folder.exists():
        raise UserError(f"{folder} exists: name another folder, or move it away to build the text again")
    places = [downloads.fetch(row) for row in tqdm(rows, desc="wiki_text", unit=" files", disable=None)]
    made, ids = cleaned(places)
    _write(made, folder)
    wanted = {number: digest for number, _, digest in listed() if number in ids}
    same = sum(wanted.get(article.id) == digest(article) for article in made)
    return len(wanted), same


def cleaned(places: Iterable[Path]) -> tuple[list[Article], set[int]]:
    """The articles of source files, in the order of sha1(title), and the ids of all pages met.

    The files are to be given in the order of their page ids: of a repeated paragraph the first is kept.
    """
    made, ids, seen = [], set(), set()
    for place in places:
        for number, title, lines in wiki_cleaning.documents(place.read_bytes().decode("utf-8")):
            ids.add(number)
            paragraphs = () if wiki_cleaning.unwanted(title) else wiki_cleaning.selected(lines, seen)
            if paragraphs:
                made.append(Article(number, title, paragraphs))
    return sorted(made, key=lambda article: hashlib.sha1(article.title.encode("utf-8")).digest()), ids


def digest(article: Article) -> str:
    """The first 12 hexadecimal digits of the sha256 of an article's block."""
    return hashlib.sha256(_block(article).encode("utf-8")).hexdigest()[:12]


def listed() -> list[tuple[int, str, str]]:
    """(id, part, digest) of the articles in wiki_text.csv: all held-out ones, and 200,000 words of the train part."""
    with LISTED.open(encoding="utf-8", newline="") as table:
        return [(int(row["id"]), row["part"], row["digest"]) for row in csv.DictReader(table)]


def _block(article: Article) -> str:
    return "\n".join((f"# {article.id}\t{article.title}", *article.paragraphs, "", ""))


def _built_in_cache() -> Path:
    folder = paths.cache_root() / "wiki_text"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.with_suffix(".lock")):
        if folder.is_dir():                                  # made by another process while we waited
            return folder
        try:
            known, same = build(folder)
        except UserError as error:
            raise UserError("the text wiki_text lies below no folder named in CWR_DATA, and making it from its "
                            f"source files stopped: {error}") from None
    print(f"wiki_text made in {folder}: of {known} listed articles {same} are identical", file=sys.stderr)
    return folder


def _write(made: list[Article], folder: Path) -> None:
    """The files of a folder, written aside and renamed: what is there is whole, whenever we are stopped."""
    train = [article for article in made if not heldout(article.title)]
    cuts = [len(train) * number // len(FILES["train"]) for number in range(len(FILES["train"]) + 1)]
    contents = {name: train[start:end] for name, start, end in zip(FILES["train"], cuts, cuts[1:], strict=False)}
    contents["heldout.txt.xz"] = [article for article in made if heldout(article.title)]
    scratch = folder.with_suffix(".part")
    try:
        shutil.rmtree(scratch, ignore_errors=True)           # of a killed run
        scratch.mkdir(parents=True)
        for name, some in contents.items():
            with lzma.open(scratch / name, "wt", encoding="utf-8", newline="\n") as file:
                file.writelines(map(_block, some))
        os.replace(scratch, folder)
    except OSError as error:
        raise UserError(f"cannot write {folder} ({error.strerror}): free some space there, or name another "
                        "folder (CWR_CACHE names the cache's)") from None
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
