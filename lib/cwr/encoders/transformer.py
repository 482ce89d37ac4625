"""An encoder that reads a transformer's layers by hooks. Axes: rows, length, dim, heads."""

import functools
from collections.abc import Callable, Sequence

import numpy as np
import torch

from cwr.encoders.architectures import Architecture, contract
from cwr.encoders.batches import Input
from cwr.encoders.encoder import Encoder
from cwr.encoders.inputs import OFFSETS, look_up
from cwr.encoders.pieces import (
    Pieces,
    SentenceLike,
    Units,
    listed_units,
    piece_units,
    refuse_ids_beyond,
    special_tokens,
    tokenise,
    word_units,
)
from cwr.errors import UserError

SANE_LIMIT = 10**9  # a tokenizer without a limit claims 10 ** 30


class TransformerEncoder(Encoder):
    """A transformer whose layers can be read, opened by `cwr.encoders.load`.

    The last layer is taken after the model's final norm, if it has one and final_norm is set. Hooks
    on the blocks read the layers, so they do not depend on transformers' `hidden_states` (in 5.23
    the last entry is after the final norm for every supported type; the tests compare).
    """

    def __init__(
        self,
        model,
        tokenizer,
        architecture: Architecture,
        *,
        name: str,
        family: str,
        final_norm: bool,
        sources: Callable[[], dict],
    ):
        """Raises UserError for a window without room for text."""
        super().__init__(
            model,
            tokenizer,
            name=name,
            family=family,
            sources=lambda: sources() | {"final_norm": final_norm, "contract": self.contract},
        )
        self.causal = architecture.family == "causal"
        self._blocks = model.get_submodule(architecture.blocks)
        behind_blocks = (architecture.convolution, architecture.final_norm if final_norm else None)
        self._behind_blocks = [model.get_submodule(path) for path in behind_blocks if path]
        self.n_layers, self.dim = len(self._blocks), model.config.hidden_size
        self.contract = contract(architecture, self.n_layers, final_norm)
        self._around, self._pad = special_tokens(tokenizer, name), tokenizer.pad_token_id or 0
        if architecture.positions_follow_padding:
            self._first_position = model.config.pad_token_id + 1
        self.window = self._longest_row()
        if self._room < 1:
            raise UserError(
                f"the window of {name} ({self.window} pieces) has no room for text "
                "beside its special tokens; check max_position_embeddings and "
                "model_max_length there"
            )

    def _longest_row(self) -> int:
        """Returns the smallest of the model's and the tokenizer's limits, special tokens counted.

        With "longrope" the original limit counts too: one longer row would change the rotation of
        all rows in its batch.
        """
        config = self.model.config
        rotations = getattr(config, "rope_parameters", None) or {}
        limits = [
            config.max_position_embeddings - self._first_position,
            self.tokenizer.model_max_length,
        ]
        if rotations.get("rope_type") == "longrope":
            limits.append(rotations["original_max_position_embeddings"])
        return min(limit for limit in limits if limit < SANE_LIMIT)

    @functools.cached_property
    def vocabulary(self) -> list[str]:
        """The token of each row of `embedding_matrix`; "" for a row without a token."""
        tokens = [""] * self.model.get_input_embeddings().num_embeddings
        for token, number in self.tokenizer.get_vocab().items():
            if number < len(tokens):
                tokens[number] = token
        return tokens

    def embedding_matrix(self) -> np.ndarray:
        """Returns a copy of the token embeddings, without positions, (vocabulary, dim) float32.

        A model that projects its layer 0 (`contract`) may have narrower rows than its layers.
        """
        return self.model.get_input_embeddings().weight.detach().float().cpu().numpy().copy()

    def tokenise(self, sentences: Sequence[SentenceLike]) -> Pieces:
        """Returns the pieces of these sentences end to end, without special tokens or truncation.

        Raises UserError for a tokenizer with tokens that the model does not have.
        """
        if self.word_input == OFFSETS:
            pieces = tokenise(self.tokenizer, [sentence.text for sentence in sentences])
        else:
            pieces = look_up(self.word_input, self.tokenizer, sentences)
        n_tokens = self.model.get_input_embeddings().num_embeddings
        refuse_ids_beyond(pieces.ids, n_tokens, self.name)
        return pieces

    def _units(self, pieces: Pieces, sentences: Sequence[SentenceLike], unit: str) -> Units:
        if unit == "word":
            align = word_units if self.word_input == OFFSETS else listed_units
            return align(pieces, [sentence.spans for sentence in sentences])
        before, behind = self._around
        return piece_units(pieces, len(before), len(behind))

    def _layers(self, inputs: Input, attentions: list | None = None) -> list[torch.Tensor]:
        """Computes n_layers + 1 tensors (rows, length, dim); `attentions` needs "eager"."""
        if attentions is None:
            return self._run(inputs)
        usual = self.model.config._attn_implementation
        self.model.set_attn_implementation("eager")
        try:
            return self._run(inputs, attentions)
        finally:
            self.model.set_attn_implementation(usual)

    def _run(self, inputs: Input, attentions: list | None = None) -> list[torch.Tensor]:
        """Computes n_layers + 1 tensors (rows, length, dim) by temporary hooks.

        attentions: a list to which each block's weights (rows, heads, length, length) are added.
        """
        hidden: list[torch.Tensor] = []
        hooks = self._hooks(hidden)
        try:
            output = self.model(
                input_ids=inputs.ids,
                attention_mask=inputs.mask,
                position_ids=inputs.positions,
                output_attentions=attentions is not None,
            )
        finally:
            for hook in hooks:
                hook.remove()
        if attentions is not None:
            attentions.extend(output.attentions)
        return hidden

    def _hooks(self, hidden: list[torch.Tensor]) -> list[torch.utils.hooks.RemovableHandle]:
        """Hooks the blocks, so that the first block's input and all outputs are added to `hidden`.

        The output of a norm or convolution behind a block replaces the block's output.
        """

        def enter(block, args, kwargs):
            hidden.append(args[0] if args else kwargs["hidden_states"])

        def leave(block, args, output):
            hidden.append(output[0] if isinstance(output, tuple) else output)

        def change(module, args, output):
            hidden[-1] = output

        hooks = [self._blocks[0].register_forward_pre_hook(enter, with_kwargs=True)]
        hooks += [block.register_forward_hook(leave) for block in self._blocks]
        hooks += [module.register_forward_hook(change) for module in self._behind_blocks]
        return hooks
