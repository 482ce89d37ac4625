"""The arrays that a pass over a corpus keeps: vectors and sums by layer, and parts of them.

Axes: targets (rows of `table`), groups (sorted by name), dim; layer 0 is the uncontextualised
input, layer `n_layers` the last.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from cwr.extraction.cache import release
from cwr.extraction.targets import COLUMNS

ROW = np.dtype([(name, "<i8") for name in COLUMNS])  # of a kept target; its group as a number


class Sums(NamedTuple):
    """The sums over the vectors of each group in one layer, and the counts; order of `groups()`."""

    unit_sum: np.ndarray  # (groups, dim) float64, of the vectors at unit length
    sum: np.ndarray  # (groups, dim) float64
    count: np.ndarray  # (groups,)


@dataclass(frozen=True, eq=False)
class Extraction:
    """The answer to one question about a corpus.

    key: the name of the answer in the cache
    table: the kept targets (sentence, first, last, group); row i belongs to row i of
    `vectors(layer)`
    n_layers, dim: of the encoder
    missing: the number of encoded targets without a vector, which are left out
    plan: sentences, tokens and batches of the pass that filled the arrays, over all its blocks, and
        its token budget
    group_names: all groups among the targets, sorted
    arrays: "vectors.LAYER", "sum.LAYER", "unit_sum.LAYER" and "count", mapped from the cache
    """

    key: str
    table: pd.DataFrame
    n_layers: int
    dim: int
    missing: int
    plan: dict
    group_names: tuple[str, ...]
    arrays: dict[str, np.ndarray]

    def vectors(self, layer: int) -> np.ndarray:
        """Returns vectors of one layer, (len(table), dim) float32, mapped read-only from the cache.

        Raises ValueError for a layer that the model does not have or that was not kept, and for an
        extraction without the reducer `vectors`.
        """
        return self._array("vectors", "vectors", layer)

    def groups(self) -> tuple[str, ...]:
        """Returns all groups among the targets, sorted."""
        return self.group_names

    def sums(self, layer: int) -> Sums:
        """Returns the sums of one layer.

        Raises ValueError for a layer that the model does not have or that was not kept, and for an
        extraction without the reducer `sums`.
        """
        unit_sum = self._array("sums", "unit_sum", layer)
        return Sums(unit_sum, self._array("sums", "sum", layer), self.arrays["count"])

    def _array(self, reducer: str, name: str, layer: int) -> np.ndarray:
        """Returns the array (rows or groups, dim) of a layer; ValueError if there is none."""
        if not 0 <= layer <= self.n_layers:
            raise ValueError(f"layers are 0 to {self.n_layers}, got {layer}")
        if f"{name}.{layer}" in self.arrays:
            for array in self.arrays.values():
                release(array)  # a layer at a time is in memory
            return self.arrays[f"{name}.{layer}"]
        stems = [key.split(".") for key in self.arrays]
        layers = sorted(int(stem[1]) for stem in stems if stem[0] == name)
        if not layers:
            raise ValueError(f"this extraction kept no {reducer}: give run the reducer {reducer}()")
        raise ValueError(
            f"this extraction kept {reducer} of the layers {layers} alone, not of "
            f"{layer}: give run the reducer {reducer}(layers=[{layer}])"
        )


@dataclass(frozen=True, eq=False)
class Part:
    """A part of an extraction under other groups, read in the same way as an `Extraction`.

    extraction: holds the vectors; rows: (len(table),) indices into them. Sums are computed on call.
    """

    extraction: Extraction
    table: pd.DataFrame
    rows: np.ndarray

    @property
    def n_layers(self) -> int:
        """The number of layers of the encoder."""
        return self.extraction.n_layers

    def vectors(self, layer: int) -> np.ndarray:
        """Returns a layer's vectors, (len(table), dim) float32; raises as `Extraction.vectors`."""
        return self.extraction.vectors(layer)[self.rows]

    def groups(self) -> tuple[str, ...]:
        """Returns all groups, sorted."""
        return tuple(sorted(self.table["group"].unique()))

    def sums(self, layer: int) -> Sums:
        """Computes the sums of one layer, per group.

        Raises ValueError for a zero or NaN vector, and as `Extraction.vectors`.
        """
        import torch

        from cwr.extraction.bags import Groups

        group, names = pd.factorize(self.table["group"], sort=True)
        rows = torch.as_tensor(self.vectors(layer))
        unit_sum, total = Groups(group, names).sums(rows, layer)
        return Sums(unit_sum, total, np.bincount(group))


def take(extraction: Extraction, targets: pd.DataFrame) -> Part:
    """Selects the vectors of some targets from an extraction, under the targets' order and groups.

    targets: a table (sentence, first, last, group).
    Targets without a vector in the extraction are dropped (words without a piece, skipped first
    positions).
    """
    spans = COLUMNS[:3]
    index = pd.MultiIndex.from_frame(extraction.table[spans])
    row_of = pd.Series(np.arange(len(index)), index=index)
    rows = row_of.reindex(pd.MultiIndex.from_frame(targets[spans])).to_numpy()
    present = ~np.isnan(rows)
    return Part(extraction, targets[present].reset_index(drop=True), rows[present].astype(np.int64))


def save_extraction(folder: Path, rows: np.ndarray, about: dict) -> None:
    """Writes the files that `load_extraction` reads beside the reducers' arrays.

    rows: (rows,) the kept targets, of dtype `ROW`.
    about: "layers" (n_layers + 1), "dim", "missing", "plan", "groups".
    """
    np.save(folder / "table.npy", rows, allow_pickle=False)
    (folder / "about.json").write_text(json.dumps(about), encoding="utf-8")


def load_extraction(folder: Path, key: str) -> Extraction:
    """Loads an extraction. Its arrays are mapped into memory now, so the folder may be deleted."""
    about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
    arrays = {
        file.stem: np.load(file, mmap_mode="r", allow_pickle=False) for file in folder.glob("*.npy")
    }
    table = pd.DataFrame(np.array(arrays.pop("table")))
    table["group"] = np.array(about["groups"], dtype=object)[table["group"]]
    return Extraction(
        key,
        table,
        n_layers=about["layers"] - 1,
        dim=about["dim"],
        missing=about["missing"],
        plan=about["plan"],
        group_names=tuple(about["groups"]),
        arrays=arrays,
    )
