"""Reads single tensors in a folder's safetensors as float32, without torch."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open

from cwr.errors import UserError

FILE = "model.safetensors"
INDEX = f"{FILE}.index.json"  # which file holds which tensor, where there are several files
NUMBERS = ("F64", "F32", "F16")  # what NumPy reads; of BF16 it gets no numbers


class TensorFiles:
    """The tensors of one model; a file is opened only to read one of its tensors."""

    def __init__(self, name: str, folder: Path, fetch: Callable[[str], Path]):
        """name: the model's name in errors. fetch: returns the path of a named file.

        Raises UserError for an unreadable index and, without an index, for a missing or damaged
        model.safetensors.
        """
        self._name, self._fetch = name, fetch
        self._files = (
            self._indexed(folder / INDEX) if (folder / INDEX).is_file() else self._single()
        )

    def __iter__(self):
        return iter(self._files)

    def named(self, endings: Sequence[str]) -> list[str]:
        """Returns the tensors' names that equal one of these endings, with or without a prefix."""
        behind_prefix = tuple(f".{ending}" for ending in endings)
        return [name for name in self if name in endings or name.endswith(behind_prefix)]

    def read(self, tensor: str) -> np.ndarray:
        """Reads one tensor as float32.

        Raises UserError for a file that is missing or damaged or lacks the tensor, and for a tensor
        that is not stored as floating-point numbers.
        """
        path = self._fetch(self._files[tensor])
        with self._opened(path) as stored:
            if tensor not in stored.keys():
                raise UserError(
                    f"{path.name} of {self._name} lacks {tensor}, which the {INDEX} says it "
                    "holds; get a complete copy"
                )
            numbers = stored.get_slice(tensor).get_dtype()
            if numbers in NUMBERS:
                return stored.get_tensor(tensor).astype(np.float32)
        if numbers == "BF16":
            return _bfloat16(path, tensor)
        raise UserError(
            f"{self._name} stores {tensor} as {numbers}; name an edition in float32, float16 or "
            "bfloat16"
        )

    def _indexed(self, index: Path) -> dict[str, str]:
        """Reads {tensor: file} from an index; only the files' names count, not their folders."""
        try:
            files = json.loads(index.read_text(encoding="utf-8"))["weight_map"]
            return {tensor: Path(file).name for tensor, file in files.items()}
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise UserError(
                f"the {INDEX} of {self._name} does not say which file holds which tensor; get a "
                "complete copy"
            ) from error

    def _single(self) -> dict[str, str]:
        """Reads {tensor: file} from model.safetensors alone."""
        path = self._fetch(FILE)
        if not path.is_file():
            raise UserError(
                f"the folder of {self._name} holds no {FILE}, the only weights cwr reads; save the "
                "model with save_pretrained first"
            )
        with self._opened(path) as stored:
            return dict.fromkeys(stored.keys(), FILE)

    def _opened(self, path: Path) -> safe_open:
        """Opens a file as a context; UserError if it is missing or damaged."""
        try:
            return safe_open(path, "np")
        except (OSError, SafetensorError) as error:
            state = "is damaged or was cut short" if path.is_file() else "is not in its folder"
            raise UserError(f"{path.name} of {self._name} {state}; get a complete copy") from error


def _bfloat16(path: Path, tensor: str) -> np.ndarray:
    """Reads a tensor of bfloat16, whose 16 bits are the upper half of a float32.

    The file must be sound: 8 bytes with the length of a JSON header, the header, numbers.
    """
    with path.open("rb") as stream:
        length = int.from_bytes(stream.read(8), "little")
        entry = json.loads(stream.read(length))[tensor]
        start, stop = entry["data_offsets"]
        stream.seek(8 + length + start)
        bits = np.frombuffer(stream.read(stop - start), "<u2").astype("<u4")
    return (bits << 16).view("<f4").reshape(entry["shape"])
