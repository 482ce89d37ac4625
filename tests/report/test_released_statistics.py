"""The released statistics against themselves, moved, renamed, and by another input."""

import numpy as np
import pandas as pd
import pytest

from cwr.papers import printed
from cwr.report import released_statistics


@pytest.fixture(scope="module")
def statistics():
    return printed.load("ethayarajh2019")


def as_ours(statistics: pd.DataFrame, shift: float = 0.0) -> pd.DataFrame:
    """The released table under our models' names, moved, with intervals of half-width 0.01."""
    ours = {theirs: name for name, theirs in released_statistics.SAME.items()}
    table = statistics[statistics["model"].isin(ours)].copy()
    table["model"] = table["model"].map(ours)
    table["value"] = table["value"].astype(float) + shift
    return table.assign(low=table["value"] - 0.01, high=table["value"] + 0.01)


def test_the_released_points_agree_with_themselves_in_every_layer_of_all_three(statistics):
    points = released_statistics.point_by_point(as_ours(statistics), statistics)
    layers = {"ELMo": 3, "BERT-base-cased": 13, "GPT-2-small": 13}
    for measure in released_statistics.COSINES:
        of_measure = points[points["measure"] == measure]
        assert of_measure.groupby("model").size().to_dict() == layers
    assert (points["difference"] == 0).all()
    assert set(points["agrees"].dropna()) == {True}


def test_a_point_agrees_up_to_its_tolerance_and_no_further(statistics):
    tolerance = released_statistics.point_by_point(as_ours(statistics), statistics)[
        "tolerance"
    ].dropna()
    b = 0.978  # GPT-2's last layer, where cosines can vary least
    least = 0.01 + 2 * np.sqrt((1 - b**2) / 1000)
    assert tolerance.min() == pytest.approx(least, abs=1e-4)
    assert tolerance.max() < 0.01 + 2 / np.sqrt(1000)
    inside = released_statistics.point_by_point(
        as_ours(statistics, 0.99 * least), statistics
    )
    assert set(inside["agrees"].dropna()) == {True}
    beyond = released_statistics.point_by_point(as_ours(statistics, -0.08), statistics)
    assert set(beyond["agrees"].dropna()) == {False}


def test_explained_variance_is_shown_by_the_released_estimator_without_a_judgement(
    statistics,
):
    points = released_statistics.point_by_point(as_ours(statistics), statistics)
    variance = points[points["measure"] == released_statistics.VARIANCE]
    assert len(variance) == 2 + 12 + 12
    assert variance["tolerance"].isna().all() and variance["agrees"].isna().all()


def test_another_input_of_gpt2_is_held_against_gpt2_and_other_models_against_nothing(
    statistics,
):
    ours = as_ours(statistics)
    ours["model"] = ours["model"].replace(
        {"GPT-2-small": "GPT-2-small, bare word or !", "ELMo": "cwr-elmo"}
    )
    points = released_statistics.point_by_point(ours, statistics)
    assert set(points["model"]) == {"GPT-2-small, bare word or !", "BERT-base-cased"}
