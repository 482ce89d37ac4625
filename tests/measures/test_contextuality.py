"""Each measure against the naive loop of its equation, known values, invariances and refusals."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cwr.measures import contextuality

rng = np.random.default_rng(0)
shapes = st.tuples(st.integers(2, 7), st.integers(1, 6))
matrices = shapes.flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.floats(-9, 9))
).filter(lambda v: np.linalg.norm(v, axis=1).min() > 1e-3)


def cosine(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True)) / (
        sum(x * x for x in a) ** 0.5 * sum(y * y for y in b) ** 0.5
    )


@given(matrices)
def test_self_similarity_equals_the_double_sum_of_equation_1(vectors):
    cosines = [cosine(a, b) for a, b in itertools.permutations(vectors, 2)]
    assert contextuality.self_similarity(vectors) == pytest.approx(
        np.mean(cosines), abs=1e-10
    )


@given(
    st.lists(
        matrices.filter(lambda v: v.shape[1] >= 3)
        .map(lambda v: v[:, :3])
        .filter(lambda v: np.linalg.norm(v, axis=1).min() > 1e-3),
        min_size=1,
        max_size=4,
    )
)
def test_sums_of_unit_vectors_are_enough_for_self_similarity(words):
    sums = np.array([contextuality.unit_rows(word).sum(axis=0) for word in words])
    expected = [contextuality.self_similarity(word) for word in words]
    assert contextuality.self_similarity_from_sums(
        sums, [len(w) for w in words]
    ) == pytest.approx(expected, abs=1e-9)
    raw = np.array([word.sum(axis=0) for word in words])
    assume(np.linalg.norm(raw, axis=1).min() > 1e-6)
    intra = [contextuality.intra_sentence_similarity(word) for word in words]
    found = contextuality.intra_sentence_similarity_from_sums(
        sums, raw, [len(w) for w in words]
    )
    assert found == pytest.approx(intra, abs=1e-9)
    with pytest.raises(ValueError, match="at least 2"):
        contextuality.self_similarity_from_sums(sums, [1] * len(words))


@given(matrices, st.data())
def test_weights_equal_a_loop_over_pairs_of_different_rows(vectors, data):
    weights = np.array(
        data.draw(
            st.lists(st.integers(0, 4), min_size=len(vectors), max_size=len(vectors))
        )
    )
    assume((weights > 0).sum() >= 2)
    pairs = [
        (weights[i] * weights[j], cosine(vectors[i], vectors[j]))
        for i, j in itertools.permutations(range(len(vectors)), 2)
    ]
    expected = sum(w * c for w, c in pairs) / sum(w for w, _ in pairs)
    assert contextuality.mean_pairwise_cosine(vectors, weights) == pytest.approx(
        expected, abs=1e-9
    )


@given(matrices)
def test_intra_sentence_similarity_equals_the_loop_of_equation_2(vectors):
    mean = [sum(column) / len(vectors) for column in vectors.T]
    assume(np.linalg.norm(mean) > 1e-6)
    expected = np.mean([cosine(row, mean) for row in vectors])
    assert contextuality.intra_sentence_similarity(vectors) == pytest.approx(
        expected, abs=1e-9
    )


@given(matrices)
def test_mev_by_definition_equals_squared_singular_values(vectors):
    s = np.linalg.svd(vectors, compute_uv=False)
    assert contextuality.maximum_explainable_variance(vectors) == pytest.approx(
        s[0] ** 2 / (s**2).sum(), abs=1e-9
    )


@pytest.mark.parametrize("n, dim", [(3, 8), (8, 3), (5, 5), (40, 6)])
def test_mev_pca_and_released_equal_scikit_learn(n, dim):
    from sklearn.decomposition import PCA, TruncatedSVD

    vectors = rng.normal(size=(n, dim)) + 2
    pca = PCA(1).fit(vectors).explained_variance_ratio_[0]
    svd = (
        TruncatedSVD(1, algorithm="arpack", random_state=0)
        .fit(vectors)
        .explained_variance_ratio_[0]
    )
    assert contextuality.maximum_explainable_variance(vectors, "pca") == pytest.approx(
        pca, abs=1e-9
    )
    assert contextuality.maximum_explainable_variance(
        vectors, "released"
    ) == pytest.approx(svd, abs=1e-9)


@pytest.mark.parametrize(
    "n, draws, definition, pca",
    [(6, 40, 0.83, 0.223), (20, 5, 0.81, 0.07), (1000, 1, 0.80, 0.005)],
)
def test_a_unit_cone_gives_the_values_of_the_notes(n, draws, definition, pca):
    """Six vectors are noise: the notes' 0.21 for PCA is one draw, and the mean of forty is 0.223 (sd of one 0.006)."""
    rng = np.random.default_rng(n)
    found = np.mean(
        [
            [
                contextuality.maximum_explainable_variance(unit_cone(rng, n), how)
                for how in contextuality.ESTIMATORS
            ]
            for _ in range(draws)
        ],
        axis=0,
    )
    named = dict(zip(contextuality.ESTIMATORS, found, strict=True))
    assert named["definition"] == pytest.approx(definition, abs=0.01)
    assert named["pca"] == pytest.approx(pca, abs=0.01 if n < 1000 else 0.001)
    assert named["released"] < 0.005


def unit_cone(rng, n):
    """n unit vectors with cosine 0.8 between them, in 768 dimensions."""
    noise = rng.normal(size=(n, 768))
    cone = np.eye(768)[0] * 2 + noise / np.linalg.norm(noise, axis=1)[:, None]
    return cone / np.linalg.norm(cone, axis=1)[:, None]


@given(matrices)
def test_mev_is_at_least_what_self_similarity_forces(vectors):
    units = contextuality.unit_rows(vectors)
    n = len(units)
    bound = 1 / n + (1 - 1 / n) * contextuality.self_similarity(units)
    assert contextuality.maximum_explainable_variance(units) >= bound - 1e-9


def test_identical_occurrences_have_self_similarity_one():
    same = np.tile(rng.normal(size=5), (4, 1))
    assert contextuality.self_similarity(same) == pytest.approx(1)
    assert contextuality.intra_sentence_similarity(same) == pytest.approx(1)
    assert contextuality.maximum_explainable_variance(same) == pytest.approx(1)


def test_known_values_by_hand():
    assert contextuality.mean_pairwise_cosine(np.eye(4)) == pytest.approx(0)
    assert contextuality.mean_pairwise_cosine([[1, 0], [-2, 0]]) == pytest.approx(-1)
    assert contextuality.intra_sentence_similarity(np.eye(4)) == pytest.approx(
        0.5
    )  # sqrt(1/4)
    assert contextuality.maximum_explainable_variance(
        np.diag([2.0, 1.0])
    ) == pytest.approx(0.8)


def test_the_null_is_reached_by_unit_vectors_of_that_mean_cosine():
    units = contextuality.unit_rows(rng.normal(size=(9, 50)) + 0.3)
    c = contextuality.mean_pairwise_cosine(units)
    assert contextuality.intra_sentence_null(9, c) == pytest.approx(
        contextuality.intra_sentence_similarity(units)
    )


@given(matrices, st.floats(0.1, 50))
def test_cosine_measures_ignore_scale_rotation_and_order(vectors, scale):
    rotation = np.linalg.qr(np.random.default_rng(1).normal(size=(vectors.shape[1],) * 2))[
        0
    ]
    moved = (scale * vectors @ rotation)[::-1]
    assert contextuality.self_similarity(moved) == pytest.approx(
        contextuality.self_similarity(vectors), abs=1e-9
    )
    row_scaled = vectors * np.arange(1, len(vectors) + 1)[:, None]
    assert contextuality.self_similarity(row_scaled) == pytest.approx(
        contextuality.self_similarity(vectors), abs=1e-9
    )


def test_released_self_similarity_takes_all_pairs_up_to_32_and_samples_beyond():
    few, many = rng.normal(size=(32, 6)) + 1, rng.normal(size=(200, 6)) + 1
    assert contextuality.self_similarity_released(few, 0) == round(
        contextuality.self_similarity(few), 3
    )
    draws = [contextuality.self_similarity_released(many, seed) for seed in range(50)]
    assert len(set(draws)) > 10
    assert np.mean(draws) == pytest.approx(contextuality.self_similarity(many), abs=0.005)


def test_released_baseline_is_biased_by_self_pairs_as_stated():
    vectors = rng.normal(size=(20, 40)) + 0.5
    b = contextuality.anisotropy_baseline(vectors)
    estimate = contextuality.anisotropy_baseline_released(vectors, 0, pairs=400_000)
    assert estimate == pytest.approx(b + (1 - b) / 20, abs=0.002)


@pytest.mark.parametrize(
    "vectors, message",
    [
        (np.ones((1, 3)), "at least 2"),
        ([[1, 0], [0, 0]], "row 1 has no direction"),
        ([[np.nan, 1], [1, 0]], "row 0"),
    ],
)
def test_undefined_cosines_are_refused(vectors, message):
    with pytest.raises(ValueError, match=message):
        contextuality.self_similarity(vectors)


def test_undefined_variances_are_refused():
    same = np.ones((4, 3))
    for estimator in ("pca", "released"):
        with pytest.raises(ValueError, match="0/0"):
            contextuality.maximum_explainable_variance(same, estimator)
    with pytest.raises(ValueError, match="none of"):
        contextuality.maximum_explainable_variance(same, "svd")
    with pytest.raises(ValueError, match="at least 2"):
        contextuality.maximum_explainable_variance(same[:1])
    with pytest.raises(ValueError, match="zero"):
        contextuality.maximum_explainable_variance(same * 0)
    with pytest.raises(ValueError, match="without words"):
        contextuality.intra_sentence_similarity(np.empty((0, 3)))
    with pytest.raises(ValueError, match="cannot have"):
        contextuality.intra_sentence_null(5, -0.9)
    with pytest.raises(ValueError, match="fewer than two"):
        contextuality.mean_pairwise_cosine(np.eye(3), [3, 0, 0])


def test_inputs_are_not_modified():
    vectors = rng.normal(size=(5, 4))
    before = vectors.copy()
    for estimator in contextuality.ESTIMATORS:
        contextuality.maximum_explainable_variance(vectors, estimator)
    (
        contextuality.self_similarity(vectors),
        contextuality.intra_sentence_similarity(vectors),
    )
    assert (vectors == before).all()
