"""Trains the rows of Table 3 that need no teacher, on the same text as the others.

Gupta and Jaggi (2021), section 4.1: skip-gram, CBOW and Sent2Vec "that were trained on the same
corpus". A row has one name, whichever module trains it, and is trained once (`cached`).
"""

from collections.abc import Sequence
from dataclasses import fields

import pandas as pd

from cwr.estimates.contexts import Vocabulary
from cwr.texts.gupta2021 import sent2vec
from cwr.training.static_vectors import from_scratch, skip_gram
from cwr.training.static_vectors.cached import cached
from cwr.training.static_vectors.stopping import FLAT, TrainedVectors

SENT2VEC = "SENT2VEC"
ROWS = (*from_scratch.IS_CBOW, SENT2VEC)
EPOCHS = 10  # of skip-gram and CBOW, whose training has no held-out loss to end by
SHOWN = {  # settings for a reader, of either kind
    "characters": "n-grams of characters",
    "longest": "longest n-gram of words",
    "window": "window",
    "negative": "negatives",
    "negatives": "negatives",
    "power": "power",
    "sample": "threshold",
    "threshold": "threshold",
    "rate": "rate",
    "epochs": "epochs",
    "steps": "updates at most",
    "dim": "dimensions",
}
Settings = skip_gram.Settings | sent2vec.Settings


def usual(name: str, steps: int, epochs: int = EPOCHS, seed: int = 0) -> Settings:
    """Returns the settings of a row without a search.

    name: one of ROWS. steps: updates of Sent2Vec at most. epochs: of the other two rows. Raises
    UserError for another name.
    """
    if name == SENT2VEC:
        return sent2vec.Settings(steps=steps, seed=seed)
    return from_scratch.settings_of(name, epochs, seed)


def searched(name: str, steps: int, epochs: int = EPOCHS, seed: int = 0) -> list[Settings]:
    """Lists the settings that a search of a row tries; arguments and errors as `usual`."""
    if name == SENT2VEC:
        return sent2vec.searched(sent2vec.Settings(steps=steps, seed=seed))
    return from_scratch.searched(name, epochs, seed)


def train(vocabulary: Vocabulary, settings: Settings, name: str) -> TrainedVectors:
    """Trains the vectors of a row; Sent2Vec, like X2Static, until its held-out loss is flat.

    Raises UserError as `from_scratch.train` and `sent2vec.train`.
    """
    if isinstance(settings, sent2vec.Settings):
        return cached(sent2vec.train, vocabulary, settings, name, until=FLAT)
    return cached(from_scratch.train, vocabulary, settings, name)


def as_table(settings: Sequence[Settings], only_varied: bool = False) -> pd.DataFrame:
    """Formats settings for a reader, a row each; only_varied: only columns in which they differ."""
    rows = [
        {
            SHOWN[field.name]: _text(getattr(each, field.name))
            for field in fields(each)
            if field.name in SHOWN
        }
        for each in settings
    ]
    order = [column for column in dict.fromkeys(SHOWN.values()) if any(column in r for r in rows)]
    table = pd.DataFrame(rows).reindex(columns=order)
    return table.loc[:, table.nunique() > 1] if only_varied else table


def _text(value: object) -> str:
    """A value as a table shows it: "none", "3 to 6", "1e-4"."""
    if value is None:
        return "none"
    if isinstance(value, tuple):
        return " to ".join(str(each) for each in value)
    if not isinstance(value, float):
        return f"{value:,}"
    return f"{value:.0e}".replace("e-0", "e-") if value < 1e-3 else f"{value:g}"
