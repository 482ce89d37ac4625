"""Text to word pieces, and words to their pieces by character offsets. NumPy only; no loop over tokens."""
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from cwr.errors import UserError


class Sentence(Protocol):
    """All that an encoder needs of a sentence."""

    text: str
    spans: Sequence[tuple[int, int]]        # (start, stop) character offsets of its words, in order


@dataclass(frozen=True)
class Pieces:
    """The word pieces of several sentences end to end, special tokens left out."""

    ids: np.ndarray         # (pieces,) vocabulary ids; of an ELMo (pieces, width) character ids
    span: np.ndarray        # (pieces, 2) character offsets in the piece's own sentence
    first: np.ndarray       # (sentences + 1,): pieces first[i] .. first[i + 1] - 1 belong to sentence i

    @property
    def lengths(self) -> np.ndarray:
        return np.diff(self.first)

    def take(self, sentences: np.ndarray) -> "Pieces":
        """Only these sentences, in this order."""
        chosen = ranges(self.first[sentences], self.lengths[sentences])
        return Pieces(self.ids[chosen], self.span[chosen], starts(self.lengths[sentences]))


@dataclass(frozen=True)
class Units:
    """What gets one vector each: words, or single pieces. Ordered by sentence, then position."""

    sentence: np.ndarray    # (units,) index of the sentence
    position: np.ndarray    # (units,) index of the word, or of the piece with special tokens counted
    span: np.ndarray        # (units, 2) character offsets; (0, 0) for a special token
    kind: np.ndarray        # (units,) "word", "word piece" or "special"
    start: np.ndarray       # (units,) first piece of the unit, as an index into Pieces
    stop: np.ndarray        # (units,) one behind its last piece
    special: np.ndarray     # (units,) 0; a special token: -k (k places before the text) or +k (k-th behind)


def starts(counts: np.ndarray) -> np.ndarray:
    """Running total that begins at 0: where each of several stretches starts, and where the last ends."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def ranges(start: np.ndarray, count: np.ndarray) -> np.ndarray:
    """start[0], start[0] + 1, ... (count[0] numbers), then start[1], ..., end to end."""
    return np.arange(count.sum()) + np.repeat(start - starts(count)[:-1], count)


def specials(tokenizer, name: str) -> tuple[list[int], list[int]]:
    """Ids that the tokenizer puts before and behind a text, seen by comparing a text with and without."""
    bare = tokenizer("a", add_special_tokens=False)["input_ids"]
    full = tokenizer("a")["input_ids"]
    for before in range(len(full) - len(bare) + 1):
        if full[before:before + len(bare)] == bare and bare:
            return full[:before], full[before + len(bare):]
    raise UserError(f"the tokenizer of {name} does not put its special tokens around the text, so pieces "
                    f"cannot be told from them; choose a model with an ordinary fast tokenizer")


def tokenise(tokenizer, texts: Sequence[str]) -> Pieces:
    """Pieces of whole texts as the model's own tokenizer makes them, without special tokens, never cut."""
    if not len(texts):
        return Pieces(np.empty(0, np.int64), np.empty((0, 2), np.int64), starts(np.empty(0, np.int64)))
    made = tokenizer(list(texts), add_special_tokens=False, return_offsets_mapping=True, truncation=False,
                     padding=False, return_attention_mask=False, return_token_type_ids=False, verbose=False)
    first = starts(np.array([len(ids) for ids in made["input_ids"]]))
    ids = np.concatenate([np.asarray(ids, np.int64) for ids in made["input_ids"]])
    span = np.concatenate([np.asarray(pairs, np.int64).reshape(-1, 2) for pairs in made["offset_mapping"]])
    return Pieces(ids, span, first)


def words(pieces: Pieces, spans: Sequence[Sequence[tuple[int, int]]]) -> Units:
    """Words with the pieces that overlap them by at least one character; a word without piece yields no unit.

    A piece may belong to two words. The blank that byte-level pieces carry in front overlaps no word, so it
    does not matter. Pieces in between that cover no character are left to `windows.place`.
    spans: per sentence, the (start, stop) of each word, in order.
    """
    sentence, position, span = _listed(spans)
    # one number line for all sentences, so that a single search finds every word's pieces
    beyond = 1 + max(int(span.max(initial=0)), int(pieces.span.max(initial=0)))
    visible = np.flatnonzero(pieces.span[:, 1] > pieces.span[:, 0])
    line = np.repeat(np.arange(len(spans)), pieces.lengths)[visible] * beyond
    starting, ending = (pieces.span[visible] + line[:, None]).T
    if (np.diff(starting) < 0).any() or (np.diff(ending) < 0).any():
        raise UserError("this model's tokenizer reports character offsets that go backwards, so words cannot "
                        "be aligned; choose another model or unit=\"piece\"")
    begin = np.searchsorted(ending, span[:, 0] + sentence * beyond, side="right")   # ends inside
    end = np.searchsorted(starting, span[:, 1] + sentence * beyond, side="left")    # starts behind
    kept = (end > begin) & (span[:, 1] > span[:, 0])
    begin, end = visible[begin[kept]], visible[end[kept] - 1] + 1
    kind, special = np.full(len(begin), "word", "<U10"), np.zeros(len(begin), np.int64)
    return Units(sentence[kept], position[kept], span[kept], kind, begin, end, special)


def own(spans: Sequence[Sequence[tuple[int, int]]]) -> Units:
    """Each word that has a character as its own piece, for models that read words; spans as in `words`."""
    sentence, position, span = _listed(spans)
    kept = span[:, 1] > span[:, 0]
    piece, kind = np.arange(kept.sum()), np.full(kept.sum(), "word", "<U10")
    return Units(sentence[kept], position[kept], span[kept], kind, piece, piece + 1, np.zeros_like(piece))


def _listed(spans: Sequence[Sequence[tuple[int, int]]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sentence, index within it (words,) and span (words, 2) of all words, end to end."""
    counts = np.array([len(given) for given in spans], np.int64)
    span = np.array([pair for given in spans for pair in given], np.int64).reshape(-1, 2)
    return np.repeat(np.arange(len(spans)), counts), ranges(np.zeros(len(spans), np.int64), counts), span


def single(pieces: Pieces, before: int, behind: int) -> Units:
    """Every piece as a unit of its own, with the special tokens where the tokenizer puts them (span (0, 0)).

    before, behind: how many special tokens stand around a text. A sentence without pieces has no units.
    """
    counts = np.where(pieces.lengths > 0, pieces.lengths + before + behind, 0)
    sentence = np.repeat(np.arange(len(counts)), counts)
    position = ranges(np.zeros(len(counts), np.int64), counts)
    inside = position - before
    length = pieces.lengths[sentence]
    special = np.where(inside < 0, inside, np.maximum(inside - length + 1, 0))
    start = pieces.first[sentence] + np.clip(inside, 0, np.maximum(length - 1, 0))
    span = np.where((special == 0)[:, None], pieces.span[start], 0)
    kind = np.where(special == 0, "word piece", "special")
    return Units(sentence, position, span, kind, start, start + 1, special)
