"""Measures the anisotropy that comes from the one row a BERT-like model adds to every piece.

The row is that of the segment ("token type"), the same in all of a sentence. An estimate without it
needs an uncached pass: the cache knows a model by its seed or weights.
"""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr.corpora import Corpus
from cwr.measures import contextuality

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

SEGMENTS = "token_type_embeddings"  # the name of the matrix in transformers' models


def baseline_without(encoder: "Encoder", corpus: Corpus, words: pd.DataFrame) -> float | None:
    """Computes the anisotropy baseline of layer 0 with the segment row set to zero.

    words: of `extraction.targets`, one word per sentence. The encoder's weights are then restored.
    Returns None for a model without such a row.
    """
    rows = [
        module.weight.data
        for name, module in encoder.model.named_modules()
        if name.split(".")[-1] == SEGMENTS
    ]
    if not rows:
        return None
    kept = rows[0].clone()
    rows[0].zero_()
    try:
        return contextuality.anisotropy_baseline(_input(encoder, corpus, words))
    finally:
        rows[0].copy_(kept)


def _input(encoder: "Encoder", corpus: Corpus, words: pd.DataFrame) -> np.ndarray:
    """Layer 0 of these words, (n, dim), in no order; not cached."""
    wanted = set(zip(words["sentence"], words["first"], strict=True))
    vectors = []
    for batch in encoder.encode(corpus.sentences):
        units = zip(batch.sentence, batch.position, strict=True)
        keep = [unit in wanted for unit in units]
        vectors.append(batch.hidden[0][keep])
    return np.concatenate(vectors)  # (n, dim)
