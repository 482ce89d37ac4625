"""Reducers, which keep vectors or sums of the targets' vectors; each is part of the cache key.

A reducer's `writer` gets the vectors of each batch once, on the model's device, and writes .npy
files into a folder. It copies to the host only what it writes. It also merges the files of other
writers, one after another.

Axes: targets, rows of the table; rows, the targets whose vectors are kept; hits, the targets with a
vector in a batch; groups; dim.
"""

import hashlib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr.corpora import Corpus
from cwr.extraction.cache import Mapped, new_array, release
from cwr.extraction.targets import CheckedTargets

if TYPE_CHECKING:
    import torch

PIECE = 1 << 23  # bytes that are copied at once


@dataclass(frozen=True)
class Shape:
    """The sizes of the arrays that a writer fills."""

    layers: int  # n_layers + 1
    dim: int
    rows: int  # kept targets
    groups: Sequence[str]  # names of the groups that are added up


@dataclass(frozen=True)
class vectors:
    """A reducer that keeps the vectors of at most `cap` targets per group; None: of all.

    The sample is the `cap` targets with the smallest hashes of (seed, text, words, repetition):
    seeded, and the same in any order of the corpus.
    layers: the numbers of the layers to keep, negative ones counted from the top; None: all.
    Raises ValueError for a cap below 1 and for no layer at all.
    """

    cap: int | None = None
    seed: int = 0
    layers: Sequence[int] | None = None

    def __post_init__(self):
        """Checks cap and layers; see the class for errors."""
        if self.cap is not None and self.cap < 1:
            raise ValueError(f"a cap is at least 1 vector a group, got {self.cap}")
        object.__setattr__(self, "layers", _as_tuple(self.layers))

    def identity(self, n_layers: int) -> dict:
        """Returns the JSON for the cache key; ValueError for layers that the model lacks."""
        layers = layer_numbers(self.layers, n_layers)
        return {"vectors": {"cap": self.cap, "seed": self.seed, "layers": layers}}

    def priority(self, corpus: Corpus, table: CheckedTargets) -> np.ndarray:
        """Computes each target's priority, (targets,) uint64; a group keeps the smallest.

        All priorities are 0 without a cap.
        """
        if self.cap is None:
            return np.zeros(len(table), np.uint64)
        texts = [sentence.text for sentence in corpus.sentences]
        columns = (table.sentence, table.first, table.last, repetition(texts, table))
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return np.array(
            [
                _hash(f"{self.seed}|{texts[sentence]}|{first}:{last}|{number}")
                for sentence, first, last, number in rows
            ],
            np.uint64,
        )

    def writer(self, folder: Path, shape: Shape, mapped: Mapped) -> "VectorWriter":
        """Returns a writer of the vectors into a folder; mapped: the arrays of the pass, not used."""
        return VectorWriter(folder, shape, layer_numbers(self.layers, shape.layers - 1))


@dataclass(frozen=True)
class sums:
    """A reducer that keeps per group the sum of vectors, the sum of unit vectors, and the count.

    layers: the numbers of the layers to keep, negative ones counted from the top; None: all.
    Raises ValueError for no layer at all.
    """

    layers: Sequence[int] | None = None

    def __post_init__(self):
        object.__setattr__(self, "layers", _as_tuple(self.layers))

    def identity(self, n_layers: int) -> dict:
        """Returns the JSON for the cache key; ValueError for layers that the model lacks."""
        return {"sums": {"layers": layer_numbers(self.layers, n_layers)}}

    def writer(self, folder: Path, shape: Shape, mapped: Mapped) -> "SumWriter":
        """Returns a writer of the sums into a folder; mapped: the arrays of the pass."""
        return SumWriter(folder, shape, layer_numbers(self.layers, shape.layers - 1), mapped)


def layer_numbers(layers: Sequence[int] | None, n_layers: int) -> list[int]:
    """Returns the layers as numbers from 0 to n_layers, ascending, each once; None means all.

    Raises ValueError for layers that a model of n_layers blocks does not have.
    """
    if layers is None:
        return list(range(n_layers + 1))
    unknown = [layer for layer in layers if not -n_layers - 1 <= layer <= n_layers]
    if unknown:
        raise ValueError(
            f"layers are 0 to {n_layers}, or -1 to {-n_layers - 1} counted from the "
            f"top; got {', '.join(map(str, unknown))}"
        )
    return sorted({layer % (n_layers + 1) for layer in layers})


def repetition(texts: Sequence[str], table: CheckedTargets) -> np.ndarray:
    """Counts the targets of equal group, text and span before each target in the table, (targets,).

    texts: the text of each sentence. The counts let equal targets be drawn independently.
    """
    text = pd.factorize(np.array(texts, dtype=object))[0]
    keys = pd.DataFrame(
        {
            "group": table.group,
            "text": text[table.sentence],
            "first": table.first,
            "last": table.last,
        }
    )
    return keys.groupby(list(keys.columns)).cumcount().to_numpy()


def smallest(group: np.ndarray, priority: np.ndarray, cap: int | None) -> np.ndarray:
    """Returns ascending indices of the `cap` targets of each group with the smallest priority.

    group, priority: (targets,). Without a cap all indices.
    """
    if cap is None:
        return np.arange(len(group))
    order = np.lexsort((priority, group))
    begins = np.flatnonzero(np.diff(group[order], prepend=-1))
    sizes = np.diff(np.append(begins, len(order)))
    rank = np.arange(len(order)) - np.repeat(begins, sizes)
    return np.sort(order[rank < cap])


def in_pieces(array: np.ndarray) -> Iterator[slice]:
    """Yields slices of rows, a few MB each, which together are the array (rows, dim)."""
    step = max(1, PIECE // max(1, array[:1].nbytes))
    for begin in range(0, len(array), step):
        yield slice(begin, begin + step)


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def _as_tuple(layers: Sequence[int] | None) -> tuple[int, ...] | None:
    """Returns the layers as a tuple, None for all; raises ValueError for none."""
    if layers is None:
        return None
    if not len(layers):
        raise ValueError("give at least one layer, or None for all")
    return tuple(int(layer) for layer in layers)


class RowFile:
    """A .npy file of float32 rows (rows, dim), written in any order without being mapped.

    The first write to a page of a mapped file costs more than the copy of a run of rows.
    """

    def __init__(self, file: Path, rows: int, dim: int):
        """Allocates the file. Raises OSError if the disk is full."""
        self._offset = new_array(file, (rows, dim), "<f4").offset
        self._file, self._stride = file.open("r+b"), 4 * dim

    def write(self, rows: np.ndarray, values: np.ndarray) -> None:
        """Writes values (n, dim) as these rows, (n,); rows side by side at once.

        Raises OSError if the disk is full, as `close` does.
        """
        values = np.ascontiguousarray(values, "<f4")
        cuts = (np.flatnonzero(np.diff(rows) != 1) + 1).tolist()
        for start, stop in itertools.pairwise([0, *cuts, len(rows)] if len(rows) else []):
            self._file.seek(self._offset + int(rows[start]) * self._stride)
            self._file.write(values[start:stop])

    def close(self) -> None:
        """Writes what is left in the buffer, and closes the file."""
        self._file.close()


@dataclass
class VectorWriter:
    """A writer of one array (rows, dim) float32 per layer, rows in the order of the table."""

    folder: Path
    shape: Shape
    layers: list[int]

    def __post_init__(self):
        rows, dim = self.shape.rows, self.shape.dim
        self.files = {layer: RowFile(self._file(layer), rows, dim) for layer in self.layers}

    def _file(self, layer: int) -> Path:
        return self.folder / f"vectors.{layer}.npy"

    def begin(self, rows: np.ndarray, groups: np.ndarray, device: "torch.device") -> None:
        """Begins a batch: the row of each vector, (hits,), or -1; its group; where vectors are."""
        import torch

        self.kept = torch.as_tensor(np.flatnonzero(rows >= 0), device=device)
        self.rows = rows[rows >= 0]

    def add(self, layer: int, hidden: "torch.Tensor") -> None:
        """Writes the batch's vectors of one layer, (hits, dim), into the rows of their targets."""
        if len(self.rows) < len(hidden):
            hidden = hidden.index_select(0, self.kept)
        self.files[layer].write(self.rows, hidden.cpu().numpy())

    def merge(self, folder: Path, rows: np.ndarray, groups: np.ndarray) -> None:
        """Copies the arrays of another writer from its folder; rows: (its rows,) where they go."""
        for layer, file in self.files.items():
            part = np.load(folder / self._file(layer).name, mmap_mode="r", allow_pickle=False)
            for some in in_pieces(part):
                file.write(rows[some], part[some])
                release(part)

    def close(self) -> None:
        """Closes the files."""
        for file in self.files.values():
            file.close()

    def finish(self, filled: np.ndarray, count: np.ndarray) -> None:
        """Closes the files, and drops the rows of targets that had no vector; filled: (rows,) bool."""
        self.close()
        for layer in [] if filled.all() else self.layers:
            array = np.load(self._file(layer), mmap_mode="r", allow_pickle=False)
            compact = self.folder / "compact.npy"
            np.save(compact, array[filled])
            compact.replace(self._file(layer))


@dataclass
class SumWriter:
    """A writer of arrays (groups, dim) float64 `sum` and `unit_sum` per layer, and of counts."""

    folder: Path
    shape: Shape
    layers: list[int]
    mapped: Mapped

    def __post_init__(self):
        self.sum, self.unit_sum = self._arrays("sum"), self._arrays("unit_sum")

    def _arrays(self, name: str) -> dict[int, np.memmap]:
        size = (len(self.shape.groups), self.shape.dim)
        return {
            layer: self.mapped.new_array(self.folder / f"{name}.{layer}.npy", size, "<f8")
            for layer in self.layers
        }

    def begin(self, rows: np.ndarray, groups: np.ndarray, device: "torch.device") -> None:
        """Begins a batch: the row of each vector; its group, (hits,); where the vectors are."""
        from cwr.extraction.bags import Groups  # brings torch

        self.groups = Groups(groups, self.shape.groups, device)

    def add(self, layer: int, hidden: "torch.Tensor") -> None:
        """Adds the batch's vectors of one layer, (hits, dim), to their groups' sums, in float64.

        Raises ValueError for a zero or NaN vector, whose direction is undefined.
        """
        unit_sum, total = self.groups.sums(hidden, layer)
        self.unit_sum[layer][self.groups.present] += unit_sum
        self.sum[layer][self.groups.present] += total
        self.mapped.wrote(unit_sum.nbytes + total.nbytes)

    def merge(self, folder: Path, rows: np.ndarray, groups: np.ndarray) -> None:
        """Adds the sums of another writer from its folder; groups: (its groups,) where they go."""
        for name, arrays in (("sum", self.sum), ("unit_sum", self.unit_sum)):
            for layer, array in arrays.items():
                part = np.load(folder / f"{name}.{layer}.npy", mmap_mode="r", allow_pickle=False)
                for some in in_pieces(part):
                    array[groups[some]] += part[some]
                    self.mapped.wrote(part[some].nbytes)
                    release(part)

    def close(self) -> None:
        """Does nothing: a mapped array needs no closing."""

    def finish(self, filled: np.ndarray, count: np.ndarray) -> None:
        """Saves the number of vectors of each group, (groups,) int64."""
        np.save(self.folder / "count.npy", count.astype("<i8"))
