"""Trains the structural probe: one linear map a layer, after which words lie as in their tree.

Hewitt and Manning (2019), sections 2.2 and 2.3: a matrix B such that |B (h_i - h_j)|^2 is near the
number of edges between two words, or |B h_i|^2 near the depth of one. The loss of a sentence of n
words is the sum of absolute errors over n^2 (or n), and that of a batch their mean. As in the
paper, first weights are from U(-0.05, 0.05), and Adam learns from batches. Unlike there, no dev set
is used, the rate falls along half a cosine over a fixed number of epochs, and the map reads vectors
whose dimensions were divided by their deviation, which B could undo (this only speeds learning up).

No array has n x n x k numbers: with T = H B' the squared distances are P = g1' + 1g' - 2TT', g the
diagonal of TT'. For a symmetric matrix S of signs and weights the derivative of sum S_ij P_ij by T
is 4 (diag(S1) - S) T, so forward and backward are two products each.

    L layers, b sentences of a batch, n words of the longest, d dimensions, k rows of B (its rank)
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from cwr.errors import UserError
from cwr.training import loop
from cwr.training.loop import Learner, Schedule

FIRST_WEIGHT = 0.05  # largest, of B


@dataclass(frozen=True)
class Settings:
    """The settings of structural probes. The source: rank d or less, 40 epochs at most, rate 0.001.

    rank: rows of B. batch: sentences a step. seed: of first weights and order.
    """

    rank: int = 64
    epochs: int = 6
    batch: int = 20
    rate: float = 1e-2
    seed: int = 0


DEFAULT = Settings()


class _SignedError(torch.autograd.Function):
    """Weighted absolute errors of squared distances, with the closed gradient of the module's head."""

    @staticmethod
    def forward(ctx, mapped, gold, weight):
        """mapped: T (L, b, n, k). gold, weight: (b, n, n), symmetric. The sum over all, a scalar."""
        gram = mapped @ mapped.transpose(-1, -2)  # (L, b, n, n)
        norms = gram.diagonal(dim1=-2, dim2=-1)
        error = norms[..., None] + norms[..., None, :] - 2 * gram - gold
        signs = torch.sign(error) * weight
        ctx.save_for_backward(mapped, signs)
        return (error * signs).sum()

    @staticmethod
    def backward(ctx, gradient):
        """By T: 4 (diag(S1) - S) T."""
        mapped, signs = ctx.saved_tensors
        rows = signs.sum(dim=-1, keepdim=True)
        return 4 * gradient * (rows * mapped - signs @ mapped), None, None


def distance_loss(mapped: torch.Tensor, gold: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Computes the loss of mapped words' distances, summed over layers, a scalar.

    mapped: T = H B', (L, b, n, k), of words beyond a sentence's length too. gold: (b, n, n).
    lengths: (b,).
    """
    inside = _is_word(gold.shape[1], lengths)
    weight = inside[:, :, None] * inside[:, None, :] / (lengths**2)[:, None, None] / len(lengths)
    return _SignedError.apply(mapped, gold, weight)


def depth_loss(mapped: torch.Tensor, gold: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
    """Computes the loss of mapped words' depths, as `distance_loss`. gold: (b, n)."""
    weight = _is_word(gold.shape[1], lengths) / lengths[:, None] / len(lengths)
    return (((mapped**2).sum(dim=-1) - gold).abs() * weight).sum()


def _is_word(n: int, lengths: torch.Tensor) -> torch.Tensor:
    """1 for the words of each sentence, 0 beyond, (b, n)."""
    return (torch.arange(n, device=lengths.device) < lengths[:, None]).float()


@dataclass(frozen=True, eq=False)
class Batch:
    """Sentences of about one length, padded. vectors: (L, b, n, d). gold: (b, n, n) or (b, n)."""

    vectors: torch.Tensor
    gold: torch.Tensor
    lengths: torch.Tensor


def train(
    vectors: Sequence[np.ndarray],
    gold: Sequence[np.ndarray],
    settings: Settings = DEFAULT,
    device: str = "cpu",
) -> np.ndarray:
    """Trains the maps B of these layers, (L, k, d), on the same sentences in the same order.

    vectors: of each sentence (L, n, d). gold: of each sentence its `tree_distances` (n, n), or its
        `depths` (n,), which decides which probe is trained.
    Layers do not see each other: together they learn what each learns alone.
    Raises UserError for a rank above the dimension, settings without an epoch or a sentence a
    batch, no sentence, and vectors that do not fit or are not finite.
    """
    _refuse(vectors, gold, settings)
    scale = _deviation(vectors)  # (L, 1, d)
    learner = StructuralLearner(batches(vectors, gold, scale, settings.batch, device), settings)
    schedule = Schedule(settings.rate, floor=0, second_moment=0.999, seed=settings.seed)
    for _ in loop.train(learner, schedule, None):
        pass
    return learner.model.projection.detach().cpu().numpy() / scale


class Projections(torch.nn.Module):
    """The map of each layer, (L, k, d), with the same first weights in all layers."""

    def __init__(self, layers: int, rank: int, dim: int, seed: int):
        super().__init__()
        with loop.seeded(seed):
            first = torch.empty(rank, dim).uniform_(-FIRST_WEIGHT, FIRST_WEIGHT)
        self.projection = torch.nn.Parameter(first.repeat(layers, 1, 1))

    def forward(self, vectors: torch.Tensor) -> torch.Tensor:
        """Projects the vectors of words, per layer: (L, b, n, d) -> (L, b, n, k)."""
        layers, b, n, dim = vectors.shape
        mapped = torch.bmm(vectors.reshape(layers, b * n, dim), self.projection.transpose(1, 2))
        return mapped.reshape(layers, b, n, -1)


class StructuralLearner(Learner):
    """A learner of the maps of several layers, which all learn from the same batches."""

    largest_gradient = None  # cutting their common gradient would tie them together

    def __init__(self, of_sentences: list[Batch], settings: Settings):
        """of_sentences: all batches of an epoch, of one kind of gold."""
        self.batches, self.settings = of_sentences, settings
        first = of_sentences[0]
        layers, dim = len(first.vectors), first.vectors.shape[-1]
        self.model = Projections(layers, settings.rank, dim, settings.seed)
        self.model.to(first.vectors.device)
        self.steps = settings.epochs * len(of_sentences)
        self.identity = {"probes": "structural", "settings": repr(settings)}

    def loss(self, step: int) -> torch.Tensor:
        """Sums the layers' loss of one batch; an epoch reads each batch once."""
        epoch, number = divmod(step, len(self.batches))
        order = np.random.default_rng((self.settings.seed, epoch)).permutation(len(self.batches))
        batch = self.batches[order[number]]
        loss_of = distance_loss if batch.gold.dim() == 3 else depth_loss
        return loss_of(self.model(batch.vectors), batch.gold, batch.lengths)


def batches(
    vectors: Sequence[np.ndarray],
    gold: Sequence[np.ndarray],
    scale: np.ndarray,
    size: int,
    device: str = "cpu",
) -> list[Batch]:
    """Batches sentences by length, padded to the longest; vectors are divided by `scale`."""
    order = np.argsort([len(of_sentence) for of_sentence in gold], kind="stable")
    padded_batches = []
    for part in np.array_split(order, -(-len(order) // size)):
        lengths = [len(gold[number]) for number in part]
        n, (layers, _, dim) = max(lengths), vectors[part[0]].shape
        padded = np.zeros((layers, len(part), n, dim), dtype=np.float32)
        targets = np.zeros((len(part), *[n] * gold[part[0]].ndim), dtype=np.float32)
        for row, (number, length) in enumerate(zip(part, lengths, strict=True)):
            padded[:, row, :length] = vectors[number] / scale
            targets[(row, *[slice(length)] * gold[number].ndim)] = gold[number]
        arrays = padded, targets, np.array(lengths, dtype=np.float32)
        padded_batches.append(Batch(*[torch.from_numpy(array).to(device) for array in arrays]))
    return padded_batches


def _deviation(vectors: Sequence[np.ndarray]) -> np.ndarray:
    """The deviation of each dimension over all words, (L, 1, d); 1 where it does not vary."""
    deviation = np.concatenate(vectors, axis=1).std(axis=1, keepdims=True, dtype=np.float64)
    return np.where(deviation > 0, deviation, 1).astype(np.float32)


def _refuse(vectors: Sequence[np.ndarray], gold: Sequence[np.ndarray], settings: Settings) -> None:
    if settings.epochs < 1 or settings.batch < 1 or settings.rank < 1 or not len(gold):
        raise UserError(
            "a structural probe needs at least 1 sentence, 1 epoch, 1 sentence a batch and rank 1, "
            f"got {len(gold)} sentences and {settings}"
        )
    if len(vectors) != len(gold):
        raise UserError(
            f"{len(vectors)} sentences with vectors, {len(gold)} with a tree: give both"
        )
    layers, _, dim = vectors[0].shape
    if settings.rank > dim:
        raise UserError(
            f"vectors of {dim} dimensions have no map of rank {settings.rank}: take a rank of at most "
            f"{dim}"
        )
    for number, (of_sentence, target) in enumerate(zip(vectors, gold, strict=True)):
        if of_sentence.shape != (layers, len(target), dim):
            raise UserError(
                f"sentence {number} has {len(target)} words in its tree and vectors of the shape "
                f"{of_sentence.shape}: {(layers, len(target), dim)} is needed"
            )
        if not np.isfinite(of_sentence).all():
            raise UserError(f"the vectors of sentence {number} hold what is no finite number")
