"""I(W) against the naive loop of its equation, matrices with a known answer, invariances and refusals."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr.measures import isotropy

cases = st.tuples(st.integers(0, 10**6), st.integers(2, 30), st.integers(1, 6), st.floats(0.1, 3))


def matrix(case):
    """Rows with a mean and with variances that differ, so that the eigenvectors are unique."""
    seed, n, dim, scale = case
    rng = np.random.default_rng(seed)
    return scale * (rng.normal(size=(n, dim)) * np.arange(1, dim + 1) + rng.normal(size=dim))


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
        assert isotropy.partition_isotropy(W, sign) == pytest.approx(naive(W, sign), rel=1e-6), sign


@given(cases)
def test_both_signs_give_the_smallest_value_and_all_lie_in_0_to_1(case):
    values = {sign: isotropy.partition_isotropy(matrix(case), sign) for sign in isotropy.SIGNS}
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
        isotropy.partition_isotropy(cross, sign) == pytest.approx(1) for sign in isotropy.SIGNS
    )
    W = matrix((3, 50, 4, 0.5))
    assert isotropy.partition_isotropy(2 * W) < isotropy.partition_isotropy(W)


def test_the_sign_decides_where_a_few_rows_lie_far_below_the_mean():
    """1 % of the rows at -6 from the mean along it: against the mean their exponential outweighs the others."""
    x = np.repeat([-6, 6 / 99], [10, 990])
    W = np.stack([2 + x, np.tile([0.1, -0.1], 500)], axis=1)
    assert isotropy.partition_isotropy(W, "positive") == pytest.approx(naive(W, "positive"))
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
        np.random.default_rng(0).normal(size=(3 * isotropy.BLOCK + 5, 6)) * [1, 2, 3, 4, 5, 6] + 0.3
    ).astype("float32")
    W /= 6
    assert isotropy.partition_isotropy(W) == pytest.approx(
        naive(W.astype("float64"), "positive"), rel=1e-9
    )


def test_rows_as_long_as_hidden_states_do_not_overflow():
    assert isotropy.log_partition([[3000.0, 0], [0, 0]], [[1, 0], [-1, 0]]) == pytest.approx(
        [3000, 0]
    )
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
        return np.array([c - sum(((u @ row) * u for u in components), 0 * c) for c, row in pairs])

    if len(W) > W.shape[1]:  # else trailing components are not unique
        assert isotropy.all_but_the_top(W, d) == pytest.approx(removed(centred), abs=1e-6)
        assert isotropy.all_but_the_top(W, d, centered=False) == pytest.approx(removed(W), abs=1e-6)


def test_removing_all_components_leaves_nothing_and_removing_none_only_centres():
    W = matrix((5, 20, 4, 1))
    assert isotropy.all_but_the_top(W, 4) == pytest.approx(0, abs=1e-12)
    assert isotropy.all_but_the_top(W, 0) == pytest.approx(isotropy.center(W))


def test_undefined_input_is_refused():
    W = np.ones((3, 2))
    for measure in (
        isotropy.partition_isotropy,
        isotropy.center,
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
        isotropy.all_but_the_top(W, 1),
        [isotropy.partition_isotropy(W, s) for s in isotropy.SIGNS],
    )
    assert (W == before).all()
