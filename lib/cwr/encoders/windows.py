"""Cuts sentences longer than a model's window into overlapping rows, and chooses each word's row.

NumPy only. Axes: rows (pieces that the model reads at once), cells (places of vectors, a row and a
column), units, sentences; the picture in `encoder.py` shows how they are related.
"""

from dataclasses import dataclass, fields

import numpy as np

from cwr.encoders.pieces import Pieces, Units, concatenated_ranges, starts


@dataclass(frozen=True)
class Rows:
    """The rows of all sentences: ranges of pieces that are read at once, without special tokens."""

    sentence: np.ndarray  # (rows,) index of the sentence
    start: np.ndarray  # (rows,) first piece, as an index into Pieces
    count: np.ndarray  # (rows,) number of pieces
    first: np.ndarray  # (sentences + 1,): rows first[i] .. first[i + 1] - 1 are sentence i's
    size: int  # most pieces that a row can hold
    stride: int  # pieces from the start of a row to the start of its sentence's next row


@dataclass(frozen=True)
class Cells:
    """The places of units' vectors in the rows, ordered by unit; columns count special tokens."""

    unit: np.ndarray  # (cells,)
    row: np.ndarray  # (cells,)
    column: np.ndarray  # (cells,)


def cut_rows(pieces: Pieces, size: int) -> Rows:
    """Cuts sentences into rows of at most `size` pieces, a new row every half `size`.

    The last row of a long sentence ends with the sentence and may be shorter. A sentence without
    pieces has no row.
    """
    stride = max(size // 2, 1)
    excess = np.maximum(pieces.lengths - size, 0)
    per_sentence = np.where(pieces.lengths > 0, 1 + -(-excess // stride), 0)
    sentence = np.repeat(np.arange(len(per_sentence)), per_sentence)
    offset = concatenated_ranges(np.zeros(len(per_sentence), np.int64), per_sentence) * stride
    count = np.minimum(pieces.lengths[sentence] - offset, size)
    start = pieces.first[sentence] + offset
    return Rows(sentence, start, count, starts(per_sentence), size, stride)


def best_row(
    rows: Rows, sentence: np.ndarray, begin: np.ndarray, end: np.ndarray, causal: bool
) -> np.ndarray:
    """Chooses the row from which each range of pieces, begin to end - 1, is read.

    Masked: the row with the largest min(pieces to the left, pieces to the right). Causal: the row
    with the longest left context. The earlier row wins a tie.

    sentence, begin, end: (ranges,). Returns (ranges,), -1 where no row has the whole range.
    """
    first_row, last_row = rows.first[sentence], rows.first[sentence + 1] - 1
    offset = begin - rows.start[first_row]
    latest = np.minimum(first_row + offset // rows.stride, last_row)
    overlap = -(-rows.size // rows.stride)  # at most so many rows hold one piece
    row = latest[:, None] - np.arange(overlap)[::-1]  # (stretches, overlap), earliest first
    row = np.maximum(row, first_row[:, None])
    left = begin[:, None] - rows.start[row]
    right = (rows.start + rows.count)[row] - end[:, None]
    context = left if causal else np.minimum(left, right)
    score = np.where((left >= 0) & (right >= 0), context, -1)
    choice = score.argmax(axis=1)[:, None]
    fits = np.take_along_axis(score, choice, axis=1)[:, 0] >= 0
    return np.where(fits, np.take_along_axis(row, choice, axis=1)[:, 0], -1)


def locate(units: Units, pieces: Pieces, rows: Rows, *, before: int, causal: bool) -> Cells:
    """Finds the cells of all pieces of each unit.

    All pieces of a unit are read from the unit's best row. If no row has the whole unit (as it is
    longer than the overlap of two rows), each piece is read from its own best row. Special tokens
    before the text are read from the sentence's first row, special tokens behind the text from its
    last row. Pieces without a character are left out of words. before: the number of special tokens
    before the text.
    """
    length = units.stop - units.start
    unit = np.repeat(np.arange(len(length)), length)
    piece = concatenated_ranges(units.start, length)
    visible = (pieces.span[piece, 1] > pieces.span[piece, 0]) | (units.kind[unit] != "word")
    unit, piece = unit[visible], piece[visible]
    sentence, special = units.sentence[unit], units.special[unit]
    row_of_unit = best_row(rows, units.sentence, units.start, units.stop, causal)[unit]
    row_of_piece = best_row(rows, sentence, piece, piece + 1, causal)
    row = np.where(row_of_unit < 0, row_of_piece, row_of_unit)
    ahead, behind = special < 0, special > 0
    row = np.select([ahead, behind], [rows.first[sentence], rows.first[sentence + 1] - 1], row)
    column = np.select(
        [ahead, behind], [special, rows.count[row] + special - 1], piece - rows.start[row]
    )
    return Cells(unit, row, before + column)


def keep_first_or_last(cells: Cells, pooling: str) -> Cells:
    """Keeps each unit's first or last cell for the poolings "first" and "last"; else all cells."""
    if pooling not in ("first", "last"):
        return cells
    change = np.diff(cells.unit) > 0
    edge = np.r_[True, change] if pooling == "first" else np.r_[change, True]
    edge = edge[: len(cells.unit)]
    return Cells(cells.unit[edge], cells.row[edge], cells.column[edge])


def without(units: Units, cells: Cells, dropped: np.ndarray) -> tuple[Units, Cells]:
    """Removes the units with these numbers from units and cells; renumbers the others.

    dropped: (any,) numbers of units, in any order, repetitions allowed.
    """
    stays = np.ones(len(units.sentence), bool)
    stays[dropped] = False
    fewer = Units(*(getattr(units, field.name)[stays] for field in fields(units)))
    cell_stays = stays[cells.unit]
    number = np.cumsum(stays) - 1
    unit = number[cells.unit[cell_stays]]
    return fewer, Cells(unit, cells.row[cell_stays], cells.column[cell_stays])
