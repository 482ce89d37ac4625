"""Extractions of vectors that we choose, without a model."""
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from cwr.extraction.answer import Sums
from cwr.measures.contextuality import unit_rows

LAYERS = 3


def made_up(sizes: dict[str, int], dim: int = 5, offset: float = 0.5) -> SimpleNamespace:
    """What an extraction of these groups would hold, vectors and sums, from random vectors.

    sizes: how many targets each group has; every target stands first in a sentence of its own.
    """
    rng = np.random.default_rng(len(sizes))
    group = np.repeat(list(sizes), list(sizes.values()))
    table = pd.DataFrame({"sentence": np.arange(len(group)), "first": 0, "last": 0, "group": group})
    stored = rng.normal(size=(LAYERS, len(group), dim)) + offset
    names = tuple(sorted(sizes))

    def sums(layer: int) -> Sums:
        parts = [stored[layer][group == name] for name in names]
        unit_sums = [unit_rows(part).sum(axis=0) if len(part) else np.zeros(dim) for part in parts]
        return Sums(np.array(unit_sums), np.array([part.sum(axis=0) for part in parts]),
                    np.array([len(part) for part in parts]))

    return SimpleNamespace(table=table, n_layers=LAYERS - 1, groups=lambda: names, sums=sums,
                           vectors=lambda layer: stored[layer])


@pytest.fixture
def extraction():
    """`made_up`."""
    return made_up
