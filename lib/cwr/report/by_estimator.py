"""Builds tables of claims that several estimators answer: a row per claim, a column per estimator.

Where a claim excludes a model only by layer numbers, or by names of models or tasks, the model's
cell has the verdict on the claim's general form. The form's words unfold below the claim.
"""

from collections.abc import Iterable, Sequence

from cwr.papers.claims import Claim
from cwr.report import markup, render
from cwr.report.render import Judged, Notes

IN_GENERAL = "We tested the general form, because"


def divided(judged: Iterable[Judged]) -> tuple[list[list[Judged]], list[Judged]]:
    """Separates groups of claims that ask one thing by several estimators from all other claims.

    A group is a claim with all claims whose `same_as` names it.
    """
    by_claim: dict[str, list[Judged]] = {}
    for each in judged:
        by_claim.setdefault(each.claim.same_as or each.claim.id, []).append(each)
    several = [group for group in by_claim.values() if len(group) > 1]
    alone = [group[0] for group in by_claim.values() if len(group) == 1]
    return several, alone


def tables(several: Iterable[Sequence[Judged]], notes: Notes) -> list[str]:
    """Returns one Markdown table for each set of estimators.

    several: the groups of claims that `divided` returns. notes: receives the reasons of the
        verdicts.
    """
    rows: dict[tuple[str | None, ...], list[list[str]]] = {}
    for group in several:
        estimators = tuple(each.claim.needs.estimator for each in group)
        rows.setdefault(estimators, []).append(_row(group, notes))
    return [markup.table(["claim", "published", *names], lines) for names, lines in rows.items()]


def _row(group: Sequence[Judged], notes: Notes) -> list[str]:
    published = render.noted(group[0].published, notes, here=False)
    return [_statement(group), published, *(_cell(each, notes) for each in group)]


def _statement(group: Sequence[Judged]) -> str:
    """Returns a claim as Markdown; its ids by other estimators and its general forms are folded."""
    first, *others = (each.claim for each in group)
    text = render.statement(first, also=others[0].because)
    clauses = [
        f"In the column {claim.needs.estimator} the claim has the id `{claim.id}`."
        for claim in others
    ]
    forms = [each.general.claim for each in group if each.general]
    if forms:
        clauses.append(f"Our general form of the claim: {_with_ids(forms)}")
    return text + render.fold("The same claim under other ids", " ".join(clauses))


def _with_ids(forms: Sequence[Claim]) -> str:
    """Returns the sentence of a general form, followed by its id for each estimator."""
    return f"{render.sentence(forms[0].says)} {', '.join(f'`{form.id}`' for form in forms)}."


def _cell(judged: Judged, notes: Notes) -> str:
    """Returns the verdicts by one estimator; models or groups with equal verdicts share a line."""
    general = judged.general.ours if judged.general else {}
    models: dict[str, list[str]] = {}
    for name, verdict in (judged.ours | general).items():
        text = render.noted(verdict, notes)
        if name in general and name in judged.ours:
            text += notes.refer(render.sentence(f"{IN_GENERAL} {judged.ours[name].reason}"))
        models.setdefault(text, []).append(markup.plain(name))
    return "<br>".join(f"{', '.join(names)}: {text}" for text, names in models.items())
