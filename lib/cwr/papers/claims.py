"""What a claim is: a sentence of a paper, and a predicate on a tidy table that decides it."""
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cwr.papers.published import matching

PAPER_FAMILIES = ("bilstm", "masked", "causal")


@dataclass(frozen=True)
class Needs:
    """What a claim speaks of.

    families: the families it speaks of (empty: any); a comparing claim needs one model of each.
    measures: the measures its predicate reads.
    n_layers: the depth that its layer numbers presuppose (None: any).
    estimator: the estimator whose rows it reads, where a measure has several (None: the measure has one).
    compares: True if models are compared: judged once per group of models, not once per model.
    beside: families that a comparing claim reads too if they are there, and does not need.
    """
    measures: tuple[str, ...]
    families: tuple[str, ...] = PAPER_FAMILIES
    n_layers: int | None = None
    estimator: str | None = None
    compares: bool = False
    beside: tuple[str, ...] = ()

    def select(self, table: pd.DataFrame) -> np.ndarray:
        """Which rows of a tidy table hold what the claim reads, of whatever model, (rows,) bool."""
        keep = table["measure"].isin(self.measures).to_numpy()
        return keep if self.estimator is None else keep & matching(table, estimator=self.estimator)

    def reads(self, table: pd.DataFrame) -> np.ndarray:
        """Which rows the predicate gets, (rows,) bool: of a comparing claim only models of the families it speaks of.

        What has no family (a control, such as random vectors) is read too.
        """
        keep, families = self.select(table), (*self.families, *self.beside)
        if self.compares and families:
            keep = keep & (table["family"].isin(families) | table["family"].isna()).to_numpy()
        return keep


@dataclass(frozen=True)
class Claim:
    """One checkable statement of a paper, under the id of the notes.

    place: where it stands; says: the statement in our words; holds: predicate on a tidy table of one model (or one
    group, if `needs.compares`), None for a statement that no number can decide; tolerance: the threshold that makes
    the words checkable, in words; because: what a reader of a verdict should know (charitable reading, what the
    threshold rests on).
    unprinted: why the printed numbers do not decide it, if they do not ("Figure 5 prints no values").
    transfer: for a claim tied to layer numbers or to a family, the same statement in relative depth or without the
    family, under an id of its own, so that any model can be asked; or a sentence that says why it has no such form;
    None for a claim that is not tied.
    A reading of a claim is a claim of its own, with the id "<claim>.<reading>".
    """
    id: str
    place: str
    says: str
    needs: Needs
    holds: Callable[[pd.DataFrame], bool] | None
    tolerance: str
    because: str = ""
    unprinted: str = ""
    transfer: "Claim | str | None" = None


def by_layer(table: pd.DataFrame, measure: str) -> np.ndarray:
    """Values of one measure of one model, in order of layers: (layers,)."""
    keep = table["measure"].to_numpy() == measure
    order = np.argsort(table["layer"].to_numpy()[keep])
    return table["value"].to_numpy()[keep][order]


def rank_correlation(values: np.ndarray, others: np.ndarray | None = None) -> float:
    """Spearman correlation of values with others, or with their index; ties share their rank, 0 for a constant."""
    others = np.arange(len(values)) if others is None else others
    ranks = [pd.Series(np.asarray(each)).rank().to_numpy() for each in (values, others)]
    if any(len(np.unique(each)) < 2 for each in ranks):
        return 0.0
    return float(np.corrcoef(*ranks)[0, 1])
