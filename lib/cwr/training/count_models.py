"""Count models of text: what a small language model must beat before it knows more than short word sequences.

`KneserNey` predicts a token from those before it, `BothNeighbours` from the two beside it.

Own code, because no library serves here: NLTK's KneserNeyInterpolated is pure Python over dictionaries, too
slow for tens of millions of tokens, with one fixed discount for all orders; KenLM counts in a C++ program
that its Python package lacks, with modified Kneser-Ney only, and has nothing for a context on both sides.
"""
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.sparse import csr_array

from cwr.errors import UserError
from cwr.training import counting
from cwr.training.counting import Level

POSITIONS = 256           # rows of (positions, vocabulary) held at a time


@dataclass(frozen=True, eq=False)
class KneserNey:
    """Interpolated Kneser-Ney smoothing, one absolute discount an order.

        p(w | h) = max(c(h w) - D, 0) / c(h .) + D N1+(h .) / c(h .) p(w | h without its first token)

    Kneser and Ney (1995); interpolated, with D = n1 / (n1 + 2 n2), as in Chen and Goodman (1998, TR-10-98, on
    absolute discounting and on Kneser-Ney). c counts n-grams at the highest order; below it, c(h w) is
    N1+(. h w), the number of different tokens seen before h w, so that a token counts by the company it
    keeps. The order below the unigrams is uniform: every token has probability > 0. A token with fewer than
    order - 1 tokens of its text before it gets the order that these allow.
    """

    vocabulary: int
    levels: tuple[Level, ...]    # unigrams first

    @classmethod
    def count(cls, tokens: np.ndarray, vocabulary: int, order: int = 3,
              breaks: np.ndarray | None = None) -> Self:
        """Count a stream of tokens.

        tokens: (n,) int in [0, vocabulary), n >= 1; `tokens[::-1]` (and n - breaks) for the backward model.
        order: length of the longest n-grams, >= 1, with vocabulary ** order below 2 ** 63.
        breaks: places where another text begins (before tokens[b], 0 <= b <= n), which no n-gram crosses;
            None: all is one text.
        Raises UserError for an empty text, tokens that are no integers or outside the vocabulary, an order
        out of range, and breaks outside the text.
        """
        tokens, starts = _checked(tokens, vocabulary), _starts(breaks, len(tokens))
        _refuse_order(order, vocabulary)
        distinct, counts = counting.count(counting.pack(tokens, vocabulary, range(order), starts))
        levels = [Level.of(distinct, counts, vocabulary)]
        for length in range(order - 1, 0, -1):
            levels.insert(0, Level.of(*counting.count(distinct % vocabulary ** length), vocabulary))
            # not the level's own keys: an n-gram at the beginning of a text is the end of no longer one
            distinct, _ = counting.count(counting.pack(tokens, vocabulary, range(length), starts))
        return cls(vocabulary, tuple(levels))

    @property
    def order(self) -> int:
        return len(self.levels)

    def log_probability(self, tokens: np.ndarray, breaks: np.ndarray | None = None) -> np.ndarray:
        """Log-probability in nats of each token after the order - 1 before it in its text, (n,) float64.

        Arguments and errors as `count`.
        """
        tokens, starts = _checked(tokens, self.vocabulary), _starts(breaks, len(tokens))
        probability = np.full(len(tokens), 1 / self.vocabulary)
        for length, level in enumerate(self.levels, start=1):
            ends = np.flatnonzero(counting.within(len(tokens), length, starts)) + length - 1
            keys = counting.pack(tokens, self.vocabulary, range(length), starts)
            probability[ends] = level.mix(keys, probability[ends])
        return np.log(probability)

    def distribution(self, contexts: np.ndarray) -> np.ndarray:
        """Probability of every token after each context, (n, vocabulary) float64, rows sum to 1.

        contexts: (n, m) int, m < order tokens in the order of the text; m = 0 gives the unigram distribution.
        Raises UserError for contexts that are too long and tokens outside the vocabulary.
        """
        contexts = np.asarray(contexts)
        if contexts.ndim != 2 or contexts.shape[1] >= self.order:
            raise UserError(f"contexts have the shape {contexts.shape}, but a model of order {self.order} "
                            f"looks back {self.order - 1} tokens: give (n, m) with m at most that")
        n, width = contexts.shape
        if width:
            contexts = _checked(contexts.ravel(), self.vocabulary).reshape(n, width)
        unigram = np.full((1, self.vocabulary), 1 / self.vocabulary)
        self.levels[0].spread(np.zeros(1, np.int64), unigram)
        rows = np.repeat(unigram, n, axis=0)
        for length in range(1, width + 1):
            keys = np.zeros(n, np.int64)
            for column in range(width - length, width):
                keys = keys * self.vocabulary + contexts[:, column]
            self.levels[length].spread(keys, rows)
        return rows


@dataclass(frozen=True, eq=False)
class BothNeighbours:
    """p(w | left, right) from the counts of (left, w, right), backed off to two Kneser-Ney bigrams.

        p(w | l, r) = max(c(l w r) - D, 0) / c(l . r) + D N1+(l . r) / c(l . r) q(w | l, r)
        q(w | l, r) = p_KN(w | l) p_KN(r | w) / sum over v of p_KN(v | l) p_KN(r | v)

    q is the exact posterior of a first-order chain, > 0 for every w; D is the discount of the trigram counts.
    On a held-out sample this back-off did better than Witten-Bell's, in accuracy and in nats.
    """

    pairs: KneserNey             # order 2
    between: Level               # contexts left * vocabulary + right
    share_of_right: csr_array    # (vocabulary, vocabulary): row r: the share of bigram w r in each p(r | w)
    weight: np.ndarray           # (vocabulary,): of the unigram in p_KN(. | w)
    unigram: np.ndarray          # (vocabulary,)

    @classmethod
    def count(cls, tokens: np.ndarray, vocabulary: int, breaks: np.ndarray | None = None) -> Self:
        """Count a stream of tokens. Arguments and errors as `KneserNey.count` with order 3."""
        tokens, starts = _checked(tokens, vocabulary), _starts(breaks, len(tokens))
        _refuse_order(3, vocabulary)
        keys = counting.pack(tokens, vocabulary, (0, 2, 1), starts)             # left, right, token
        between = Level.of(*counting.count(keys), vocabulary)
        pairs = KneserNey.count(tokens, vocabulary, 2, breaks)
        unigram = pairs.distribution(np.empty((1, 0), np.int64))[0]
        bigrams = pairs.levels[1]
        place = (bigrams.keys % vocabulary, bigrams.keys // vocabulary)         # (right, token)
        share = csr_array((bigrams.share(bigrams.keys), place), shape=(vocabulary, vocabulary))
        return cls(pairs, between, share, bigrams.weight(np.arange(vocabulary)), unigram)

    def distribution(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Probability of every token between each pair of neighbours, (n, vocabulary) float64, rows sum to 1.

        left, right: (n,) int, n >= 1. Holds all rows at once; the other methods work in small parts.
        Raises UserError for tokens outside the vocabulary and arrays of different length.
        """
        left, right = self._aligned(left, right)
        rows = self.pairs.distribution(left[:, None])
        rows *= self.share_of_right[right].toarray() + self.unigram[right][:, None] * self.weight
        rows /= rows.sum(axis=1, keepdims=True)
        self.between.spread(left * self.pairs.vocabulary + right, rows)
        return rows

    def predict(self, left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The most probable token between each pair of neighbours, (n,), and its log-probability, (n,) nats.

        Of equals the one with the smallest number. Arguments and errors as `distribution`.
        """
        left, right = self._aligned(left, right)
        best, probability = np.empty(len(left), np.int64), np.empty(len(left))
        for part in _parts(len(left)):
            rows = self.distribution(left[part], right[part])
            best[part], probability[part] = rows.argmax(axis=1), rows.max(axis=1)
        return best, np.log(probability)

    def log_probability(self, left: np.ndarray, right: np.ndarray, target: np.ndarray) -> np.ndarray:
        """Log-probability in nats of each target between its neighbours, (n,). Errors as `distribution`."""
        left, right, target = self._aligned(left, right, target)
        probability = np.empty(len(left))
        for part in _parts(len(left)):
            rows = self.distribution(left[part], right[part])
            probability[part] = rows[np.arange(len(rows)), target[part]]
        return np.log(probability)

    def _aligned(self, *arrays: np.ndarray) -> list[np.ndarray]:
        checked = [_checked(array, self.pairs.vocabulary).astype(np.int64) for array in arrays]
        lengths = [len(array) for array in checked]
        if len(set(lengths)) > 1:
            raise UserError(f"neighbours and targets have the lengths {', '.join(map(str, lengths))}: give "
                            "one of each for every position")
        return checked


def _parts(n: int) -> Iterator[slice]:
    return (slice(begin, begin + POSITIONS) for begin in range(0, n, POSITIONS))


def _checked(tokens: np.ndarray, vocabulary: int) -> np.ndarray:
    tokens = np.asarray(tokens)
    if tokens.ndim != 1 or not tokens.size:
        raise UserError(f"tokens have the shape {tokens.shape}: give one row of at least 1 token")
    if tokens.dtype.kind not in "iu":
        raise UserError(f"tokens are {tokens.dtype}, not integers: give their numbers in the vocabulary")
    if tokens.min() < 0 or tokens.max() >= vocabulary:
        raise UserError(f"tokens go from {tokens.min()} to {tokens.max()}, outside a vocabulary of "
                        f"{vocabulary}: give its whole size, or other tokens")
    return tokens.astype(np.int64) if tokens.dtype == np.uint64 else tokens     # int64 + uint64 is float64


def _starts(breaks: np.ndarray | None, n: int) -> np.ndarray | None:
    """(n + 1,) bool: whether another text begins before each of n tokens; None for one text."""
    if breaks is None:
        return None
    breaks, starts = np.asarray(breaks, dtype=np.int64), np.zeros(n + 1, dtype=bool)
    if breaks.size and (breaks.min() < 0 or breaks.max() > n):
        raise UserError(f"breaks go from {breaks.min()} to {breaks.max()}, outside a text of {n} tokens: "
                        f"give places from 0 to {n}")
    starts[breaks] = True
    return starts


def _refuse_order(order: int, vocabulary: int) -> None:
    if order < 1:
        raise UserError(f"the order of a count model is {order}: give 1 for single tokens, 3 for trigrams")
    if vocabulary ** order >= 2 ** 63:
        raise UserError(f"{order}-grams over a vocabulary of {vocabulary} do not fit into 63 bits: lower the "
                        "order or the vocabulary")
