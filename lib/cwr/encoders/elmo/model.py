"""An ELMo: a character CNN and a biLSTM language model (Peters et al. 2018, section 3).

Axes: layers (n_layers + 1), rows, length, dim (twice the projection p); tokens in the order of
`layers.Steps`; 2 for the directions, forwards and backwards; c cell.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from cwr.encoders.elmo.character_cnn import BOUNDARIES, CharacterCNN, characters
from cwr.encoders.elmo.files import Options, read_options, read_weights
from cwr.encoders.elmo.layers import BiLSTMLayer, Steps, in_steps
from cwr.errors import UserError


class State(NamedTuple):
    """The LSTMs' state between two sentences of a row; outputs are before the skip connection."""

    output: torch.Tensor  # (n_layers, 2, rows, p)
    cell: torch.Tensor  # (n_layers, 2, rows, c)


class ELMo(nn.Module):
    """A character CNN and a biLSTM language model. A new model is random, see `from_files`.

    n_layers, dim: biLSTM layers; width of every layer, twice the projection
    width: character ids per word
    """

    def __init__(self, options: Options):
        super().__init__()
        self.options = options
        self.n_layers, self.dim = options.lstm.n_layers, 2 * options.lstm.projection_dim
        self.width = options.char_cnn.max_characters_per_token
        self.characters = CharacterCNN(options.char_cnn, options.lstm.projection_dim)
        self.layers = nn.ModuleList(BiLSTMLayer(options.lstm) for _ in range(self.n_layers))

    @classmethod
    def from_files(cls, options: str | Path, weights: str | Path) -> "ELMo":
        """Opens a trained ELMo from its options.json and weights.hdf5 (described in `elmo.files`).

        Raises UserError for a file that is missing, truncated or of another kind, for missing
        variables, and for shapes that do not fit the options.
        """
        with torch.random.fork_rng(devices=[]):  # the random start moves no other generator
            model = cls(read_options(Path(options)))
        read_weights(Path(weights), model.variables())
        return model.eval()

    def variables(self) -> dict[str, torch.Tensor]:
        """Returns all parameters by name, in their layouts in weights.hdf5, not copied."""
        named = self.characters.variables()
        for number, layer in enumerate(self.layers):
            named |= layer.variables(number)
        return named

    def forward(
        self, ids: torch.Tensor, mask: torch.Tensor, state: State | None = None
    ) -> tuple[list[torch.Tensor], State]:
        """Computes n_layers + 1 tensors (rows, length, dim), 0 at padding, and the last states.

        ids: (rows, length, width) character ids, <S> and </S> included; mask: (rows, length), 1
        where there is a token. Rows may be padded on either side, and at least one has a token. The
        character CNN runs once for each distinct word. state: the first state of each row; None:
        zero. A row without tokens keeps its state.
        """
        steps = in_steps(mask)
        vectors = self._word_vectors(ids.flatten(0, 1), steps.cells)  # (2, tokens, p)
        state = self.zero_state(len(mask)) if state is None else state
        layers, outputs, cells = [_spread(vectors, steps, mask)], [], []
        for depth, layer in enumerate(self.layers):
            hidden, output, cell = layer(
                vectors,
                steps.sizes,
                state.output[depth][:, steps.rows],
                state.cell[depth][:, steps.rows],
            )
            skips = depth > 0 and self.options.lstm.use_skip_connections
            vectors = hidden + vectors if skips else hidden
            layers.append(_spread(vectors, steps, mask))
            outputs.append(output)
            cells.append(cell)
        back = torch.argsort(steps.rows)
        return layers, State(torch.stack(outputs)[:, :, back], torch.stack(cells)[:, :, back])

    def _word_vectors(self, ids: torch.Tensor, cells: torch.Tensor) -> torch.Tensor:
        """Computes vectors (2, tokens, p) of cells (2, tokens). ids: (rows * length, width)."""
        distinct, which = torch.unique(ids[cells[0]], dim=0, return_inverse=True)
        number = which.new_zeros(len(ids)).index_copy(0, cells[0], which)
        return self.characters(distinct)[number[cells]]

    def zero_state(self, rows: int) -> State:
        """Returns the state of `rows` rows before anything is read."""
        shape, lstm, like = (self.n_layers, 2, rows), self.options.lstm, self.characters.char_embed
        return State(like.new_zeros(*shape, lstm.projection_dim), like.new_zeros(*shape, lstm.dim))

    @torch.no_grad()
    def forward_words(
        self, sentences: Sequence[Sequence[str]], state: State | None = None
    ) -> tuple[np.ndarray, State]:
        """Computes word vectors (n_layers + 1, sentences, longest, dim) float32, and the state.

        sentences: lists of words; <S> and </S> are added. Vectors are zero behind a sentence's end.
        Layer 0 is a word's character vector, twice. state: the state returned by the last call, if
        each sentence continues the last call's sentence in the same row; None: every sentence
        stands alone. An empty sentence has no vectors and keeps its row's state. Raises UserError
        for a string instead of a list of words, an empty word, and a state with another number of
        rows.
        """
        self._check(sentences, state)
        lengths = np.array([len(words) for words in sentences], np.int64)
        longest = int(lengths.max(initial=0))
        state = self.zero_state(len(sentences)) if state is None else state
        if not longest:
            return np.zeros((self.n_layers + 1, len(sentences), 0, self.dim), np.float32), state
        ids = np.zeros((len(sentences), longest + 2, self.width), np.int16)
        first, last = BOUNDARIES
        for row, words in zip(ids, sentences, strict=True):
            row[: len(words) + 2] = characters([first, *words, last], self.width)
        mask = np.arange(longest + 2) < np.where(lengths > 0, lengths + 2, 0)[:, None]
        device = self.characters.char_embed.device
        read, hides = torch.as_tensor(ids, device=device), torch.as_tensor(mask, device=device)
        layers, state = self(read, hides, state)
        vectors = torch.stack(layers)[:, :, 1:-1].cpu().numpy()
        vectors[:, np.arange(longest) >= lengths[:, None]] = 0  # where </S> stood
        return vectors, state

    def _check(self, sentences: Sequence[Sequence[str]], state: State | None) -> None:
        """Raises UserError for words or a state that `forward_words` refuses."""
        for number, words in enumerate(sentences):
            if isinstance(words, str) or not all(isinstance(word, str) and word for word in words):
                raise UserError(
                    f"sentence {number} given to forward_words is no list of words, or "
                    "has an empty one; give lists of strings of at least one "
                    "character"
                )
        rows = len(sentences) if state is None else state.output.shape[2]
        if rows != len(sentences):
            raise UserError(
                f"forward_words was given {len(sentences)} sentences but a state of "
                f"{rows} rows; a state goes on in the rows that it comes from"
            )


def _spread(vectors: torch.Tensor, steps: Steps, mask: torch.Tensor) -> torch.Tensor:
    """Arranges (2, tokens, p) as (rows, length, dim), both directions joined; zero at padding."""
    empty = vectors.new_zeros(mask.numel(), vectors.shape[-1])
    directions = [
        empty.index_copy(0, cells, direction)
        for cells, direction in zip(steps.cells, vectors, strict=True)
    ]
    return torch.cat(directions, dim=-1).view(*mask.shape, -1)
