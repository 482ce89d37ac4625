"""Is a cosine high? Its rank among the cosines of random words and of occurrences of one word."""
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr.corpora import Corpus
from cwr.errors import UserError
from cwr.estimates import samples
from cwr.measures.contextuality import unit_rows

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder


@dataclass(frozen=True)
class Calibration:
    """A cosine beside those of one layer of one model on one corpus; shares lie between 0 and 1.

    random_below: share of the pairs of random words with a lower cosine; random_mean: mean cosine
        of these pairs.
    same_word_below: share of the pairs of occurrences of one word with a lower cosine, mean over
        words; same_word_mean: mean cosine of these pairs, mean over words.
    """

    cosine: float
    layer: str                   # as the paragraph names it, with model and contract
    text: str
    random_below: float
    random_mean: float
    same_word_below: float
    same_word_mean: float

    @property
    def paragraph(self) -> str:
        """The numbers in one sentence."""
        return (f"In {self.layer}, on {self.text}: {self.cosine:g} is higher than "
                f"{self.random_below:.1%} of the cosines of random words (their mean is "
                f"{self.random_mean:.2f}), and higher than {self.same_word_below:.1%} of the "
                f"cosines between two occurrences of one word (mean over words "
                f"{self.same_word_mean:.2f}).")


def calibrate(cosine: float, encoder: "Encoder", layer: int, corpus: Corpus,
              seed: int = 0) -> Calibration:
    """Place a cosine in one layer of a model.

    Random pairs: all pairs of one word each from up to 1,000 sentences. Same-word pairs: all pairs
    among at most 100 occurrences of each word that occurs 5 times or more, punctuation left out;
    every word counts once.
    Raises UserError for a layer that the model does not have and for a number that is no cosine.
    """
    if not -1 <= cosine <= 1:
        raise UserError(f"{cosine} is no cosine: give a number between -1 and 1")
    if not 0 <= layer <= encoder.n_layers:
        raise UserError(f"{encoder.name} has no layer {layer}: its layers are 0 (input) to "
                        f"{encoder.n_layers}")
    sample = samples.extract(encoder, corpus, seed=seed)
    random = pair_cosines(sample.random.vectors(layer))
    same_word = _cosines_by_word(sample.words.vectors(layer), sample.words.table["group"])
    return Calibration(
        cosine=cosine,
        layer=f"layer {layer} of {encoder.name} ({encoder.contract[layer]})",
        text=f"{len(corpus.sentences):,} sentences of {corpus.name}",
        random_below=float(np.mean(random < cosine)),
        random_mean=float(random.mean()),
        same_word_below=float(np.mean([np.mean(pairs < cosine) for pairs in same_word.values()])),
        same_word_mean=float(np.mean([pairs.mean() for pairs in same_word.values()])))


def pair_cosines(vectors: np.ndarray) -> np.ndarray:
    """Cosines of all pairs of different rows, (n (n - 1) / 2,). vectors: (n, dim).

    Raises ValueError for a zero or NaN row, whose direction is undefined.
    """
    units = unit_rows(vectors)
    return (units @ units.T)[np.triu_indices(len(units), 1)]


def _cosines_by_word(vectors: np.ndarray, words: pd.Series) -> Mapping[str, np.ndarray]:
    """`pair_cosines` of each word with two occurrences or more. vectors: (n, dim); words: (n,)."""
    rows = words.groupby(words).indices
    return {word: pair_cosines(vectors[at]) for word, at in rows.items() if len(at) > 1}
