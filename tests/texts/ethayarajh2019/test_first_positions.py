"""First words against all others, on vectors whose lengths we choose."""

import numpy as np
import pandas as pd
import pytest

from cwr.measures.contextuality import anisotropy_baseline
from cwr.texts.ethayarajh2019 import first_positions


@pytest.fixture
def words(extraction):
    """Three words, four times each; twice "a" and once "b" stand first, ten times as long."""
    run = extraction({"a": 4, "b": 4, "c": 4})
    run.table["first"] = [0, 0, 3, 4, 0, 2, 5, 6, 1, 2, 3, 4]
    for layer in range(3):
        vectors = run.vectors(layer)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        vectors[run.table["first"] == 0] *= 10
    return run


def test_the_baseline_without_first_words_leaves_just_these_out(words):
    row = first_positions.baseline(words, 2)
    others = words.vectors(2)[[2, 3, 5, 6, 7, 8, 9, 10, 11]]
    assert row["layer"] == 2 and row["share of first words"] == 0.25
    assert row["length, first words"] == pytest.approx(10)
    assert row["length, others"] == pytest.approx(1)
    assert row["baseline, all"] == pytest.approx(anisotropy_baseline(words.vectors(2)))
    assert row["baseline, others"] == pytest.approx(anisotropy_baseline(others))


ITEMS = pd.DataFrame(
    {0: np.nan, 1: [0.8, 0.6, 0.1], 2: [0.4, 0.2, 0.9]}, index=["a", "b", "c"]
)
SEEN, NEVER = (f"maximum_explainable_variance_{kind}_first" for kind in ("seen", "never"))


def test_words_ever_seen_first_are_told_from_those_that_never_were(words):
    curves = first_positions.explained_variance(words, ITEMS, draws=50)
    assert curves[SEEN].values[1:] == pytest.approx([0.7, 0.3])
    assert curves[NEVER].values[1:] == pytest.approx([0.1, 0.9])
    assert curves[SEEN].replicates[:, 1].min() >= 0.6, "only words seen first are drawn"
    assert np.ptp(curves[NEVER].replicates[:, 1:], axis=0).max() == 0, (
        "there is one such word"
    )


def test_first_words_are_ten_times_as_long_in_every_layer(words):
    assert first_positions.length_ratios(words) == pytest.approx([10, 10, 10])


def test_where_first_words_were_left_out_only_the_others_have_a_value(words):
    words.table["first"] += 1
    assert list(first_positions.explained_variance(words, ITEMS, draws=5)) == [NEVER]
    assert np.isnan(first_positions.length_ratios(words)).all()
