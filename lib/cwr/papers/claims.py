"""What a claim is: a sentence of a paper, and a predicate on a tidy table that decides it."""
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

PAPER_FAMILIES = ("bilstm", "masked", "causal")


@dataclass(frozen=True)
class Needs:
    """What a claim speaks of.

    families: the families it speaks of (empty: any); a comparing claim needs one model of each.
    measures: the measures its predicate reads.
    n_layers: the depth that its layer numbers presuppose (None: any).
    estimator: the estimator whose rows it reads, where a measure has several (None: the measure has one).
    compares: True if models are compared: judged once per group of models, not once per model.
    """
    measures: tuple[str, ...]
    families: tuple[str, ...] = PAPER_FAMILIES
    n_layers: int | None = None
    estimator: str | None = None
    compares: bool = False

    def select(self, table: pd.DataFrame) -> np.ndarray:
        """Which rows of a tidy table the claim reads, (rows,) bool."""
        keep = table["measure"].isin(self.measures)
        if self.estimator is not None:
            keep &= (table["estimator"] == self.estimator).fillna(False)
        return keep.to_numpy()


@dataclass(frozen=True)
class Claim:
    """One checkable statement of a paper, under the id of the notes.

    place: where it stands; says: the statement in our words; holds: predicate on a tidy table of one model (or one
    group, if `needs.compares`); tolerance: the threshold that makes the words checkable, in words; because: what a
    reader of a verdict should know (charitable reading, what the threshold rests on).
    """
    id: str
    place: str
    says: str
    needs: Needs
    holds: Callable[[pd.DataFrame], bool]
    tolerance: str
    because: str = ""


def by_layer(table: pd.DataFrame, measure: str) -> np.ndarray:
    """Values of one measure of one model, in order of layers: (layers,)."""
    keep = table["measure"].to_numpy() == measure
    order = np.argsort(table["layer"].to_numpy()[keep])
    return table["value"].to_numpy()[keep][order]


def rank_correlation(values: np.ndarray) -> float:
    """Spearman correlation of values with their index; 0 for a constant sequence."""
    ranks = pd.Series(values).rank().to_numpy()
    if np.ptp(ranks) == 0:
        return 0.0
    return float(np.corrcoef(ranks, np.arange(len(ranks)))[0, 1])
