"""Builds and checks a folder's transformer from config.json and safetensors, random or trained."""

import json
from pathlib import Path

import psutil
import torch
from torch import nn
from transformers import AutoConfig, AutoModel

from cwr.errors import UserError, first_line

INDEX = "model.safetensors.index.json"  # which file holds which weights, where there are several
NEVER_READ = "pooler"  # it sits behind the last layer
CONSTANTS = (".masked_bias",)  # of old GPT-2 files, where transformers now writes the number down


def files(folder: Path) -> list[Path]:
    """Returns the files with weights in a folder, sorted."""
    return sorted(file for file in folder.glob("*.safetensors") if file.is_file())


def random_model(folder: Path, name: str, dtype: torch.dtype) -> nn.Module:
    """Builds the model of a config.json with random weights; UserError if it cannot be built.

    Weights are drawn in float32, then rounded: in another dtype some machines draw other numbers.
    """
    config = _config(folder, name, dtype)
    drawn = AutoModel.from_config(config, dtype=torch.float32, trust_remote_code=False)
    if dtype == torch.float32:
        return drawn
    model = AutoModel.from_config(config, dtype=dtype, trust_remote_code=False)
    model.load_state_dict(drawn.state_dict())
    return model


def trained_model(folder: Path, name: str, dtype: torch.dtype) -> nn.Module:
    """Opens a folder's model with its trained weights.

    Raises UserError if the model cannot be built, and for weights that are missing, damaged, left
    over, not finite, outside the folder, or do not fit.
    """
    _refuse_folder(folder, name)
    _config(folder, name, dtype)
    try:
        model, report = AutoModel.from_pretrained(
            folder,
            dtype=dtype,
            use_safetensors=True,
            trust_remote_code=False,
            output_loading_info=True,
        )
    except Exception as error:  # shapes unlike config.json's, a damaged file, another file's name
        raise UserError(
            f"the weights of {name} are damaged or do not fit its config.json; get a "
            "complete copy of the folder"
        ) from error
    _refuse_gaps(name, report["missing_keys"])
    _refuse_leftovers(name, model, report["unexpected_keys"])
    refuse_infinite(name, model)
    return model


def refuse_too_large(name: str, model: nn.Module, dtype: torch.dtype) -> None:
    """Raises UserError for a model (on the device "meta") larger than this machine's memory."""
    need = sum(weight.numel() for weight in model.parameters()) * dtype.itemsize
    memory = psutil.virtual_memory().total
    if need > memory:
        raise UserError(
            f"{name} takes {need / 1e9:,.0f} GB by its configuration, and this machine has "
            f"{memory / 1e9:,.0f} GB of memory; use a smaller dtype or a smaller model"
        )


def refuse_infinite(name: str, model: nn.Module) -> None:
    """Raises UserError for a weight that is NaN or infinite."""
    for key, weight in model.state_dict().items():
        if not torch.isfinite(weight).all():
            raise UserError(
                f"the weights of {name} have values that are no finite numbers (first in {key}); "
                "get a sound copy"
            )


def _config(folder: Path, name: str, dtype: torch.dtype):
    """Reads transformers' configuration and builds its model without memory or weights.

    Raises UserError if no model can be built, or if it is larger than the memory.
    """
    try:
        config = AutoConfig.from_pretrained(folder, trust_remote_code=False)
        with torch.device("meta"):
            model = AutoModel.from_config(config, trust_remote_code=False)
    except Exception as error:  # transformers checks some fields, and fails at others
        raise UserError(
            f"the config.json of {name} describes no model that can be built "
            f"({first_line(error)}); get the one that belongs to the weights"
        ) from error
    refuse_too_large(name, model, dtype)
    return config


def _refuse_folder(folder: Path, name: str) -> None:
    """Raises UserError for a folder without safetensors, with an adapter, or with gaps."""
    if not files(folder):
        raise UserError(
            f"the folder of {name} holds no safetensors, the only weights cwr reads; "
            "save the model with save_pretrained first, or use random_init=True"
        )
    if (folder / "adapter_config.json").exists():
        raise UserError(
            f"the folder of {name} holds an adapter for another model (adapter_config.json); merge "
            "the two and save them with save_pretrained first"
        )
    if not _indexed(folder / INDEX) <= {file.name for file in files(folder)}:
        raise UserError(
            f"the {INDEX} of {name} names files that are not in its folder; get a complete copy"
        )


def _indexed(index: Path) -> set[str]:
    """Returns the file names in an index of weights; empty if it is missing or unreadable."""
    try:
        return set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values())
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return set()


def _refuse_gaps(name: str, missing: set[str]) -> None:
    """Raises UserError for missing weights, which would silently be random."""
    gaps = sorted(key for key in missing if not key.startswith(f"{NEVER_READ}."))
    if gaps:
        raise UserError(
            f"the weights of {name} lack {len(gaps)} parts of the model (first: "
            f"{gaps[0]}), which would be random; get a complete copy"
        )


def _refuse_leftovers(name: str, model: nn.Module, unexpected: set[str]) -> None:
    """Raises UserError for weights that belong to the model but would silently be ignored.

    Weights outside the base model (a language model's head, a classifier) may be left over.
    """
    inside = {child for child, _ in model.named_children()} - {NEVER_READ}
    prefix = f"{model.base_model_prefix}."
    left = [key for key in unexpected if key.removeprefix(prefix).split(".")[0] in inside]
    left = sorted(key for key in left if not key.endswith(CONSTANTS))
    if left:
        raise UserError(
            f"the weights of {name} have {len(left)} parts that its config.json leaves out (first: "
            f"{left[0]}); get the config.json that belongs to them"
        )
