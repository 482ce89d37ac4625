"""The gradient of a softmax layer against finite differences, and the sum of its rows."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr.measures import output_layer

cases = st.tuples(
    st.integers(0, 10**6), st.integers(2, 8), st.integers(1, 4), st.integers(1, 5)
)


def layer(case):
    seed, words, dim, positions = case
    rng = np.random.default_rng(seed)
    return (
        rng.normal(size=(words, dim)),
        rng.normal(size=(positions, dim)),
        rng.integers(words, size=positions),
    )


@given(cases)
def test_cross_entropy_equals_the_loop_of_equation_3(case):
    W, hidden, targets = layer(case)
    loss = 0.0
    for h, target in zip(hidden, targets, strict=True):
        scores = [math.exp(sum(a * b for a, b in zip(h, w, strict=True))) for w in W]
        loss -= math.log(scores[target] / sum(scores))
    assert output_layer.cross_entropy(W, hidden, targets) == pytest.approx(loss)


@given(cases)
def test_gradient_equals_finite_differences(case):
    W, hidden, targets = layer(case)
    found, step = output_layer.gradient(W, hidden, targets), 1e-5
    for place in np.ndindex(W.shape):
        nudge = np.zeros_like(W)
        nudge[place] = step
        rise = output_layer.cross_entropy(
            W + nudge, hidden, targets
        ) - output_layer.cross_entropy(W - nudge, hidden, targets)
        assert found[place] == pytest.approx(rise / (2 * step), abs=1e-7)


@given(cases)
def test_the_rows_of_the_gradient_sum_to_zero_for_any_batch(case):
    assert abs(output_layer.gradient(*layer(case)).sum(axis=0)).max() < 1e-12


def test_one_prediction_pushes_all_other_words_in_one_direction_and_pulls_the_target():
    W, hidden, _ = layer((0, 6, 4, 1))
    rows = output_layer.gradient(W, hidden, [2]) @ hidden[0]
    assert rows[2] < 0 and (np.delete(rows, 2) > 0).all()
    units = output_layer.gradient(W, hidden, [2])
    units /= np.linalg.norm(units, axis=1)[:, None]
    assert np.delete(units, 2, axis=0) @ hidden[0] == pytest.approx(
        np.linalg.norm(hidden[0])
    )


def test_scores_of_thousands_do_not_overflow():
    assert output_layer.cross_entropy([[3000.0], [0.0]], [[1.0]], [0]) == 0
    assert np.isfinite(output_layer.gradient([[3000.0], [0.0]], [[1.0]], [1])).all()


def test_targets_that_do_not_fit_are_refused():
    W, hidden, _ = layer((0, 3, 2, 2))
    with pytest.raises(ValueError, match="1 targets for 2 positions"):
        output_layer.gradient(W, hidden, [0])
    for target in (-1, 3):
        with pytest.raises(ValueError, match=r"\[0, 3\)"):
            output_layer.cross_entropy(W, hidden, [0, target])


@given(cases)
def test_nontarget_rows_are_the_gradient_without_the_targets(case):
    W, hidden, targets = layer(case)
    rows = output_layer.gradient(W, hidden, targets)
    others = [row for word, row in enumerate(rows) if word not in set(targets)]
    expected = np.array(others).reshape(-1, W.shape[1])
    np.testing.assert_array_equal(
        output_layer.nontarget_rows(W, hidden, targets), expected
    )


def test_a_margin_is_the_best_score_less_the_next_and_one_vector_more_in_all_rows_leaves_it():
    W = np.array([[1.0, 0], [3, 0], [2.5, 1]])
    hidden = np.array([[1.0, 0], [0, 2], [-1, 0]])
    assert output_layer.margins(W, hidden) == pytest.approx([0.5, 2, 1.5])
    assert output_layer.margins(W + [7, -3], hidden) == pytest.approx([0.5, 2, 1.5])
    assert output_layer.margins(2 * W, hidden) == pytest.approx([1, 4, 3])
    with pytest.raises(ValueError, match="at least 2 words, got 1"):
        output_layer.margins(W[:1], hidden)
