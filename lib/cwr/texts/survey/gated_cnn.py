"""Defines a language model of gated convolutions, in both directions, its training and its encoder.

After Dauphin et al. (2017), "Language modeling with gated convolutional networks", section 2. Input
(words by their characters) and targets (the class of the next word in the order of reading) are the
biLSTM's, so `bilstm` trains it; only the layers that mix words differ.
A word's vector depends on the `reach` words before it and on no other.

Axes: d directions (2, forwards and backwards), r rows, s words in the order of reading, p the width
of a direction, w the width of a filter.
"""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import nn

from cwr.encoders.batches import Input
from cwr.encoders.elmo.character_cnn import BOUNDARIES, CharacterCNN, characters
from cwr.encoders.elmo.encoder import ELMoEncoder
from cwr.encoders.elmo.files import CharacterOptions
from cwr.encoders.encoder import Encoder
from cwr.errors import UserError
from cwr.making.language_models.bilstm import CHARACTER_CNN, BiLSTMLearner, LanguageModel

WIDTH = 4  # words that a filter spans: the one it stands on and three before it
OPTIONS, WEIGHTS = "gated_cnn.json", "weights.safetensors"
FAMILY = "convolutional"


class Tail(NamedTuple):
    """The state that a row carries from window to window: the last w - 1 inputs of every block."""

    inputs: torch.Tensor  # (n_layers, d, r, (w - 1) p)


class GatedBlock(nn.Module):
    """The block x + (X W + b) * sigmoid(X V + c), X the last w vectors: equation 1, with a skip."""

    def __init__(self, dim: int, width: int):
        super().__init__()
        self.width = width
        self.weight = nn.Parameter(torch.randn(2, width * dim, 2 * dim) / (width * dim) ** 0.5)
        self.bias = nn.Parameter(torch.zeros(2, 1, 2 * dim))

    def forward(self, inputs: torch.Tensor, before: torch.Tensor) -> torch.Tensor:
        """Computes outputs (d, r, s, p). inputs: (d, r, s, p); before: (d, r, w - 1, p)."""
        directions, rows, length, dim = inputs.shape
        read = torch.cat([before, inputs], dim=2)
        windows = read.unfold(2, self.width, 1)  # (d, r, s, p, w)
        flat = windows.reshape(directions, rows * length, dim * self.width)
        gated = nn.functional.glu(torch.baddbmm(self.bias, flat, self.weight), dim=-1)
        return inputs + gated.view(inputs.shape)


class GatedCNN(nn.Module):
    """A character CNN and gated convolutions above it, both directions side by side.

    n_layers, dim: blocks; width of every layer, twice p. width: character ids a word.
    """

    def __init__(self, layers: int, dim: int, width: int = WIDTH):
        super().__init__()
        options = CharacterOptions.model_validate(CHARACTER_CNN)
        self.n_layers, self.dim, self.width = layers, 2 * dim, options.max_characters_per_token
        self.reach = layers * (width - 1)
        self.characters = CharacterCNN(options, dim)
        self.layers = nn.ModuleList(GatedBlock(dim, width) for _ in range(layers))

    def zero_state(self, rows: int) -> Tail:
        """Returns the state of rows of which nothing is read yet."""
        before = (self.layers[0].width - 1) * self.dim // 2
        return Tail(self.characters.char_embed.new_zeros(self.n_layers, 2, rows, before))

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> list[torch.Tensor]:
        """Computes n_layers + 1 tensors (r, s, 2 p), words in the order of the text.

        ids: (r, s, characters); mask: (r, s), 1 where there is a word. Beyond a row's words every
        block reads zeros, as at the beginning of a row in training.
        """
        vectors = self.characters(ids.flatten(0, 1)).view(*mask.shape, -1) * mask[:, :, None]
        inputs = torch.stack([vectors, vectors.flip(1)])  # (d, r, s, p)
        present = torch.stack([mask, mask.flip(1)])[:, :, :, None]
        layers = [inputs]
        before = self.zero_state(len(mask)).inputs.view(
            self.n_layers, 2, len(mask), -1, self.dim // 2
        )
        for block, zeros in zip(self.layers, before, strict=True):
            layers.append(block(layers[-1], zeros) * present)
        return [torch.cat([layer[0], layer[1].flip(1)], dim=-1) for layer in layers]


class GatedLanguageModel(LanguageModel):
    """A language model with a `GatedCNN` in ELMo's place, and output layers for both directions."""

    def contextual(self, inputs: torch.Tensor, state: Tail) -> tuple[torch.Tensor, Tail]:
        """Computes top outputs (d, s, r, p) of inputs (d, s, r, p), and the state behind them."""
        inputs = inputs.transpose(1, 2)  # (d, r, s, p)
        tails = []
        for block, tail in zip(self.elmo.layers, state.inputs, strict=True):
            before = tail.view(*inputs.shape[:2], -1, inputs.shape[3])
            read = torch.cat([before, inputs], dim=2)
            tails.append(read[:, :, -before.shape[2] :].detach().flatten(2))
            inputs = block(inputs, before)
        return inputs.transpose(1, 2), Tail(torch.stack(tails))


class GatedCNNLearner(BiLSTMLearner):
    """A learner whose directions predict the class of the next word in their order of reading."""

    def _model(self) -> GatedLanguageModel:
        return GatedLanguageModel(GatedCNN(self.recipe.layers, self.recipe.dim), self.classes)

    def save(self, folder: Path) -> None:
        """Saves gated_cnn.json, and the weights in half precision."""
        folder.mkdir(parents=True, exist_ok=True)
        options = {"layers": self.recipe.layers, "dim": self.recipe.dim, "width": WIDTH}
        (folder / OPTIONS).write_text(json.dumps(options) + "\n", encoding="utf-8")
        weights = self.model.elmo.state_dict()
        half = {name: weight.half().cpu().contiguous() for name, weight in weights.items()}
        save_file(half, folder / WEIGHTS)


class GatedCNNEncoder(ELMoEncoder):
    """A `GatedCNN` as an encoder. It reads words as an ELMo does, <S> and </S> around."""

    def __init__(self, model: GatedCNN, *, name: str, sources: Callable[[], dict]):
        Encoder.__init__(self, model, None, name=name, family=FAMILY, sources=sources)
        self.n_layers, self.dim = model.n_layers, model.dim
        blocks = (f"gated convolution {number}" for number in range(1, self.n_layers + 1))
        self.contract = ("input: character CNN, twice", *blocks)
        self._around = tuple([row] for row in characters(list(BOUNDARIES), model.width))

    def _layers(self, inputs: Input, attentions: list | None = None) -> list[torch.Tensor]:
        """n_layers + 1 tensors (rows, length, dim). Raises UserError for attentions."""
        if attentions is not None:
            raise UserError(f"{self.name} is a convolutional network and has no attentions")
        return self.model(inputs.ids, inputs.mask.float())


def open_encoder(folder: Path, name: str) -> GatedCNNEncoder:
    """Opens the network that `GatedCNNLearner.save` wrote, as an encoder.

    Raises UserError for a folder without its files, and for files that do not fit together.
    """
    try:
        options = json.loads((folder / OPTIONS).read_text(encoding="utf-8"))
        model = GatedCNN(**options)
        model.load_state_dict(
            {key: value.float() for key, value in load_file(folder / WEIGHTS).items()}
        )
    except (OSError, ValueError, TypeError, RuntimeError, SafetensorError) as error:
        raise UserError(
            f"{folder} holds no gated CNN that can be read ({type(error).__name__}): it needs "
            f"{OPTIONS} and {WEIGHTS} of one training"
        ) from None

    def sources() -> dict:
        """All that decides its numbers, this file included: it is in no room of the cache's."""
        files = (folder / OPTIONS, folder / WEIGHTS, Path(__file__))
        digests = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
        return {"files": digests, "torch": torch.__version__}

    return GatedCNNEncoder(model.eval(), name=name, sources=sources)
