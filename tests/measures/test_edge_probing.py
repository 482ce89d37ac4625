"""Each measure against the loop of its definition; known values, invariances, refusals."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cwr.measures.edge_probing import (
    centre_of_gravity,
    counts,
    divergence_from_uniform,
    draw_scores,
    expected_layer,
    f1,
    implied_trials,
    label_f1,
    order_agreement,
    relation_f1,
    score_gains,
)

score_lists = st.lists(st.floats(0, 100), min_size=2, max_size=14).filter(
    lambda scores: scores[-1] - scores[0] > 0.01
)
positive = arrays(np.float64, st.integers(2, 14), elements=st.floats(0.001, 10))


@given(score_lists)
def test_expected_layer_equals_the_loop_of_its_definition(scores):
    above = below = 0.0
    for layer in range(1, len(scores)):
        gain = scores[layer] - scores[layer - 1]
        above, below = above + layer * gain, below + gain
    assert expected_layer(np.array(scores)) == pytest.approx(
        above / below, rel=1e-6, abs=1e-6
    )


@given(positive)
def test_centre_of_gravity_equals_the_loop_of_its_definition(weights):
    weights = weights / weights.sum()
    expected = sum(layer * weight for layer, weight in enumerate(weights))
    assert centre_of_gravity(weights) == pytest.approx(expected, abs=1e-9)


@given(positive)
def test_divergence_equals_the_sum_over_layers(weights):
    total = sum(weights)
    expected = sum(w / total * math.log2(w / total * len(weights)) for w in weights)
    assert divergence_from_uniform(weights) == pytest.approx(expected, abs=1e-9)
    assert -1e-9 <= divergence_from_uniform(weights) <= math.log2(len(weights)) + 1e-9


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=9))
def test_order_agreement_equals_the_count_of_pairs(values):
    pairs = [(a, b) for i, a in enumerate(values) for b in values[i + 1 :]]
    expected = (sum(a < b for a, b in pairs) - sum(a > b for a, b in pairs)) / len(pairs)
    assert order_agreement(values) == pytest.approx(expected, abs=1e-12)


def test_known_values_by_hand():
    assert score_gains([1, 4, 3]).tolist() == [3, -1]
    assert expected_layer([10, 20, 30]) == pytest.approx(1.5)  # equal gains: halfway
    assert expected_layer([10, 10, 30, 30]) == pytest.approx(2)  # all of it at layer 2
    assert expected_layer([0, 0, -9, 1]) == pytest.approx(
        (-18 + 30) / 1
    )  # a dip: 12, beyond L
    assert centre_of_gravity([0.25] * 4) == pytest.approx(1.5)  # starts at layer 0
    assert divergence_from_uniform([1, 1, 1, 1]) == pytest.approx(0)
    assert divergence_from_uniform([0, 5, 0, 0]) == pytest.approx(2)
    assert order_agreement([1, 2, 3]) == 1 and order_agreement([3, 2, 1]) == -1
    assert (
        order_agreement([1, 3, 2]) == pytest.approx(1 / 3) and order_agreement([1, 1]) == 0
    )
    assert implied_trials(0.5, 0.098) == pytest.approx(100)


@given(score_lists, st.floats(0.1, 9), st.floats(-50, 50))
def test_expected_layer_ignores_the_scale_and_zero_of_scores(scores, scale, shift):
    scores = np.array(scores)
    moved = expected_layer(scale * scores + shift)
    assert moved == pytest.approx(expected_layer(scores), rel=1e-5, abs=1e-5)


@given(positive, st.randoms())
def test_divergence_ignores_scale_and_order_of_layers(weights, random):
    shuffled = random.sample(list(weights), len(weights))
    expected = divergence_from_uniform(weights)
    assert divergence_from_uniform(3 * np.array(shuffled)) == pytest.approx(
        expected, abs=1e-9
    )


def test_draws_are_taken_row_by_row():
    scores = np.cumsum(np.random.default_rng(0).uniform(0, 1, (5, 7)), axis=1)
    assert expected_layer(scores) == pytest.approx([expected_layer(row) for row in scores])
    weights = scores / scores.sum(axis=1, keepdims=True)
    assert centre_of_gravity(weights) == pytest.approx(
        [centre_of_gravity(row) for row in weights]
    )


def test_an_expected_layer_within_the_noise_is_refused_with_its_numbers():
    scores = [50, 53, 52, 54]
    assert expected_layer(scores, error=2) == expected_layer(
        scores
    )  # it rises by 2 * error
    with pytest.raises(ValueError, match="rise by 4 .* twice the error, 4.2"):
        expected_layer(scores, error=2.1)
    for flat in ([50, 51, 50], [50, 51, 49]):
        with pytest.raises(ValueError, match="above 0"):
            expected_layer(flat)
    with pytest.raises(ValueError, match="above 0"):  # one draw is enough
        expected_layer([[1, 2, 3], [1, 2, 1]])


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: score_gains([1]), "at least 2 layers, got 1"),
        (lambda: score_gains([1, np.nan, 2]), "1 of 3 scores are missing"),
        (lambda: centre_of_gravity([0.5, 0.4]), "0.9"),
        (lambda: centre_of_gravity([1.1, -0.1]), "-0.1"),
        (lambda: centre_of_gravity([np.nan, 1]), "non-negative"),
        (lambda: divergence_from_uniform([1, -1, 3]), "-1"),
        (lambda: divergence_from_uniform([0, 0]), "sum of 0"),
        (lambda: order_agreement([1]), "at least 2 values"),
        (lambda: order_agreement([1, np.nan]), "without gaps"),
        (lambda: implied_trials([0.5, 1], [0.1, 0.1]), "strictly between"),
        (lambda: implied_trials(0.5, 0), "half widths above 0"),
        (lambda: draw_scores([0.5, 1], 10, 2, 0), "strictly between"),
        (lambda: draw_scores([0.5], 0, 2, 0), "trials above 0"),
    ],
)
def test_what_is_undefined_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_drawn_scores_have_the_interval_they_were_read_from():
    trials = implied_trials(np.array([0.8, 0.95]), np.array([0.01, 0.004]))
    drawn = draw_scores([0.8, 0.95], trials[0], draws=40_000, seed=0)
    assert drawn.shape == (40_000, 2) and drawn.mean(axis=0) == pytest.approx(
        [0.8, 0.95], abs=2e-4
    )
    assert 1.96 * drawn[:, 0].std() == pytest.approx(0.01, rel=0.02)
    assert abs(np.corrcoef(drawn.T)[0, 1]) < 0.02
    assert (draw_scores([0.8], 100, 5, seed=3) == draw_scores([0.8], 100, 5, seed=3)).all()


def test_inputs_are_not_modified():
    scores, weights = np.array([1.0, 3.0, 2.0, 5.0]), np.array([0.2, 0.3, 0.5])
    before = scores.copy(), weights.copy()
    expected_layer(scores), centre_of_gravity(weights), divergence_from_uniform(weights)
    assert (scores == before[0]).all() and (weights == before[1]).all()


# ---- decisions of labels


def test_counts_of_decisions_known_by_hand():
    said = np.array([[True, True, False], [False, False, False], [False, True, True]])
    gold = np.array([[True, False, False], [False, True, False], [False, False, True]])
    assert counts(said, gold).tolist() == [[1, 1, 0], [0, 0, 1], [1, 1, 0]]
    assert f1(counts(said, gold).sum(axis=0)) == pytest.approx(2 * 2 / (2 * 2 + 2 + 1))
    assert f1(counts(gold, gold).sum(axis=0)) == 1
    assert f1(counts(~gold, gold).sum(axis=0)) == 0
    assert np.isnan(f1(np.zeros(3)))  # nothing to find, and nothing said


def test_one_label_a_target_makes_f1_the_accuracy():
    random = np.random.default_rng(0)
    said, gold = random.integers(0, 4, (5, 30)), random.integers(0, 4, 30)
    one_of = np.arange(4)
    counted = counts(said[..., None] == one_of, gold[:, None] == one_of)  # (5, 30, 3)
    assert f1(counted.sum(axis=1)) == pytest.approx((said == gold).mean(axis=1))


def test_decisions_that_are_no_decisions_are_refused():
    gold = np.zeros((3, 2), bool)
    for said in (np.zeros((3, 2)), np.zeros((3, 3), bool), np.zeros((2, 2), bool)):
        with pytest.raises(ValueError, match="yes or no"):
            counts(said, gold)


def test_scores_of_relations_known_by_hand():
    gold = ["A(e1,e2)", "A(e2,e1)", "B(e1,e2)", "Other"]
    assert relation_f1(gold, gold) == 1
    turned = ["A(e2,e1)", "A(e1,e2)", "B(e1,e2)", "Other"]
    assert relation_f1(turned, gold) == pytest.approx(1 / 2)  # A: 0, B: 1
    said = ["A(e1,e2)", "A(e1,e2)", "Other", "B(e1,e2)"]
    assert relation_f1(said, gold) == pytest.approx((2 * 1 / 4 + 0) / 2)
    with pytest.raises(ValueError, match="no gold label"):
        relation_f1(["Other"], ["Other"])


def test_f1_of_labels_equals_the_count_of_each():
    random = np.random.default_rng(2)
    said, gold = random.integers(0, 5, 60), random.integers(0, 4, 60)
    for label, value in zip(range(5), label_f1(said, gold, range(5)), strict=True):
        tp = sum(a == b == label for a, b in zip(said, gold, strict=True))
        whole = (said == label).sum() + (gold == label).sum()
        assert value == pytest.approx(2 * tp / whole)
    assert label_f1(said, gold, [9]).tolist() == [0]
