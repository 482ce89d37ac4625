"""Predicts a token from its left and right neighbours, by counts."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.sparse import csr_array

from cwr.errors import UserError
from cwr.making.count_models import ngrams
from cwr.making.count_models.kneser_ney import KneserNey
from cwr.making.count_models.ngrams import Level, checked_tokens, text_starts

POSITIONS = 256  # rows of (positions, vocabulary) held at a time


@dataclass(frozen=True, eq=False)
class BothNeighbours:
    """A model p(w | left, right) by counts of (left, w, right), backed off to Kneser-Ney bigrams.

        p(w | l, r) = max(c(l w r) - D, 0) / c(l . r) + D N1+(l . r) / c(l . r) q(w | l, r)
        q(w | l, r) = p_KN(w | l) p_KN(r | w) / sum over v of p_KN(v | l) p_KN(r | v)

    q is the exact posterior of a first-order chain, > 0 for every w; D is the discount of the
    trigram counts. On a held-out sample this back-off did better than Witten-Bell's, in accuracy
    and in nats.
    """

    pairs: KneserNey  # order 2
    between: Level  # contexts left * vocabulary + right
    share_of_right: csr_array  # (vocabulary, vocabulary): row r: share of bigram w r in p(r | w)
    weight: np.ndarray  # (vocabulary,): of the unigram in p_KN(. | w)
    unigram: np.ndarray  # (vocabulary,)

    @classmethod
    def count(cls, tokens: np.ndarray, vocabulary: int, breaks: np.ndarray | None = None) -> Self:
        """Builds the model from a stream of tokens.

        tokens, vocabulary, breaks: as in `KneserNey.count` with order 3, with the same UserErrors.
        """
        tokens = checked_tokens(tokens, vocabulary)
        starts = text_starts(breaks, len(tokens))
        ngrams.refuse_order(3, vocabulary)
        keys = ngrams.pack(tokens, vocabulary, (0, 2, 1), starts)  # left, right, token
        between = Level.of(*ngrams.count(keys), vocabulary)
        pairs = KneserNey.count(tokens, vocabulary, 2, breaks)
        unigram = pairs.distribution(np.empty((1, 0), np.int64))[0]
        bigrams = pairs.levels[1]
        cells = (bigrams.keys % vocabulary, bigrams.keys // vocabulary)  # (right, token)
        share = csr_array((bigrams.share(bigrams.keys), cells), shape=(vocabulary, vocabulary))
        return cls(pairs, between, share, bigrams.weight(np.arange(vocabulary)), unigram)

    def distribution(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Computes p(w | left, right) for every token w; returns (n, vocabulary) float64.

        left, right: (n,) int tokens, n >= 1: the neighbours of n positions. Rows sum to 1. The
            whole result is held in memory; the other methods compute POSITIONS rows at a time.
        Raises UserError for tokens outside the vocabulary and arrays of different length.
        """
        left, right = self._aligned(left, right)
        rows = self.pairs.distribution(left[:, None])
        rows *= self.share_of_right[right].toarray() + self.unigram[right][:, None] * self.weight
        rows /= rows.sum(axis=1, keepdims=True)
        self.between.spread(left * self.pairs.vocabulary + right, rows)
        return rows

    def predict(self, left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Returns the most probable token at each position, (n,), and its log-probability, (n,).

        left, right: (n,) int tokens, the neighbours of each position. Log-probabilities are in
            nats. Of equally probable tokens the smallest number wins. Raises UserError as
            `distribution`.
        """
        left, right = self._aligned(left, right)
        best = np.empty(len(left), np.int64)
        probability = np.empty(len(left))
        for some in _slices(len(left)):
            rows = self.distribution(left[some], right[some])
            best[some] = rows.argmax(axis=1)
            probability[some] = rows.max(axis=1)
        return best, np.log(probability)

    def log_probability(
        self, left: np.ndarray, right: np.ndarray, target: np.ndarray
    ) -> np.ndarray:
        """Computes log p(target | left, right) at n positions; returns (n,), in nats.

        left, right, target: (n,) int tokens. Raises UserError as `distribution`.
        """
        left, right, target = self._aligned(left, right, target)
        probability = np.empty(len(left))
        for some in _slices(len(left)):
            rows = self.distribution(left[some], right[some])
            probability[some] = rows[np.arange(len(rows)), target[some]]
        return np.log(probability)

    def _aligned(self, *arrays: np.ndarray) -> list[np.ndarray]:
        vocabulary = self.pairs.vocabulary
        checked = [checked_tokens(array, vocabulary).astype(np.int64) for array in arrays]
        lengths = [len(array) for array in checked]
        if len(set(lengths)) > 1:
            raise UserError(
                f"neighbours and targets have the lengths "
                f"{', '.join(map(str, lengths))}: give one of each for every position"
            )
        return checked


def _slices(n: int) -> Iterator[slice]:
    return (slice(begin, begin + POSITIONS) for begin in range(0, n, POSITIONS))
