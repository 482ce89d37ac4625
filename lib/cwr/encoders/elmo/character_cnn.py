"""Computes an ELMo's input: a word's vector from its characters (Peters et al. 2018, section 3.4).

Axes: words; width (character ids of a word); dim (of a character's vector); filters (of all
widths); windows (stretches of characters that a filter reads).
"""

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import nn

from cwr.encoders.elmo.files import CharacterOptions

BOUNDARIES = {"<S>": [256], "</S>": [257]}
BEGIN, END, PADDING = 258, 259, 260  # of a word; ids below 256 are bytes
N_IDS = 261
_ACTIVATIONS = {"relu": torch.relu, "tanh": torch.tanh}


def characters(words: Sequence[str], width: int = 50) -> np.ndarray:
    """Returns ids (words, width) int16: begin, UTF-8 bytes (at most width - 2), end, padding.

    The words <S> and </S>, which are read around a sentence, are one character each.
    """
    ids = np.full((len(words), width), PADDING, np.int16)
    ids[:, 0] = BEGIN
    for row, word in zip(ids, words, strict=True):
        letters = BOUNDARIES.get(word) or list(word.encode("utf-8", "ignore")[: width - 2])
        row[1 : len(letters) + 1] = letters
        row[len(letters) + 1] = END
    return ids


class Highway(nn.Module):
    """A layer g relu(h W_transform + b_transform) + (1 - g) h, g = sigmoid(h W_carry + b_carry)."""

    def __init__(self, dim: int):
        super().__init__()
        self.W_carry = nn.Parameter(torch.randn(dim, dim) / math.sqrt(dim))
        self.b_carry = nn.Parameter(torch.full((dim,), -2.0))
        self.W_transform = nn.Parameter(torch.randn(dim, dim) / math.sqrt(dim))
        self.b_transform = nn.Parameter(torch.zeros(dim))

    def forward(self, h: torch.Tensor) -> torch.Tensor:
        """Computes (words, filters) from (words, filters)."""
        gate = torch.sigmoid(torch.addmm(self.b_carry, h, self.W_carry))
        transformed = torch.relu(torch.addmm(self.b_transform, h, self.W_transform))
        return gate * transformed + (1 - gate) * h


class CharacterCNN(nn.Module):
    """A network of character embeddings, convolutions with maxima, highways and a projection.

    All parameters have their layout in weights.hdf5 (`files`). A new network is random, as at the
    start of bilm-tf's training.
    """

    def __init__(self, options: CharacterOptions, projection_dim: int):
        super().__init__()
        dim, n_filters = options.embedding.dim, options.n_filters
        self.activation = _ACTIVATIONS[options.activation]
        self.widest = max(width for width, _ in options.filters)
        self.char_embed = nn.Parameter(torch.empty(N_IDS, dim).uniform_(-1, 1))
        self.W_cnn, self.b_cnn = nn.ParameterList(), nn.ParameterList()
        for width, number in options.filters:
            shape = 1, width, dim, number
            if options.activation == "relu":
                self.W_cnn.append(torch.empty(shape).uniform_(-0.05, 0.05))
            else:
                self.W_cnn.append(torch.randn(shape) / math.sqrt(width * dim))
            self.b_cnn.append(torch.zeros(number))
        self.highways = nn.ModuleList(Highway(n_filters) for _ in range(options.n_highway))
        self.W_proj = nn.Parameter(torch.randn(n_filters, projection_dim) / math.sqrt(n_filters))
        self.b_proj = nn.Parameter(torch.zeros(projection_dim))

    def variables(self) -> dict[str, torch.Tensor]:
        """Returns the parameters by their names in the file, with the shapes that `files` lists."""
        named = {"char_embed": self.char_embed}
        for number, (weight, bias) in enumerate(zip(self.W_cnn, self.b_cnn, strict=True)):
            named |= {f"CNN/W_cnn_{number}": weight, f"CNN/b_cnn_{number}": bias}
        for number, highway in enumerate(self.highways):
            for name, parameter in highway.named_parameters():
                named[f"CNN_high_{number}/{name}"] = parameter
        return named | {"CNN_proj/W_proj": self.W_proj, "CNN_proj/b_proj": self.b_proj}

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Computes word vectors (words, projection) from character ids (words, width)."""
        # behind the longest word all windows are padding: one of them stands for the others
        longest = int((ids != PADDING).sum(dim=1).max())
        read = ids[:, : longest + self.widest].long()
        embedded = self.char_embed[read].mT  # (words, dim, width)
        maxima = []
        for weight, bias in zip(self.W_cnn, self.b_cnn, strict=True):
            kernel = weight[0].permute(2, 1, 0)  # (filters, dim, width)
            windows = nn.functional.conv1d(embedded, kernel)  # (words, filters, windows)
            maxima.append(self.activation(windows.amax(dim=2) + bias))
        h = torch.cat(maxima, dim=1)  # (words, filters)
        for highway in self.highways:
            h = highway(h)
        return torch.addmm(self.b_proj, h, self.W_proj)
