"""What the three language models have in common while they are trained."""

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
        """How fast it learns, by its recipe."""
        recipe = self.recipe
        return Schedule(recipe.rate, recipe.warm_up, recipe.decay, seed=recipe.seed)

    @property
    @abc.abstractmethod
    def matrices(self) -> list[torch.nn.Parameter]:
        """The matrices with a row a token or class, (v, d) each: those that `embeddings` is of."""

    def optimiser(self, schedule: Schedule) -> torch.optim.Optimizer:
        """AdamW; for the embedding matrices the rule of the recipe."""
        return optimiser.new(self.model, schedule, self.matrices, self.recipe.embeddings)

    @abc.abstractmethod
    def words(self, step: int) -> float:
        """Blank-separated words read before this step."""

    @abc.abstractmethod
    def held_out(self, articles: Sequence[Article]) -> float:
        """Mean nats of the predictions on the beginning of a text that is not trained on."""

    @abc.abstractmethod
    def save(self, folder: Path) -> None:
        """Write the model as it is shipped, so that `cwr.encoders.load` opens the folder."""

    def save_predictor(self, folder: Path) -> None:
        """Write what the model predicts with and is not shipped; nothing if it ships whole."""


def identity(recipe: Recipe, tokens: np.ndarray) -> dict[str, str]:
    """What decides a run besides its schedule: the recipe, and the text as tokens (n,)."""
    return {"recipe": repr(recipe), "text": hashlib.sha256(tokens.tobytes()).hexdigest()}
