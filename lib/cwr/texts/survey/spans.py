"""Reads vectors of spans: a corpus' words in every layer, pooled over the words of a target.

N words of a corpus, n targets, L layers (of an encoder: its blocks + 1), d dimensions,
D dimensions of a target: d of a span, 2 d of a pair, 4 d with products
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr import extraction
from cwr.corpora import Corpus
from cwr.corpora.edge_tasks import SECOND, SPAN, EdgeTask
from cwr.encoders.pieces import concatenated_ranges, word_units
from cwr.errors import UserError
from cwr.training.cached import array_fingerprint

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

MEAN, FIRST, LAST = "mean", "first", "last"
POOLINGS = (MEAN, FIRST, LAST)


@dataclass(frozen=True, eq=False)
class Words:
    """The vectors of all words of a corpus.

    layers: L arrays (N, d). starts: (sentences + 1,), the first row of each sentence. key: a name
    that differs whenever the vectors differ; empty: computed from the numbers.
    """

    layers: Sequence[np.ndarray]
    starts: np.ndarray
    key: str = ""

    @cached_property
    def identity(self) -> str:
        """A string that differs whenever the vectors or their sentences do; part of a cache key."""
        return self.key or " ".join(map(array_fingerprint, (*self.layers, self.starts)))

    @cached_property
    def norms(self) -> np.ndarray:
        """The mean length of the words' vectors in each layer, (L,); 1 where all are 0."""
        lengths = [float(np.linalg.norm(layer, axis=1).mean()) for layer in self.layers]
        return np.where(np.array(lengths) > 0, lengths, 1.0)

    def of(self, numbers: Sequence[int]) -> "Words":
        """Selects layers, which are then numbered 0, 1, …"""
        layers = [self.layers[number] for number in numbers]
        return Words(layers, self.starts, f"{self.identity} layers {list(numbers)}")


def words(encoder: "Encoder", corpus: Corpus, **options: object) -> Words:
    """Reads the vectors of every word in every layer, by one pass that is cached.

    options: of `extraction.run`, such as pooling. Raises UserError for words without a piece.
    """
    read = extraction.run(encoder, corpus, **options)
    starts = _starts(corpus)
    if read.missing:
        raise UserError(
            f"{encoder.name} has no vector of {read.missing} of {starts[-1]} words of "
            f"{corpus.name}, so spans cannot be read: take another model"
        )
    layers = [read.vectors(layer) for layer in range(read.n_layers + 1)]
    return Words(layers, starts, read.key)


def without_positions(encoder: "Encoder", corpus: Corpus) -> Words:
    """Averages a word's rows in the token matrix, each normalised, as one layer.

    The lexical layer of the layer paper's code is the layer norm of the piece's embedding alone;
    our layer 0 of most transformers has positions, too. A layer norm's gain is left to the probe.
    Raises UserError for a model that reads characters, and for words without a piece.
    """
    if encoder.tokenizer is None:
        raise UserError(f"{encoder.name} reads words by their characters and has no positions")
    pieces = encoder.tokenise(corpus.sentences)
    units = word_units(pieces, [sentence.spans for sentence in corpus.sentences])
    starts = _starts(corpus)
    if len(units.start) != starts[-1]:
        raise UserError(f"{encoder.name} has no piece of some words of {corpus.name}")
    matrix = encoder.embedding_matrix()
    matrix = matrix - matrix.mean(axis=1, keepdims=True)
    deviation = matrix.std(axis=1, keepdims=True)
    matrix = matrix / np.where(deviation > 0, deviation, 1)
    lengths = units.stop - units.start
    ids = pieces.ids[concatenated_ranges(units.start, lengths)]
    return Words([_means(matrix[ids], lengths)], starts)


def beside_input(vectors: Words) -> Words:
    """Puts layer 0 beside every layer, for probes that may condition on the input.

    Hewitt et al. (2021) measure so what layer l has beyond layer 0. Layer 0 stands beside itself.
    """
    first = np.asarray(vectors.layers[0])
    layers = [np.concatenate([first, layer], axis=1) for layer in vectors.layers]
    return Words(layers, vectors.starts, f"{vectors.identity} beside input")


def planted(task: EdgeTask, layers: int, at: int, seed: int = 0) -> Words:
    """Makes noise in which one layer tells the labels, a case with a known place.

    For a task about single words: in layer `at` the dimension of a word's label is higher by 8.
    """
    starts, random = _starts(task.corpus), np.random.default_rng(seed)
    shape = (layers, starts[-1], len(task.labels))
    vectors = random.standard_normal(shape, dtype=np.float32)
    words = starts[task.table["sentence"]] + task.table["first"].to_numpy()
    vectors[at, words, task.gold] += 8
    return Words(list(vectors), starts)


def _starts(corpus: Corpus) -> np.ndarray:
    """The number of words before each sentence, and of all, (sentences + 1,)."""
    return np.cumsum([0, *(len(sentence.spans) for sentence in corpus.sentences)])


def pooled(vectors: Words, task: EdgeTask, rows: np.ndarray, pooling: str = MEAN) -> np.ndarray:
    """Pools a vector per target and layer, (n, L, D) float32; of a pair the two side by side.

    rows: numbers of targets, (n,). pooling: over the words of a span, one of POOLINGS.
    Raises UserError for another pooling, and for vectors of another corpus.
    """
    if pooling not in POOLINGS:
        raise UserError(f"pooling is one of {', '.join(POOLINGS)}, got {pooling!r}")
    if len(vectors.starts) != len(task.corpus.sentences) + 1:
        raise UserError(
            f"the task {task.name} is about {len(task.corpus.sentences)} sentences of "
            f"{task.corpus.name}, and the vectors are of {len(vectors.starts) - 1}: read that corpus"
        )
    table = task.table.iloc[rows]
    sides = [SPAN, SECOND] if task.is_of_pairs else [SPAN]
    return np.concatenate([_side(vectors, table, side, pooling) for side in sides], axis=2)


def with_products(pairs: np.ndarray) -> np.ndarray:
    """Adds products and absolute differences to pairs of vectors, (..., 2 d) -> (..., 4 d).

    [a; b] becomes [a; b; a * b; |a - b|]. Liu et al. (2019) give the products to their probes of
    pairs, Conneau et al. (2017) both.
    """
    one, other = np.split(pairs, 2, axis=-1)
    return np.concatenate([pairs, one * other, np.abs(one - other)], axis=-1)


def _side(vectors: Words, table: pd.DataFrame, side: list[str], pooling: str) -> np.ndarray:
    """One span of each target, (n, L, d)."""
    begin = vectors.starts[table["sentence"]] + table[side[0]].to_numpy()
    end = vectors.starts[table["sentence"]] + table[side[1]].to_numpy()
    begin, end = (end if pooling == LAST else begin), (begin if pooling == FIRST else end)
    lengths = end - begin + 1
    rows = concatenated_ranges(begin, lengths)  # words, span after span
    means = [_means(np.asarray(layer)[rows], lengths) for layer in vectors.layers]
    return np.stack(means, axis=1)


def _means(rows: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """The means of stretches of rows, (stretches, d) float32. lengths: (stretches,), above 0."""
    begin = np.cumsum(lengths) - lengths
    total = np.add.reduceat(rows, begin, axis=0)
    return (total / lengths[:, None]).astype(np.float32)
