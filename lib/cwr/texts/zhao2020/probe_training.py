"""Trains one binary classifier ("probe") per layer and class, all of them at once.

Zhao et al. (2020), section 3.2 and appendix A.2: each semantic class has a network that tells
whether a vector is of that class. It has one hidden layer with ReLU and two outputs, learns at a
rate of 0.001, and all contexts of other classes are its negatives. Our choices, on which
the paper is silent: Adam, the batch, no regularisation, inputs standardised by the training
contexts, and for each probe the weights after its epoch of lowest loss on the dev contexts. A probe
that has learned is settled once a doubling of its epochs, to `EARLIEST` at least, hardly lowers the
loss (`Settings.until`); later epochs do not count for it, and a class whose probes are all settled
is trained no further.

A probe has its own weights, its own end and its own part of the loss, and Adam treats each number
by itself, so training probes together gives the same as training them one by one. The vectors of a
layer are multiplied once, by the hidden weights of all classes.

    L layers, C classes, n contexts, b of them in a batch, d dimensions, h hidden units of a probe
"""

import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn.functional import relu, softplus

from cwr.errors import UserError, quoted
from cwr.training import loop
from cwr.training.loop import Learner, Schedule

OUTPUTS = 2  # no, yes
EARLIEST = 12  # epochs before any probe is settled: in the first ones the loss on dev jumps
READ_AT_ONCE = 1024  # contexts, where nothing is learned


@dataclass(frozen=True)
class Settings:
    """The settings of a training. The paper has 1,024 hidden units, 400 epochs and this rate.

    hidden: units of the hidden layer; 0: none, the probe is linear. epochs: at most.
    until: a learned probe is settled when a doubling of its epochs, to `EARLIEST` or more, lowers
        its lowest dev loss by less than this share; 0: none ever is. batch: contexts a step.
    standardised: whether inputs are shifted and divided, so that each dimension has mean 0 and
        variance 1 over the training contexts. seed: of first weights and order.
    """

    hidden: int = 32
    epochs: int = 48
    until: float = 0.02
    batch: int = 128
    rate: float = 1e-3
    standardised: bool = True
    seed: int = 0


class Probes(torch.nn.Module):
    """The probes of L layers and C classes, which map vectors to answers.

    All its weights have classes as their third dimension: (L, d, C, h) of the hidden layer, whose
    biases are (L, 1, C, h), and (L, 1, C, h, 2) of the answers, whose biases are (L, 1, C, 1, 2).

    is_learned: whether a probe's dev loss is below the loss of a constant answer, the rate of its
        class in training (by the rule of succession), (L, C) bool.
    is_settled: whether it then levelled off, (L, C) bool; if not, more epochs may lower it.
    """

    def __init__(self, layers: int, dim: int, classes: Sequence[str], hidden: int, seed: int = 0):
        """Draws untrained weights. They differ between classes, and are the same in all layers and
        whichever classes are trained together.
        """
        super().__init__()
        self.classes, self.hidden = tuple(classes), hidden
        probes = [untrained(dim, hidden, name, seed) for name in classes]
        self.weight = _repeated([probe[-1].weight.T[None] for probe in probes], layers)
        self.bias = _repeated([probe[-1].bias[None, None] for probe in probes], layers)
        if hidden:
            self.hidden_weight = _repeated([probe[0].weight.T for probe in probes], layers)
            self.hidden_bias = _repeated([probe[0].bias[None] for probe in probes], layers)
        self.register_buffer("shift", torch.zeros(layers, 1, dim))
        self.register_buffer("scale", torch.ones(layers, 1, dim))
        for name in ("is_learned", "is_settled"):
            self.register_buffer(name, torch.zeros(layers, len(classes), dtype=torch.bool))

    def standardise(self, vectors: torch.Tensor) -> None:
        """Sets shift and scale to each dimension's mean and deviation in vectors (L, n, d).

        A dimension that does not vary is only shifted.
        """
        deviation, mean = torch.std_mean(vectors, dim=1, correction=0, keepdim=True)
        self.shift.copy_(mean)
        self.scale.copy_(torch.where(deviation > 0, deviation, 1))

    def forward(self, vectors: torch.Tensor) -> torch.Tensor:
        """Computes log-odds of yes against no, in nats: (L, b, d) -> (L, C, b)."""
        inputs = (vectors - self.shift) / self.scale
        (no, yes), (no_bias, yes_bias) = self.weight.unbind(dim=-1), self.bias.unbind(dim=-1)
        weight, bias = yes - no, (yes_bias - no_bias)[:, 0]  # (L, 1, C, h), d for h, and (L, C, 1)
        if not self.hidden:
            return torch.einsum("lbd,lcd->lcb", inputs, weight[:, 0]) + bias
        hidden = self.hidden_bias.flatten(2), inputs, self.hidden_weight.flatten(2)
        units = relu(torch.baddbmm(*hidden)).unflatten(2, weight.shape[2:])  # (L, b, C, h)
        return (units * weight).sum(dim=-1).transpose(1, 2) + bias

    def margins(self, vectors: Sequence[np.ndarray]) -> np.ndarray:
        """Computes each context's log-odds of yes against no, (L, n, C) float32, in nats.

        vectors: an array (n, d) for each layer. The decision is yes above 0; `measures.code_length`
        converts margins to bits.
        Raises UserError for a number of layers or dimensions that was not trained, and for NaN.
        """
        _refuse_vectors(vectors, *self.shift.shape[::2])
        answers = []
        with torch.inference_mode():
            for begin in range(0, len(vectors[0]), READ_AT_ONCE):
                batch = [layer[begin : begin + READ_AT_ONCE] for layer in vectors]
                answers.append(self(_tensor(batch, self.shift.device)).transpose(1, 2).cpu())
        return torch.cat(answers, dim=1).numpy()


def untrained(dim: int, hidden: int, name: str, seed: int = 0) -> torch.nn.Sequential:
    """Makes the untrained probe of one layer and class, with weights as torch draws them."""
    with loop.seeded(zlib.crc32(f"{seed}|{name}".encode())):
        if not hidden:
            return torch.nn.Sequential(torch.nn.Linear(dim, OUTPUTS))
        first, last = torch.nn.Linear(dim, hidden), torch.nn.Linear(hidden, OUTPUTS)
        return torch.nn.Sequential(first, torch.nn.ReLU(), last)


def train(
    vectors: Sequence[np.ndarray],
    labels: Sequence[str] | np.ndarray,
    dev_vectors: Sequence[np.ndarray],
    dev_labels: Sequence[str] | np.ndarray,
    classes: Sequence[str],
    settings: Settings = Settings(),
    device: str = "cpu",
    dev_weights: np.ndarray | None = None,
) -> Probes:
    """Trains the probes of these classes on these layers; each has the weights of its best epoch.

    vectors, dev_vectors: an array (n, d) for each layer; layers too many for the memory can be
        trained in several calls, with the same result. labels, dev_labels: the class of each
        context, (n,), a negative of all probes if not in `classes`; or which of `classes` it has,
        (n, C) bool. dev_weights: how much each dev context counts, (n,); None: all alike.
    Raises UserError for a class without a training context, for vectors that do not fit or hold
    what is no finite number, and for settings without an epoch or a batch.
    """
    labels, dev_labels = np.asarray(labels), np.asarray(dev_labels)
    _refuse(settings, vectors, labels, dev_vectors, dev_labels, classes)
    inputs, dev_inputs = _tensor(vectors, device), _tensor(dev_vectors, device)
    layers, _, dim = inputs.shape
    probes = Probes(layers, dim, classes, settings.hidden, settings.seed).to(device)
    if settings.standardised:
        probes.standardise(inputs)
    learner = ProbeLearner(probes, inputs, labels, settings)
    best = BestEpoch(learner, dev_inputs, dev_labels, dev_weights)
    schedule = Schedule(settings.rate, floor=1, second_moment=0.999, seed=settings.seed)
    ends = range(learner.steps_an_epoch, learner.steps + 1, learner.steps_an_epoch)
    for _ in loop.train(learner, schedule, None, visit=best.look, visits=ends):
        if not len(learner.active):
            break
    best.restore()
    return probes


class ProbeLearner(Learner):
    """A learner of probes, which all learn from the same batches.

    active: the numbers of the classes that still learn, (A,).
    """

    largest_gradient = None  # cutting their common gradient would tie them together

    def __init__(
        self, probes: Probes, inputs: torch.Tensor, labels: np.ndarray, settings: Settings
    ):
        """inputs: (L, n, d). labels: as in `train`."""
        self.model, self.inputs, self.settings = probes, inputs, settings
        self.signs = _signs(labels, probes)
        self.active = torch.arange(len(probes.classes), device=inputs.device)
        self.steps_an_epoch = math.ceil(len(labels) / settings.batch)
        self.steps = settings.epochs * self.steps_an_epoch
        self.identity = {"probes": " ".join(probes.classes), "settings": repr(settings)}

    def loss(self, step: int) -> torch.Tensor:
        """Sums the probes' mean loss in one batch, in nats; an epoch reads each context once."""
        epoch, number = divmod(step, self.steps_an_epoch)
        order = np.random.default_rng((self.settings.seed, epoch)).permutation(self.inputs.shape[1])
        begin = number * self.settings.batch
        rows = torch.from_numpy(order[begin : begin + self.settings.batch]).to(self.inputs.device)
        return nats(self.model(self.inputs[:, rows]), self.signs[:, rows]).mean(dim=2).sum()

    def optimiser(self, schedule: Schedule) -> torch.optim.Optimizer:
        """Makes the usual optimiser, and stores it, so that `keep` can drop classes from it."""
        self.moves = super().optimiser(schedule)
        return self.moves

    def keep(self, is_kept: torch.Tensor) -> None:
        """Restricts learning to some of the active classes, (A,) bool."""
        self.active, self.signs = self.active[is_kept], self.signs[is_kept]
        for tensor in self.model.parameters():
            moments = self.moves.state[tensor]
            for name in ("exp_avg", "exp_avg_sq"):
                moments[name] = moments[name][:, :, is_kept]
            tensor.data = tensor.data[:, :, is_kept]


class BestEpoch:
    """The weights of each probe in the epoch with its lowest loss on the dev contexts.

    A settled probe keeps its weights, however low its loss falls later.
    """

    def __init__(
        self,
        learner: ProbeLearner,
        inputs: torch.Tensor,
        labels: np.ndarray,
        weights: np.ndarray | None = None,
    ):
        """inputs: (L, n, d). labels, weights: of the dev contexts, as in `train`."""
        self.learner, self.probes, self.inputs = learner, learner.model, inputs
        self.signs = _signs(labels, self.probes)
        counts = np.ones(len(labels)) if weights is None else weights
        self.shares = _tensor([counts / counts.sum()], inputs.device)  # (1, n)
        self.constant = self._loss_of_rates(learner.signs)  # (C,)
        self.lowest = torch.full_like(self.probes.is_settled, torch.inf, dtype=torch.float32)
        self.is_settled = torch.zeros_like(self.probes.is_settled)
        self.history: list[torch.Tensor] = []  # `lowest` after each epoch
        self.weights = [tensor.detach().clone() for tensor in self.probes.parameters()]

    def look(self, step: int) -> None:
        """Computes every probe's dev loss, stores improved weights, and drops settled classes."""
        active = self.learner.active
        with torch.no_grad():
            total = torch.zeros_like(self.lowest[:, active])
            for begin in range(0, self.inputs.shape[1], READ_AT_ONCE):
                rows = slice(begin, begin + READ_AT_ONCE)
                signs = self.signs[active, rows]
                total += (
                    nats(self.probes(self.inputs[:, rows]), signs) * self.shares[:, rows]
                ).sum(2)
            is_better = (total < self.lowest[:, active]) & ~self.is_settled[:, active]  # (L, A)
            self.lowest[:, active] = torch.where(is_better, total, self.lowest[:, active])
            layer, number = is_better.nonzero(as_tuple=True)
            for best, tensor in zip(self.weights, self.probes.parameters(), strict=True):
                best[layer, :, active[number]] = tensor[layer, :, number]
        self.history.append(self.lowest.clone())
        half, is_odd = divmod(len(self.history), 2)
        if len(self.history) >= EARLIEST and not is_odd:
            is_level = self.lowest > (1 - self.learner.settings.until) * self.history[half - 1]
            self.is_settled |= is_level & (self.lowest < self.constant)
            is_active = ~self.is_settled[:, active].all(dim=0)
            if not is_active.all():
                self.learner.keep(is_active)

    def restore(self) -> None:
        """Gives the probes their best weights, and records which are learned and settled."""
        with torch.no_grad():
            self.probes.is_learned.copy_(self.lowest < self.constant)
            self.probes.is_settled.copy_(self.is_settled)
            for best, tensor in zip(self.weights, self.probes.parameters(), strict=True):
                tensor.data = best

    def _loss_of_rates(self, signs: torch.Tensor) -> torch.Tensor:
        """Dev loss (C,) of an answer that is the rate of its class among training signs (C, n)."""
        yes, no = ((signs == sign).sum(dim=1, keepdim=True) + 1 for sign in (1, -1))
        return (nats(torch.log(yes / no), self.signs) * self.shares).sum(dim=1)


def nats(margins: torch.Tensor, signs: torch.Tensor) -> torch.Tensor:
    """Computes the cross-entropy of answers: margins (L, C, b), signs ±1 (C, b) -> (L, C, b)."""
    return softplus(-margins * signs)


def _is_class(labels: np.ndarray, classes: Sequence[str]) -> np.ndarray:
    """Which contexts are of a class, (C, n) bool."""
    return labels.T if labels.ndim == 2 else np.array(classes)[:, None] == labels


def _signs(labels: np.ndarray, probes: Probes) -> torch.Tensor:
    """1 where a context is of the class, -1 elsewhere: (C, n)."""
    is_class = _is_class(labels, probes.classes)
    return torch.from_numpy(np.where(is_class, 1, -1).astype(np.float32)).to(probes.shift.device)


def _repeated(of_classes: list[torch.Tensor], layers: int) -> torch.nn.Parameter:
    """The first weights of each class, (m, ...), alike in each layer: (L, m, C, ...)."""
    tensor = torch.stack(of_classes, dim=1).detach()
    return torch.nn.Parameter(tensor.repeat(layers, *[1] * tensor.dim()))


def _tensor(vectors: Sequence[np.ndarray], device: str | torch.device) -> torch.Tensor:
    """Layers of vectors, L times (n, d), as one float32 tensor (L, n, d)."""
    return torch.from_numpy(np.stack(vectors).astype(np.float32)).to(device)


def _refuse(settings, vectors, labels, dev_vectors, dev_labels, classes) -> None:
    if settings.epochs < 1 or settings.batch < 1 or settings.hidden < 0:
        raise UserError(
            "probes need at least 1 epoch, 1 context a batch and no fewer than 0 hidden units, got "
            f"{settings}"
        )
    if not 0 <= settings.until < 1:
        raise UserError(f"probes are settled by a share from 0 to below 1, got {settings}")
    if not (len(classes) and len(vectors) and len(dev_labels)):
        raise UserError("probes need at least 1 class, 1 layer and 1 dev context")
    is_learned = _is_class(labels, classes).any(axis=1)
    missing = [name for name, learned in zip(classes, is_learned, strict=True) if not learned]
    if missing:
        raise UserError(
            f"no training context is of the class {quoted(missing[0])}, so it cannot be learned: "
            "leave it out of the classes, or take more contexts"
        )
    for arrays, names in ((vectors, labels), (dev_vectors, dev_labels)):
        _refuse_vectors(arrays, len(vectors), vectors[0].shape[1])
        if len(arrays[0]) != len(names):
            raise UserError(f"{len(arrays[0])} vectors for {len(names)} labels: give one a context")


def _refuse_vectors(vectors: Sequence[np.ndarray], layers: int, dim: int) -> None:
    if len(vectors) != layers:
        raise UserError(
            f"probes of {layers} layers got vectors of {len(vectors)}: give one a layer"
        )
    for number, layer in enumerate(vectors):
        if layer.shape != (len(vectors[0]), dim):
            raise UserError(
                f"probes need vectors of {dim} dimensions, of the same contexts in every layer; array "
                f"{number} has the shape {layer.shape} beside {vectors[0].shape}"
            )
        bad = np.flatnonzero(~np.isfinite(layer).all(axis=1))
        if len(bad):
            raise UserError(
                f"the vector of context {bad[0]} holds what is no finite number in array {number} of "
                f"{layers} ({len(bad)} of {len(layer)} contexts do): read that layer again, or leave "
                "it out"
            )
