"""Columns that several results share, against the arrays that they stand for."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cwr.report.columns import Columns, side_by_side

seeds = st.integers(0, 10**6)


def two_parts(seed):
    """An array with NaN, and two parts of it: as columns, and as copies."""
    rng = np.random.default_rng(seed)
    source = rng.normal(size=(5, 12)).astype(np.float32)
    source[rng.random(source.shape) < 0.2] = np.nan
    keeps = rng.random((2, 12)) < 0.6
    columns = [Columns(source).where(keep) for keep in keeps]
    return columns, [source[:, keep] for keep in keeps], rng


@given(seeds)
def test_a_part_of_a_part_is_the_same_as_of_an_array(seed):
    (part, _), (array, _), rng = two_parts(seed)
    keep = rng.random(array.shape[1]) < 0.5
    np.testing.assert_array_equal(part.array, array)
    np.testing.assert_array_equal(part.where(keep).array, array[:, keep])
    np.testing.assert_array_equal(part.first(3)[:, keep], array[:3][:, keep])
    np.testing.assert_array_equal(part[1:4, keep], array[1:4, keep])


@given(seeds)
def test_parts_side_by_side_are_the_same_as_arrays(seed):
    parts, arrays, _ = two_parts(seed)
    joined = side_by_side(parts)
    assert joined.source is parts[0].source  # nothing was copied
    np.testing.assert_array_equal(joined.array, np.concatenate(arrays, axis=1))


@given(seeds)
def test_a_shorter_part_of_another_source_gets_nan_below(seed):
    (part, _), (array, shorter), _ = two_parts(seed)
    joined = side_by_side([part, Columns(shorter[:2])]).array
    below = np.full((3, shorter.shape[1]), np.nan, np.float32)
    expected = np.concatenate([array, np.concatenate([shorter[:2], below])], axis=1)
    np.testing.assert_array_equal(joined, expected)


def test_a_part_shares_the_memory_of_the_whole():
    source = np.zeros((4, 6), np.float32)
    part = Columns(source).where(np.arange(6) > 2)
    source[:, 5] = 1
    assert part.array[:, -1].all() and not part.array[:, 0].any()
