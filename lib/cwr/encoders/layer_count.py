"""How many layers a model has, read from its configuration in an instant: no torch is imported."""

import json
from pathlib import Path

LAYER_COUNTS = (  # file, and the keys that lead to the number in it
    ("options.json", "lstm", "n_layers"),
    ("config.json", "num_hidden_layers"),
    ("config.json", "n_layer"),
    ("config.json", "n_layers"),
)


def layer_count(folder: Path) -> int | None:
    """The number of layers that a model's configuration names, read without opening the model.

    None where the files do not say it plainly: opening the model then tells, or says what is wrong.
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
