"""The data of the live figure: treatments of the library, rounded once, and the sentence."""

import json

import numpy as np
import pytest

from cwr.estimates.samples import Samples
from cwr.measures import contextuality as measures
from cwr.texts.ethayarajh2019 import removed_coordinates, treatments


@pytest.fixture
def sample(extraction) -> Samples:
    """Random words and words of two coordinates that make them alike."""
    random = extraction({"random": 40}, dim=12)
    words = extraction({"a": 6, "b": 9}, dim=12)
    sentences = extraction({"s1": 100, "s2": 240}, dim=12)
    for run in (random, words, sentences):
        for layer in range(3):
            run.vectors(layer)[:, [3, 7]] += [9, 6]
    return Samples(random, words, sentences)


def test_without_the_switch_the_curves_are_those_of_the_treatments(sample):
    entry = removed_coordinates.entry("one", "masked", sample)
    plain = treatments.similarities(sample)
    three = treatments.treated(sample, treatments.fits()["without 3 coordinates"])
    for k, named in ((0, plain), (3, treatments.similarities(three))):
        b = named["anisotropy_baseline"].values
        s = named["adjusted_self_similarity"].values
        assert np.array(entry["b"][0][k]) / 100 == pytest.approx(b, abs=0.005)
        assert np.array(entry["s"][0][k]) / 100 == pytest.approx(s, abs=0.005)


def test_the_switch_subtracts_the_mean_before_coordinates_go(sample):
    entry = removed_coordinates.entry("one", "masked", sample)
    mean = treatments.mean_of_others(sample, 2)
    centred = sample.random.vectors(2) - mean
    kept = np.delete(centred, [3, 7], axis=1)  # the two that were planted
    for k, vectors in ((0, centred), (2, kept)):
        expected = measures.anisotropy_baseline(vectors)
        assert entry["b"][1][k][2] / 100 == pytest.approx(expected, abs=0.005)


def test_two_planted_coordinates_are_the_first_to_go(sample):
    last = [
        curve[-1] for curve in removed_coordinates.entry("one", "masked", sample)["b"][0]
    ]
    assert last[0] > 90 > last[1] > 50 > last[2] and max(last[2:]) - min(last[2:]) < 15


def test_the_sentence_names_each_model_with_its_last_layer():
    curves = {"b": [[[5, 12]] * 6, [[0, -1]] * 6], "s": [[[90, 45]] * 6, [[80, 50]] * 6]}
    entries = [{"model": name, "family": "masked", **curves} for name in ("one", "two")]
    data = removed_coordinates.live_data(entries)
    assert removed_coordinates.sentence(data, False, 1) == (
        "The vectors as they are, without 1 coordinate: in the last layer two random words have a "
        "mean cosine of 0.12 in one, 0.12 in two. The mean cosine of two occurrences of one word "
        "is higher, by 0.45 in one, 0.45 in two."
    )
    assert "-0.01 in one" in removed_coordinates.sentence(data, True, 0)


def test_the_data_of_four_models_of_twelve_layers_stay_small():
    curves = {name: [[[-12] * 13] * 6] * 2 for name in ("b", "s")}
    entries = [{"model": f"model-{n}", "family": "masked", **curves} for n in range(4)]
    assert (
        len(json.dumps(removed_coordinates.live_data(entries), separators=(",", ":")))
        < 7_000
    )


def test_the_table_has_the_last_layer_of_each_model_a_row_a_setting():
    curves = {"b": [[[5, 12]] * 6, [[0, -1]] * 6], "s": [[[90, 45]] * 6, [[80, 50]] * 6]}
    data = removed_coordinates.live_data([{"model": "one", "family": "masked", **curves}])
    table = removed_coordinates.table(data)
    assert table["b one"].tolist() == [0.12] * 6 + [-0.01] * 6
    assert table["s one"].tolist() == [0.45] * 6 + [0.50] * 6
    assert table["coordinates removed"].tolist() == [*range(6), *range(6)]
