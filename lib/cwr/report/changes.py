"""What another choice changes: the verdict on a claim, and the number that decides it.

Choices share their draws where they share their items, so that a change has an interval of its own.

D = draws
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cwr.measures import stats
from cwr.papers import registry
from cwr.papers.claims import Claim, general_form
from cwr.report.distance import paired_interval
from cwr.report.groups import on_ours
from cwr.report.judgement import FAILS, HOLDS, NOT_RUN, Verdict
from cwr.report.results import Results
from cwr.tables import by_family, matching


@dataclass(frozen=True)
class Change:
    """One claim on one model, by the choice of the chapter and by another.

    claim: its id. before, after: the verdicts by the two choices.
    interval: of 95 % of the draws of the difference between the numbers that decide; None where no
        one number decides by both, or where there are no draws.
    """

    claim: str
    before: Verdict
    after: Verdict
    interval: tuple[float, float] | None = None

    @property
    def values(self) -> tuple[float, float] | None:
        """The numbers that decide, before and after; None where no one number decides by both."""
        if not (self.before.distances and self.after.distances):
            return None
        return self.before.distances[0].value, self.after.distances[0].value

    @property
    def is_flip(self) -> bool:
        """Whether holds becomes fails, or fails holds, by a number whose interval excludes nought.

        Where no one number decides, the two verdicts do: each is that of 97.5 % of its draws.
        """
        if {self.before.verdict, self.after.verdict} != {HOLDS, FAILS}:
            return False
        return self.interval is None or self.interval[0] > 0 or self.interval[1] < 0


def by_choice(results: Results, paper: str, group: str) -> dict[str, dict[str, list[Change]]]:
    """{variant: {model, or group: the verdicts that change}}, models in the order of their families.

    Claims come in the order of the figures, each before its general form. A claim that could not be
    asked under both choices has not changed.
    group: what a set of models is called that are not all shipped ones.
    """
    claims = _with_general(registry.paper(paper).claims)
    base = on_ours(claims, results, group)
    changes = {}
    for variant in results.table["variant"].dropna().unique():
        rows = results.where(matching(results.table, variant=variant))
        rows.table["variant"] = pd.NA
        other = on_ours(claims, rows, group)
        names = _names(other, rows.table)
        changes[variant] = {name: _changes(base, other, name) for name in names}
    return changes


def _names(verdicts: Mapping[str, dict[str, Verdict]], table: pd.DataFrame) -> list[str]:
    """The models that claims are judged on; of a text all of whose claims compare, the groups.

    A group of which nothing could be asked is left out.
    """
    names, groups = set(), {}
    for by_name in verdicts.values():
        names |= set(by_name)
        groups |= {name: None for name in by_name if by_name[name].verdict != NOT_RUN}
    return [model for model in by_family(table) if model in names] or list(groups)


def of_measure(results: Results, measure: str, **keys: object) -> pd.DataFrame:
    """How far each choice moves a measure, as a mean over the layers above the input.

    Returns variant, model, family, change, and the 95 % interval low, high of the paired draws.
    """
    means = _means(results.where(matching(results.table, measure=measure, **keys)))
    rows = []
    for (variant, model, family), (value, draws) in means.items():
        if variant:
            base, base_draws = means["", model, family]
            low, high = stats.interval(draws - base_draws)
            rows.append((variant, model, family, value - base, low, high))
    return pd.DataFrame(rows, columns=["variant", "model", "family", "change", "low", "high"])


def _means(results: Results) -> dict[tuple[str, str, str], tuple[float, np.ndarray]]:
    """{(variant or "", model, family): mean over layers above the input, and its draws (D,)}."""
    table = results.table.assign(variant=results.table["variant"].fillna(""))
    above_input = table[table["layer"] > 0]
    means = {}
    for key, rows in above_input.groupby(["variant", "model", "family"], sort=False):
        means[key] = rows["value"].mean(), results.replicates[:, rows.index].mean(axis=1)
    return means


def _with_general(claims: list[Claim]) -> list[Claim]:
    """The claims, each followed by its general form where it has one."""
    forms = [(claim, general_form(claim)) for claim in claims]
    return [each for pair in forms for each in pair if each]


def _changes(
    base: Mapping[str, dict[str, Verdict]], other: Mapping[str, dict[str, Verdict]], model: str
) -> list[Change]:
    """The claims whose verdicts on a model differ."""
    changes = []
    for claim, verdicts in base.items():
        before, after = verdicts.get(model), other[claim].get(model)
        asked = before and after and NOT_RUN not in (before.verdict, after.verdict)
        if asked and before.verdict != after.verdict:
            interval = paired_interval(before.distances, after.distances)
            changes.append(Change(claim, before, after, interval))
    return changes
