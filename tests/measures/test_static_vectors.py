"""The first principal component of a word against numpy's SVD, its sign, invariances, refusals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.decomposition import PCA

from cwr.measures import static_vectors
from cwr.measures.static_vectors import first_principal_vector

shapes = st.tuples(st.integers(0, 10**6), st.integers(2, 12), st.integers(2, 12))


def occurrences(case):
    """Vectors (n, dim) around a mean, with one direction well ahead of the others."""
    seed, n, dim = case
    rng = np.random.default_rng(seed)
    ahead = np.outer(rng.normal(size=n) + 1, rng.normal(size=dim))
    return 5 * ahead + 0.1 * rng.normal(size=(n, dim))


def by_svd(vectors):
    left, _, right = np.linalg.svd(vectors, full_matrices=False)
    first = left[:, 0]
    return right[0] if first[np.argmax(abs(first))] > 0 else -right[0]


@given(shapes)
def test_the_component_is_that_of_numpys_svd_with_its_largest_left_entry_positive(case):
    vectors = occurrences(case)
    np.testing.assert_allclose(first_principal_vector(vectors), by_svd(vectors), atol=1e-6)
    centred = first_principal_vector(vectors, centered=True)  # its sign is free
    assert abs(centred @ PCA(1).fit(vectors).components_[0]) == pytest.approx(1, abs=1e-6)


@given(shapes)
def test_mirrored_occurrences_have_the_mirrored_component(case):
    vectors = occurrences(case)
    np.testing.assert_allclose(
        first_principal_vector(-vectors), -first_principal_vector(vectors), atol=1e-6
    )


@given(shapes)
def test_scale_and_order_change_nothing_and_a_rotation_turns_the_component(case):
    vectors = occurrences(case)
    component = first_principal_vector(vectors)
    rng = np.random.default_rng(case[0])
    rotation = np.linalg.qr(rng.normal(size=2 * vectors.shape[1:]))[0]
    same = 3 * rng.permutation(vectors)
    np.testing.assert_allclose(first_principal_vector(same), component, atol=1e-6)
    turned = first_principal_vector(vectors @ rotation)
    np.testing.assert_allclose(turned, component @ rotation, atol=1e-6)


def test_one_occurrence_gives_its_direction_and_a_narrow_cone_nearly_its_mean():
    np.testing.assert_allclose(first_principal_vector([[3.0, -4.0]]), [0.6, -0.8])
    cone = np.array(
        [[10.0, 1, 0], [10, -1, 0], [10, 2, 0.1], [10, -2, -0.1]]
    )  # they vary along y
    np.testing.assert_allclose(first_principal_vector(cone), [1, 0, 0], atol=1e-3)
    np.testing.assert_allclose(
        abs(first_principal_vector(cone, centered=True))[1], 1, atol=1e-2
    )


def test_a_shift_of_all_occurrences_moves_the_component_and_not_the_centred_one():
    vectors = occurrences((0, 6, 4))
    shifted = vectors + [0, 0, 0, 90]
    assert first_principal_vector(shifted)[3] > 0.9
    np.testing.assert_allclose(
        first_principal_vector(shifted, centered=True),
        first_principal_vector(vectors, centered=True),
        atol=1e-9,
    )


@pytest.mark.parametrize(
    ("vectors", "centered", "reason"),
    [
        (np.zeros((3, 2)), False, "word 0 have no direction"),
        ([[1.0, np.nan]], False, "word 0 have no direction"),
        ([[1.0, np.inf]], False, "word 0 have no direction"),
        (np.zeros((0, 2)), False, "word 0 have no direction"),
        (np.ones((3, 2)), True, "no variance: 3 of them, all equal"),
        (np.ones((1, 2)), True, "no variance: 1 of them"),
    ],
)
def test_what_has_no_component_is_refused(vectors, centered, reason):
    with pytest.raises(ValueError, match=reason):
        first_principal_vector(vectors, centered)


@pytest.mark.parametrize("summary", static_vectors.SUMMARIES)
def test_words_of_unequal_counts_get_each_their_own_summary_in_order_of_occurrence(
    summary,
):
    rng = np.random.default_rng(1)
    words = np.array(["the", "cat", "the", "a", "cat", "the", "a", "dog", "dog"])
    vectors = rng.normal(size=(len(words), 4)).astype(np.float32)
    table = static_vectors.of_words(vectors, words, summary)
    assert list(table) == ["the", "cat", "a", "dog"]
    for word, vector in table.items():
        rows = vectors[words == word].astype(float)
        expected = {
            "component": lambda rows: first_principal_vector(rows),
            "centred component": lambda rows: first_principal_vector(rows, centered=True),
            "mean": lambda rows: rows.mean(axis=0),
        }[summary](rows)
        np.testing.assert_allclose(vector, expected, atol=1e-9, err_msg=word)


def test_an_unknown_summary_is_refused():
    with pytest.raises(ValueError, match="summary 'median' is none of component, centred"):
        static_vectors.of_words(np.ones((1, 2)), ["a"], "median")


@pytest.mark.parametrize("pool", ["mean", "min", "max"])
def test_a_pool_is_taken_number_by_number_over_the_first_occurrences_of_a_word(pool):
    rng = np.random.default_rng(2)
    words = np.array(["a", "b", "a", "a", "b", "a"])
    vectors = rng.normal(size=(6, 3))
    table = static_vectors.aggregated(vectors, words, pool, cap=3)
    for word, rows in {"a": [0, 2, 3], "b": [1, 4]}.items():
        expected = getattr(np, pool)(vectors[rows], axis=0)
        np.testing.assert_allclose(table[word], expected, atol=1e-12)
    every = static_vectors.aggregated(vectors, words, pool)
    np.testing.assert_allclose(
        every["a"], getattr(np, pool)(vectors[words == "a"], axis=0)
    )
    with pytest.raises(ValueError, match="'median' is none of mean, min, max"):
        static_vectors.aggregated(vectors, words, "median")


@pytest.mark.parametrize("dims", [2, 4, 9])
def test_model2vec_is_its_formula_row_by_row(dims):
    rng = np.random.default_rng(4)
    vectors = rng.normal(size=(12, 4)) * [4, 3, 2, 1] + 5
    mean = sum(vectors) / 12
    axes = np.linalg.svd(vectors - mean)[2][:dims]
    total = sum(1 / rank for rank in range(2, 14))
    ours = static_vectors.model2vec(vectors, dims, sif=1e-3)
    for row, vector in enumerate(vectors):
        probability = 1 / (row + 2) / total
        expected = [axis @ (vector - mean) * 1e-3 / (1e-3 + probability) for axis in axes]
        np.testing.assert_allclose(abs(ours[row]), np.abs(expected), atol=1e-12)


def test_model2vec_leaves_the_axes_of_too_few_words_and_weighs_them():
    vectors = np.arange(6.0).reshape(2, 3)
    weights = 1e-4 / (1e-4 + np.array([3 / 5, 2 / 5]))  # 1/2 and 1/3, over their sum
    np.testing.assert_allclose(
        static_vectors.model2vec(vectors), vectors * weights[:, None]
    )
    with pytest.raises(ValueError, match="dims of at least 1 and sif above 0, got 0"):
        static_vectors.model2vec(vectors, dims=0)
    with pytest.raises(ValueError, match="got 256, 0"):
        static_vectors.model2vec(vectors, sif=0)


def test_the_first_cased_form_of_a_word_wins():
    table = {"May": [1.0, 0.0], "cat": [0.0, 1.0], "may": [5.0, 5.0], "MAY": [7.0, 7.0]}
    assert static_vectors.lower_cased(table) == {"may": [1.0, 0.0], "cat": [0.0, 1.0]}


def test_unit_length_keeps_directions_and_refuses_a_zero_vector():
    table = static_vectors.unit_length(
        {"a": np.array([3.0, 4.0]), "b": np.array([0.0, -2.0])}
    )
    assert {word: vector.tolist() for word, vector in table.items()} == {
        "a": [0.6, 0.8],
        "b": [0.0, -1.0],
    }
    with pytest.raises(ValueError, match="row 1 has no direction"):
        static_vectors.unit_length({"a": np.ones(2), "b": np.zeros(2)})
