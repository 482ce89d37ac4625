"""The table of claims that are asked of several estimators: a row a claim, a column an estimator.

So a claim is told once, and what an estimator decides is seen in one line. A model that only the
claim's layer numbers, or the models or tasks that it names, keep from it shows what it says to the
general form, whose words unfold below the claim.
"""

from collections.abc import Iterable, Sequence

from cwr.papers.claims import Claim
from cwr.report import markup, render
from cwr.report.render import Judged, Notes

IN_GENERAL = "asked in general: the claim itself"


def divided(judged: Iterable[Judged]) -> tuple[list[list[Judged]], list[Judged]]:
    """Each claim that others ask again by other estimators, before these; and all other claims."""
    by_claim: dict[str, list[Judged]] = {}
    for each in judged:
        by_claim.setdefault(each.claim.same_as or each.claim.id, []).append(each)
    several = [group for group in by_claim.values() if len(group) > 1]
    alone = [group[0] for group in by_claim.values() if len(group) == 1]
    return several, alone


def tables(several: Iterable[Sequence[Judged]], notes: Notes) -> list[str]:
    """Markdown tables of verdicts, one for each set of estimators. several: of `divided`."""
    rows: dict[tuple[str | None, ...], list[list[str]]] = {}
    for group in several:
        estimators = tuple(each.claim.needs.estimator for each in group)
        rows.setdefault(estimators, []).append(_row(group, notes))
    return [markup.table(["claim", "published", *names], lines) for names, lines in rows.items()]


def _row(group: Sequence[Judged], notes: Notes) -> list[str]:
    published = render.noted(group[0].published, notes, here=False)
    return [_statement(group), published, *(_cell(each, notes) for each in group)]


def _statement(group: Sequence[Judged]) -> str:
    """The claim once, with the ids by other estimators and the general form folded, as Markdown."""
    first, *others = (each.claim for each in group)
    text = render.statement(first, also=others[0].because)
    clauses = [f"By {claim.needs.estimator}: `{claim.id}`." for claim in others]
    forms = [each.general.claim for each in group if each.general]
    if forms:
        clauses.append(f"In general (not in the paper): {_with_ids(forms)}")
    return text + render.fold("Other ids", " ".join(clauses))


def _with_ids(forms: Sequence[Claim]) -> str:
    """What a general form says, and its id by each estimator."""
    return f"{render.sentence(forms[0].says)} {', '.join(f'`{form.id}`' for form in forms)}."


def _cell(judged: Judged, notes: Notes) -> str:
    """The verdicts by one estimator, a line each, behind the models or the group that share it."""
    general = judged.general.ours if judged.general else {}
    models: dict[str, list[str]] = {}
    for name, verdict in (judged.ours | general).items():
        text = render.noted(verdict, notes)
        if name in general and name in judged.ours:
            text += notes.refer(f"{IN_GENERAL} {judged.ours[name].reason}")
        models.setdefault(text, []).append(markup.plain(name))
    return "<br>".join(f"{', '.join(names)}: {text}" for text, names in models.items())
