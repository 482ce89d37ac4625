"""A reader's sentence, and the words of it that a notebook studies."""

from cwr import corpora
from cwr.corpora.sentences import Sentence
from cwr.errors import UserError, quoted


def words_of(text: str, span: str) -> tuple[Sentence, tuple[int, int]]:
    """Returns the sentence of a text, and the first and last word of a span in it, inclusive.

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
