"""Defines what the three language models have in common while they are trained."""

import abc
import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from cwr.corpora import Article
from cwr.making.language_models import optimiser
from cwr.making.language_models.recipes import Recipe
from cwr.training.loop import Learner, Schedule


class LanguageLearner(Learner):
    """A language model while it is trained; its losses are in nats a prediction."""

    recipe: Recipe
    classes: int  # pieces or words among which it chooses
    device: torch.device

    @property
    def schedule(self) -> Schedule:
        """The learning rate, warm-up, weight decay and seed of the recipe."""
        recipe = self.recipe
        return Schedule(recipe.rate, recipe.warm_up, recipe.decay, seed=recipe.seed)

    @property
    @abc.abstractmethod
    def matrices(self) -> list[torch.nn.Parameter]:
        """The embedding matrices, (v, d) each, a row for each token or class.

        The recipe's `embeddings` says how they are updated.
        """

    def optimiser(self, schedule: Schedule) -> torch.optim.Optimizer:
        """Returns AdamW, with the recipe's rule (`embeddings`) for the embedding matrices."""
        return optimiser.new(self.model, schedule, self.matrices, self.recipe.embeddings)

    @abc.abstractmethod
    def words(self, step: int) -> float:
        """Returns the number of blank-separated words that were read before a step."""

    @abc.abstractmethod
    def held_out(self, articles: Sequence[Article]) -> float:
        """Returns the mean loss, in nats, on the beginning of a text that is not trained on."""

    @abc.abstractmethod
    def save(self, folder: Path) -> None:
        """Writes the model as it is shipped, so that `cwr.encoders.load` opens the folder."""

    def save_predictor(self, folder: Path) -> None:
        """Writes the weights for predicting without which the model is shipped, if any."""


def run_identity(recipe: Recipe, tokens: np.ndarray) -> dict[str, str]:
    """Returns what decides a run besides its schedule: {"recipe": its text, "text": a checksum}.

    tokens: (n,) the training text.
    """
    return {"recipe": repr(recipe), "text": hashlib.sha256(tokens.tobytes()).hexdigest()}
