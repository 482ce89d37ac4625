"""Three small language models of our own, trained on the same words: cwr-elmo, cwr-bert and cwr-gpt.

`train` runs one of them by its `Recipe`. Everything random in step t is drawn from (seed, t), and the number of
steps follows from words and batch, never from the clock; so a run that was cut off goes on from its checkpoint
to the very weights that it would have reached.
"""
import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import torch

from cwr.corpora import Article
from cwr.errors import UserError

CHECKPOINT = "checkpoint.pt"
FAMILIES = ("causal", "masked", "bilstm")


@dataclass(frozen=True)
class Recipe:
    """All that decides a run besides the text. The defaults are the CPU edition of cwr-gpt."""

    family: str = "causal"          # "causal", "masked" or "bilstm"
    layers: int = 4
    dim: int = 192
    epochs: float = 1.0             # how often the text is read
    rows: int = 8                   # windows a step (bilstm: rows of text that are read in parallel)
    size: int = 128                 # pieces a window, the start token included (bilstm: words a step and row)
    rate: float = 1.5e-3            # highest learning rate; cosine from there to a twentieth
    warm_up: float = 0.02           # share of the steps over which the rate rises
    decay: float = 0.05             # weight decay of matrices
    start: str = "counts"           # vectors of tokens at the start: "counts" or "plain" (random)
    short: float = 0.0              # masked: share of the text that is read first, in windows a quarter as long
    masked: float = 0.30            # masked: share of the pieces that are to be found again
    seed: int = 0

    def __post_init__(self):
        if self.family not in FAMILIES:
            raise UserError(f"there is no family {self.family!r} to train: choose {', '.join(FAMILIES)}")
        if self.start not in ("counts", "plain"):
            raise UserError(f"training starts from \"counts\" or \"plain\" vectors, not from {self.start!r}")


RECIPES = {
    "cwr-gpt": Recipe("causal"),
    "cwr-bert": Recipe("masked", rows=16, warm_up=0.05, short=0.35),
    "cwr-elmo": Recipe("bilstm", layers=2, dim=128, rows=64, size=32, rate=2e-3, decay=0.01),
}


class Learner(Protocol):
    """One model while it is trained."""

    model: torch.nn.Module
    steps: int

    def loss(self, step: int) -> torch.Tensor:
        """The training loss of one step, in nats a prediction; reads what (seed, step) says."""

    def words(self, step: int) -> float:
        """Blank-separated words read before this step."""

    def state(self) -> dict:
        """What the next step needs besides the weights (the biLSTM's carried state)."""

    def restore(self, state: dict) -> None:
        """Take up what `state` gave."""

    def held_out(self, articles: Sequence[Article]) -> float:
        """Mean nats of the predictions on the beginning of a text that is not trained on."""

    def save(self, folder: Path) -> None:
        """Write the model as it is shipped, so that `cwr.encoders.load` opens the folder."""


def rate(recipe: Recipe, step: int, steps: int) -> float:
    """The learning rate of a step: a line up over the warm-up, then a cosine down to a twentieth."""
    rising = max(1, round(recipe.warm_up * steps))
    if step < rising:
        return recipe.rate * (step + 1) / rising
    done = (step - rising) / max(1, steps - rising)
    return recipe.rate * (0.05 + 0.95 * (1 + math.cos(math.pi * done)) / 2)


def log_steps(steps: int, points: int = 12, first: int = 10) -> list[int]:
    """Steps at which statistics are taken: the start, then log-spaced ones up to the last."""
    if steps <= first:
        return sorted({0, steps})
    spaced = np.geomspace(first, steps, points - 1)
    return sorted({0, *np.rint(spaced).astype(int).tolist()})


def optimiser(model: torch.nn.Module, recipe: Recipe) -> torch.optim.Optimizer:
    """AdamW; matrices decay, biases and norms do not."""
    used = [p for p in model.parameters() if p.requires_grad]
    groups = [{"params": [p for p in used if p.dim() >= 2], "weight_decay": recipe.decay},
              {"params": [p for p in used if p.dim() < 2], "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=recipe.rate, betas=(0.9, 0.98), fused=True)


@dataclass(frozen=True)
class Progress:
    """What a step reports."""

    step: int               # steps done
    words: float            # blank-separated words read
    loss: float             # nats, this step's
    seconds: float          # spent in training so far, over all runs of it


def train(learner: Learner, recipe: Recipe, folder: Path, *, until: int | None = None, every: float = 120,
          visit: Callable[[int], None] | None = None, visits: tuple[int, ...] = ()) -> Iterator[Progress]:
    """Train on from the last checkpoint in `folder`, or from the start, and report every step.

    until: stop after so many steps in all (default: to the end of the recipe). every: seconds between two
    checkpoints; the last step always writes one. visit: called with the number of steps done at each of
    `visits`, before the next step (statistics).
    """
    updates, (done, seconds) = optimiser(learner.model, recipe), (0, 0.0)
    if (folder / CHECKPOINT).exists():
        done, seconds = _resume(learner, updates, recipe, folder / CHECKPOINT)
    last = learner.steps if until is None else min(until, learner.steps)
    saved = begun = time.monotonic() - seconds
    saved += seconds
    for step in range(done, last):
        if visit and step in visits:
            visit(step)
        for group in updates.param_groups:
            group["lr"] = rate(recipe, step, learner.steps)
        loss = learner.loss(step)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learner.model.parameters(), 1.0)
        updates.step()
        updates.zero_grad(set_to_none=True)
        now = time.monotonic()
        if now - saved > every or step + 1 == last:
            _checkpoint(learner, updates, recipe, folder, step + 1, now - begun)
            saved = now
        yield Progress(step + 1, learner.words(step + 1), float(loss.detach()), now - begun)
    if visit and last == learner.steps and last in visits and done < last:
        visit(last)


def _checkpoint(learner: Learner, updates, recipe: Recipe, folder: Path, step: int, seconds: float) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    aside = folder / f"{CHECKPOINT}.part"
    torch.save({"step": step, "seconds": seconds, "steps": learner.steps, "recipe": repr(recipe),
                "model": learner.model.state_dict(), "updates": updates.state_dict(), "state": learner.state()}, aside)
    os.replace(aside, folder / CHECKPOINT)


def _resume(learner: Learner, updates, recipe: Recipe, file: Path) -> tuple[int, float]:
    found = torch.load(file, weights_only=True, map_location="cpu")
    if (found["recipe"], found["steps"]) != (repr(recipe), learner.steps):
        raise UserError(f"the checkpoint {file} belongs to another run (recipe, text or number of words differ): "
                        f"name another folder, or remove it to begin anew")
    learner.model.load_state_dict(found["model"])
    updates.load_state_dict(found["updates"])
    learner.restore(found["state"])
    return found["step"], found["seconds"]
