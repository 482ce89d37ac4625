"""Contexts without their target: the mean over all words of a sentence but the one predicted.

In Gupta and Jaggi (2021), equations 3 and 4, a word stands in its own context; section 3.1 names
the price of taking it out by a mask, a pass of the teacher for every word. To take it out of the
mean is free: of |S| words with the mean E the others have (|S| E - M_t) / (|S| - 1). What it told
its neighbours, through the teacher, stays.

    s sentences, n words with a vector, dim dimensions
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr import extraction
from cwr.corpora import Corpus
from cwr.encoders.pieces import ranges, starts
from cwr.errors import UserError
from cwr.estimates.contexts import Vocabulary, order_of_sentences, texts_and_targets

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

SPAN = ["sentence", "first"]  # what tells the words of a table apart


@dataclass(frozen=True, eq=False)
class LeftOut:
    """The vectors of all words of a corpus, from which contexts without one word are made.

    vectors: (n, dim) float32 of one layer, mapped from the cache, sentence by sentence: four bytes
        a number, 0.35 GB for 458,000 words of 192 dimensions.
    totals: (s, dim) float64, the sum over each sentence. counts: (s,) the words with a vector.
    first: (s + 1,) where the words of each sentence begin among all words of the corpus.
    row: (all words,) the row of each in `vectors`, or -1 for a word without a piece.
    """

    vectors: np.ndarray
    totals: np.ndarray
    counts: np.ndarray
    first: np.ndarray
    row: np.ndarray

    def exists(self, sentence: np.ndarray, position: np.ndarray) -> np.ndarray:
        """(targets,) bool: whether another word of the sentence has a vector.

        sentence, position: (targets,) int, a target's sentence and its place among the words.
        """
        has_vector = self.row[self.first[sentence] + position] >= 0
        return self.counts[sentence] - has_vector > 0

    def of(self, sentence: np.ndarray, position: np.ndarray) -> np.ndarray:
        """(targets, dim) float32: the mean over the other words of each target's sentence.

        Arguments as `exists`. Raises ValueError for a target without other words.
        """
        if not self.exists(sentence, position).all():
            raise ValueError("a target stands alone in its sentence: leave out where not `exists`")
        row = self.row[self.first[sentence] + position]
        has_vector = (row >= 0)[:, None]
        others = self.totals[sentence] - np.where(has_vector, self.vectors[row], 0)
        return (others / (self.counts[sentence][:, None] - has_vector)).astype(np.float32)


def read(
    encoder: "Encoder",
    corpus: Corpus,
    vocabulary: Vocabulary,
    unit_of_text: str = "sentence",
    *,
    lower: bool = True,
    layer: int = -1,
    max_tokens: int | None = None,
) -> LeftOut:
    """The vectors of all words in one layer, by one pass of the teacher, cached.

    Arguments and errors as `contexts.read`; UserError, too, if every sentence is one word.
    """
    texts, table = texts_and_targets(corpus, vocabulary, unit_of_text, lower)
    lengths = (table["last"] - table["first"] + 1).to_numpy()
    if lengths.max() < 2:
        raise UserError(
            f"every line of {corpus.name} is one word, and with the target left out nothing is left: "
            "give lines of several words"
        )
    place = ranges(table["first"].to_numpy(), lengths)
    words = table.loc[np.repeat(table.index, lengths)].reset_index(drop=True)
    words = words.assign(first=place, last=place)  # grouped by sentence
    last = [layer]
    reducers = [extraction.vectors(layers=last), extraction.sums(layers=last)]
    run = extraction.run(encoder, texts, words, reducers=reducers, max_tokens=max_tokens)
    layer %= run.n_layers + 1
    sums, order = run.sums(layer), order_of_sentences(run)
    totals, counts = sums.sum[order], sums.count[order]
    return LeftOut(run.vectors(layer), totals, counts, starts(lengths), _rows(words, run.table))


def _rows(words: pd.DataFrame, kept: pd.DataFrame) -> np.ndarray:
    """(words,) the row of each word among the targets kept, in the same order, or -1."""
    is_kept = pd.MultiIndex.from_frame(words[SPAN]).isin(pd.MultiIndex.from_frame(kept[SPAN]))
    return np.where(is_kept, np.cumsum(is_kept) - 1, -1)
