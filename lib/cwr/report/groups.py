"""Judges claims on each model, or on the group of models that a claim compares.

Models with other names or depths than a claim names are judged by its general form.
"""

from collections.abc import Iterable
from dataclasses import replace

from cwr.encoders.shipped import SHIPPED
from cwr.papers.claims import STATIC, Claim, general_of, is_encoder
from cwr.report import untrained
from cwr.report.judgement import BY_BOUND, FAILS, NOT_RUN, Verdict, ask
from cwr.report.results import Results
from cwr.report.untrained import Copies
from cwr.rows import Rows
from cwr.tables import by_family

CWR = "cwr"  # a group whose encoders are shipped ones


def of_chapter(claims: Iterable[Claim], results: Results) -> Results:
    """Returns the results without models that have no estimate for any of a text's claims.

    For example, a model without a matrix is left out of a chapter on matrices. If no model has such
    an estimate, all results are returned, so that each verdict can name what is lacking.
    """
    forms = [
        form for claim in claims for form in (claim, claim.general_form) if isinstance(form, Claim)
    ]
    measures = {measure for form in forms for measure in form.needs.measures}
    rows = results.estimates
    of_text = rows.where(rows.one_of("measure", measures)).distinct("model")
    return results.where(rows.one_of("model", [None, *of_text])) if of_text else results


def on_ours(
    claims: list[Claim], results: Results | None, rest: str
) -> dict[str, dict[str, Verdict]]:
    """Judges claims on our estimates: {claim id: {model, or compared group: verdict}}.

    Models come in the order of their families. Estimates of a variant (another pooling, say) are
    left out: `verdicts.flips` compares them. Estimates of untrained copies serve the comparison
    with copies (`untrained.with_word`) and claims that read them (`Needs.copies`).
    rest: the name of a group that has encoders other than the shipped ones.
    """
    if results is None:
        return {claim.id: {} for claim in claims}
    results, copies = untrained.parted(results)
    models = by_model(results)
    return {claim.id: _verdicts(claim, results, models, copies, rest) for claim in claims}


def by_model(results: Results) -> dict[str, Results]:
    """Returns {model: its estimates}, in the order of the families."""
    return {model: results.of_model(model) for model in by_family(results.estimates)}


def _verdicts(
    claim: Claim, results: Results, models: dict[str, Results], copies: list[Copies], rest: str
) -> dict[str, Verdict]:
    if claim.needs.compares:
        name, group = group_of(claim, results, rest)
        return {name: _with_word(claim, group, copies)}
    models = {model: part for model, part in models.items() if not _is_mute(claim, part)}
    static = {
        model for model, part in models.items() if part.estimates.one_of("family", [STATIC]).all()
    }
    if STATIC not in claim.needs.families:
        models = {model: part for model, part in models.items() if model not in static}
    elif claim.needs.families == (STATIC,) and static:
        models = {model: part for model, part in models.items() if model in static}
    return {model: _with_word(claim, part, copies) for model, part in models.items()}


def _is_mute(claim: Claim, results: Results) -> bool:
    """Tells whether this is a control (no family: a rule, say) without a row for the claim."""
    rows = results.estimates
    return not rows.has("family").any() and not claim.needs.select(rows).any()


def _with_word(claim: Claim, results: Results, copies: list[Copies]) -> Verdict:
    """Returns the verdict on one model or group, compared with its untrained copies."""
    return untrained.with_word(claim, judged(claim, results), results, copies, judged)


def judged(claim: Claim, results: Results) -> Verdict:
    """Judges a claim on one model or group, with as many draws as all rows that it reads have.

    If the claim and its bound (`Claim.bound`) both fail, the reason says that the claim cannot hold
    here. A claim that only printed numbers can decide is "not run".
    """
    if claim.print_only:
        return Verdict(NOT_RUN, reason=claim.print_only)
    keep = claim.needs.reads(results.estimates)
    if claim.given:
        keep = keep | claim.given.needs.reads(results.estimates)
    draws = results.fewest(keep)
    verdict, _ = ask(claim, results.estimates, results.drawn.first(draws))
    if claim.bound is None or verdict.verdict != FAILS:
        return verdict
    bound = judged(claim.bound, results)
    if bound.verdict != FAILS:
        return verdict
    least = (
        f"the value is at least {bound.distances[0].value:.3g}"
        if bound.distances
        else "its bound fails"
    )
    reason = f"the claim cannot hold here, because {least} ({claim.bound.id})"
    return replace(verdict, reason=reason, ground=BY_BOUND)


def group_of(claim: Claim, results: Results, rest: str) -> tuple[str, Results]:
    """Returns the name and the estimates of the group that a comparing claim is asked of.

    The group has the encoders of the claim's families (`needs.families`, `needs.beside`) that have
    all measures it reads, and all static vectors and controls (no family). The name is "cwr" if all
    encoders are shipped ones, else `rest`. Without such encoders: `rest` and all results.
    """
    rows = results.estimates
    encoders = _encoders(claim, rows.where(is_encoder(rows)))
    if not encoders:  # judging says what is lacking
        return rest, results
    name = CWR if set(encoders) <= set(SHIPPED) else rest
    return name, results.where(~is_encoder(rows) | rows.one_of("model", encoders))


def _encoders(claim: Claim, rows: Rows) -> list[str]:
    """Returns encoders of the claim's families with all of its measures that any of them has.

    If no encoder has a data set that the claim names, all data sets count.
    """
    families = (*claim.needs.families, *claim.needs.beside)
    if families:
        rows = rows.where(rows.one_of("family", families))
    selected = claim.needs.select(rows)
    rows = rows.where(selected if selected.any() else claim.needs.measured(rows))
    needed = set(rows.distinct("measure"))
    return [
        model for model, part in rows.by("model").items() if set(part.distinct("measure")) == needed
    ]


def in_general(
    claims: list[Claim], results: Results | None, rest: str
) -> dict[str, dict[str, Verdict]]:
    """Judges the general forms of claims: {claim id: {model or group: verdict}}, as `on_ours`.

    Only models that lack nothing but the claim's number of layers, or its named models or tasks,
    are asked. A claim without a general form (`general_of`) or without such models is left out.
    """
    if results is None:
        return {}
    results, copies = untrained.parted(results)
    models = by_model(results)
    verdicts = {}
    for claim in claims:
        form = general_of(claim)
        if form:
            parts = models
            if form.needs.compares:
                parts = dict([group_of(form, results, rest)])
            verdicts[claim.id] = {
                name: _with_word(form, part, copies)
                for name, part in parts.items()
                if _is_asked_in_general(claim, form, part.estimates)
            }
    return {name: by_name for name, by_name in verdicts.items() if by_name}


def _is_asked_in_general(claim: Claim, form: Claim, rows: Rows) -> bool:
    """Tells whether the form can be asked of models that cannot be asked the claim itself.

    Only a number of layers, or names of models or tasks, may keep the claim from being asked.
    """
    if not claim.needs.lacking(rows) or form.needs.lacking(rows):
        return False
    return bool(claim.needs.models) or bool(rows.one_of("family", claim.needs.families).any())
