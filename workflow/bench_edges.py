"""All edge probes of a task, at once and one after another in plain torch: what bench.py times.

L layers, D dimensions, n targets to learn from, G groups (a seed and a fold each)
"""

import math

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from cwr.texts.survey import edge_bank, spans
from cwr.texts.survey.edge_bank import Learning
from cwr.training.loop import Schedule

LAYERS, TARGETS, DIM, LABELS = 5, 2_000, 192, 17  # parts of speech, cwr-bert
GROUPS = [(seed, fold) for seed in range(3) for fold in range(2)]
RANGES = [(0, top) for top in range(LAYERS)] + [(layer, layer) for layer in range(1, LAYERS)]
SETTINGS = Learning(epochs=3)


class Comparison:
    """Targets with planted labels, a half a fold, and ways to learn them."""

    def __init__(self):
        random = np.random.default_rng(0)
        self.gold = random.integers(0, LABELS, 2 * TARGETS)
        centres = random.normal(scale=0.35, size=(LABELS, LAYERS, DIM))
        noise = random.normal(size=(2 * TARGETS, LAYERS, DIM))
        self.vectors = (centres[self.gold] + noise).astype(np.float32)
        half = np.arange(TARGETS)
        self.learned = np.stack([half + fold * TARGETS for _, fold in GROUPS])  # (G, n)
        self.asked = np.stack([half + (1 - fold) * TARGETS for _, fold in GROUPS])

    def batched(self) -> np.ndarray:
        """Logits of the other half, (G, K, n, C)."""
        seeds = [seed for seed, _ in GROUPS]
        data = self.vectors, self.gold, self.learned, seeds
        bank = edge_bank.train(*data, RANGES, SETTINGS, LABELS)
        return edge_bank.logits(bank, self.vectors, self.asked)

    def of_pairs(self, products: bool) -> None:
        """Probes of two vectors of as many targets, without or with products and differences."""
        pairs = np.concatenate([self.vectors, np.roll(self.vectors, 1, axis=0)], axis=-1)
        pairs = spans.with_products(pairs) if products else pairs
        data = pairs, self.gold, self.learned, [seed for seed, _ in GROUPS]
        edge_bank.train(*data, RANGES, SETTINGS, LABELS)

    def one_by_one(self) -> np.ndarray:
        """The same, a probe after another."""
        said = []
        for number, (seed, _) in enumerate(GROUPS):
            learned, asked = self.vectors[self.learned[number]], self.vectors[self.asked[number]]
            gold = self.gold[self.learned[number]]
            said.append([_alone(learned, gold, asked, layers, seed) for layers in RANGES])
        return np.array(said)

    def difference(self) -> float:
        """The largest difference of two logits, of one way and the other."""
        return float(np.abs(self.batched().astype(float) - self.one_by_one()).max())


class Probe(torch.nn.Module):
    """One probe as a reader would write it."""

    def __init__(self, vectors: torch.Tensor, layers: tuple[int, int], seed: int):
        super().__init__()
        self.low, self.high = layers
        torch.manual_seed(seed)
        self.first = torch.nn.Linear(DIM, SETTINGS.hidden)
        self.last = torch.nn.Linear(SETTINGS.hidden, LABELS)
        self.mixing = torch.nn.Parameter(torch.zeros(1 + self.high - self.low))
        self.gamma = torch.nn.Parameter(torch.ones(()))
        self.mean = vectors.mean(dim=0)
        mixed = (vectors - self.mean)[:, self.low : self.high + 1].mean(dim=1)
        self.scale = mixed.square().mean(dim=0).rsqrt()

    def forward(self, vectors: torch.Tensor) -> torch.Tensor:
        """Logits (b, C) of vectors (b, L, D)."""
        shares = torch.softmax(SETTINGS.mixing * self.mixing, dim=0)
        mixed = 0.0
        for layer, share in zip(range(self.low, self.high + 1), shares, strict=True):
            mixed = mixed + share * (vectors[:, layer] - self.mean[layer])
        return self.last(torch.tanh(self.first(self.gamma * self.scale * mixed)))


def _alone(
    learned: np.ndarray, gold: np.ndarray, asked: np.ndarray, layers: tuple[int, int], seed: int
) -> np.ndarray:
    """The logits of one probe on the vectors that it is asked of, (n, C)."""
    vectors, truth = torch.from_numpy(learned), torch.from_numpy(gold)
    probe, schedule = Probe(vectors, layers, seed), Schedule(SETTINGS.rate)
    optimiser = torch.optim.Adam(probe.parameters())
    steps_an_epoch = math.ceil(len(gold) / SETTINGS.batch)
    steps = SETTINGS.epochs * steps_an_epoch
    for step in range(steps):
        epoch, number = divmod(step, steps_an_epoch)
        order = np.random.default_rng((seed, epoch)).permutation(len(gold))
        rows = torch.from_numpy(order[number * SETTINGS.batch :][: SETTINGS.batch])
        for group in optimiser.param_groups:
            group["lr"] = schedule.rate_at(step, steps)
        optimiser.zero_grad()
        cross_entropy(probe(vectors[rows]), truth[rows]).backward()
        optimiser.step()
    with torch.inference_mode():
        return probe(torch.from_numpy(asked)).numpy()
