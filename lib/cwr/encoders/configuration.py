"""Reads the small files of a model's folder before the model is built. Imports nothing heavy."""

import json
from pathlib import Path

from cwr.errors import UserError, quoted

LARGEST_FILE = 10_000_000  # bytes
# The most that a model may have of each: far above any model, far below what a machine can build.
BOUNDS = {
    **dict.fromkeys(("num_hidden_layers", "n_layer", "n_layers"), 1_000),
    **dict.fromkeys(("num_attention_heads", "num_key_value_heads", "n_head", "n_heads"), 10_000),
    **dict.fromkeys(("hidden_size", "embedding_size", "n_embd", "dim", "head_dim"), 1_000_000),
    **dict.fromkeys(("intermediate_size", "n_inner", "hidden_dim"), 10_000_000),
    "vocab_size": 100_000_000,
    **dict.fromkeys(("max_position_embeddings", "n_positions"), 1_000_000_000),
}


def read_config(folder: Path, name: str) -> dict:
    """Reads the `config.json` of a transformer; `name` is the model's name in errors.

    Raises UserError for a folder without one, for a file that is no JSON object, and for sizes
    beyond BOUNDS.
    """
    file = folder / "config.json"
    if not file.is_file():
        raise UserError(
            f"the folder {folder} holds no model: there is no config.json in it; name "
            "a folder saved by save_pretrained, or one of an ELMo with options.json "
            "and weights.hdf5"
        )
    config = read_object(file)
    if config is None:
        raise UserError(f"the config.json of {name} is not JSON for a model; get a complete copy")
    for key, most in BOUNDS.items():
        _refuse_size(name, key, config.get(key), most)
    return config


def is_elmo(folder: Path) -> bool:
    """Tells whether a folder has options.json and either weights.hdf5 or no config.json."""
    has_weights = (folder / "weights.hdf5").is_file()
    is_transformer = (folder / "config.json").is_file()
    return (folder / "options.json").is_file() and (has_weights or not is_transformer)


def is_tuned_for_sentences(folder: Path) -> bool:
    """Tells whether sentence-transformers saved the model."""
    return (folder / "modules.json").exists() or (folder / "1_Pooling").exists()


def read_object(file: Path) -> dict | None:
    """Reads the JSON object in a file; None for a file without one, or above LARGEST_FILE."""
    try:
        if file.stat().st_size > LARGEST_FILE:
            return None
        config = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):  # unreadable, no JSON, too deep
        return None
    return config if isinstance(config, dict) else None


def _refuse_size(name: str, key: str, size: object, most: int) -> None:
    """Raises UserError unless the size is None or a whole number from 1 to most."""
    if size is not None and (type(size) is not int or not 1 <= size <= most):
        raise UserError(
            f"the config.json of {name} has {key} {quoted(str(size))}, which no model can have "
            f"(a whole number from 1 to {most:,}); get the one that belongs to the weights"
        )
