"""Table 1 from one Gram matrix against the long way: `numpy.linalg.eig`, loops, one matrix at a time."""

import itertools
import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr.measures import geometry, isotropy
from cwr.measures.partition import SIGNS, Partition

cases = st.tuples(st.integers(0, 10**6), st.integers(2, 6), st.floats(0.1, 0.6))


def matrix(case, rows=40):
    """Skewed rows with a mean along each axis and variances that differ, so that signs are decided."""
    seed, dim, scale = case
    rng = np.random.default_rng(seed)
    return scale * (
        rng.exponential(size=(rows, dim)) * np.arange(1, dim + 1) + rng.uniform(0, 1)
    )


def long_way(W, mean):
    """I of W by numpy.linalg.eig and a loop, each eigenvector turned towards a mean: sign -> I."""
    towards = [v if v @ mean >= 0 else -v for v in np.linalg.eig(W.T @ W)[1].T]
    z = [sum(math.exp(v @ w) for w in W) for v in towards]
    against = [sum(math.exp(-v @ w) for w in W) for v in towards]
    values = {"positive": z, "negative": against, "both": z + against}
    return {sign: min(values[sign]) / max(values[sign]) for sign in SIGNS}


@given(cases)
def test_all_three_matrices_in_all_three_signs_equal_the_long_way(case):
    W = matrix(case)
    table, mean = geometry.of_matrix(W), W.mean(axis=0)
    of_w, of_centred = long_way(W, mean), long_way(isotropy.center(W), mean)
    for sign in SIGNS:
        assert table.raw.isotropy(sign) == pytest.approx(of_w[sign], rel=1e-7)
        assert table.centred.isotropy(sign) == pytest.approx(of_centred[sign], rel=1e-7)


@given(cases)
def test_removed_components_are_free_for_every_number_of_them(case):
    """I(W_r) = v / max Z, against components taken off the rows, and then equation 8."""
    W = matrix(case)
    table = geometry.of_matrix(W)
    for d in range(W.shape[1] + 1):
        removed = isotropy.all_but_the_top(W, d)
        expected = isotropy.partition_isotropy(removed, "both")
        assert table.removed(d).isotropy("both") == pytest.approx(expected, rel=1e-7), d
        largest = table.removed(d).positive.max()
        at_least_one = len(W) / math.exp(largest)
        assert d == 0 or table.removed(d).isotropy() == pytest.approx(at_least_one)


@given(cases)
def test_norms_and_cosines_equal_loops_over_rows_and_pairs(case):
    W = matrix(case, rows=9)
    table, centred = geometry.of_matrix(W), isotropy.center(W)
    for rows, norm, cosine in (
        (W, table.norm, table.mean_cosine),
        (centred, table.norm_centred, table.mean_cosine_centred),
    ):
        pairs = itertools.combinations(rows, 2)
        cosines = [a @ b / math.sqrt((a @ a) * (b @ b)) for a, b in pairs]
        assert cosine == pytest.approx(np.mean(cosines))
        assert norm == pytest.approx(np.mean([math.sqrt(w @ w) for w in rows]))
    top = np.linalg.svd(W)[2][0]
    assert table.top_cosine == pytest.approx(abs(top @ W.mean(axis=0)) / table.mean_norm)
    assert table.isoscore == pytest.approx(isotropy.isoscore(W))


@given(cases)
def test_a_gaussian_of_the_same_mean_and_covariance_has_the_z_of_two_moments(case):
    W = matrix(case)
    table = geometry.of_matrix(W)
    mean, covariance = W.mean(axis=0), np.cov(W.T, ddof=0)
    for gram, gaussian, by_mean in (
        (W.T @ W, table.gaussian(), 1),
        (covariance, table.gaussian_centred(), 0),
    ):
        vectors = np.linalg.eigh(gram)[1].T[::-1]
        expected = [
            math.log(len(W)) + by_mean * abs(v @ mean) + v @ covariance @ v / 2
            for v in vectors
        ]
        assert gaussian.positive == pytest.approx(expected)
        assert gaussian.positive - gaussian.negative == pytest.approx(
            [2 * by_mean * abs(v @ mean) for v in vectors], abs=1e-9
        )


def test_many_gaussian_rows_have_the_isotropy_that_their_two_moments_predict():
    rng = np.random.default_rng(0)
    W = rng.normal(size=(200_000, 3)) * [0.9, 0.5, 0.2] + [1, 0.3, 0.1]
    table = geometry.of_matrix(W)
    for sign in SIGNS:
        assert table.raw.isotropy(sign) == pytest.approx(
            table.gaussian().isotropy(sign), rel=0.02
        )
    W[:2000] = [-8, 0, 0]
    skewed = geometry.of_matrix(W)
    assert skewed.raw.isotropy("negative") < 0.5 * skewed.gaussian().isotropy("negative")


logs = st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3)), min_size=1, max_size=8)


@given(logs)
def test_attainable_isotropy_is_the_range_over_all_choices_of_signs(pairs):
    values = []
    for choice in itertools.product(*pairs):
        values.append(math.exp(min(choice) - max(choice)))
    lowest, highest = Partition(*np.array(pairs).T).attainable()
    assert lowest == pytest.approx(min(values))
    assert highest == pytest.approx(max(values))


@given(cases)
def test_the_three_signs_lie_where_they_must(case):
    table = geometry.of_matrix(matrix(case))
    for z in (table.raw, table.centred, table.removed(1)):
        lowest, highest = z.attainable()
        for sign in ("positive", "negative"):
            assert lowest - 1e-12 <= z.isotropy(sign) <= highest + 1e-12
        assert z.isotropy("both") <= lowest + 1e-12


def test_zero_rows_are_counted_and_in_no_cosine():
    W = matrix((3, 4, 0.5))
    with_zeros = np.r_[W, np.zeros((2, 4))]
    table = geometry.of_matrix(with_zeros)
    assert (table.rows, table.zero_rows) == (len(W) + 2, 2)
    assert table.mean_cosine == pytest.approx(geometry.of_matrix(W).mean_cosine)
    assert "2 zero rows have no direction" in table.remarks()[0]


def test_equal_eigenvalues_are_told_and_eigenvalues_of_nothing_are_not():
    cross = np.r_[np.eye(3), -np.eye(3)] * [3, 1, 1]
    assert [text.split(" are ")[0] for text in geometry.of_matrix(cross).remarks()] == [
        "1 neighbouring eigenvalues of W'W",
        "1 neighbouring eigenvalues of W_c'W_c",
    ]
    flat = np.zeros((40, 5))
    flat[:, :2] = matrix((0, 2, 0.5))
    assert geometry.of_matrix(flat).remarks() == []
    assert (
        geometry.equal_eigenvalues(np.array([1, 1 - 0.9e-8, 0.5, 0.5 * (1 - 1.1e-8)])) == 1
    )
    assert geometry.equal_eigenvalues(np.zeros(3)) == 0


def test_input_without_a_geometry_is_refused_in_a_sentence():
    W = matrix((1, 4, 0.5))
    with pytest.raises(ValueError, match="4 rows of 40 dimensions do not fill them"):
        geometry.of_matrix(W.T)
    with pytest.raises(ValueError, match="4 rows of 4 dimensions do not fill them"):
        geometry.of_matrix(W[:4])
    with pytest.raises(ValueError, match="row 7 of the matrix holds NaN"):
        geometry.of_matrix(np.where(np.arange(40)[:, None] == 7, np.nan, W))
    with pytest.raises(ValueError, match="two at least"):
        geometry.of_matrix(W[:, :1])
    with pytest.raises(ValueError, match="all rows are equal"):
        geometry.of_matrix(np.ones((9, 3)))
    for d in (-1, 5):
        with pytest.raises(ValueError, match=f"{d} components of 4 dimensions"):
            geometry.of_matrix(W).removed(d)


def test_memory_beside_the_matrix_is_that_of_blocks_and_the_matrix_is_not_touched():
    W = np.random.default_rng(0).normal(size=(40_000, 64)).astype("float32")
    before = W.copy()
    tracemalloc.start()
    geometry.of_matrix(W)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < W.nbytes, "less than half of one copy in float64"
    assert (W == before).all()
