"""Cosines of attention: equal to the loop over pieces, blind to padding, strict about input."""

import itertools

import numpy as np
import pytest

from cwr.texts.zhao2020.attention import (
    head_cosines,
    narrowest_bands,
    other_heads,
    same_head,
)

LENGTHS = (5, 3, 1)
EXAMPLES, HEADS, LONGEST = len(LENGTHS), 4, max(LENGTHS)


def attention(seed: int, heads: int = HEADS) -> np.ndarray:
    """Probabilities of random scores; what padding attends to is NaN, nobody attends to padding."""
    scores = np.random.default_rng(seed).normal(size=(EXAMPLES, heads, LONGEST, LONGEST))
    weights = np.exp(2 * scores)
    for example, length in enumerate(LENGTHS):
        weights[example, :, :, length:] = 0
    weights /= weights.sum(axis=-1, keepdims=True)
    for example, length in enumerate(LENGTHS):
        weights[example, :, length:] = np.nan
    return weights


@pytest.fixture
def counted():
    return np.arange(LONGEST) < np.array(LENGTHS)[:, None]


def naive(first, second, counted) -> np.ndarray:
    """Straight from the caption of Figure 7: flatten what is counted, take the cosine."""
    cosines = np.zeros((len(first), first.shape[1], second.shape[1]))
    for example, h, g in np.ndindex(cosines.shape):
        pieces = np.flatnonzero(counted[example])
        product = length = other = 0.0
        for i, j in itertools.product(pieces, pieces):
            a, b = first[example, h, i, j], second[example, g, i, j]
            product, length, other = product + a * b, length + a * a, other + b * b
        cosines[example, h, g] = product / np.sqrt(length * other)
    return cosines


def test_the_cosines_are_those_of_the_loop_over_examples_heads_and_pieces(counted):
    first, second = attention(0), attention(1, heads=3)
    expected = naive(first, second, counted)
    assert head_cosines(first, second, counted) == pytest.approx(expected, abs=1e-12)
    counted[0, [0, 2]] = False  # special tokens
    expected = naive(first, second, counted)
    assert head_cosines(first, second, counted) == pytest.approx(expected, abs=1e-12)


def test_a_model_agrees_with_itself_and_a_single_piece_always_does(counted):
    first, second = attention(0), attention(1)
    assert same_head(head_cosines(first, first, counted)) == pytest.approx(1.0)
    cosines = same_head(head_cosines(first, second, counted))
    assert (cosines[:2] < 0.999).all() and cosines[2] == pytest.approx(1.0)


def test_the_floor_is_the_mean_over_other_heads_only(counted):
    cosines = head_cosines(attention(0), attention(1), counted)
    floor = other_heads(cosines)
    for example, head in np.ndindex(floor.shape):
        others = [cosines[example, head, g] for g in range(HEADS) if g != head]
        assert floor[example, head] == pytest.approx(np.mean(others))


def test_padding_changes_nothing(counted):
    first, second = attention(0), attention(1)
    cosines = head_cosines(first, second, counted)
    for example, length in enumerate(LENGTHS):
        alone = slice(example, example + 1), slice(None), slice(length), slice(length)
        one = head_cosines(
            first[alone], second[alone], counted[example : example + 1, :length]
        )
        assert one[0] == pytest.approx(cosines[example], abs=1e-12)


def test_the_same_new_order_of_the_heads_in_both_models_changes_their_order_only(counted):
    order = [2, 0, 3, 1]
    cosines = same_head(head_cosines(attention(0), attention(1), counted))
    moved = same_head(
        head_cosines(attention(0)[:, order], attention(1)[:, order], counted)
    )
    assert moved == pytest.approx(cosines[:, order])


def test_what_is_no_attention_is_refused(counted):
    good = attention(0)
    with pytest.raises(ValueError, match="no probabilities"):
        head_cosines(good, good - 0.1, counted)
    with pytest.raises(ValueError, match="no probabilities"):
        head_cosines(good, good, np.ones_like(counted))  # padding is counted
    with pytest.raises(ValueError, match="an example has no counted piece"):
        head_cosines(good, good, counted & False)
    with pytest.raises(ValueError, match=r"is not \(3, heads, 4, 4\)"):
        head_cosines(good, good, counted[:, :4])
    elsewhere = np.zeros((1, 1, 2, 2))
    elsewhere[..., 1] = 1.0  # all attention goes to the second piece
    with pytest.raises(
        ValueError, match="head 0 of example 0 has no attention to a counted"
    ):
        head_cosines(elsewhere, elsewhere, np.array([[True, False]]))


def test_heads_that_cannot_be_paired_and_layers_of_one_head_are_refused(counted):
    uneven = head_cosines(attention(0), attention(1, heads=3), counted)
    for measure in (same_head, other_heads):
        with pytest.raises(ValueError, match="one model has 4, the other 3"):
            measure(uneven)
    with pytest.raises(ValueError, match="at least 2, got 1"):
        other_heads(np.ones((2, 1, 1)))


@pytest.mark.parametrize("n_layers", [1, 4, 9, 12, 48])
def test_bands_reach_as_far_as_asked_and_no_narrower_one_does(n_layers):
    reaches = (1, 2, 4, 8, 25)
    bands = narrowest_bands(reaches, n_layers)
    assert bands[0] == 0
    for words in reaches:
        (enough, *_) = (k for k in bands if k * n_layers >= words)
        assert (enough - 1) * n_layers < words


def test_the_bands_of_four_layers_are_those_of_the_page():
    assert narrowest_bands((0, 1, 2, 4, 8), 4) == [0, 1, 2]
