"""Compares two choices: how the verdict on a claim and the number that decides it change.

Choices over the same items share their draws, so a change has a paired interval.

D = draws
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from cwr.measures import stats
from cwr.papers.claims import Claim, general_of
from cwr.report.distance import paired_interval
from cwr.report.groups import on_ours
from cwr.report.judgement import FAILS, HOLDS, NOT_RUN, Verdict
from cwr.report.results import Results
from cwr.tables import ANOTHER_SEED, by_family, matching


@dataclass(frozen=True)
class Change:
    """The verdicts on a claim and a model or group by the chapter's choice and by another choice.

    claim: its id. before: the verdict by the chapter's choice. after: the verdict by the other
        choice.
    interval: the paired 95 % interval of the deciding number's change; None where a verdict rests
        on no single number, or without draws.
    by_seed: the change by `ANOTHER_SEED` on the same claim and model or group; None if not asked.
    """

    claim: str
    before: Verdict
    after: Verdict
    interval: tuple[float, float] | None = None
    by_seed: "Change | None" = None

    @property
    def values(self) -> tuple[float, float] | None:
        """The deciding numbers (before, after); None where no single number decides."""
        if not (self.before.distances and self.after.distances):
            return None
        return self.before.distances[0].value, self.after.distances[0].value

    @property
    def noise(self) -> float:
        """The distance by which another seed alone moves the deciding number; 0 if not asked."""
        if self.by_seed is None or self.by_seed.values is None:
            return 0.0
        before, after = self.by_seed.values
        return abs(after - before)

    @property
    def is_flip(self) -> bool:
        """Tells whether the verdict turns from holds to fails, or back, by more than noise.

        If there is an interval, it must lie farther from 0 than `noise`. If there is none, the
        verdicts `before` and `after` suffice, unless another seed gives the verdict `after`, too.
        `ANOTHER_SEED` itself never flips a verdict.
        """
        is_noise = self.by_seed is not None and self.by_seed.after is self.after
        if {self.before.verdict, self.after.verdict} != {HOLDS, FAILS} or is_noise:
            return False
        if self.interval is None:
            return self.by_seed is None or self.by_seed.after.verdict != self.after.verdict
        return self.interval[0] > self.noise or self.interval[1] < -self.noise


Asked = dict[str, list[Change]]  # {model or group: claims asked of it by both choices}


def by_choice(results: Results, claims: Sequence[Claim], group: str) -> dict[str, Asked]:
    """Returns {variant: {model or group: changes}}; verdicts that stay the same are left out.

    Arguments and order are those of `asked_by_choice`.
    """
    changed = {}
    for variant, asked in asked_by_choice(results, claims, group).items():
        changed[variant] = {
            name: [each for each in of_name if each.before.verdict != each.after.verdict]
            for name, of_name in asked.items()
        }
    return changed


def asked_by_choice(results: Results, claims: Sequence[Claim], group: str) -> dict[str, Asked]:
    """Returns {variant: {model or group: each claim judged without the variant and with it}}.

    Models come in the order of their families, then groups. Claims keep their order, each before
    its general form. A claim is left out unless it could be asked both without and with the
    variant. A group has only models with estimates under the variant.
    group: the name of a set of models that are not all shipped ones.
    """
    chapter, asked, before = results.without_variants(), {}, {}
    for variant in results.estimates.distinct("variant"):
        rows = results.where(results.estimates.one_of("variant", [variant])).without("variant")
        models = frozenset(rows.estimates.distinct("model"))
        if models not in before:  # most choices are of the same models
            before[models] = _on_models(models, chapter, claims, group)
        asked[variant] = _pairs(before[models], rows, claims, group)
    return _beside_seeds(asked)


def _beside_seeds(asked: dict[str, Asked]) -> dict[str, Asked]:
    """Fills `by_seed` of every change from the changes under `ANOTHER_SEED`."""
    by_seed = {
        (name, change.claim): change
        for name, of_name in asked.get(ANOTHER_SEED, {}).items()
        for change in of_name
    }
    return {
        variant: {
            name: [replace(each, by_seed=by_seed.get((name, each.claim))) for each in of_name]
            for name, of_name in by_model.items()
        }
        for variant, by_model in asked.items()
    }


def _on_models(
    models: frozenset[str], results: Results, claims: Sequence[Claim], group: str
) -> dict[str, dict[str, Verdict]]:
    """Judges claims and their general forms on these models of the results, as `on_ours`."""
    keep = results.estimates.one_of("model", [None, *models])
    return on_ours(_with_general(claims), results.where(keep), group)


def _pairs(
    before: Mapping[str, dict[str, Verdict]],
    other: Results,
    claims: Sequence[Claim],
    group: str,
) -> Asked:
    """Returns the changes of one variant against the verdicts `before`, as in `asked_by_choice`."""
    after = on_ours(_with_general(claims), other, group)
    return {name: _asked(before, after, name) for name in _names(after, other.table)}


def _names(verdicts: Mapping[str, dict[str, Verdict]], table: pd.DataFrame) -> list[str]:
    """Returns the judged models, then the groups that any claim could be asked of."""
    names, asked = set(), {}
    for by_name in verdicts.values():
        names |= set(by_name)
        asked |= {name: None for name in by_name if by_name[name].verdict != NOT_RUN}
    models = [model for model in by_family(table) if model in names]
    return models + [name for name in asked if name not in models]


def of_measure(results: Results, measure: str, **keys: object) -> pd.DataFrame:
    """Measures how far each choice moves a measure, as a mean over the layers above the input.

    keys: further key columns. Returns a row for each variant and model: variant, model, family,
        change, and the 95 % interval low, high of the paired draws.
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
    """Returns {(variant or "", model, family): mean above the input layer, and its draws (D,)}."""
    table = results.table.assign(variant=results.table["variant"].fillna(""))
    above_input = table[table["layer"] > 0]
    means = {}
    for key, rows in above_input.groupby(["variant", "model", "family"], sort=False):
        means[key] = rows["value"].mean(), results.drawn[:, rows.index].mean(axis=1)
    return means


def _with_general(claims: Sequence[Claim]) -> list[Claim]:
    """Returns the claims, each followed by its general form where it has one."""
    forms = [(claim, general_of(claim)) for claim in claims]
    return [each for pair in forms for each in pair if each]


def _asked(
    before: Mapping[str, dict[str, Verdict]], after: Mapping[str, dict[str, Verdict]], name: str
) -> list[Change]:
    """Returns the changes on one model or group; claims not asked on both sides are left out."""
    asked = []
    for claim, verdicts in before.items():
        first, second = verdicts.get(name), after[claim].get(name)
        if first and second and NOT_RUN not in (first.verdict, second.verdict):
            interval = paired_interval(first.distances, second.distances)
            asked.append(Change(claim, first, second, interval))
    return asked
