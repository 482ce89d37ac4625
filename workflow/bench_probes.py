"""Probes of all layers and classes, at once and one by one: what bench.py times.

n contexts, d dimensions, L layers, C classes
"""

import warnings
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import torch
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

from cwr import encoders
from cwr.corpora import load
from cwr.corpora.wiki_pse import contexts
from cwr.measures import probing
from cwr.texts.zhao2020 import probe_training, probed_contexts, probing_sets
from cwr.texts.zhao2020.probe_training import Settings

LAYERS, CONTEXTS, DIM = 3, 4_000, 192
CLASSES = tuple(f"class {number}" for number in range(18))
# scikit-learn's networks are not standardised, and all of them learn as long.
SETTINGS = Settings(epochs=12, until=0, standardised=False)
SEEDS = 3


class Comparison:
    """Contexts of planted classes, which Zipf has so frequent, and two ways to learn them."""

    def __init__(self):
        generator = np.random.default_rng(0)
        rates = 1 / np.arange(1, len(CLASSES) + 1)
        centres = generator.normal(scale=0.35, size=(LAYERS, len(CLASSES), DIM))
        self.gold = generator.choice(len(CLASSES), size=2 * CONTEXTS, p=rates / rates.sum())
        noise = generator.normal(size=(LAYERS, 2 * CONTEXTS, DIM))
        vectors = (centres[:, self.gold] + noise).astype(np.float32)
        self.train, self.test = vectors[:, :CONTEXTS], vectors[:, CONTEXTS:]
        self.labels = np.array(CLASSES)[self.gold]

    def batched(self, seed: int = 0) -> np.ndarray:
        """Decisions on the test contexts, (L, n, C).

        The dev contexts are a few of the training, so that the last epoch is the best.
        """
        settings = replace(SETTINGS, seed=seed)
        labels, few = self.labels[:CONTEXTS], slice(200)
        dev = self.train[:, few], labels[few]
        probes = probe_training.train(self.train, labels, *dev, CLASSES, settings)
        return probes.margins(self.test) > 0

    def one_by_one(self, seed: int = 0) -> np.ndarray:
        """The same by scikit-learn, whose network has one output in place of two.

        What decides is then one weight, not the difference of two, and learns half as fast.
        """
        decisions = np.empty((LAYERS, CONTEXTS, len(CLASSES)), dtype=bool)
        for layer in range(LAYERS):
            for column in range(len(CLASSES)):
                network = MLPClassifier(
                    (SETTINGS.hidden,),
                    alpha=0,
                    batch_size=SETTINGS.batch,
                    learning_rate_init=SETTINGS.rate,
                    max_iter=SETTINGS.epochs,
                    n_iter_no_change=SETTINGS.epochs,
                    random_state=seed,
                )
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", ConvergenceWarning)
                    network.fit(self.train[layer], self.gold[:CONTEXTS] == column)
                decisions[layer, :, column] = network.predict(self.test[layer])
        return decisions

    def f1(self, way: Callable[[int], np.ndarray]) -> tuple[float, float]:
        """Mean and deviation over seeds of the micro F1 of the last layer, a word a context."""
        gold = self.gold[CONTEXTS:]
        scores = [
            probing.micro_f1(way(seed)[-1], np.arange(CONTEXTS), gold) for seed in range(SEEDS)
        ]
        return float(np.mean(scores)), float(np.std(scores, ddof=1))


def of_contexts(name: str) -> Callable[[Settings], probing_sets.SplitAnswers]:
    """What trains probes of all layers of a model on the contexts of `zhao2020/04`."""
    text = load("wiki-anchors")
    table = contexts.probing_set(text, 1, 0, test=0)
    vectors = probed_contexts.read(encoders.load(name), text, table)
    return lambda settings: probing_sets.answers(vectors, table, settings, split=contexts.DEV)


def products() -> None:
    """The matrix products of a training alone: of inputs and weights, and of inputs and errors."""
    inputs = torch.randn(LAYERS, SETTINGS.batch, DIM)
    weights = torch.randn(LAYERS, DIM, SETTINGS.hidden * len(CLASSES))
    for _ in range(SETTINGS.epochs * CONTEXTS // SETTINGS.batch):
        errors = torch.bmm(inputs, weights)
        torch.bmm(inputs.transpose(1, 2), errors)
