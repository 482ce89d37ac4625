"""Trains probes on a probing set's train contexts, stops them on dev, and tests them.

Zhao et al. (2020), section 3.2: a probe for each semantic class, whose negatives are all contexts
of other classes. Our corpus is small: a class with few train pairs gets no probe. Its contexts are
negatives of all others in training, and are left out, and counted, where probes are tested. F1
counts pairs of a word and a class, so the dev loss that ends a probe does too: otherwise two
frequent dev words would decide.

    n contexts, S seeds, L layers, C classes with a probe
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from cwr.corpora.wiki_pse.contexts import DEV, PAIR, TEST, TRAIN
from cwr.errors import UserError
from cwr.texts.zhao2020 import probe_training
from cwr.texts.zhao2020.probe_training import Probes, Settings
from cwr.texts.zhao2020.probes import Answers, numbered

FEWEST_PAIRS = 10  # of a class in train
DEFAULT = Settings()


@dataclass(frozen=True, eq=False)
class SplitAnswers:
    """The answers of probes on one split.

    answers: to the contexts whose class has a probe. classes: these classes, in the answers' order.
    left_out: the number of contexts of the split with another class. probes: of each seed.
    """

    answers: Answers
    classes: tuple[str, ...]
    left_out: int
    probes: tuple[Probes, ...]

    @property
    def is_settled(self) -> np.ndarray:
        """The probes whose loss has levelled off, (S, L, C) bool; others were cut off."""
        return np.stack([probe.is_settled.cpu().numpy() for probe in self.probes])

    @property
    def is_learned(self) -> np.ndarray:
        """The probes that beat the rate of their class on dev contexts, (S, L, C) bool."""
        return np.stack([probe.is_learned.cpu().numpy() for probe in self.probes])


def answers(
    vectors: Sequence[np.ndarray],
    table: pd.DataFrame,
    settings: Settings = DEFAULT,
    seeds: Iterable[int] = (0,),
    split: str = TEST,
    layers: Sequence[int] | None = None,
    device: str = "cpu",
) -> SplitAnswers:
    """Trains probes on some layers of a probing set, and tests them on one of its splits.

    vectors: an array (n, dim) for each layer, rows as in the table. table: at least the columns
        word, class and split (`wiki_pse.contexts`). seeds: replace that of `settings`.
    layers: their numbers; by default 0, 1, … of several arrays, and none of a single one.
    Raises UserError where no class has `FEWEST_PAIRS` train pairs, and as `probe_training.train`
    and `answers_of`.
    """
    classes = probed_classes(table)
    labels = table["class"].to_numpy()
    train, dev = ((table["split"] == name).to_numpy() for name in (TRAIN, DEV))
    parts = of_rows(vectors, train), labels[train], of_rows(vectors, dev), labels[dev]
    weights = pair_weights(table[dev])
    probes = [
        probe_training.train(*parts, classes, replace(settings, seed=seed), device, weights)
        for seed in seeds
    ]
    return answers_of(probes, vectors, table, split, layers)


def answers_of(
    probes: Sequence[Probes],
    vectors: Sequence[np.ndarray],
    table: pd.DataFrame,
    split: str = TEST,
    layers: Sequence[int] | None = None,
) -> SplitAnswers:
    """Applies trained probes, one of each seed, to a split; arguments as in `answers`.

    Raises UserError for vectors of another number of contexts than the table has, and for a split
    without a context of a class that has a probe.
    """
    classes = probes[0].classes
    in_split = (table["split"] == split).to_numpy()
    rows = in_split & table["class"].isin(classes).to_numpy()
    if not rows.any():
        raise UserError(f"no context of the split {split} has a class with a probe: take more text")
    decisions = [probe.margins(of_rows(vectors, rows)) > 0 for probe in probes]
    gold = numbered(table["class"][rows], classes)
    numbers = tuple(range(len(vectors))) if layers is None else tuple(layers)
    if layers is None and len(vectors) == 1:
        numbers = (None,)
    words = table["word"].to_numpy()[rows]
    said = Answers(words, gold, np.stack(decisions), numbers)
    return SplitAnswers(said, classes, int(in_split.sum() - rows.sum()), tuple(probes))


def pair_weights(table: pd.DataFrame) -> np.ndarray:
    """Weights each context, (n,), so that every pair of a word and a class counts once."""
    return 1 / table.groupby(PAIR)["split"].transform("size").to_numpy()


def probed_classes(table: pd.DataFrame) -> tuple[str, ...]:
    """Lists the classes with `FEWEST_PAIRS` pairs in train, in alphabetical order.

    Raises UserError for none.
    """
    pairs = table[table["split"] == TRAIN].drop_duplicates(PAIR)
    counts = pairs["class"].value_counts()
    classes = tuple(sorted(counts.index[counts >= FEWEST_PAIRS]))
    if not classes:
        raise UserError(
            f"no class has {FEWEST_PAIRS} words to train on, and probes need as many: take a "
            "larger corpus"
        )
    return classes


def of_rows(vectors: Sequence[np.ndarray], rows: np.ndarray) -> list[np.ndarray]:
    """Selects some rows, (n,) bool, of each layer's vectors.

    Raises UserError for vectors of another number of contexts.
    """
    lengths = {len(array) for array in vectors} - {len(rows)}
    if lengths:
        raise UserError(f"{len(rows)} contexts got {lengths.pop()} vectors: give one a context")
    return [array[rows] for array in vectors]
