"""An update of static vectors, two ways each: what bench.py times.

v words, dim dimensions, T targets, K negatives of a target
"""

from collections.abc import Callable

import numpy as np
import torch

from cwr.training.static_vectors import negative_sampling

TARGETS, NEGATIVES = 400, 10
UPDATES = 20  # that each way makes in a row
SIZES = [(5_000, 192), (20_000, 384)]
TWO_WAYS = tuple[Callable[[], object], Callable[[], object]]


def gathers(words: int, dim: int) -> tuple[TWO_WAYS, float]:
    """Loss and gradient of a batch: in the released form, and by one gather.

    The released code takes the negatives from a Python list and adds up 1 + K products, one a
    negative. Returns what runs each, and the largest difference of their gradients.
    """
    matrix, contexts, rows = _batch(words, dim)
    lists = [rows[:, number].tolist() for number in range(1 + NEGATIVES)]

    def released():
        matrix.weight.grad = None
        total = 0.0
        for number, column in enumerate(lists):
            scores = (matrix(torch.LongTensor(column)) * contexts).sum(dim=1)
            sign = 1.0 if number == 0 else -1.0
            total = total + torch.log(1 + torch.exp(-sign * scores.clamp(-20, 20))).mean()
        total.backward()
        return matrix.weight.grad.coalesce()  # as the optimiser takes it

    def one_gather():
        matrix.weight.grad = None
        scores = torch.einsum("tkd,td->tk", matrix(rows), contexts)
        negative_sampling.loss(scores).backward()
        return matrix.weight.grad.coalesce()  # as the optimiser takes it

    difference = released().to_dense() - one_gather().to_dense()
    return (_repeated(released), _repeated(one_gather)), float(difference.abs().max())


def optimisers(words: int, dim: int) -> TWO_WAYS:
    """A whole update of a batch: by Adam over all rows, and by the lazy Adam over those touched."""
    ways = []
    for kind, is_sparse in ((torch.optim.Adam, False), (torch.optim.SparseAdam, True)):
        matrix, contexts, rows = _batch(words, dim, is_sparse)
        optimiser = kind(list(matrix.parameters()), lr=1e-3)

        def update(matrix=matrix, contexts=contexts, rows=rows, optimiser=optimiser):
            optimiser.zero_grad(set_to_none=True)
            scores = torch.einsum("tkd,td->tk", matrix(rows), contexts)
            negative_sampling.loss(scores).backward()
            optimiser.step()

        ways.append(_repeated(update))
    return tuple(ways)


def _repeated(update: Callable[[], object]) -> Callable[[], None]:
    """So many updates in a row."""

    def run():
        for _ in range(UPDATES):
            update()

    return run


def _batch(
    words: int, dim: int, is_sparse: bool = True
) -> tuple[torch.nn.Embedding, torch.Tensor, torch.Tensor]:
    """A matrix (v, dim), contexts (T, dim) and rows (T, 1 + K), words as frequent as Zipf has it."""
    draw = np.random.default_rng(0)
    weights = 1 / np.arange(1, words + 1) ** 0.5
    rows = draw.choice(words, size=(TARGETS, 1 + NEGATIVES), p=weights / weights.sum())
    contexts = draw.normal(size=(TARGETS, dim)).astype(np.float32)
    matrix = torch.nn.Embedding(words, dim, sparse=is_sparse)
    torch.nn.init.uniform_(matrix.weight, -1 / dim, 1 / dim)
    return matrix, torch.from_numpy(contexts), torch.from_numpy(rows)
