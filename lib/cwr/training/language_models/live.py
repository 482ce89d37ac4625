"""A training on request, in one call: what the notebook of the recipe does where it is asked to train."""
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pandas as pd


@dataclass(frozen=True, eq=False)
class Live:
    """A training just done."""

    curve: pd.DataFrame         # as `session.run` returns it
    classes: int                # pieces or words among which the model chooses
    first_loss: float           # nats, before the first step


def train(name: str, text: str, words: int, steps: int, folder: str, *, keep_snapshots: bool = False,
          progress: bool = False, **options) -> Live:
    """Train the model `name` on the first so many words of a text (0: all), so many steps (0: all).

    folder: where the checkpoints are; "" for one that nobody keeps. keep_snapshots, progress: of
    `session.run`; options: of `session.prepare`. Raises UserError as these do.
    """
    from cwr.training.language_models import session  # torch and transformers take seconds to import

    articles = session.read(text, words)
    checkpoints = Path(folder) if folder else Path(tempfile.mkdtemp()) / name
    prepared = session.prepare(name, articles, checkpoints, **options)
    learner = prepared.learner
    first_loss = learner.loss(0).item()
    every = max(1, steps // 6 or learner.steps // 100)
    curve = session.run(prepared, steps, every, keep_snapshots=keep_snapshots, progress=progress,
                        heldout=session.held_out(text))
    return Live(curve, learner.classes, first_loss)
