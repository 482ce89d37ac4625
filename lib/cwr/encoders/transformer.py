"""Every layer of a transformer, pooled to words or pieces."""
import functools
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import torch

from cwr.encoders import architectures, batches, windows
from cwr.encoders import pooling as pools
from cwr.encoders.architectures import Architecture
from cwr.encoders.batches import Batch, Budget, Forward, Input
from cwr.encoders.pieces import Pieces, Sentence, Units, single, specials, tokenise, words
from cwr.errors import UserError

TOKENISED_AT_ONCE = 4096                            # sentences; bounds the memory that a large corpus takes
MAX_TOKENS = {"cpu": 2048, "cuda": 32768}           # padded tokens run at once, if the caller does not say
SANE_LIMIT = 10 ** 9                                # a tokenizer without a limit claims 10 ** 30


class Encoder:
    """A transformer whose layers can be read. Made by `cwr.encoders.load`.

    Layer 0 is the input of the first block, layer i the output of block i; the last one after the model's
    final norm, if it has one and final_norm is set. `contract` says so in words. The layers are read by hooks
    on the blocks, so they do not depend on what a version of transformers puts into `hidden_states` (5.23
    puts the vectors after the final norm last, for every supported type; the tests compare).

    name: what it is called in results
    family: "masked", "causal", or "sentence" (tuned for sentences)
    causal: whether a piece sees only what stands before it
    n_layers, dim: number of blocks, width
    window: most pieces in one row, special tokens counted
    contract: the names of the n_layers + 1 layers
    padding: "right" or "left"; may be set, and changes no vector
    model, tokenizer, device: transformers' and torch's own objects
    """

    def __init__(self, model, tokenizer, row: Architecture, *, name: str, family: str, final_norm: bool,
                 sources: Callable[[], dict]):
        self.model, self.tokenizer, self.name, self.family = model, tokenizer, name, family
        self.device = next(model.parameters()).device
        self.causal = row.family == "causal"
        self.padding = "right"
        self._blocks = model.get_submodule(row.blocks)
        self._norm = model.get_submodule(row.final_norm) if row.final_norm and final_norm else None
        self.n_layers, self.dim = len(self._blocks), model.config.hidden_size
        self.contract = architectures.contract(row, self.n_layers, final_norm)
        self._around = specials(tokenizer, name)
        self._first_position = model.config.pad_token_id + 1 if row.positions_follow_padding else 0
        limits = [model.config.max_position_embeddings - self._first_position, tokenizer.model_max_length]
        self.window = min(limit for limit in limits if limit < SANE_LIMIT)
        if self._room < 1:
            raise UserError(f"the window of {name} ({self.window} pieces) has no room for text beside its "
                            f"special tokens; check max_position_embeddings and model_max_length there")
        self._sources = lambda: sources() | {"final_norm": final_norm, "contract": self.contract}

    @property
    def _specials(self) -> int:
        return sum(map(len, self._around))

    @property
    def _room(self) -> int:
        return self.window - self._specials

    @functools.cached_property
    def fingerprint(self) -> str:
        """sha256 over everything here that decides numbers, but not over where the files lie.

        Weights, tokenizer, configuration, dtype, kind of device, final norm, contract, library versions.
        """
        return hashlib.sha256(json.dumps(self._sources(), sort_keys=True).encode()).hexdigest()

    @functools.cached_property
    def vocabulary(self) -> list[str]:
        """The token of each row of `embedding_matrix`; "" for a row that the tokenizer does not use."""
        tokens = [""] * self.model.get_input_embeddings().num_embeddings
        for token, number in self.tokenizer.get_vocab().items():
            if number < len(tokens):
                tokens[number] = token
        return tokens

    def embedding_matrix(self) -> np.ndarray:
        """(vocabulary, dim) float32, a copy: the token embeddings alone (layer 0 may add positions)."""
        return self.model.get_input_embeddings().weight.detach().float().cpu().numpy().copy()

    def encode(self, sentences: Sequence[Sentence], unit: str = "word", pooling: str = "mean",
               skip_first_position: bool = False, max_tokens: int | None = None) -> Iterator[Batch]:
        """Vectors of every layer, in batches of sentences of similar length, so not in the given order.

        unit: "word" pools the pieces that overlap a word by at least one character, in the raw vectors;
            "piece" gives every piece, special tokens included. Words without a piece yield no unit,
            sentences without one nothing.
        pooling: "mean", "first", "last", "min" or "max" over the pieces of a word.
        skip_first_position: leave out units that contain the first position the model reads: a start token if
            it has one, else the first piece (whose vector is huge in many causal models).
        max_tokens: padded tokens run at once (2,048 on a CPU, more on a GPU); halved when a GPU runs out of
            memory.

        A sentence beyond the window is run in rows that overlap by half, and each word is read from one of
        them (`windows`). Refuses an unknown unit or pooling, and a row that does not fit into memory by
        itself.
        """
        if unit not in ("word", "piece") or pooling not in pools.POOLINGS:
            raise UserError(f"encode was asked for unit={unit!r} and pooling={pooling!r}; unit is \"word\" "
                            f"or \"piece\", pooling one of {', '.join(pools.POOLINGS)}")
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
                if unit == "word":
                    units = words(taken, [block[number].spans for number in chosen])
                else:
                    units = single(taken, *map(len, self._around))
                batch = self._encode(taken, units, pooling, skip_first, budget)
                if len(batch.sentence):
                    yield replace(batch, sentence=begin + chosen[batch.sentence])

    def _tokenise(self, sentences: Sequence[Sentence]) -> Pieces:
        pieces = tokenise(self.tokenizer, [sentence.text for sentence in sentences])
        known = self.model.get_input_embeddings().num_embeddings
        if pieces.ids.max(initial=0) >= known:
            raise UserError(f"the tokenizer of {self.name} gives the id {pieces.ids.max()} but the model has "
                            f"only {known} tokens; the folder mixes two models, get a consistent copy")
        return pieces

    def _encode(self, pieces: Pieces, units: Units, pooling: str, skip_first: bool, budget: Budget) -> Batch:
        """The vectors of one batch of sentences; its `sentence` counts within the batch."""
        rows = windows.cut(pieces, self._room)
        places = windows.place(units, pieces, rows, before=len(self._around[0]), causal=self.causal)
        if skip_first:
            units, places = windows.drop(units, places, places.unit[places.column == 0])
        places = windows.narrow(places, pooling)

        def run(chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            """The part of `pools.gather` for some rows: the distinct units with pieces there, (layers, units, dim)."""
            line = np.full(len(rows.start), -1)
            line[chosen] = np.arange(len(chosen))
            here = line[places.row] >= 0
            with torch.inference_mode():
                given = self._fill(pieces, rows, chosen)
                at = line[places.row[here]]
                where = at * given.ids.shape[1] + given.shift[at] + places.column[here]
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
        Attentions need transformers' plain ("eager") attention, which is slower and is used only then.
        """
        pieces = self._tokenise(batch)
        rows = windows.cut(pieces, self._room)
        if not len(rows.start):
            raise UserError("none of the sentences given to forward has a piece; give at least one with text")
        given = self._fill(pieces, rows, np.arange(len(rows.start)))
        if not attentions:
            return Forward(given, torch.stack(self._layers(given)), None)
        usual = self.model.config._attn_implementation
        self.model.set_attn_implementation("eager")
        try:
            weights: list[torch.Tensor] = []
            return Forward(given, torch.stack(self._layers(given, weights)), torch.stack(weights))
        finally:
            self.model.set_attn_implementation(usual)

    def _fill(self, pieces: Pieces, rows: windows.Rows, chosen: np.ndarray) -> Input:
        return batches.fill(pieces, rows, chosen, self._around, pad=self.tokenizer.pad_token_id or 0,
                            left=self.padding == "left", first_position=self._first_position,
                            device=self.device)

    def _layers(self, given: Input, attentions: list | None = None) -> list[torch.Tensor]:
        """One forward pass: n_layers + 1 tensors (rows, length, dim), read by hooks that are gone afterwards.

        attentions: a list to which each block's (rows, heads, length, length) is added.
        """
        hidden: list[torch.Tensor] = []

        def enter(block, args, kwargs):
            hidden.append(args[0] if args else kwargs["hidden_states"])

        def leave(block, args, output):
            hidden.append(output[0] if isinstance(output, tuple) else output)

        def normalise(norm, args, output):
            hidden[-1] = output

        hooks = [self._blocks[0].register_forward_pre_hook(enter, with_kwargs=True)]
        hooks += [block.register_forward_hook(leave) for block in self._blocks]
        if self._norm is not None:
            hooks.append(self._norm.register_forward_hook(normalise))
        try:
            output = self.model(input_ids=given.ids, attention_mask=given.mask, position_ids=given.positions,
                                output_attentions=attentions is not None)
        finally:
            for hook in hooks:
                hook.remove()
        if attentions is not None:
            attentions.extend(output.attentions)
        return hidden
