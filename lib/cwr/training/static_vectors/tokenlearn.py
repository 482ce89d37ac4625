"""Tokenlearn: vectors whose mean over a sentence is the teacher's mean over it.

MinishLab's Tokenlearn trains the vectors of Model2Vec so (its `tokenlearn/model.py` and, of its
losses, the mean squared error). It asks the mean of a sentence's vectors to equal what X2Static
asks each single word to score high with, so the two differ in their question alone. Here it stands
in its smallest form: all words weigh alike, the teacher's dimensions stay, so that of the linear
head a shift alone is left, the mean of all contexts; and it takes a number of updates as X2Static
does, where the released code stops when texts that were left out get no better.

    v words of the vocabulary, n sentences, dim dimensions, T words of a batch
"""

from dataclasses import replace

import numpy as np
import torch

from cwr.corpora.word_vectors import WordVectors
from cwr.estimates.contexts import Vocabulary
from cwr.training.static_vectors.negative_sampling import Batch, Settings, StaticLearner, fit

EVERY_WORD = {"negatives": 0, "threshold": 1.0}  # none is thinned out, and none is drawn


class Tokenlearn(StaticLearner):
    """The words' vectors while they are trained; in the space of contexts less their mean."""

    def __init__(
        self, matrix: np.ndarray, vocabulary: Vocabulary, start: np.ndarray, settings: Settings
    ):
        """Arguments and errors as `train`."""
        shape = (len(vocabulary.words), matrix.shape[1])
        if len(matrix) != len(vocabulary.tokens):
            raise ValueError(f"{len(matrix)} contexts for {len(vocabulary.tokens)} sentences")
        if start.shape != shape:
            raise ValueError(f"the start has the shape {start.shape}, the words need {shape}")
        has_word = [bool((tokens >= 0).any()) for tokens in vocabulary.tokens]
        every = replace(settings, **EVERY_WORD)
        super().__init__(vocabulary, matrix.shape[1], every, np.flatnonzero(has_word))
        self.matrix, self.mean = matrix, matrix.mean(axis=0)
        self.model["targets"].weight.data = torch.tensor(start - self.mean, dtype=torch.float32)

    def contexts(self, batch: Batch) -> torch.Tensor:
        """(T, dim) of each word's sentence."""
        return torch.from_numpy(self.matrix[batch.sentences] - self.mean)

    def loss(self, step: int) -> torch.Tensor:
        """The mean squared error of the sentences' mean vectors, over sentences and dimensions."""
        batch = self.sampler.draw(step)
        first = np.flatnonzero(np.diff(batch.sentences, prepend=-1))  # a sentence's words follow
        means = torch.nn.functional.embedding_bag(
            torch.from_numpy(batch.words[:, 0]),
            self.model["targets"].weight,
            torch.from_numpy(first),
            mode="mean",
            sparse=True,
        )
        return torch.nn.functional.mse_loss(means, self.contexts(batch)[first])


def train(
    matrix: np.ndarray, vocabulary: Vocabulary, start: np.ndarray, settings: Settings, name: str
) -> WordVectors:
    """A vector a word of the vocabulary, in its order.

    matrix: (n, dim) float32, the context of each sentence of the vocabulary. start: (v, dim), the
    vectors that are trained on, such as the words read alone. settings: of them rate, floor, batch,
    steps and seed count. name: what results call the row.
    Raises UserError for sentences without a word of the vocabulary and a loss that is no number;
    ValueError for arrays that do not fit the vocabulary.
    """
    return fit(Tokenlearn(matrix, vocabulary, start, settings), name)
