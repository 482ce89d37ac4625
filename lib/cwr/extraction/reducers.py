"""Reducers: what is kept of the vectors of all targets. Each is a value that decides the cache key.

A reducer's `writer` sees the vectors batch by batch, once, and writes .npy files into a folder.
"""
import hashlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

from cwr.corpora import Corpus
from cwr.extraction import cache
from cwr.extraction.alignment import Found
from cwr.extraction.targets import Table


@dataclass(frozen=True)
class Shape:
    """What a writer has to make room for. `rows` gives each target's row among the kept ones, or -1."""

    layers: int
    dim: int
    groups: tuple[str, ...]
    group: np.ndarray            # (targets,)
    rows: np.ndarray             # (targets,)


@dataclass(frozen=True)
class vectors:
    """Keep the vectors of at most `cap` targets a group, of all without a cap.

    The sample is the `cap` targets with the smallest hashes of (seed, text, words, repetition): seeded,
    the same in any order of the corpus, and the samples of two shards hold the sample of the whole.
    """

    cap: int | None = None
    seed: int = 0

    def __post_init__(self):
        if self.cap is not None and self.cap < 1:
            raise ValueError(f"a cap is at least 1 vector a group, got {self.cap}")

    def identity(self) -> dict:
        return {"vectors": {"cap": self.cap, "seed": self.seed}}

    def priority(self, corpus: Corpus, table: Table) -> np.ndarray:
        """(targets,) uint64: the smallest of a group are kept. All 0 without a cap."""
        if self.cap is None:
            return np.zeros(len(table), np.uint64)
        columns = (table.sentence, table.first, table.last, table.repetition)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        texts = [sentence.text for sentence in corpus.sentences]
        return np.array([_hash(f"{self.seed}|{texts[sentence]}|{first}:{last}|{repetition}")
                         for sentence, first, last, repetition in rows], np.uint64)

    def writer(self, folder: Path, shape: Shape) -> "VectorWriter":
        return VectorWriter(folder, shape)


@dataclass(frozen=True)
class sums:
    """Per group, over every target: sum of the vectors, sum of the vectors at unit length, their number."""

    def identity(self) -> dict:
        return {"sums": {}}

    def writer(self, folder: Path, shape: Shape) -> "SumWriter":
        return SumWriter(folder, shape)


def smallest(group: np.ndarray, priority: np.ndarray, cap: int | None) -> np.ndarray:
    """Ascending indices of the `cap` rows of each group with the smallest priority; all without a cap."""
    if cap is None:
        return np.arange(len(group))
    order = np.lexsort((priority, group))
    begins = np.flatnonzero(np.diff(group[order], prepend=-1))
    rank = np.arange(len(order)) - np.repeat(begins, np.diff(np.append(begins, len(order))))
    return np.sort(order[rank < cap])


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


@dataclass
class VectorWriter:
    """One array (rows, dim) float32 a layer, rows in the order of the targets' table."""

    folder: Path
    shape: Shape
    files: list[np.memmap] = field(init=False)

    def __post_init__(self):
        size = (int(self.shape.rows.max(initial=-1)) + 1, self.shape.dim)
        self.files = [cache.array(self.folder / f"vectors.{layer}.npy", size, "<f4")
                      for layer in range(self.shape.layers)]

    def add(self, layer: int, found: Found, means: np.ndarray) -> None:
        """Write the vectors of one layer, means (found, dim), into the targets' rows; unsampled ones have none."""
        rows = self.shape.rows[found.targets]
        self.files[layer][rows[rows >= 0]] = means[rows >= 0]

    def finish(self, seen: np.ndarray) -> None:
        """Drops the rows of targets that had no vector; seen: (targets,) bool."""
        kept = seen[self.shape.rows >= 0]
        for layer, file in enumerate(self.files):
            file.flush()
            if not kept.all():
                place = self.folder / f"vectors.{layer}.npy"
                compact = cache.array(self.folder / "compact.npy", (int(kept.sum()), self.shape.dim), "<f4")
                compact[:] = file[kept]
                compact.flush()
                (self.folder / "compact.npy").replace(place)


@dataclass
class SumWriter:
    """Arrays (groups, dim) float64 `sum` and `unit_sum` a layer, and the counts."""

    folder: Path
    shape: Shape
    found: Found | None = field(default=None, init=False)

    def __post_init__(self):
        size = (len(self.shape.groups), self.shape.dim)
        self.sum, self.unit_sum = ([cache.array(self.folder / f"{name}.{layer}.npy", size, "<f8")
                                    for layer in range(self.shape.layers)] for name in ("sum", "unit_sum"))

    def add(self, layer: int, found: Found, means: np.ndarray) -> None:
        """Add the vectors of one layer, means (found, dim), to the sums of their groups, in float64.

        Raises ValueError for a zero or NaN vector, whose direction is undefined.
        """
        group = self.shape.group[found.targets]
        rows = means.astype(np.float64)
        norms = np.sqrt(np.einsum("td,td->t", rows, rows))
        if not (norms > 0).all():                            # also refuses NaN
            name = self.shape.groups[group[int(np.argmin(norms))]]
            raise ValueError(f"a vector of {name!r} in layer {layer} has no direction (norm {norms.min()})")
        if found is not self.found:                          # all layers of a batch are summed by one matrix
            self.found, (self.groups, place) = found, np.unique(group, return_inverse=True)
            size = (len(self.groups), len(rows))
            self.adder = csr_array((np.ones(len(rows)), (place, np.arange(len(rows)))), shape=size)
        scaled = csr_array((1 / norms[self.adder.indices], self.adder.indices, self.adder.indptr), self.adder.shape)
        self.sum[layer][self.groups] += self.adder @ rows
        self.unit_sum[layer][self.groups] += scaled @ rows

    def finish(self, seen: np.ndarray) -> None:
        """Counts the targets seen of each group, (groups,) int64; seen: (targets,) bool."""
        count = np.bincount(self.shape.group[seen], minlength=len(self.shape.groups))
        np.save(self.folder / "count.npy", count.astype("<i8"))
        for file in (*self.sum, *self.unit_sum):
            file.flush()
