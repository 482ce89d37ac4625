"""Turns WikiExtractor's output into paragraphs of running text, with one function per rule.

`RULES` change a paragraph, `FAULTS` refuse one. They are the rules by which the text of `wiki_text`
was made. Where no record was left (characters, words before a hole), we found the lists by
comparing three of the 400 source files with the text, paragraph by paragraph, and by looking for
patterns that never occur in its 23 million words.
"""

import html
import re
import unicodedata
from collections.abc import Iterator

FEWEST_WORDS = 120  # of an article
CUT_WORDS = 1150  # an article ends with the paragraph that reaches them
FEWEST_PARAGRAPH_WORDS = 10
DOCUMENT = re.compile(r'<doc id="(\d+)" url="[^"]*" title="(.*)">')
PLAIN = str.maketrans(
    {
        **dict.fromkeys("“”„‟″", '"'),
        **dict.fromkeys("‘’′", "'"),
        **dict.fromkeys("‐‑−", "-"),
        "…": "...",
        # removed: soft hyphen, zero-width blank, left-to-right mark, byte order mark
        **dict.fromkeys("\u00ad\u200b\u200e\ufeff"),
    }
)
UNWANTED = re.compile(
    "|".join(
        [
            r"(Lists?|Index|Timeline|Outline) of .*",
            r".*:.*",  # Wikipedia:…, and films with a colon
            r".*\(disambiguation\)",
            r"(AD )?\d+s?( BC)?",
            r"(January|February|March|April|May|June|July|August|September|October|November|December) \d+",
        ]
    )
)
MARKUP = re.compile(r"\{\{|\}\}|\[\[|\]\]|[|<>\\]|==|__|https?:|ftp:|www\.|formula_\d|codice_\d")
HOLE = re.compile(r"\b(of|about|the|between|around|approximately|nearly|than) ?[.,;)]")


def documents(text: str) -> Iterator[tuple[int, str, list[str]]]:
    """Yields page id, title and the lines after the title of each <doc> in a source file.

    Raises ValueError for text outside a <doc>, and for a <doc> that is not closed.
    """
    head, lines = None, []
    for line in text.split("\n"):
        if head is None:
            head, lines = DOCUMENT.fullmatch(line), []
            if line and not head:
                raise ValueError(f"{line[:60]!r} stands outside a <doc>")
        elif line == "</doc>":
            yield int(head[1]), unescaped(head[2]), lines[1:]  # the first repeats the title
            head = None
        else:
            lines.append(line)
    if head:
        raise ValueError(f"the article {head[2]} is not closed by </doc>")


def unwanted(title: str) -> bool:
    """Tells by its title whether a page is no prose: a list, a year, a day, a disambiguation, …

    Any colon counts as a namespace's, so a few works with a colon in their title are dropped too.
    """
    return UNWANTED.fullmatch(title) is not None


def selected(lines: list[str], earlier: set[str]) -> tuple[str, ...]:
    """Cleans an article's lines and keeps paragraphs without faults; none if too few are left.

    earlier: the paragraphs of earlier articles. A paragraph that occurs among them is dropped; each
        kept paragraph of this article is added. Paragraphs beyond the article's cut are not added,
        and may occur in a later article.
    """
    paragraphs, words = [], 0
    for line in lines:
        paragraph = clean(line)
        if paragraph in earlier or has_fault(paragraph):
            continue
        earlier.add(paragraph)
        paragraphs.append(paragraph)
        words += len(paragraph.split())
        if words >= CUT_WORDS:
            break
    enough = words >= FEWEST_WORDS and len(paragraphs) >= 2
    return tuple(paragraphs) if enough else ()


def clean(line: str) -> str:
    """Applies all rules of `RULES` to a line, in their order."""
    for rule in RULES:
        line = rule(line)
    return line


def has_fault(paragraph: str) -> bool:
    """Tells whether a clean paragraph has one of the `FAULTS`."""
    return any(fault(paragraph) for fault in FAULTS)


def unescaped(text: str) -> str:
    """Resolves HTML entities twice ("&amp;ndash;": an en dash), then composes characters (NFC)."""
    return unicodedata.normalize("NFC", html.unescape(html.unescape(text)))


def plain(text: str) -> str:
    """Replaces quotes, primes, hyphens and the ellipsis by ASCII; drops invisible characters."""
    return text.translate(PLAIN)


def without_empty_parentheses(text: str) -> str:
    """Drops empty parentheses, and stray marks beside content: "(, or x ;)" becomes "(or x)".

    Removed templates leave them.
    """
    text = re.sub(r"\([\s,;:]*\)", "", text)
    text = re.sub(r"\(\s*[,;:]\s*", "(", text)
    return re.sub(r"\s*[,;]\s*\)", ")", text)


def single_blanks(text: str) -> str:
    """Replaces any run of white space by one blank, and drops it at the ends."""
    return " ".join(text.split())


def single_quotes(text: str) -> str:
    """Replaces empty quotes ("") and marks of italics ('') by one double quote."""
    text = re.sub('""+', '"', text)
    return re.sub("''+", '"', text)


def closed_up(text: str) -> str:
    """Drops blanks before closing marks and after "("; of several marks in a row, keeps the last.

    A mark closes if a blank or the end follows: "is := 1" and "a .22" are left alone.
    """
    text = re.sub(r" ([,.;:](?=\s|$)|\))", r"\1", text)
    text = text.replace("( ", "(")
    return re.sub(r"(?:[,;:]\s*)+([,;:])", r"\1", text)


def too_short(paragraph: str) -> bool:
    """Tells whether a paragraph has too few words, as headings, list items and captions have."""
    return len(paragraph.split()) < FEWEST_PARAGRAPH_WORDS


def unfinished(paragraph: str) -> bool:
    """Tells whether a paragraph does not end as a sentence does."""
    return paragraph[-1] not in ".!?\"')"


def marked_up(paragraph: str) -> bool:
    """Tells whether markup, an address, or a mark for a formula or code is left over."""
    return MARKUP.search(paragraph) is not None


def in_another_script(paragraph: str) -> bool:
    """Tells whether over 5 % of the characters, dashes apart, lie beyond Latin Extended-B."""
    beyond = [character for character in paragraph if character > "\u024f"]
    dashes = [character for character in beyond if character in "–—"]
    return len(beyond) - len(dashes) > 0.05 * len(paragraph)


def mostly_numbers(paragraph: str) -> bool:
    """Tells whether more than 15 % of the characters are digits."""
    return sum(map(str.isdigit, paragraph)) > 0.15 * len(paragraph)


def has_a_hole(paragraph: str) -> bool:
    """Tells whether a removed template left a gap before a mark: "the height of ."."""
    return HOLE.search(paragraph) is not None


RULES = (unescaped, plain, without_empty_parentheses, single_blanks, single_quotes, closed_up)
# `too_short` comes first, for `unfinished` reads the last character, and "" has none
FAULTS = (too_short, unfinished, marked_up, in_another_script, mostly_numbers, has_a_hole)
