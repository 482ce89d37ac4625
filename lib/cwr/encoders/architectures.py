"""Where each kind of transformer keeps its blocks, and what its layer 0 and its last layer are.

One row per `model_type` of transformers. A row stands in the table only because the tests hook the
blocks of a small model of that type; a type without a row is refused by name, not guessed at.
"""

from dataclasses import dataclass

from cwr.errors import UserError


@dataclass(frozen=True)
class Architecture:
    """One model type: its family, and attribute paths inside transformers' base model."""

    family: str  # "masked" or "causal"
    blocks: str  # the list of contextualising blocks
    final_norm: str | None  # the norm behind the last block; None: each block ends in one
    layer_0: str  # what enters the first block
    positions_follow_padding: bool = False  # RoBERTa counts positions from padding_idx + 1


# positions are rotated into the attention of each block, so layer 0 has none
_DECODER = Architecture("causal", "layers", "norm", "tokens")
_NORMALISED_SUM = "tokens + positions + segments, normalised"

ARCHITECTURES = {
    "bert": Architecture("masked", "encoder.layer", None, _NORMALISED_SUM),
    "roberta": Architecture(
        "masked", "encoder.layer", None, _NORMALISED_SUM, positions_follow_padding=True
    ),
    "modernbert": Architecture("masked", "layers", "final_norm", "tokens, normalised"),
    "gpt2": Architecture("causal", "h", "ln_f", "tokens + positions"),
    "llama": _DECODER,
    "mistral": _DECODER,
    "qwen2": _DECODER,
    "qwen3": _DECODER,
}


def architecture_of(config: dict, name: str) -> Architecture:
    """The row for a model's `config.json`; `name` is what its errors call the model.

    Raises UserError for a type without a row, a BERT run as a decoder, a model that brings code.
    """
    kind = config.get("model_type")
    if kind not in ARCHITECTURES:
        raise UserError(
            f"{name} is of type {kind!r}, which cwr cannot read layer by layer; choose "
            f"a model of one of the types {', '.join(ARCHITECTURES)}"
        )
    architecture = ARCHITECTURES[kind]
    if architecture.family == "masked" and config.get("is_decoder"):
        raise UserError(
            f"{name} is a {kind} model run as a decoder (is_decoder in its config"
            f".json), which cwr does not support; choose an ordinary {kind} model"
        )
    if "AutoModel" in config.get("auto_map", {}):
        raise UserError(
            f"{name} brings Python code of its own (auto_map in its config.json), "
            "which cwr never runs; choose a model that transformers knows without it"
        )
    return architecture


def contract(architecture: Architecture, n_layers: int, final_norm: bool) -> tuple[str, ...]:
    """The names of all n_layers + 1 layers: "input: ...", "block 1", ..., "block 12 + final norm".

    final_norm: whether the last layer is taken after the model's final norm, if it has one.
    """
    blocks = [f"block {number}" for number in range(1, n_layers + 1)]
    if architecture.final_norm and final_norm:
        blocks[-1] += " + final norm"
    return (f"input: {architecture.layer_0}", *blocks)
