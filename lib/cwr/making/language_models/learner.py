"""Defines the base class of the learners of our three language models."""

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
    """A language model in training; its losses are in nats per prediction."""

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
        """Returns the number of blank-separated words read before a step."""

    @abc.abstractmethod
    def held_out(self, articles: Sequence[Article]) -> float:
        """Computes the mean loss, in nats, on the beginning of a held-out text."""

    @abc.abstractmethod
    def save(self, folder: Path) -> None:
        """Writes the model in its shipped form to a folder that `cwr.encoders.load` can open."""

    def save_predictor(self, folder: Path) -> None:
        """Writes the output weights that the shipped model lacks, if there are any."""


def run_identity(recipe: Recipe, tokens: np.ndarray) -> dict[str, str]:
    """Identifies a run, apart from its schedule: {"recipe": its repr, "text": a checksum}.

    tokens: (n,) the training text.
    """
    return {"recipe": repr(recipe), "text": hashlib.sha256(tokens.tobytes()).hexdigest()}
