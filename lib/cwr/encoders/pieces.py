"""Cuts text into word pieces, and assigns pieces to words by character offsets.

NumPy only; no loop over tokens. Axes: sentences, pieces, units; the picture in `encoder.py` shows
how they are related.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from cwr.encoders import tokenizer_file
from cwr.errors import UserError

TOKENISED_AT_ONCE = 4096  # sentences; bounds the memory that a large corpus takes
# per sentence, the (start, stop) of each word, in order
Spans = Sequence[Sequence[tuple[int, int]]]


class SentenceLike(Protocol):
    """A sentence with the fields that an encoder needs."""

    text: str
    spans: Sequence[tuple[int, int]]  # (start, stop) character offsets of its words, in order


@dataclass(frozen=True)
class Pieces:
    """The concatenated word pieces of several sentences, without special tokens."""

    ids: np.ndarray  # (pieces,) vocabulary ids; of an ELMo (pieces, width) character ids
    span: np.ndarray  # (pieces, 2) character offsets in the piece's sentence
    first: np.ndarray  # (sentences + 1,): pieces first[i] .. first[i + 1] - 1 are sentence i's

    @property
    def lengths(self) -> np.ndarray:
        """The number of pieces of each sentence, (sentences,)."""
        return np.diff(self.first)

    def take(self, sentences: np.ndarray) -> "Pieces":
        """Selects the pieces of these sentences, (taken,) indices, in this order."""
        lengths = self.lengths[sentences]
        pieces = concatenated_ranges(self.first[sentences], lengths)
        return Pieces(self.ids[pieces], self.span[pieces], starts(lengths))


@dataclass(frozen=True)
class Units:
    """The units that get one vector each, words or pieces, ordered by sentence, then position."""

    sentence: np.ndarray  # (units,) index of the sentence
    position: np.ndarray  # (units,) index of the word, or of the piece with special tokens counted
    span: np.ndarray  # (units, 2) character offsets; (0, 0) for a special token
    kind: np.ndarray  # (units,) "word", "word piece" or "special"
    start: np.ndarray  # (units,) first piece of the unit, as an index into Pieces
    stop: np.ndarray  # (units,) one behind its last piece
    special: np.ndarray  # (units,) 0; special token: -k (k-th before the text) or +k (k-th behind)


def starts(counts: np.ndarray) -> np.ndarray:
    """Computes the start of each of several adjacent ranges, and the end of the last.

    counts: (ranges,) lengths. Returns (ranges + 1,), the cumulative sum from 0.
    """
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def concatenated_ranges(start: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Concatenates several ranges of integers.

    start, count: (ranges,). Returns (sum of counts,): start[0], start[0] + 1, ... (count[0]
    numbers), then start[1], ...
    """
    return np.arange(count.sum()) + np.repeat(start - starts(count)[:-1], count)


def special_tokens(tokenizer, name: str) -> tuple[list[int], list[int]]:
    """Returns the ids that a tokenizer puts before and behind a text, found on a sample text.

    name: the model's name in the error. Raises UserError if the text's own pieces do not stand
    together between the special tokens.
    """
    with tokenizer_file.that_may_panic():
        bare = tokenizer("a", add_special_tokens=False)["input_ids"]
        full = tokenizer("a")["input_ids"]
    for before in range(len(full) - len(bare) + 1):
        if full[before : before + len(bare)] == bare and bare:
            return full[:before], full[before + len(bare) :]
    raise UserError(
        f"the tokenizer of {name} does not put its special tokens around the text, so "
        "pieces cannot be told from them; choose a model with an ordinary fast "
        "tokenizer"
    )


def refuse_without_first(tokenizer, name: str, task: str) -> None:
    """Raises UserError for a tokenizer without a special piece before the text, if a task needs it.

    name, task: the names of the model and the task in the error.
    """
    if not special_tokens(tokenizer, name)[0]:
        raise UserError(
            f"{name} puts no special piece before a sentence, from which {task} could be read: "
            "take a masked model, or a task about words"
        )


def tokenise(tokenizer, texts: Sequence[str]) -> Pieces:
    """Cuts texts into pieces by the model's tokenizer, without special tokens or truncation."""
    if not len(texts):
        none = np.empty(0, np.int64)
        return Pieces(none, none.reshape(0, 2), starts(none))
    with tokenizer_file.that_may_panic():
        encoding = tokenizer(
            list(texts),
            add_special_tokens=False,
            return_offsets_mapping=True,
            truncation=False,
            padding=False,
            return_attention_mask=False,
            return_token_type_ids=False,
            verbose=False,
        )
    ids, offsets = encoding["input_ids"], encoding["offset_mapping"]
    lengths = np.array([len(sentence) for sentence in ids])
    span = [np.asarray(pairs, np.int64).reshape(-1, 2) for pairs in offsets]
    return Pieces(
        np.concatenate([np.asarray(sentence, np.int64) for sentence in ids]),
        np.concatenate(span),
        starts(lengths),
    )


def refuse_ids_beyond(ids: np.ndarray, n_tokens: int, name: str) -> None:
    """Raises UserError for ids (any shape) that a model with n_tokens tokens does not have."""
    if ids.max(initial=0) >= n_tokens:
        raise UserError(
            f"the tokenizer of {name} gives the id {ids.max()} but the model has only {n_tokens} "
            "tokens; the folder mixes two models, get a consistent copy"
        )


def word_units(pieces: Pieces, spans: Spans) -> Units:
    """Returns a unit for each word: the pieces that overlap the word by at least one character.

    spans: the words of each sentence. A word without a piece yields no unit; a piece may belong to
    two words. The blank in front of a byte-level piece overlaps no word. `windows.locate` removes
    pieces without a character that stand between a word's pieces.
    Raises UserError for a tokenizer whose character offsets go backwards.
    """
    sentence, position, span = _flattened(spans)
    # one number line for all sentences, so that a single search finds every word's pieces
    stride = 1 + max(int(span.max(initial=0)), int(pieces.span.max(initial=0)))
    visible = np.flatnonzero(pieces.span[:, 1] > pieces.span[:, 0])
    shift = np.repeat(np.arange(len(spans)), pieces.lengths)[visible] * stride
    piece_start, piece_stop = (pieces.span[visible] + shift[:, None]).T
    if (np.diff(piece_start) < 0).any() or (np.diff(piece_stop) < 0).any():
        raise UserError(
            "this model's tokenizer reports character offsets that go backwards, so "
            'words cannot be aligned; choose another model or unit="piece"'
        )
    word_start, word_stop = (span + (sentence * stride)[:, None]).T
    begin = np.searchsorted(piece_stop, word_start, side="right")  # the first that ends inside
    end = np.searchsorted(piece_start, word_stop, side="left")  # the first that starts behind
    readable = (end > begin) & (span[:, 1] > span[:, 0])
    start = visible[begin[readable]]
    stop = visible[end[readable] - 1] + 1
    return _words(sentence[readable], position[readable], span[readable], start, stop)


def whole_word_units(spans: Spans) -> Units:
    """Returns a one-piece unit for each non-empty word, for models that read whole words."""
    sentence, position, span = _flattened(spans)
    readable = span[:, 1] > span[:, 0]
    piece = np.arange(readable.sum())
    return _words(sentence[readable], position[readable], span[readable], piece, piece + 1)


def listed_units(pieces: Pieces, spans: Spans) -> Units:
    """Assigns pieces to words by number, not offset: a sentence's i-th word is its i-th piece.

    Empty words, and words beyond the sentence's last piece, yield no unit.
    """
    sentence, position, span = _flattened(spans)
    readable = (position < pieces.lengths[sentence]) & (span[:, 1] > span[:, 0])
    sentence, position = sentence[readable], position[readable]
    piece = pieces.first[sentence] + position
    return _words(sentence, position, span[readable], piece, piece + 1)


def piece_units(pieces: Pieces, before: int, behind: int) -> Units:
    """Returns a unit for every piece and for every special token, in the tokenizer's order.

    The span of a special token is (0, 0).
    before, behind: how many special tokens stand before and behind a text. A sentence without
    pieces has no units.
    """
    counts = np.where(pieces.lengths > 0, pieces.lengths + before + behind, 0)
    sentence = np.repeat(np.arange(len(counts)), counts)
    position = concatenated_ranges(np.zeros(len(counts), np.int64), counts)
    inside = position - before
    length = pieces.lengths[sentence]
    special = np.where(inside < 0, inside, np.maximum(inside - length + 1, 0))
    start = pieces.first[sentence] + np.clip(inside, 0, np.maximum(length - 1, 0))
    span = np.where((special == 0)[:, None], pieces.span[start], 0)
    kind = np.where(special == 0, "word piece", "special")
    return Units(sentence, position, span, kind, start, start + 1, special)


def _words(
    sentence: np.ndarray,
    position: np.ndarray,
    span: np.ndarray,
    start: np.ndarray,
    stop: np.ndarray,
) -> Units:
    """Returns units that are words; arrays as in `Units`."""
    kind = np.full(len(start), "word", "<U10")
    return Units(sentence, position, span, kind, start, stop, np.zeros(len(start), np.int64))


def _flattened(spans: Spans) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns all words' sentence (words,), index in the sentence (words,) and span (words, 2)."""
    counts = np.array([len(sentence) for sentence in spans], np.int64)
    pairs = [pair for sentence in spans for pair in sentence]
    span = np.array(pairs, np.int64).reshape(-1, 2)
    position = concatenated_ranges(np.zeros(len(spans), np.int64), counts)
    return np.repeat(np.arange(len(spans)), counts), position, span
