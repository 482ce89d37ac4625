"""When a training of static vectors ends: one rule for X2Static and Sent2Vec, each teacher, each text.

Some sentences are held out, the loss on them is looked at whenever the number of updates has doubled,
and the training ends where that lowered it by less than a share (FLAT), or at a cap. A fixed number of
updates would decide between teachers: a short context moves a vector less in each update than a long
one does.
"""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from cwr.corpora.word_vectors import WordVectors
from cwr.errors import UserError

FLAT = 0.02  # a training has levelled off if doubling it lowers the held-out loss by less
EARLIEST = 560  # updates before any end: from a start near 0 the loss may fall late
FIRST_LOOK = 30  # updates before the held-out loss is looked at for the first time
MOST_HELD_OUT = 1000  # sentences: beyond that they would cost time and decide nothing more


@dataclass(frozen=True)
class Course:
    """The held-out loss along a training, looked at whenever the updates have doubled.

    updates, losses: of each look. until: the share by which the last doubling had to lower the loss
    for the training to go on.
    """

    updates: tuple[int, ...]
    losses: tuple[float, ...]
    until: float

    def after(self, updates: int, loss: float) -> "Course":
        """The same with one look more."""
        return replace(self, updates=(*self.updates, updates), losses=(*self.losses, loss))

    @property
    def lowered(self) -> tuple[float, ...]:
        """By which share of itself each doubling lowered the loss; one fewer than the looks."""
        return tuple(1 - after / before for before, after in itertools.pairwise(self.losses))

    @property
    def is_flat(self) -> bool:
        """Whether the training may end at the last look; if not, it ended at its cap."""
        is_early = self.updates[-1] < EARLIEST or len(self.updates) < 2
        return not is_early and self.lowered[-1] < self.until

    @property
    def end(self) -> str:
        """How the training ended, for a reader: "flat after 1,120 updates: the last doubling …"."""
        ended = "flat after" if self.is_flat else "not flat at its cap of"
        ended += f" {self.updates[-1]:,} updates"
        if len(self.updates) < 2:
            return ended
        moved = "lowered" if self.lowered[-1] >= 0 else "raised"
        share = abs(self.lowered[-1])
        return f"{ended}: the last doubling {moved} the held-out loss by {share:.1%}"

    def frame(self) -> pd.DataFrame:
        """A row a look, columns updates, loss and lowered by (none for the first)."""
        lowered = [np.nan, *self.lowered]
        return pd.DataFrame({"updates": self.updates, "loss": self.losses, "lowered by": lowered})


@dataclass(frozen=True)
class Trained(WordVectors):
    """Vectors, and the course of their training if that ended by the rule."""

    course: Course | None = None


def ends(courses: Mapping[object, Course]) -> pd.DataFrame:
    """How trainings ended, for a reader: a row each, under its key, a text or a tuple of them."""
    rows = [
        {
            "updates": course.updates[-1],
            "held-out loss": course.losses[-1],
            "last doubling lowered it by": f"{course.lowered[-1]:.1%}" if course.lowered else "",
            "ended": "flat" if course.is_flat else "at the cap",
        }
        for course in courses.values()
    ]
    return pd.DataFrame(rows, pd.Index(list(courses)))


def doublings(cap: int) -> list[int]:
    """The numbers of updates at which a training is looked at: a cap, its half, and so on."""
    looks = [cap]
    while looks[0] // 2 >= FIRST_LOOK:
        looks.insert(0, looks[0] // 2)
    return looks


def parted(usable: np.ndarray, every: int) -> tuple[np.ndarray, np.ndarray]:
    """Sentences to train on, and those held out: one of so many, at most MOST_HELD_OUT, evenly.

    usable: (any,) the numbers of sentences. Raises UserError for fewer than two.
    """
    if len(usable) < 2:
        raise UserError(
            "a training that ends where the loss on held-out sentences is flat needs two of them, "
            f"and the text has {len(usable)}: take more text"
        )
    every = max(every, -(-len(usable) // MOST_HELD_OUT))
    is_held_out = np.arange(len(usable)) % every == 0
    return usable[~is_held_out], usable[is_held_out]
