"""Counts n-grams by sorting int64 keys, and finds them by bisection.

A key is a number whose digits, base `vocabulary`, are the tokens. Counting takes at most some 40
bytes per token, model included, and no Python loop over tokens.

Axes: n tokens or queries, m n-grams of a text, k distinct pairs of context and token,
c distinct contexts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from cwr.errors import UserError

NO_SINGLES = 0.5  # the discount where no count is 1; KenLM's --discount_fallback begins with it


@dataclass(frozen=True, eq=False)
class Level:
    """The counts of tokens w after contexts h, for absolute discounting.

        p(w | h) = share(h, w) + weight(h) p_lower(w)

    share = max(c(h, w) - D, 0) / c(h, .) and weight = D N1+(h, .) / c(h, .), where c(h, .) is the
    sum of c(h, w) over w and N1+(h, .) the number of w with c(h, w) > 0. Without counts the weight
    is 1: the lower order alone. D = n1 / (n1 + 2 n2), with n1 pairs counted once and n2 counted
    twice (Ney, Essen and Kneser 1994). If n1 is 0, D is `NO_SINGLES`: unseen tokens would otherwise
    get no probability.
    """

    keys: np.ndarray  # (k,) int64 ascending: context * vocabulary + token
    counts: np.ndarray  # (k,)
    contexts: np.ndarray  # (c,) int64 ascending
    starts: np.ndarray  # (c + 1,): the pairs of context i are starts[i]:starts[i + 1]
    totals: np.ndarray  # (c,): sum of the counts of each
    discount: float
    vocabulary: int

    @classmethod
    def of(cls, keys: np.ndarray, counts: np.ndarray, vocabulary: int) -> Self:
        """Builds a level from distinct keys (k,), ascending, and their counts (k,)."""
        contexts, types = runs(keys // vocabulary)
        starts = np.concatenate([[0], np.cumsum(types, dtype=np.int64)])
        cumulative = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
        totals = np.diff(cumulative[starts])
        n1 = np.count_nonzero(counts == 1)
        n2 = np.count_nonzero(counts == 2)
        discount = float(n1 / (n1 + 2 * n2)) if n1 else NO_SINGLES
        return cls(keys, counts, contexts, starts, totals, discount, vocabulary)

    def weight(self, contexts: np.ndarray) -> np.ndarray:
        """Computes weight(h), in (0, 1], of n contexts h, given by their keys (n,)."""
        index, counted = find(self.contexts, contexts)
        weight = np.ones(len(contexts))
        types = self.starts[index + 1] - self.starts[index]
        weight[counted] = self.discount * types / self.totals[index]
        return weight

    def share(self, keys: np.ndarray) -> np.ndarray:
        """Computes share(h, w) of n pairs, given by their keys (n,); 0 for a pair not counted."""
        pair, counted = find(self.keys, keys)
        index, _ = find(self.contexts, keys[counted] // self.vocabulary)
        share = np.zeros(len(keys))
        share[counted] = (self.counts[pair] - self.discount) / self.totals[index]
        return share

    def mix(self, keys: np.ndarray, lower: np.ndarray) -> np.ndarray:
        """Computes p(w | h) of n pairs (h, w), given by their keys (n,).

        lower: (n,) p_lower(w), the probabilities of the tokens in the lower order.
        """
        return self.share(keys) + self.weight(keys // self.vocabulary) * lower

    def spread(self, contexts: np.ndarray, rows: np.ndarray) -> None:
        """Replaces p_lower(w) by p(w | h) in rows (n, vocabulary), in place.

        contexts: (n,) keys, the context h of each row.
        """
        rows *= self.weight(contexts)[:, None]
        index, counted = find(self.contexts, contexts)
        types = self.starts[index + 1] - self.starts[index]  # a context's
        pair = _ranges(self.starts[index], types)
        share = (self.counts[pair] - self.discount) / np.repeat(self.totals[index], types)
        row = np.repeat(np.flatnonzero(counted), types)
        rows[row, self.keys[pair] % self.vocabulary] += share


def pack(
    tokens: np.ndarray, vocabulary: int, order: Sequence[int], starts: np.ndarray | None
) -> np.ndarray:
    """Packs all n-grams within one text into keys, (m,) int64.

    tokens: (n,) int. order: the positions 0, 1, ... in an n-gram, the most significant digit of the
        key first. starts: as in `within`.
    """
    complete = within(len(tokens), len(order), starts)
    keys = np.zeros(len(complete), np.int64)
    for position in order:
        keys *= vocabulary
        keys += tokens[position : position + len(keys)]
    return keys if starts is None else keys[complete]


def within(n: int, length: int, starts: np.ndarray | None) -> np.ndarray:
    """Tests whether each n-gram of a stream lies within one text; returns (n - length + 1,) bool.

    n: the number of tokens in the stream. length: tokens of an n-gram; entry i is the n-gram that
        begins at i. starts: (n,) or longer, bool, whether a new text begins before each token;
        None: all is one text.
    """
    complete = np.ones(max(n - length + 1, 0), dtype=bool)
    if starts is None:
        return complete
    for position in range(1, length):
        complete &= ~starts[position : position + len(complete)]
    return complete


def count(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sorts `keys` (m,) in place; returns the distinct keys, (k,), and their counts, (k,)."""
    keys.sort()
    return runs(keys)


def runs(ordered: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns the distinct values of a sorted array (n,), and their counts (int32)."""
    changes = np.ones(len(ordered), dtype=bool)
    changes[1:] = ordered[1:] != ordered[:-1]
    begins = np.flatnonzero(changes)
    return ordered[begins], np.diff(begins, append=len(ordered)).astype(np.int32)


def find(table: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Looks up values (n,) in a sorted table; returns (indices, hits).

    hits: (n,) bool, whether the table has each value. indices: the rows of the values that it has.
    """
    index = np.searchsorted(table, values)
    has = index < len(table)
    has[has] = table[index[has]] == values[has]
    return index[has], has


def checked_tokens(tokens: np.ndarray, vocabulary: int) -> np.ndarray:
    """Converts tokens (n,) to an array; uint64 becomes int64, any other integer type stays.

    Raises UserError for an empty array, another shape, other numbers than integers, and tokens
    outside the vocabulary.
    """
    tokens = np.asarray(tokens)
    if tokens.ndim != 1 or not tokens.size:
        raise UserError(f"tokens have the shape {tokens.shape}: give one row of at least 1 token")
    if tokens.dtype.kind not in "iu":
        raise UserError(
            f"tokens are {tokens.dtype}, not integers: give their numbers in the vocabulary"
        )
    if tokens.min() < 0 or tokens.max() >= vocabulary:
        raise UserError(
            f"tokens go from {tokens.min()} to {tokens.max()}, outside a vocabulary of "
            f"{vocabulary}: give its whole size, or other tokens"
        )
    if tokens.dtype == np.uint64:
        return tokens.astype(np.int64)  # int64 + uint64 would be float64
    return tokens


def text_starts(breaks: np.ndarray | None, n: int) -> np.ndarray | None:
    """Marks the tokens before which a new text begins; returns (n + 1,) bool.

    breaks: their positions, 0 to n; None, which is returned, for one text. Raises UserError for
        breaks outside the text.
    """
    if breaks is None:
        return None
    breaks = np.asarray(breaks, dtype=np.int64)
    if breaks.size and (breaks.min() < 0 or breaks.max() > n):
        raise UserError(
            f"breaks go from {breaks.min()} to {breaks.max()}, outside a text of {n} "
            f"tokens: give positions from 0 to {n}"
        )
    starts = np.zeros(n + 1, dtype=bool)
    starts[breaks] = True
    return starts


def refuse_order(order: int, vocabulary: int) -> None:
    """Raises UserError for an order below 1, and for n-grams that no integer of 63 bits can number."""
    if order < 1:
        raise UserError(
            f"the order of a count model is {order}: give 1 for single tokens, 3 for trigrams"
        )
    if vocabulary**order >= 2**63:
        raise UserError(
            f"{order}-grams over a vocabulary of {vocabulary} do not fit into 63 bits: "
            "lower the order or the vocabulary"
        )


def _ranges(starts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Concatenates ranges: lengths[0] numbers from starts[0] on, lengths[1] from starts[1], ..."""
    before = np.cumsum(lengths) - lengths
    return np.arange(lengths.sum()) + np.repeat(starts - before, lengths)
