"""Finds the words that a notebook studies in a reader's sentence."""

from cwr import corpora
from cwr.corpora.sentences import Sentence
from cwr.errors import UserError, quoted


def words_of(text: str, span: str) -> tuple[Sentence, tuple[int, int]]:
    """Parses a text of one sentence, and finds a span's first and last word in it (inclusive).

    Raises UserError for a text of no or several sentences, and for a span that is not in it.
    """
    sentences = corpora.tokenise(text)
    if len(sentences) != 1:
        raise UserError(f"give a text of one sentence; {quoted(text)} has {len(sentences)}")
    (sentence,) = sentences
    start = sentence.text.find(span)
    ends = {end: number for number, (_, end) in enumerate(sentence.spans)}
    starts = {begin: number for number, (begin, _) in enumerate(sentence.spans)}
    while start >= 0 and span:
        if start in starts and start + len(span) in ends:
            return sentence, (starts[start], ends[start + len(span)])
        start = sentence.text.find(span, start + 1)
    raise UserError(
        f"the words {quoted(span)} do not stand in the text {quoted(text)}: give a span of it, with "
        "its capitals"
    )
