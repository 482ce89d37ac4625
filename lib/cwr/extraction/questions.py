"""What the figures of Ethayarajh (2019) ask of a corpus, answered by one pass of the model."""
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cwr import extraction
from cwr.corpora import Corpus
from cwr.extraction import Extraction, targets

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder


@dataclass(frozen=True, eq=False)
class Answers:
    """random: vectors of random words, for the baseline of all four figures. words: vectors and sums of the occurrences
    of frequent words, for Figures 2 and 4. by_sentence: sums of all words of each sentence, for Figure 3."""

    random: Extraction
    words: Extraction
    by_sentence: Extraction


def ask(encoder: "Encoder", corpus: Corpus, *, tokens: int = 1000, sampling: str = "sentence", min_contexts: int = 5,
        cap: int = 100, seed: int = 0, **options) -> Answers:
    """The extractions behind Figures 1 to 4, in one pass if the cache has none of them.

    tokens, sampling, seed: of `targets.random_tokens`; min_contexts: of `targets.frequent`; cap: at most so many
    vectors of a word are kept; options: pooling, skip_first_position and max_tokens of `extraction.run`.
    """
    every = targets.occurrences(corpus)
    names = np.array([sentence.id for sentence in corpus.sentences])
    return Answers(*extraction.together(encoder, corpus, [
        (targets.random_tokens(corpus, tokens, seed, sampling), [extraction.vectors()]),
        (targets.frequent(corpus, min_contexts, among=every), [extraction.vectors(cap, seed), extraction.sums()]),
        (every.assign(group=names[every["sentence"]]), [extraction.sums()])], **options))
