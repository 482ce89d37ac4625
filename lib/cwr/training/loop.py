"""Runs one training loop for every learner: a language model, static vectors, a probe.

`train` takes a `Learner` (a model, and the loss of each step) and a `Schedule` (its learning
rates). The number of steps is fixed before the first step, and everything random in step t is drawn
from (seed, t). So an interrupted run that continues from its checkpoint reaches the same weights,
bit for bit.
"""

import abc
import contextlib
import math
import os
import pickle
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from cwr.errors import UserError

CHECKPOINT = "checkpoint.pt"
PARTS = {"run", "step", "seconds", "model", "optimiser", "state"}  # of a checkpoint
FIRST_MOMENT = 0.9  # how much of AdamW's moving average of gradients stays at a step
LARGEST_GRADIENT = 1.0  # longer gradients are scaled to this norm


@dataclass(frozen=True)
class Schedule:
    """The learning rates of a training, and other settings of its optimiser.

    The rate rises linearly over the warm-up, then falls along half a cosine (Loshchilov and Hutter
    2017, SGDR, equation 5, without restarts).
    """

    rate: float  # the highest learning rate
    warm_up: float = 0.0  # share of the steps over which it rises
    decay: float = 0.0  # weight decay of matrices
    floor: float = 0.05  # share of the highest rate that is left at the end; 1: no fall
    second_moment: float = 0.98  # how much of AdamW's average of squared gradients stays at a step
    seed: int = 0  # of what torch itself draws in a step, such as dropout

    def rate_at(self, step: int, steps: int) -> float:
        """Returns the learning rate of a step, counted from 0, in a run of `steps` steps."""
        rising = max(1, round(self.warm_up * steps))
        if step < rising:
            return self.rate * (step + 1) / rising
        progress = (step - rising) / max(1, steps - rising)
        cosine = (1 + math.cos(math.pi * progress)) / 2
        return self.rate * (self.floor + (1 - self.floor) * cosine)


class Learner(abc.ABC):
    """A model in training: its loss, its optimiser, and any state besides its weights."""

    model: torch.nn.Module
    steps: int  # of the whole training
    identity: Mapping[str, str]  # what decides the run besides its schedule: recipe, data, ...
    largest_gradient: float | None = (
        LARGEST_GRADIENT  # None: as long as it is, also if it is sparse
    )

    @abc.abstractmethod
    def loss(self, step: int) -> torch.Tensor:
        """Computes the loss of a step, a scalar with gradients; `step` decides its randomness."""

    def state(self) -> dict[str, torch.Tensor]:
        """Returns tensors that the next step needs besides the weights, such as an LSTM's state."""
        return {}

    def restore(self, state: dict[str, torch.Tensor]) -> None:
        """Restores the result of `state`. A learner with a state overrides this method."""
        if state:
            raise NotImplementedError(f"{type(self).__name__} has a state but no `restore`")

    def optimiser(self, schedule: Schedule) -> torch.optim.Optimizer:
        """Returns the optimiser, AdamW. A learner overrides this method for other rules."""
        return adamw(self.model, schedule)


@dataclass(frozen=True)
class Progress:
    """A report on one step of training."""

    step: int  # steps done
    loss: float  # of this step
    seconds: float  # spent in training so far, over all runs of it


def train(
    learner: Learner,
    schedule: Schedule,
    folder: Path | None,
    *,
    until: int | None = None,
    checkpoint_every: float = 120,
    visit: Callable[[int], None] | None = None,
    visits: Collection[int] = (),
) -> Iterator[Progress]:
    """Trains from the checkpoint in `folder`, or from the start, and yields a report of every step.

    folder: where the checkpoint lies; None: without a checkpoint. until: the number of steps after
    which to stop, counted from the start; None: all.
    checkpoint_every: seconds between two checkpoints; the last step of a call always writes one.
    visit: called with the number of steps done whenever that number is in `visits`, before the next
        step, to measure or save the model.
    Raises UserError for a checkpoint that is damaged or of another run, and for a NaN loss.
    """
    optimiser = learner.optimiser(schedule)
    run = {**learner.identity, "schedule": repr(schedule), "steps": str(learner.steps)}
    file = folder / CHECKPOINT if folder else None
    is_begun = file is not None and file.exists()
    first, before = _resume(learner, optimiser, run, file) if is_begun else (0, 0.0)
    last = learner.steps if until is None else min(until, learner.steps)
    begin = saved = time.monotonic()
    for step in range(first, last):
        if visit and step in visits:
            visit(step)
        loss = _update(learner, optimiser, schedule, step)
        now = time.monotonic()
        seconds = before + now - begin
        if file and (now - saved > checkpoint_every or step + 1 == last):
            _save(learner, optimiser, run, file, step + 1, seconds)
            saved = now
        yield Progress(step + 1, loss, seconds)
    finished = first < last == learner.steps
    if visit and finished and last in visits:
        visit(last)


def adamw(
    model: torch.nn.Module, schedule: Schedule, kind: type[torch.optim.AdamW] = torch.optim.AdamW
) -> torch.optim.AdamW:
    """Returns AdamW (Loshchilov and Hutter 2019) or `kind`; biases and norms do not decay."""
    trained = [tensor for tensor in model.parameters() if tensor.requires_grad]
    matrices = [tensor for tensor in trained if tensor.dim() >= 2]
    vectors = [tensor for tensor in trained if tensor.dim() < 2]
    groups = [
        {"params": matrices, "weight_decay": schedule.decay},
        {"params": vectors, "weight_decay": 0.0},
    ]
    betas = (FIRST_MOMENT, schedule.second_moment)
    return kind(groups, lr=schedule.rate, betas=betas, fused=True)


def log_steps(steps: int, points: int = 12, first: int = 10) -> list[int]:
    """Lists the steps at which to measure a training: 0, then log-spaced, `first` to the last."""
    if steps <= first:
        return sorted({0, steps})
    spaced = np.geomspace(first, steps, points - 1)
    return sorted({0, *np.rint(spaced).astype(int).tolist()})


@contextlib.contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Seeds torch's random numbers within the block, and restores the generators after it."""
    # Without an accelerator torch.manual_seed notes the stack for each kind that might come: .7 ms
    # below a notebook's eighty frames.
    everywhere = torch.accelerator.is_available()
    with torch.random.fork_rng(devices=range(torch.cuda.device_count())):
        (torch.manual_seed if everywhere else torch.default_generator.manual_seed)(seed)
        yield


def _update(
    learner: Learner, optimiser: torch.optim.Optimizer, schedule: Schedule, step: int
) -> float:
    """Updates the weights once and returns the loss before. Raises UserError for a NaN loss."""
    rate = schedule.rate_at(step, learner.steps)
    for group in optimiser.param_groups:
        group["lr"] = rate
    seed = np.random.SeedSequence((schedule.seed, step)).generate_state(1)[0]
    with seeded(int(seed)):
        loss = learner.loss(step)
        value = float(loss.detach())
        if math.isnan(value):
            raise UserError(
                f"the loss is no number at step {step}, with the rate {rate:g}: take a lower rate, "
                "or look for what is no number in the data"
            )
        loss.backward()
    if learner.largest_gradient is not None:
        torch.nn.utils.clip_grad_norm_(learner.model.parameters(), learner.largest_gradient)
    optimiser.step()
    optimiser.zero_grad(set_to_none=True)
    return value


def _save(
    learner: Learner,
    optimiser: torch.optim.Optimizer,
    run: dict[str, str],
    file: Path,
    step: int,
    seconds: float,
) -> None:
    """Writes a checkpoint beside `file`, then renames it, so that `file` is whole at any time."""
    content = {
        "run": run,
        "step": step,
        "seconds": seconds,
        "model": learner.model.state_dict(),
        "optimiser": optimiser.state_dict(),
        "state": learner.state(),
    }
    file.parent.mkdir(parents=True, exist_ok=True)
    scratch = file.with_name(f"{file.name}.part")
    with scratch.open("wb") as stream:
        torch.save(content, stream)
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(scratch, file)


def read_checkpoint(file: Path) -> dict:
    """Reads a checkpoint: run, step, seconds, model and optimiser (their state_dicts), state.

    Raises UserError for a file that is damaged or no checkpoint.
    """
    try:
        content = torch.load(file, weights_only=True, map_location="cpu")
    except (RuntimeError, EOFError, pickle.UnpicklingError):
        content = None
    if not isinstance(content, dict) or not PARTS <= content.keys():
        raise UserError(
            f"{file} is damaged, or no checkpoint of this version: name another "
            "folder, or remove it to begin anew"
        )
    return content


def _resume(
    learner: Learner, optimiser: torch.optim.Optimizer, run: dict[str, str], file: Path
) -> tuple[int, float]:
    """Loads a checkpoint into learner and optimiser; returns the steps done and their seconds."""
    content = read_checkpoint(file)
    if content["run"] != run:
        names = sorted(name for name in run if content["run"].get(name) != run[name])
        raise UserError(
            f"the checkpoint {file} belongs to another run ({', '.join(names)} "
            "differ): name another folder, or remove it to begin anew"
        )
    learner.model.load_state_dict(content["model"])
    optimiser.load_state_dict(content["optimiser"])
    learner.restore(content["state"])
    return content["step"], content["seconds"]
