"""The biLSTM language model while it is trained: the encoders' own ELMo, and word vectors to predict with.

Each direction reads the whole text in parallel rows, its state carried from window to window; backwards is the same
over the reversed text. A class is predicted from a sample of classes: the step's own targets, and some drawn at
random; each logit is lowered by the log of the probability that its class is in the sample, so that what is learned is
the distribution over all classes. The word vectors are left behind when the model is shipped.
"""
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import torch
from torch import nn

from cwr.corpora import Article
from cwr.encoders.elmo.files import Options
from cwr.encoders.elmo.model import ELMo, State
from cwr.errors import UserError
from cwr.training import counts, quality, recurrence, text
from cwr.training.language_models import Recipe
from cwr.training.loss import cross_entropy

DRAWN = 1024                # classes drawn uniformly for each step, beside the step's targets
COLD = 0.1                  # share of the rows that begin a window without state, as a single sentence does
NORM = 0.5                  # of a class's vector at the start
OPTIONS = {
    "char_cnn": {"embedding": {"dim": 16}, "filters": [[1, 32], [2, 32], [3, 64], [4, 128], [5, 128]], "n_highway": 1,
                 "activation": "relu", "n_characters": 262, "max_characters_per_token": text.CHARACTERS},
    "lstm": {"use_skip_connections": True, "n_layers": 2, "projection_dim": 128, "dim": 512, "cell_clip": 3,
             "proj_clip": 3}}


class LanguageModel(nn.Module):
    """ELMo and what it predicts words with: `matrix` (classes, projection) and `bias` (classes,), for both ways."""

    def __init__(self, elmo: ELMo, classes: int):
        super().__init__()
        projection = elmo.options.lstm.projection_dim
        self.elmo = elmo
        self.matrix = nn.Parameter(torch.randn(classes, projection) * NORM / projection ** 0.5)
        self.bias = nn.Parameter(torch.zeros(classes))

    def forward(self, types: torch.Tensor, table: torch.Tensor, state: State) -> tuple[torch.Tensor, State]:
        """(2, rows, size, projection) top outputs of both ways, and the state behind the windows.

        types: (2, rows, size) what each way reads, in the order in which it reads it. table: (all types, characters).
        """
        distinct, which = torch.unique(types, return_inverse=True)
        inputs = self.elmo.characters(table[distinct])[which.transpose(1, 2)]       # (2, size, rows, projection)
        outputs, cells = [], []
        for number, layer in enumerate(self.elmo.layers):
            made, output, cell = recurrence.run(layer, inputs, state.output[number], state.cell[number])
            inputs = made + inputs if number else made
            outputs.append(output.detach())
            cells.append(cell.detach())
        return inputs.transpose(1, 2), State(torch.stack(outputs), torch.stack(cells))


class BiLSTM:
    """See `language_models.Learner`."""

    def __init__(self, recipe: Recipe, made: text.Words, words: float, device: str = "cpu"):
        torch.manual_seed(recipe.seed)
        self.recipe, self.device = recipe, torch.device(device)
        options = {**OPTIONS, "lstm": {**OPTIONS["lstm"], "n_layers": recipe.layers, "projection_dim": recipe.dim,
                                       "dim": 4 * recipe.dim}}
        self.options = options
        classes = int(made.classes.max()) + 1
        self.model = LanguageModel(ELMo(Options.model_validate(options)), classes)
        targets = made.classes[made.stream]
        seen = np.bincount(targets, minlength=classes)
        if recipe.start == "counts":
            found = counts.vectors(targets, classes, recipe.dim, NORM, recipe.seed)
            self.model.matrix.data.copy_(torch.from_numpy(found))
        self.model.bias.data.copy_(torch.from_numpy(np.log((seen + 1) / (seen + 1).sum())))
        self.model.to(self.device).train()
        self.known = text.known(made)
        self._table = torch.from_numpy(text.character_table(made.types)).to(self.device)
        self._class = torch.from_numpy(made.classes.astype(np.int64)).to(self.device)
        self._frequency = torch.from_numpy(seen / seen.sum())
        self._rows = self._in_rows(made.stream)
        self._windows = (self._rows.shape[2] - 1) // recipe.size            # of one reading of the text
        if not self._windows:
            raise UserError(f"the text has {len(made.stream)} words, too few for {recipe.rows} rows of "
                            f"{recipe.size}: take more text or fewer rows")
        self.steps = int(recipe.epochs * self._windows)
        self._words = words
        self._state = self.model.elmo.zero_state(recipe.rows)

    def _in_rows(self, stream: np.ndarray) -> torch.Tensor:
        """(2, rows, length) types: the text in rows, forwards and backwards."""
        rows = self.recipe.rows
        length = len(stream) // rows
        ways = [way[:rows * length].reshape(rows, length) for way in (stream, stream[::-1])]
        return torch.from_numpy(np.stack(ways).astype(np.int64))

    def words(self, step: int) -> float:
        return self._words * step / self._windows

    def state(self) -> dict:
        return {"output": self._state.output, "cell": self._state.cell}

    def restore(self, state: dict) -> None:
        self._state = State(state["output"].to(self.device), state["cell"].to(self.device))

    def loss(self, step: int) -> torch.Tensor:
        """Mean nats of the next words, both ways, among the step's classes; goes on from the state that it leaves."""
        size, draw = self.recipe.size, np.random.default_rng((self.recipe.seed, step))
        begin = step % self._windows * size
        window = self._rows[:, :, begin:begin + size + 1].to(self.device)
        cold = torch.from_numpy(draw.random(self.recipe.rows) < COLD).to(self.device)
        if begin == 0:
            cold[:] = True
        state = State(*(part.masked_fill(cold[:, None], 0.0) for part in self._state))
        top, self._state = self.model(window[:, :, :-1], self._table, state)
        targets = self._class[window[:, :, 1:]].flatten()
        classes, own = torch.unique(torch.cat([targets, self._drawn(draw)]), return_inverse=True)
        bias = self.model.bias[classes] - self._log_inclusion(len(targets))[classes]
        return cross_entropy(top.reshape(-1, top.shape[-1]), self.model.matrix[classes], bias, own[:len(targets)])

    def _drawn(self, draw: np.random.Generator) -> torch.Tensor:
        return torch.from_numpy(draw.integers(0, len(self._frequency), DRAWN)).to(self.device)

    def _log_inclusion(self, targets: int) -> torch.Tensor:
        """(classes,) log probability to be among so many targets or the drawn ones."""
        absent = targets * torch.log1p(-self._frequency) + DRAWN * np.log1p(-1 / len(self._frequency))
        return torch.log(-torch.expm1(absent)).float().to(self.device)

    def held_out(self, articles: Sequence[Article]) -> float:
        """On 16,384 words, over all classes, the mean of both directions."""
        made = text.words(articles, self.known)
        made = replace(made, stream=made.stream[:16_384])
        return float(np.mean([found.nats.mean() for found in quality.bilstm(self.model, made)]))

    def save(self, folder: Path) -> None:
        """options.json and weights.hdf5 in half precision. Both boundaries get the one that was trained."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "options.json").write_text(json.dumps(self.options, indent=1) + "\n", encoding="utf-8")
        with h5py.File(folder / "weights.hdf5", "w") as file:
            for name, tensor in self.model.elmo.variables().items():
                values = tensor.detach().cpu().numpy().copy()
                if name == "char_embed":
                    values[257] = values[256]
                file.create_dataset(name, data=values.astype(np.float16), track_times=False)
