"""Steps from layer to layer: against a subtraction by hand."""

import numpy as np
import pytest

from cwr.estimates import depth_steps


def rows(values, model="m", first=0):
    """Rows of layers from the first on, each with four draws around its value."""
    spread = np.array([-0.1, 0.0, 0.1, 0.2])
    return [
        {
            "model": model,
            "layer": layer,
            "value": value,
            "replicates": value + spread * layer,
        }
        for layer, value in enumerate(values, start=first)
    ]


def test_steps_are_paired_differences_and_the_last_is_over_all_blocks():
    table = depth_steps.steps(rows([0.1, 0.5, 0.35, 0.6])).set_index("step")
    assert list(table.index) == ["0 to 1", "1 to 2", "2 to 3", "1 to 3"]
    assert table["difference"].to_list() == pytest.approx([0.4, -0.15, 0.25, 0.1])
    assert table["up"].to_list() == [
        1,
        0.25,
        1,
        0.75,
    ]  # of 1 to 2: -0.25, -0.15, -0.05, 0.05
    assert table["between_blocks"].to_list() == [False, True, True, False]
    low, high = np.quantile(np.array([-0.1, 0.1, 0.3, 0.5]), [0.025, 0.975])
    assert table.loc["1 to 3", ["low", "high"]].to_list() == pytest.approx([low, high])


def test_models_stand_apart_and_two_blocks_have_one_step():
    table = depth_steps.steps(rows([0.3, 0.5, 0.6], first=1) + rows([0.5, 0.4, 0.2], "n"))
    assert table[["model", "step"]].to_numpy().tolist() == [
        ["m", "1 to 2"],
        ["m", "2 to 3"],
        ["m", "1 to 3"],
        ["n", "0 to 1"],
        ["n", "1 to 2"],
    ]


def test_words_name_the_models_in_which_a_whole_interval_lies_below_zero():
    falling, rising = rows([0.1, 0.6, 0.6, 0.1]), rows([0.1, 0.6, 0.7], "n")
    table = depth_steps.steps(falling + rising)
    assert (
        depth_steps.falls_in_words(table) == "falls measurably at some step in m, not in n"
    )
    alone = depth_steps.steps(rising)
    assert depth_steps.falls_in_words(alone) == "falls measurably at no step in n"
