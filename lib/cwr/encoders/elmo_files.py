"""The two files of an ELMo, options.json and weights.hdf5, read and checked."""
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import h5py
import numpy as np
import pydantic
import torch
from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt

from cwr.errors import UserError


class CharacterOptions(pydantic.BaseModel):
    """`char_cnn` in options.json."""

    class Embedding(pydantic.BaseModel):
        dim: PositiveInt

    embedding: Embedding
    filters: list[tuple[PositiveInt, PositiveInt]] = Field(min_length=1)    # (width, how many of it)
    n_highway: NonNegativeInt = 0
    activation: Literal["relu", "tanh"] = "relu"
    n_characters: Literal[261, 262] = 262   # 261 in training; bilm-tf wants 262 afterwards, for a mask
    max_characters_per_token: int = Field(default=50, ge=3)                 # with the signs for begin and end

    @pydantic.model_validator(mode="after")
    def _filters_fit(self):
        if max(width for width, _ in self.filters) > self.max_characters_per_token:
            raise ValueError("a filter is wider than a token")
        return self

    @property
    def n_filters(self) -> int:
        return sum(number for _, number in self.filters)


class LSTMOptions(pydantic.BaseModel):
    """`lstm` in options.json. A clip that is null or absent does not clip."""

    dim: PositiveInt                        # of the cell
    projection_dim: PositiveInt             # of a token's vector and of each direction's output
    n_layers: PositiveInt = 2
    use_skip_connections: bool = False
    cell_clip: PositiveFloat | None = None
    proj_clip: PositiveFloat | None = None


class Options(pydantic.BaseModel):
    """What of options.json decides the model; what else training wrote there is ignored."""

    char_cnn: CharacterOptions
    lstm: LSTMOptions


def read_options(file: Path) -> Options:
    """Refuses a missing file, and one that does not describe an ELMo, naming its first fault."""
    try:
        return Options.model_validate_json(file.read_bytes())
    except OSError as error:
        raise UserError(f"ELMo's options cannot be read from {file} ({error.strerror}); give the "
                        f"options.json that belongs to the weights") from error
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise UserError(f"{file.name} of {file.parent.name or 'ELMo'} does not describe an ELMo ({where}: "
                        f"{first['msg']}); get the options.json that belongs to the weights") from error


def read_weights(file: Path, variables: Mapping[str, torch.Tensor]) -> None:
    """Fill each tensor with the file's variable of that name, float16 or float32; others do not matter.

    Refuses a missing, truncated or other file, and a variable that is missing, of another type or shape than
    its tensor, or not finite.
    """
    try:
        with h5py.File(file, "r") as opened, torch.no_grad():
            for name, tensor in variables.items():
                tensor.copy_(torch.from_numpy(_variable(opened, name, tuple(tensor.shape), file)))
    except FileNotFoundError as error:
        raise UserError(f"there are no weights {file}; an ELMo is a folder with options.json and "
                        f"weights.hdf5") from error
    except (OSError, RuntimeError) as error:                # h5py's for what it finds in a damaged file
        raise UserError(f"{file.name} of {file.parent.name or 'ELMo'} cannot be read as HDF5: it is "
                        f"truncated, damaged or another kind of file; get a complete copy") from error


def _variable(opened: h5py.File, name: str, shape: tuple[int, ...], file: Path) -> np.ndarray:
    found = opened.get(name)
    if not isinstance(found, h5py.Dataset):
        raise UserError(f"{file.name} lacks the variable {name}; it has to be the file that belongs to the "
                        f"options.json beside it")
    masked = name == "char_embed" and found.shape == (shape[0] + 1, *shape[1:])
    if found.shape != shape and not masked or found.dtype not in (np.float16, np.float32):
        raise UserError(f"the variable {name} of {file.name} is {found.dtype} of shape {found.shape}, but by "
                        f"options.json it has to be float16 or float32 of shape {shape}; the two files do "
                        f"not belong together")
    values = found[()].astype(np.float32)
    if not np.isfinite(values).all():
        raise UserError(f"the variable {name} of {file.name} has values that are no finite numbers; "
                        f"get a sound copy")
    if masked and values[0].any():
        raise UserError(f"the variable {name} of {file.name} has {len(values)} rows, of which the first has "
                        f"to be the zero row for masked characters, and is not; give {shape[0]} rows")
    return values[1:] if masked else values
