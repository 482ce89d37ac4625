"""Cuts sentences around a target, hides the target, or shuffles its context.

Zhao et al. (2020), section 4.3: a context of size k is k words on the left of the target and k on
its right, and a model sees nothing else. Hiding the target and shuffling the context are not in the
paper.
"""

import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from cwr.corpora.sentences import Corpus, Sentence, fingerprint, joined, shifted_spans
from cwr.errors import UserError, quoted

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("sentence", "first", "last")  # of targets

Excerpt = tuple[Sentence, int, int]  # with the first and last word of the target in it


def cut(sentence: Sentence, first: int, last: int, k: int) -> Excerpt:
    """Cuts a sentence to k words on each side of its words `first` to `last` (inclusive).

    Near the sentence's ends there are fewer words. Characters between the kept words stay.
    Returns the excerpt, and the first and last word of the target in it; a sentence without further
    words is returned unchanged, a cut sentence has no annotations.
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
    excerpt = replace(
        sentence, id=name, text=text, spans=shifted_spans(spans, -offset), annotations={}
    )
    return excerpt, first - start, last - start


def around(corpus: Corpus, targets: "pd.DataFrame", k: int) -> tuple[Corpus, "pd.DataFrame"]:
    """Cuts each target's sentence by `cut`; returns a corpus of distinct excerpts and its targets.

    targets: at least the columns sentence, first and last; other columns and the order of rows are
        kept.
    Raises UserError as `cut`.
    """
    return apply_to_targets(corpus, targets, lambda sentence, *span: cut(sentence, *span, k))


def hide(sentence: Sentence, first: int, last: int, sign: str) -> Excerpt:
    """Replaces the words `first` to `last` of a sentence by one sign, such as "[MASK]".

    sign: counts as one word. Returns the sentence, without annotations, and the first and the last
    word of the target in it, which both are the sign.
    Raises UserError for words that the sentence does not have, and for a sign without a character.
    """
    refuse_outside(sentence, first, last)
    if not sign.strip():
        raise UserError("a hidden target needs a sign of at least one character, as [MASK]")
    start, end = sentence.spans[first][0], sentence.spans[last][1]
    text = sentence.text[:start] + sign + sentence.text[end:]
    after = shifted_spans(sentence.spans[last + 1 :], len(sign) - (end - start))
    spans = (*sentence.spans[:first], (start, start + len(sign)), *after)
    name = f"{sentence.id} without words {first} to {last}"
    return replace(sentence, id=name, text=text, spans=spans, annotations={}), first, first


def hidden(corpus: Corpus, targets: "pd.DataFrame", sign: str) -> tuple[Corpus, "pd.DataFrame"]:
    """Hides each target with `hide`; arguments, result and errors as `around`."""
    return apply_to_targets(corpus, targets, lambda sentence, *span: hide(sentence, *span, sign))


def shuffle(sentence: Sentence, first: int, last: int, seed: int = 0) -> Excerpt:
    """Shuffles all words of a sentence except `first` to `last`: the context as a bag of words.

    The target keeps its place as a run of words. Words are joined by blanks, and the sentence has
    no annotations. The order depends on the text, the target and the seed alone.
    Raises UserError for words that the sentence does not have.
    """
    refuse_outside(sentence, first, last)
    words = np.array(sentence.words, dtype=object)
    others = np.delete(np.arange(len(words)), np.s_[first : last + 1])
    entropy = zlib.crc32(f"{seed}|{sentence.text}|{first}:{last}".encode())
    words[others] = words[np.random.default_rng(entropy).permutation(others)]
    plain = joined(words.tolist())
    name = f"{sentence.id} around words {first} to {last} shuffled"
    return (
        replace(sentence, id=name, text=plain.text, spans=plain.spans, annotations={}),
        first,
        last,
    )


def shuffled(
    corpus: Corpus, targets: "pd.DataFrame", seed: int = 0
) -> tuple[Corpus, "pd.DataFrame"]:
    """Shuffles each target's context with `shuffle`; arguments, result and errors as `around`."""
    return apply_to_targets(corpus, targets, lambda sentence, *span: shuffle(sentence, *span, seed))


def apply_to_targets(
    corpus: Corpus, targets: "pd.DataFrame", change: Callable[..., Excerpt]
) -> tuple[Corpus, "pd.DataFrame"]:
    """Changes each target's sentence; returns a corpus of distinct excerpts, and its targets.

    change: a function of a sentence and the first and last word of a target that returns an
    `Excerpt`. targets: as in `around`.
    """
    texts, rows = {}, []
    for number, *span in zip(*(targets[name] for name in COLUMNS), strict=True):
        excerpt, first, last = change(corpus.sentences[number], *span)
        key = excerpt.text, excerpt.spans
        row, _ = texts.setdefault(key, (len(texts), excerpt))
        rows.append((row, first, last))
    listed = tuple(excerpt for _, excerpt in texts.values())
    spans = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    table = targets.assign(**dict(zip(COLUMNS, spans, strict=True)))
    return replace(corpus, sentences=listed, fingerprint=fingerprint(listed)), table


def refuse_outside(sentence: Sentence, first: int, last: int) -> None:
    """Raises UserError unless a sentence has the words `first` to `last`."""
    if not 0 <= first <= last < len(sentence.spans):
        raise UserError(
            f"words {first} to {last} lie outside the sentence {quoted(sentence.id)}, which has "
            f"words 0 to {len(sentence.spans) - 1}: mend the target"
        )
