"""Steps from one context size to the next: by hand, and paired."""

import numpy as np
import pandas as pd
import pytest

from cwr.texts.zhao2020 import window_steps


def row(k, value, drawn, **keys):
    return {"model": "m", "family": "masked", "k": k, "value": value, "replicates": drawn, **keys}


def test_steps_join_neighbouring_sizes_of_a_curve_whatever_the_order_of_the_rows():
    noise = np.linspace(-1, 1, 101)
    rows = [row(8, 0.6, 0.6 + noise, layer=1), row(0, 0.2, 0.2 + noise, layer=1)]
    rows += [row(2, 0.5, 0.5 + noise, layer=1), row(0, 0.9, noise), row(2, 0.7, -noise)]
    table = window_steps.steps(rows)
    assert table["step"].tolist() == ["0 → 2", "2 → 8", "0 → 2"]
    assert table["k"].tolist() == [2, 8, 2]
    assert table["layer"].tolist()[:2] == [1, 1] and pd.isna(table["layer"].iloc[2])
    assert table["change"].tolist() == pytest.approx([0.3, 0.1, -0.2])
    # what the draws share cancels; what they do not share is twice as wide
    assert table["low"].tolist() == pytest.approx([0.3, 0.1, -1.9])
    assert table["high"].tolist() == pytest.approx([0.3, 0.1, 1.9])
