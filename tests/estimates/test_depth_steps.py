"""Steps from layer to layer: against a subtraction by hand."""

import numpy as np
import pytest

from cwr.estimates import depth_steps


def rows(values, model="m"):
    """Rows of layers 0, 1, …, each with four draws around its value."""
    spread = np.array([-0.1, 0.0, 0.1, 0.2])
    return [
        {"model": model, "layer": layer, "value": value, "replicates": value + spread * layer}
        for layer, value in enumerate(values)
    ]


def test_steps_are_paired_differences_and_the_last_is_over_all_blocks():
    table = depth_steps.steps(rows([0.1, 0.5, 0.4, 0.6])).set_index("step")
    assert list(table.index) == ["0 to 1", "1 to 2", "2 to 3", "1 to 3"]
    assert table["difference"].to_list() == pytest.approx([0.4, -0.1, 0.2, 0.1])
    assert table["up"].to_list() == [1, 0.25, 1, 0.75]  # draws of 1 to 2: -0.2, -0.1, 0, 0.1
    low, high = np.quantile(np.array([-0.1, 0.1, 0.3, 0.5]), [0.025, 0.975])
    assert table.loc["1 to 3", ["low", "high"]].to_list() == pytest.approx([low, high])


def test_models_stand_apart_and_layers_may_begin_later_or_be_few():
    table = depth_steps.steps(rows([0.1, 0.2, 0.3, 0.5]) + rows([0.5, 0.4], "n"), first=1)
    assert table[["model", "step"]].to_numpy().tolist() == [
        ["m", "1 to 2"],
        ["m", "2 to 3"],
        ["m", "1 to 3"],
    ]
