"""Trains a classifier of sentences: chooses learning rate and epochs, trains again, predicts.

Gupta and Jaggi (2021), section 4.3: the learning rate and number of epochs that do best on the
validation sentences are chosen; with these the classifier is trained anew on training and
validation sentences, and predicts the test sentences. The text does not name the score of the
choice; here it is macro-F1, which the text reports first. The rate is constant (Adam, no decay).

A classifier is any torch module that maps the numbers of sentences, (rows,), to logits, (rows,
classes), and has `lengths`, (n,), the words or pieces of each sentence.
"""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch

from cwr.corpora.labelled import TEST, TRAIN, VALIDATION, Labelled
from cwr.training import loop
from cwr.training.loop import Learner, Schedule

READ_AT_ONCE = 200  # sentences, where nothing is learned

New = Callable[[int], torch.nn.Module]  # the untrained classifier of a seed, which torch has too


@dataclass(frozen=True)
class ClassifierSettings:
    """The rates and epochs that are searched, and the batch size.

    rates: learning rates. epochs: how often all sentences are read. batch: sentences a step; the
    text names none, 50 is that of Kim (2014), whose network it is.
    """

    rates: tuple[float, ...] = (1e-4, 3e-4, 1e-3)
    epochs: tuple[int, ...] = tuple(range(8, 17))
    batch: int = 50


@dataclass(frozen=True, eq=False)
class Predictions:
    """The classes that classifiers from several seeds predict for the test sentences.

    labels: (seeds, test sentences) int. rate, epochs: the choice. search: macro-F1 on the
    validation sentences by rate (rows) and epochs (columns); empty where there was no choice.
    """

    labels: np.ndarray
    rate: float
    epochs: int
    search: pd.DataFrame


class ClassifierLearner(Learner):
    """A classifier that learns the labels of sentences by cross-entropy."""

    largest_gradient = None  # the text cuts none

    def __init__(
        self,
        model: torch.nn.Module,
        labels: np.ndarray,
        rows: np.ndarray,
        epochs: int,
        batch: int,
        seed: int,
    ):
        """labels: (n,) of all sentences. rows: the sentences to learn, whose order is seeded."""
        self.model, self.rows, self.batch, self.seed = model, rows, batch, seed
        self.labels = torch.as_tensor(labels, device=next(model.parameters()).device)
        self.steps_an_epoch = math.ceil(len(rows) / batch)
        self.steps = epochs * self.steps_an_epoch
        self.identity = {"classifier": type(model).__name__, "seed": str(seed)}

    def loss(self, step: int) -> torch.Tensor:
        """Computes one batch's mean cross-entropy in nats; an epoch reads each sentence once."""
        epoch, number = divmod(step, self.steps_an_epoch)
        order = np.random.default_rng((self.seed, epoch)).permutation(self.rows)
        rows = order[number * self.batch : (number + 1) * self.batch]
        self.model.train()
        return torch.nn.functional.cross_entropy(self.model(rows), self.labels[rows])


def predictions_by_seed(
    new: New, data: Labelled, settings: ClassifierSettings, seeds: Sequence[int] = (0,)
) -> Predictions:
    """Chooses rate and epochs with the first seed; then tests a new classifier for each seed.

    Raises UserError for a loss that is no number.
    """
    search = pd.DataFrame()
    if len(settings.rates) * len(settings.epochs) > 1:
        search = choose(new, data, settings, seeds[0])
    rate, epochs = _best(search, settings)
    labels = []
    for seed in seeds:
        model = fit(new, data, data.rows(TRAIN, VALIDATION), rate, epochs, settings.batch, seed)
        labels.append(predict(model, data.rows(TEST)))
    return Predictions(np.stack(labels), rate, epochs, search)


def choose(new: New, data: Labelled, settings: ClassifierSettings, seed: int = 0) -> pd.DataFrame:
    """Computes macro-F1 on the validation sentences by rate (rows) and epochs (columns).

    Each rate is trained once, and tested after each number of epochs.
    """
    rows = data.rows(VALIDATION)
    scores = {}
    for rate in settings.rates:
        predicted = predictions_along(new, data, data.rows(TRAIN), rows, rate, settings, seed)
        for epochs, classes in predicted.items():
            scores[rate, epochs] = macro_f1(data.labels[rows], classes)
    return pd.Series(scores).unstack().rename_axis(index="rate", columns="epochs")


def predictions_along(
    new: New,
    data: Labelled,
    learn: np.ndarray,
    ask: np.ndarray,
    rate: float,
    settings: ClassifierSettings,
    seed: int = 0,
) -> dict[int, np.ndarray]:
    """Trains one classifier and returns its predictions along the way, {epochs: (ask,) int}.

    learn, ask: (rows,), the sentences to learn, and those to predict. settings: only the epochs and
    the batch size are used.
    """
    predicted = {}

    def look(model: torch.nn.Module, epochs: int) -> None:
        predicted[epochs] = predict(model, ask)

    fit(new, data, learn, rate, max(settings.epochs), settings.batch, seed, look, settings.epochs)
    return predicted


def _best(search: pd.DataFrame, settings: ClassifierSettings) -> tuple[float, int]:
    """The rate and epochs with the highest score; of equal ones the lowest rate, then the fewest."""
    if search.empty:
        return settings.rates[0], settings.epochs[0]
    rate, epochs = search.sort_index().sort_index(axis=1).stack().idxmax()
    return float(rate), int(epochs)


def macro_f1(labels: np.ndarray, predicted: np.ndarray) -> float:
    """Averages F1 over the classes that occur among labels or predictions, as scikit-learn does."""
    from sklearn.metrics import f1_score

    return float(f1_score(labels, predicted, average="macro", zero_division=0))


def fit(
    new: New,
    data: Labelled,
    rows: np.ndarray,
    rate: float,
    epochs: int,
    batch: int,
    seed: int,
    look: Callable[[torch.nn.Module, int], None] | None = None,
    looks: Collection[int] = (),
) -> torch.nn.Module:
    """Trains a new classifier on the labels of these sentences.

    look: called with the classifier and the number of finished epochs, if that is among `looks`.
    Raises UserError for a loss that is no number.
    """
    with loop.seeded(seed):
        model = new(seed)
    learner = ClassifierLearner(model, data.labels, rows, epochs, batch, seed)
    schedule = Schedule(rate, floor=1, second_moment=0.999, seed=seed)
    visits = {number * learner.steps_an_epoch: number for number in looks}
    visit = None if look is None else lambda step: look(model, visits[step])
    for _ in loop.train(learner, schedule, None, visit=visit, visits=visits):
        pass
    return model


def predict(model: torch.nn.Module, rows: np.ndarray) -> np.ndarray:
    """Predicts the most probable class of each sentence, (rows,) int."""
    model.eval()
    classes = np.empty(len(rows), int)
    order = np.argsort(model.lengths[rows], kind="stable")  # sentences of like length together
    with torch.inference_mode():
        for begin in range(0, len(rows), READ_AT_ONCE):
            batch = order[begin : begin + READ_AT_ONCE]
            classes[batch] = model(rows[batch]).argmax(dim=1).cpu().numpy()
    return classes
