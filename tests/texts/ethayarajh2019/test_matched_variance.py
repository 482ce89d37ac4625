"""Explained variance beside as many random words: loops over words, floors, bins."""

import numpy as np
import pandas as pd
import pytest

from cwr.estimates import contextuality as estimates
from cwr.measures import contextuality as measures
from cwr.texts.ethayarajh2019 import matched_variance

ESTIMATOR = pytest.mark.parametrize("estimator", measures.ESTIMATORS)
SIZES = {"a": 4, "b": 7, "c": 12, "once": 1}


def of_group(run, layer: int, name: str) -> np.ndarray:
    return run.vectors(layer)[run.table["group"] == name]


def sizes(*n: int) -> pd.Series:
    return pd.Series(n, index=[f"w{number}" for number in range(len(n))])


@ESTIMATOR
def test_a_set_as_large_as_the_random_words_is_all_of_them(extraction, estimator):
    random = extraction({"random": 9})
    variance = matched_variance.random_sets(random, sizes(9, 40), estimator)
    for layer in (1, 2):
        whole = measures.maximum_explainable_variance(random.vectors(layer), estimator)
        assert variance[layer].tolist() == pytest.approx([whole, whole])
    assert variance[0].isna().all()


def test_sets_of_random_words_lie_above_the_floor_of_a_pca_and_fall_with_n(extraction):
    n = sizes(*[3] * 20, *[6] * 20, *[12] * 20)
    variance = matched_variance.random_sets(extraction({"random": 60}), n, "pca")[1]
    assert (variance > 1 / (n - 1)).all()
    assert variance.groupby(n).mean().is_monotonic_decreasing


def test_a_word_has_the_same_set_in_every_layer_and_each_word_another(extraction):
    random = extraction({"random": 60})
    random.vectors(2)[:] = random.vectors(1)
    variance = matched_variance.random_sets(random, sizes(5, 5, 5), "pca")
    assert variance[1].tolist() == variance[2].tolist() and variance[1].nunique() == 3


def test_a_word_that_occurs_once_has_no_set(extraction):
    n = matched_variance.occurrences(extraction(SIZES))
    assert n.to_dict() == {"a": 4, "b": 7, "c": 12}


@ESTIMATOR
def test_each_word_is_compared_with_as_many_random_words(extraction, estimator):
    words, random = extraction(SIZES), extraction({"random": 30})
    mean = estimates.explained_variance(words, estimator, 40, 0)
    beside = matched_variance.random_sets(
        random, matched_variance.occurrences(words), estimator
    )
    matched = matched_variance.matched_explained_variance(mean, beside, 40, 0)
    for layer in (1, 2):
        differences = [
            measures.maximum_explainable_variance(of_group(words, layer, word), estimator)
            - beside.loc[word, layer]
            for word in ("a", "b", "c")
        ]
        assert matched.values[layer] == pytest.approx(np.mean(differences))


def test_words_that_are_random_words_have_nothing_left_by_the_matched_baseline(extraction):
    words = extraction({f"w{number}": 5 for number in range(300)}, dim=20)
    random = extraction({"random": 1500}, dim=20)
    mean = estimates.explained_variance(words, "pca", 40, 0)
    beside = matched_variance.random_sets(
        random, matched_variance.occurrences(words), "pca"
    )
    matched = matched_variance.matched_explained_variance(mean, beside, 40, 0)
    adjusted = estimates.adjusted_explained_variance(words, random, "pca", 40, 0)
    unmatched = adjusted["adjusted_maximum_explainable_variance"]
    assert matched.values[1:] == pytest.approx(0, abs=0.02)
    assert (unmatched.values[1:] > 0.2).all()


def test_the_least_values_are_those_of_the_bounds_word_by_word(extraction):
    words = extraction(SIZES)
    mean = estimates.explained_variance(words, "pca", 40, 0)
    floor = matched_variance.least_explained_variance(words, mean, "pca", 40, 0)
    assert floor.values == pytest.approx(np.full(3, np.mean([1 / 3, 1 / 6, 1 / 11])))
    least = matched_variance.least_explained_variance(words, mean, "definition", 40, 0)
    for layer in range(3):
        expected = []
        for word in ("a", "b", "c"):
            n, similarity = (
                SIZES[word],
                measures.self_similarity(of_group(words, layer, word)),
            )
            expected.append(1 / n + (1 - 1 / n) * similarity)
        assert least.values[layer] == pytest.approx(np.mean(expected))


@pytest.mark.parametrize("estimator", ["pca", "definition"])
def test_no_mean_lies_below_its_least_value(extraction, estimator):
    words = extraction(SIZES)
    for layer in range(3):
        words.vectors(layer)[:] = measures.unit_rows(words.vectors(layer))
    mean = estimates.explained_variance(words, estimator, 40, 0)
    least = matched_variance.least_explained_variance(words, mean, estimator, 40, 0)
    assert (mean.values[1:] >= least.values[1:] - 1e-9).all()


@ESTIMATOR
def test_the_measures_of_an_estimator_are_those_of_its_words_and_sets(
    extraction, estimator
):
    words, random = extraction(SIZES), extraction({"random": 30})
    mean = estimates.explained_variance(words, estimator, 40, 0)
    named = matched_variance.measures_by_n(words, random, mean, estimator, 40, 3)
    beside = matched_variance.random_sets(
        random, pd.Series(SIZES).drop("once"), estimator, 3
    )
    expected = matched_variance.matched_explained_variance(mean, beside, 40, 3)
    matched = named.pop("adjusted_maximum_explainable_variance_matched")
    assert matched.replicates[:, 1:] == pytest.approx(expected.replicates[:, 1:])
    assert list(named) == ["maximum_explainable_variance_least"] * (
        estimator != "released"
    )


def test_the_released_estimator_has_no_least_value(extraction):
    words = extraction(SIZES)
    mean = estimates.explained_variance(words, "released", 40, 0)
    with pytest.raises(ValueError, match="'released' has no least value"):
        matched_variance.least_explained_variance(words, mean, "released")


def test_bins_of_occurrences_hold_each_word_once():
    n = pd.Series({"d": 90, "a": 5, "b": 7, "c": 8, "other": 30})
    values = pd.DataFrame({"words": {"a": 0.2, "b": 0.4, "c": 0.5, "d": 0.1}})
    table = matched_variance.by_occurrences(values, n, [5, 8, 20, 50])
    assert table.index.tolist() == ["5 to 7", "8", "90"]
    assert table["count"].tolist() == [2, 1, 1]
    assert table["words"].tolist() == pytest.approx([0.3, 0.5, 0.1])
