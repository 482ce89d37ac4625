"""Defines negative sampling, the objective that X2Static and Sent2Vec share.

Gupta and Jaggi (2021), equation 1. A target is a word of a sentence. Training raises its score with
the vector of its context, and lowers the scores of words drawn at random, its negatives. The
learner defines the context: `x2static` takes it from a contextual model, `sent2vec` learns it.

    v words of the vocabulary, dim dimensions
    n sentences, T targets of a batch, K negatives of a target
"""

import abc
import hashlib
import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from cwr.corpora.word_vectors import WordVectors
from cwr.encoders.pieces import concatenated_ranges
from cwr.errors import UserError
from cwr.estimates.contexts import Vocabulary
from cwr.extraction.cache import release
from cwr.training import loop
from cwr.training.cached import array_fingerprint
from cwr.training.static_vectors.stopping import Course, TrainedVectors, doublings, split_held_out

LARGEST_SCORE = 20.0  # beyond it a score has no gradient, as in the released code
LEAST_SHARE = 0.01  # of a text's words that have to be targets
ORDER, STEP = 0, 1  # what a generator draws: the order of an epoch, or a step's batch
Visit = Callable[[int, WordVectors], None]


@dataclass(frozen=True)
class Settings:
    """The settings of a training: the values of Table 1, except for the threshold and the steps.

    negatives: words drawn against each target. power: a word is drawn in proportion to its count to
    this power (word2vec: 0.75). threshold: words more frequent than about this share are thinned
    out as targets (`kept_shares`). rate: the optimiser's; floor: the share of the rate at the end
    (1: constant). batch: sentences per step. steps: the updates of a training, or the largest
    number if the held-out loss ends it. held_out: such a training holds out one in `held_out`
    sentences.
    """

    negatives: int = 10
    power: float = 0.5
    threshold: float = 1e-5
    rate: float = 1e-3
    floor: float = 1.0
    batch: int = 128
    steps: int = 1000
    seed: int = 0
    held_out: int = 20


def kept_shares(counts: np.ndarray, threshold: float) -> np.ndarray:
    """Computes each word's probability of being a target, min(1, sqrt(t/f) + t/f), (v,).

    f is a word's share of all occurrences in the vocabulary, t the threshold. This is the rule of
    fastText and of the released code; the text says "similar to fastText" (section 4.1).
    counts: (v,).
    """
    ratio = threshold / (counts / counts.sum())
    return np.minimum(1.0, np.sqrt(ratio) + ratio)


def loss(scores: torch.Tensor) -> torch.Tensor:
    """Averages equation 1 over targets: l(target) + sum of l(-negative), with l(x) = log(1 + e^-x).

    scores: (T, 1 + K), the target's score, then its negatives' scores; clipped to ±LARGEST_SCORE.
    The loss is 0 without a target.
    """
    signs = torch.ones(scores.shape[1], dtype=scores.dtype)
    signs[0] = -1.0
    scores = scores.clamp(-LARGEST_SCORE, LARGEST_SCORE)
    return torch.nn.functional.softplus(signs * scores).sum() / max(1, len(scores))


def vocabulary_fingerprint(vocabulary: Vocabulary) -> str:
    """Computes the sha256 over a vocabulary's words, counts, and sentences."""
    digest = hashlib.sha256(json.dumps(vocabulary.words).encode())
    for numbers in (vocabulary.counts, vocabulary.tokens.lengths, vocabulary.tokens.flat):
        digest.update(array_fingerprint(numbers).encode())
    return digest.hexdigest()


# ---- targets and negatives


@dataclass(frozen=True)
class TargetBatch:
    """The targets of a training step, with their negatives.

    sentences: (T,) the sentence of each target. positions: (T,) the number of the target among the
    words of all sentences.
    words: (T, 1 + K), the target, then its negatives.
    """

    sentences: np.ndarray
    positions: np.ndarray
    words: np.ndarray


class Sampler:
    """A sampler of each step's batch; seed and step alone decide the batch."""

    def __init__(self, vocabulary: Vocabulary, settings: Settings, sentences: np.ndarray):
        """sentences: (any,) the numbers of the sentences that have targets.

        Raises UserError for no such sentence, and for a threshold that leaves too few targets.
        """
        if not len(sentences):
            raise UserError(
                "no sentence has a word that can be predicted from others: take more text, or ask "
                "for fewer occurrences of a word"
            )
        self.settings, self.sentences = settings, sentences
        self.epoch, self.order = -1, sentences  # of the epoch that is under way
        self.text = vocabulary.tokens
        counts = vocabulary.counts
        shares = kept_shares(counts, settings.threshold)
        _refuse_too_few(float(shares @ counts / counts.sum()), settings.threshold)
        self.kept_shares = np.append(shares, 0.0)  # the last is read by -1
        weights = counts.astype(np.float64) ** settings.power
        self.cumulative = np.cumsum(weights) / weights.sum()

    def draw(self, step: int) -> TargetBatch:
        """Draws the batch of a step: its sentences, targets among their words, and negatives."""
        draw = self._generator(STEP, step)
        sentences = self._sentences(step)
        lengths = self.text.lengths[sentences]
        positions = concatenated_ranges(self.text.first[sentences], lengths)
        targets = self.text.flat[positions]
        release(self.text.flat)
        is_target = draw.random(len(targets)) < self.kept_shares[targets]
        targets = targets[is_target][:, None]  # (T, 1)
        chances = draw.random((len(targets), self.settings.negatives))
        negatives = np.searchsorted(self.cumulative[:-1], chances, side="right")  # (T, K)
        words = np.concatenate([targets, negatives], axis=1)
        sentence = np.repeat(sentences, lengths)
        return TargetBatch(sentence[is_target], positions[is_target], words)

    def _sentences(self, step: int) -> np.ndarray:
        """Returns a step's sentences, (any,): an epoch reads each once, in a new order."""
        batches = -(-len(self.sentences) // self.settings.batch)  # of an epoch
        epoch, number = divmod(step, batches)
        if epoch != self.epoch:
            order = self._generator(ORDER, epoch).permutation(self.sentences)
            self.epoch, self.order = epoch, order
        first = number * self.settings.batch
        return self.order[first : first + self.settings.batch]

    def _generator(self, kind: int, number: int) -> np.random.Generator:
        return np.random.default_rng((self.settings.seed, kind, number))


def _refuse_too_few(share: float, threshold: float) -> None:
    """Raises UserError if less than LEAST_SHARE of the words would be targets."""
    if share < LEAST_SHARE:
        raise UserError(
            f"at the threshold {threshold:g} only {share:.2%} of the words are targets, too few to "
            "learn from: a text this short needs at least 1e-4"
        )


# ---- learning


class StaticLearner(loop.Learner):
    """A learner of one vector per word, by `loss`; a subclass defines the contexts."""

    largest_gradient = None  # the gradients are sparse, and have no norm

    def __init__(
        self,
        vocabulary: Vocabulary,
        dim: int,
        settings: Settings,
        usable: np.ndarray,
        holds_out: bool = False,
    ):
        """usable: (any,) the numbers of sentences that have a context and a word to predict.

        holds_out: whether some of these sentences are left out of the training, for
        `held_out_loss`. Raises UserError as `Sampler`, and for a text with too little to hold out.
        """
        self.vocabulary, self.settings, self.steps = vocabulary, settings, settings.steps
        if holds_out:
            usable, held_out = split_held_out(usable, settings.held_out)
            self.held_out_batch = _whole(vocabulary, settings, held_out)
        self.sampler = Sampler(vocabulary, settings, usable)
        targets = initial_matrix(len(vocabulary.words), dim, settings.seed)
        self.model = torch.nn.ModuleDict({"targets": targets})
        self.identity = {"settings": repr(settings), "text": vocabulary_fingerprint(vocabulary)}

    @abc.abstractmethod
    def contexts(self, batch: TargetBatch) -> torch.Tensor:
        """Returns the vector of each target's context, (T, dim)."""

    def loss(self, step: int) -> torch.Tensor:
        """Computes the mean loss of a step's targets."""
        return self.loss_of(self.sampler.draw(step))

    def held_out_loss(self) -> float:
        """Computes the mean loss of targets in held-out sentences, the same in each call."""
        with torch.no_grad():
            return float(self.loss_of(self.held_out_batch))

    def loss_of(self, batch: TargetBatch) -> torch.Tensor:
        """Computes the mean loss of a batch's targets."""
        rows = self.model["targets"](torch.from_numpy(batch.words))  # (T, 1 + K, dim)
        return loss(torch.einsum("tkd,td->tk", rows, self.contexts(batch)))

    def optimiser(self, schedule: loop.Schedule) -> torch.optim.Optimizer:
        """Returns lazy Adam (section 4.1): rows without a target or negative do not change."""
        return torch.optim.SparseAdam(list(self.model.parameters()), lr=schedule.rate)

    def vectors(self) -> np.ndarray:
        """Returns a copy of the words' current vectors, (v, dim)."""
        return self.model["targets"].weight.detach().numpy().copy()


def initial_matrix(rows: int, dim: int, seed: int) -> torch.nn.Embedding:
    """Draws an initial matrix (rows, dim): uniform between -1/dim and 1/dim, as released."""
    with loop.seeded(seed):
        matrix = torch.nn.Embedding(rows, dim, sparse=True)
        torch.nn.init.uniform_(matrix.weight, -1 / dim, 1 / dim)
    return matrix


def _whole(vocabulary: Vocabulary, settings: Settings, sentences: np.ndarray) -> TargetBatch:
    """Draws the targets of these sentences once. Raises UserError if there are none."""
    batch = Sampler(vocabulary, replace(settings, batch=len(sentences)), sentences).draw(0)
    if not len(batch.words):
        raise UserError(
            f"the {len(sentences)} sentences held out have no target at the threshold "
            f"{settings.threshold:g}: take more text, or a higher threshold"
        )
    return batch


def fit_vectors(
    learner: StaticLearner,
    name: str,
    folder: Path | None = None,
    visits: Collection[int] = (),
    visit: Visit | None = None,
    until: float | None = None,
) -> TrainedVectors:
    """Trains to the end and returns the vectors, with the words in the order of the vocabulary.

    name: the row's name in results. folder: holds a checkpoint, from which training continues;
    None: none is written. visit: called with the number of steps done and the current vectors
    whenever that number is in `visits` and the training reaches it. until: the training ends where
    doubling the updates lowers the held-out loss by less than this share, at the latest after the
    learner's number of steps; None: always after this number.
    Raises UserError as `training.loop.train`; ValueError for `until` with a checkpoint, which does
    not hold the course.
    """
    if until is not None and folder is not None:
        raise ValueError("a training with a checkpoint has a fixed number of updates: no `until`")

    settings = learner.settings
    schedule = loop.Schedule(settings.rate, floor=settings.floor, seed=settings.seed)
    words = tuple(learner.vocabulary.words)

    def look(step: int) -> None:
        visit(step, TrainedVectors(name, words, learner.vectors()))

    steps = loop.train(learner, schedule, folder, visit=visit and look, visits=visits)
    course = _followed(learner, steps, until)
    if visit and course is not None and course.is_flat and course.updates[-1] in visits:
        look(course.updates[-1])  # the loop was left before it could
    return TrainedVectors(name, words, learner.vectors(), course=course)


def _followed(
    learner: StaticLearner, steps: Iterator[loop.Progress], until: float | None
) -> Course | None:
    """Runs a training's steps, with `until` while its course is not flat; returns the course."""
    if until is None:
        for _ in steps:
            pass
        return None
    looks, course = doublings(learner.steps), Course((), (), until)
    for progress in steps:
        if progress.step in looks:
            course = course.after(progress.step, learner.held_out_loss())
            if course.is_flat:
                break
    return course
