"""Counts of n-grams by sorting: tokens are packed into int64 keys, base `vocabulary`, and found by bisection.

Some 40 bytes a token at the most, model included; no Python loop over tokens.
"""
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

NO_SINGLES = 0.5          # the discount where no count is 1; KenLM's --discount_fallback starts with it too


@dataclass(frozen=True, eq=False)
class Level:
    """Counts of tokens w in contexts h under absolute discounting: p(w|h) = share(h, w) + weight(h) lower(w).

    share = max(c(h, w) - D, 0) / c(h, .) and weight = D N1+(h, .) / c(h, .), where c(h, .) is the sum of
    c(h, w) over w and N1+(h, .) the number of w with c(h, w) > 0. Without counts the weight is 1: the lower
    order alone. D = n1 / (n1 + 2 n2), with n1 pairs counted once and n2 counted twice (Ney, Essen and Kneser
    1994). Where none was counted once that is 0 or undefined and would leave nothing to unseen tokens: D is
    then `NO_SINGLES`.
    """

    keys: np.ndarray             # (pairs,) int64 ascending: context * vocabulary + token
    counts: np.ndarray           # (pairs,)
    contexts: np.ndarray         # (contexts,) int64 ascending
    starts: np.ndarray           # (contexts + 1,): the pairs of context i are starts[i]:starts[i + 1]
    totals: np.ndarray           # (contexts,): sum of the counts of each
    discount: float
    vocabulary: int

    @classmethod
    def of(cls, keys: np.ndarray, counts: np.ndarray, vocabulary: int) -> Self:
        """From distinct keys, ascending, and how often each was counted."""
        contexts, types = runs(keys // vocabulary)
        starts = np.concatenate([[0], np.cumsum(types, dtype=np.int64)])
        totals = np.diff(np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])[starts])
        n1, n2 = np.count_nonzero(counts == 1), np.count_nonzero(counts == 2)
        discount = float(n1 / (n1 + 2 * n2)) if n1 else NO_SINGLES
        return cls(keys, counts, contexts, starts, totals, discount, vocabulary)

    def weight(self, contexts: np.ndarray) -> np.ndarray:
        """(n,) how much of the probability after each context is left to the lower order, in (0, 1]."""
        at, found = find(self.contexts, contexts)
        weight = np.ones(len(contexts))
        weight[found] = self.discount * (self.starts[at + 1] - self.starts[at]) / self.totals[at]
        return weight

    def share(self, keys: np.ndarray) -> np.ndarray:
        """(n,) the discounted relative frequency of each pair of context and token, 0 where not counted."""
        pair, seen = find(self.keys, keys)
        at, _ = find(self.contexts, keys[seen] // self.vocabulary)
        share = np.zeros(len(keys))
        share[seen] = (self.counts[pair] - self.discount) / self.totals[at]
        return share

    def mix(self, keys: np.ndarray, lower: np.ndarray) -> np.ndarray:
        """(n,) probability of each pair's token after its context; lower: (n,) that in the lower order."""
        return self.share(keys) + self.weight(keys // self.vocabulary) * lower

    def spread(self, contexts: np.ndarray, rows: np.ndarray) -> None:
        """Turn rows of the lower order, (n, vocabulary), into this one's after contexts (n,), in place."""
        rows *= self.weight(contexts)[:, None]
        at, found = find(self.contexts, contexts)
        types = self.starts[at + 1] - self.starts[at]                           # (found,)
        pair = np.arange(types.sum()) + np.repeat(self.starts[at] - np.cumsum(types) + types, types)
        share = (self.counts[pair] - self.discount) / np.repeat(self.totals[at], types)
        rows[np.repeat(np.flatnonzero(found), types), self.keys[pair] % self.vocabulary] += share


def pack(tokens: np.ndarray, vocabulary: int, places: Sequence[int], starts: np.ndarray | None) -> np.ndarray:
    """Keys (int64) of all n-grams within a text, in its order: the token at places[0] of each weighs most.

    tokens: (n,) int; places: an order of range(length); starts: as `within`.
    """
    complete = within(len(tokens), len(places), starts)
    keys = np.zeros(len(complete), np.int64)
    for place in places:
        keys *= vocabulary
        keys += tokens[place:place + len(keys)]
    return keys if starts is None else keys[complete]


def within(n: int, length: int, starts: np.ndarray | None) -> np.ndarray:
    """Whether each n-gram of n tokens, by its first, lies within one text: (n - length + 1,) bool.

    starts: (n,) or longer, bool, whether a text begins before each token; None: all is one text.
    """
    complete = np.ones(max(n - length + 1, 0), dtype=bool)
    for place in range(1, length if starts is not None else 0):
        complete &= ~starts[place:place + len(complete)]
    return complete


def count(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct keys, ascending, and how often each stands there. Sorts its argument in place."""
    keys.sort()
    return runs(keys)


def runs(ordered: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct values of a sorted array, and the lengths of their runs (int32)."""
    changes = np.ones(len(ordered), dtype=bool)
    changes[1:] = ordered[1:] != ordered[:-1]
    begins = np.flatnonzero(changes)
    return ordered[begins], np.diff(begins, append=len(ordered)).astype(np.int32)


def find(table: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places in a sorted table of the wanted values that it has, (found,), and which these are, (n,) bool."""
    at = np.searchsorted(table, wanted)
    found = at < len(table)
    found[found] = table[at[found]] == wanted[found]
    return at[found], found
