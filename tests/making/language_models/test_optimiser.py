"""How embedding matrices are updated: each rule against a loop, against torch, and what it does to
the mean row.
"""

import numpy as np
import pytest
import torch

from cwr.making.language_models import optimiser
from cwr.training import loop
from cwr.training.loop import Schedule

SCHEDULE = Schedule(rate=0.03, decay=0.1, second_moment=0.9)
OTHERS = ("sgd", "coupled", "rowwise")


class Layer(torch.nn.Module):
    """A matrix of embeddings beside another matrix and a bias."""

    def __init__(self, device):
        super().__init__()
        draw = np.random.default_rng(0)
        for name, shape in {"embeddings": (5, 3), "body": (4, 3), "bias": (4,)}.items():
            values = torch.from_numpy(draw.normal(size=shape)).to(device)
            setattr(self, name, torch.nn.Parameter(values))


def gradients(step):
    """The same for all rules: rows of very different sizes, as of common and rare words."""
    draw = np.random.default_rng((1, step))
    sizes = np.array([[1, 10, 0.1, 0.01, 3.0]]).T
    return {
        "embeddings": sizes * draw.normal(size=(5, 3)),
        "body": draw.normal(size=(4, 3)),
        "bias": draw.normal(size=4),
    }


def updated(rule, steps, device="cpu", between=lambda optimiser: None):
    """The weights of a layer after so many steps of a rule."""
    layer = Layer(device)
    updates = optimiser.new(layer, SCHEDULE, [layer.embeddings], rule)
    for step in range(steps):
        between(updates)
        for name, gradient in gradients(step).items():
            getattr(layer, name).grad = torch.from_numpy(gradient).to(device)
        updates.step()
        updates.zero_grad()
    return {
        name: weights.detach().cpu().numpy() for name, weights in layer.named_parameters()
    }


def by_a_loop(steps, average):
    """AdamW in numpy, one number at a time but for `average`, of the squares (rows, columns)."""
    W = Layer("cpu").embeddings.detach().numpy().copy()
    first, second = np.zeros_like(W), np.zeros_like(W)
    for step in range(1, steps + 1):
        g = gradients(step - 1)["embeddings"]
        first = loop.FIRST_MOMENT * first + (1 - loop.FIRST_MOMENT) * g
        second = SCHEDULE.second_moment * second + (1 - SCHEDULE.second_moment) * g**2
        scale = average(second)
        for i, j in np.ndindex(W.shape):
            mean = first[i, j] / (1 - loop.FIRST_MOMENT**step)
            root = np.sqrt(scale[i, j] / (1 - SCHEDULE.second_moment**step)) + 1e-8
            W[i, j] -= SCHEDULE.rate * (SCHEDULE.decay * W[i, j] + mean / root)
    return W


def of_columns(second):
    """Coupled Adam: the average over the words, for all of them."""
    return np.tile([np.mean(column) for column in second.T], (len(second), 1))


def of_rows(second):
    """One number a row: the average over its dimensions."""
    return np.array([[np.mean(row)] * len(row) for row in second])


@pytest.mark.parametrize(
    ("rule", "average"), [("coupled", of_columns), ("rowwise", of_rows)]
)
def test_an_averaged_rule_equals_the_loop(rule, average, device):
    weights = updated(rule, 6, device)["embeddings"]
    np.testing.assert_allclose(weights, by_a_loop(6, average), rtol=1e-10)


def test_plain_descent_has_a_rate_of_its_own_that_follows_the_schedule(device):
    def halve(updates):
        for group in updates.param_groups:
            group["lr"] = SCHEDULE.rate / 2

    weights = updated("sgd", 1, device, between=halve)["embeddings"]
    before, gradient = Layer("cpu").embeddings.detach().numpy(), gradients(0)["embeddings"]
    decayed = before * (1 - SCHEDULE.rate / 2 * SCHEDULE.decay)
    np.testing.assert_allclose(
        weights, decayed - optimiser.SGD_RATE / 2 * gradient, rtol=1e-12
    )


@pytest.mark.parametrize("rule", OTHERS)
def test_all_other_weights_are_updated_as_by_adamw(rule, device):
    plain, other = updated("adamw", 4, device), updated(rule, 4, device)
    for name in ("body", "bias"):
        np.testing.assert_array_equal(other[name], plain[name])
    assert abs(other["embeddings"] - plain["embeddings"]).max() > 1e-3


@pytest.mark.parametrize("rule", ["coupled", "rowwise"])
def test_a_rule_that_averages_nothing_is_torchs_own_adamw(rule, device, monkeypatch):
    monkeypatch.setattr(optimiser, "averaged", lambda squares, rule: squares)
    weights, plain = (updated(each, 6, device)["embeddings"] for each in (rule, "adamw"))
    np.testing.assert_allclose(weights, plain, rtol=1e-12)


def test_a_second_moment_replaced_in_one_row_changes_that_row_as_in_torchs_own_adamw(
    monkeypatch,
):
    monkeypatch.setattr(optimiser, "averaged", lambda squares, rule: squares)

    def replace(updates):
        for state in updates.state.values():
            for name in ("second", "exp_avg_sq"):
                if name in state and state[name].shape == (5, 3):
                    state[name][2] = 7.0

    ours, plain = (
        updated(rule, 5, between=replace)["embeddings"] for rule in ("coupled", "adamw")
    )
    np.testing.assert_allclose(ours, plain, rtol=1e-12)
    apart = abs(ours - updated("coupled", 5)["embeddings"]).max(axis=1)
    assert apart[2] > 1e-3 and np.delete(apart, 2).max() == 0


def moved(learner, folder, **changes):
    """How far the mean row of an output matrix of its own moves in 20 steps, and its farthest row."""
    model = learner("cwr-gpt", tied=False, start="plain", decay=0.0, epochs=9.0, **changes)
    before = model.matrices[-1].detach().double().cpu().numpy()
    list(loop.train(model, model.schedule, folder, until=20))
    steps = model.matrices[-1].detach().double().cpu().numpy() - before
    return np.linalg.norm(steps.mean(axis=0)), np.linalg.norm(steps, axis=1).max()


@pytest.mark.parametrize("rule", ["sgd", "coupled"])
def test_where_all_rows_are_rescaled_alike_the_mean_row_stays(rule, learner, tmp_path):
    mean, farthest = moved(learner, tmp_path, embeddings=rule)
    assert mean < 1e-6 and farthest > 1e-3


@pytest.mark.parametrize("rule", ["adamw", "rowwise"])
def test_where_each_row_is_rescaled_by_itself_the_mean_row_moves(rule, learner, tmp_path):
    assert moved(learner, tmp_path, embeddings=rule)[0] > 1e-3


CHANGES = [
    *({"embeddings": rule} for rule in OTHERS),
    {"embeddings": "rowwise", "tied": False, "bias": "zero", "penalty": 1.0},
    {"bias": "counts", "heads": 2},
]


@pytest.mark.parametrize("changes", CHANGES)
@pytest.mark.parametrize("kind", ["cwr-gpt", "cwr-bert"])
def test_each_choice_goes_on_to_the_same_bits(kind, changes, learner, tmp_path, device):
    if device != "cpu":
        pytest.skip("a GPU adds gradients in any order: not to the same bits")
    whole = learner(kind, **changes)
    list(loop.train(whole, whole.schedule, tmp_path / "whole", until=6))
    for until in (3, 6):
        part = learner(kind, **changes)
        list(loop.train(part, part.schedule, tmp_path / "cut", until=until))
    for key, tensor in whole.model.state_dict().items():
        assert torch.equal(part.model.state_dict()[key], tensor), key


def test_the_biLSTM_has_the_rules_for_its_matrix_of_words(learner, tmp_path):
    plain, coupled = learner("cwr-elmo"), learner("cwr-elmo", embeddings="coupled")
    for number, model in enumerate((plain, coupled)):
        list(loop.train(model, model.schedule, tmp_path / str(number), until=2))
    assert not torch.equal(plain.model.matrix, coupled.model.matrix)
