"""Takes samples: words and sentences of a corpus whose vectors Ethayarajh (2019) measures.

One pass of a model over the corpus serves all four figures of the paper, so the notebooks of the
chapter, `cwr cosine` and the measures along a training share one cache.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cwr import extraction
from cwr.corpora import Corpus
from cwr.extraction import Extraction, targets

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder


@dataclass(frozen=True, eq=False)
class Samples:
    """The extractions of one model from one corpus for Figures 1 to 4.

    random: vectors of random words, in one group; for the baseline of every figure.
    words: vectors (a sample) and sums (all) of the occurrences of frequent words, grouped by word;
        for Figures 2 and 4.
    sentences: sums of all words, grouped by sentence; for Figure 3.
    """

    random: Extraction
    words: Extraction
    sentences: Extraction


def extract(
    encoder: "Encoder",
    corpus: Corpus,
    *,
    tokens: int = 1000,
    sampling: str = "sentence",
    min_contexts: int = 5,
    cap: int = 100,
    seed: int = 0,
    **options,
) -> Samples:
    """Extracts the vectors that Figures 1 to 4 need, in at most one pass of the model.

    tokens, sampling: number of random words, and the way to draw them (`targets.random_tokens`).
    min_contexts: a word needs this many occurrences (`targets.frequent`).
    cap: the most vectors kept of a word; sums are over all of its occurrences.
    seed: for both draws.
    options: pooling, skip_first_position and max_tokens of `extraction.run`.
    Raises UserError if no word is frequent enough.
    """
    occurrences = targets.occurrences(corpus)
    names = np.array([sentence.id for sentence in corpus.sentences])
    random = targets.random_tokens(corpus, tokens, seed, sampling)
    words = targets.frequent(corpus, min_contexts, among=occurrences)
    sentences = occurrences.assign(group=names[occurrences["sentence"]])
    questions = [
        (random, [extraction.vectors()]),
        (words, [extraction.vectors(cap, seed), extraction.sums()]),
        (sentences, [extraction.sums()]),
    ]
    return Samples(*extraction.together(encoder, corpus, questions, **options))
