"""Rows of a file, written without mapping it, against the array that NumPy would make."""

import resource

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cwr.extraction.reducers import RowFile

ROWS, DIM = 7, 3
VALUES = arrays(np.float32, (ROWS, DIM), elements=st.floats(-1, 1, width=32))


@given(
    values=VALUES,
    order=st.permutations(range(ROWS)),
    cuts=st.sets(st.integers(0, ROWS), max_size=3),
)
def test_rows_written_in_any_order_and_in_any_batches_make_the_array(
    tmp_path_factory, values, order, cuts
):
    file = tmp_path_factory.mktemp("rows") / "a.npy"
    rows = RowFile(file, ROWS, DIM)
    for batch in np.split(np.array(order), sorted(cuts)):
        rows.write(batch, values[batch])
    rows.close()
    np.testing.assert_array_equal(np.load(file), values)


def test_a_row_that_nobody_writes_is_zero_and_other_types_are_converted(tmp_path):
    rows = RowFile(tmp_path / "a.npy", 4, 2)
    rows.write(np.array([2, 0, 1]), np.arange(6, dtype=">f8").reshape(3, 2)[:, ::-1])
    rows.close()
    np.testing.assert_array_equal(
        np.load(tmp_path / "a.npy"), np.float32([[3, 2], [5, 4], [1, 0], [0, 0]])
    )


def test_rows_that_do_not_fit_are_an_error_and_not_half_written(tmp_path):
    rows, size = RowFile(tmp_path / "a.npy", 1000, 8), resource.RLIMIT_FSIZE
    limits = resource.getrlimit(size)
    resource.setrlimit(size, (1000, limits[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            rows.write(np.arange(1000), np.ones((1000, 8)))
            rows.close()
    finally:
        resource.setrlimit(size, limits)


def test_a_file_without_rows_can_be_read(tmp_path):
    rows = RowFile(tmp_path / "a.npy", 0, 5)
    rows.write(np.empty(0, np.int64), np.empty((0, 5)))
    rows.close()
    assert np.load(tmp_path / "a.npy").shape == (0, 5)
