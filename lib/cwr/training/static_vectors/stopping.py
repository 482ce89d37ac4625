"""The rule that ends a training of static vectors: X2Static and Sent2Vec, each teacher, each text.

Some sentences are held out. Their loss is measured whenever the number of updates has doubled, and
the training ends where the doubling lowered the loss by less than a share (FLAT), or at a cap. A
fixed number of updates would favour some teachers: in each update a short context moves a vector
less than a long one.
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
    """The held-out loss along a training, measured after each doubling of the updates.

    updates, losses: at each measurement. until: the share by which the last doubling had to lower
    the loss for the training to continue.
    """

    updates: tuple[int, ...]
    losses: tuple[float, ...]
    until: float

    def after(self, updates: int, loss: float) -> "Course":
        """Returns the course with one more measurement."""
        return replace(self, updates=(*self.updates, updates), losses=(*self.losses, loss))

    @property
    def lowered(self) -> tuple[float, ...]:
        """The share by which each doubling lowered the loss; one fewer than the measurements."""
        return tuple(1 - after / before for before, after in itertools.pairwise(self.losses))

    @property
    def is_flat(self) -> bool:
        """Tells whether the stopping rule, and not the cap, ended the training."""
        is_early = self.updates[-1] < EARLIEST or len(self.updates) < 2
        return not is_early and self.lowered[-1] < self.until

    @property
    def end(self) -> str:
        """The end of the training in words: "flat after 1,120 updates: the last doubling …"."""
        ended = "flat after" if self.is_flat else "not flat at its cap of"
        ended += f" {self.updates[-1]:,} updates"
        if len(self.updates) < 2:
            return ended
        moved = "lowered" if self.lowered[-1] >= 0 else "raised"
        share = abs(self.lowered[-1])
        return f"{ended}: the last doubling {moved} the held-out loss by {share:.1%}"

    def frame(self) -> pd.DataFrame:
        """Tabulates the measurements: updates, loss and lowered by (NaN for the first)."""
        lowered = [np.nan, *self.lowered]
        return pd.DataFrame({"updates": self.updates, "loss": self.losses, "lowered by": lowered})


@dataclass(frozen=True)
class TrainedVectors(WordVectors):
    """A table of word vectors, with the course of their training if it had a stopping rule."""

    course: Course | None = None


def ends(courses: Mapping[object, Course]) -> pd.DataFrame:
    """Tabulates how trainings ended, one row per training, indexed by its key."""
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
    """Lists the numbers of updates at which to measure a training: a cap, its half, and so on."""
    looks = [cap]
    while looks[0] // 2 >= FIRST_LOOK:
        looks.insert(0, looks[0] // 2)
    return looks


def split_held_out(usable: np.ndarray, every: int) -> tuple[np.ndarray, np.ndarray]:
    """Splits sentences for training and held-out loss: one in `every` is held out.

    usable: (any,) the numbers of sentences. Returns the numbers for training, and the numbers held
    out, at most about MOST_HELD_OUT. Raises UserError for fewer than two sentences.
    """
    if len(usable) < 2:
        raise UserError(
            "a training that ends where the loss on held-out sentences is flat needs two of them, "
            f"and the text has {len(usable)}: take more text"
        )
    every = max(every, -(-len(usable) // MOST_HELD_OUT))
    is_held_out = np.arange(len(usable)) % every == 0
    return usable[~is_held_out], usable[is_held_out]
