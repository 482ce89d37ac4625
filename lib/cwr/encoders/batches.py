"""What goes into a model and what comes out; how sentences are grouped and rows run within a token budget."""
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch

from cwr.encoders.pieces import Pieces, ranges
from cwr.encoders.windows import Rows
from cwr.errors import UserError


@dataclass(frozen=True)
class Batch:
    """Vectors of some of the sentences. All units of a sentence stand in one batch, in order of position."""

    hidden: np.ndarray      # (n_layers + 1, units, dim) float32
    sentence: np.ndarray    # (units,) int, index into the sequence given to `encode`
    position: np.ndarray    # (units,) int, index of the word, or of the piece with special tokens counted
    span: np.ndarray        # (units, 2) int, character offsets; (0, 0) for a special token
    kind: np.ndarray        # (units,) str: "word", "word piece" or "special"
    tokens: int             # pieces that the model read for this batch; special tokens counted, padding not


@dataclass(frozen=True)
class Input:
    """Rows as the model reads them, special tokens included; a sentence beyond the window has several."""

    ids: torch.Tensor           # (rows, length) vocabulary ids; of an ELMo (rows, length, width)
    mask: torch.Tensor          # (rows, length) 1 where there is a piece, 0 at padding
    positions: torch.Tensor     # (rows, length) position ids
    sentence: np.ndarray        # (rows,) index of the sentence
    span: np.ndarray            # (rows, length, 2) character offsets; (0, 0) for special tokens and padding
    special: np.ndarray         # (rows, length) bool: a special token around the text (padding is none)
    shift: np.ndarray           # (rows,) column of the first piece: 0, or more with padding on the left


@dataclass(frozen=True)
class Forward:
    """What `Encoder.forward` returns: tensors on the model's device, with gradients if grad is enabled."""

    pieces: Input
    hidden: torch.Tensor                    # (n_layers + 1, rows, length, dim)
    attentions: torch.Tensor | None         # (n_layers, rows, heads, length, length); None if not asked


@dataclass
class Budget:
    """Padded tokens that may be run at once. Shrinks, and stays small, when the device runs out of memory."""

    tokens: int


def fill(pieces: Pieces, rows: Rows, chosen: np.ndarray, around: tuple[list, list], *, pad: int,
         left: bool, first_position: int, device: torch.device) -> Input:
    """The chosen rows, padded to the longest, with special tokens around each.

    around: ids before and behind the text. Positions count from first_position at each row's first piece, on
    whichever side the padding stands; padding has position first_position - 1, or 0 (it is masked, so its
    vector touches nothing).
    """
    before, behind = around
    counts = rows.count[chosen]
    widths = counts + len(before) + len(behind)
    length = int(widths.max())
    shift = length - widths if left else np.zeros_like(widths)
    line, piece = np.repeat(np.arange(len(chosen)), counts), ranges(rows.start[chosen], counts)
    column = ranges(shift + len(before), counts)
    ids = np.full((len(chosen), length, *pieces.ids.shape[1:]), pad)
    span = np.zeros((len(chosen), length, 2), np.int64)
    ids[line, column], span[line, column] = pieces.ids[piece], pieces.span[piece]
    columns = np.arange(length)
    mask = (columns >= shift[:, None]) & (columns < (shift + widths)[:, None])
    special = mask.copy()
    special[line, column] = False
    for place, token in enumerate(before):
        ids[np.arange(len(chosen)), shift + place] = token
    for place, token in enumerate(behind):
        ids[np.arange(len(chosen)), shift + widths - len(behind) + place] = token
    positions = np.maximum(first_position - 1 + mask.cumsum(axis=1) * mask, 0)
    tensors = [torch.as_tensor(array.astype(np.int64), device=device) for array in (ids, mask, positions)]
    return Input(*tensors, rows.sentence[chosen], span, special, shift)


def group(rows: Rows, specials: int, max_tokens: int) -> Iterator[np.ndarray]:
    """Sentences of similar length together, longest first, as many as fit into max_tokens with padding.

    All rows of a sentence stay together; a sentence that does not fit stands alone.
    """
    per_sentence = np.diff(rows.first)
    present = np.flatnonzero(per_sentence)
    width = rows.count[rows.first[present]] + specials       # the first row of a sentence is its longest
    order = np.argsort(-width, kind="stable")
    present, width = present[order], width[order]
    begin, taken = 0, 0
    for here, sentence in enumerate(present):
        taken += per_sentence[sentence]
        if taken * width[begin] > max_tokens and here > begin:
            yield present[begin:here]
            begin, taken = here, per_sentence[sentence]
    if len(present):
        yield present[begin:]


def in_chunks(run: Callable, widths: np.ndarray, budget: Budget) -> Iterator:
    """run(rows) for all rows, longest first, as many at once as the budget allows.

    Out of memory on a GPU: the same rows again in halves, and never again as many at once; one row that is
    too big by itself is refused.
    """
    order = np.argsort(-widths, kind="stable")
    done = 0
    while done < len(order):
        chosen = order[done:done + max(1, budget.tokens // widths[order[done]])]
        try:
            made = run(chosen)
        except torch.cuda.OutOfMemoryError as error:
            if len(chosen) == 1:
                raise UserError(f"one row of {widths[chosen[0]]} tokens does not fit into the memory of the "
                                f"device; use a smaller dtype, a smaller model or device=\"cpu\"") from error
            made = None
        if made is None:                    # outside of `except`: the error no longer holds the tensors
            budget.tokens = int(widths[chosen[0]]) * (len(chosen) // 2)
            torch.cuda.empty_cache()
            continue
        done += len(chosen)
        yield made
