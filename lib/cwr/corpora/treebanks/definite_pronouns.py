"""Reads Definite Pronoun Resolution (Rahman and Ng, 2012): pairs of sentences with one pronoun.

    The sniper shot the terrorist because he was a bad guy.        he    The sniper,the terrorist
    The sniper shot the terrorist because he was told to.          he    The sniper,the terrorist

Each sentence is a block of four lines (sentence, pronoun, two candidates, answer) and an empty one.
The data have no licence, so they are fetched and never shipped with this library.
"""

import itertools
import re
from collections.abc import Iterator, Sequence

from cwr import downloads
from cwr.corpora.sentences import Sentence, Span, word_spans
from cwr.corpora.treebanks import conllu
from cwr.corpora.treebanks.labels import TEST, TRAIN
from cwr.errors import UserError, quoted

FILES = {TRAIN: "train.c.txt", TEST: "test.c.txt"}
LINES = 4


def dpr() -> Iterator[Sentence]:
    """Reads the sentences of both parts; the two sentences of a pair are one document.

    Annotations: split; pronoun, a word; candidates, [[first, last], [first, last]]; answer, 0 or 1.
    Raises UserError if a file is not at hand and cannot be fetched.
    """
    counter = itertools.count()
    for split, name in FILES.items():
        file = downloads.fetch(downloads.row_of(name))
        for sentence in sentences(conllu.lines(file), name):
            number = next(counter)
            about = {"split": split, **sentence.annotations}
            yield Sentence(f"dpr {number}", sentence.text, sentence.spans, number // 2, 0, about)


def sentences(lines: Sequence[str], name: str) -> Iterator[Sentence]:
    """Parses sentences, each with its pronoun, candidates and answer; name: the file's, for errors.

    Raises UserError for a block that has not four lines, or lacks two candidates in its sentence, a
    pronoun behind them, or an answer that is one of the two.
    """
    blocks = []
    for is_empty, block in itertools.groupby(lines, lambda line: not line.strip()):
        if not is_empty:
            blocks.append([line.strip() for line in block])
    for number, block in enumerate(blocks, 1):
        if len(block) != LINES:
            raise UserError(
                f"block {number} of {name} has {len(block)} lines, not {LINES} (sentence, pronoun, "
                "candidates, answer): fetch it anew"
            )
    spans = word_spans(block[0] for block in blocks)
    for number, (block, words) in enumerate(zip(blocks, spans, strict=True), 1):
        try:
            about = _asked(*block, words)
        except ValueError as error:
            raise UserError(f"block {number} of {name} is no question: {error}") from None
        yield Sentence(f"{name} {number}", block[0], words, number - 1, 0, about)


def _asked(text: str, pronoun: str, names: str, answer: str, words: Sequence[Span]) -> dict:
    """Returns the question of a sentence. Raises ValueError for words that it does not have."""
    names = [name.strip().lower() for name in names.split(",")]
    if len(names) != 2 or answer.lower() not in names:
        raise ValueError(f"{quoted(answer)} is not one of two candidates, {names}")
    starts = [_position(name, text, 0) for name in names]
    ends = [start + len(name) for start, name in zip(starts, names, strict=True)]
    start = _position(pronoun.lower(), text, max(ends))
    pronouns = _overlapping(start, start + len(pronoun), words)
    spans = zip(starts, ends, strict=True)
    return {
        "pronoun": pronouns[0],
        "candidates": [_overlapping(*span, words) for span in spans],
        "answer": names.index(answer.lower()),
    }


def _position(part: str, text: str, start: int) -> int:
    """Finds the first place of these words from a character on; raises ValueError without one."""
    found = re.compile(rf"(?<!\w){re.escape(part)}(?!\w)").search(text.lower(), start)
    if found is None:
        raise ValueError(f"{quoted(part)} is not in its sentence")
    return found.start()


def _overlapping(start: int, end: int, words: Sequence[Span]) -> list[int]:
    """Returns the first and last word that overlap these characters."""
    inside = [number for number, (a, b) in enumerate(words) if a < end and b > start]
    return [inside[0], inside[-1]]
