"""The text that our own language models are trained on: articles of the English Wikipedia of 2015.

A folder `wiki_text` holds it as xz files of UTF-8: blocks parted by one blank line, each a line
`# page id<TAB>title` and then one paragraph a line. Articles stand in the order of sha1(title), so any prefix is a
fair sub-corpus. The text is under CC BY-SA 3.0; https://en.wikipedia.org/?curid=ID names the authors of article ID.
"""
import hashlib
import lzma
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cwr import paths
from cwr.errors import UserError

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

    Read from the folder `wiki_text` below a folder of CWR_DATA, else from the one rebuilt in the cache.
    Raises UserError for another part, for a file that is missing or broken, and where there is no text.
    """
    if part not in FILES:
        raise UserError(f"wiki_text has no part {part!r}: ask for {' or '.join(map(repr, FILES))}")
    folder = _folder(part)
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


def _folder(part: str) -> Path:
    """The folder whose files hold a part, the first of CWR_DATA's folders and the cache's."""
    for root in (*paths.data_roots(), paths.cache_root()):
        folder = root / "wiki_text"
        missing = [name for name in FILES[part] if not (folder / name).is_file()]
        if not missing:
            return folder
        if len(missing) < len(FILES[part]):
            raise UserError(f"{folder} lacks {', '.join(missing)}: complete it, or take it out of CWR_DATA")
    raise UserError("the text wiki_text is not on this machine: put its folder below a folder named in CWR_DATA")
