"""Whom a claim is asked: each model, a named group of models, or, in its general form, a model of another depth."""
from dataclasses import replace

import numpy as np
import pandas as pd

from cwr.encoders.shipped import SHIPPED
from cwr.papers.claims import Claim
from cwr.tables import by_family
from cwr.report import FAILS, HOLDS, Verdict, judge, missing
from cwr.report.results import Results

CWR = "cwr"
GROUPS = {CWR: SHIPPED}                 # every other set of models is called by its profile, or what the reader ran


def named(table: pd.DataFrame, rest: str) -> dict[str, np.ndarray]:
    """The groups that claims comparing models are judged on: {name: rows of the table, (rows,) bool}.

    A table with all models of one of GROUPS is judged on these alone; any other is one group, called `rest`. What
    belongs to no model is part of every group.
    """
    there = set(table["model"].dropna())
    found = {name: (table["model"].isin(models) | table["model"].isna()).to_numpy()
             for name, models in GROUPS.items() if there >= set(models)}
    return found or {rest: np.ones(len(table), dtype=bool)}


def on_ours(claims: list[Claim], results: Results | None, group: str) -> dict[str, dict[str, Verdict]]:
    """Claims on our estimates: {claim id: {model: verdict}}, or {group: verdict} where a claim compares models.

    Models come in the order of their families. Estimates of a variant (another pooling, say) are left out: they are
    looked at by `verdicts.flips`. group: what a set of models without a name of its own is called.
    """
    if results is None:
        return {claim.id: {} for claim in claims}
    models, groups = _parts(results, group)
    return {claim.id: {who: judge(claim, part.table, part.replicates)
                       for who, part in (groups if claim.needs.compares else models).items()}
            for claim in claims}


def general(claim: Claim) -> Claim | None:
    """A claim about the layers of a model of one depth, as it can be asked of its own families at any depth.

    It bears the id of the claim's `transfer`, which asks the same of any family; None for a claim without one.
    """
    if claim.needs.n_layers is None or claim.needs.compares or not isinstance(claim.transfer, Claim):
        return None
    return replace(claim.transfer, needs=replace(claim.transfer.needs, families=claim.needs.families))


def in_general(claims: list[Claim], results: Results | None) -> dict[str, dict[str, Verdict]]:
    """{claim id: {model: verdict of the claim's general form}}, for models that lack nothing but its number of layers.

    Only models of families that the claim speaks of; a claim without such a form or such models is left out.
    """
    models = {} if results is None else _parts(results, "")[0]
    found = {}
    for claim, form in ((claim, form) for claim in claims if (form := general(claim))):
        asked = {model: judge(form, part.table, part.replicates) for model, part in models.items()
                 if set(part.table["family"]) & set(claim.needs.families) and _only_depth_is_missing(claim, part.table)}
        found |= {claim.id: asked} if asked else {}
    return found


def decided(claims: list[Claim], results: Results) -> dict[str, bool]:
    """Whether the shipped models decide each claim that a number can decide: {claim id: bool}.

    Decided means "holds" or "fails" on each shipped model of a family that the claim speaks of, or on their group if
    it compares models; a claim tied to a depth that they do not have counts in its general form. Undecided is not.
    """
    results = results.where(results.table["model"].isin(SHIPPED).to_numpy())
    own, forms = on_ours(claims, results, CWR), in_general(claims, results)
    answers = {c.id: [v.verdict for v in (own[c.id] | forms.get(c.id, {})).values() if not v.beyond]
               for c in claims if c.holds is not None}
    return {name: bool(given) and set(given) <= {HOLDS, FAILS} for name, given in answers.items()}


def _parts(results: Results, group: str) -> tuple[dict[str, Results], dict[str, Results]]:
    """The estimates of each model, and those of each group."""
    results = results.where(results.table["variant"].isna().to_numpy())
    return ({model: results.of_model(model) for model in by_family(results.table)},
            {name: results.where(rows) for name, rows in named(results.table, group).items()})


def _only_depth_is_missing(claim: Claim, table: pd.DataFrame) -> bool:
    any_depth = replace(claim, needs=replace(claim.needs, n_layers=None))
    return bool(missing(claim, table)) and not missing(any_depth, table)
