"""Defines sentences that keep their text, and the one tokeniser of all corpora.

A text has two forms:

    Article    a document as paragraphs of running text, for training a language model
    Sentence   a piece of a paragraph with the spans of its words, for an encoder

`cut_into_sentences` turns articles into sentences, `articles` turns a corpus's sentences into articles.

Words are found by spaCy's blank English tokeniser, sentences by spaCy's rule-based sentencizer.
Neither needs a trained model. An encoder tokenises a sentence's *text* in its own way; the spans
then assign its pieces to words.
"""

import functools
import hashlib
import itertools
import json
import operator
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from cwr.errors import UserError

if TYPE_CHECKING:
    from spacy.tokens import Doc

READ_AT_ONCE = 1000  # paragraphs
MOST_WORDS = 200_000  # that spaCy keeps
T = TypeVar("T")
Span = tuple[int, int]  # first character, and the one after the last


@dataclass(frozen=True, slots=True)
class Article:
    """A document: its number, title, and paragraphs, each one line of running text."""

    id: int
    title: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: its text, and its words as (start, end) character spans of that text.

    `document` and `paragraph` are the numbers of its document and paragraph in the corpus.
    `annotations` hold other facts about the sentence: scores of pairs, tags, classes.
    """

    id: str
    text: str
    spans: tuple[Span, ...]
    document: int = 0
    paragraph: int = 0
    annotations: dict = field(default_factory=dict, hash=False)

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the sentence, in order."""
        return tuple(self.text[start:end] for start, end in self.spans)


@dataclass(frozen=True, slots=True)
class Corpus:
    """A named set of sentences; `fingerprint` is the sha256 of texts and spans, in order."""

    name: str
    sentences: tuple[Sentence, ...]
    fingerprint: str
    licence: str

    def sample(self, n: int, seed: int = 0) -> "Corpus":
        """Draws n sentences at random, kept in corpus order; returns all for n = 0 or large n.

        Raises ValueError for a negative n.
        """
        if n < 0:
            raise ValueError(f"a sample needs a number of sentences of at least 0, got {n}")
        if n == 0 or n >= len(self.sentences):
            return self
        drawn = np.random.default_rng(seed).choice(len(self.sentences), n, replace=False)
        sentences = tuple(self.sentences[number] for number in np.sort(drawn))
        return replace(self, sentences=sentences, fingerprint=fingerprint(sentences))


def fingerprint(sentences: Iterable[Sentence]) -> str:
    """Computes the sha256 over texts and spans in order, on which a model's numbers depend."""
    digest = hashlib.sha256()
    for sentence in sentences:
        digest.update(json.dumps([sentence.text, sentence.spans]).encode() + b"\n")
    return digest.hexdigest()


def cut_into_sentences(documents: Iterable[Article]) -> Iterator[Sentence]:
    """Cuts articles into sentences with their words, in order; sentences without words are dropped.

    Articles are numbered from 0 as they come (not by their ids), paragraphs from 0 in each article,
    sentences from 0 in each paragraph. These numbers make a sentence's id: "12.0.3".
    """
    for doc, (document, paragraph) in _read(_paragraphs(documents)):
        for number, tokens in enumerate(doc.sents):
            spans = _word_spans(tokens)
            if spans:
                start, end = spans[0][0], spans[-1][1]  # without the blanks around it
                text = tokens.text[start:end]
                spans = shifted_spans(spans, -start)
                yield Sentence(f"{document}.{paragraph}.{number}", text, spans, document, paragraph)


def articles(corpus: Corpus) -> Iterator[Article]:
    """Yields the documents of a corpus for a language model, titled by corpus and number.

    The sentences of a paragraph are joined by blanks, also where the source has none between them:
    the text differs from the source in white space only.
    """
    by_document = operator.attrgetter("document")
    by_paragraph = operator.attrgetter("paragraph")
    for document, content in itertools.groupby(corpus.sentences, by_document):
        paragraphs = []
        for _, paragraph in itertools.groupby(content, by_paragraph):
            paragraphs.append(" ".join(sentence.text for sentence in paragraph))
        yield Article(document, f"{corpus.name} {document}", tuple(paragraphs))


def tokenise(text: str) -> tuple[Sentence, ...]:
    """Cuts a text into sentences with their words; a text of white space has none."""
    return tuple(cut_into_sentences([Article(0, "", (text,))]))


def word_spans(texts: Iterable[str]) -> Iterator[tuple[Span, ...]]:
    """Yields the character spans of each text's words, for texts that are single sentences."""
    for doc in _english().pipe(texts):
        yield _word_spans(doc[:])


def joined(words: Sequence[str]) -> Sentence:
    """Joins a list of words by blanks into a sentence with the annotation "joined"."""
    spans, start = [], 0
    for word in words:
        end = start + len(word)
        spans.append((start, end))
        start = end + 1  # over the blank
    return Sentence("joined", " ".join(words), tuple(spans), annotations={"joined": True})


def shifted_spans(spans: Sequence[Span], by: int) -> tuple[Span, ...]:
    """Shifts spans by `by` characters to the right."""
    return tuple((start + by, end + by) for start, end in spans)


def is_punctuation(word: str) -> bool:
    """Tells whether every character of a word is punctuation by Unicode, as spaCy does."""
    return all(unicodedata.category(character).startswith("P") for character in word)


@functools.cache
def _english():
    """Returns spaCy's blank English pipeline, one per process. Raises UserError without spaCy."""
    try:
        import spacy  # here, because the import takes a second
    except ImportError:
        raise UserError(
            "spaCy, which finds words and sentences in a text, is not installed: pip install "
            "spacy, or give a .jsonl file, which brings its words"
        ) from None
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    pipeline.max_length = 10**9  # spaCy's limit guards trained components, not used here
    return pipeline


def _read(texts: Iterable[tuple[str, T]]) -> Iterator[tuple["Doc", T]]:
    """Yields spaCy's document of each text, with the value beside the text.

    spaCy keeps every word that it has seen, some 450 bytes each. A pipeline that has seen too many
    is replaced by a new one, whose rules are the same, so that a text of any length can be read.
    """
    left = iter(texts)
    while some := list(itertools.islice(left, READ_AT_ONCE)):
        yield from _english().pipe(some, as_tuples=True)
        if len(_english().vocab.strings) > MOST_WORDS:
            _english.cache_clear()


def _paragraphs(documents: Iterable[Article]) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yields each paragraph with the number of its article and its number in the article."""
    for document, article in enumerate(documents):
        for paragraph, text in enumerate(article.paragraphs):
            yield text, (document, paragraph)


def _word_spans(tokens) -> tuple[Span, ...]:
    """Returns character spans of the words among spaCy's tokens, counted from the first token."""
    if not len(tokens):
        return ()
    spans = tuple((token.idx, token.idx + len(token)) for token in tokens if not token.is_space)
    return shifted_spans(spans, -tokens[0].idx)
