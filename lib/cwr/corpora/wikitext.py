"""Reads the pages of a Wikipedia dump: their prose, and the positions of links in it.

gensim's parser removes the markup and ignores links. So each link is *marked* before: one private
character before its visible text, and one after. The marks pass the parser at their places, and the
prose without them is the same as if there were none.

    [[Lithium|The metal]]s  ->  [[Lithium|<0>The metal]]s<end>  ->  <0>The metals<end>

`marked` numbers the links of a page and keeps their targets; `unmarked` returns prose and links.
"""

import bz2
import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import ParseError

from cwr.errors import UserError, first_line, quoted

FIRST_MARK, LAST_MARK, END = "\U00100000", "\U0010fffc", "\U0010fffd"  # of private use
MARKS = f"{FIRST_MARK}-{END}"
ANY_MARK = re.compile(f"[{MARKS}]")
BETWEEN_MARKS = re.compile(f"([{FIRST_MARK}-{LAST_MARK}])([^{MARKS}]*){END}")
# '' and ''' mark italics and bold; an end of a link can stand between two of them
QUOTES = re.compile(f"'(?:[{MARKS}]*')+")
BLANKS = re.compile(rf"[\s{MARKS}]*\s[\s{MARKS}]*")
REDIRECT = re.compile(r"\s*#redirect\s*:?\s*\[\[([^\]|]+)", re.IGNORECASE)
# target, bar, what a reader sees, and the letters behind it, which belong to it
LINK = re.compile(r"\[\[([^\[\]|{}\n]+)(\|?)([^\[\]{}\n]*)\]\]([a-z]*)")
OTHER_SPACE = re.compile(r"\s*:?\s*[A-Za-z][A-Za-z -]*:\S")  # Category:, File:, wikt:, de:
# where brackets are no links
LITERAL = re.compile(
    r"<!--.*?-->|<(nowiki|math|source|syntaxhighlight|code|pre)\b[^>/]*>.*?</\1>",
    re.DOTALL | re.IGNORECASE,
)
INNERMOST = re.compile(r"\[\[(?:(?!\[\[|\]\]).)*\]\]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a dump, with its wikitext; `redirect` is the title that a redirect leads to."""

    id: int
    title: str
    text: str

    @property
    def redirect(self) -> str | None:
        """The title that this page redirects to; "" if that is missing, None for an article."""
        if not self.text.lstrip().lower().startswith("#redirect"):
            return None
        target = REDIRECT.match(self.text)
        return title(target[1]) if target else ""


@dataclass(frozen=True, slots=True)
class Link:
    """A link in a line of prose: its first character, the one after its last, its target."""

    start: int
    end: int
    target: str


def pages(dump: Path) -> Iterator[Page]:
    """Reads the articles and redirects of a dump (bzip2), in its order.

    Raises UserError for a file that is cut short or no such dump, after the pages before the fault.
    """
    from gensim.corpora.wikicorpus import extract_pages

    try:
        with bz2.open(dump) as file:
            for name, text, number in extract_pages(file, filter_namespaces=("0",)):
                yield Page(int(number), name, text or "")
    except (EOFError, OSError, ParseError, ValueError, RuntimeError) as error:
        raise UserError(
            f"{dump} is cut short or no dump of a wiki ({first_line(error)}): get the file again"
        ) from None


def prose(text: str) -> Iterator[str]:
    """Yields a wikitext's lines of prose: five words or more, a sentence's end, no heading or list.

    Captions, infobox values and unparsed image links fail that test. The parser removes templates
    and formulas without a trace, so a few sentences have a hole. Marks of links stay in the lines.
    """
    from gensim.corpora.wikicorpus import filter_wiki

    for line in filter_wiki(text).split("\n"):
        line = BLANKS.sub(_one_blank, QUOTES.sub(_without_quotes, line))
        plain = ANY_MARK.sub("", line)
        is_markup = plain[:1] in "=*:;#!{^" or "|" in plain
        ended = re.search(r"[.!?][\"')\]”’]*$", plain)
        if len(plain.split()) >= 5 and ended and not is_markup:
            yield line


def marked(text: str, redirects: Mapping[str, str]) -> tuple[str, list[str]]:
    """Marks the links to articles in a wikitext; returns the marked text and the links' targets.

    redirects: {title: the title it leads to}, followed once. Links to other namespaces, to other
    wikis and within the page are left unmarked, and so are links with markup in their text.
    Raises ValueError for a link that is never closed.
    """
    _refuse_unclosed(text)
    targets = []

    def mark(link: re.Match) -> str:
        """Marks one link and keeps its target; returns a link that is not marked as it stands."""
        page, bar, label, tail = link.groups()
        target = title(page)
        anchor = label if bar else page
        if OTHER_SPACE.match(page) or not target or not anchor.strip():
            return link[0]
        targets.append(redirects.get(target, target))
        number = chr(ord(FIRST_MARK) + len(targets) - 1)
        return f"[[{page if bar else ''}{bar}{number}{anchor}]]{tail}{END}"

    return LINK.sub(mark, ANY_MARK.sub("", text)), targets


def unmarked(line: str, targets: Sequence[str]) -> tuple[str, tuple[Link, ...]]:
    """Removes the marks from a line of `prose`; returns the plain line and its links.

    targets: the target of each link of the page, by number. Blanks at the ends of a link are no
    part of it.
    """
    text, links, end = "", [], 0
    for link in BETWEEN_MARKS.finditer(line):
        text += ANY_MARK.sub("", line[end : link.start()])
        start = len(text) + len(link[2]) - len(link[2].lstrip())
        text += link[2]
        target = targets[ord(link[1]) - ord(FIRST_MARK)]
        links.append(Link(start, start + len(link[2].strip()), target))
        end = link.end()
    return text + ANY_MARK.sub("", line[end:]), tuple(links)


def title(link: str) -> str:
    """Normalises a link's target to a page title; "" for a section of the same page.

    The title has no section, no entities, blanks for underscores, and a capital first letter.
    """
    page = html.unescape(link).partition("#")[0].replace("_", " ")
    page = " ".join(page.split()).removeprefix(":").lstrip()
    return page[:1].upper() + page[1:]


def _refuse_unclosed(text: str) -> None:
    """Raises ValueError for a link that is never closed, outside code and comments."""
    rest, n_links = LITERAL.sub("", text), 1
    while n_links:
        rest, n_links = INNERMOST.subn("", rest)
    if "[[" in rest:
        opening = " ".join(rest[rest.index("[[") :][:60].split())
        raise ValueError(f"a link is never closed ({quoted(opening)})")


def _without_quotes(run: re.Match) -> str:
    return run[0].replace("'", "")


def _one_blank(run: re.Match) -> str:
    """Returns one blank for a run, none at the ends of a line; marks in the run follow it."""
    is_inside = run.start() > 0 and run.end() < len(run.string)
    return " " * is_inside + "".join(run[0].split())
