"""ELMo (Peters et al. 2018) in plain PyTorch, from the files that bilm-tf and AllenNLP write.

options.json: `char_cnn` and `lstm`, as in `elmo_files.Options`. weights.hdf5: float16 or float32 (computed
is in float32), with d the dimension of a character, F the number of all filters, p the projection's
dimension, c the cell's:

    char_embed                                              (261, d)
    CNN/W_cnn_K, CNN/b_cnn_K                                (1, width, d, filters), (filters,)
    CNN_high_K/W_carry, b_carry, W_transform, b_transform   (F, F), (F,), (F, F), (F,)
    CNN_proj/W_proj, b_proj                                 (F, p), (p,)
    RNN_D/RNN/MultiRNNCell/CellK/LSTMCell/W_0, B, W_P_0     (2 p, 4 c), (4 c,), (c, p)

K counts filters (in the order of options.json), highways and layers from 0; D is 0 forwards, 1 backwards.
The rows of char_embed are characters by their ids (a file with 262 rows begins with a zero row for a mask).
A product is always row vector times matrix. The rows of W_0 are first the input's p, then those of the output
at the last step; the columns of W_0 and B are the gates i, j, f, o; the 1 that is added to f is not in B.
`ELMo.variables` gives all parameters under these names in these layouts: whoever writes a file loops over it.
"""
import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from cwr.encoders.character_cnn import BOUNDARIES, CharacterCNN, characters
from cwr.encoders.elmo_files import LSTMOptions, Options, read_options, read_weights
from cwr.errors import UserError


class State(NamedTuple):
    """What the LSTMs carry from one sentence of a row to its next; the output before the skip connection."""

    output: torch.Tensor            # (layers, 2, rows, projection)
    cell: torch.Tensor              # (layers, 2, rows, cell)


class Steps(NamedTuple):
    """The order in which rows are read: the first tokens of all, then the second ones, ...; no padding."""

    rows: torch.Tensor              # (rows,) the longest first
    sizes: list[int]                # how many rows have a token at each step
    places: torch.Tensor            # (2, tokens) where in rows * length each stands; forwards, backwards


def in_steps(mask: torch.Tensor) -> Steps:
    """Steps through the rows of a mask (rows, length), whose padding is on either side or on none."""
    lengths, begin = mask.sum(dim=1), mask.int().argmax(dim=1)
    rows = torch.argsort(lengths, descending=True, stable=True)
    longest = torch.arange(int(lengths.max()), device=mask.device)
    present = longest[:, None] < lengths[rows]                                      # (steps, rows)
    step, number = present.nonzero(as_tuple=True)
    row = rows[number]
    column = torch.stack([step, lengths[row] - 1 - step]) + begin[row]
    return Steps(rows, present.sum(dim=1).tolist(), row * mask.shape[1] + column)


class BiLSTM(nn.Module):
    """One layer, both directions side by side: LSTMs whose output is projected. The options may clip both."""

    def __init__(self, options: LSTMOptions):
        super().__init__()
        cell, projection = options.dim, options.projection_dim
        self.cell_clip, self.proj_clip = options.cell_clip, options.proj_clip
        self.W = nn.Parameter(_glorot(2, 2 * projection, 4 * cell))
        self.B = nn.Parameter(torch.zeros(2, 4 * cell))
        self.W_P = nn.Parameter(_glorot(2, cell, projection))
        forget = torch.zeros(4, cell)
        forget[2] = 1
        self.register_buffer("forget", forget.flatten(), persistent=False)

    def variables(self, layer: int) -> dict[str, torch.Tensor]:
        """The parameters, as views of one direction, by their names in the file."""
        parts = {"W_0": self.W, "B": self.B, "W_P_0": self.W_P}
        return {f"RNN_{way}/RNN/MultiRNNCell/Cell{layer}/LSTMCell/{name}": parameter[way]
                for way in (0, 1) for name, parameter in parts.items()}

    def forward(self, inputs: torch.Tensor, sizes: list[int], output: torch.Tensor,
                cell: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Outputs (2, tokens, projection), and each row's last output and cell.

        inputs: (2, tokens, projection) in the order of `Steps`; output, cell: (2, rows, ...), longest first.
        """
        own, recurrent = self.W.split(inputs.shape[-1], dim=1)
        products = torch.baddbmm((self.B + self.forget)[:, None], inputs, own)     # (2, tokens, 4 * cell)
        made = []
        for now in products.split(sizes, dim=1):                                    # (2, rows, 4 * cell)
            rows = now.shape[1]
            i, j, f, o = torch.baddbmm(now, output[:, :rows], recurrent).chunk(4, dim=-1)
            c = torch.sigmoid(f) * cell[:, :rows] + torch.sigmoid(i) * torch.tanh(j)
            c = _clipped(c, self.cell_clip)
            h = _clipped(torch.bmm(torch.sigmoid(o) * torch.tanh(c), self.W_P), self.proj_clip)
            output, cell = torch.cat([h, output[:, rows:]], dim=1), torch.cat([c, cell[:, rows:]], dim=1)
            made.append(h)
        return torch.cat(made, dim=1), output, cell


class ELMo(nn.Module):
    """A character CNN and the layers of a biLSTM language model. A new one is random, see `from_files`.

    n_layers, dim: biLSTM layers; width of every layer, twice the projection
    width: character ids a word
    """

    def __init__(self, options: Options):
        super().__init__()
        self.options = options
        self.n_layers, self.dim = options.lstm.n_layers, 2 * options.lstm.projection_dim
        self.width = options.char_cnn.max_characters_per_token
        self.characters = CharacterCNN(options.char_cnn, options.lstm.projection_dim)
        self.layers = nn.ModuleList(BiLSTM(options.lstm) for _ in range(self.n_layers))

    @classmethod
    def from_files(cls, options: str | Path, weights: str | Path) -> "ELMo":
        """A trained ELMo from its options.json and weights.hdf5; the top of this file says what they hold.

        Refuses (UserError) a missing, truncated or other file, missing variables, and shapes that do not fit
        the options.
        """
        with torch.random.fork_rng(devices=[]):             # the random start costs nobody else a draw
            model = cls(read_options(Path(options)))
        read_weights(Path(weights), model.variables())
        return model.eval()

    def variables(self) -> dict[str, torch.Tensor]:
        """All parameters by their names in weights.hdf5, in the file's layouts; the memory is the model's."""
        named = self.characters.variables()
        for number, layer in enumerate(self.layers):
            named |= layer.variables(number)
        return named

    def forward(self, ids: torch.Tensor, mask: torch.Tensor,
                state: State | None = None) -> tuple[list[torch.Tensor], State]:
        """n_layers + 1 tensors (rows, length, dim), zero at padding, and the state behind each row.

        ids: (rows, length, width) of characters, with <S> and </S> where they are to be read; mask: (rows,
        length), 1 where there is a token. Rows may be padded on either side, and at least one has a token.
        The character CNN runs once for each distinct word. state: where each row begins; None: from zero. A
        row without tokens keeps its state.
        """
        steps, flat = in_steps(mask), ids.flatten(0, 1)                             # (rows * length, width)
        distinct, which = torch.unique(flat[steps.places[0]], dim=0, return_inverse=True)
        number = which.new_zeros(len(flat)).index_copy(0, steps.places[0], which)
        vectors = self.characters(distinct)[number[steps.places]]                   # (2, tokens, projection)
        state = self.zero_state(len(mask)) if state is None else state
        layers, outputs, cells = [_spread(vectors, steps, mask)], [], []
        for depth, layer in enumerate(self.layers):
            made, output, cell = layer(vectors, steps.sizes, state.output[depth][:, steps.rows],
                                       state.cell[depth][:, steps.rows])
            skips = depth > 0 and self.options.lstm.use_skip_connections
            vectors = made + vectors if skips else made
            layers.append(_spread(vectors, steps, mask))
            outputs.append(output)
            cells.append(cell)
        back = torch.argsort(steps.rows)
        return layers, State(torch.stack(outputs)[:, :, back], torch.stack(cells)[:, :, back])

    def zero_state(self, rows: int) -> State:
        """The state of rows of which nothing is read yet."""
        shape, lstm, like = (self.n_layers, 2, rows), self.options.lstm, self.characters.char_embed
        return State(like.new_zeros(*shape, lstm.projection_dim), like.new_zeros(*shape, lstm.dim))

    @torch.no_grad()
    def forward_words(self, sentences: Sequence[Sequence[str]],
                      state: State | None = None) -> tuple[np.ndarray, State]:
        """(n_layers + 1, sentences, longest, dim) float32, zero behind a sentence's end, and the state.

        sentences: lists of words; <S> and </S> are put around each and taken away again. Layer 0 is a word's
        vector by its characters, twice. state: what the last call gave, if the sentences go on where those of
        that call ended, row by row; None: every sentence by itself. An empty sentence has no vectors and
        keeps its row's state.
        Refuses a string for a list of words, an empty word, and a state of another number of rows.
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
            row[:len(words) + 2] = characters([first, *words, last], self.width)
        mask = np.arange(longest + 2) < np.where(lengths > 0, lengths + 2, 0)[:, None]
        device = self.characters.char_embed.device
        layers, state = self(torch.as_tensor(ids, device=device), torch.as_tensor(mask, device=device), state)
        vectors = torch.stack(layers)[:, :, 1:-1].cpu().numpy()
        vectors[:, np.arange(longest) >= lengths[:, None]] = 0                      # where </S> stood
        return vectors, state

    def _check(self, sentences: Sequence[Sequence[str]], state: State | None) -> None:
        for number, words in enumerate(sentences):
            if isinstance(words, str) or not all(isinstance(word, str) and word for word in words):
                raise UserError(f"sentence {number} given to forward_words is no list of words, or has an "
                                f"empty one; give lists of strings of at least one character")
        rows = len(sentences) if state is None else state.output.shape[2]
        if rows != len(sentences):
            raise UserError(f"forward_words was given {len(sentences)} sentences but a state of {rows} rows; "
                            f"a state goes on in the rows that it comes from")


def _spread(vectors: torch.Tensor, steps: Steps, mask: torch.Tensor) -> torch.Tensor:
    """(rows, length, dim) from both directions' (2, tokens, projection); zero where there is no token."""
    empty = vectors.new_zeros(mask.numel(), vectors.shape[-1])
    ways = [empty.index_copy(0, place, own) for place, own in zip(steps.places, vectors, strict=True)]
    return torch.cat(ways, dim=-1).view(*mask.shape, -1)


def _clipped(values: torch.Tensor, limit: float | None) -> torch.Tensor:
    return values if limit is None else values.clamp(-limit, limit)


def _glorot(*shape: int) -> torch.Tensor:
    """Uniform, as bilm-tf's training begins; the last two axes are those of the matrix."""
    limit = math.sqrt(6 / (shape[-2] + shape[-1]))
    return torch.empty(shape).uniform_(-limit, limit)
