"""Computes contexts of sentences, and average vectors of words, by one pass of a frozen teacher.

Gupta and Jaggi (2021), section 3: X2Static predicts a word from the context of its sentence, the
mean of a contextual model's vectors of the sentence's words; the model reads the sentence alone
(equation 3) or its whole paragraph (equation 4). Its rival, ASE, is the mean of a word's vectors
over all of its occurrences (Bommasani et al. 2020).

    s sentences, v words of the vocabulary, dim dimensions
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

import numpy as np
import pandas as pd

from cwr import extraction
from cwr.corpora import Corpus, Sentence
from cwr.corpora.paragraphs import CUTS, lower_cased
from cwr.encoders.pieces import concatenated_ranges
from cwr.errors import UserError, quoted
from cwr.estimates.context_pieces import WORDS, piece_targets
from cwr.extraction import Extraction

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

UNKNOWN = -1  # the number of a word out of the vocabulary
CAP = 750_000  # words that a vocabulary has at most


class Ragged(Sequence):
    """A sequence of arrays of different lengths, stored end to end in one array or mapped file.

    flat: (m,), the items of all arrays. lengths: (s,) int64, each array's length. first: (s,),
    where it begins in `flat`.
    """

    def __init__(self, flat: np.ndarray, lengths: np.ndarray):
        self.flat, self.lengths = flat, lengths
        self.first = np.cumsum(lengths) - lengths

    @classmethod
    def of(cls, arrays: Sequence[np.ndarray]) -> "Ragged":
        """Concatenates arrays into a `Ragged`; returns a `Ragged` unchanged."""
        if isinstance(arrays, cls):
            return arrays
        lengths = np.array([len(array) for array in arrays], np.int64)
        return cls(np.concatenate([np.empty(0, np.int64), *arrays]), lengths)

    def __len__(self) -> int:
        return len(self.lengths)

    def __getitem__(self, number: int) -> np.ndarray:
        first = self.first[number]
        return self.flat[first : first + self.lengths[number]]


@dataclass(frozen=True)
class Vocabulary:
    """The words that get a vector, in lower case, from the commonest to the rarest.

    words: (v,). counts: (v,) int64, how often each word occurs. tokens: for each sentence an array
        (words of the sentence,) of integers, each word's number in `words`, or UNKNOWN.
    """

    words: tuple[str, ...]
    counts: np.ndarray
    tokens: Ragged

    def __post_init__(self):
        object.__setattr__(self, "tokens", Ragged.of(self.tokens))

    @property
    def covered(self) -> float:
        """The share of the corpus' words that are in the vocabulary."""
        return self.counts.sum() / len(self.tokens.flat)


def vocabulary(corpus: Corpus, least: int = 10, cap: int = CAP) -> Vocabulary:
    """Collects the lower-cased words that occur `least` times or more in a corpus, at most `cap`.

    Gupta and Jaggi (2021), section 4.1. Of words equally frequent the one that occurs first comes
    first, as in the released `make_vocab_dataset.py`; so a higher `least` keeps the first words of
    a lower `least`, under the same numbers.
    Raises UserError for an empty corpus, and if no word occurs `least` times.
    """
    if not corpus.sentences:
        raise UserError(f"the corpus {corpus.name} has no sentences: give one with text")
    every = Counter(word for sentence in corpus.sentences for word in lowered(sentence))
    words, counts = frequent(every, least, cap, corpus.name)
    row = {word: number for number, word in enumerate(words)}
    return Vocabulary(words, counts, numbered(corpus.sentences, row))


def lowered(sentence: Sentence) -> list[str]:
    """Returns the words of a sentence in lower case."""
    return [word.lower() for word in sentence.words]


def frequent(every: Counter, least: int, cap: int, text: str) -> tuple[tuple[str, ...], np.ndarray]:
    """Returns the words that occur `least` times or more, at most `cap`, and their counts, int64.

    Words and counts go from the commonest word to the rarest. every: the count of each word, in the
    order of first occurrence. text: the name of the text, for the error. Raises UserError if no
    word occurs `least` times.
    """
    chosen = [(word, count) for word, count in every.most_common(cap) if count >= least]
    if not chosen:
        raise UserError(
            f"no word of {text} occurs {least} times: give more text, or ask for fewer occurrences"
        )
    words, counts = zip(*chosen, strict=True)
    return words, np.array(counts, np.int64)


def numbered(sentences: Iterable[Sentence], row: Mapping[str, int]) -> Ragged:
    """Converts each sentence to its words' numbers in the vocabulary, or UNKNOWN.

    row: {word in lower case: its number in the vocabulary}. Returns int64 arrays (words,).
    """
    tokens = [[row.get(word, UNKNOWN) for word in lowered(sentence)] for sentence in sentences]
    return Ragged.of([np.array(rows, np.int64) for rows in tokens])


@dataclass(frozen=True, eq=False)
class Contexts:
    """The sentence contexts and word averages that one teacher computes on one corpus.

    matrix: (s, dim) float32, the context of each sentence. vocabulary: as given to `read`.
    contexts, occurrences: the extractions behind `matrix` and `average_of`, for a notebook's
        provenance; occurrences is None if `read` computed no averages.
    """

    matrix: np.ndarray
    vocabulary: Vocabulary
    contexts: Extraction
    occurrences: Extraction | None

    @property
    def n_layers(self) -> int:
        """The number of layers of the teacher."""
        return self.contexts.n_layers

    @property
    def layers(self) -> range:
        """The layers whose averages `average_of` returns: all, from the input on."""
        return range(self.n_layers + 1)

    @property
    def runs(self) -> list[Extraction]:
        """The extractions, as `report.results.write` takes them."""
        return [run for run in (self.contexts, self.occurrences) if run is not None]

    @property
    def counts(self) -> np.ndarray:
        """The number of occurrences in each average, (v,). Raises ValueError as `average_of`."""
        return self._read_occurrences().sums(0).count[self._rows()]

    def average_of(self, layer: int) -> np.ndarray:
        """Computes ASE, each word's mean vector over its occurrences in a layer, (v, dim) float32.

        Raises ValueError for a layer that the teacher does not have, and if `read` computed no
        averages.
        """
        sums = self._read_occurrences().sums(layer)
        rows = self._rows()
        return (sums.sum[rows] / sums.count[rows][:, None]).astype(np.float32)

    def _read_occurrences(self) -> Extraction:
        if self.occurrences is None:
            raise ValueError("no averages of words were read: give read averages=True")
        return self.occurrences

    def _rows(self) -> np.ndarray:
        """Returns the group number of each word of the vocabulary, (v,)."""
        row = {word: number for number, word in enumerate(self.occurrences.groups())}
        return np.array([row[word] for word in self.vocabulary.words])


def read(
    encoder: "Encoder",
    corpus: Corpus,
    vocabulary: Vocabulary,
    unit_of_text: str = "sentence",
    *,
    lower: bool = True,
    mean_over: str = WORDS,
    layer: int = -1,
    averages: bool = True,
    max_tokens: int | None = None,
) -> Contexts:
    """Computes the contexts of all sentences of a corpus, and averages of the vocabulary's words.

    Beyond what the cache has, this takes one pass of the teacher, or two for averages and a mean
    over pieces. A text beyond the teacher's window is read in rows that overlap by half, never cut.

    vocabulary: this corpus'.
    unit_of_text: what the teacher reads at once, sentence (equation 3) | paragraph (equation 4).
    lower: whether the teacher reads lower case, as in the paper also for cased teachers.
    mean_over: the units of the sentence that a context averages, one of `context_pieces.MEANS`.
    layer: from which contexts are taken; the paper takes the last.
    averages: whether to compute ASE, too, in all layers and over words whatever `mean_over` is.
    max_tokens: as in `extraction.run`; changes no number.
    Raises UserError for a sentence without words, a sentence or word in which the teacher finds no
    piece, and a mean over pieces for a teacher that reads characters; ValueError for another unit
    or mean, a layer that the teacher lacks, and another corpus' vocabulary.
    """
    texts, table = texts_and_targets(corpus, vocabulary, unit_of_text, lower)
    by_words = [(words_of(vocabulary, table), [extraction.sums()])] if averages else []
    last = [extraction.sums(layers=[layer])]
    if mean_over == WORDS:
        questions = [(table, last), *by_words]
        runs = extraction.together(encoder, texts, questions, max_tokens=max_tokens)
    else:
        in_pieces = piece_targets(encoder, texts, table, mean_over)
        contexts = extraction.run(
            encoder, texts, in_pieces, reducers=last, unit="piece", max_tokens=max_tokens
        )
        others = extraction.together(encoder, texts, by_words, max_tokens=max_tokens)
        runs = [contexts, *others]
    occurrences = runs[1] if averages else None
    _refuse_words_unread(encoder, occurrences)
    matrix = _means(encoder, corpus, runs[0], layer)
    return Contexts(matrix, vocabulary, runs[0], occurrences)


def texts_and_targets(
    corpus: Corpus, vocabulary: Vocabulary, unit_of_text: str, lower: bool
) -> tuple[Corpus, pd.DataFrame]:
    """Returns the texts that the teacher reads, and where each sentence of `corpus` stands in them.

    Arguments as in `read`. The places are a table of `corpora.paragraphs.CUTS`. Raises ValueError
    for another unit, and for another corpus' vocabulary.
    """
    if unit_of_text not in CUTS:
        raise ValueError(f"a text is one of {', '.join(CUTS)}, not {unit_of_text!r}")
    texts, table = CUTS[unit_of_text](lower_cased(corpus) if lower else corpus)
    lengths = [len(sentence.spans) for sentence in corpus.sentences]
    if lengths != vocabulary.tokens.lengths.tolist():
        raise ValueError(f"this vocabulary is not that of {corpus.name}: give `vocabulary(corpus)`")
    return texts, table


def words_of(vocabulary: Vocabulary, table: pd.DataFrame) -> pd.DataFrame:
    """Tabulates where each word of a vocabulary occurs in the texts that a teacher reads.

    table: where the sentences stand in these texts, from a function of `paragraphs.CUTS`.
    """
    lengths, token = vocabulary.tokens.lengths, vocabulary.tokens.flat
    first = concatenated_ranges(table["first"].to_numpy(), lengths)
    text = np.repeat(table["sentence"].to_numpy(), lengths)
    word = np.array([*vocabulary.words, None], dtype=object)[token]  # UNKNOWN is the last
    targets = pd.DataFrame({"sentence": text, "first": first, "last": first, "group": word})
    return targets[token != UNKNOWN].reset_index(drop=True)


def _means(encoder: "Encoder", corpus: Corpus, contexts: Extraction, layer: int) -> np.ndarray:
    """Returns each sentence's sum, (s, dim) float32, one target each, in the order of the corpus.

    Raises UserError for a sentence of which the teacher reads no piece.
    """
    sums = contexts.sums(layer % (contexts.n_layers + 1))
    order = np.argsort(np.array(contexts.groups(), dtype=np.int64))  # groups are sorted as text
    count = sums.count[order]
    if not count.all():
        refuse_unread(encoder, corpus, int(np.argmin(count)))
    return sums.sum[order].astype(np.float32)


def refuse_unread(encoder: "Encoder", corpus: Corpus, sentence: int) -> NoReturn:
    """Raises UserError for a sentence, given by number, in which the teacher finds no piece."""
    text = quoted(corpus.sentences[sentence].text)
    raise UserError(
        f"{encoder.name} reads no piece of the sentence {text} of {corpus.name}: take it out"
    )


def _refuse_words_unread(encoder: "Encoder", occurrences: Extraction | None) -> None:
    """Raises UserError for a word of whose occurrences none has a vector."""
    if occurrences is None:
        return
    count = occurrences.sums(0).count
    if not count.all():
        word = occurrences.groups()[int(np.argmin(count))]
        raise UserError(
            f"{encoder.name} reads no piece of the word {quoted(word)}: take it out of the text"
        )
