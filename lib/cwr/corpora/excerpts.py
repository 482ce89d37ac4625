"""Sentences cut to some words around a target: how much context a representation is given.

Zhao et al. (2020), section 4.3: a context of size k is k words to the left of the target and k to
its right, and a model sees nothing else.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from cwr.corpora.sentences import Corpus, Sentence, fingerprint, moved
from cwr.errors import UserError, quoted

if TYPE_CHECKING:
    import pandas as pd

Excerpt = tuple[Sentence, int, int]  # with the first and last word of the target in it


def cut(sentence: Sentence, first: int, last: int, k: int) -> Excerpt:
    """A sentence cut to k words on each side of its words `first` to `last` (inclusive).

    At the sentence's ends there are fewer. Signs between words stay, those outside are gone.
    Returns the excerpt, and where the target begins and ends in it; a sentence with no more words
    on either side comes back as it is, one that is cut has no annotations.
    Raises UserError for a negative k, and for words that the sentence does not have.
    """
    n_words = len(sentence.spans)
    refuse_outside(sentence, first, last)
    if k < 0:
        raise UserError(f"a context has at least 0 words on each side, got {k}: give 0 or more")
    start, stop = max(first - k, 0), min(last + k + 1, n_words)
    if (start, stop) == (0, n_words):
        return sentence, first, last
    spans = sentence.spans[start:stop]
    offset = spans[0][0]
    text = sentence.text[offset : spans[-1][1]]
    name = f"{sentence.id} words {start} to {stop - 1}"
    excerpt = replace(sentence, id=name, text=text, spans=moved(spans, -offset), annotations={})
    return excerpt, first - start, last - start


def around(corpus: Corpus, targets: "pd.DataFrame", k: int) -> tuple[Corpus, "pd.DataFrame"]:
    """Each target's sentence by `cut`, each text once, and the targets as they stand in these.

    targets: at least the columns sentence, first and last; the others stay as they are, and so does
        the order of the rows.
    Raises UserError as `cut`.
    """
    columns = zip(targets["sentence"], targets["first"], targets["last"], strict=True)
    sentences = corpus.sentences
    return _once(corpus, targets, [cut(sentences[number], *span, k) for number, *span in columns])


def refuse_outside(sentence: Sentence, first: int, last: int) -> None:
    """Raises UserError for words that a sentence does not have."""
    if not 0 <= first <= last < len(sentence.spans):
        raise UserError(
            f"words {first} to {last} lie outside the sentence {quoted(sentence.id)}, which has "
            f"words 0 to {len(sentence.spans) - 1}: mend the target"
        )


def _once(
    corpus: Corpus, targets: "pd.DataFrame", excerpts: Iterable[Excerpt]
) -> tuple[Corpus, "pd.DataFrame"]:
    """A corpus of the excerpts' texts, each once, and the targets in it; an excerpt a target."""
    texts, rows = {}, []
    for excerpt, first, last in excerpts:
        key = excerpt.text, excerpt.spans
        number, _ = texts.setdefault(key, (len(texts), excerpt))
        rows.append((number, first, last))
    listed = tuple(excerpt for _, excerpt in texts.values())
    sentence, first, last = zip(*rows, strict=True) if rows else ((), (), ())
    table = targets.assign(sentence=sentence, first=first, last=last)
    return replace(corpus, sentences=listed, fingerprint=fingerprint(listed)), table
