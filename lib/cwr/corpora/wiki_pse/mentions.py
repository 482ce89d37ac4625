"""The corpus "wiki-anchors": the sentences of "wiki-sample" with the link targets of their words.

A *mention* is a run of words that names a page: a link, or a later mention of a linked name. Each
sentence has its mentions, in order, in `annotations["mentions"]`:

    {"first": 4, "last": 5, "class": "location", "target": "New York", "link": true}

`first` and `last` count words, both inclusive. `class` is "" for a link to a page without a class.
The words' text equals the link's: links that begin or end within a word, or that two sentences
share, are left out.

Wikipedia links a name once. By *one sense per article* (Gale, Church and Yarowsky, 1992, for a
discourse) later mentions take its class: each later run of the same words, in the same case, that
is no link. A linked text counts as a name if it is one of four forms of the page's title: the
title, the part before its comma, the surname of a person, the plural. Two guards:

    - the article's own title, in all four forms and anywhere, wins over a link of that name
      ("Achilles" in the article on Achilles is not the band that it links to);
    - lists and disambiguation pages, whose names have many senses, have links only.

A name that an article links to two classes is also left out.
"""

import bisect
import csv
import functools
import itertools
import operator
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cwr.corpora import texts, wikitext
from cwr.corpora.sentences import Article, Sentence, cut_into_sentences
from cwr.corpora.wikitext import Link, Page
from cwr.errors import UserError

MENTIONS = "mentions"  # the annotation
CLASSES = Path(__file__).parent / "anchor_classes.csv"
CUT_BY = (CLASSES, Path(__file__), Path(wikitext.__file__))  # what decides the sentences
PERSON = "person"
LIST = re.compile(r"Lists? of |.*\(disambiguation\)$")
DISAMBIGUATION = re.compile(
    r"\{\{\s*(disambig|hndis|geodis|dab\b|surname\b|given name\b)", re.IGNORECASE
)
EVERYWHERE = (-1, 0)  # before the first sentence

Position = tuple[int, int]  # number of a sentence, and a character of it


@dataclass(frozen=True)
class LinkedArticle:
    """An article with the links of each of its paragraphs.

    is_prose: whether the page is neither a list nor a disambiguation page.
    """

    article: Article
    links: tuple[tuple[Link, ...], ...]
    is_prose: bool


@dataclass(frozen=True)
class Name:
    """The page that a name refers to in an article, from a position on."""

    target: str
    since: Position


def sentences() -> Iterator[Sentence]:
    """Reads the corpus "wiki-anchors". UserError without gensim or spaCy."""
    return annotated(linked(texts.wiki_pages()), classes())


@functools.cache
def classes() -> dict[str, str]:
    """Reads the semantic classes of the pages that the sample links to, {page title: class}."""
    with CLASSES.open(encoding="utf-8", newline="") as table:
        return {row["target_page"]: row["class"] for row in csv.DictReader(table)}


def linked(pages: Iterable[Page]) -> list[LinkedArticle]:
    """Returns the articles among pages with their links, and follows redirects among the pages.

    Raises UserError for an article with a link that is never closed.
    """
    pages = list(pages)
    redirects = {page.title: page.redirect for page in pages if page.redirect}
    return [_linked(page, redirects) for page in pages if page.redirect is None]


def annotated(articles: Sequence[LinkedArticle], classes: dict[str, str]) -> Iterator[Sentence]:
    """Yields the sentences of articles with their mentions, in order.

    classes: {title of a page: its class}; only pages in it have later mentions.
    """
    by_document = operator.attrgetter("document")
    listed = cut_into_sentences(article.article for article in articles)
    for document, group in itertools.groupby(listed, by_document):
        yield from _annotated(articles[document], list(group), classes)


def forms(title: str, semantic_class: str) -> set[str]:
    """Returns the four forms of a title that count as its name, without a part in parentheses."""
    name = re.sub(r" \([^()]*\)$", "", title)
    names = {name, name.partition(",")[0], f"{name}s"}
    if semantic_class == PERSON:
        names.add(name.split()[-1])
    return names


def mention(
    words: tuple[int, int], semantic_class: str, target: str, is_link: bool
) -> dict[str, object]:
    """Builds a mention for a sentence's annotations; words: its first and last word."""
    first, last = words
    return {
        "first": first,
        "last": last,
        "class": semantic_class,
        "target": target,
        "link": is_link,
    }


def text_of(sentence: Sentence, first: int, last: int) -> str:
    """Returns the text from a sentence's word `first` to its word `last`."""
    return sentence.text[sentence.spans[first][0] : sentence.spans[last][1]]


# ---- links of an article


def _linked(page: Page, redirects: dict[str, str]) -> LinkedArticle:
    try:
        text, targets = wikitext.marked(page.text, redirects)
    except ValueError as error:
        raise UserError(
            f"the article {page.title!r} cannot be read: {error}; close it, or leave the article out"
        ) from None
    lines = [wikitext.unmarked(line, targets) for line in wikitext.prose(text)]
    article = Article(page.id, page.title, tuple(line for line, _ in lines))
    is_prose = not (LIST.match(page.title) or DISAMBIGUATION.search(page.text))
    return LinkedArticle(article, tuple(links for _, links in lines), is_prose)


def _link_mentions(
    article: LinkedArticle, sentences: Sequence[Sentence], classes: dict[str, str]
) -> list[list[dict]]:
    """Returns the links of each sentence as mentions."""
    ends, mentions = Counter(), []
    for sentence in sentences:
        paragraph = sentence.paragraph
        start = article.article.paragraphs[paragraph].index(sentence.text, ends[paragraph])
        ends[paragraph] = start + len(sentence.text)
        mentions.append([])
        for link in article.links[paragraph]:
            words = _words(sentence, link.start - start, link.end - start)
            if words:
                name = classes.get(link.target, "")
                mentions[-1].append(mention(words, name, link.target, is_link=True))
    return mentions


def _words(sentence: Sentence, start: int, end: int) -> tuple[int, int] | None:
    """Returns a character span's first and last word; None if it cuts a word or ends elsewhere."""
    first = bisect.bisect_left(sentence.spans, (start,))
    last = bisect.bisect_left(sentence.spans, (end,)) - 1
    if not 0 <= first <= last:
        return None
    span = sentence.spans[first][0], sentence.spans[last][1]
    return (first, last) if span == (start, end) else None


# ---- later mentions


def _annotated(
    article: LinkedArticle, sentences: Sequence[Sentence], classes: dict[str, str]
) -> Iterator[Sentence]:
    """Yields the sentences of an article with their mentions."""
    links = _link_mentions(article, sentences, classes)
    names = _names(article, sentences, links, classes) if article.is_prose else {}
    pattern = _any_of(names)
    for number, sentence in enumerate(sentences):
        mentions = list(links[number])
        for match in pattern.finditer(_without_links(sentence, mentions)) if names else ():
            name, words = names[match[0]], _words(sentence, *match.span())
            if words and name.since < (number, match.start()):
                mentions.append(mention(words, classes[name.target], name.target, is_link=False))
        mentions.sort(key=operator.itemgetter("first"))
        annotations = {**sentence.annotations, MENTIONS: mentions}
        yield replace(sentence, annotations=annotations)


def _names(
    article: LinkedArticle,
    sentences: Sequence[Sentence],
    links: Sequence[Sequence[dict]],
    classes: dict[str, str],
) -> dict[str, Name]:
    """Returns the names that later mentions may have: links of one class, the article's title."""
    names, ambiguous = {}, set()
    for number, sentence in enumerate(sentences):
        for link in links[number]:
            anchor = text_of(sentence, link["first"], link["last"])
            target, semantic_class = link["target"], link["class"]
            if not semantic_class or _capitalised(anchor) not in forms(target, semantic_class):
                continue
            since = number, sentence.spans[link["first"]][0]
            first = names.setdefault(anchor, Name(target, since))
            if classes[first.target] != semantic_class:
                ambiguous.add(anchor)
    names = {anchor: name for anchor, name in names.items() if anchor not in ambiguous}
    title = article.article.title
    if title in classes:
        names |= dict.fromkeys(forms(title, classes[title]), Name(title, EVERYWHERE))
    return names


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _any_of(names: Iterable[str]) -> re.Pattern:
    """Builds a pattern that finds any of these names as whole words, the longest first."""
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")


def _without_links(sentence: Sentence, links: Iterable[dict]) -> str:
    """Replaces the links in a sentence's text by as many NUL signs."""
    text = sentence.text
    for link in links:
        start, end = sentence.spans[link["first"]][0], sentence.spans[link["last"]][1]
        text = text[:start] + "\0" * (end - start) + text[end:]
    return text
