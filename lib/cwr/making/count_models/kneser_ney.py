"""Predicts a token from the tokens before it, by counts with Kneser-Ney smoothing.

No library serves here. NLTK's KneserNeyInterpolated is pure Python over dictionaries, too slow for
tens of millions of tokens, and has one fixed discount for all orders. KenLM counts in a C++ program
that its Python package lacks, has modified Kneser-Ney only, and no contexts on both sides.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from cwr.errors import UserError
from cwr.making.count_models import ngrams
from cwr.making.count_models.ngrams import Level, checked_tokens, text_starts


@dataclass(frozen=True, eq=False)
class KneserNey:
    """A language model by interpolated Kneser-Ney smoothing, with one absolute discount per order.

        p(w | h) = max(c(h w) - D, 0) / c(h .) + D N1+(h .) / c(h .) p(w | h')

    where h' is h without its first token.
    Kneser and Ney (1995), interpolated with D = n1 / (n1 + 2 n2) as in Chen and Goodman (1998,
    TR-10-98; short version 1999). At the highest order c counts n-grams. Below it c(h w) is N1+(. h
    w), the number of different tokens before h w (continuation counts). The order below the
    unigrams is uniform: every token has probability > 0. A token with fewer than order - 1
    predecessors in its text gets a lower order.
    """

    vocabulary: int
    levels: tuple[Level, ...]  # unigrams first

    @classmethod
    def count(
        cls, tokens: np.ndarray, vocabulary: int, order: int = 3, breaks: np.ndarray | None = None
    ) -> Self:
        """Builds the model from a stream of tokens.

        tokens: (n,) int in [0, vocabulary), n >= 1; `tokens[::-1]` (and n - breaks) give the
            backward model.
        order: length of the longest n-grams, >= 1, with vocabulary ** order below 2 ** 63.
        breaks: positions b, 0 <= b <= n, where a new text begins before tokens[b]; no n-gram
            crosses them. None: all is one text.
        Raises UserError for an empty text, tokens that are not integers or not in the vocabulary,
        an order out of range, and breaks outside the text.
        """
        tokens = checked_tokens(tokens, vocabulary)
        starts = text_starts(breaks, len(tokens))
        ngrams.refuse_order(order, vocabulary)
        distinct, counts = ngrams.count(ngrams.pack(tokens, vocabulary, range(order), starts))
        levels = [Level.of(distinct, counts, vocabulary)]
        for length in range(order - 1, 0, -1):
            levels.insert(0, Level.of(*ngrams.count(distinct % vocabulary**length), vocabulary))
            # not the level's keys: an n-gram at the beginning of a text is the end of no longer one
            distinct, _ = ngrams.count(ngrams.pack(tokens, vocabulary, range(length), starts))
        return cls(vocabulary, tuple(levels))

    @property
    def order(self) -> int:
        """The length of the longest n-grams that were counted."""
        return len(self.levels)

    def log_probability(self, tokens: np.ndarray, breaks: np.ndarray | None = None) -> np.ndarray:
        """Computes each token's log-probability given the tokens before it; returns (n,), in nats.

        tokens, breaks: as in `count`, with the same UserErrors. Contexts do not cross breaks.
        """
        tokens = checked_tokens(tokens, self.vocabulary)
        starts = text_starts(breaks, len(tokens))
        probability = np.full(len(tokens), 1 / self.vocabulary)
        for length, level in enumerate(self.levels, start=1):
            complete = ngrams.within(len(tokens), length, starts)
            ends = np.flatnonzero(complete) + length - 1
            keys = ngrams.pack(tokens, self.vocabulary, range(length), starts)
            probability[ends] = level.mix(keys, probability[ends])
        return np.log(probability)

    def distribution(self, contexts: np.ndarray) -> np.ndarray:
        """Computes p(w | context) for every token w; returns (n, vocabulary) float64.

        contexts: (n, m) int, m < order tokens in the order of the text; m = 0 gives the unigram
            distribution. Rows of the result sum to 1.
        Raises UserError for contexts that are too long and tokens outside the vocabulary.
        """
        contexts = np.asarray(contexts)
        if contexts.ndim != 2 or contexts.shape[1] >= self.order:
            raise UserError(
                f"contexts have the shape {contexts.shape}, but a model of order "
                f"{self.order} looks back {self.order - 1} tokens: give (n, m) with m "
                "at most that"
            )
        n, width = contexts.shape
        if width:
            contexts = checked_tokens(contexts.ravel(), self.vocabulary).reshape(n, width)
        unigram = np.full((1, self.vocabulary), 1 / self.vocabulary)
        self.levels[0].spread(np.zeros(1, np.int64), unigram)
        rows = np.repeat(unigram, n, axis=0)
        for length in range(1, width + 1):
            keys = np.zeros(n, np.int64)
            for column in range(width - length, width):
                keys = keys * self.vocabulary + contexts[:, column]
            self.levels[length].spread(keys, rows)
        return rows
