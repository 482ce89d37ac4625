"""cwr-static: skip-gram with negative sampling, trained by gensim on a text of ours.

Mikolov et al. (2013), "Distributed Representations of Words and Phrases and their
Compositionality", as gensim's `Word2Vec` computes it.

    v words of the vocabulary, dim dimensions
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from cwr.corpora.word_vectors import WordVectors
from cwr.errors import UserError

NAME = "cwr-static"


@dataclass(frozen=True)
class Settings:
    """How the vectors are trained, in gensim's terms in brackets.

    dim: dimensions (vector_size). window: words to either side, at most. negative: words drawn
    against each neighbour. sample: the threshold above which frequent words are thinned out.
    least: occurrences that a word needs (min_count).
    """

    dim: int = 100
    window: int = 5
    negative: int = 5
    sample: float = 1e-3
    least: int = 5
    epochs: int = 10
    seed: int = 0


SETTINGS = Settings()


@dataclass(frozen=True)
class Trained:
    """What training leaves.

    vectors: of the whole vocabulary, from the commonest word to the rarest: what is shipped of.
    contexts: (v, dim), the vectors with which the words are predicted, in the same order.
    """

    vectors: WordVectors
    contexts: np.ndarray


def train(sentences: Iterable[Sequence[str]], settings: Settings = SETTINGS) -> Trained:
    """Train on sentences, each a sequence of words as they are spelled.

    With one worker and a seed gensim gives the same numbers twice on one machine; nothing hangs on
    PYTHONHASHSEED, since its vectors start from the seed alone.
    Raises UserError for a text in which no word is common enough.
    """
    from gensim.models import Word2Vec

    model = Word2Vec(
        sg=1,
        hs=0,
        workers=1,
        vector_size=settings.dim,
        window=settings.window,
        negative=settings.negative,
        sample=settings.sample,
        min_count=settings.least,
        epochs=settings.epochs,
        seed=settings.seed,
    )
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


def one_copy_a_word(sentences: Iterable[Sequence[str]]) -> list[list[str]]:
    """The sentences with one string in memory for all occurrences of a word."""
    copies: dict[str, str] = {}
    return [[copies.setdefault(word, word) for word in sentence] for sentence in sentences]
