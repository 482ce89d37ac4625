"""Measures models along their training: anisotropy, context, and vectors of never-used tokens."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr.corpora import Corpus
from cwr.estimates import contextuality, samples
from cwr.measures import geometry, rare_words
from cwr.measures.contextuality import mean_pairwise_cosine

if TYPE_CHECKING:
    from cwr.encoders.encoder import Encoder

BINS = 5  # of tokens by frequency, equally many in each; bin 1 holds the rarest
COLUMNS = ["model", "step", "words", "measure", "layer", "class", "value"]


def folder(training: Path, step: int) -> Path:
    """Returns the folder, in a training's folder, for the model after `step` steps."""
    return training / f"at_{step}"


def folders(training: Path) -> Iterator[tuple[int, Path]]:
    """Yields (step, folder) of each model saved along a training, in order."""
    steps = {int(path.name.removeprefix("at_")): path for path in training.glob("at_*")}
    yield from sorted(steps.items())


def along(
    snapshots: Iterable[tuple[int, float, "Encoder", np.ndarray | None]],
    corpus: Corpus,
    counts: np.ndarray | None,
    seed: int = 0,
) -> pd.DataFrame:
    """Measures each snapshot of a training by `of_layers` and `of_matrix`; tabulates COLUMNS.

    snapshots: (step, words read, encoder, embedding matrix or None) in order.
    counts: as in `of_matrix`.
    """
    rows = []
    for step, words, encoder, matrix in snapshots:
        keys = {"model": encoder.name, "step": step, "words": round(words)}
        measured = [*of_layers(encoder, corpus, seed), *of_matrix(matrix, counts)]
        rows += [{**keys, **row} for row in measured]
    return pd.DataFrame(rows, columns=COLUMNS)


def of_layers(encoder: "Encoder", corpus: Corpus, seed: int = 0) -> Iterator[dict]:
    """Yields rows with each layer's anisotropy baseline and self-similarity (not adjusted).

    Ethayarajh (2019), sections 3.3 and 3.4. The same corpus and seed give the same sentences.
    """
    sample = samples.extract(encoder, corpus, seed=seed)
    baseline = contextuality.anisotropy_baseline(sample.random, draws=1, seed=seed)
    similarity = contextuality.self_similarity(sample.words, draws=1, seed=seed)
    for measure, curve in (("anisotropy_baseline", baseline), ("self_similarity", similarity)):
        for layer, value in enumerate(curve.values):
            yield {"measure": measure, "layer": layer, "value": float(value)}


def of_matrix(matrix: np.ndarray | None, counts: np.ndarray | None) -> Iterator[dict]:
    """Yields rows on an embedding matrix: isotropy, mean vector, never-used tokens.

    Biś et al. (2021), section 5.1. matrix: (vocabulary, dim); None, which gives no rows, for a
    model that reads characters. counts: (vocabulary,) each token's frequency in the training text.
    `unused_cosine`: the mean cosine of never-used tokens among themselves (class 0) and with each
    frequency bin (class 1 to 5). With fewer than two never-used tokens these rows are left out.
    """
    if matrix is None:
        return
    table = geometry.of_matrix(matrix)
    yield {"measure": "partition_isotropy", "value": table.raw.isotropy("both")}
    yield {"measure": "mean_norm", "value": table.mean_norm}
    yield {"measure": "norm_mean", "value": table.norm}
    unused = np.flatnonzero(counts == 0)
    if len(unused) < 2:
        return
    among = mean_pairwise_cosine(matrix[unused])
    yield {"measure": "unused_cosine", "class": 0, "value": among}
    used = np.flatnonzero(counts)
    by_frequency = used[np.argsort(counts[used], kind="stable")]
    cosines = rare_words.mean_cosines(matrix, unused, np.array_split(by_frequency, BINS))
    for number, cosine in enumerate(cosines, start=1):
        yield {"measure": "unused_cosine", "class": number, "value": float(cosine)}
