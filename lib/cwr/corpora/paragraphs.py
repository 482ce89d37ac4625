"""Joins a corpus' sentences to paragraphs, and cuts or spells a corpus in other ways.

Gupta and Jaggi (2021), section 3.2, let a model read a whole paragraph and then average over one
sentence of it, or let it read that sentence alone. `CUTS` has both ways: each returns the texts to
read and a table of targets, one row per sentence of the corpus, in its order.
"""

import itertools
import operator
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from cwr.corpora.sentences import Corpus, Sentence, fingerprint, joined, shifted_spans
from cwr.errors import UserError, quoted

PARAGRAPH = operator.attrgetter("document", "paragraph")  # where a sentence stands
END_MARKS = (".", "?", "!")  # the words that end a sentence in the code released with the paper


# ---- what is read at once


def paragraphs(corpus: Corpus) -> tuple[Corpus, pd.DataFrame]:
    """Joins each paragraph into one `Sentence`, and tabulates where its sentences stand in it.

    The sentences of a paragraph are joined by one blank; neighbours with the same document and
    paragraph numbers are one paragraph. Annotations are dropped. The table has one row per
    sentence: sentence (the number of its paragraph), first, last (its words in that paragraph,
    inclusive), group (the sentence's number in `corpus`, as text).
    Raises UserError for a corpus without sentences, and for a sentence without words.
    """
    lengths = _word_counts(corpus)
    groups = [list(group) for _, group in itertools.groupby(corpus.sentences, PARAGRAPH)]
    number = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    first = pd.Series(lengths).groupby(number).cumsum().to_numpy() - lengths
    table = _targets(number, first, lengths)
    return rewritten(corpus, map(_as_one, groups)), table


def sentences(corpus: Corpus) -> tuple[Corpus, pd.DataFrame]:
    """Returns the corpus, to be read sentence by sentence, and a table like that of `paragraphs`.

    Raises UserError as `paragraphs`.
    """
    lengths = _word_counts(corpus)
    return corpus, _targets(np.arange(len(lengths)), np.zeros_like(lengths), lengths)


CUTS = {"sentence": sentences, "paragraph": paragraphs}


# ---- the corpus, cut or spelled anew


def lower_cased(corpus: Corpus) -> Corpus:
    """Converts a corpus to lower case, with the same words.

    Where a letter becomes longer ("İ" becomes an "i" and a dot above it), later spans shift.
    """
    return rewritten(corpus, map(_lower_cased, corpus.sentences))


def cut_at_end_marks(corpus: Corpus) -> Corpus:
    """Cuts a corpus into sentences as the code released with Gupta and Jaggi (2021) does.

    A sentence ends with a word that is ".", "?" or "!", or with its paragraph, and nowhere else. A
    sentence's text is its words joined by blanks, as in the input files of the released code.
    Raises UserError as `paragraphs`.
    """
    _word_counts(corpus)
    parts = []
    for _, group in itertools.groupby(corpus.sentences, PARAGRAPH):
        paragraph = list(group)
        words = [word for sentence in paragraph for word in sentence.words]
        parts += _parts(words, paragraph[0])
    return rewritten(corpus, parts)


def _parts(words: Sequence[str], opening: Sentence) -> list[Sentence]:
    """Cuts the words of a paragraph behind each end mark; opening: the first sentence of it."""
    is_end = np.isin(words, END_MARKS)
    is_end[-1] = True
    stops = np.flatnonzero(is_end) + 1
    parts = []
    for number, (start, stop) in enumerate(itertools.pairwise([0, *stops])):
        part = joined(words[start:stop])
        name = f"{opening.document}.{opening.paragraph}.{number}"
        parts.append(replace(part, id=name, document=opening.document, paragraph=opening.paragraph))
    return parts


def _as_one(paragraph: Sequence[Sentence]) -> Sentence:
    """Joins the sentences of a paragraph by blanks into one."""
    opening, spans, start = paragraph[0], [], 0
    for sentence in paragraph:
        spans += shifted_spans(sentence.spans, start)
        start += len(sentence.text) + 1  # over the blank
    text = " ".join(sentence.text for sentence in paragraph)
    name = f"{opening.document}.{opening.paragraph}"
    return Sentence(name, text, tuple(spans), opening.document, opening.paragraph)


def _lower_cased(sentence: Sentence) -> Sentence:
    text = sentence.text.lower()
    if len(text) == len(sentence.text):
        return replace(sentence, text=text)
    lengths = [len(character.lower()) for character in sentence.text]
    offset = np.append(0, np.cumsum(lengths)).tolist()
    spans = tuple((offset[start], offset[end]) for start, end in sentence.spans)
    return replace(sentence, text=text, spans=spans)


def _word_counts(corpus: Corpus) -> np.ndarray:
    """Counts the words of each sentence, (sentences,); raises UserError as `paragraphs`."""
    if not corpus.sentences:
        raise UserError(f"the corpus {corpus.name} has no sentences: give one with text")
    lengths = np.array([len(sentence.spans) for sentence in corpus.sentences])
    if not lengths.all():
        empty = corpus.sentences[int(np.argmin(lengths))]
        raise UserError(
            f"the sentence {quoted(empty.id)} of {corpus.name} has no words: take it out"
        )
    return lengths


def _targets(text: np.ndarray, first: np.ndarray, lengths: np.ndarray) -> pd.DataFrame:
    """Builds the table of `paragraphs` from arrays (sentences,)."""
    group = np.arange(len(text)).astype(str)
    last = first + lengths - 1
    return pd.DataFrame({"sentence": text, "first": first, "last": last, "group": group})


def rewritten(corpus: Corpus, new: Iterable[Sentence]) -> Corpus:
    """Returns a corpus of the same name and licence with other sentences."""
    listed = tuple(new)
    return replace(corpus, sentences=listed, fingerprint=fingerprint(listed))
