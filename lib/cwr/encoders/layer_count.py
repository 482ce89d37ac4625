"""Reads the number of a model's layers from its configuration, without importing torch."""

import json
from pathlib import Path

LAYER_COUNTS = (  # file, and the keys that lead to the number in it
    ("options.json", "lstm", "n_layers"),
    ("config.json", "num_hidden_layers"),
    ("config.json", "n_layer"),
    ("config.json", "n_layers"),
)


def layer_count(folder: Path) -> int | None:
    """Returns the number of layers in a model's configuration, without opening the model.

    Returns None if the files do not give the number: then only opening the model tells.
    """
    for name, *keys in LAYER_COUNTS:
        try:
            value = json.loads((folder / name).read_text(encoding="utf-8"))
            for key in keys:
                value = value[key]
        except (OSError, ValueError, LookupError, TypeError, RecursionError):
            continue
        if type(value) is int:  # True is none
            return value
    return None
