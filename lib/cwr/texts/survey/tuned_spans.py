"""Trains a whole encoder on labels of spans, with a linear head, to compare it with frozen vectors.

Peters, Ruder and Smith (2019), "To Tune or Not to Tune?", compare vectors that are frozen under a
model of the task with a model that learns as a whole. Here both have the same head (a learned mix
of all layers and a softmax over the labels of the mean of a span, `texts.survey.sequences`), see
the same sentences in the same order, and begin alike; only the encoder is frozen or learns.

    N words of a batch end to end, L layers, d dimensions, n targets, C labels
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from cwr.corpora.edge_tasks import EdgeTask
from cwr.encoders.encoder import Encoder
from cwr.encoders.pieces import SentenceLike
from cwr.errors import UserError
from cwr.texts.survey.edge_probes import ProbePredictions
from cwr.texts.survey.targets import (
    FoldAnswers,
    SentenceBatch,
    Targets,
    drawn,
    of_step,
    predictions_of_folds,
    vectors_a_target,
)
from cwr.training import loop
from cwr.training.finetuning.updates import fingerprint_of
from cwr.training.loop import Learner, Schedule

TUNED = "tuned"
READ_AT_ONCE = 64  # sentences, where nothing is learned


@dataclass(frozen=True)
class Settings:
    """The settings of tuning: Adam, with a rate that falls along half a cosine.

    sentences, tested, updates, batch: as in `texts.survey.sequences.Settings`.
    """

    sentences: int = 0
    tested: int = 800
    updates: int = 200
    batch: int = 16
    rate: float = 1e-3
    seed: int = 0


class TunedSpans(nn.Module):
    """A copy of an encoder with a mix of its layers and a softmax layer; all of it learns.

    encoder: the copy, which probes can read as any other. shift, scale: (L, 1, d), subtracted from
    a layer's vectors and divided by, so that these begin with variance 1.
    """

    def __init__(self, encoder: Encoder, task: EdgeTask, shift: torch.Tensor, scale: torch.Tensor):
        super().__init__()
        self.encoder = copy.deepcopy(encoder)  # the caller's weights stay as they are
        self.body = self.encoder.model.requires_grad_(True)
        self.task, self.targets = task, Targets(task)
        self.register_buffer("shift", shift)
        self.register_buffer("scale", scale)
        self.mix = nn.Parameter(torch.zeros(encoder.n_layers + 1))
        self.labels = nn.Linear(vectors_a_target(task) * encoder.dim, len(task.labels))
        self.to(encoder.device)

    @property
    def weights(self) -> torch.Tensor:
        """The share of each layer in the mix, (L,)."""
        return torch.softmax(self.mix, dim=0)

    def forward(self, numbers: np.ndarray) -> tuple[torch.Tensor, SentenceBatch]:
        """Computes logits (n, C) of these sentences' targets; returns them with the targets."""
        batch = self.targets.batch(numbers)
        vectors = word_vectors(self.encoder, [self.task.corpus.sentences[n] for n in numbers])
        words = torch.einsum("l,lnd->nd", self.weights, (vectors - self.shift) / self.scale)
        return self.labels(batch.pooled(words)), batch


def word_vectors(encoder: Encoder, sentences: Sequence[SentenceLike]) -> torch.Tensor:
    """Averages each word's pieces in every layer, (L, N, d), with gradients if enabled.

    A piece belongs to the word of its last character; beyond the window it counts in each row it
    stands in. A word without pieces is a zero vector.
    """
    output = encoder.forward(sentences)
    pieces = output.pieces
    rows, columns = np.nonzero(pieces.mask.cpu().numpy().astype(bool) & ~pieces.special)
    sentence, ends = pieces.sentence[rows], pieces.span[rows, columns, 1]
    lengths = np.array([len(each.spans) for each in sentences])
    first = np.cumsum(lengths) - lengths
    word = np.empty(len(rows), dtype=np.int64)
    for number in np.unique(sentence):
        starts = [start for start, _ in sentences[number].spans]
        is_of = sentence == number
        word[is_of] = first[number] + np.searchsorted(starts, ends[is_of] - 1, side="right") - 1
    index = torch.from_numpy(word).to(output.hidden.device)
    vectors = output.hidden[:, torch.from_numpy(rows), torch.from_numpy(columns)]  # (L, pieces, d)
    sums = vectors.new_zeros(len(vectors), lengths.sum(), vectors.shape[2])
    counts = torch.bincount(index, minlength=int(lengths.sum())).clamp(min=1)
    return sums.index_add(1, index, vectors) / counts[:, None]


class SpanLearner(Learner):
    """A learner of an encoder and its task's labels, by cross-entropy."""

    def __init__(self, model: TunedSpans, sentences: np.ndarray, settings: Settings):
        self.model, self.sentences, self.settings = model, sentences, settings
        self.steps = settings.updates
        self.identity = {"task": model.task.name, "settings": repr(settings)}

    def loss(self, step: int) -> torch.Tensor:
        """Computes one batch's mean cross-entropy in nats; an epoch reads each sentence once."""
        self.model.train()
        settings, order = self.settings, (self.sentences, self.model.targets.lengths)
        logits, batch = self.model(of_step(*order, step, settings.batch, settings.seed))
        return nn.functional.cross_entropy(logits, batch.gold.to(logits.device))


def tune(encoder: Encoder, task: EdgeTask, sentences: np.ndarray, settings: Settings) -> TunedSpans:
    """Tunes a copy of the encoder on the targets of these sentences, (any,) numbers.

    Raises UserError for a negative number of updates and a batch without a sentence.
    """
    if settings.updates < 0 or settings.batch < 1:
        raise UserError(f"tuning needs at least 1 sentence a batch and 0 updates, got {settings}")
    some = sentences[:: -(-len(sentences) // READ_AT_ONCE)]  # whose vectors give shift and scale
    with torch.no_grad():
        vectors = word_vectors(encoder, [task.corpus.sentences[number] for number in some])
    deviation, mean = torch.std_mean(vectors, dim=1, correction=0, keepdim=True)
    with loop.seeded(settings.seed):
        model = TunedSpans(encoder, task, mean, torch.where(deviation > 0, deviation, 1))
    schedule = Schedule(settings.rate, warm_up=0.1, second_moment=0.999, seed=settings.seed)
    for _ in loop.train(SpanLearner(model, sentences, settings), schedule, None):
        pass
    weights = {name: tensor.detach().cpu() for name, tensor in model.body.state_dict().items()}
    model.encoder.fingerprint = fingerprint_of(encoder.fingerprint, weights)
    return model.eval().requires_grad_(False)


def answers(encoder: Encoder, task: EdgeTask, settings: Settings = Settings()) -> ProbePredictions:
    """Tunes an encoder on the other folds, and predicts the tested sentences of each fold.

    Returns predictions of the one kind ("tuned",). Raises UserError as `tune`.
    """
    folds = []
    for fold in task.folds:
        model = tune(encoder, task, drawn(task, fold, settings.sentences, False), settings)
        tested = drawn(task, fold, settings.tested, True)
        parts = []
        with torch.inference_mode():
            for begin in range(0, len(tested), READ_AT_ONCE):
                parts.append(model(tested[begin : begin + READ_AT_ONCE])[0])
        logits = torch.cat(parts).cpu().numpy()[None, None]
        norms = (model.shift.square() + model.scale.square()).sum(dim=2).sqrt()[:, 0].cpu().numpy()
        rows = model.targets.batch(tested).rows
        folds.append(FoldAnswers(rows, logits, model.weights.cpu().numpy()[None, None], norms))
    return predictions_of_folds(task, (TUNED,), folds)
