"""A matrix with the six numbers that Table 1 of Biś et al. (2021) prints for GPT-2 (24 layers)."""

import numpy as np
import pytest

from cwr.errors import UserError
from cwr.papers import printed
from cwr.tables import only_value, where
from cwr.texts.bis2021 import built_matrices
from cwr.texts.bis2021.claims import checks_tables, readings

ROW = where(printed.load("bis2021"), model="GPT-2-medium")


def test_a_matrix_with_the_six_cells_of_gpt2_medium_exists():
    columns = built_matrices.columns_of_table_1(built_matrices.skewed_matrix(), 11)
    cells = {
        "mean norm": readings.NORM,
        "norm of mean": readings.MEAN,
        "ratio": readings.RATIO,
        "I(W), negative": readings.I_RAW,
        "I(W_c)": readings.I_CENTRED,
        "I(W_r)": readings.I_REMOVED,
    }
    for name, measure in cells.items():
        half = 0.0005 if measure == readings.I_REMOVED else 0.005
        assert columns[name] == pytest.approx(only_value(ROW, measure), abs=half), name


def test_the_other_sign_lies_below_the_bound_that_the_row_leaves():
    columns = built_matrices.columns_of_table_1(built_matrices.skewed_matrix(), 11)
    assert (
        columns["I(W), positive"]
        < checks_tables.isotropy_bound(2.035, 0.945, 0.9805)
        < 0.52
    )
    assert columns["I(W), both"] < columns["I(W), positive"] < columns["I(W), negative"]


def test_another_seed_gives_another_matrix_of_the_same_shape_and_kind():
    first, other = (built_matrices.skewed_matrix(500, 32, seed) for seed in (0, 1))
    assert first.shape == other.shape == (500, 32) and not np.allclose(first, other)
    assert first[:, 0] == pytest.approx(other[:, 0])  # the course along the mean is given
    assert np.linalg.norm(first.mean(axis=0)) == pytest.approx(2.04)


@pytest.mark.parametrize("rows, dim", [(2000, 11), (62, 20), (100, 100)])
def test_too_few_rows_or_dimensions_are_refused(rows, dim):
    with pytest.raises(UserError, match=f"{rows} rows in {dim} dimensions"):
        built_matrices.skewed_matrix(rows, dim)
