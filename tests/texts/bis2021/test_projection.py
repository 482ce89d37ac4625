"""Views of a matrix against a singular value decomposition of the whole, signs, R² and refusals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression

from cwr.measures import isotropy
from cwr.texts.bis2021 import projection

cases = st.tuples(
    st.integers(0, 10**6), st.integers(5, 30), st.integers(2, 6), st.floats(0, 3)
)


def matrix(case):
    """Rows with a mean of this length and with variances that differ."""
    seed, n, dim, length = case
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, dim)) * np.arange(1, dim + 1) + length * rng.normal(
        size=dim
    )


@given(cases)
def test_a_view_is_the_singular_value_decomposition_of_the_matrix_up_to_signs(case):
    W = matrix(case)
    for view, rows in zip(projection.views(W), (W, isotropy.center(W)), strict=True):
        left, values, _ = np.linalg.svd(rows)
        expected = left[:, :2] * values[:2]  # (v, 2)
        size = min(rows.shape)
        assert view.singular_values[:size] == pytest.approx(values, abs=1e-6)
        assert view.singular_values.shape == rows.shape[1:]
        assert view.directions @ view.directions.T == pytest.approx(np.eye(2), abs=1e-9)
        assert rows @ view.directions.T == pytest.approx(view.scores, abs=1e-6)
        products = abs(np.sum(view.scores * expected, axis=0))
        if values[1] - values[2:3].sum() > 1e-3 < values[0] - values[1]:  # unique vectors
            assert products == pytest.approx(values[:2] ** 2, rel=1e-6)


@given(cases)
def test_signs_do_not_depend_on_the_order_of_the_rows(case):
    W = matrix(case)
    for view, again in zip(projection.views(W), projection.views(W[::-1]), strict=True):
        assert again.scores[::-1] == pytest.approx(view.scores, abs=1e-6)


def test_scores_of_the_first_vector_sum_up_and_largest_components_are_positive():
    W = np.array([[-9.0, 1, 0], [-9, -1, 0], [-8, 0, 0.5], [-8, 0.1, -0.5]])
    raw, centred = projection.views(W)
    assert (
        raw.scores[:, 0].sum() > 0 > W[:, 0].sum()
    )  # though its largest component is negative
    assert raw.scores[0, 1] > 0 > raw.scores[1, 1]  # the second vector is about (0, 1, 0)
    assert centred.scores == pytest.approx(isotropy.center(W)[:, [1, 0]], abs=0.1)
    assert centred.scores.sum(axis=0) == pytest.approx(0, abs=1e-12)


def test_a_shift_moves_the_first_view_only():
    W = matrix((0, 30, 5, 0))
    (raw, centred), (shifted, same) = projection.views(W), projection.views(W + 100)
    assert same.scores == pytest.approx(centred.scores, abs=1e-6)
    assert same.singular_values == pytest.approx(centred.singular_values, abs=1e-6)
    assert shifted.decay[1] < 0.1 < raw.decay[1] and shifted.decay[0] == 1


def test_rows_in_single_precision_have_the_same_view():
    W = matrix((1, 30, 5, 2)).astype(np.float32)
    for view, exact in zip(
        projection.views(W), projection.views(W.astype(float)), strict=True
    ):
        assert view.scores == pytest.approx(exact.scores, abs=1e-5)


def test_r_squared_is_the_score_of_a_linear_regression():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(50, 2)) + 3
    target = scores @ [2, -1] + rng.normal(size=50) + 7
    expected = LinearRegression().fit(scores, target).score(scores, target)
    assert projection.r_squared(scores, target) == pytest.approx(expected)
    assert 0.5 < expected < 0.95


def test_a_plane_explains_all_of_itself_and_nothing_of_what_is_orthogonal():
    scores = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]])
    assert projection.r_squared(scores, scores @ [3, -2] + 5) == pytest.approx(1)
    assert projection.r_squared(scores, [1, -1, -1, 1]) == pytest.approx(0)


@pytest.mark.parametrize("shape", [(1, 4), (4, 1)])
def test_a_matrix_without_two_rows_and_columns_is_refused(shape):
    with pytest.raises(ValueError, match="two rows and columns"):
        projection.views(np.ones(shape))


def test_equal_rows_and_nan_are_refused():
    with pytest.raises(ValueError, match="all equal"):
        projection.views(np.full((5, 3), 0.1))
    with pytest.raises(ValueError, match="row 1 .* NaN"):
        projection.views(np.array([[1.0, 2], [np.nan, 1], [3, 4]]))


def test_a_target_that_does_not_vary_and_three_points_are_refused():
    scores = np.random.default_rng(0).normal(size=(4, 2))
    for points, target in ((scores, np.ones(4)), (scores[:3], np.arange(3))):
        with pytest.raises(ValueError, match="four points and a target that varies"):
            projection.r_squared(points, target)
