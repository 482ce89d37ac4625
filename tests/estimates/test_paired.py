"""Differences and means of rows, draw by draw, against loops over draws."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr.estimates import paired
from cwr.measures import stats

LAYERS, DRAWS = (0, 1, 2), 5


def rows(seed: int = 0, **keys) -> list[dict]:
    """A score of two models in three layers."""
    random = np.random.default_rng(seed)
    return [
        {
            "model": model,
            "layer": layer,
            **keys,
            "value": random.normal(),
            "replicates": random.normal(size=DRAWS),
        }
        for model in ("m", "n")
        for layer in LAYERS
    ]


def test_a_row_is_subtracted_from_that_with_the_same_keys():
    one, other = rows(0, estimator="mix"), rows(1, estimator="input")[::-1]
    found = paired.minus(one, other, ["model", "layer"])
    for row, before, after in zip(found, other[::-1], one, strict=True):
        assert (row["model"], row["layer"], row["estimator"]) == (
            after["model"],
            after["layer"],
            "mix",
        )
        assert row["value"] == after["value"] - before["value"]
        for draw in range(DRAWS):
            assert (
                row["replicates"][draw]
                == after["replicates"][draw] - before["replicates"][draw]
            )


def test_groups_are_subtracted_pair_by_pair_and_named():
    scores = [*rows(0, estimator="mix"), *rows(1, estimator="input")]
    pairs = [(("m", "mix"), ("n", "input")), (("n", "mix"), ("n", "mix"))]
    apart, none = np.split(
        np.array(paired.between(scores, pairs, ["model", "estimator"], ["layer"])), 2
    )
    assert [(row["ahead"], row["behind"]) for row in (apart[0], none[2])] == pairs
    assert [row["layer"] for row in apart] == list(LAYERS)
    for row, ahead, behind in zip(apart, scores[:3], scores[9:], strict=True):
        assert row["value"] == ahead["value"] - behind["value"]
        assert (row["replicates"] == ahead["replicates"] - behind["replicates"]).all()
    assert not any(row["replicates"].any() for row in none)
    with pytest.raises(KeyError):
        paired.between(
            scores, [(("m", "mix"), ("o", "mix"))], ["model", "estimator"], ["layer"]
        )


def test_what_has_no_partner_or_two_is_refused():
    with pytest.raises(KeyError):
        paired.minus(rows(), rows()[1:], ["model", "layer"])
    with pytest.raises(
        ValueError, match="two rows to subtract have the same model: .'m',."
    ):
        paired.minus(rows(), rows(), ["model"])
    with pytest.raises(ValueError, match="two rows of a course have the same layer: 1"):
        paired.steps_along([*rows(), rows()[1]], "layer")


@given(st.permutations(range(6)))
def test_a_course_is_followed_in_the_order_of_its_key_however_rows_stand(order):
    scores = rows()
    steps = paired.steps_along([scores[number] for number in order], "layer")
    by_key = {(row["model"], row["layer"]): row for row in scores}
    assert {(step["model"], step["before"], step["layer"]) for step in steps} == {
        (model, layer, layer + 1) for model in ("m", "n") for layer in (0, 1)
    }
    for step in steps:
        before, after = (by_key[step["model"], step[end]] for end in ("before", "layer"))
        assert step["value"] == after["value"] - before["value"]
        assert (step["replicates"] == after["replicates"] - before["replicates"]).all()


def test_a_mean_is_that_of_each_draw_and_loses_its_key():
    scores = rows()
    first, second = paired.mean(scores, "layer")
    assert (first["model"], second["model"]) == ("m", "n") and "layer" not in first
    assert first["value"] == pytest.approx(sum(row["value"] for row in scores[:3]) / 3)
    for draw in range(DRAWS):
        of_draw = [row["replicates"][draw] for row in scores[3:]]
        assert second["replicates"][draw] == pytest.approx(sum(of_draw) / 3)


def test_a_frame_has_the_columns_asked_for_and_an_interval():
    scores = rows()
    table = paired.frame(scores, ["model", "layer", "task"])
    assert list(table.columns) == ["model", "layer", "task", "value", "low", "high"]
    assert tuple(table.loc[4, ["low", "high"]]) == stats.interval(scores[4]["replicates"])
    assert pd.isna(table["task"]).all()
    none = paired.frame([], ["model"], "lead")
    assert list(none.columns) == ["model", "lead", "low", "high"]
    assert none.empty and none["lead"].dtype == float
