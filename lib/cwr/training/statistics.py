"""What is measured along training: how anisotropy, context and the place of never-used tokens arise."""
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr import curves
from cwr.corpora import Corpus
from cwr.extraction import questions
from cwr.measures import isotropy
from cwr.measures.contextuality import unit_rows

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

BINS = 5                    # of tokens by frequency, equally many in each; bin 1 holds the rarest


def of_layers(encoder: "Encoder", corpus: Corpus, seed: int = 0) -> Iterator[dict]:
    """Anisotropy baseline and self-similarity (not adjusted) in every layer, on the same sentences each time."""
    asked = questions.ask(encoder, corpus, seed=seed)
    found = {"anisotropy_baseline": curves.anisotropy_baseline(asked.random, draws=1, seed=seed),
             "self_similarity": curves.self_similarity(asked.words, draws=1, seed=seed)}
    for measure, curve in found.items():
        yield from ({"measure": measure, "layer": layer, "value": float(value)}
                    for layer, value in enumerate(curve.values))


def of_matrix(matrix: np.ndarray | None, counts: np.ndarray | None) -> Iterator[dict]:
    """Isotropy, mean vector and the never-used tokens of an embedding matrix (Biś et al. 2021, section 5.1).

    matrix: (vocabulary, dim); counts: (vocabulary,) how often each token stands in the training text.
    `unused_cosine` by class 1 to 5: the mean cosine of the never-used tokens with the tokens of a frequency bin,
    class 0: among themselves. Without never-used tokens these rows are left out, without a matrix (a biLSTM reads
    characters) all of them.
    """
    if matrix is None:
        return
    matrix = np.asarray(matrix, np.float64)
    yield {"measure": "partition_isotropy", "value": isotropy.partition_isotropy(matrix, sign="both")}
    yield {"measure": "mean_norm", "value": float(np.linalg.norm(matrix.mean(axis=0)))}
    yield {"measure": "norm_mean", "value": float(np.linalg.norm(matrix, axis=1).mean())}
    never = np.flatnonzero(counts == 0)
    if len(never) < 2:
        return
    units = unit_rows(matrix)
    direction = units[never].mean(axis=0)
    own = (len(never) * direction @ direction - 1) / (len(never) - 1)
    yield {"measure": "unused_cosine", "class": 0, "value": float(own)}
    used = np.flatnonzero(counts)
    for number, part in enumerate(np.array_split(used[np.argsort(counts[used], kind="stable")], BINS), start=1):
        yield {"measure": "unused_cosine", "class": number, "value": float(units[part].mean(axis=0) @ direction)}


def along(snapshots, corpus: Corpus, counts: np.ndarray | None,
          seed: int = 0) -> pd.DataFrame:
    """One tidy table over training. snapshots: (step, words read, encoder, embedding matrix) in order."""
    rows = [{"model": encoder.name, "step": step, "words": round(words), **row}
            for step, words, encoder, matrix in snapshots
            for row in [*of_layers(encoder, corpus, seed), *of_matrix(matrix, counts)]]
    return pd.DataFrame(rows, columns=["model", "step", "words", "measure", "layer", "class", "value"])
