"""Trains X2Static, one vector per word, to predict a sentence's words from a contextual model.

Gupta and Jaggi (2021), section 3. The contexts of equation 1 come from a teacher, whose weights are
fixed: the mean of the contextual vectors of a sentence, read alone (equation 3) or in its paragraph
(equation 4). Only the target matrix U is trained; its rows have the teacher's dimensions. The
released code is `learn_from_*_ver2*.py` of epfml/X2Static.

    v words of the vocabulary, dim dimensions of the teacher
    n sentences, m words of all sentences, T targets of a batch
"""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from cwr.estimates.contexts import Vocabulary
from cwr.extraction.cache import release
from cwr.training.cached import array_fingerprint
from cwr.training.static_vectors import negative_sampling
from cwr.training.static_vectors.negative_sampling import (
    StaticLearner,
    TargetBatch,
    Visit,
    fit_vectors,
)
from cwr.training.static_vectors.stopping import TrainedVectors

TARGETS = ("within", "left out")


@dataclass(frozen=True)
class Settings(negative_sampling.Settings):
    """The settings of a distillation; for the others see `negative_sampling.Settings`.

    target: "within" the mean that predicts it, as in equations 3 and 4, or "left out" of it.
    Raises ValueError for another target.
    """

    target: str = "within"

    def __post_init__(self):
        """Checks the target; see the class for errors."""
        if self.target not in TARGETS:
            raise ValueError(f"a target is {' or '.join(TARGETS)}, not {self.target!r}")


class X2Static(StaticLearner):
    """A learner of X2Static's word vectors, the matrix U, from a teacher's contexts."""

    settings: Settings

    def __init__(
        self,
        matrix: np.ndarray,
        vocabulary: Vocabulary,
        settings: Settings,
        word_vectors: np.ndarray | None = None,
        holds_out: bool = False,
    ):
        """Takes the arguments of `train`, with its errors; holds_out: as in `StaticLearner`."""
        lengths = vocabulary.tokens.lengths
        _check(matrix, lengths, settings, word_vectors)
        has_word = np.array([bool((tokens >= 0).any()) for tokens in vocabulary.tokens])
        least = 1 if settings.target == "within" else 2  # words of a sentence
        usable = np.flatnonzero(has_word & (lengths >= least))
        super().__init__(vocabulary, matrix.shape[1], settings, usable, holds_out)
        self.matrix, self.word_vectors = matrix, word_vectors
        self.identity |= {"contexts": array_fingerprint(matrix)}

    def contexts(self, batch: TargetBatch) -> torch.Tensor:
        """Returns each target's context, its sentence's mean (equation 3 or 4), (T, dim).

        Without a target's vector M_t, the mean E of a sentence S is (|S| E - M_t) / (|S| - 1).
        """
        means = np.asarray(self.matrix[batch.sentences], np.float32)  # (T, dim)
        release(self.matrix)
        if self.settings.target == "left out":
            lengths = self.sampler.text.lengths[batch.sentences][:, None]
            targets = self.word_vectors[batch.positions]  # (T, dim)
            means = ((lengths * means - targets) / (lengths - 1)).astype(np.float32)
        return torch.from_numpy(means)


def _check(
    matrix: np.ndarray, lengths: np.ndarray, settings: Settings, word_vectors: np.ndarray | None
) -> None:
    """Raises ValueError for contexts that are not those of the vocabulary's sentences or words."""
    if len(matrix) != len(lengths):
        raise ValueError(f"{len(matrix)} contexts for {len(lengths)} sentences")
    if settings.target == "left out":
        vectors = 0 if word_vectors is None else len(word_vectors)
        if vectors != lengths.sum():
            raise ValueError(
                f"a target is left out by its own vector: got {vectors} for {lengths.sum()} words"
            )


def train(
    matrix: np.ndarray,
    vocabulary: Vocabulary,
    settings: Settings,
    name: str,
    folder: Path | None = None,
    visits: Collection[int] = (),
    visit: Visit | None = None,
    word_vectors: np.ndarray | None = None,
    until: float | None = None,
) -> TrainedVectors:
    """Trains one vector per word from a teacher's contexts, in the order of the vocabulary.

    matrix: (n, dim) float32, the context of each sentence of the vocabulary; may be mapped into
    memory. name, folder, visits, visit, until: as in `negative_sampling.fit_vectors`. word_vectors: (m,
    dim) the teacher's vector of each word of the text, in its order; only for left-out targets.
    Raises UserError for a threshold that leaves too few targets, sentences without a word of the
    vocabulary, a checkpoint of another run, and a NaN loss; ValueError for arrays that do not fit
    the vocabulary.
    """
    learner = X2Static(matrix, vocabulary, settings, word_vectors, until is not None)
    return fit_vectors(learner, name, folder, visits, visit, until)
