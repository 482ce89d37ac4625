"""Measures how well each layer of a language model predicts the next word, by retrained softmaxes.

Liu et al. (2019): the weights of a language model are frozen, and a softmax layer is trained anew
on each of its layers; its perplexity is exp(mean nats of a word). A biLSTM has two readers: one
half of its vectors has seen the words before a word, the other those behind it, and each predicts
the next word on its unseen side. So layer 0, which has seen the word alone, is a model of pairs of
words. A masked model has seen the word that it is to predict, and is refused.

Ours is small: the most frequent words are classes of their own, all others are one class. Such a
perplexity is lower than that over a whole vocabulary, and is compared between layers only.

    L layers, n positions, d dimensions that are read, V classes
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from cwr.corpora import Corpus
from cwr.errors import UserError
from cwr.texts.survey.spans import Words
from cwr.training import loop
from cwr.training.loop import Learner, Schedule

FORWARDS, BACKWARDS = DIRECTIONS = ("forwards", "backwards")
READ_AT_ONCE = 1024  # positions, where nothing is learned


@dataclass(frozen=True)
class Settings:
    """The settings of the softmax layers: Adam, with a rate that falls along half a cosine.

    vocabulary: classes, including that of all other words. positions: the most positions to learn
    from, and to test on in each fold, a seeded draw; 0: all.
    """

    vocabulary: int = 500
    positions: int = 10_000
    epochs: int = 2
    batch: int = 64
    rate: float = 3e-3
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Surprise:
    """The surprisal of the words at tested positions.

    nats: (L, n), -log probability of the word. document: (n,).
    """

    nats: np.ndarray
    document: np.ndarray


@dataclass(frozen=True, eq=False)
class Positions:
    """The positions at which a word is predicted.

    reads: (n,), the row of `Words` whose vector is read. says: (n,), the row of the predicted word.
    half: the dimensions that are read. document, fold: (n,).
    """

    reads: np.ndarray
    says: np.ndarray
    half: slice
    document: np.ndarray
    fold: np.ndarray


def surprise(
    words: Words,
    corpus: Corpus,
    folds: np.ndarray,
    family: str,
    settings: Settings = Settings(),
    directions: Sequence[str] = (FORWARDS,),
) -> Surprise:
    """Computes the surprisal of each fold's words, by softmax layers trained on the other folds.

    folds: (sentences,), the fold of each. family: of the encoder. directions: those of a biLSTM; a
    causal model reads forwards. All directions count as positions of one text.
    Raises UserError for a model of another family, and for vectors of another corpus.
    """
    _refuse(words, corpus, family, directions)
    text = np.concatenate([np.array(sentence.words, dtype=str) for sentence in corpus.sentences])
    parts = []
    for direction in directions:
        positions = _positions(words, corpus, folds, family, direction)
        for fold in np.unique(folds):
            parts.append(_tested(words, text, positions, fold, settings))
    nats = np.concatenate([part.nats for part in parts], axis=1)
    return Surprise(nats, np.concatenate([part.document for part in parts]))


def _positions(words, corpus, folds, family: str, direction: str) -> Positions:
    """Each pair of words that stand next to each other in a sentence, in one direction."""
    sentence = np.repeat(np.arange(len(corpus.sentences)), np.diff(words.starts))
    first = np.flatnonzero(sentence[:-1] == sentence[1:])
    reads, says = (first, first + 1) if direction == FORWARDS else (first + 1, first)
    document = np.array([each.document for each in corpus.sentences])[sentence[first]]
    dim = words.layers[0].shape[1]
    half = slice(None)
    if family == "bilstm":
        half = slice(dim // 2) if direction == FORWARDS else slice(dim // 2, None)
    return Positions(reads, says, half, document, np.asarray(folds)[sentence[first]])


def classes(text: np.ndarray, learned: np.ndarray, size: int) -> np.ndarray:
    """Assigns each word its class: its rank among the learned words, or the last class.

    text: (N,) words. learned: the rows that are counted. Words that occur equally often are ranked
    alphabetically. Returns (N,) int below `size`; the last class also holds all other words.
    """
    names, number = np.unique(text, return_inverse=True)
    counts = np.bincount(number[learned], minlength=len(names))
    order = np.argsort(-counts, kind="stable")
    rank = np.empty(len(names), dtype=np.int64)
    rank[order] = np.arange(len(names))
    rank[counts == 0] = size - 1
    return np.minimum(rank, size - 1)[number]


def _tested(words, text, positions: Positions, fold: int, settings: Settings) -> Surprise:
    """Train on all other folds, and ask this one."""
    draw = np.random.default_rng((settings.seed, int(fold)))
    is_tested = positions.fold == fold
    learned, tested = (
        _some(np.flatnonzero(rows), settings.positions, draw) for rows in (~is_tested, is_tested)
    )
    gold = classes(text, positions.says[learned], settings.vocabulary)[positions.says]
    inputs, asked = (_vectors(words, positions, rows) for rows in (learned, tested))
    deviation, mean = torch.std_mean(inputs, dim=1, correction=0, keepdim=True)
    scale = torch.where(deviation > 0, deviation, 1)
    inputs, asked = (inputs - mean) / scale, (asked - mean) / scale
    learner = SoftmaxLearner(inputs, torch.from_numpy(gold[learned]), settings)
    schedule = Schedule(settings.rate, second_moment=0.999, seed=settings.seed)
    for _ in loop.train(learner, schedule, None):
        pass
    nats = learner.model.nats(asked, torch.from_numpy(gold[tested]))
    return Surprise(nats, positions.document[tested])


def _some(rows: np.ndarray, most: int, draw: np.random.Generator) -> np.ndarray:
    """At most so many rows, drawn without replacement, ascending; 0: all."""
    return np.sort(draw.choice(rows, most, replace=False)) if 0 < most < len(rows) else rows


def _vectors(words: Words, positions: Positions, rows: np.ndarray) -> torch.Tensor:
    """What is read at these positions, (L, n, d) float32."""
    reads = positions.reads[rows]
    layers = [np.asarray(layer)[reads, positions.half] for layer in words.layers]
    return torch.from_numpy(np.stack(layers).astype(np.float32, copy=False))


class Softmaxes(torch.nn.Module):
    """A softmax layer over the classes for each layer of the encoder."""

    def __init__(self, layers: int, dim: int, counts: torch.Tensor):
        """Initialises the layers to the classes' rates. counts: (V,), occurrences of each class."""
        super().__init__()
        smoothed = counts.float() + 1
        shares = (smoothed / smoothed.sum()).log()
        self.matrix = torch.nn.Parameter(torch.zeros(layers, dim, len(counts)))
        self.bias = torch.nn.Parameter(shares.repeat(layers, 1, 1))  # (L, 1, V)

    def forward(self, inputs: torch.Tensor, gold: torch.Tensor) -> torch.Tensor:
        """Computes the nats of the right classes (b,) by each layer: inputs (L, b, d) -> (L, b)."""
        logits = torch.baddbmm(self.bias, inputs, self.matrix)  # (L, b, V)
        right = gold.repeat(len(logits))
        nats = torch.nn.functional.cross_entropy(logits.flatten(0, 1), right, reduction="none")
        return nats.view(len(logits), -1)

    def nats(self, inputs: torch.Tensor, gold: torch.Tensor) -> np.ndarray:
        """Computes `forward` for any number of positions: (L, n) float64."""
        parts = zip(inputs.split(READ_AT_ONCE, 1), gold.split(READ_AT_ONCE), strict=True)
        with torch.inference_mode():
            return torch.cat([self(*part) for part in parts], dim=1).double().numpy()


class SoftmaxLearner(Learner):
    """A learner of the softmax layers, which all learn from the same batches."""

    largest_gradient = None  # cutting their common gradient would tie them together

    def __init__(self, inputs: torch.Tensor, gold: torch.Tensor, settings: Settings):
        """inputs: (L, n, d). gold: (n,)."""
        counts = torch.bincount(gold, minlength=settings.vocabulary)
        self.model = Softmaxes(len(inputs), inputs.shape[2], counts)
        self.inputs, self.gold, self.settings = inputs, gold, settings
        self.steps_an_epoch = -(-len(gold) // settings.batch)
        self.steps = settings.epochs * self.steps_an_epoch
        self.identity = {"settings": repr(settings)}

    def loss(self, step: int) -> torch.Tensor:
        """Sums the layers' mean nats in one batch."""
        epoch, place = divmod(step, self.steps_an_epoch)
        order = np.random.default_rng((self.settings.seed, epoch)).permutation(len(self.gold))
        batch = self.settings.batch
        rows = torch.from_numpy(order[place * batch : (place + 1) * batch])
        return self.model(self.inputs[:, rows], self.gold[rows]).mean(dim=1).sum()


def _refuse(words: Words, corpus: Corpus, family: str, directions: Sequence[str]) -> None:
    if len(words.starts) != len(corpus.sentences) + 1:
        raise UserError(
            f"the vectors are of {len(words.starts) - 1} sentences, and {corpus.name} has "
            f"{len(corpus.sentences)} sentences: read that corpus"
        )
    refuse_unable(family, directions)


def refuse_unable(family: str, directions: Sequence[str]) -> None:
    """Raises UserError for models that cannot predict words, or not in these directions."""
    if family not in ("bilstm", "causal"):
        raise UserError(
            f"a {family} model has already seen the word that it should predict: take a biLSTM, or a "
            "causal model"
        )
    allowed = DIRECTIONS if family == "bilstm" else (FORWARDS,)
    if not directions or not set(directions) <= set(allowed):
        raise UserError(
            f"a {family} model predicts words {' or '.join(allowed)}, not {', '.join(directions)}"
        )
