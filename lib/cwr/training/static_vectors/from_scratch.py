"""Static vectors trained from scratch on the text of the distilled ones: CBOW and skip-gram.

Gupta and Jaggi (2021), section 4.1 and Table 2. The bold choice there has the n-grams of three to
six characters, so the two rows of Table 3 are fastText models; without them they are word2vec's.
"""

from dataclasses import replace

import numpy as np

from cwr.corpora.word_vectors import WordVectors
from cwr.errors import UserError
from cwr.estimates.contexts import Vocabulary
from cwr.training.static_vectors import skip_gram
from cwr.training.static_vectors.skip_gram import Settings

SKIP_GRAM = Settings(
    dim=192, negative=10, sample=1e-5, power=0.5, rate=0.05, epochs=15, characters=(3, 6)
)
CBOW = replace(SKIP_GRAM, cbow=True)
SETTINGS = {"SKIPGRAM": SKIP_GRAM, "CBOW": CBOW}  # by the names of the rows in Table 3
SEARCHED = (("window", 2), ("window", 10), ("negative", 5), ("characters", None))  # of Table 2


def settings_of(name: str) -> Settings:
    """The settings of a row of Table 3. Raises UserError for a row that is not trained here."""
    if name not in SETTINGS:
        raise UserError(
            f"{name} is not trained from scratch here: give {', '.join(SETTINGS)} or SENT2VEC"
        )
    return SETTINGS[name]


def searched(base: Settings) -> list[Settings]:
    """What a search tries: these settings, then each of SEARCHED in its turn.

    Table 2 crosses its values; this goes one step from the base in each direction.
    """
    return [base, *(replace(base, **{name: value}) for name, value in SEARCHED)]


def train(vocabulary: Vocabulary, settings: Settings, name: str) -> WordVectors:
    """A vector for each word of the vocabulary that occurs in its sentences, in its order.

    Words out of the vocabulary are left out before neighbours are looked for, as by fastText.
    settings: `least` counts for nothing, since the vocabulary has its own threshold. name: what
    results call the row.
    Raises UserError for sentences without a word of the vocabulary.
    """
    words = np.array(vocabulary.words, dtype=object)
    sentences = [words[tokens[tokens >= 0]].tolist() for tokens in vocabulary.tokens]
    trained = skip_gram.train(sentences, replace(settings, least=1)).vectors
    rows = trained.of(vocabulary.words)
    return WordVectors(name, tuple(rows), np.stack(list(rows.values())))
