"""Reads and checks the two files of an ELMo, options.json and weights.hdf5.

options.json: `char_cnn` and `lstm`, as in `Options`. weights.hdf5: float16 or float32 (the model
computes in float32), with d the dimension of a character, F the number of all filters, p the
projection's dimension, c the cell's:

    char_embed                                              (261, d)
    CNN/W_cnn_K, CNN/b_cnn_K                                (1, width, d, filters), (filters,)
    CNN_high_K/W_carry, b_carry, W_transform, b_transform   (F, F), (F,), (F, F), (F,)
    CNN_proj/W_proj, b_proj                                 (F, p), (p,)
    RNN_D/RNN/MultiRNNCell/CellK/LSTMCell/W_0, B, W_P_0     (2 p, 4 c), (4 c,), (c, p)

K counts filters (in the order of options.json), highways and layers from 0; D is 0 forwards, 1
backwards. The rows of char_embed are characters by their ids (a file with 262 rows begins with a
zero row for a mask). A product is always row vector times matrix. The first p rows of W_0 are for
the input, the next p for the output at the last step. The columns of W_0 and B are the gates i, j,
f, o; the 1 that is added to f is not in B. `ELMo.variables` gives all parameters in these layouts
under these names, for code that writes a file.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

import h5py
import numpy as np
import pydantic
import torch
from pydantic import Field, PositiveFloat

from cwr.errors import UserError

# Bounds far above any ELMo (the largest has cells of 4,096), far below what cannot be built.
Size = Annotated[int, Field(ge=1, le=100_000)]
LARGEST_OPTIONS = 1_000_000  # bytes
Depth = Annotated[int, Field(ge=1, le=100)]


class CharacterOptions(pydantic.BaseModel):
    """The object `char_cnn` in options.json."""

    class Embedding(pydantic.BaseModel):
        """The object `embedding` in `char_cnn`."""

        dim: Size

    embedding: Embedding
    filters: list[tuple[Size, Size]] = Field(min_length=1, max_length=100)  # (width, how many)
    n_highway: int = Field(default=0, ge=0, le=100)
    activation: Literal["relu", "tanh"] = "relu"
    n_characters: Literal[261, 262] = 262  # 261 in training; 262 afterwards, for bilm-tf's mask
    # with the signs for begin and end
    max_characters_per_token: int = Field(default=50, ge=3, le=10_000)

    @pydantic.model_validator(mode="after")
    def _filters_fit(self):
        """Raises ValueError, which pydantic reports, for a filter that no word can fill."""
        if max(width for width, _ in self.filters) > self.max_characters_per_token:
            raise ValueError("a filter is wider than a token")
        return self

    @property
    def n_filters(self) -> int:
        """The number of filters of all widths."""
        return sum(number for _, number in self.filters)


class LSTMOptions(pydantic.BaseModel):
    """The object `lstm` in options.json. Without a clip, or with null, nothing is clipped."""

    dim: Size  # of the cell
    projection_dim: Size  # of a token's vector and of each direction's output
    n_layers: Depth = 2
    use_skip_connections: bool = False
    cell_clip: PositiveFloat | None = None
    proj_clip: PositiveFloat | None = None


class Options(pydantic.BaseModel):
    """The options that decide the model; everything else in options.json is ignored."""

    char_cnn: CharacterOptions
    lstm: LSTMOptions


def read_options(file: Path) -> Options:
    """Reads an options.json.

    Raises UserError for a missing file, and with the first fault for one that describes no ELMo.
    """
    try:
        with file.open("rb") as opened:
            return Options.model_validate_json(opened.read(LARGEST_OPTIONS))
    except OSError as error:
        raise UserError(
            f"ELMo's options cannot be read from {file} ({error.strerror}); give the "
            f"options.json that belongs to the weights"
        ) from error
    except pydantic.ValidationError as error:
        fault = error.errors()[0]
        key = ".".join(map(str, fault["loc"])) or "the file"
        raise UserError(
            f"{file.name} of {file.parent.name or 'ELMo'} does not describe an ELMo "
            f"({key}: {fault['msg']}); get the options.json that belongs to the "
            "weights"
        ) from error


def read_weights(file: Path, variables: Mapping[str, torch.Tensor]) -> None:
    """Fills each tensor with the file's float16 or float32 variable of the same name.

    variables: tensors by name, filled in place; other variables of the file are ignored.
    Raises UserError for a file that is missing, truncated or no HDF5, and for a variable that is
    missing, not finite, or of another type or shape than its tensor.
    """
    try:
        with h5py.File(file, "r") as opened, torch.no_grad():
            for name, tensor in variables.items():
                values = _variable(opened, name, tuple(tensor.shape), file)
                tensor.copy_(torch.from_numpy(values))
    except FileNotFoundError as error:
        raise UserError(
            f"there are no weights {file}; an ELMo is a folder with options.json and weights.hdf5"
        ) from error
    except (OSError, RuntimeError) as error:  # h5py's for what it meets in a damaged file
        raise UserError(
            f"{file.name} of {file.parent.name or 'ELMo'} cannot be read as HDF5: it "
            "is truncated, damaged or another kind of file; get a complete "
            "copy"
        ) from error


def _variable(opened: h5py.File, name: str, shape: tuple[int, ...], file: Path) -> np.ndarray:
    """Returns a variable as float32 of this shape; char_embed's row for a mask is removed.

    Raises UserError for a variable that is missing, not finite or does not fit.
    """
    variable = _dataset(opened, name)
    if variable is None:
        raise UserError(
            f"{file.name} lacks the variable {name}, or leads out of the file for it; it has to be "
            "the whole file that belongs to the options.json beside it"
        )
    masked = name == "char_embed" and variable.shape == (shape[0] + 1, *shape[1:])
    fits = masked or variable.shape == shape
    if not fits or variable.dtype not in (np.float16, np.float32):
        raise UserError(
            f"the variable {name} of {file.name} is {variable.dtype} of shape "
            f"{variable.shape}, but by options.json it has to be float16 or float32 of "
            f"shape {shape}; the two files do not belong together"
        )
    values = variable[()].astype(np.float32)
    if not np.isfinite(values).all():
        raise UserError(
            f"the variable {name} of {file.name} has values that are no finite "
            "numbers; get a sound copy"
        )
    if masked and values[0].any():
        raise UserError(
            f"the variable {name} of {file.name} has {len(values)} rows, of which the "
            "first has to be the zero row for masked characters, and is not; give "
            f"{shape[0]} rows"
        )
    return values[1:] if masked else values


def _dataset(opened: h5py.File, name: str) -> h5py.Dataset | None:
    """Returns the data set of a name if all of it lies in this file; else None.

    A link or external storage could lead to any other file of the machine.
    """
    item = opened
    for step in name.split("/"):
        is_group = isinstance(item, h5py.Group)
        if not is_group or not isinstance(item.get(step, getlink=True), h5py.HardLink):
            return None
        item = item[step]
    if not isinstance(item, h5py.Dataset) or item.is_virtual or item.external:
        return None
    return item
