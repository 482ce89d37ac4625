"""Trains a model in one call, for the notebook on the recipe."""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import pandas as pd

from cwr.errors import UserError, first_line, quoted


@dataclass(frozen=True, eq=False)
class Live:
    """The result of a training."""

    curve: pd.DataFrame  # as `session.run` returns it
    classes: int  # pieces or words among which the model chooses
    first_loss: float  # nats, before the first step

    def rows(self, name: str, family: str) -> list[dict]:
        """Returns the training loss of model `name` by step (k), as rows for `results.write`."""
        keys = {
            "model": name,
            "family": family,
            "measure": "training_loss",
            "variant": "trained here",
        }
        return [{**keys, "k": int(row.step), "value": row.loss} for row in self.curve.itertuples()]


def refuse_untrained(folder: str, changes: Mapping[str, object]) -> None:
    """Raises UserError for a folder of checkpoints, or changes of a recipe, without a training.

    folder: "" for none. changes: {field: value}.
    """
    if folder or changes:
        asked = f"the folder {quoted(folder)} is" if folder else "changes of the recipe are"
        raise UserError(f"{asked} named but nothing would be trained: add -p train true")


def _made(folder: str) -> Path:
    """Makes and returns a folder for checkpoints. Raises UserError if that is impossible."""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:  # ValueError: a null byte
        raise UserError(
            f"the folder {quoted(folder)} for checkpoints cannot be made ({first_line(error)}): "
            "name another"
        ) from None
    return Path(folder)


def train(
    name: str,
    text: str,
    words: int,
    steps: int,
    folder: str,
    *,
    changes: Mapping[str, object] = MappingProxyType({}),
    keep_snapshots: bool = False,
    progress: bool = False,
    **options,
) -> Live:
    """Trains the model `name` on the beginning of a text.

    words: the least number of words to read (0: all). steps: how many to take (0: all).
    folder: for checkpoints; "" for a temporary one. changes: {field of the recipe: value}.
        keep_snapshots, progress: as in `session.run`. options: as in `session.prepare`. Raises
        UserError as `session.read`, `prepare` and `run`, and if the folder cannot be made.
    """
    # in the function, because torch takes seconds to import
    from cwr.making.language_models import session
    from cwr.making.language_models.recipe_changes import changed
    from cwr.making.language_models.recipes import RECIPES

    changed(RECIPES[name], changes)  # refused before the text is read
    checkpoints = _made(folder) if folder else Path(tempfile.mkdtemp()) / name
    articles = session.read(text, words)
    prepared = session.prepare(name, articles, checkpoints, **(options | changes))
    learner = prepared.learner
    first_loss = learner.loss(0).item()
    row_every = max(1, steps // 6 or learner.steps // 100)
    curve = session.run(
        prepared,
        steps,
        row_every,
        keep_snapshots=keep_snapshots,
        heldout=session.held_out(text),
        progress=progress,
    )
    return Live(curve, learner.classes, first_loss)
