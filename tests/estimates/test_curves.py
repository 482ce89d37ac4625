"""Curves: draws that join, constants, and the rows that become results."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from cwr.estimates import curves
from cwr.estimates.curves import Curve

LAYERS = 3
rng = np.random.default_rng(0)


def test_curves_over_the_same_items_share_their_draws():
    items = pd.DataFrame(rng.normal(size=(20, LAYERS)), index=[f"w{i}" for i in range(20)])
    one, two = curves.over_items(items, 50, 0), curves.over_items(items + 1, 50, 0)
    renamed = curves.over_items(items.rename(index=str.upper), 50, 0)
    assert (two - one).replicates == pytest.approx(1)
    assert renamed.replicates != pytest.approx(one.replicates)


def test_the_mean_is_over_items_and_no_items_are_refused():
    items = pd.DataFrame([[1.0, 2.0], [3.0, 6.0]], index=["a", "b"])
    assert curves.over_items(items, 5, 0).values.tolist() == [2.0, 4.0]
    with pytest.raises(ValueError, match="nothing to resample"):
        curves.over_items(items[:0], 5, 0)


def test_a_curve_without_replicates_is_subtracted_as_a_constant():
    drawn = Curve(np.ones(2), np.full((5, 2), 1.5))
    fixed = Curve(np.array([0.5, 0.25]))
    assert (drawn - fixed).replicates[0] == pytest.approx([1, 1.25])
    assert (fixed - drawn).replicates is None


def test_a_row_a_layer_carries_its_own_replicates_and_keys():
    encoder = SimpleNamespace(name="tiny", family="masked")
    drawn = Curve(np.array([0.1, 0.2, 0.3]), np.arange(12.0).reshape(4, 3))
    fixed = Curve(np.array([1.0, 2.0, 3.0]))
    rows = curves.per_layer(encoder, {"b": drawn, "c": fixed}, first=1, dataset="lee")
    assert [(row["measure"], row["layer"], row["value"]) for row in rows] == [
        ("b", 1, 0.2),
        ("b", 2, 0.3),
        ("c", 1, 2.0),
        ("c", 2, 3.0),
    ]
    assert (
        rows[0]["replicates"].tolist() == [1, 4, 7, 10] and rows[2]["replicates"] is None
    )
    assert {(row["model"], row["family"], row["dataset"]) for row in rows} == {
        ("tiny", "masked", "lee")
    }
