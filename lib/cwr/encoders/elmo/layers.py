"""The biLSTM of an ELMo: the order in which padded rows are read, and a bidirectional layer.

Axes: rows and length of a mask, or rows * length flattened; tokens, the unmasked places in the
order of `Steps`; 2 for the directions, forwards and backwards; p projection, c cell.
"""

import math
from typing import NamedTuple

import torch
from torch import nn

from cwr.encoders.elmo.files import LSTMOptions


class Steps(NamedTuple):
    """The order in which rows are read: the first tokens of all rows, then the second, ..."""

    rows: torch.Tensor  # (rows,) the longest first
    sizes: list[int]  # how many rows have a token at each step
    cells: torch.Tensor  # (2, tokens) where in rows * length each token stands


def in_steps(mask: torch.Tensor) -> Steps:
    """Computes the steps through the rows of a mask (rows, length), padded on either side."""
    lengths, begin = mask.sum(dim=1), mask.int().argmax(dim=1)
    rows = torch.argsort(lengths, descending=True, stable=True)
    longest = torch.arange(int(lengths.max()), device=mask.device)
    present = longest[:, None] < lengths[rows]  # (steps, rows)
    step, number = present.nonzero(as_tuple=True)
    row = rows[number]
    column = torch.stack([step, lengths[row] - 1 - step]) + begin[row]
    return Steps(rows, present.sum(dim=1).tolist(), row * mask.shape[1] + column)


class BiLSTMLayer(nn.Module):
    """A layer of two LSTMs, one per direction, with projected outputs.

    The options may clip cell and output. `forget` is the 1 that bilm-tf adds to the forget gate.
    """

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

    def matrices(self) -> list[torch.Tensor]:
        """Returns the matrices of both directions as views (outputs, inputs): W, then W_P."""
        return [matrix.T for matrix in (*self.W.detach(), *self.W_P.detach())]

    def variables(self, layer: int) -> dict[str, torch.Tensor]:
        """Returns {name in the file: a view of one direction's parameter}.

        W_0 (2 p, 4 c), B (4 c,), W_P_0 (c, p), as `files` lists them.
        """
        parameters = {"W_0": self.W, "B": self.B, "W_P_0": self.W_P}
        named = {}
        for direction in (0, 1):
            cell = f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"
            named |= {f"{cell}/{name}": value[direction] for name, value in parameters.items()}
        return named

    def forward(
        self, inputs: torch.Tensor, sizes: list[int], output: torch.Tensor, cell: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Computes outputs (2, tokens, p), last outputs (2, rows, p) and last cells (2, rows, c).

        inputs: (2, tokens, p) in the order of `Steps`; sizes: as in `Steps`; output, cell: initial
        states, the longest row first.
        """
        from_input, recurrent = self.W.split(inputs.shape[-1], dim=1)  # (2, p, 4 c) each
        bias = (self.B + self.forget)[:, None]
        products = torch.baddbmm(bias, inputs, from_input)  # (2, tokens, 4 c)
        outputs = []
        for product in products.split(sizes, dim=1):  # (2, rows, 4 c)
            rows = product.shape[1]
            gates = torch.baddbmm(product, output[:, :rows], recurrent)
            i, j, f, o = gates.chunk(4, dim=-1)
            c = torch.sigmoid(f) * cell[:, :rows] + torch.sigmoid(i) * torch.tanh(j)
            c = _clipped(c, self.cell_clip)
            h = _clipped(torch.bmm(torch.sigmoid(o) * torch.tanh(c), self.W_P), self.proj_clip)
            output = torch.cat([h, output[:, rows:]], dim=1)
            cell = torch.cat([c, cell[:, rows:]], dim=1)
            outputs.append(h)
        return torch.cat(outputs, dim=1), output, cell


def _clipped(values: torch.Tensor, limit: float | None) -> torch.Tensor:
    return values if limit is None else values.clamp(-limit, limit)


def _glorot(*shape: int) -> torch.Tensor:
    """Draws Glorot-uniform matrices, as bilm-tf does; the last two axes are those of a matrix."""
    limit = math.sqrt(6 / (shape[-2] + shape[-1]))
    return torch.empty(shape).uniform_(-limit, limit)
