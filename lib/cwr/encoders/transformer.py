"""Every layer of a transformer."""
import functools
from collections.abc import Callable, Sequence

import numpy as np
import torch

from cwr.encoders import architectures, encoder
from cwr.encoders.architectures import Architecture
from cwr.encoders.batches import Input
from cwr.encoders.pieces import Pieces, Sentence, Units, single, specials, tokenise, words
from cwr.errors import UserError

SANE_LIMIT = 10 ** 9                                # a tokenizer without a limit claims 10 ** 30


class Encoder(encoder.Encoder):
    """A transformer whose layers can be read. Made by `cwr.encoders.load`.

    The last layer is taken after the model's final norm, if it has one and final_norm is set. The layers are
    read by hooks on the blocks, so they do not depend on what a version of transformers puts into
    `hidden_states` (5.23 puts the vectors after the final norm last, for every supported type; the tests
    compare).
    """

    def __init__(self, model, tokenizer, row: Architecture, *, name: str, family: str, final_norm: bool,
                 sources: Callable[[], dict]):
        super().__init__(model, tokenizer, name=name, family=family, sources=lambda: sources() | {
            "final_norm": final_norm, "contract": self.contract})
        self.causal = row.family == "causal"
        self._blocks = model.get_submodule(row.blocks)
        self._norm = model.get_submodule(row.final_norm) if row.final_norm and final_norm else None
        self.n_layers, self.dim = len(self._blocks), model.config.hidden_size
        self.contract = architectures.contract(row, self.n_layers, final_norm)
        self._around, self._pad = specials(tokenizer, name), tokenizer.pad_token_id or 0
        self._first_position = model.config.pad_token_id + 1 if row.positions_follow_padding else 0
        limits = [model.config.max_position_embeddings - self._first_position, tokenizer.model_max_length]
        self.window = min(limit for limit in limits if limit < SANE_LIMIT)
        if self._room < 1:
            raise UserError(f"the window of {name} ({self.window} pieces) has no room for text beside its "
                            f"special tokens; check max_position_embeddings and model_max_length there")

    @functools.cached_property
    def vocabulary(self) -> list[str]:
        tokens = [""] * self.model.get_input_embeddings().num_embeddings
        for token, number in self.tokenizer.get_vocab().items():
            if number < len(tokens):
                tokens[number] = token
        return tokens

    def embedding_matrix(self) -> np.ndarray:
        return self.model.get_input_embeddings().weight.detach().float().cpu().numpy().copy()

    def _tokenise(self, sentences: Sequence[Sentence]) -> Pieces:
        pieces = tokenise(self.tokenizer, [sentence.text for sentence in sentences])
        known = self.model.get_input_embeddings().num_embeddings
        if pieces.ids.max(initial=0) >= known:
            raise UserError(f"the tokenizer of {self.name} gives the id {pieces.ids.max()} but the model has "
                            f"only {known} tokens; the folder mixes two models, get a consistent copy")
        return pieces

    def _units(self, pieces: Pieces, sentences: Sequence[Sentence], unit: str) -> Units:
        if unit == "word":
            return words(pieces, [sentence.spans for sentence in sentences])
        return single(pieces, *map(len, self._around))

    def _layers(self, given: Input, attentions: list | None = None) -> list[torch.Tensor]:
        """As the base class says, read by hooks that are gone afterwards."""
        if attentions is None:
            return self._run(given)
        usual = self.model.config._attn_implementation
        self.model.set_attn_implementation("eager")
        try:
            return self._run(given, attentions)
        finally:
            self.model.set_attn_implementation(usual)

    def _run(self, given: Input, attentions: list | None = None) -> list[torch.Tensor]:
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
