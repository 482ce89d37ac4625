"""Structural probes: the loss against the n x n x k tensor, its gradient against differences, and
that a planted map is recovered.
"""

import numpy as np
import pytest
import torch

from cwr.errors import UserError
from cwr.measures import structural as measures
from cwr.measures.trees import ROOT, depths, tree_distances
from cwr.texts.survey import structural
from cwr.texts.survey.structural import Settings

PLANTED_RANK, DIM = 4, 12


def naive_distance_loss(mapped, gold, lengths):
    """Hewitt and Manning (2019), section 2.2, with every difference of two mapped words."""
    total = 0
    for layer in mapped:
        for words, distances, n in zip(layer, gold, lengths.int(), strict=True):
            differences = words[:n, None] - words[None, :n]  # (n, n, k)
            error = (differences**2).sum(dim=-1) - distances[:n, :n]
            total = total + error.abs().sum() / n**2
    return total / len(lengths)


def naive_depth_loss(mapped, gold, lengths):
    total = 0
    for layer in mapped:
        for words, of_words, n in zip(layer, gold, lengths.int(), strict=True):
            total = total + ((words[:n] ** 2).sum(dim=-1) - of_words[:n]).abs().sum() / n
    return total / len(lengths)


def drawn(layers=2, n=5, dtype=torch.float64):
    """Mapped words of three sentences, with their distances and depths, and lengths."""
    generator = torch.Generator().manual_seed(0)
    mapped = torch.randn(layers, 3, n, 3, generator=generator, dtype=dtype)
    gold = torch.rand(3, n, n, generator=generator, dtype=dtype) * 6
    gold = gold + gold.transpose(1, 2)
    return (
        mapped.requires_grad_(),
        gold,
        gold[:, 0],
        torch.tensor([n, 3.0, 1.0], dtype=dtype),
    )


def test_both_losses_and_their_gradients_are_the_naive_ones():
    mapped, distances, of_words, lengths = drawn()
    for loss, naive, gold in (
        (structural.distance_loss, naive_distance_loss, distances),
        (structural.depth_loss, naive_depth_loss, of_words),
    ):
        value, expected = loss(mapped, gold, lengths), naive(mapped, gold, lengths)
        assert value.item() == pytest.approx(expected.item(), rel=1e-7)
        (gradient,) = torch.autograd.grad(value, mapped)
        (of_naive,) = torch.autograd.grad(expected, mapped)
        assert torch.allclose(gradient, of_naive, atol=1e-8)


def test_the_closed_gradient_is_that_of_differences():
    mapped, gold, _, lengths = drawn(layers=1, n=4)
    assert torch.autograd.gradcheck(
        lambda some: structural.distance_loss(some, gold, lengths),
        mapped,
        eps=1e-7,
        atol=1e-5,
    )


def test_words_beyond_a_sentence_count_for_nothing():
    mapped, gold, _, lengths = drawn()
    (gradient,) = torch.autograd.grad(
        structural.distance_loss(mapped, gold, lengths), mapped
    )
    assert (gradient[:, 1, 3:] == 0).all() and (gradient[:, 2] == 0).all()


# ---- training


def planted(sentences=60, layers=1, noise=0.0, seed=0):
    """Sentences whose words lie, after a linear map of PLANTED_RANK, as the words of their tree.

    Each edge of a tree is a step of length 1 along an axis of its own: squared distances are then
    numbers of edges. Trees have as many edges as the rank; the map is hidden by a random matrix.
    """
    rng = np.random.default_rng(seed)
    hidden = np.linalg.qr(rng.normal(size=(DIM, DIM)))[0] * 2
    vectors, heads = [], []
    for _ in range(sentences):
        n = PLANTED_RANK + 1
        tree = [ROOT, *(int(rng.integers(word)) for word in range(1, n))]
        places = np.zeros((n, DIM))
        axes = rng.permutation(PLANTED_RANK)
        for word in range(1, n):
            places[word] = places[tree[word]]
            places[word, axes[word - 1]] += 1
        places[:, PLANTED_RANK:] = rng.normal(size=(n, DIM - PLANTED_RANK))
        vectors.append(np.tile((places @ hidden).astype(np.float32), (layers, 1, 1)))
        heads.append(tree)
    return vectors, heads


def share_of_edges(projections, vectors, heads):
    common = total = 0
    for of_sentence, tree in zip(vectors, heads, strict=True):
        distances = measures.squared_distances(of_sentence, projections)
        of_layers, edges = measures.uuas(distances, tree, [True] * len(tree))
        common, total = common + of_layers, total + edges
    return common / total


LONG = Settings(rank=PLANTED_RANK, epochs=60, batch=10, rate=3e-2)


def test_a_planted_tree_is_recovered_at_its_rank_and_not_below():
    vectors, heads = planted()
    others = planted(seed=0, sentences=120)  # the same map, further sentences
    test = others[0][60:], others[1][60:]
    gold = [tree_distances(tree) for tree in heads]
    at_rank = structural.train(vectors, gold, LONG)
    below = structural.train(
        vectors, gold, Settings(rank=2, epochs=60, batch=10, rate=3e-2)
    )
    assert share_of_edges(at_rank, *test)[0] > 0.99
    assert share_of_edges(below, *test)[0] < 0.9


def test_planted_depths_are_recovered():
    vectors, heads = planted()
    projections = structural.train(vectors, [depths(tree) for tree in heads], LONG)
    errors = [
        np.abs(measures.squared_norms(of_sentence, projections)[0] - depths(tree)).mean()
        for of_sentence, tree in zip(vectors, heads, strict=True)
    ]
    assert np.mean(errors) < 0.1


def test_layers_learn_together_what_they_learn_alone():
    vectors, heads = planted(layers=3)
    rng = np.random.default_rng(1)
    vectors = [
        array + rng.normal(size=array.shape).astype(np.float32) for array in vectors
    ]
    gold = [tree_distances(tree) for tree in heads]
    settings = Settings(rank=3, epochs=2, batch=7)
    together = structural.train(vectors, gold, settings)
    for layer in range(3):
        alone = structural.train([array[[layer]] for array in vectors], gold, settings)
        assert together[layer] == pytest.approx(alone[0], abs=1e-4)  # float32 products


def test_a_scale_of_a_dimension_changes_nothing():
    vectors, heads = planted()
    gold = [tree_distances(tree) for tree in heads]
    factors = np.linspace(0.1, 30, DIM).astype(np.float32)
    settings = Settings(rank=3, epochs=2)
    plain = structural.train(vectors, gold, settings)
    scaled = structural.train([array * factors for array in vectors], gold, settings)
    assert scaled * factors == pytest.approx(plain, rel=1e-2, abs=1e-3)


def test_a_seed_gives_the_same_map_and_another_seed_another():
    vectors, heads = planted(sentences=9)
    gold = [tree_distances(tree) for tree in heads]
    maps = [
        structural.train(vectors, gold, Settings(3, 1, seed=seed)) for seed in (0, 0, 1)
    ]
    assert np.array_equal(maps[0], maps[1]) and not np.allclose(maps[0], maps[2])


@pytest.mark.parametrize(
    "changed, sentence",
    [
        (
            {"rank": DIM + 1},
            "vectors of 12 dimensions have no map of rank 13",
        ),
        ({"rank": 0}, "at least 1 sentence, 1 epoch"),
        ({"epochs": 0}, "at least 1 sentence, 1 epoch"),
        ({"batch": 0}, "at least 1 sentence, 1 epoch"),
    ],
)
def test_settings_that_cannot_be_are_refused(changed, sentence):
    vectors, heads = planted(sentences=2)
    with pytest.raises(UserError, match=sentence):
        structural.train(
            vectors, [depths(tree) for tree in heads], Settings(**{"rank": 2, **changed})
        )


def test_vectors_that_do_not_fit_are_refused():
    vectors, heads = planted(sentences=2)
    gold = [depths(tree) for tree in heads]
    with pytest.raises(UserError, match="1 sentences with vectors, 2 with a tree"):
        structural.train(vectors[:1], gold, LONG)
    with pytest.raises(
        UserError, match="sentence 1 has 3 words in its tree and vectors of the"
    ):
        structural.train(vectors, [gold[0], gold[1][:3]], LONG)
    vectors[1][0, 2, 3] = np.nan
    with pytest.raises(
        UserError, match="the vectors of sentence 1 hold what is no finite number"
    ):
        structural.train(vectors, gold, LONG)
    with pytest.raises(UserError, match="got 0 sentences"):
        structural.train([], [], LONG)
