"""Finds the targets among the units of a batch by sorted keys and searches, without a token loop.

Axes: targets, rows of the table; slots, one word (or piece) of one target; units, the words or
pieces that have vectors in a batch; hits, targets with a vector in a batch.
"""

from dataclasses import dataclass

import numpy as np

from cwr.extraction.targets import CheckedTargets

STRIDE = 1 << 32  # more than any sentence has units


@dataclass(frozen=True)
class Hits:
    """The targets that have vectors in a batch."""

    targets: np.ndarray  # (hits,) targets with at least one vector, each once
    units: np.ndarray  # (slots,) unit of each of their words, target by target
    starts: np.ndarray  # (hits,) where a target's units begin


class Slots:
    """The words of all targets, sorted so that a search finds the words of a batch."""

    def __init__(self, table: CheckedTargets):
        """table: the targets to look for."""
        order = np.argsort(table.sentence, kind="stable")
        counts = (table.last - table.first + 1)[order]
        offset = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        self.target = np.repeat(order, counts)  # (slots,)
        self.sentence = table.sentence[self.target]
        self.key = self.sentence * STRIDE + table.first[self.target] + offset

    def find(self, sentence: np.ndarray, position: np.ndarray) -> Hits:
        """Finds the targets among units with these sentences and positions, both (units,)."""
        key = sentence * STRIDE + position
        order = np.argsort(key, kind="stable")
        slots = self._in_sentences(np.unique(sentence))
        rank = np.searchsorted(key[order], self.key[slots])
        nearest = order[np.minimum(rank, len(order) - 1)]
        has_unit = key[nearest] == self.key[slots]  # a word without a piece has no unit
        slots, units = slots[has_unit], nearest[has_unit]
        starts = np.flatnonzero(np.diff(self.target[slots], prepend=-1))
        return Hits(self.target[slots][starts], units, starts)

    def _in_sentences(self, sentences: np.ndarray) -> np.ndarray:
        """Returns the indices (any,) of all slots in these sentences (distinct, ascending)."""
        begin = np.searchsorted(self.sentence, sentences, "left")
        end = np.searchsorted(self.sentence, sentences, "right")
        counts = end - begin
        return np.arange(counts.sum()) + np.repeat(begin - (np.cumsum(counts) - counts), counts)
