"""Limits attention to k words on each side, in every layer.

Zhao et al. (2020), appendix C, Table 7: while BERT is tuned on tags, "the attention matrix" is
masked where two words are further than k apart. The paper does not say in which layers; the memory
that it names, O(nk), would save nothing in one layer alone, so we mask every layer. After L layers
a word still depends on L k words per side.

Nor does the paper say what special pieces see. By default they are masked by position, as if the
words went on beyond the text. If all words saw them, two layers would connect any two words.

    rows × columns: as in `cwr.encoders.encoder`
"""

from collections.abc import Sequence

import numpy as np
import torch

from cwr.encoders.batches import Input
from cwr.encoders.pieces import SentenceLike
from cwr.errors import UserError


def attention_mask(
    inputs: Input, sentences: Sequence[SentenceLike], k: int, free_specials: bool = False
) -> torch.Tensor:
    """Builds the mask that is added to attention scores: 0 within k words, else the lowest float32.

    inputs: the sentences as the model reads them. k: words per side; with 0 only the pieces of one
    word see each other. free_specials: whether special pieces see all pieces, and all pieces see
    them.
    Returns (rows, 1, length, length), from each column to each. Raises UserError for a negative k.
    """
    if k < 0:
        raise UserError(f"a band of attention has at least 0 words on each side, got {k}")
    device = inputs.mask.device
    numbers = torch.as_tensor(word_numbers(inputs, sentences), device=device)
    distances = (numbers[:, :, None] - numbers[:, None, :]).abs()
    is_near = distances <= k
    if free_specials:
        special = torch.as_tensor(inputs.special, device=device)
        is_near |= special[:, :, None] | special[:, None, :]
    is_seen = is_near & inputs.mask[:, None, :].bool()  # padding is never seen
    mask = torch.zeros(is_seen.shape, device=device)
    return mask.masked_fill(~is_seen, torch.finfo(mask.dtype).min)[:, None]


def word_numbers(inputs: Input, sentences: Sequence[SentenceLike]) -> np.ndarray:
    """Assigns a word number to each column of the input, (rows, length) int.

    A piece belongs to the word of its last character. Special pieces continue the numbers: the
    piece before a row's first word w has w - 1, the pieces behind its last word v have v + 1, v +
    2. The numbers of padding have no meaning.
    """
    numbers = np.zeros(inputs.special.shape, dtype=np.int64)
    columns = np.arange(inputs.special.shape[1])
    is_text = inputs.mask.cpu().numpy().astype(bool) & ~inputs.special
    for row, sentence in enumerate(inputs.sentence):
        starts = [start for start, _ in sentences[sentence].spans]
        last_characters = inputs.span[row, :, 1] - 1
        words = np.searchsorted(starts, last_characters, side="right") - 1
        first, last = np.flatnonzero(is_text[row])[[0, -1]]
        words[:first] = words[first] + columns[:first] - first
        words[last + 1 :] = words[last] + columns[last + 1 :] - last
        numbers[row] = words
    return numbers
