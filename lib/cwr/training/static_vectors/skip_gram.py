"""Trains skip-gram and CBOW with negative sampling by gensim, cwr-static among them.

Mikolov et al. (2013), "Distributed Representations of Words and Phrases and their
Compositionality", as gensim's `Word2Vec` computes it; with the n-grams of characters of Bojanowski
et al. (2017) its `FastText`.

    v words of the vocabulary, dim dimensions
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cwr.corpora.word_vectors import WordVectors
from cwr.errors import UserError

if TYPE_CHECKING:
    from gensim.models import Word2Vec

NAME = "cwr-static"


@dataclass(frozen=True)
class Settings:
    """The settings of a training; gensim's names stand in brackets.

    dim: dimensions (vector_size). window: the most words on either side. negative: words drawn
    against each neighbour, in proportion to their counts to the power `power` (ns_exponent).
    sample: the threshold above which frequent words are thinned out. least: occurrences that a word
    needs (min_count). rate: the first learning rate (alpha). cbow: the neighbours together predict
    the word; else the word predicts each neighbour. characters: length of the shortest and the
    longest n-gram of a word's characters (min_n, max_n), which share `buckets` rows; None: words
    alone.
    """

    dim: int = 100
    window: int = 5
    negative: int = 5
    sample: float = 1e-3
    least: int = 5
    epochs: int = 10
    seed: int = 0
    power: float = 0.75
    rate: float = 0.025
    cbow: bool = False
    characters: tuple[int, int] | None = None
    buckets: int = 100_000


SETTINGS = Settings()


@dataclass(frozen=True)
class Trained:
    """The word vectors and the output vectors of a training.

    vectors: one per word, from the commonest word to the rarest. contexts: (v, dim), the output
    vectors, which predict the words, in the same order.
    """

    vectors: WordVectors
    contexts: np.ndarray


def train(sentences: Iterable[Sequence[str]], settings: Settings = SETTINGS) -> Trained:
    """Trains on sentences, each a sequence of words as they are spelled.

    With one worker and a seed gensim repeats its numbers on one machine. PYTHONHASHSEED does not
    matter, since the vectors start from the seed alone.
    Raises UserError if no word of the text is common enough.
    """
    model = _model(settings)
    corpus = one_copy_a_word(sentences)
    model.build_vocab(corpus)
    if not len(model.wv):
        raise UserError(
            f"no word of the text occurs {settings.least} times: take more text, or fewer "
            "occurrences"
        )
    model.train(corpus, total_examples=model.corpus_count, epochs=model.epochs)
    words = tuple(model.wv.index_to_key)
    return Trained(WordVectors(NAME, words, model.wv.vectors), model.syn1neg)


def _model(settings: Settings) -> "Word2Vec":
    """Builds a model of gensim that has read nothing yet."""
    from gensim.models import FastText, Word2Vec

    options = {
        "sg": int(not settings.cbow),
        "hs": 0,
        "workers": 1,
        "vector_size": settings.dim,
        "window": settings.window,
        "negative": settings.negative,
        "ns_exponent": settings.power,
        "sample": settings.sample,
        "min_count": settings.least,
        "alpha": settings.rate,
        "epochs": settings.epochs,
        "seed": settings.seed,
    }
    if settings.characters is None:
        return Word2Vec(**options)
    shortest, longest = settings.characters
    return FastText(**options, min_n=shortest, max_n=longest, bucket=settings.buckets)


def one_copy_a_word(sentences: Iterable[Sequence[str]]) -> list[list[str]]:
    """Copies sentences so that all occurrences of a word share one string in memory."""
    copies: dict[str, str] = {}
    return [[copies.setdefault(word, word) for word in sentence] for sentence in sentences]
