"""Computes contexts and averages of a text larger than the memory, as `contexts.read`, by blocks.

The text is read twice, once to count its words and once by the teacher, a block of sentences at a
time. Only the disk holds what is as large as the text: the tokens and one context per sentence.

    s sentences, m words of all sentences, v words of the vocabulary, dim dimensions
"""

import functools
import itertools
from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from tqdm import tqdm

from cwr import source_code
from cwr.corpora import Corpus, Sentence, Stream, fingerprint
from cwr.encoders.pieces import TOKENISED_AT_ONCE as BLOCK  # so that no bit of a context moves
from cwr.errors import UserError
from cwr.estimates import contexts
from cwr.estimates.contexts import Ragged, Vocabulary
from cwr.extraction import cache

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

CONTEXTS, TOKENS, COUNT = "contexts.npy", "tokens.npy", "count.npy"


@dataclass(frozen=True, eq=False)
class Streamed:
    """The sentence contexts and word averages of one teacher on one text, mapped from the cache.

    matrix: (s, dim) float32, the context of each sentence. vocabulary: the whole text's. totals:
        for each layer (v, dim) float64, the sum of each word's vectors. count: (v,), the number of
        each word's vectors.
    """

    matrix: np.ndarray
    vocabulary: Vocabulary
    totals: list[np.ndarray]
    count: np.ndarray

    @property
    def layers(self) -> range:
        """The layers whose averages `average_of` returns: all, from the input on."""
        return range(len(self.totals))

    def average_of(self, layer: int) -> np.ndarray:
        """Computes ASE, each word's mean over its occurrences in a layer, (v, dim) float32."""
        total = self.totals[layer]
        averages = np.empty(total.shape, np.float32)
        np.divide(total, self.count[:, None], out=averages, casting="same_kind")
        cache.release(total)
        return averages


def read(encoder: "Encoder", text: Stream, least: int) -> Streamed:
    """Computes contexts of all sentences, and averages of words that occur at least `least` times.

    Each sentence is read by itself in lower case (equation 3); the contexts equal those of
    `contexts.read`; so do the averages but for the last bit, because sums are added block by block.
    Cached.
    Raises UserError as `contexts.vocabulary` and `contexts.read`, and for a text that changes while
    it is read.
    """
    counted = _count(text, least)
    code = source_code.behind([source_code.definition(read)])
    ingredients = {
        "encoder": encoder.fingerprint,
        "text": counted.fingerprint,
        "least": least,
        "sources": [cache.sources(type(encoder)), source_code.digest(code)],
    }
    key = cache.key(ingredients)
    with cache.reserved([key]):
        if not cache.holds(key):
            with cache.writing(key, {"model": encoder.name, "corpus": text.name}) as folder:
                _Filler(folder, encoder, text, counted).fill()
        return cache.read(key, functools.partial(_load, counted=counted))


@dataclass(frozen=True)
class _Counted:
    """The result of the first reading of a text; lengths: (s,) words of each sentence."""

    words: tuple[str, ...]
    counts: np.ndarray
    lengths: np.ndarray
    fingerprint: str


def _count(text: Stream, least: int) -> _Counted:
    """Counts a text's words. Raises UserError for no sentences, and if no word occurs so often."""
    every, lengths = Counter(), array("q")

    def passing() -> Iterator[Sentence]:
        """Yields the sentences as they are; counts their words on the way to the fingerprint."""
        for sentence in text.read():
            lowered = contexts.lowered(sentence)
            every.update(lowered)
            lengths.append(len(lowered))
            yield sentence

    identity = fingerprint(passing())
    words, counts = contexts.frequent(every, least, contexts.CAP, text.name)
    return _Counted(words, counts, np.array(lengths, np.int64), identity)


class _Filler:
    """A writer of an entry's files while the teacher reads the text."""

    def __init__(self, folder: Path, encoder: "Encoder", text: Stream, counted: _Counted):
        self.encoder, self.text, self.counted, self.folder = encoder, text, counted, folder
        shape = (len(counted.words), encoder.dim)
        self.row = {word: number for number, word in enumerate(counted.words)}
        self.count = np.zeros(len(self.row), np.int64)
        self.totals = [
            cache.new_array(_total(folder, layer), shape, "<f8")
            for layer in range(encoder.n_layers + 1)
        ]
        sentences, words = len(counted.lengths), int(counted.lengths.sum())
        self.matrix = cache.new_array(folder / CONTEXTS, (sentences, encoder.dim), "<f4")
        self.tokens = cache.new_array(folder / TOKENS, (words,), "<i4")

    def fill(self) -> None:
        """Reads the whole text. Raises UserError as `read`."""
        sentences, first, position = iter(self.text.read()), 0, 0
        found = np.zeros(len(self.row), np.int64)  # occurrences of each word
        # no bar where nobody watches
        with tqdm(total=len(self.matrix), unit=" sentences", disable=None) as bar:
            while block := tuple(itertools.islice(sentences, BLOCK)):
                stop = first + len(block)
                tokens = contexts.numbered(block, self.row)
                if not np.array_equal(tokens.lengths, self.counted.lengths[first:stop]):
                    raise self._changed()
                self.matrix[first:stop] = self._read(block, tokens)
                self.tokens[position : position + len(tokens.flat)] = tokens.flat
                first, position = stop, position + len(tokens.flat)
                found += np.bincount(tokens.flat + 1, minlength=len(found) + 1)[1:]  # no UNKNOWN
                cache.release(self.matrix)
                cache.release(self.tokens)
                bar.update(len(block))
        if first < len(self.matrix) or not np.array_equal(found, self.counted.counts):
            raise self._changed()
        np.save(self.folder / COUNT, self.count)

    def _read(self, block: tuple[Sentence, ...], tokens: Ragged) -> np.ndarray:
        """Returns the contexts of a block, (sentences, dim), and adds its words to the sums."""
        corpus = Corpus(self.text.name, block, fingerprint(block), self.text.licence)
        vocabulary = Vocabulary(self.counted.words, self.counted.counts, tokens)
        has_words = bool((tokens.flat != contexts.UNKNOWN).any())
        one = contexts.read(self.encoder, corpus, vocabulary, averages=has_words)
        if has_words:
            rows = np.array([self.row[word] for word in one.occurrences.groups()])
            self.count[rows] += one.occurrences.sums(0).count
            for layer, total in enumerate(self.totals):
                total[rows] += one.occurrences.sums(layer).sum
                cache.release(total)
        for run in one.runs:
            cache.remove(run.key)  # all blocks together would be far larger than their sum
        return one.matrix

    def _changed(self) -> UserError:
        return UserError(f"the text {self.text.name} changed while it was read: read it again")


def _total(folder: Path, layer: int) -> Path:
    return folder / f"sum.{layer}.npy"


def _load(folder: Path, counted: _Counted) -> Streamed:
    """Loads what was written, mapped; the arrays outlive the folder."""
    mapped = functools.partial(np.load, mmap_mode="r", allow_pickle=False)
    tokens = Ragged(mapped(folder / TOKENS), counted.lengths)
    layers = range(len(list(folder.glob("sum.*.npy"))))
    return Streamed(
        mapped(folder / CONTEXTS),
        Vocabulary(counted.words, counted.counts, tokens),
        [mapped(_total(folder, layer)) for layer in layers],
        np.load(folder / COUNT, allow_pickle=False),
    )
