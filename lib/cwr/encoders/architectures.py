"""Where each kind of transformer keeps its blocks, and what its layer 0 and its last layer are.

One row per `model_type` of transformers. A row stands here only because the tests hook the blocks of a small
model of that type; anything without a row is refused by name rather than guessed at.
"""
from dataclasses import dataclass

from cwr.errors import UserError


@dataclass(frozen=True)
class Architecture:
    """The public configuration of one model type: attribute paths inside transformers' base model."""

    family: str                     # "masked" or "causal"
    blocks: str                     # the list of contextualising blocks
    final_norm: str | None          # the norm behind the last block; None: each block ends in its own
    layer_0: str                    # what enters the first block
    positions_follow_padding: bool = False      # positions count from padding_idx + 1 (RoBERTa), not from 0


# positions are rotated into the attention of each block, so layer 0 has none
_DECODER = Architecture("causal", "layers", "norm", "tokens")
_NORMALISED_SUM = "tokens + positions + segments, normalised"

ARCHITECTURES = {
    "bert": Architecture("masked", "encoder.layer", None, _NORMALISED_SUM),
    "roberta": Architecture("masked", "encoder.layer", None, _NORMALISED_SUM, positions_follow_padding=True),
    "modernbert": Architecture("masked", "layers", "final_norm", "tokens, normalised"),
    "gpt2": Architecture("causal", "h", "ln_f", "tokens + positions"),
    "llama": _DECODER,
    "mistral": _DECODER,
    "qwen2": _DECODER,
    "qwen3": _DECODER,
}


def of(config: dict, name: str) -> Architecture:
    """The row for a model's `config.json`.

    Refuses, by name, a type without a row, a BERT run as a decoder, and a model that brings its own code.
    """
    kind = config.get("model_type")
    if kind not in ARCHITECTURES:
        raise UserError(f"{name} is of type {kind!r}, which cwr cannot read layer by layer; choose a model "
                        f"of one of the types {', '.join(ARCHITECTURES)}")
    row = ARCHITECTURES[kind]
    if row.family == "masked" and config.get("is_decoder"):
        raise UserError(f"{name} is a {kind} model run as a decoder (is_decoder in its config.json), which "
                        f"cwr does not support; choose an ordinary {kind} model")
    if "AutoModel" in config.get("auto_map", {}):
        raise UserError(f"{name} brings Python code of its own (auto_map in its config.json), which cwr "
                        f"never runs; choose a model that transformers knows without it")
    return row


def contract(row: Architecture, n_layers: int, final_norm: bool) -> tuple[str, ...]:
    """The names of all n_layers + 1 layers: "input: ...", "block 1", ..., perhaps "block 12 + final norm"."""
    blocks = [f"block {number}" for number in range(1, n_layers + 1)]
    if row.final_norm and final_norm:
        blocks[-1] += " + final norm"
    return (f"input: {row.layer_0}", *blocks)
