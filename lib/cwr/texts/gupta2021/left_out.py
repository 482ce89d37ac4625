"""Reads the vectors of all words of a corpus, to leave a word out of its own context.

In Gupta and Jaggi (2021), equations 3 and 4, a word stands in its own context; section 3.1 names
the price of masking it: a pass of the teacher for every word. Leaving it out of the mean is free:
of |S| words with the mean E the others have (|S| E - M_t) / (|S| - 1). What the word told its
neighbours, through the teacher, stays.
"""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr import extraction
from cwr.corpora import Corpus
from cwr.encoders.pieces import concatenated_ranges
from cwr.errors import UserError
from cwr.estimates.contexts import Vocabulary, refuse_unread, texts_and_targets

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

SPAN = ["sentence", "first"]  # what tells the words of a table apart


def word_vectors(
    encoder: "Encoder",
    corpus: Corpus,
    vocabulary: Vocabulary,
    unit_of_text: str = "sentence",
    *,
    lower: bool = True,
    layer: int = -1,
) -> np.ndarray:
    """Reads the teacher's vector of each word, M_t, in their order: (words, dim) float32.

    `x2static.train` takes them for targets that are left out. The array is mapped from the cache:
    four bytes a number, 0.35 GB for 458,000 words of 192 dimensions. A word without a piece has the
    mean of its sentence, so that leaving it out changes nothing. Arguments and errors as
    `contexts.read`; also raises UserError if every sentence is one word.
    """
    texts, table = texts_and_targets(corpus, vocabulary, unit_of_text, lower)
    lengths = (table["last"] - table["first"] + 1).to_numpy()
    if lengths.max() < 2:
        raise UserError(
            f"every line of {corpus.name} is one word, and with the target left out nothing is left: "
            "give lines of several words"
        )
    place = concatenated_ranges(table["first"].to_numpy(), lengths)
    words = table.loc[np.repeat(table.index, lengths)].reset_index(drop=True)
    words = words.assign(first=place, last=place)  # grouped by sentence
    last = [extraction.vectors(layers=[layer])]
    run = extraction.run(encoder, texts, words, reducers=last)
    vectors = run.vectors(layer % (run.n_layers + 1))
    if not run.missing:
        return vectors
    has_vector = _spans(words).isin(_spans(run.table))
    return _filled(encoder, corpus, vectors, has_vector, words["group"].to_numpy(np.int64))


def _spans(words: pd.DataFrame) -> pd.MultiIndex:
    return pd.MultiIndex.from_frame(words[SPAN])


def _filled(
    encoder: "Encoder",
    corpus: Corpus,
    vectors: np.ndarray,
    has_vector: np.ndarray,
    sentence: np.ndarray,
) -> np.ndarray:
    """(words, dim) all vectors, that of a word without one being the mean of its sentence.

    vectors: (words that have one, dim). has_vector, sentence: (words,).
    Raises UserError for a sentence without a vector.
    """
    filled = np.empty((len(has_vector), vectors.shape[1]), np.float32)
    filled[has_vector] = vectors
    for row in np.flatnonzero(~has_vector):
        others = has_vector & (sentence == sentence[row])
        if not others.any():
            refuse_unread(encoder, corpus, sentence[row])
        filled[row] = filled[others].mean(axis=0)
    return filled
