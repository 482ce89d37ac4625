"""Trains Sent2Vec: X2Static's objective with a learned context instead of a teacher's.

Pagliardini et al. (2018), as Gupta and Jaggi (2021), equation 2, write it: a target's context is
the mean of the source vectors (V) of the sentence's other words and n-grams. Words are numbers, and
n-grams are hashed into buckets by fastText's rule, independent of PYTHONHASHSEED. Exported are the
*source* vectors of words, as by the released epfml/sent2vec; X2Static exports the targets' (U).

The optimiser is that of X2Static, with a rate of its own: the released code takes plain gradient
steps with a falling rate, drops tokens from n-grams, and draws a negative again that equals the
target.

    v words of the vocabulary, dim dimensions
    T targets of a batch
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from cwr.encoders.pieces import concatenated_ranges
from cwr.estimates.contexts import Vocabulary
from cwr.training.static_vectors import negative_sampling
from cwr.training.static_vectors.negative_sampling import (
    StaticLearner,
    TargetBatch,
    Visit,
    fit_vectors,
    initial_matrix,
)
from cwr.training.static_vectors.stopping import TrainedVectors

PRIME = np.uint64(116_049_371)  # of fastText's hash of word n-grams


@dataclass(frozen=True)
class Settings(negative_sampling.Settings):
    """The settings of a Sent2Vec training; for the others see `negative_sampling`.

    rate: ten times that of X2Static, since contexts are learned too; with 0.003 the held-out loss
    of a short text stands still from 140 updates to 560, and the chapter's rule ends a training
    that has hardly begun. dim: dimensions. longest: words of the longest n-gram (1: words alone).
    buckets: rows that all n-grams of two words or more share.
    """

    rate: float = 1e-2
    threshold: float = 1e-4
    dim: int = 192
    longest: int = 2
    buckets: int = 100_000


BASE = Settings()
SEARCHED = (  # what a search tries instead, each alone; the first changes nothing
    {},
    {"threshold": 1e-3},
    {"threshold": 1e-5},
    {"longest": 1},
)


def searched(base: Settings = BASE) -> list[Settings]:
    """Lists the settings that a search tries, in the order of the candidates' numbers in results.

    Table 2 has n-grams of up to three words, and the thresholds 1e-4, 1e-5 and 5e-6 for a text a
    thousand times as long; the thresholds here are for ours.
    """
    return [replace(base, **changes) for changes in SEARCHED]


class Sent2Vec(StaticLearner):
    """The matrices U and V during their training."""

    settings: Settings

    def __init__(self, vocabulary: Vocabulary, settings: Settings, holds_out: bool = False):
        """Arguments and errors as `train`; holds_out: as of a `StaticLearner`."""
        known = [tokens[tokens >= 0] for tokens in vocabulary.tokens]
        lengths = np.array([len(tokens) for tokens in known])
        usable = np.flatnonzero(lengths >= 2)
        super().__init__(vocabulary, settings.dim, settings, usable, holds_out)
        rows = len(vocabulary.words) + settings.buckets
        self.model["sources"] = initial_matrix(rows, settings.dim, settings.seed + 1)
        self.grams = _Grams(known, len(vocabulary.words), settings)
        is_known = vocabulary.tokens.flat >= 0
        self.known_position = np.cumsum(is_known) - 1  # among the words of the vocabulary

    def contexts(self, batch: TargetBatch) -> torch.Tensor:
        """Averages V over all n-grams of a sentence without the target, (T, dim) (equation 2).

        Computed as the sum over all n-grams minus the sum over those that cover the target.
        """
        sentences, which = np.unique(batch.sentences, return_inverse=True)
        whole, sizes = self._sums(*self.grams.of_sentences(sentences))
        positions = self.known_position[batch.positions]
        covering, covered = self._sums(*self.grams.covering(positions))
        return (whole[which] - covering) / (sizes[which] - covered)

    def vectors(self) -> np.ndarray:
        """Copies the words' current source vectors, (v, dim)."""
        words = len(self.vocabulary.words)
        return self.model["sources"].weight.detach()[:words].numpy().copy()

    def _sums(self, rows: np.ndarray, sizes: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
        """Sums of several rows of V each (bags, dim), and their numbers (bags, 1).

        rows: (sum of sizes,), bag after bag. sizes: (bags,).
        """
        counts = torch.from_numpy(sizes)
        sums = torch.nn.functional.embedding_bag(
            torch.from_numpy(rows),
            self.model["sources"].weight,
            counts.cumsum(0) - counts,
            mode="sum",
            sparse=True,
        )
        return sums, counts[:, None]


class _Grams:
    """The rows of V of all n-grams of a text: of each position, those that begin there.

    Those of some length that cover a position begin at it or up to length - 1 positions before it.
    """

    def __init__(self, known: list[np.ndarray], words: int, settings: Settings):
        """known: of each sentence the numbers of its words that are in the vocabulary."""
        self.longest = settings.longest
        self.lengths = np.array([len(tokens) for tokens in known])
        self.first = np.cumsum(self.lengths) - self.lengths
        tokens = np.concatenate(known)
        ends = np.repeat(np.cumsum(self.lengths), self.lengths)
        self.right = ends - 1 - np.arange(len(tokens))  # words of the sentence behind a position
        self.rows = [tokens]  # by length; where no n-gram of it begins, the row means nothing
        key = tokens.astype(np.uint64)
        for length in range(2, self.longest + 1):
            following = np.roll(tokens, 1 - length).astype(np.uint64)
            key = key * PRIME + following
            self.rows.append(words + (key % np.uint64(settings.buckets)).astype(np.int64))

    def of_sentences(self, sentences: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The rows of each sentence's n-grams, sentence after sentence, and how many each has."""
        positions = concatenated_ranges(self.first[sentences], self.lengths[sentences])
        sentence = np.repeat(np.arange(len(sentences)), self.lengths[sentences])
        begins = [(sentence, positions, length) for length in range(1, self.longest + 1)]
        return self._bags(begins, len(sentences))

    def covering(self, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The rows of the n-grams that cover each position, one after the other, and how many."""
        target = np.arange(len(positions))
        begins = [
            (target, positions - back, length)  # from the sentence before it, it does not fit
            for length in range(1, self.longest + 1)
            for back in range(length)
        ]
        return self._bags(begins, len(positions))

    def _bags(
        self, begins: list[tuple[np.ndarray, np.ndarray, int]], bags: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Rows in the order of their bags, and the bags' sizes (bags,).

        begins: of n-grams, the bags they belong to, where they begin, and their length; those that
        end behind their sentence are left out.
        """
        bag, rows = [], []
        for which, position, length in begins:
            fits = self.right[position] >= length - 1
            bag.append(which[fits])
            rows.append(self.rows[length - 1][position[fits]])
        bag, rows = np.concatenate(bag), np.concatenate(rows)
        order = np.argsort(bag, kind="stable")
        return rows[order], np.bincount(bag, minlength=bags)


def train(
    vocabulary: Vocabulary,
    settings: Settings,
    name: str = "SENT2VEC",
    folder: Path | None = None,
    visits: Collection[int] = (),
    visit: Visit | None = None,
    until: float | None = None,
) -> TrainedVectors:
    """Trains a vector for each word of the vocabulary from its sentences alone.

    Words out of the vocabulary are no part of a context. name, folder, visits, visit, until: those
    of `negative_sampling.fit_vectors`.
    Raises UserError for a threshold that leaves hardly a target, for a text without two words in a
    sentence, a checkpoint of another run, and a loss that is no number.
    """
    learner = Sent2Vec(vocabulary, settings, until is not None)
    return fit_vectors(learner, name, folder, visits, visit, until)
