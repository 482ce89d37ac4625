"""The structural probe's measures: the definitions as loops, known values, and what they refuse."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse.csgraph import minimum_spanning_tree as of_scipy
from scipy.stats import spearmanr

from cwr.measures import structural, trees
from cwr.measures.trees import ROOT

HEADS = [1, 2, ROOT, 4, 2, 2]  # the dog saw a cat .
KEEP = [True] * 5 + [False]


def symmetric(values: np.ndarray) -> np.ndarray:
    """A matrix of distances from any square one."""
    total = np.abs(values) + np.abs(np.swapaxes(values, -1, -2))
    return total * (1 - np.eye(values.shape[-1]))


def kruskal(distances: np.ndarray) -> set[tuple[int, int]]:
    """The minimum spanning tree edge by edge, the shortest first."""
    n = len(distances)
    group, edges = list(range(n)), set()
    for i, j in sorted(combinations(range(n), 2), key=lambda pair: distances[pair]):
        if group[i] != group[j]:
            edges.add((i, j))
            group = [group[i] if of == group[j] else of for of in group]
    return edges


def edges(joined: np.ndarray) -> set[tuple[int, int]]:
    return {tuple(sorted((i, int(j)))) for i, j in enumerate(joined) if j != ROOT}


SQUARE = st.integers(1, 7).flatmap(
    lambda n: arrays(np.float64, (n, n), elements=st.floats(0, 9, width=16))
)


# ---- spanning trees


@given(SQUARE)
def test_the_spanning_tree_is_as_short_as_kruskals(values):
    distances = symmetric(values)
    joined = edges(structural.minimum_spanning_tree(distances))
    assert len(joined) == len(distances) - 1
    total = sum(distances[pair] for pair in kruskal(distances))
    assert sum(distances[pair] for pair in joined) == pytest.approx(total, abs=1e-9)


def test_without_ties_it_is_kruskals():
    for seed in range(20):
        distances = symmetric(np.random.default_rng(seed).random((9, 9)))
        assert edges(structural.minimum_spanning_tree(distances)) == kruskal(distances)


def test_words_at_distance_nought_are_joined_and_scipys_sparse_tree_takes_them_for_apart():
    places = np.array([0.0, 0, 3, 3, 8])
    distances = np.abs(places[:, None] - places)
    joined = edges(structural.minimum_spanning_tree(distances))
    assert {(0, 1), (2, 3)} <= joined
    assert sum(distances[pair] for pair in joined) == 8 < of_scipy(distances).sum()


def test_many_matrices_at_once_are_those_one_by_one():
    distances = symmetric(np.random.default_rng(0).random((2, 3, 6, 6)))
    together = structural.minimum_spanning_tree(distances)
    for place in np.ndindex(2, 3):
        alone = structural.minimum_spanning_tree(distances[place])
        assert together[place].tolist() == alone.tolist()


@given(st.permutations(range(8)))
def test_the_order_of_the_words_does_not_matter(order):
    distances = symmetric(np.random.default_rng(1).random((8, 8)))
    moved = distances[np.ix_(order, order)]
    back = {
        tuple(sorted((order[i], order[j])))
        for i, j in edges(structural.minimum_spanning_tree(moved))
    }
    assert back == edges(structural.minimum_spanning_tree(distances))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_distance_that_is_no_number_is_refused(bad):
    distances = np.ones((3, 3))
    distances[0, 2] = bad
    with pytest.raises(ValueError, match="finite"):
        structural.minimum_spanning_tree(distances)


# ---- the map


def test_squared_distances_and_norms_are_those_of_the_naive_tensor():
    rng = np.random.default_rng(0)
    vectors, projection = rng.normal(size=(3, 7, 5)), rng.normal(size=(3, 4, 5))
    mapped = np.einsum("lkd,lnd->lnk", projection, vectors)
    naive = ((mapped[:, :, None] - mapped[:, None]) ** 2).sum(
        axis=-1
    )  # (l, n, n, k) before
    assert structural.squared_distances(vectors, projection) == pytest.approx(
        naive, abs=1e-10
    )
    assert structural.squared_norms(vectors, projection) == pytest.approx(
        (mapped**2).sum(axis=-1)
    )


def test_squared_distances_are_never_negative_and_nought_on_the_diagonal():
    vectors = np.full((4, 6), 1e4) + np.random.default_rng(0).normal(size=(4, 6)) * 1e-6
    distances = structural.squared_distances(
        vectors.astype(np.float32), np.eye(6, dtype="f4")
    )
    assert (distances >= 0).all() and (np.diagonal(distances) == 0).all()


# ---- UUAS


def test_gold_distances_have_all_edges_and_the_chain_some():
    gold = trees.tree_distances(HEADS)
    assert structural.uuas(gold, HEADS, KEEP) == (4, 4)
    words = np.arange(6)
    chain = np.abs(words[:, None] - words)
    assert structural.uuas(chain, HEADS, KEEP) == (3, 4)  # the-dog, dog-saw, a-cat


def test_punctuation_is_in_neither_tree():
    gold = trees.tree_distances(HEADS).astype(float)
    gold[5], gold[:, 5] = (
        0,
        0,
    )  # the full stop is nearest to all: the tree of all words is a star
    assert structural.uuas(gold, HEADS, KEEP) == (4, 4)
    common, total = structural.uuas(gold, HEADS, [True] * 6)
    assert total == 5 and common < 4


@given(st.permutations(range(36)))
def test_squared_and_plain_distances_have_the_same_edges(values):
    distances = symmetric(np.sqrt(values).reshape(6, 6))  # no two alike
    squared = structural.uuas(distances**2, HEADS, KEEP)
    assert structural.uuas(distances, HEADS, KEEP) == squared


def test_layers_are_scored_together():
    gold = trees.tree_distances(HEADS)
    words = np.arange(6)
    common, total = structural.uuas(
        np.stack([gold, np.abs(words[:, None] - words)]), HEADS, KEEP
    )
    assert common.tolist() == [4, 3] and total == 4


@pytest.mark.parametrize("keep", [[False] * 6, [False, False, True, False, False, False]])
def test_a_sentence_of_fewer_than_two_words_has_no_edge(keep):
    common, total = structural.uuas(trees.tree_distances(HEADS), HEADS, keep)
    assert (common, total) == (0, 0)


@pytest.mark.parametrize(
    "function", [structural.uuas, structural.finds_root], ids=["uuas", "finds_root"]
)
def test_other_numbers_of_words_are_refused(function):
    with pytest.raises(ValueError, match="6 heads, predictions of 5 words and 6"):
        function(np.zeros((5, 5)), HEADS, KEEP)
    with pytest.raises(ValueError, match="and 5 that are kept or not"):
        function(np.zeros((6, 6)), HEADS, KEEP[:5])


def test_what_is_no_tree_is_refused():
    for heads in ([1, 0], [ROOT, ROOT], [ROOT, 2]):
        with pytest.raises(ValueError, match="cycle|root|no word"):
            structural.uuas(np.zeros((2, 2)), heads, [True, True])


# ---- depths and correlations


def test_the_root_is_the_word_of_least_depth_among_those_that_are_kept():
    predicted = np.array([[5, 4, 1, 3, 2, 0.0], [0, 4, 1, 3, 2, 5]])
    assert structural.finds_root(predicted, HEADS, KEEP).tolist() == [True, False]
    assert (
        structural.finds_root(predicted, HEADS, [True, True, False, True, True, True])
        is None
    )


def test_correlations_are_scipys():
    rng = np.random.default_rng(0)
    distances, predicted = symmetric(rng.random((2, 6, 6))), rng.random((2, 6))
    gold, depths = trees.tree_distances(HEADS), trees.depths(HEADS)
    for layer in range(2):
        rows = structural.distance_correlations(distances, HEADS)[layer]
        naive = [spearmanr(distances[layer, i], gold[i]).statistic for i in range(6)]
        assert rows == pytest.approx(naive)
        naive = spearmanr(predicted[layer], depths).statistic
        assert structural.depth_correlation(predicted, HEADS)[layer] == pytest.approx(
            naive
        )


def test_a_constant_row_has_no_correlation():
    distances = trees.tree_distances(HEADS).astype(float)
    distances[3] = 1
    is_nan = np.isnan(structural.distance_correlations(distances, HEADS))
    assert is_nan.tolist() == [False, False, False, True, False, False]
    assert np.isnan(structural.depth_correlation(np.zeros(6), HEADS))
    assert np.isnan(structural.depth_correlation(np.zeros(1), [ROOT]))


def test_lengths_have_the_same_say_however_many_sentences_they_have():
    sums, counts = np.array([[9.0, 0.5, 0], [0, 0, 0]]), np.array([[10, 1, 0], [0, 0, 0]])
    means = structural.mean_over_lengths(sums, counts)
    assert means[0] == pytest.approx((0.9 + 0.5) / 2) and np.isnan(means[1])
