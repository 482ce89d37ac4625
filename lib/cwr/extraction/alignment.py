"""From the units of a batch to the targets they belong to: sorted keys and searches, no loop over tokens."""
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from cwr.extraction.targets import Table

STRIDE = 1 << 32                                             # more than any sentence has units


@dataclass(frozen=True)
class Found:
    """What a batch holds of the targets."""

    targets: np.ndarray          # (found,) targets with at least one vector, each once
    units: np.ndarray            # (slots,) unit of each of their words, target by target
    starts: np.ndarray           # (found,) where a target's units begin

    def means(self, hidden: np.ndarray) -> np.ndarray:
        """(found, dim) float32: each target's vector in a layer (units, dim), its words' mean."""
        if len(self.starts) == len(self.units):
            return hidden[self.units]                        # every target is one word
        ends = np.append(self.starts, len(self.units))
        counts = np.diff(ends)
        mean = csr_array((np.repeat(1 / counts, counts), self.units, ends), shape=(len(counts), len(hidden)))
        return (mean @ hidden).astype(np.float32)            # float64 inside


class Slots:
    """The words of all targets, sorted so that the ones of a batch are found by search."""

    def __init__(self, table: Table, asked: np.ndarray):
        """asked: (targets,) the rows of the table to look for."""
        order = asked[np.argsort(table.sentence[asked], kind="stable")]
        counts = (table.last - table.first + 1)[order]
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        self.target = np.repeat(order, counts)               # (slots,)
        self.sentence = table.sentence[self.target]
        self.place = self.sentence * STRIDE + table.first[self.target] + within

    def find(self, sentence: np.ndarray, position: np.ndarray) -> Found:
        """The targets among units with these sentences and positions, both (units,)."""
        place = sentence * STRIDE + position
        order = np.argsort(place, kind="stable")
        slots = self._of(np.unique(sentence))
        behind = np.searchsorted(place[order], self.place[slots])
        nearest = order[np.minimum(behind, len(order) - 1)]
        here = place[nearest] == self.place[slots]           # a word without a piece has no unit
        slots, units = slots[here], nearest[here]
        starts = np.flatnonzero(np.diff(self.target[slots], prepend=-1))
        return Found(self.target[slots][starts], units, starts)

    def _of(self, sentences: np.ndarray) -> np.ndarray:
        """Indices of all slots in these sentences."""
        begin, end = (np.searchsorted(self.sentence, sentences, side) for side in ("left", "right"))
        counts = end - begin
        return np.arange(counts.sum()) + np.repeat(begin - (np.cumsum(counts) - counts), counts)
