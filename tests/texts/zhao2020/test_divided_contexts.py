"""Divisions for controls: blocks by word, contexts within words, labels drawn by word."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr.measures import stats
from cwr.texts.zhao2020 import probe_controls


def drawn(n=2000, words=300, seed=0):
    return np.random.default_rng(seed).integers(0, words, n).astype(str)


@given(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=40), st.integers(0, 9))
def test_a_word_is_in_one_block_and_the_first_block_is_not_empty(words, seed):
    blocks = probe_controls.blocks(words, (0.25, 0.5, 1), seed)
    assert (blocks == 0).any()
    for word in set(words):
        assert len(set(blocks[np.array(words) == word])) == 1


def test_blocks_end_near_their_shares():
    blocks = probe_controls.blocks(drawn())
    ends = np.cumsum(np.bincount(blocks, minlength=len(probe_controls.SHARES))) / len(
        blocks
    )
    assert ends == pytest.approx(
        probe_controls.SHARES, abs=0.01
    )  # a word has some seven contexts


@pytest.mark.parametrize("shares", [(0.5, 0.9), (0.5, 0.5, 1), (0.7, 0.5, 1)])
def test_shares_that_do_not_rise_to_one_are_refused(shares):
    with pytest.raises(ValueError, match="increasing shares up to 1"):
        probe_controls.blocks(["a"], shares)


def test_half_of_each_word_is_tested_and_rare_words_are_left_out():
    words = np.array(["a"] * 4 + ["b"] * 9 + ["c"] * 3)
    split = probe_controls.within_words(words)
    tested = split == probe_controls.TEST
    assert [tested[words == word].sum() for word in "abc"] == [2, 4, 0]
    assert (split[words == "c"] == "").all()
    assert set(split[words == "b"][~tested[words == "b"]]) <= {"train", "dev"}


def test_about_a_fifth_of_what_is_not_tested_is_for_development():
    split = probe_controls.within_words(drawn())
    rest = split[(split != "test") & (split != "")]
    assert (rest == "dev").mean() == pytest.approx(0.2, abs=0.04)


def test_a_control_label_is_that_of_a_word_and_as_frequent_as_among_contexts():
    words = np.repeat(np.arange(5000), 2)
    labels = np.where(np.arange(10000) % 10 < 3, "art", "food")
    control = probe_controls.control_labels(words, labels)
    assert np.array_equal(control[::2], control[1::2])
    assert (control == "art").mean() == pytest.approx(0.3, abs=0.03)
    assert (control == labels).mean() == pytest.approx(0.3**2 + 0.7**2, abs=0.03)


def test_a_fifth_of_the_words_is_for_development_whatever_block_they_are_in():
    words = drawn()
    is_dev = probe_controls.dev_words(words)
    assert is_dev.mean() == pytest.approx(0.2, abs=0.02)
    assert not set(words[is_dev]) & set(words[~is_dev])
    half = probe_controls.blocks(words, (0.5, 1)) == 0
    assert is_dev[half].mean() == pytest.approx(0.2, abs=0.06)


def test_a_row_is_the_mean_over_contexts_and_its_replicates_resample_words():
    words = np.repeat(["a", "b", "c"], [1, 2, 5])
    values = np.array([np.arange(8.0), np.repeat([1.0, 2.0, 3.0], [1, 2, 5])])
    first, second = probe_controls.rows(values, words, (0, 3), draws=50, model="m")
    assert (first["layer"], second["layer"], second["model"]) == (0, 3, "m")
    assert first["value"] == 3.5 and second["value"] == pytest.approx(2.5)
    weights = stats.weights(np.array(["a", "b", "c"]), 50, 0)
    for drawn_weights, replicate in zip(weights, second["replicates"], strict=True):
        contexts = np.repeat([1.0, 2.0, 3.0], (drawn_weights * [1, 2, 5]).astype(int))
        assert replicate == pytest.approx(contexts.mean())


def test_a_row_without_layers_names_none():
    (row,) = probe_controls.rows(np.ones((1, 2)), ["a", "b"], [None], draws=2)
    assert "layer" not in row and row["value"] == 1
