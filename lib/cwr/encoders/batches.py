"""Defines a model's inputs and outputs, and groups sentences within a token budget.

Axes: layers (n_layers + 1), units, dim; rows, length (the columns of a row); sentences. The picture
in `encoder.py` shows how they are related.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import torch

from cwr.encoders.pieces import Pieces, concatenated_ranges
from cwr.encoders.windows import Rows
from cwr.errors import UserError

T = TypeVar("T")


@dataclass(frozen=True)
class Batch:
    """The vectors of some sentences; a batch has all units of each of its sentences, in order.

    hidden: (n_layers + 1, units, dim) float32; with on_device a list of tensors (units, dim), one
        for each layer
    sentence: (units,) int, index into the sequence given to `encode`
    position: (units,) int, index of the word or piece (special tokens counted)
    span: (units, 2) int, character offsets; (0, 0) for a special token
    kind: (units,) str, "word", "word piece" or "special"
    tokens: the number of pieces that the model read, with special tokens, without padding
    """

    hidden: np.ndarray | list[torch.Tensor]
    sentence: np.ndarray
    position: np.ndarray
    span: np.ndarray
    kind: np.ndarray
    tokens: int


@dataclass(frozen=True)
class Reading:
    """Sentences that the model reads together, with their pieces and rows."""

    sentences: np.ndarray  # (sentences,) indices into the sequence given to `Encoder.batches`
    pieces: Pieces  # of these sentences alone, in this order
    rows: Rows


@dataclass(frozen=True)
class Input:
    """The rows that the model reads, special tokens included.

    A sentence longer than the window has several rows.
    """

    ids: torch.Tensor  # (rows, length) vocabulary ids; of an ELMo (rows, length, width)
    mask: torch.Tensor  # (rows, length) 1 where there is a piece, 0 at padding
    positions: torch.Tensor  # (rows, length) position ids
    sentence: np.ndarray  # (rows,) index of the sentence
    span: np.ndarray  # (rows, length, 2) character offsets; (0, 0) if special or padding
    special: np.ndarray  # (rows, length) bool: a special token (padding is none)
    shift: np.ndarray  # (rows,) column of the first piece: above 0 if padded on the left


@dataclass(frozen=True)
class Forward:
    """The result of `Encoder.forward`: tensors on the model's device, with gradients if enabled."""

    pieces: Input
    hidden: torch.Tensor  # (n_layers + 1, rows, length, dim)
    attentions: torch.Tensor | None  # (n_layers, rows, heads, length, length), on request


@dataclass
class TokenBudget:
    """The number of padded tokens per run. It shrinks for good when the device is out of memory."""

    tokens: int


def fill(
    pieces: Pieces,
    rows: Rows,
    numbers: np.ndarray,
    around: tuple[list, list],
    *,
    pad: int,
    left: bool,
    first_position: int,
    device: torch.device,
) -> Input:
    """Builds the model's input from the rows with these numbers, padded, with special tokens.

    numbers: (selected rows,), at least one. around: ids before and behind the text. pad: id of
    padding; left: whether padding stands on the left. Positions count from first_position at each
    row's first piece; padding is masked and has position first_position - 1, at least 0.
    """
    before, behind = around
    counts = rows.count[numbers]
    widths = counts + len(before) + len(behind)
    length = int(widths.max())
    shift = length - widths if left else np.zeros_like(widths)
    row, piece = (
        np.repeat(np.arange(len(numbers)), counts),
        concatenated_ranges(rows.start[numbers], counts),
    )
    column = concatenated_ranges(shift + len(before), counts)
    ids = np.full((len(numbers), length, *pieces.ids.shape[1:]), pad)
    span = np.zeros((len(numbers), length, 2), np.int64)
    ids[row, column], span[row, column] = pieces.ids[piece], pieces.span[piece]
    columns = np.arange(length)
    mask = (columns >= shift[:, None]) & (columns < (shift + widths)[:, None])
    special = mask.copy()
    special[row, column] = False
    every_row = np.arange(len(numbers))
    for offset, token in enumerate(before):
        ids[every_row, shift + offset] = token
    for offset, token in enumerate(behind):
        ids[every_row, shift + len(before) + counts + offset] = token
    positions = np.maximum(first_position - 1 + mask.cumsum(axis=1) * mask, 0)
    arrays = (ids, mask, positions)
    tensors = [torch.as_tensor(array.astype(np.int64), device=device) for array in arrays]
    return Input(*tensors, rows.sentence[numbers], span, special, shift)


def group_by_length(rows: Rows, specials: int, max_tokens: int) -> Iterator[np.ndarray]:
    """Groups sentences of similar length, longest first, as many as fit into max_tokens.

    specials: special tokens around each row; max_tokens counts padding. Yields indices of
    sentences, (group,). All rows of a sentence stay together; a sentence that does not fit is a
    group alone; sentences without rows are left out.
    """
    per_sentence = np.diff(rows.first)
    present = np.flatnonzero(per_sentence)
    width = rows.count[rows.first[present]] + specials  # a sentence's first row is its longest
    order = np.argsort(-width, kind="stable")
    present, width = present[order], width[order]
    begin, n_rows = 0, 0
    for number, sentence in enumerate(present):
        n_rows += per_sentence[sentence]
        if n_rows * width[begin] > max_tokens and number > begin:
            yield present[begin:number]
            begin, n_rows = number, per_sentence[sentence]
    if len(present):
        yield present[begin:]


def in_chunks(
    run: Callable[[np.ndarray], T], widths: np.ndarray, budget: TokenBudget
) -> Iterator[T]:
    """Yields run(rows) for all rows, longest first, as many at once as the budget allows.

    widths: (rows,) tokens of each row. run: gets indices into widths. If a GPU is out of memory,
    the rows are run in halves, and the budget stays reduced.
    Raises UserError for a single row that does not fit into memory.
    """
    order = np.argsort(-widths, kind="stable")
    done = 0
    while done < len(order):
        widest = int(widths[order[done]])
        chunk = order[done : done + max(1, budget.tokens // widest)]
        result = _none_if_out_of_memory(run, chunk, widest)
        if result is None:
            budget.tokens = widest * (len(chunk) // 2)
            torch.cuda.empty_cache()
        else:
            done += len(chunk)
            yield result


def _none_if_out_of_memory(
    run: Callable[[np.ndarray], T], chunk: np.ndarray, widest: int
) -> T | None:
    """Returns run(chunk), or None if memory runs out; the error, which holds tensors, is released.

    chunk: (rows,) indices; widest: tokens of the longest row. Raises UserError if a single row does
        not fit.
    """
    try:
        return run(chunk)
    except torch.cuda.OutOfMemoryError as error:
        if len(chunk) == 1:
            raise UserError(
                f"one row of {widest} tokens does not fit into the device's memory; "
                'use a smaller dtype, a smaller model or device="cpu"'
            ) from error
        return None
