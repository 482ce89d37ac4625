"""A step of a structural probe by the Gram matrix, and by an array of all differences: what bench.py times.

L layers, b sentences, n words, d dimensions, k rows of the map
"""

from collections.abc import Callable

import torch

from cwr.texts.survey import structural

SENTENCES, WORDS, DIM, RANK = 20, 40, 768, 64
STEPS = 20


def all_differences(
    mapped: torch.Tensor, gold: torch.Tensor, lengths: torch.Tensor
) -> torch.Tensor:
    """The loss as the released loss.py and probe.py take it, with b x n x n x k numbers."""
    differences = mapped[..., :, None, :] - mapped[..., None, :, :]
    errors = ((differences**2).sum(dim=-1) - gold).abs()
    return (errors.sum(dim=(-1, -2)) / lengths**2).mean(dim=-1).sum()


class Comparison:
    """A batch of sentences of one length, and a map."""

    def __init__(self):
        generator = torch.Generator().manual_seed(0)
        self.vectors = torch.randn(1, SENTENCES, WORDS, DIM, generator=generator)
        gold = torch.randint(1, 9, (SENTENCES, WORDS, WORDS), generator=generator).float()
        self.gold = torch.triu(gold, 1) + torch.triu(gold, 1).transpose(1, 2)
        self.lengths = torch.full((SENTENCES,), float(WORDS))
        self.maps = structural.Projections(1, RANK, DIM, seed=0)

    def step(self, loss: Callable) -> tuple[float, torch.Tensor]:
        """Forward and backward, the map included: the loss and its gradient by the map."""
        self.maps.zero_grad()
        value = loss(self.maps(self.vectors), self.gold, self.lengths)
        value.backward()
        return float(value.detach()), self.maps.projection.grad.clone()

    def steps(self, loss: Callable) -> None:
        """Several steps, to be timed."""
        for _ in range(STEPS):
            self.step(loss)

    def difference(self) -> float:
        """By how much the two ways differ, relative: the larger of loss and gradient."""
        (value, gradient), (other, of_other) = (
            self.step(loss) for loss in (structural.distance_loss, all_differences)
        )
        largest = (gradient - of_other).abs().max() / of_other.abs().max()
        return max(abs(value - other) / other, float(largest))
