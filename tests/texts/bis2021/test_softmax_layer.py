"""The mean row of a small softmax layer: what moves it, and that our Adam is everybody's."""

import numpy as np
import pytest
import torch

from cwr.measures import output_layer
from cwr.texts.bis2021 import softmax_layer


def test_plain_gradient_descent_leaves_the_mean_where_it_is_and_adam_does_not():
    assert softmax_layer.drift_of_the_mean(softmax_layer.plain(), 100).max() < 1e-12
    moved = softmax_layer.drift_of_the_mean(softmax_layer.Adam(), 100)
    assert (
        moved.shape == (100,)
        and moved[-1] > 0.3
        and moved[-1] > moved[9] > moved[0] > 1e-3
    )


def test_the_mean_moves_against_the_common_direction_of_the_outputs():
    changes = []

    def noted(gradient, adam=softmax_layer.Adam()):  # noqa: B008
        changes.append(adam(gradient))
        return changes[-1]

    softmax_layer.drift_of_the_mean(noted, 100)
    shift = -np.sum(changes, axis=0).mean(axis=0)  # of the mean row, from start to end
    cosine = shift.sum() / np.linalg.norm(shift) / np.sqrt(len(shift))
    assert cosine < -0.9


def test_a_second_moment_averaged_over_the_words_keeps_the_mean():
    """The exercise of the notebook: without a scale for each row pushes and pull balance again."""
    state = {"first": 0.0, "second": 0.0, "steps": 0}

    def coupled(gradient):
        state["steps"] += 1
        state["first"] = 0.9 * state["first"] + 0.1 * gradient
        state["second"] = 0.95 * state["second"] + 0.05 * (gradient**2).mean(axis=0)
        root = np.sqrt(state["second"] / (1 - 0.95 ** state["steps"]))
        return 0.01 * state["first"] / (1 - 0.9 ** state["steps"]) / (root + 1e-8)

    assert softmax_layer.drift_of_the_mean(coupled, 100).max() < 1e-12


def test_adam_takes_the_steps_of_torch():
    rng = np.random.default_rng(0)
    W = rng.normal(size=(7, 3))
    weights = torch.nn.Parameter(torch.tensor(W))
    reference = torch.optim.Adam([weights], lr=0.01, betas=(0.9, 0.95), eps=1e-8)
    adam = softmax_layer.Adam(0.01, 0.9, 0.95, 1e-8)
    for _ in range(20):
        gradient = output_layer.gradient(
            W, rng.normal(size=(4, 3)), rng.integers(7, size=4)
        )
        weights.grad = torch.tensor(gradient)
        reference.step()
        W = W - adam(gradient)
        assert weights.detach().numpy() == pytest.approx(W, abs=1e-12)


def test_a_seed_decides_the_layer_and_its_data():
    first, again, other = (
        softmax_layer.drift_of_the_mean(softmax_layer.Adam(), 5, seed)
        for seed in (0, 0, 1)
    )
    assert (first == again).all() and (first != other).all()
