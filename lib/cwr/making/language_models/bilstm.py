"""Trains the biLSTM language model: the encoders' ELMo, and word vectors that predict.

Each direction reads the whole text in parallel rows and carries its state from window to window;
the backward direction reads the reversed text (Peters et al. 2018, section 3.1). The soft-max is
sampled: over the step's targets and classes drawn at random. Each logit is lowered by the logarithm
of the probability that its class is sampled, so that the model learns the distribution over all
classes (after Jean et al. 2015). The word vectors are not shipped.

Axes: d directions (2, forwards and backwards), r rows, s size of a window, p projection, v classes.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import nn

from cwr.corpora import Article
from cwr.encoders.elmo.files import Options
from cwr.encoders.elmo.model import ELMo, State
from cwr.errors import UserError
from cwr.making.language_models import predictions, recurrence, start_vectors, text
from cwr.making.language_models.learner import LanguageLearner, run_identity
from cwr.making.language_models.recipes import Recipe
from cwr.training.loop import seeded
from cwr.training.loss import cross_entropy

DRAWN = 1024  # classes drawn uniformly for each step, beside the step's targets
COLD = 0.1  # share of the rows that begin a window without state, like a sentence
NORM = 0.5  # of a class's vector at the start
PREDICTOR = "word_vectors.safetensors"  # what it predicts with; not shipped
HELD_OUT_WORDS = 16_384  # as many are predicted in a look on the way
CHARACTER_CNN = {
    "embedding": {"dim": 16},
    "filters": [[1, 32], [2, 32], [3, 64], [4, 128], [5, 128]],
    "n_highway": 1,
    "activation": "relu",
    "n_characters": 262,
    "max_characters_per_token": text.CHARACTERS,
}


def options(recipe: Recipe) -> dict:
    """Returns the options.json of a recipe's model, in AllenNLP's format.

    With two layers cells are four times as wide as outputs; with more layers they are narrower, so
    that four layers have as many weights as two.
    """
    lstm = {
        "use_skip_connections": True,
        "n_layers": recipe.layers,
        "projection_dim": recipe.dim,
        "dim": 8 * recipe.dim // recipe.layers,
        "cell_clip": 3,
        "proj_clip": 3,
    }
    return {"char_cnn": CHARACTER_CNN, "lstm": lstm}


class LanguageModel(nn.Module):
    """An ELMo with the output weights by which both directions predict words.

    matrix: (v, p). bias: (v,). Another network can replace the ELMo (`gated_cnn`).
    """

    def __init__(self, elmo: ELMo, classes: int):
        super().__init__()
        projection = elmo.dim // 2
        self.elmo = elmo
        self.matrix = nn.Parameter(torch.randn(classes, projection) * NORM / projection**0.5)
        self.bias = nn.Parameter(torch.zeros(classes))

    def forward(
        self, types: torch.Tensor, table: torch.Tensor, state: State
    ) -> tuple[torch.Tensor, State]:
        """Computes the top layer's outputs, (d, r, s, p), and the state after the windows.

        types: (d, r, s) the words that each direction reads, in the direction's order.
        table: (all types, characters), from `text.character_table`. state: the state before the
            windows.
        """
        distinct, index = torch.unique(types, return_inverse=True)
        vectors = self.elmo.characters(table[distinct])  # (distinct, p)
        top, state = self.contextual(vectors[index.transpose(1, 2)], state)
        return top.transpose(1, 2), state

    def contextual(self, inputs: torch.Tensor, state: State) -> tuple[torch.Tensor, State]:
        """Runs the LSTM layers; returns the top layer's outputs and the state after the windows.

        inputs: (d, s, r, p) word vectors. state: the state before the windows. Outputs: (d, s, r,
            p).
        """
        outputs, cells = [], []
        for number, layer in enumerate(self.elmo.layers):
            begin = state.output[number], state.cell[number]
            top, output, cell = recurrence.run(layer, inputs, *begin)
            inputs = top + inputs if number else top
            outputs.append(output.detach())
            cells.append(cell.detach())
        return inputs, State(torch.stack(outputs), torch.stack(cells))


class BiLSTMLearner(LanguageLearner):
    """A learner of an ELMo: each direction predicts the class of its next word."""

    def __init__(self, recipe: Recipe, words: text.Words, n_words: float, device: str = "cpu"):
        """words: the text, from `text.words`. n_words: the number of its blank-separated words.

        Raises UserError for a text that is too short for one window.
        """
        self.recipe = recipe
        self.identity = run_identity(recipe, words.stream)
        self.device = torch.device(device)
        self._rows = self._in_rows(words.stream)
        self._windows = (self._rows.shape[2] - 1) // recipe.size  # of one reading of the text
        if self._windows < 1:
            raise UserError(
                f"the text has {len(words.stream)} words, too few for {recipe.rows} "
                f"rows of {recipe.size}: take more text or fewer rows"
            )
        self.steps = int(recipe.epochs * self._windows)
        targets = words.classes[words.stream]
        self.classes = int(words.classes.max()) + 1
        counts = np.bincount(targets, minlength=self.classes)
        with seeded(recipe.seed):
            self.model = self._model()
            _know_frequencies(self.model, recipe, targets, counts)
        self.model.to(self.device).train()
        self.vocabulary = text.vocabulary_of(words)
        self._table = torch.from_numpy(text.character_table(words.types)).to(self.device)
        self._class_of_type = torch.from_numpy(words.classes.astype(np.int64)).to(self.device)
        self._frequency = torch.from_numpy(counts / counts.sum())
        self._n_words = n_words
        self._state = self.model.elmo.zero_state(recipe.rows)

    def _model(self) -> LanguageModel:
        """Builds a model with random weights."""
        return LanguageModel(ELMo(Options.model_validate(options(self.recipe))), self.classes)

    def _in_rows(self, stream: np.ndarray) -> torch.Tensor:
        """Returns the text as rows of types, forwards and backwards, (d, r, length)."""
        rows = self.recipe.rows
        length = len(stream) // rows
        forwards = stream[: rows * length]
        backwards = stream[::-1][: rows * length]
        both = np.stack([forwards, backwards]).reshape(2, rows, length)
        return torch.from_numpy(both.astype(np.int64))

    @property
    def matrices(self) -> list[torch.nn.Parameter]:
        return [self.model.matrix]

    def words(self, step: int) -> float:
        return self._n_words * step / self._windows

    def state(self) -> dict[str, torch.Tensor]:
        return self._state._asdict()

    def restore(self, state: dict[str, torch.Tensor]) -> None:
        moved = {name: values.to(self.device) for name, values in state.items()}
        self._state = type(self._state)(**moved)

    def loss(self, step: int) -> torch.Tensor:
        """Computes the mean loss of a step over both directions, in nats, among sampled classes."""
        draw = np.random.default_rng((self.recipe.seed, step))
        size = self.recipe.size
        begin = step % self._windows * size
        window = self._rows[:, :, begin : begin + size + 1].to(self.device)  # (d, r, s + 1)
        state = self._begin(draw, first=begin == 0)
        top, self._state = self.model(window[:, :, :-1], self._table, state)
        targets = self._class_of_type[window[:, :, 1:]].flatten()
        drawn = torch.from_numpy(draw.integers(0, self.classes, DRAWN)).to(self.device)
        sample, index = torch.unique(torch.cat([targets, drawn]), return_inverse=True)
        bias = self.model.bias[sample] - self._log_inclusion(len(targets))[sample]
        hidden = top.reshape(-1, top.shape[-1])  # (d r s, p)
        return cross_entropy(hidden, self.model.matrix[sample], bias, index[: len(targets)])

    def _begin(self, draw: np.random.Generator, first: bool) -> State:
        """Returns the carried state; zero in some random rows, and in all rows if `first`."""
        cold = torch.from_numpy(draw.random(self.recipe.rows) < COLD).to(self.device)
        if first:
            cold[:] = True
        kept = (values.masked_fill(cold[:, None], 0.0) for values in self._state)
        return type(self._state)(*kept)

    def _log_inclusion(self, targets: int) -> torch.Tensor:
        """Computes (v,) log probabilities that a class is a target or drawn."""
        not_drawn = DRAWN * np.log1p(-1 / self.classes)
        absent = targets * torch.log1p(-self._frequency) + not_drawn
        return torch.log(-torch.expm1(absent)).float().to(self.device)

    def held_out(self, articles: Sequence[Article]) -> float:
        """Computes the mean loss over all classes and both directions on 16,384 words, in nats."""
        words = text.words(articles, self.vocabulary)
        words = replace(words, stream=words.stream[:HELD_OUT_WORDS])
        directions = predictions.bilstm(self.model, words)
        return float(np.mean([predicted.nats.mean() for predicted in directions]))

    def save(self, folder: Path) -> None:
        """Writes options.json, and weights.hdf5 in half precision.

        Both boundaries of the file get the vector of the one that was trained.
        """
        folder.mkdir(parents=True, exist_ok=True)
        content = json.dumps(options(self.recipe), indent=1) + "\n"
        (folder / "options.json").write_text(content, encoding="utf-8")
        with h5py.File(folder / "weights.hdf5", "w") as file:
            for name, tensor in self.model.elmo.variables().items():
                values = tensor.detach().cpu().numpy().copy()
                if name == "char_embed":
                    values[257] = values[256]
                file.create_dataset(name, data=values.astype(np.float16), track_times=False)

    def save_predictor(self, folder: Path) -> None:
        """Writes the output layer to PREDICTOR: class vectors in half precision, and biases."""
        matrix = self.model.matrix.detach().half().cpu()
        bias = self.model.bias.detach().cpu()
        save_file({"matrix": matrix, "bias": bias}, folder / PREDICTOR)


def open_model(training: Path) -> LanguageModel:
    """Opens the model of a finished training with its output layer.

    training: the folder of the training. Raises UserError if a file is missing or damaged.
    """
    files = training / "model"
    elmo = ELMo.from_files(files / "options.json", files / "weights.hdf5")
    try:
        predictor = load_file(training / PREDICTOR)
        matrix, bias = predictor["matrix"], predictor["bias"]
    except (OSError, KeyError, SafetensorError) as error:
        raise UserError(
            f"{training / PREDICTOR} cannot be read ({error}): it stands beside the model of a "
            "finished training"
        ) from None
    model = LanguageModel(elmo, len(bias))
    model.matrix.data.copy_(matrix)
    model.bias.data.copy_(bias)
    return model.eval()


def _know_frequencies(
    model: LanguageModel, recipe: Recipe, targets: np.ndarray, counts: np.ndarray
) -> None:
    """Initialises biases by class frequencies, and vectors by co-occurrences for start="counts".

    targets: (n,) classes of the text. counts: (v,) the frequency of each class.
    """
    if recipe.start == "counts":
        start = start_vectors.vectors(targets, len(counts), recipe.dim, NORM, recipe.seed)
        model.matrix.data.copy_(torch.from_numpy(start))
    smoothed = counts + 1
    model.bias.data.copy_(torch.from_numpy(np.log(smoothed / smoothed.sum())))
