"""Bins of a vocabulary and mean cosines with never-used rows, against loops over all pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr.measures import rare_words

counted = st.lists(st.integers(0, 4), min_size=1, max_size=30).map(np.array)


@pytest.fixture
def W():
    return np.random.default_rng(0).normal(size=(12, 5)) + 0.5


def naive(W, reference, rows):
    """The mean over all pairs, one cosine at a time."""
    cosines = []
    for first in reference:
        for second in rows:
            product = sum(a * b for a, b in zip(W[first], W[second], strict=True))
            cosines.append(product / np.linalg.norm(W[first]) / np.linalg.norm(W[second]))
    return sum(cosines) / len(cosines)


def test_the_product_of_two_means_is_the_mean_over_all_pairs_also_a_row_with_itself(W):
    bins = [np.array([0, 1, 2]), np.array([5]), np.array([9, 3, 7, 2])]
    reference = np.array([2, 4, 11])
    expected = [naive(W, reference, rows) for rows in bins]
    np.testing.assert_allclose(rare_words.mean_cosines(W, reference, bins), expected)


def test_mean_cosines_see_directions_only(W):
    bins = [np.arange(4), np.arange(4, 9)]
    scales = np.linspace(0.1, 50, len(W))[:, None]
    expected = rare_words.mean_cosines(W, np.array([9, 10]), bins)
    turned = np.linalg.qr(np.random.default_rng(1).normal(size=(5, 5)))[0]
    actual = rare_words.mean_cosines(scales * W @ turned, np.array([9, 10]), bins)
    np.testing.assert_allclose(actual, expected)


def test_rows_that_all_point_one_way_have_cosine_one_and_opposite_ones_minus_one():
    W = np.outer([1, 2, 3, -1, -5], [3.0, 4.0])
    cosines = rare_words.mean_cosines(
        W, np.array([0]), [np.array([1, 2]), np.array([3, 4])]
    )
    np.testing.assert_allclose(cosines, [1, -1])


def test_a_bin_by_index_ends_before_the_next_begins_and_the_last_one_is_shorter():
    bins = rare_words.index_bins(30522)
    assert len(bins) == 31 and len(bins[-1]) == 522
    assert (bins[0][0], bins[0][-1], bins[1][0]) == (0, 999, 1000)
    assert [len(rows) for rows in rare_words.index_bins(3000)] == [1000, 1000, 1000]


@given(counted, st.integers(1, 5))
def test_bins_by_frequency_hold_every_used_token_once_the_commonest_first(counts, bins):
    used = np.flatnonzero(counts)
    if len(used) < bins:
        with pytest.raises(ValueError, match="cannot be cut into"):
            rare_words.frequency_bins(counts, bins)
        return
    parts = rare_words.frequency_bins(counts, bins)
    sizes = [len(rows) for rows in parts]
    assert sorted(np.concatenate(parts)) == used.tolist() and max(sizes) - min(sizes) <= 1
    for commoner, rarer in zip(parts, parts[1:], strict=False):
        assert counts[commoner].min() >= counts[rarer].max()


def test_the_order_of_the_vocabulary_has_no_say_among_tokens_of_equal_frequency():
    """Half of 2,000 tokens that occur once come to each bin, wherever they stand."""
    common, rare = rare_words.frequency_bins(np.ones(2000, dtype=int), 2)
    assert 400 < (common < 1000).sum() < 600 and 400 < (rare < 1000).sum() < 600


def test_each_row_knows_its_bin_and_a_row_of_none_has_0():
    numbers = rare_words.numbers_of_bins([np.array([4, 1]), np.array([0])], 6)
    assert numbers.tolist() == [2, 1, 0, 0, 1, 0]


def test_the_nearest_rows_stand_in_order_and_the_reference_is_not_among_them(W):
    reference = np.array([3, 8])
    cosines = {row: naive(W, reference, [row]) for row in range(12) if row not in (3, 8)}
    expected = sorted(cosines, key=cosines.get, reverse=True)
    rows, values = rare_words.nearest(W, reference, 4)
    assert rows.tolist() == expected[:4]
    np.testing.assert_allclose(values, [cosines[row] for row in expected[:4]])
    assert len(rare_words.nearest(W, reference, 99)[0]) == 10


def test_what_has_no_mean_cosine_is_refused(W):
    some = np.array([0, 1])
    with pytest.raises(ValueError, match="a reference row and a row in each bin"):
        rare_words.mean_cosines(W, np.array([], dtype=int), [some])
    with pytest.raises(ValueError, match="a reference row and a row in each bin"):
        rare_words.mean_cosines(W, some, [some, np.array([], dtype=int)])
    with pytest.raises(ValueError, match="no direction"):
        rare_words.mean_cosines(W * (np.arange(12) != 1)[:, None], some, [some])
    with pytest.raises(ValueError, match="bins of 0"):
        rare_words.index_bins(10, 0)
