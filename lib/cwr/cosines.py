"""Is a cosine high? Its place among the cosines of random words and of same words, in one layer of one model."""
from typing import TYPE_CHECKING

import numpy as np

from cwr import corpora
from cwr.errors import UserError
from cwr.extraction import questions
from cwr.measures.contextuality import unit_rows

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

def placed(cosine: float, encoder: "Encoder", layer: int, text: corpora.Corpus, seed: int = 0) -> str:
    """One paragraph: the share of random pairs, and of pairs of one word's occurrences, with a lower cosine.

    Random pairs are all pairs of one word each from up to 1,000 sentences; same-word pairs are all pairs among at
    most 100 occurrences of each word that occurs 5 times or more, punctuation left out, every word counting once.
    Raises UserError for a layer that the model does not have and for a number that is no cosine.
    """
    if not -1 <= cosine <= 1:
        raise UserError(f"{cosine} is no cosine: give a number between -1 and 1")
    if not 0 <= layer <= encoder.n_layers:
        raise UserError(f"{encoder.name} has no layer {layer}: its layers are 0 (input) to {encoder.n_layers}")
    asked = questions.ask(encoder, text, seed=seed)
    vectors, groups = asked.words.vectors(layer), asked.words.table.groupby("group").indices.values()
    by_word = [pair_cosines(vectors[rows]) for rows in groups if len(rows) > 1]
    below = np.mean([np.mean(own < cosine) for own in by_word])
    others = pair_cosines(asked.random.vectors(layer))
    return (f"In layer {layer} of {encoder.name} ({encoder.contract[layer]}), on {len(text.sentences):,} sentences of "
            f"{text.name}: {cosine:g} is higher than {np.mean(others < cosine):.1%} of the cosines of random words "
            f"(their mean is {others.mean():.2f}), and higher than {below:.1%} of the cosines between two occurrences "
            f"of one word (mean over words {np.mean([own.mean() for own in by_word]):.2f}).")


def pair_cosines(vectors: np.ndarray) -> np.ndarray:
    """Cosines of all pairs of different rows, (n (n - 1) / 2,)."""
    units = unit_rows(vectors)
    return (units @ units.T)[np.triu_indices(len(units), 1)]

