"""X2Static along its training against ASE: the best layer is chosen, and draws are shared."""

import numpy as np
import pandas as pd
import pytest

from cwr.texts.gupta2021 import along_updates

WORDS = [f"w{number}" for number in range(60)]


def table(of_pairs):
    """Vectors in a plane whose pairs (0, 1), (2, 3), ... have these cosines."""
    angles = np.zeros(60)
    angles[1::2] = np.arccos(of_pairs)
    vectors = np.column_stack([np.cos(angles), np.sin(angles)])
    return dict(zip(WORDS, vectors, strict=True))


@pytest.fixture
def sets():
    scores = np.linspace(-0.9, 0.9, 30)
    return {
        "SL-999": pd.DataFrame(
            {"first": WORDS[::2], "second": WORDS[1::2], "score": scores}
        )
    }


def test_the_lead_is_over_the_best_layer_in_the_estimate_and_in_each_draw(sets):
    right = np.linspace(-0.9, 0.9, 30)
    layers = {0: table(-right), 1: table(right)}
    leads = along_updates.leads(
        {5: table(-right), 9: table(right)}, layers, sets, draws=20
    )
    assert leads["updates"].tolist() == [5, 9]
    assert leads["lead"].tolist() == pytest.approx([-2, 0])
    assert leads["low"].tolist() == pytest.approx([-2, 0], abs=1e-6)


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [(0.1, 0.2, "above"), (-0.2, -0.1, "below"), (-0.1, 0.1, "not")],
)
def test_a_statement_follows_the_interval(low, high, word):
    assert word in along_updates.statement(pd.Series({"low": low, "high": high}))
