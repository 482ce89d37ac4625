"""Every layer of a model, pooled to words or pieces: what encoders of all families share."""
import functools
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import torch

from cwr.encoders import batches, windows
from cwr.encoders import pooling as pools
from cwr.encoders.batches import Batch, Budget, Forward, Input
from cwr.encoders.pieces import Pieces, Sentence, Units
from cwr.errors import UserError

TOKENISED_AT_ONCE = 4096                            # sentences; bounds the memory that a large corpus takes
MAX_TOKENS = {"cpu": 2048, "cuda": 32768}           # padded tokens run at once, if the caller does not say


class Encoder:
    """A model whose layers can be read. Made by `cwr.encoders.load`; each kind of model has its own class.

    Layer 0 is the uncontextualised input of the first block, layer i the output of block i. `contract` says
    in words what each is.

    name: what it is called in results
    family: "bilstm", "masked", "causal", or "sentence" (tuned for sentences)
    causal: whether a piece sees only what stands before it
    n_layers, dim: number of blocks, width
    window: most pieces in one row, special tokens counted
    contract: the names of the n_layers + 1 layers
    padding: "right" or "left"; may be set, and changes no vector
    model, tokenizer, device: PyTorch's and transformers' own objects; an ELMo's tokenizer is None
    """

    n_layers: int
    dim: int
    window: int
    contract: tuple[str, ...]
    causal: bool
    _around: tuple[list, list] = ([], [])           # special tokens before and behind a text
    _pad: int = 0
    _first_position = 0                             # of a row's first piece
    _first_column = 0                               # of a row: what skip_first_position leaves out

    def __init__(self, model: torch.nn.Module, tokenizer, *, name: str, family: str,
                 sources: Callable[[], dict]):
        self.model, self.tokenizer, self.name, self.family = model, tokenizer, name, family
        self.device = next(model.parameters()).device
        self.padding = "right"
        self._sources = sources

    def _tokenise(self, sentences: Sequence[Sentence]) -> Pieces:
        raise NotImplementedError

    def _units(self, pieces: Pieces, sentences: Sequence[Sentence], unit: str) -> Units:
        """What gets a vector each, of sentences and their pieces."""
        raise NotImplementedError

    def _layers(self, given: Input, attentions: list | None = None) -> list[torch.Tensor]:
        """One forward pass: n_layers + 1 tensors (rows, length, dim).

        attentions: a list to which each block's (rows, heads, length, length) is added.
        """
        raise NotImplementedError

    @property
    def vocabulary(self) -> list[str]:
        """The token of each row of `embedding_matrix`; "" for a row that the tokenizer does not use."""
        raise NotImplementedError

    def embedding_matrix(self) -> np.ndarray:
        """(vocabulary, dim) float32, a copy: the token embeddings alone (layer 0 may add positions)."""
        raise NotImplementedError

    @property
    def _specials(self) -> int:
        return sum(map(len, self._around))

    @property
    def _room(self) -> int:
        return self.window - self._specials

    @functools.cached_property
    def fingerprint(self) -> str:
        """sha256 over everything here that decides numbers, but not over where the files lie.

        Weights, tokenizer, configuration, dtype, kind of device, contract, library versions, and of a
        transformer the final norm.
        """
        return hashlib.sha256(json.dumps(self._sources(), sort_keys=True).encode()).hexdigest()

    def encode(self, sentences: Sequence[Sentence], unit: str = "word", pooling: str = "mean",
               skip_first_position: bool = False, max_tokens: int | None = None) -> Iterator[Batch]:
        """Vectors of every layer, in batches of sentences of similar length, so not in the given order.

        unit: "word" pools the pieces that overlap a word by at least one character, in the raw vectors;
            "piece" gives every piece, special tokens included. Words without a piece yield no unit,
            sentences without one nothing. A model without pieces reads the words themselves.
        pooling: "mean", "first", "last", "min" or "max" over the pieces of a word.
        skip_first_position: leave out units that contain the first position the model reads: a start token if
            it has one, else the first piece (whose vector is huge in many causal models); of an ELMo the
            first word.
        max_tokens: padded tokens run at once (2,048 on a CPU, more on a GPU); halved when a GPU runs out of
            memory.

        A sentence beyond the window is run in rows that overlap by half, and each word is read from one of
        them (`windows`). Refuses an unknown unit or pooling, pieces of a model without them, and a row that
        does not fit into memory by itself.
        """
        if unit not in ("word", "piece") or pooling not in pools.POOLINGS:
            raise UserError(f"encode was asked for unit={unit!r} and pooling={pooling!r}; unit is \"word\" "
                            f"or \"piece\", pooling one of {', '.join(pools.POOLINGS)}")
        if unit == "piece" and self.tokenizer is None:
            raise UserError(f"{self.name} reads words by their characters and has no pieces; use "
                            f"unit=\"word\"")
        if max_tokens is None:
            max_tokens = MAX_TOKENS.get(self.device.type, MAX_TOKENS["cpu"])
        if max_tokens < 1:
            raise UserError(f"encode was given max_tokens={max_tokens}; give at least 1, or nothing at all")
        budget = Budget(max_tokens)
        return self._batches(sentences, unit, pooling, skip_first_position, budget)

    def _batches(self, sentences, unit, pooling, skip_first, budget: Budget) -> Iterator[Batch]:
        for begin in range(0, len(sentences), TOKENISED_AT_ONCE):
            block = sentences[begin:begin + TOKENISED_AT_ONCE]
            pieces = self._tokenise(block)
            rows = windows.cut(pieces, self._room)
            for chosen in batches.group(rows, self._specials, budget.tokens):
                taken = pieces.take(chosen)
                units = self._units(taken, [block[number] for number in chosen], unit)
                batch = self._encode(taken, units, pooling, skip_first, budget)
                if len(batch.sentence):
                    yield replace(batch, sentence=begin + chosen[batch.sentence])

    def _encode(self, pieces: Pieces, units: Units, pooling: str, skip_first: bool, budget: Budget) -> Batch:
        """The vectors of one batch of sentences; its `sentence` counts within the batch."""
        rows = windows.cut(pieces, self._room)
        places = windows.place(units, pieces, rows, before=len(self._around[0]), causal=self.causal)
        if skip_first:
            units, places = windows.drop(units, places, places.unit[places.column == self._first_column])
        places = windows.narrow(places, pooling)

        def run(chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            """The part of `pools.gather` for some rows: the distinct units with pieces there, (layers, units, dim)."""
            line = np.full(len(rows.start), -1)
            line[chosen] = np.arange(len(chosen))
            here = line[places.row] >= 0
            with torch.inference_mode():
                given = self._fill(pieces, rows, chosen)
                at = line[places.row[here]]
                where = at * given.mask.shape[1] + given.shift[at] + places.column[here]
                return pools.gather(self._layers(given), places.unit[here], where, pooling)

        used = np.unique(places.row)                                # rows without a unit need not be run
        if len(used):
            parts = batches.in_chunks(lambda part: run(used[part]), rows.count[used] + self._specials, budget)
            hidden = pools.merge(parts, np.bincount(places.unit), pooling)
        else:
            hidden = np.empty((self.n_layers + 1, 0, self.dim), np.float32)
        tokens = int((rows.count[used] + self._specials).sum())
        return Batch(hidden, units.sentence, units.position, units.span, units.kind, tokens)

    def forward(self, batch: Sequence[Sentence], attentions: bool = False) -> Forward:
        """All hidden states of these sentences, and attentions if asked; with gradients if grad is enabled.

        A sentence beyond the window gives several rows (`pieces.sentence`); one without pieces gives none.
        Attentions need transformers' plain ("eager") attention, which is slower and is used only then; an
        ELMo, which has none, refuses.
        """
        pieces = self._tokenise(batch)
        rows = windows.cut(pieces, self._room)
        if not len(rows.start):
            raise UserError("none of the sentences given to forward has a piece; give at least one with text")
        given = self._fill(pieces, rows, np.arange(len(rows.start)))
        if not attentions:
            return Forward(given, torch.stack(self._layers(given)), None)
        weights: list[torch.Tensor] = []
        return Forward(given, torch.stack(self._layers(given, weights)), torch.stack(weights))

    def _fill(self, pieces: Pieces, rows: windows.Rows, chosen: np.ndarray) -> Input:
        return batches.fill(pieces, rows, chosen, self._around, pad=self._pad, left=self.padding == "left",
                            first_position=self._first_position, device=self.device)

