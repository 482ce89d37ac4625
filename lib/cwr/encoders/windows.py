"""Sentences beyond a model's window: overlapping rows, and which row each word is read from. NumPy only."""
from dataclasses import dataclass, fields

import numpy as np

from cwr.encoders.pieces import Pieces, Units, ranges, starts


@dataclass(frozen=True)
class Rows:
    """What the model sees at once: stretches of pieces of one sentence each, special tokens not counted."""

    sentence: np.ndarray    # (rows,) index of the sentence
    start: np.ndarray       # (rows,) first piece, as an index into Pieces
    count: np.ndarray       # (rows,) number of pieces
    first: np.ndarray       # (sentences + 1,): rows first[i] .. first[i + 1] - 1 belong to sentence i
    size: int               # most pieces a row can hold
    stride: int             # pieces from the start of a row to the start of the next of its sentence


@dataclass(frozen=True)
class Places:
    """Where in the rows the vectors of each unit are; ordered by unit. Columns count the special tokens."""

    unit: np.ndarray        # (places,)
    row: np.ndarray         # (places,)
    column: np.ndarray      # (places,)


def cut(pieces: Pieces, size: int) -> Rows:
    """Rows of at most `size` pieces; a longer sentence has one every half `size`, so they overlap by half.

    The last row of a long sentence ends with the sentence and may be shorter. A sentence without pieces has
    no row.
    """
    stride = max(size // 2, 1)
    more = np.maximum(pieces.lengths - size, 0)
    per_sentence = np.where(pieces.lengths > 0, 1 + -(-more // stride), 0)
    sentence = np.repeat(np.arange(len(per_sentence)), per_sentence)
    inside = ranges(np.zeros(len(per_sentence), np.int64), per_sentence) * stride
    count = np.minimum(pieces.lengths[sentence] - inside, size)
    return Rows(sentence, pieces.first[sentence] + inside, count, starts(per_sentence), size, stride)


def best(rows: Rows, sentence: np.ndarray, begin: np.ndarray, end: np.ndarray, causal: bool) -> np.ndarray:
    """The row from which each stretch of pieces begin .. end - 1 is read; -1 where no row holds it whole.

    Masked: the row in which the stretch is farthest from both edges, by min(pieces to its left, pieces to its
    right). Causal: the row with the longest left context. The earlier row wins a tie.
    """
    offset = begin - rows.start[rows.first[sentence]]
    last = np.minimum(rows.first[sentence] + offset // rows.stride, rows.first[sentence + 1] - 1)
    overlap = -(-rows.size // rows.stride)                          # at most so many rows hold one piece
    row = last[:, None] - np.arange(overlap)[::-1]                  # (stretches, overlap), the earliest first
    row = np.maximum(row, rows.first[sentence][:, None])
    left = begin[:, None] - rows.start[row]
    right = (rows.start + rows.count)[row] - end[:, None]
    score = np.where((left >= 0) & (right >= 0), left if causal else np.minimum(left, right), -1)
    choice = score.argmax(axis=1)[:, None]
    fits = np.take_along_axis(score, choice, axis=1)[:, 0] >= 0
    return np.where(fits, np.take_along_axis(row, choice, axis=1)[:, 0], -1)


def place(units: Units, pieces: Pieces, rows: Rows, *, before: int, causal: bool) -> Places:
    """Rows and columns of all pieces that make up each unit.

    A unit is read whole from its best row. One that no row holds whole (it is longer than the overlap of two
    rows) is read piece by piece, each from that piece's own best row. Special tokens before the text are read
    from the sentence's first row, those behind it from its last. Pieces that cover no character count for no
    word. before: how many special tokens stand before the text.
    """
    length = units.stop - units.start
    unit, piece = np.repeat(np.arange(len(length)), length), ranges(units.start, length)
    visible = (pieces.span[piece, 1] > pieces.span[piece, 0]) | (units.kind[unit] != "word")
    unit, piece = unit[visible], piece[visible]
    sentence, special = units.sentence[unit], units.special[unit]
    row = best(rows, units.sentence, units.start, units.stop, causal)[unit]
    row = np.where(row < 0, best(rows, sentence, piece, piece + 1, causal), row)
    ahead, behind = special < 0, special > 0
    row = np.select([ahead, behind], [rows.first[sentence], rows.first[sentence + 1] - 1], row)
    column = np.select([ahead, behind], [special, rows.count[row] + special - 1], piece - rows.start[row])
    return Places(unit, row, before + column)


def narrow(places: Places, pooling: str) -> Places:
    """Only the first or the last place of each unit, if the pooling asks for it."""
    if pooling not in ("first", "last"):
        return places
    change = np.diff(places.unit) > 0
    kept = np.r_[True, change] if pooling == "first" else np.r_[change, True]
    kept = kept[:len(places.unit)]
    return Places(places.unit[kept], places.row[kept], places.column[kept])


def drop(units: Units, places: Places, dropped: np.ndarray) -> tuple[Units, Places]:
    """Units and places without the units of these numbers; the others are numbered anew."""
    kept = np.ones(len(units.sentence), bool)
    kept[dropped] = False
    here = kept[places.unit]
    number = np.cumsum(kept) - 1
    fewer = Units(*(getattr(units, field.name)[kept] for field in fields(units)))
    return fewer, Places(number[places.unit[here]], places.row[here], places.column[here])
