"""Trains probes that read whole sentences: a linear one, an MLP, and a biLSTM of the MLP's size.

Liu et al. (2019): the vectors of all layers are frozen and mixed with learned weights (b.6 of the
notes), and a softmax reads the labels. Before it stands one of three maps; of a span the softmax
gets the mean over its words, of a pair of spans the two means, their products (as in the source)
and absolute differences.

    linear   the mix itself
    mlp      a hidden layer with ReLU, word by word
    bilstm   a biLSTM over the sentence, with as many weights as the MLP has

So the biLSTM's gain over the MLP comes from context learned for the task, and not from size.

    N words of a batch, n targets, L layers, d dimensions, C labels, S seeds, F folds, K probes
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import nn

from cwr.corpora.edge_tasks import EdgeTask
from cwr.encoders.pieces import concatenated_ranges
from cwr.errors import UserError, hint, quoted
from cwr.texts.survey.edge_probes import ProbePredictions
from cwr.texts.survey.spans import Words
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
from cwr.training.loop import Learner, Schedule

LINEAR, MLP, BILSTM = PROBES = ("linear", "mlp", "bilstm")
READ_AT_ONCE = 64  # sentences, where nothing is learned
FASTER = 10.0  # than the other weights move those of the mix: in few updates they stay near even


@dataclass(frozen=True)
class Settings:
    """The settings of the probes: Adam, with a rate that falls along half a cosine.

    sentences, tested: the most sentences to learn from, and to test on in each fold, drawn by a
    hash of their names; 0: all. hidden: units of the MLP, from which those of the biLSTM follow.
    updates: steps of `batch` sentences each. rate: of the linear probe and the biLSTM; mlp_rate: of
    the MLP.
    """

    sentences: int = 600
    tested: int = 800
    hidden: int = 256
    updates: int = 95
    batch: int = 32
    rate: float = 1.5e-2
    mlp_rate: float = 4e-3
    seed: int = 0


class Probe(nn.Module):
    """A mix of layers, one of the three maps, and a softmax layer over the labels."""

    def __init__(self, kind: str, layers: int, dim: int, hidden: int, sides: int, labels: int):
        """Builds an untrained probe with an even mix. sides: `targets.vectors_a_target`.

        Raises UserError for another kind.
        """
        super().__init__()
        if kind not in PROBES:
            raise UserError(f"there is no probe {quoted(kind)}: {hint(kind, PROBES)}")
        self.kind, self.layers = kind, layers
        self.mix, self.scale = nn.Parameter(torch.zeros(layers)), nn.Parameter(torch.ones(1))
        width = dim
        if kind == MLP:
            self.map, width = nn.Linear(dim, hidden), hidden
        elif kind == BILSTM:
            units = matched_units(dim, hidden, sides, labels)
            self.map, width = nn.LSTM(dim, units, bidirectional=True), 2 * units
        self.labels = nn.Linear(sides * width, labels)

    @property
    def weights(self) -> torch.Tensor:
        """The share of each layer in the mix, (L,)."""
        return torch.softmax(FASTER * self.mix, dim=0)

    def forward(self, vectors: torch.Tensor, batch: SentenceBatch) -> torch.Tensor:
        """Computes logits of a batch's targets from its words' vectors: (L, N, d) -> (n, C)."""
        words = self.scale * torch.einsum("l,lnd->nd", self.weights, vectors)  # (N, d)
        if self.kind == MLP:
            words = torch.relu(self.map(words))
        elif self.kind == BILSTM:
            rows = nn.utils.rnn.pack_sequence(
                words.split(batch.lengths.tolist()), enforce_sorted=False
            )
            words = torch.cat(nn.utils.rnn.unpack_sequence(self.map(rows)[0]))
        return self.labels(batch.pooled(words))


def sizes(dim: int, hidden: int, sides: int, labels: int) -> dict[str, int]:
    """Counts the weights of each of the three probes besides its mix."""
    probes = {kind: Probe(kind, 1, dim, hidden, sides, labels) for kind in PROBES}
    mixing = 2  # the share of one layer, and the scale
    return {
        kind: sum(tensor.numel() for tensor in probe.parameters()) - mixing
        for kind, probe in probes.items()
    }


def matched_units(dim: int, hidden: int, sides: int, labels: int) -> int:
    """Returns the units of each direction that bring a biLSTM probe nearest to the MLP's size.

    A direction has four gates with weights of the input, of its last output, and two biases.
    """

    def of_bilstm(units: int) -> int:
        return 8 * units * (dim + units + 2) + (sides * 2 * units + 1) * labels

    of_mlp = hidden * (dim + 1) + (sides * hidden + 1) * labels
    return min(range(1, hidden + 1), key=lambda units: abs(of_bilstm(units) - of_mlp))


class Sentences:
    """The vectors of some sentences of a task, in memory, and their targets."""

    def __init__(self, words: Words, task: EdgeTask, numbers: np.ndarray):
        """numbers: of the sentences, ascending."""
        self.task, self.numbers, self.targets = task, numbers, Targets(task)
        lengths = self.targets.lengths[numbers]
        rows = concatenated_ranges(words.starts[numbers], lengths)
        layers = [np.asarray(layer)[rows] for layer in words.layers]
        self.vectors = torch.from_numpy(np.stack(layers).astype(np.float32, copy=False))
        self.starts = np.cumsum(lengths) - lengths

    def batch(self, numbers: np.ndarray) -> tuple[torch.Tensor, SentenceBatch]:
        """Returns the vectors (L, N, d) and the targets of some of the sentences, in this order."""
        batch = self.targets.batch(numbers)
        starts = self.starts[np.searchsorted(self.numbers, numbers)]
        return self.vectors[:, torch.from_numpy(concatenated_ranges(starts, batch.lengths))], batch


class SequenceLearner(Learner):
    """A learner of one probe, by cross-entropy."""

    def __init__(self, probe: Probe, sentences: Sentences, settings: Settings):
        self.model, self.sentences, self.settings = probe, sentences, settings
        self.steps = settings.updates
        self.identity = {"probe": probe.kind, "settings": repr(settings)}

    def loss(self, step: int) -> torch.Tensor:
        """Computes one batch's mean cross-entropy in nats; an epoch reads each sentence once."""
        sentences, settings = self.sentences, self.settings
        order = sentences.numbers, sentences.targets.lengths
        numbers = of_step(*order, step, settings.batch, settings.seed)
        vectors, batch = sentences.batch(numbers)
        return nn.functional.cross_entropy(self.model(vectors, batch), batch.gold)


def answers(
    words: Words,
    task: EdgeTask,
    settings: Settings = Settings(),
    kinds: Sequence[str] = PROBES,
    seeds: Sequence[int] = (0,),
) -> ProbePredictions:
    """Trains probes on the other folds, and predicts the tested sentences of each fold.

    settings: each of `seeds` replaces their seed. Returns predictions of the kinds ("linear",),
    ("mlp",) and ("bilstm",), by which `edge_probes.scores` scores them; a probe of a seed begins
    with the same weights in every fold.
    Raises UserError for another kind of probe, for settings without an update or a batch, and for
    vectors of another corpus.
    """
    _refuse(words, task, settings)
    folds = [_fold(words, task, fold, settings, kinds, seeds) for fold in task.folds]
    return predictions_of_folds(task, kinds, folds)


def _fold(words, task, fold, settings, kinds, seeds) -> FoldAnswers:
    learned, tested = (
        Sentences(words, task, drawn(task, fold, most, within))
        for most, within in ((settings.sentences, False), (settings.tested, True))
    )
    norms = learned.vectors.norm(dim=2).mean(dim=1).numpy()
    deviation, mean = torch.std_mean(learned.vectors, dim=1, correction=0, keepdim=True)
    for sentences in (learned, tested):
        sentences.vectors.sub_(mean).div_(torch.where(deviation > 0, deviation, 1))
    trained = [
        [train(kind, learned, replace(settings, seed=seed)) for kind in kinds] for seed in seeds
    ]
    logits = np.stack([[_logits(probe, tested) for probe in of_seed] for of_seed in trained])
    weights = [[probe.weights.detach().numpy() for probe in of_seed] for of_seed in trained]
    rows = tested.targets.batch(tested.numbers).rows
    return FoldAnswers(rows, logits, np.array(weights), norms)


def train(kind: str, sentences: Sentences, settings: Settings) -> Probe:
    """Trains a probe of this kind."""
    layers, _, dim = sentences.vectors.shape
    sides = vectors_a_target(sentences.task)
    with loop.seeded(settings.seed):
        probe = Probe(kind, layers, dim, settings.hidden, sides, len(sentences.task.labels))
    rate = settings.mlp_rate if kind == MLP else settings.rate
    schedule = Schedule(rate, second_moment=0.999, seed=settings.seed)
    for _ in loop.train(SequenceLearner(probe, sentences, settings), schedule, None):
        pass
    return probe.eval()


def _logits(probe: Probe, sentences: Sentences) -> np.ndarray:
    """Logits of all targets of the sentences, (n, C), sentence after sentence."""
    parts = []
    with torch.inference_mode():
        for begin in range(0, len(sentences.numbers), READ_AT_ONCE):
            numbers = sentences.numbers[begin : begin + READ_AT_ONCE]
            parts.append(probe(*sentences.batch(numbers)))
    return torch.cat(parts).numpy()


def _refuse(words: Words, task: EdgeTask, settings: Settings) -> None:
    if settings.updates < 1 or settings.batch < 1 or settings.hidden < 1:
        raise UserError(f"probes need at least 1 update, 1 sentence and 1 unit, got {settings}")
    if len(words.starts) != len(task.corpus.sentences) + 1:
        raise UserError(
            f"the task {task.name} is about {len(task.corpus.sentences)} sentences of "
            f"{task.corpus.name}, and the vectors are of {len(words.starts) - 1}: read that corpus"
        )
