"""From WikiExtractor's output to paragraphs of running text: one function a rule.

The rules are those by which the text of `wiki_text` was made. Where that work left no record (which characters,
which words before a hole), the lists were found by comparing three of its 400 source files with it, paragraph by
paragraph, and by looking at what never occurs in its 23 million words.
"""
import html
import re
import unicodedata
from collections.abc import Iterator

ARTICLE_WORDS = (120, 1150)                # the fewest, and those after which an article ends with its paragraph
PARAGRAPH_WORDS = 10                       # the fewest
DOCUMENT = re.compile(r'<doc id="(\d+)" url="[^"]*" title="(.*)">')
PLAIN = str.maketrans({
    **dict.fromkeys("“”„‟″", '"'), **dict.fromkeys("‘’′", "'"), **dict.fromkeys("‐‑−", "-"), "…": "...",
    **dict.fromkeys("\u00ad\u200b\u200e\ufeff")})            # soft hyphen, zero-width space, left-to-right, BOM: none
UNWANTED = re.compile(
    r"(Lists?|Index|Timeline|Outline) of .*|.*:.*|.*\(disambiguation\)"          # Wikipedia:…, and films with a colon
    r"|(AD )?\d+s?( BC)?"
    r"|(January|February|March|April|May|June|July|August|September|October|November|December) \d+")
MARKUP = re.compile(r"\{\{|\}\}|\[\[|\]\]|[|<>\\]|==|__|https?:|ftp:|www\.|formula_\d|codice_\d")
HOLE = re.compile(r"\b(of|about|the|between|around|approximately|nearly|than) ?[.,;)]")


def documents(text: str) -> Iterator[tuple[int, str, list[str]]]:
    """(page id, title, lines after the title's) of each <doc> of a source file. ValueError where one is not closed."""
    head, lines = None, []
    for line in text.split("\n"):
        if head is None:
            head, lines = DOCUMENT.fullmatch(line), []
            if line and not head:
                raise ValueError(f"{line[:60]!r} stands outside a <doc>")
        elif line == "</doc>":
            yield int(head[1]), unescaped(head[2]), lines[1:]                    # the first line repeats the title
            head = None
        else:
            lines.append(line)
    if head:
        raise ValueError(f"the article {head[2]} is not closed by </doc>")


def unwanted(title: str) -> bool:
    """Whether a page is no article in prose: a list, a page about Wikipedia, a year, a day, a disambiguation.

    Any colon counts as a namespace's, so a few works with one in their title go too.
    """
    return UNWANTED.fullmatch(title) is not None


def selected(lines: list[str], seen: set[str]) -> tuple[str, ...]:
    """The paragraphs of an article that are kept, cleaned; none if too few are left.

    seen: the paragraphs kept from earlier articles; a repeated one is dropped, and those kept here are added.
    What lies beyond the cut of an article is not looked at, and may be kept in a later one.
    """
    fewest, cut = ARTICLE_WORDS
    kept, words = [], 0
    for line in lines:
        paragraph = clean(line)
        if paragraph not in seen and not any(fault(paragraph) for fault in FAULTS):
            seen.add(paragraph)
            kept.append(paragraph)
            words += len(paragraph.split())
            if words >= cut:
                break
    return tuple(kept) if words >= fewest and len(kept) >= 2 else ()


def clean(line: str) -> str:
    """A line with all rules of `RULES` applied, in their order."""
    for rule in RULES:
        line = rule(line)
    return line


def unescaped(text: str) -> str:
    """HTML entities resolved twice ("&amp;ndash;" is an en dash), then Unicode's composed form (NFC)."""
    return unicodedata.normalize("NFC", html.unescape(html.unescape(text)))


def plain(text: str) -> str:
    """Curly quotes, primes, odd hyphens and the ellipsis in ASCII; invisible characters gone; dashes stay."""
    return text.translate(PLAIN)


def without_empty_parentheses(text: str) -> str:
    """Parentheses that a dropped template emptied are removed; what it left at either end of one too: "(, or x ;)"."""
    text = re.sub(r"\([\s,;:]*\)", "", text)
    return re.sub(r"\s*[,;]\s*\)", ")", re.sub(r"\(\s*[,;:]\s*", "(", text))


def single_blanks(text: str) -> str:
    """Any run of white space is one blank; none at the ends."""
    return " ".join(text.split())


def single_quotes(text: str) -> str:
    """Quotes that lost what they held ("") or that mark italics ('') are one double quote."""
    return re.sub("''+", '"', re.sub('""+', '"', text))


def closed_up(text: str) -> str:
    """No blank before a closing mark (but "is := 1" and "a .22"), none after "("; of several such marks the last."""
    text = re.sub(r" ([,.;:](?=\s|$)|\))", r"\1", text).replace("( ", "(")
    return re.sub(r"(?:[,;:]\s*)+([,;:])", r"\1", text)


def too_short(paragraph: str) -> bool:
    """Headings, list items, captions."""
    return len(paragraph.split()) < PARAGRAPH_WORDS


def unfinished(paragraph: str) -> bool:
    """It does not end as a sentence does."""
    return paragraph[-1] not in ".!?\"')"


def marked_up(paragraph: str) -> bool:
    """Left-over markup, an address, or the place of a formula or a piece of code."""
    return MARKUP.search(paragraph) is not None


def in_another_script(paragraph: str) -> bool:
    """More than 5 % of the characters lie above U+024F (the end of Latin Extended-B), dashes not counted."""
    return sum(character > "\u024f" and character not in "–—" for character in paragraph) > 0.05 * len(paragraph)


def mostly_numbers(paragraph: str) -> bool:
    """More than 15 % of the characters are digits."""
    return sum(map(str.isdigit, paragraph)) > 0.15 * len(paragraph)


def has_a_hole(paragraph: str) -> bool:
    """A dropped template left a word before a mark that never stands there: "the height of ."."""
    return HOLE.search(paragraph) is not None


RULES = (unescaped, plain, without_empty_parentheses, single_blanks, single_quotes, closed_up)
FAULTS = (too_short, unfinished, marked_up, in_another_script, mostly_numbers, has_a_hole)    # too_short refuses ""
