"""Tabulates transformer types: where each keeps its blocks, and what its first and last layer are.

One row per `model_type` of transformers. The tests hook the blocks of a small model of each type;
other types are refused. Imports nothing
heavy: the command line prints the table's titles.
"""

from dataclasses import dataclass, replace

from cwr.errors import UserError, quoted


@dataclass(frozen=True)
class Architecture:
    """A model type: its family, and the attribute paths inside transformers' base model."""

    title: str  # what readers call it
    family: str  # "masked" or "causal"
    blocks: str  # the list of contextualising blocks
    final_norm: str | None  # the norm behind the last block; None: each block ends in one
    layer_0: str  # what enters the first block
    positions_follow_padding: bool = False  # RoBERTa counts positions from padding_idx + 1
    convolution: str | None = None  # behind the first block, if the configuration has one


_NORMALISED_SUM = "tokens + positions + segments, normalised"


def _bert(title: str, positions_follow_padding: bool = False) -> Architecture:
    return Architecture(
        title,
        "masked",
        "encoder.layer",
        None,
        _NORMALISED_SUM,
        positions_follow_padding=positions_follow_padding,
    )


def _decoder(title: str, layer_0: str = "tokens", final_norm: str = "norm") -> Architecture:
    """Returns the row of a causal type with rotary positions, which are not in layer 0."""
    return Architecture(title, "causal", "layers", final_norm, layer_0)


ARCHITECTURES = {
    "bert": _bert("BERT"),
    "roberta": _bert("RoBERTa", positions_follow_padding=True),
    "xlm-roberta": _bert("XLM-RoBERTa", positions_follow_padding=True),
    "deberta-v2": _bert("DeBERTa v2 and v3"),  # layer 0 and convolution: see `_deberta`
    "electra": _bert("ELECTRA"),  # layer 0: see `_electra`
    "distilbert": Architecture(
        "DistilBERT", "masked", "transformer.layer", None, "tokens + positions, normalised"
    ),
    "modernbert": Architecture(
        "ModernBERT", "masked", "layers", "final_norm", "tokens, normalised"
    ),
    "gpt2": Architecture("GPT-2", "causal", "h", "ln_f", "tokens + positions"),
    "gpt_neox": _decoder("GPT-NeoX and Pythia", final_norm="final_layer_norm"),
    "llama": _decoder("Llama"),
    "mistral": _decoder("Mistral"),
    "qwen2": _decoder("Qwen 2"),
    "qwen3": _decoder("Qwen 3"),
    "olmo2": _decoder("OLMo 2"),
    "phi3": _decoder("Phi 3 and 4"),
    "gemma3_text": _decoder("Gemma 3 (text)", "tokens, scaled by the square root of the width"),
}


def architecture_of(config: dict, name: str) -> Architecture:
    """Returns the row for a model's `config.json`; `name` is the model's name in errors.

    Raises UserError for a type without a row, a masked model run as a decoder, and a model with
    code.
    """
    kind = str(config.get("model_type"))
    if kind not in ARCHITECTURES:
        raise UserError(
            f"{name} is of type {quoted(kind)}, which cwr cannot read layer by layer; choose "
            f"a model of one of the types {', '.join(ARCHITECTURES)}"
        )
    architecture = ARCHITECTURES[kind]
    if architecture.family == "masked" and config.get("is_decoder"):
        raise UserError(
            f"{name} is a {kind} model run as a decoder (is_decoder in its config"
            f".json), which cwr does not support; choose an ordinary {kind} model"
        )
    code = config.get("auto_map")
    if isinstance(code, dict) and "AutoModel" in code:
        raise UserError(
            f"{name} brings Python code of its own (auto_map in its config.json), "
            "which cwr never runs; choose a model that transformers knows without it"
        )
    if kind == "deberta-v2":
        return _deberta(architecture, config)
    if kind == "electra":
        return _electra(architecture, config)
    if config.get("use_bidirectional_attention"):  # a Gemma made into an encoder of texts
        return replace(architecture, family="masked")
    return architecture


def _deberta(architecture: Architecture, config: dict) -> Architecture:
    """Returns the row for a DeBERTa's configuration.

    Its blocks read relative positions. The configuration may add positions to layer 0, and a
    convolution over the tokens behind block 1 (in the larger v2).
    """
    summands = ["tokens"]
    if config.get("position_biased_input", True):
        summands.append("positions")
    if config.get("type_vocab_size", 0):
        summands.append("segments")
    width = config.get("hidden_size")
    is_projected = config.get("embedding_size", width) != width
    end = "projected and normalised" if is_projected else "normalised"
    return replace(
        architecture,
        layer_0=f"{' + '.join(summands)}, {end}",
        convolution="encoder.conv" if config.get("conv_kernel_size") else None,
    )


def _electra(architecture: Architecture, config: dict) -> Architecture:
    """Returns the row for an ELECTRA; a small one widens its embeddings by a linear map."""
    if config.get("embedding_size", 128) == config.get("hidden_size", 256):
        return architecture
    return replace(architecture, layer_0=f"{_NORMALISED_SUM} and projected")


def contract(architecture: Architecture, n_layers: int, final_norm: bool) -> tuple[str, ...]:
    """Names all n_layers + 1 layers: "input: ...", "block 1", ..., "block 12 + final norm".

    final_norm: whether the last layer is taken after the model's final norm, if it has one.
    """
    blocks = [f"block {number}" for number in range(1, n_layers + 1)]
    if architecture.convolution:
        blocks[0] += " + convolution"
    if architecture.final_norm and final_norm:
        blocks[-1] += " + final norm"
    return (f"input: {architecture.layer_0}", *blocks)
