"""I(W) against the naive loop of its equation, matrices with a known answer, invariances and refusals."""

import functools
import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr.measures import isotropy, partition

cases = st.tuples(
    st.integers(0, 10**6), st.integers(2, 30), st.integers(1, 6), st.floats(0.1, 3)
)


def matrix(case):
    """Rows with a mean and with variances that differ, so that the eigenvectors are unique."""
    seed, n, dim, scale = case
    rng = np.random.default_rng(seed)
    return scale * (
        rng.normal(size=(n, dim)) * np.arange(1, dim + 1) + rng.normal(size=dim)
    )


def naive(W, sign):
    """Equation 8, word by word and eigenvector by eigenvector."""

    def z(c):
        return sum(math.exp(sum(x * y for x, y in zip(c, w, strict=True))) for w in W)

    def toward_mean(v):
        along = sum(v @ w for w in W) / len(W)
        return v if along >= 0 else -v

    vectors = [toward_mean(v) for v in np.linalg.eigh(W.T @ W)[1].T]
    chosen = {
        "positive": vectors,
        "negative": [-v for v in vectors],
        "both": vectors + [-v for v in vectors],
    }[sign]
    values = [z(c) for c in chosen]
    return min(values) / max(values)


@given(cases)
def test_partition_isotropy_equals_the_loop_of_equation_8(case):
    W = matrix(case)
    for sign in isotropy.SIGNS:
        assert isotropy.partition_isotropy(W, sign) == pytest.approx(
            naive(W, sign), rel=1e-6
        ), sign


@given(cases)
def test_both_signs_give_the_smallest_value_and_all_lie_in_0_to_1(case):
    values = {
        sign: isotropy.partition_isotropy(matrix(case), sign) for sign in isotropy.SIGNS
    }
    assert 0 <= values["both"] <= min(values["positive"], values["negative"]) + 1e-12
    assert max(values.values()) <= 1


@given(cases)
def test_order_of_rows_and_rotation_do_not_matter_for_a_matrix_with_a_mean(case):
    W = matrix(case) + 1  # a mean along every eigenvector fixes all signs
    rotation = np.linalg.qr(np.random.default_rng(1).normal(size=(W.shape[1],) * 2))[0]
    for sign in isotropy.SIGNS:
        expected = isotropy.partition_isotropy(W, sign)
        assert isotropy.partition_isotropy(W[::-1] @ rotation, sign) == pytest.approx(
            expected, rel=1e-6
        )


@pytest.mark.parametrize("length", [0.5, 2.05, 30])
def test_copies_of_one_vector_give_exp_of_minus_its_length(length):
    W = np.tile([0, length, 0], (7, 1))
    assert isotropy.partition_isotropy(W, "positive") == pytest.approx(math.exp(-length))
    assert isotropy.partition_isotropy(W, "negative") == pytest.approx(math.exp(-length))
    assert isotropy.partition_isotropy(W, "both") == pytest.approx(math.exp(-2 * length))
    assert isotropy.partition_isotropy(isotropy.center(W)) == pytest.approx(1)


def test_a_symmetric_cross_is_isotropic_and_longer_rows_are_less_so():
    cross = np.concatenate([np.eye(4), -np.eye(4)])
    assert all(
        isotropy.partition_isotropy(cross, sign) == pytest.approx(1)
        for sign in isotropy.SIGNS
    )
    W = matrix((3, 50, 4, 0.5))
    assert isotropy.partition_isotropy(2 * W) < isotropy.partition_isotropy(W)


def test_the_sign_decides_where_a_few_rows_lie_far_below_the_mean():
    """1 % of the rows at -6 from the mean along it: against the mean their exponential outweighs the others."""
    x = np.repeat([-6, 6 / 99], [10, 990])
    W = np.stack([2 + x, np.tile([0.1, -0.1], 500)], axis=1)
    assert isotropy.partition_isotropy(W, "positive") == pytest.approx(
        naive(W, "positive")
    )
    assert isotropy.partition_isotropy(W, "negative") > 3 * isotropy.partition_isotropy(
        W, "positive"
    )


@given(cases)
def test_removing_the_mean_divides_z_by_exp_of_its_product(case):
    W, c = matrix(case), np.random.default_rng(0).normal(size=(3, case[2]))
    expected = isotropy.log_partition(isotropy.center(W), c) + c @ W.mean(axis=0)
    assert isotropy.log_partition(W, c) == pytest.approx(expected)


def test_blocks_of_rows_and_float32_give_the_same_value():
    W = (
        np.random.default_rng(0).normal(size=(3 * partition.BLOCK + 5, 6))
        * [1, 2, 3, 4, 5, 6]
        + 0.3
    ).astype("float32")
    W /= 6
    assert isotropy.partition_isotropy(W) == pytest.approx(
        naive(W.astype("float64"), "positive"), rel=1e-9
    )


def test_rows_as_long_as_hidden_states_do_not_overflow():
    assert isotropy.log_partition(
        [[3000.0, 0], [0, 0]], [[1, 0], [-1, 0]]
    ) == pytest.approx([3000, 0])
    assert isotropy.partition_isotropy([[3000.0, 0], [0, 1.0]]) == 0


def test_signs_without_a_mean_follow_the_largest_component():
    W = np.array([[3.0, 0], [-1, 0], [-2, 0], [0, 0.1], [0, -0.1], [0, 0]])
    assert isotropy.partition_isotropy(W) == pytest.approx(naive_along(W, [1, 0]))
    assert isotropy.partition_isotropy(-W) == pytest.approx(naive_along(W, [-1, 0]))


def naive_along(W, first):
    z = [np.exp(W @ first).sum(), np.exp(W @ [0, 1]).sum()]
    return min(z) / max(z)


@given(cases)
def test_centred_rows_sum_to_zero_and_keep_their_differences(case):
    W = matrix(case)
    moved = isotropy.center(W)
    assert abs(moved.sum(axis=0)).max() < 1e-9
    assert moved - moved[0] == pytest.approx(W - W[0])


@given(cases, st.data())
def test_all_but_the_top_equals_equations_9_to_11_one_component_at_a_time(case, data):
    W = matrix(case)
    d = data.draw(st.integers(0, W.shape[1]))
    centred = W - sum(W) / len(W)
    components = np.linalg.svd(centred)[2][:d]

    def removed(rows):  # their projections, from the centred rows
        pairs = zip(centred, rows, strict=True)
        return np.array(
            [c - sum(((u @ row) * u for u in components), 0 * c) for c, row in pairs]
        )

    if len(W) > W.shape[1]:  # else trailing components are not unique
        assert isotropy.all_but_the_top(W, d) == pytest.approx(removed(centred), abs=1e-6)
        assert isotropy.all_but_the_top(W, d, centered=False) == pytest.approx(
            removed(W), abs=1e-6
        )


def test_removing_all_components_leaves_nothing_and_removing_none_only_centres():
    W = matrix((5, 20, 4, 1))
    assert isotropy.all_but_the_top(W, 4) == pytest.approx(0, abs=1e-12)
    assert isotropy.all_but_the_top(W, 0) == pytest.approx(isotropy.center(W))


@given(cases)
def test_some_rows_under_a_treatment_of_the_whole_matrix_are_those_of_the_treated_matrix(
    case,
):
    W = matrix(case)
    for treat in (
        isotropy.center,
        isotropy.scaled_center,
        functools.partial(isotropy.all_but_the_top, d=1),
    ):
        assert treat(W, rows=[-1, 0]) == pytest.approx(treat(W)[[-1, 0]], abs=1e-12)
        assert treat(W, rows=[]).shape == (0, W.shape[1])


def test_undefined_input_is_refused():
    W = np.ones((3, 2))
    for measure in (
        isotropy.partition_isotropy,
        isotropy.center,
        isotropy.scaled_center,
        isotropy.isoscore,
        lambda m: isotropy.all_but_the_top(m, 1),
    ):
        with pytest.raises(ValueError, match="shape"):
            measure(np.ones(3))
        with pytest.raises(ValueError, match="shape"):
            measure(np.ones((0, 3)))
        with pytest.raises(ValueError, match="row 1"):
            measure([[1.0, 2], [np.nan, 1], [np.inf, 1]])
    with pytest.raises(ValueError, match="'up' is none of positive"):
        isotropy.partition_isotropy(W, "up")
    for d in (-1, 3):
        with pytest.raises(ValueError, match=f"{d} components of 2"):
            isotropy.all_but_the_top(W, d)


def test_inputs_are_not_modified():
    W = matrix((2, 9, 3, 1))
    before = W.copy()
    (
        isotropy.center(W),
        isotropy.scaled_center(W),
        isotropy.isoscore(W),
        isotropy.all_but_the_top(W, 1),
        [isotropy.partition_isotropy(W, s) for s in isotropy.SIGNS],
    )
    assert (W == before).all()


@given(cases)
def test_scaled_centring_subtracts_the_mean_direction_times_the_length_row_by_row(case):
    W = matrix(case)
    mean_direction = sum(w / math.sqrt(w @ w) for w in W) / len(W)
    expected = [w - math.sqrt(w @ w) * mean_direction for w in W]
    assert isotropy.scaled_center(W) == pytest.approx(np.array(expected))


@given(cases, st.integers(0, 10**6))
def test_after_scaled_centring_cosines_do_not_depend_on_the_lengths_of_rows(case, seed):
    W = matrix(case)
    lengths = np.random.default_rng(seed).uniform(0.1, 9, len(W))
    moved, of_longer = (
        isotropy.scaled_center(W),
        isotropy.scaled_center(W * lengths[:, None]),
    )
    assert of_longer == pytest.approx(moved * lengths[:, None])


def test_zero_rows_stay_and_are_left_out_of_the_mean_direction_with_a_warning():
    W = matrix((4, 9, 3, 1))
    with_zeros = np.insert(W, [0, 5], 0, axis=0)
    with pytest.warns(UserWarning, match="2 zero rows left out"):
        moved = isotropy.scaled_center(with_zeros)
    assert (moved[[0, 6]] == 0).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.delete(moved, [0, 6], axis=0) == pytest.approx(isotropy.scaled_center(W))
    with pytest.raises(ValueError, match="all 4 rows are zero"):
        isotropy.scaled_center(np.zeros((4, 3)))


def isoscore_in_five_steps(points):
    """Rudman et al. (2022), section 3: variances, scaled to length sqrt(d), defect, share, IsoScore."""
    d = points.shape[1]
    variances = np.linalg.eigvalsh(np.cov(points.T))
    scaled = math.sqrt(d) * variances / np.linalg.norm(variances)
    defect = np.linalg.norm(scaled - 1) / math.sqrt(2 * (d - math.sqrt(d)))
    share = (d - defect**2 * (d - math.sqrt(d))) ** 2 / d**2
    return (d * share - 1) / (d - 1)


with_dimensions = cases.filter(lambda case: case[2] > 1)


@given(with_dimensions)
def test_isoscore_equals_the_five_steps_of_its_paper(case):
    expected = isoscore_in_five_steps(matrix(case))
    assert isotropy.isoscore(matrix(case)) == pytest.approx(expected, abs=1e-9)


@given(with_dimensions, st.floats(0.01, 100), st.floats(-50, 50))
def test_isoscore_sees_neither_the_mean_nor_a_rotation_nor_the_unit_of_length(
    case, scale, shift
):
    W = matrix(case)
    rotation = np.linalg.qr(np.random.default_rng(1).normal(size=(W.shape[1],) * 2))[0]
    expected = isotropy.isoscore(W)
    assert isotropy.isoscore(W + shift) == pytest.approx(expected, abs=1e-9)
    assert isotropy.isoscore(scale * W @ rotation) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("used", [1, 2, 4, 5])
def test_isoscore_of_some_equal_dimensions_among_five_is_known(used):
    points = np.r_[np.eye(5), -np.eye(5)] * (np.arange(5) < used)
    assert isotropy.isoscore(points + 3) == pytest.approx((used - 1) / 4)


def test_isoscore_of_one_dimension_and_of_equal_rows_is_refused():
    with pytest.raises(ValueError, match="two at least, got 1"):
        isotropy.isoscore([[1.0], [2.0]])
    for rows in (np.full((5, 3), 0.1), np.zeros((5, 3))):
        with pytest.raises(ValueError, match="all rows are equal"):
            isotropy.isoscore(rows)
