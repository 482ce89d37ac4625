"""Defines the base of all encoders, which pool every layer of a model to words or pieces.

A text has four index spaces. The example is "The bank, unbelievably", read by a model with a window
of six tokens and a special token at either end:

    word            0 The         1 bank        2 ,           3 unbelievably
    piece           0 The         1 bank        2 ,           3 un   4 ##believ   5 ##ably

    row × column    column 0      1             2             3      4            5
    row 0           [CLS]         The           bank          ,      un           [SEP]
    row 1           [CLS]         ,             un            ##believ   ##ably   [SEP]

- sentence: index into the sequence that the caller gave; its words are its `spans`.
- piece: index into `Pieces`, all sentences end to end, special tokens left out (`pieces.py`).
- row × column: the pieces that the model reads at once, with special tokens; a sentence longer than
  the window has several rows that overlap by half. One such place is a cell (`windows.py`).
- unit: a word or piece that gets one vector. With unit="word", "unbelievably" is unit 3: pieces 3
  to 5 are read from row 1, columns 2 to 4, and pooled. "," is unit 2; it is read from row 0, where
  it is farther from the edges.

Axes of arrays: layers (n_layers + 1), rows, length (columns), dim, units.
"""

import functools
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import torch

from cwr.encoders import inputs
from cwr.encoders.batches import (
    Batch,
    Forward,
    Input,
    Reading,
    TokenBudget,
    fill,
    group_by_length,
    in_chunks,
)
from cwr.encoders.pieces import TOKENISED_AT_ONCE, Pieces, SentenceLike, Units
from cwr.encoders.pooling import POOLINGS, Pooled, gather, merge
from cwr.encoders.windows import Cells, cut_rows, keep_first_or_last, locate, without
from cwr.errors import UserError

MAX_TOKENS = {"cpu": 2048, "cuda": 32768}  # padded tokens run at once, if the caller does not say


class Encoder:
    """A model whose layers can be read, opened by `cwr.encoders.load`; each kind has a subclass.

    Layer 0 is the uncontextualised input of the first block, layer i the output of block i.

    name: the model's name in results
    family: "bilstm", "masked", "causal", or "sentence" (tuned for sentences)
    causal: whether a piece sees only the pieces before it
    n_layers, dim: number of blocks, width
    window: the most pieces in one row, special tokens counted
    contract: a description of each of the n_layers + 1 layers
    padding: "right" or "left"; may be set, and changes no vector
    word_input: how words become pieces, one of `inputs.INPUTS`; `inputs.with_input` changes it
    model, tokenizer, device: PyTorch's and transformers' objects; an ELMo's tokenizer is None
    """

    n_layers: int
    dim: int
    window: int
    contract: tuple[str, ...]
    causal: bool
    word_input: str = inputs.OFFSETS
    _around: tuple[list, list] = ([], [])  # special tokens before and behind a text
    _pad: int = 0
    _first_position = 0  # of a row's first piece
    _first_column = 0  # of a row: what skip_first_position leaves out

    def __init__(
        self,
        model: torch.nn.Module,
        tokenizer,
        *,
        name: str,
        family: str,
        sources: Callable[[], dict],
    ):
        """sources: returns the parts of `fingerprint`; called late, as it reads whole files."""
        self.model, self.tokenizer, self.name, self.family = model, tokenizer, name, family
        self.device = next(model.parameters()).device
        self.padding = "right"
        self._sources = sources

    def tokenise(self, sentences: Sequence[SentenceLike]) -> Pieces:
        """Returns the pieces of these sentences end to end, without special tokens or truncation.

        Raises UserError for a tokenizer with tokens that the model does not have.
        """
        raise NotImplementedError

    def _units(self, pieces: Pieces, sentences: Sequence[SentenceLike], unit: str) -> Units:
        """Returns the units of these sentences, whose pieces are given."""
        raise NotImplementedError

    def _layers(self, inputs: Input, attentions: list | None = None) -> list[torch.Tensor]:
        """Computes n_layers + 1 tensors (rows, length, dim) by one forward pass.

        attentions: a list to which each block's weights (rows, heads, length, length) are added.
        Raises UserError for attentions of a model without any.
        """
        raise NotImplementedError

    @property
    def vocabulary(self) -> list[str]:
        """The token of each row of `embedding_matrix`; "" for a row without a token.

        Raises UserError for a model that reads words by their characters.
        """
        raise NotImplementedError

    def embedding_matrix(self) -> np.ndarray:
        """Returns a copy of the token embeddings, without positions, (vocabulary, dim) float32.

        Raises UserError for a model that reads words by their characters.
        """
        raise NotImplementedError

    @property
    def _specials(self) -> int:
        return len(self._around[0]) + len(self._around[1])

    @property
    def _room(self) -> int:
        """The most pieces of a text in one row."""
        return self.window - self._specials

    @functools.cached_property
    def fingerprint(self) -> str:
        """The sha256 over all that decides the model's numbers, independent of the files' folder.

        It covers weights, tokenizer, configuration, dtype, kind of device, contract, input, library
        versions, and a transformer's final norm.
        """
        sources = self._sources() | {"input": self.word_input}
        return hashlib.sha256(json.dumps(sources, sort_keys=True).encode()).hexdigest()

    def encode(
        self,
        sentences: Sequence[SentenceLike],
        unit: str = "word",
        pooling: str = "mean",
        skip_first_position: bool = False,
        max_tokens: int | None = None,
        on_device: bool = False,
    ) -> Iterator[Batch]:
        """Yields vectors of every layer, in batches of sentences of similar length, reordered.

        unit: "word" pools the raw vectors of the pieces that overlap a word by at least one
            character; "piece" gives every piece, special tokens included. Words without a piece
            yield no unit, sentences without a unit nothing. A model without pieces reads the
            words themselves.
        pooling: "mean", "first", "last", "min" or "max" over the pieces of a word.
        skip_first_position: leaves out units with the first position that the model reads: a start
            token if it has one, else the first piece (whose vector is huge in many causal models);
            for an ELMo the first word.
        max_tokens: padded tokens run at once (2,048 on a CPU, 32,768 on a GPU); reduced when a GPU
            runs out of memory.
        on_device: leaves vectors on the model's device, as PyTorch tensors without gradients. The
            vectors of a batch that takes several runs go to the host, to spare a GPU's memory.

        A sentence longer than the window is run in rows that overlap by half, and each word is read
        from one row (`windows`). Raises UserError for an unknown unit or pooling, pieces of a model
        without them, max_tokens below 1, and a single row that does not fit into memory.
        """
        if unit not in ("word", "piece") or pooling not in POOLINGS:
            raise UserError(
                f"encode was asked for unit={unit!r} and pooling={pooling!r}; unit is "
                f'"word" or "piece", pooling one of {", ".join(POOLINGS)}'
            )
        if unit == "piece" and self.tokenizer is None:
            raise UserError(
                f'{self.name} reads words by their characters and has no pieces; use unit="word"'
            )
        budget = self._budget(max_tokens)
        return self._encode(sentences, unit, pooling, skip_first_position, budget, on_device)

    def batches(
        self, sentences: Sequence[SentenceLike], max_tokens: int | None = None
    ) -> Iterator[Reading]:
        """Yields the batches that `encode` makes of these sentences, without running the model.

        Sentences of similar length are together; sentences without pieces are left out. max_tokens
        as in `encode`. Raises UserError for max_tokens below 1.
        """
        return self._batches(sentences, self._budget(max_tokens))

    def input(self, batch: Reading) -> Input:
        """Returns all rows of a batch as the model reads them, on the model's device."""
        return self._fill(batch, np.arange(len(batch.rows.start)))

    def forward(self, batch: Sequence[SentenceLike], attentions: bool = False) -> Forward:
        """Computes hidden states of sentences, with gradients if enabled; attentions on request.

        A sentence longer than the window has several rows (`Forward.pieces.sentence`), a sentence
        without pieces has none. Attentions need transformers' plain ("eager") attention, which is
        slower and is used only then. Raises UserError if no sentence has a piece, and for the
        attentions of an ELMo.
        """
        pieces = self.tokenise(batch)
        reading = Reading(np.arange(len(batch)), pieces, cut_rows(pieces, self._room))
        if not len(reading.rows.start):
            raise UserError(
                "none of the sentences given to forward has a piece; give at least one with text"
            )
        inputs = self.input(reading)
        if not attentions:
            return Forward(inputs, torch.stack(self._layers(inputs)), None)
        weights: list[torch.Tensor] = []
        hidden = torch.stack(self._layers(inputs, weights))
        return Forward(inputs, hidden, torch.stack(weights))

    def _budget(self, max_tokens: int | None) -> TokenBudget:
        """Returns the budget of one call. Raises UserError for max_tokens below 1."""
        if max_tokens is None:
            max_tokens = MAX_TOKENS.get(self.device.type, MAX_TOKENS["cpu"])
        if max_tokens < 1:
            raise UserError(
                f"encode was given max_tokens={max_tokens}; give at least 1, or nothing at all"
            )
        return TokenBudget(max_tokens)

    def _batches(self, sentences: Sequence[SentenceLike], budget: TokenBudget) -> Iterator[Reading]:
        for begin in range(0, len(sentences), TOKENISED_AT_ONCE):
            pieces = self.tokenise(sentences[begin : begin + TOKENISED_AT_ONCE])
            rows = cut_rows(pieces, self._room)
            for numbers in group_by_length(rows, self._specials, budget.tokens):
                read = pieces.take(numbers)
                yield Reading(begin + numbers, read, cut_rows(read, self._room))

    def _encode(
        self,
        sentences: Sequence[SentenceLike],
        unit: str,
        pooling: str,
        skip_first: bool,
        budget: TokenBudget,
        on_device: bool,
    ) -> Iterator[Batch]:
        for reading in self._batches(sentences, budget):
            together = [sentences[number] for number in reading.sentences]
            units = self._units(reading.pieces, together, unit)
            batch = self._vectors(reading, units, pooling, skip_first, budget, on_device)
            if len(batch.sentence):
                yield replace(batch, sentence=reading.sentences[batch.sentence])

    def _vectors(
        self,
        reading: Reading,
        units: Units,
        pooling: str,
        skip_first: bool,
        budget: TokenBudget,
        on_device: bool,
    ) -> Batch:
        """Computes the vectors of a batch; `Batch.sentence` counts within the batch."""
        rows = reading.rows
        cells = locate(units, reading.pieces, rows, before=len(self._around[0]), causal=self.causal)
        if skip_first:
            skipped = cells.unit[cells.column == self._first_column]
            units, cells = without(units, cells, skipped)
        cells = keep_first_or_last(cells, pooling)
        used = np.unique(cells.row)  # rows without a unit need not be run
        widths = rows.count[used] + self._specials

        def run(chunk: np.ndarray) -> Pooled:
            is_whole = len(chunk) == len(used)
            to = self.device if on_device and is_whole else torch.device("cpu")
            return self._gather(reading, cells, used[chunk], pooling, to)

        if len(used):
            layers = merge(in_chunks(run, widths, budget), np.bincount(cells.unit), pooling)
        else:
            layers = [torch.empty(0, self.dim)] * (self.n_layers + 1)
        hidden = layers if on_device else torch.stack(layers).numpy()
        tokens = int(widths.sum())
        return Batch(hidden, units.sentence, units.position, units.span, units.kind, tokens)

    def _gather(
        self,
        reading: Reading,
        cells: Cells,
        numbers: np.ndarray,
        pooling: str,
        to: torch.device,
    ) -> Pooled:
        """Runs the rows with these numbers, (chunk,); applies `pooling.gather` to their cells."""
        line = np.full(len(reading.rows.start), -1)  # of each row: its number in the chunk
        line[numbers] = np.arange(len(numbers))
        inside = line[cells.row] >= 0
        row = line[cells.row[inside]]
        with torch.inference_mode():
            inputs = self._fill(reading, numbers)
            cell = row * inputs.mask.shape[1] + inputs.shift[row] + cells.column[inside]
            return gather(self._layers(inputs), cells.unit[inside], cell, pooling, to)

    def _fill(self, reading: Reading, numbers: np.ndarray) -> Input:
        """Returns the rows with these numbers, (selected rows,), as the model reads them."""
        return fill(
            reading.pieces,
            reading.rows,
            numbers,
            self._around,
            pad=self._pad,
            left=self.padding == "left",
            first_position=self._first_position,
            device=self.device,
        )
