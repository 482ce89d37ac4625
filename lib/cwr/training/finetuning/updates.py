"""A model after a number of updates on a task, trained once and kept in the cache.

Zhao et al. (2020), section 4.4.1, Table 4, appendix B: plain Adam at 5e-5, without a warm-up. The
paper gives each task five epochs and its own batch size, so its tasks also differ in the number of
updates. Here all tasks get the same number, in batches of one size. The rate is constant, so a
model after t updates does not depend on how many follow.
"""

import hashlib
import importlib.metadata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import safetensors.torch
import torch

from cwr.corpora.tasks import Task
from cwr.encoders.encoder import Encoder
from cwr.extraction import cache
from cwr.training import cached, loop
from cwr.training.finetuning.tuned import Tuned
from cwr.training.loop import Learner, Schedule

WEIGHTS = "weights.safetensors"
PACKAGES = ("torch", "transformers")  # whose version may move the numbers


@dataclass(frozen=True)
class TuningSettings:
    """The hyperparameters of fine-tuning.

    batch: sentences per update, as Table 4 has it for NER. rate: as in Table 4. band: words per
        side that attention reaches in every layer, None: all. free_specials: whether special pieces
        see all words and are seen by all (`bands`). seed: decides the linear layer, the order of
        the sentences, and dropout.
    """

    batch: int = 32
    rate: float = 5e-5
    band: int | None = None
    free_specials: bool = False
    seed: int = 0


class TuningLearner(Learner):
    """A learner that trains a model on the labels of its task by cross-entropy."""

    largest_gradient = None  # plain Adam

    def __init__(self, model: Tuned, settings: TuningSettings, steps: int):
        self.model, self.settings, self.steps = model, settings, steps
        self.identity = {"task": model.task.name, "settings": repr(settings)}

    def loss(self, step: int) -> torch.Tensor:
        """Computes the mean loss of a batch's labels in nats; an epoch reads each sentence once."""
        self.model.train()
        rows = batch_of(self.model.task.train, step, self.settings)
        return torch.nn.functional.cross_entropy(*self.model(rows))


def batch_of(train: np.ndarray, step: int, settings: TuningSettings) -> np.ndarray:
    """Returns the sentence numbers of a step, from 0; an epoch's last batch may be smaller."""
    epoch, number = divmod(step, -(-len(train) // settings.batch))
    order = np.random.default_rng((settings.seed, epoch)).permutation(train)
    return order[number * settings.batch : (number + 1) * settings.batch]


def tuned(
    encoder: Encoder,
    task: Task,
    updates: Sequence[int],
    settings: TuningSettings = TuningSettings(),
) -> dict[int, Tuned]:
    """Tunes an encoder; returns the model after each number of updates, {updates: model}; cached.

    After 0 updates the model is a copy of the encoder with an untrained linear layer.
    Raises UserError for a NaN loss, and for a cache that cannot be written.
    """
    keys = {number: _key(encoder, task, number, settings) for number in updates}
    with cache.reserved(keys.values()):
        lacking = [number for number in updates if not cache.holds(keys[number])]
        if lacking:
            _train(encoder, task, settings, {number: keys[number] for number in lacking})
        return {number: _read(encoder, task, settings, keys[number]) for number in updates}


def _train(encoder: Encoder, task: Task, settings: TuningSettings, keys: dict[int, str]) -> None:
    """Tunes to the largest number of updates, {updates: key}, and saves the model at each."""
    model = _new(encoder, task, settings)
    learner = TuningLearner(model, settings, max(keys))

    def keep(step: int) -> None:
        with cache.writing(keys[step], {"model": encoder.name, "corpus": task.data}) as folder:
            weights = {name: tensor.cpu() for name, tensor in model.state_dict().items()}
            safetensors.torch.save_file(weights, folder / WEIGHTS)

    if learner.steps == 0:
        keep(0)
    schedule = Schedule(settings.rate, floor=1, second_moment=0.999, seed=settings.seed)
    for _ in loop.train(learner, schedule, None, visit=keep, visits=keys):
        pass


def _new(encoder: Encoder, task: Task, settings: TuningSettings) -> Tuned:
    with loop.seeded(settings.seed):
        return Tuned(encoder, task, settings.band, settings.free_specials)


def _read(encoder: Encoder, task: Task, settings: TuningSettings, key: str) -> Tuned:
    """Reads the model of a key; its encoder gets its own fingerprint, which extraction uses."""
    model = _new(encoder, task, settings)
    weights = cache.read(key, lambda folder: safetensors.torch.load_file(folder / WEIGHTS))
    model.load_state_dict(weights)
    model.encoder.fingerprint = fingerprint_of(encoder.fingerprint, weights)
    return model.eval().requires_grad_(False)


def fingerprint_of(before: str, weights: dict[str, torch.Tensor]) -> str:
    """Computes the sha256 over the fingerprint before tuning and the tuned weights."""
    digest = hashlib.sha256(before.encode())
    for name in sorted(weights):
        digest.update(name.encode() + weights[name].float().numpy().tobytes())
    return digest.hexdigest()


def _key(encoder: Encoder, task: Task, updates: int, settings: TuningSettings) -> str:
    return cache.key(
        {
            "tuned": encoder.fingerprint,
            "task": task.fingerprint,
            "updates": updates,
            "settings": repr(settings),
            "sources": [cache.sources(type(encoder)), cached.sources(tuned, __file__)],
            "versions": {name: importlib.metadata.version(name) for name in PACKAGES},
        }
    )
