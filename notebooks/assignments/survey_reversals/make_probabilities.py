"""Make probabilities.npz, the file that travels with the assignment: python make_probabilities.py

What probes say of mentions in two models, layer by layer: planted, so that one model has layers that
tell the same, read by noisy probes, and the other changes some decisions halfway up. Nothing in it is
of a model.
"""

from pathlib import Path

import numpy as np

from cwr.texts.survey import decisions

FILE = Path(__file__).with_name("probabilities.npz")
LABELS = ("organization", "person", "place", "time")
LAYERS = TRAININGS = 5
MENTIONS = 400
MODELS = {  # noise of a training on a mention, share of mentions that change, the layer that does it
    "A": (0.9, 0.0, 0),
    "B": (0.4, 0.1, 3),
}
LICENCE = (
    "Probabilities planted for the book 'Contextual word representations, reproduced'; no model, no "
    "text. They carry the book's licence."
)


def probabilities(gold: np.ndarray, name: str, seed: int) -> np.ndarray:
    """(layers, trainings, mentions, labels) float16, in thousandths."""
    noise, share, first = MODELS[name]
    generator = np.random.default_rng(seed)
    n = len(gold)
    truth = generator.normal(size=(n, len(LABELS))) + 2 * np.eye(len(LABELS))[gold]
    layers = np.repeat(truth[:, None], LAYERS, axis=1)  # (mentions, layers, labels)
    is_changing = generator.random(n) < share
    layers[is_changing, :first] = np.roll(truth[is_changing], 1, axis=-1)[:, None]
    shape = LAYERS, TRAININGS, n, len(LABELS)
    logits = layers.swapaxes(0, 1)[:, None] + noise * generator.normal(size=shape)
    shares = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    return shares.round(3).astype(np.float16)


def contents(seed: int = 0) -> dict[str, np.ndarray]:
    """Everything in the file, by name.

    A, B: as `probabilities`. gold: (mentions,) numbers of labels. labels: (4,) text.
    """
    gold = np.random.default_rng(seed).integers(0, len(LABELS), MENTIONS)
    models = {name: probabilities(gold, name, seed + at) for at, name in enumerate(MODELS, 1)}
    named = {"gold": gold, "labels": np.array(LABELS), "licence": np.array(LICENCE)}
    return {**models, **named}


def teaches(data: dict[str, np.ndarray]) -> bool:
    """Whether the data show what is asked about: A reverses more than B, but no more than its placebo."""
    gold, runs = data["gold"], np.arange(LAYERS)[None]
    rates = {}
    for name in MODELS:
        of_trainings = data[name].astype(float).swapaxes(0, 1)  # (trainings, layers, n, labels)
        read = decisions.read(of_trainings, gold, np.zeros(len(gold)))
        paths = [decisions.quantities(read, runs, layer, 0.2) for layer in (None, *range(LAYERS))]
        reversed_ = [path[..., decisions.REVERSALS].sum() / len(gold) for path in paths]
        rates[name] = reversed_[0], np.mean(reversed_[1:])
    net = {name: rate - placebo for name, (rate, placebo) in rates.items()}
    return rates["A"][0] > rates["B"][0] > 0.05 and abs(net["A"]) < 0.02 and net["B"] > 0.04


if __name__ == "__main__":
    np.savez_compressed(FILE, **contents())
    print(f"{FILE.name}: {FILE.stat().st_size:,} bytes")
