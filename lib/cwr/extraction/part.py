"""Part of an extraction, grouped anew: one pass over a corpus serves several questions."""
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from cwr.extraction import Extraction, Sums
from cwr.extraction.targets import COLUMNS


@dataclass(frozen=True, eq=False)
class Part:
    """Some rows of an extraction under other groups; `table`, `vectors`, `groups` and `sums` as `Extraction` has them.

    rows: (len(table),) the rows of the whole's vectors. Sums are made when asked for, from the vectors.
    """
    whole: Extraction
    table: pd.DataFrame
    rows: np.ndarray

    @property
    def n_layers(self) -> int:
        return self.whole.n_layers

    def vectors(self, layer: int) -> np.ndarray:
        """(len(table), dim) float32 of one layer."""
        return self.whole.vectors(layer)[self.rows]

    def groups(self) -> tuple[str, ...]:
        """All groups, sorted."""
        return tuple(sorted(self.table["group"].unique()))

    def sums(self, layer: int) -> Sums:
        """The sums of one layer, per group. Raises ValueError for a zero vector."""
        vectors = self.vectors(layer).astype(np.float64)
        norms = np.linalg.norm(vectors, axis=1)
        if not (norms > 0).all():
            raise ValueError(f"row {int(np.argmin(norms > 0))} of layer {layer} is zero and has no direction")
        code, groups = pd.factorize(self.table["group"], sort=True)
        cells, shape = (code, np.arange(len(code))), (len(groups), len(code))
        adder, scaled = (csr_array((weights, cells), shape=shape) for weights in (np.ones(len(code)), 1 / norms))
        return Sums(scaled @ vectors, adder @ vectors, np.bincount(code))


def take(whole: Extraction, targets: pd.DataFrame) -> Part:
    """The targets (sentence, first, last, group) among those that `whole` kept vectors of, in their order.

    Targets without a vector there (words that the model has no piece of, a first position left out) are dropped.
    """
    row_of = pd.Series(np.arange(len(whole.table)), index=pd.MultiIndex.from_frame(whole.table[COLUMNS[:3]]))
    rows = row_of.reindex(pd.MultiIndex.from_frame(targets[COLUMNS[:3]])).to_numpy()
    kept = ~np.isnan(rows)
    return Part(whole, targets[kept].reset_index(drop=True), rows[kept].astype(np.int64))
