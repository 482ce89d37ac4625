"""Changes of F1 are paired: what two scores share is not in their interval."""

import numpy as np
import pytest

from cwr.texts.zhao2020.probe_changes import changes


def row(value, replicates, **keys):
    return {"model": "m", "family": "masked", "value": value, "replicates": replicates, **keys}


def test_a_change_is_taken_in_the_same_layer_and_reading_and_draw_by_draw():
    common = np.random.default_rng(0).normal(0.5, 0.2, 1000)
    before = [
        row(0.5 + layer, common + layer, layer=layer, estimator=reading)
        for layer in (0, 1)
        for reading in ("full", "pairs")
    ]
    after = row(1.3, common + 0.8, layer=1, estimator="full", task="pos", measure="old", k=10)
    (change,) = changes(before, [after]).to_dict("records")
    assert change["value"] == pytest.approx(-0.2)
    assert change["low"] == pytest.approx(-0.2) and change["high"] == pytest.approx(-0.2)
    assert (change["task"], change["measure"], change["k"]) == ("pos", "old", 10)


def test_a_layer_that_was_not_scored_before_is_refused():
    before = row(0.5, np.ones(3), layer=0, estimator="full")
    with pytest.raises(KeyError):
        changes([before], [row(0.5, np.ones(3), layer=1, estimator="full")])
