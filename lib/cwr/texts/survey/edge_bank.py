"""Trains many edge probes at once: all kinds of a task, for all seeds and folds, in one product.

Tenney et al. (2019a, 2019b): a probe reads a mix of layers, h = gamma sum s(l) h(l), where s is a
softmax of learned numbers, and has one hidden layer; each label is a binary decision. The layers
that a probe may use are a range: from l to l for one layer, from 0 to l for a cumulative probe. A
range with one layer has nothing to mix.

Our changes: spans are pooled before the first map, not after it (with a mean this is the same), one
map has both spans of a pair, and there is no dropout and no layer norm. Each dimension of a mix is
shifted and scaled to mean 0 and variance 1 before anything is learned; a probe could learn this
itself, in many more steps.

A probe has its own weights and its own part of the loss, and Adam treats each number by itself: so
training probes together gives the same as training them one by one.

    G groups, a seed and a fold each; K ranges; L layers; D dimensions of a target; C labels;
    h hidden units; b targets in a batch; n targets that a group learns from
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, one_hot

from cwr.texts.survey.edge_probes import SIGMOIDS, SOFTMAX
from cwr.training import loop
from cwr.training.loop import Learner, Schedule

READ_AT_ONCE = 512  # targets, where nothing is learned
Range = tuple[int, int]  # lowest and highest layer that a probe may use


@dataclass(frozen=True)
class Learning:
    """The settings of a training of edge probes.

    hidden: units; 0: a linear probe. batch: targets a step. rate: of Adam, falls along half a
    cosine. mixing: the factor by which the mixing weights move faster: at the common rate they stay
    near uniform in few steps.
    answers: SIGMOIDS (as in the source, one decision a label) or SOFTMAX (one label a target, which
    takes far fewer steps to learn).
    """

    hidden: int = 48
    epochs: int = 6
    batch: int = 64
    rate: float = 3e-3
    mixing: float = 10.0
    answers: str = SOFTMAX


class Bank(torch.nn.Module):
    """The probes, which map vectors of each group to logits of each probe."""

    def __init__(self, seeds: Sequence[int], ranges: Sequence[Range], shape: tuple, hidden: int):
        """seeds: (G,) of first weights, which are the same for all ranges. shape: (L, D, C)."""
        super().__init__()
        layers, dim, labels = shape
        self.hidden = hidden
        groups, kinds = len(seeds), len(ranges)
        first = [_untrained(dim, hidden, labels, seed) for seed in seeds]
        parts = {name: torch.stack([weights[name] for weights in first]) for name in first[0]}
        for name, part in parts.items():  # (G, …)
            repeated = part[:, None].repeat(1, kinds, *[1] * (part.dim() - 1))
            setattr(self, name, torch.nn.Parameter(repeated))
        self.mixing = torch.nn.Parameter(torch.zeros(groups, kinds, layers))
        self.gamma = torch.nn.Parameter(torch.ones(groups, kinds, 1, 1))
        self.register_buffer("outside", _outside(ranges, layers))  # (K, L)
        self.register_buffer("shift", torch.zeros(groups, layers, dim))
        self.register_buffer("scale", torch.ones(groups, kinds, dim, 1))
        self.faster = 1.0

    def weights(self) -> torch.Tensor:
        """Computes the share of each layer in each mix, (G, K, L)."""
        return torch.softmax(self.faster * self.mixing + self.outside, dim=2)

    def mixed(self, vectors: torch.Tensor) -> torch.Tensor:
        """Mixes layers, (G, L, b, D) -> (G, K, b, D), neither shifted nor scaled."""
        return (self.weights() @ vectors.flatten(2)).unflatten(2, vectors.shape[2:])

    def forward(self, vectors: torch.Tensor) -> torch.Tensor:
        """Computes logits: (G, L, b, D) -> (G, K, b, C)."""
        mean = (self.weights() @ self.shift)[:, :, None]  # (G, K, 1, D)
        weight = self.hidden_weight * self.scale  # smaller than what is mixed
        mapped = self.mixed(vectors) @ weight - mean @ weight
        mapped = self.gamma * mapped + self.hidden_bias  # (G, K, b, h)
        return torch.tanh(mapped) @ self.weight + self.bias if self.hidden else mapped

    def prepare(self, vectors: torch.Tensor) -> None:
        """Sets shift and scale from vectors (G, L, n, D) of the targets that are learned."""
        self.shift.copy_(vectors.mean(dim=2))
        variance = self.mixed(vectors - self.shift[:, :, None]).square().mean(dim=2)  # (G, K, D)
        self.scale.copy_(torch.where(variance > 0, variance.rsqrt(), 1)[..., None])


def _untrained(dim: int, hidden: int, labels: int, seed: int) -> dict[str, torch.Tensor]:
    """A probe's weights as torch draws them; a linear one has the first map alone, to the labels."""
    with loop.seeded(seed):
        first = torch.nn.Linear(dim, hidden or labels)
        last = torch.nn.Linear(hidden, labels) if hidden else None
    weights = {
        "hidden_weight": first.weight.detach().T,  # (D, h)
        "hidden_bias": first.bias.detach()[None],
    }
    if last is None:
        return weights
    return weights | {
        "weight": last.weight.detach().T,  # (h, C)
        "bias": last.bias.detach()[None],
    }


def _outside(ranges: Sequence[Range], layers: int) -> torch.Tensor:
    """0 where a probe may use a layer, minus infinity elsewhere, (K, L)."""
    numbers = torch.arange(layers)
    rows = [(numbers >= low) & (numbers <= high) for low, high in ranges]
    return torch.where(torch.stack(rows), 0.0, -torch.inf)


class BankLearner(Learner):
    """A learner of probes; each group learns from batches of its rows."""

    largest_gradient = None  # cutting their common gradient would tie them together

    def __init__(self, bank: Bank, vectors: torch.Tensor, gold: torch.Tensor, **how: object):
        """vectors: (rows, L, D). gold: (rows,). how: rows (G, n) that each group learns from,
        seeds (G,), settings.
        """
        self.model, self.vectors, self.gold = bank, vectors, gold
        self.rows, self.seeds, self.settings = how["rows"], how["seeds"], how["settings"]
        self.steps_an_epoch = math.ceil(self.rows.shape[1] / self.settings.batch)
        self.steps = self.settings.epochs * self.steps_an_epoch
        self.identity = {"edge probes": repr(self.settings)}

    def loss(self, step: int) -> torch.Tensor:
        """Sums the probes' mean loss in one batch, in nats."""
        epoch, number = divmod(step, self.steps_an_epoch)
        if number == 0:
            self.ordered = self._ordered(epoch)
        begin = number * self.settings.batch
        rows = self.ordered[:, begin : begin + self.settings.batch]  # (G, b)
        logits = self.model(of_groups(self.vectors[rows]))
        return nats(logits, self.gold[rows], self.settings.answers).sum()

    def _ordered(self, epoch: int) -> torch.Tensor:
        """The rows of each group in the order of an epoch, which its seed decides, (G, n)."""
        n = self.rows.shape[1]
        orders = {
            seed: np.random.default_rng((seed, epoch)).permutation(n) for seed in set(self.seeds)
        }
        order = np.stack([orders[seed] for seed in self.seeds])
        return torch.from_numpy(np.take_along_axis(self.rows, order, axis=1))


def of_groups(vectors: torch.Tensor) -> torch.Tensor:
    """Transposes (G, b, L, D) -> (G, L, b, D)."""
    return vectors.transpose(1, 2).contiguous()


def nats(logits: torch.Tensor, gold: torch.Tensor, answers: str) -> torch.Tensor:
    """Computes each probe's mean loss, (G, K). logits: (G, K, b, C); gold: (G, b)."""
    if answers == SIGMOIDS:
        truth = one_hot(gold, logits.shape[-1]).to(logits.dtype)[:, None].expand_as(logits)
        return binary_cross_entropy_with_logits(logits, truth, reduction="none").mean(dim=(2, 3))
    classes = gold[:, None].expand(logits.shape[:3])
    return cross_entropy(logits.movedim(-1, 1), classes, reduction="none").mean(dim=-1)


def train(
    vectors: np.ndarray,
    gold: np.ndarray,
    rows: np.ndarray,
    seeds: Sequence[int],
    ranges: Sequence[Range],
    settings: Learning,
    labels: int,
    device: str = "cpu",
) -> Bank:
    """Trains the probes of these ranges for each group.

    vectors: (rows, L, D) float32, of all targets of the task that are read. gold: (rows,). rows:
    (G, n), the targets that each group learns from. seeds: (G,). labels: their number, C.
    """
    inputs, targets = torch.from_numpy(vectors).to(device), torch.from_numpy(gold).to(device)
    bank = Bank(seeds, ranges, (*vectors.shape[1:], labels), settings.hidden).to(device)
    with torch.no_grad():
        bank.prepare(of_groups(inputs[torch.from_numpy(rows)]))
    bank.faster = settings.mixing
    how = {"rows": rows, "seeds": list(seeds), "settings": settings}
    learner = BankLearner(bank, inputs, targets, **how)
    schedule = Schedule(settings.rate, second_moment=0.999)
    for _ in loop.train(learner, schedule, None):
        pass
    return bank


def logits(bank: Bank, vectors: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Computes the probes' logits on each group's targets, (G, K, n, C) float16.

    vectors: as in `train`. rows: (G, n), the targets of each group.
    """
    inputs, said = torch.from_numpy(vectors), []
    with torch.inference_mode():
        for begin in range(0, rows.shape[1], READ_AT_ONCE):
            batch = inputs[torch.from_numpy(rows[:, begin : begin + READ_AT_ONCE])]
            said.append(bank(of_groups(batch.to(bank.gamma.device))).half().cpu())
    return torch.cat(said, dim=2).numpy()
