"""From estimates to verdicts: `judge` decides one claim on one table."""
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cwr.papers.claims import Claim

HOLDS, FAILS, UNDECIDED, NOT_RUN = "holds", "fails", "undecided", "not run"
NOT_DECIDABLE = "not decidable"                             # of a claim on the published numbers
AGREES, DIFFERS = "agrees", "differs"                       # of a check of printed numbers
MANY = {HOLDS: "hold", FAILS: "fail", AGREES: "agree", DIFFERS: "differ"}
SURE = 0.975                                                # share of replicates that decides a claim


@dataclass(frozen=True)
class Verdict:
    """What became of a claim: the verdict, the share of replicates in which it holds (None: no replicates), why it
    was not run, and whether the model is of a family that the claim does not speak of."""
    verdict: str
    support: float | None = None
    reason: str = ""
    beyond: bool = False

    def __str__(self) -> str:
        text = self.verdict if self.support is None else f"{self.verdict} ({self.support:.2f})"
        return f"beyond the paper: {text}" if self.beyond and self.verdict != NOT_RUN else text


def counted(words: Iterable[str], always: Iterable[str] = (HOLDS, FAILS, NOT_DECIDABLE)) -> str:
    """How many verdicts are which, for a sentence: "32 hold, 15 fail, 5 not decidable".

    always: the words named even where there are none, and first; any other word is named where it occurs.
    """
    counts = Counter(words)
    return ", ".join(f"{counts[word]} {MANY.get(word, word)}" for word in dict.fromkeys([*always, *counts]))


def missing(claim: Claim, table: pd.DataFrame) -> str:
    """Why a claim cannot be asked of this table, in one clause; empty if it can."""
    if claim.holds is None:
        return claim.unprinted or "no number decides it"
    table = table[claim.needs.select(table)]
    absent = [m for m in claim.needs.measures if m not in set(table["measure"])]
    if absent:
        by = f" by the estimator {claim.needs.estimator!r}" if claim.needs.estimator else ""
        return f"needs {' and '.join(absent).replace('_', ' ')}{by}"
    if claim.needs.compares:
        lacking = [f for f in claim.needs.families if f not in set(table["family"])]
        if not lacking and not claim.needs.reads(table).any():
            lacking = claim.needs.beside
        return f"compares families, and there is no {' and no '.join(lacking)} model here" if lacking else ""
    if claim.needs.n_layers is None or (depth := int(table["layer"].max())) == claim.needs.n_layers:
        return ""
    return f"speaks of layers of a {claim.needs.n_layers}-layer model; this one has {depth}"


def judge(claim: Claim, table: pd.DataFrame, replicates: np.ndarray | None = None) -> Verdict:
    """Judge one claim on the estimates of one model, or of one group of models if the claim compares.

    table: tidy estimates (the schema of `papers.published.KEYS`, and `value`), index 0..rows-1.
    replicates: (draws, rows), bootstrap replicates of the rows; a column of NaN means "no replicates", and the
        point value stands in every draw.
    Holds in at least 97.5 % of the draws: "holds"; in at most 2.5 %: "fails"; between: "undecided". Without any
    replicates the point value decides. "not run" gives its reason.
    """
    beyond = bool(claim.needs.families) and not set(table["family"].dropna()) & set(claim.needs.families)
    if reason := missing(claim, table):
        return Verdict(NOT_RUN, reason=reason, beyond=beyond)
    keep = claim.needs.reads(table)
    table = table[keep].astype({"measure": object, "layer": float})     # plain arrays: a predicate runs 1,000 times
    if replicates is None or np.isnan(replicates[:, keep]).all():
        return Verdict(HOLDS if claim.holds(table) else FAILS, beyond=beyond)
    draws = np.where(np.isnan(replicates[:, keep]), table["value"].to_numpy(dtype=float), replicates[:, keep])
    values = np.empty(len(table))           # the column is this array: filling it is all that a draw costs
    table = table.assign(value=pd.Series(values, table.index, copy=False))
    support = float(np.mean([_holds(claim, table, values, draw) for draw in draws]))
    verdict = HOLDS if support >= SURE else FAILS if support <= 1 - SURE else UNDECIDED
    return Verdict(verdict, support, beyond=beyond)


def _holds(claim: Claim, table: pd.DataFrame, values: np.ndarray, draw: np.ndarray) -> bool:
    values[:] = draw
    return claim.holds(table)
