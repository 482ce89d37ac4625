"""The loop, with learners that have no words and no recipe: a linear probe, and one with a state
of its own.
"""

import os

import numpy as np
import pytest
import torch

from cwr.errors import UserError
from cwr.training import loop
from cwr.training.loop import Learner, Schedule, train

DEVICE = os.environ["DEVICE"]
SCHEDULE = Schedule(rate=0.05, warm_up=0.1, decay=0.01, seed=7)


class Probe(Learner):
    """A linear probe with dropout: which of two classes is a vector of?"""

    def __init__(self, seed=0, steps=40):
        draw = np.random.default_rng(seed)
        self.labels = torch.from_numpy(draw.integers(0, 2, 64)).to(DEVICE)
        noise = torch.from_numpy(draw.standard_normal((64, 6))).float().to(DEVICE)
        self.vectors = noise + 2 * self.labels[:, None]  # (64, 6)
        with loop.seeded(seed):
            self.model = torch.nn.Sequential(torch.nn.Dropout(0.5), torch.nn.Linear(6, 2))
        self.model.to(DEVICE)
        self.steps = steps
        self.identity = {"data": str(seed)}

    def loss(self, step):
        rows = np.random.default_rng(step).integers(0, 64, 16)
        logits = self.model(self.vectors[rows])
        return torch.nn.functional.cross_entropy(logits, self.labels[rows])


class Counting(Probe):
    """A probe whose loss depends on something that is carried from step to step."""

    def __init__(self):
        super().__init__()
        self.carried = torch.zeros(())

    def loss(self, step):
        self.carried = 0.9 * self.carried + step
        return super().loss(step) * (1 + self.carried)

    def state(self):
        return {"carried": self.carried}

    def restore(self, state):
        self.carried = state["carried"]


def weights(learner):
    return torch.nn.utils.parameters_to_vector(learner.model.parameters()).detach()


@pytest.mark.parametrize("kind", [Probe, Counting])
def test_a_training_that_is_cut_off_anywhere_goes_on_to_the_same_bits(kind, tmp_path):
    whole = kind()
    losses = [step.loss for step in train(whole, SCHEDULE, tmp_path / "whole")]
    resumed = []
    for steps in (3, 11, 100):
        part = kind()
        torch.manual_seed(steps)  # what others draw between the steps does not matter
        training = train(part, SCHEDULE, tmp_path / "cut", checkpoint_every=0)
        for done, progress in enumerate(training, start=1):
            resumed.append(progress.loss)
            torch.rand(1)
            if done == steps:
                break  # killed: the generator never ends
    assert torch.equal(weights(part), weights(whole)) and resumed == losses
    assert [path.name for path in (tmp_path / "cut").iterdir()] == [loop.CHECKPOINT]


def test_the_probe_learns_and_dropout_differs_between_steps(tmp_path):
    probe = Probe()
    losses = [step.loss for step in train(probe, SCHEDULE, tmp_path)]
    assert np.mean(losses[-10:]) < 0.6 * np.mean(losses[:10])
    probe.model.train()
    same = [Probe(), Probe()]
    for learner, seed in zip(same, (1, 2), strict=True):
        list(train(learner, Schedule(0.05, seed=seed), tmp_path / str(seed), until=1))
    assert not torch.equal(weights(same[0]), weights(same[1]))


def test_a_checkpoint_that_was_half_written_is_not_read(tmp_path):
    probe = Probe()
    list(train(probe, SCHEDULE, tmp_path, until=5))
    (tmp_path / f"{loop.CHECKPOINT}.part").write_bytes(b"half")
    again = Probe()
    assert [step.step for step in train(again, SCHEDULE, tmp_path, until=7)] == [6, 7]


def test_a_damaged_checkpoint_is_refused_in_one_sentence(tmp_path):
    list(train(Probe(), SCHEDULE, tmp_path, until=2))
    file = tmp_path / loop.CHECKPOINT
    for content in (file.read_bytes()[:-40], b"", b"no checkpoint"):
        file.write_bytes(content)
        with pytest.raises(UserError, match="damaged"):
            list(train(Probe(), SCHEDULE, tmp_path))
    torch.save({"model": {}}, file)
    with pytest.raises(UserError, match="no checkpoint of this version"):
        list(train(Probe(), SCHEDULE, tmp_path))


@pytest.mark.parametrize(
    "other, schedule, differs",
    [
        (Probe(seed=1), SCHEDULE, r"\(data differ\)"),
        (Probe(steps=41), SCHEDULE, r"\(steps differ\)"),
        (Probe(), Schedule(rate=0.04), r"\(schedule differ\)"),
    ],
)
def test_a_checkpoint_of_another_run_is_refused_and_what_differs_is_named(
    other, schedule, differs, tmp_path
):
    list(train(Probe(), SCHEDULE, tmp_path, until=2))
    with pytest.raises(UserError, match=differs):
        list(train(other, schedule, tmp_path))


def test_a_learner_that_forgets_to_restore_its_state_is_refused(tmp_path):
    class Forgetful(Probe):
        def state(self):
            return {"carried": torch.zeros(())}

    list(train(Forgetful(), SCHEDULE, tmp_path, until=2))
    with pytest.raises(NotImplementedError, match="Forgetful"):
        list(train(Forgetful(), SCHEDULE, tmp_path))


def test_visits_come_once_each_before_their_step_also_over_a_cut(tmp_path):
    steps = tuple(loop.log_steps(40))
    seen = []
    for until in (12, None):
        probe = Probe()

        def look(step, probe=probe):
            seen.append((step, weights(probe).sum().item()))

        list(train(probe, SCHEDULE, tmp_path, until=until, visit=look, visits=steps))
    assert [step for step, _ in seen] == list(steps) and steps[0] == 0 and steps[-1] == 40
    assert seen[0][1] == weights(Probe()).sum().item()
    assert seen[-1][1] == weights(probe).sum().item()


def test_the_rate_rises_in_a_line_and_falls_to_its_floor():
    schedule = Schedule(rate=1.0, warm_up=0.1)
    rates = [schedule.rate_at(step, 100) for step in range(100)]
    assert rates[:3] == pytest.approx([0.1, 0.2, 0.3]) and max(rates) == pytest.approx(1.0)
    assert rates[-1] == pytest.approx(0.05, abs=0.001) and (np.diff(rates[10:]) <= 0).all()
    assert rates[55] == pytest.approx((1 + 0.05) / 2)  # half-way down
    assert {Schedule(rate=0.3, floor=1.0).rate_at(step, 10) for step in range(10)} == {0.3}


def test_matrices_decay_and_vectors_do_not():
    groups = loop.adamw(torch.nn.Linear(3, 2), SCHEDULE).param_groups
    shapes = [[tuple(tensor.shape) for tensor in group["params"]] for group in groups]
    assert shapes == [[(2, 3)], [(2,)]]
    assert [group["weight_decay"] for group in groups] == [SCHEDULE.decay, 0.0]


def test_long_gradients_are_scaled_to_one_norm(tmp_path):
    class Steep(Probe):
        def loss(self, step):
            return 1e6 * super().loss(step)

    list(train(Steep(), SCHEDULE, tmp_path, until=1))
    moments = loop.read_checkpoint(tmp_path / loop.CHECKPOINT)["optimiser"][
        "state"
    ].values()
    norm = sum(moment["exp_avg"].square().sum() for moment in moments).sqrt().item()
    # after one step the moving average is a tenth of the gradient
    assert norm == pytest.approx((1 - loop.FIRST_MOMENT) * loop.LARGEST_GRADIENT, rel=1e-3)


def test_a_learner_may_keep_its_gradients_as_long_as_they_are(tmp_path):
    class Steep(Probe):
        largest_gradient = None

        def loss(self, step):
            return 1e6 * super().loss(step)

    list(train(Steep(), SCHEDULE, tmp_path, until=1))
    moments = loop.read_checkpoint(tmp_path / loop.CHECKPOINT)["optimiser"][
        "state"
    ].values()
    norm = sum(moment["exp_avg"].square().sum() for moment in moments).sqrt().item()
    assert norm > 1000 * loop.LARGEST_GRADIENT


def test_without_a_folder_the_same_weights_come_out_and_nothing_is_written(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    with_folder, without = Probe(), Probe()
    list(train(with_folder, SCHEDULE, tmp_path / "run"))
    list(train(without, SCHEDULE, None))
    assert torch.equal(weights(with_folder), weights(without))
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_a_loss_that_is_no_number_names_its_step_and_rate(tmp_path):
    class Lost(Probe):
        def loss(self, step):
            return super().loss(step) * (float("nan") if step == 2 else 1)

    with pytest.raises(UserError, match=r"no number at step 2, with the rate 0\.0375"):
        list(train(Lost(), SCHEDULE, tmp_path))


def test_a_seeded_block_draws_what_torch_draws_from_its_seed_and_leaves_no_trace():
    with torch.random.fork_rng():
        torch.manual_seed(3)
        expected = torch.rand(4)
    before = torch.random.get_rng_state()
    with loop.seeded(3):
        assert torch.equal(torch.rand(4), expected)
    assert torch.equal(torch.random.get_rng_state(), before)
