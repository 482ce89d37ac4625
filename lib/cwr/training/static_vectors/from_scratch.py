"""Trains static vectors from scratch on the distillation text: CBOW and skip-gram.

Gupta and Jaggi (2021), section 4.1 and Table 2. The bold choice in Table 2 has n-grams of three to
six characters, so these two rows of Table 3 are fastText's; without n-grams they are word2vec's. On
a text of a million words the bold choice learns hardly anything: its threshold of 1e-5 leaves few
targets.
"""

from dataclasses import replace

import numpy as np

from cwr.corpora.word_vectors import WordVectors
from cwr.errors import UserError
from cwr.estimates.contexts import Vocabulary
from cwr.training.static_vectors import skip_gram
from cwr.training.static_vectors.skip_gram import Settings

N_GRAMS = Settings(  # what is bold in Table 2, as far as it can be read there
    dim=192, negative=10, sample=1e-5, power=0.5, rate=0.05, epochs=15, characters=(3, 6)
)
WHOLE_WORDS = replace(N_GRAMS, characters=None, sample=1e-4)  # what a text as short as ours can use
SEARCHED = (  # the bold choice, and whole words with other values, 1e-3 for texts like ours
    N_GRAMS,
    WHOLE_WORDS,
    replace(WHOLE_WORDS, sample=1e-3),
    replace(WHOLE_WORDS, sample=1e-5),
    replace(WHOLE_WORDS, window=10),
)
IS_CBOW = {"SKIPGRAM": False, "CBOW": True}  # by the names of the rows in Table 3


def settings_of(name: str, epochs: int, seed: int = 0) -> Settings:
    """Returns the settings for a row of Table 3 without a search: whole words, no n-grams.

    name: the row's, SKIPGRAM or CBOW. Raises UserError for another name.
    """
    if name not in IS_CBOW:
        raise UserError(
            f"{name} is not trained from scratch here: give {', '.join(IS_CBOW)} or SENT2VEC"
        )
    return replace(WHOLE_WORDS, cbow=IS_CBOW[name], epochs=epochs, seed=seed)


def searched(name: str, epochs: int, seed: int = 0) -> list[Settings]:
    """Returns the candidate settings of a search for a row of Table 3.

    Table 2 crosses its values; these are the five candidates that matter most. Raises UserError as
    `settings_of`.
    """
    given = settings_of(name, epochs, seed)
    same = {key: getattr(given, key) for key in ("cbow", "epochs", "seed")}
    return [replace(candidate, **same) for candidate in SEARCHED]


def train(vocabulary: Vocabulary, settings: Settings, name: str) -> WordVectors:
    """Trains a vector for each word of a vocabulary that occurs in its sentences, in that order.

    Words outside the vocabulary are removed before neighbours are chosen, as in fastText. settings:
    `least` is ignored, since the vocabulary has its own threshold. name: the row's name in results.
    Raises UserError for sentences without a word of the vocabulary.
    """
    words = np.array(vocabulary.words, dtype=object)
    sentences = [words[tokens[tokens >= 0]].tolist() for tokens in vocabulary.tokens]
    trained = skip_gram.train(sentences, replace(settings, least=1)).vectors
    rows = trained.of(vocabulary.words)
    return WordVectors(name, tuple(rows), np.stack(list(rows.values())))
