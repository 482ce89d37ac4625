"""A training in one call: what the notebook of the recipe does on request."""
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from cwr.errors import UserError


@dataclass(frozen=True, eq=False)
class Live:
    """A training just done."""

    curve: pd.DataFrame         # as `session.run` returns it
    classes: int                # pieces or words among which the model chooses
    first_loss: float           # nats, before the first step

    def rows(self, name: str, family: str) -> list[dict]:
        """Rows for `results.write`: the training loss by the step (k)."""
        keys = {"model": name, "family": family, "measure": "training_loss",
                "variant": "trained here"}
        return [{**keys, "k": int(row.step), "value": row.loss} for row in self.curve.itertuples()]


def refuse_folder(folder: str) -> None:
    """Raises UserError if a folder for checkpoints is named although nothing is to be trained."""
    if folder:
        raise UserError(f"the folder {folder} is named but nothing would be trained: "
                        "add -p train true")


def train(name: str, text: str, words: int, steps: int, folder: str, *,
          keep_snapshots: bool = False, progress: bool = False, **options) -> Live:
    """Train the model `name` on the first so many words of a text (0: all), so many steps (0: all).

    folder: where the checkpoints are; "" for one that nobody keeps. keep_snapshots, progress: of
    `session.run`; options: of `session.prepare`. Raises UserError as these do.
    """
    from cwr.training.language_models import session  # torch takes seconds to import

    articles = session.read(text, words)
    checkpoints = Path(folder) if folder else Path(tempfile.mkdtemp()) / name
    prepared = session.prepare(name, articles, checkpoints, **options)
    learner = prepared.learner
    first_loss = learner.loss(0).item()
    row_every = max(1, steps // 6 or learner.steps // 100)
    curve = session.run(prepared, steps, row_every, keep_snapshots=keep_snapshots,
                        heldout=session.held_out(text), progress=progress)
    return Live(curve, learner.classes, first_loss)
