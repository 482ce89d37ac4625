"""Builds the claims map of the front page: each text's headline claims, with signs of verdicts."""

from html import escape

from cwr.papers import registry
from cwr.papers.registry import Paper
from cwr.report import claim_line, render, under_treatments
from cwr.report.judgement import NOT_RUN
from cwr.report.render import Judged

PRINTED_ONLY = "printed numbers only"


def markdown(
    judged: list[Judged], batteries: dict[str, list[under_treatments.Treated]] | None = None
) -> str:
    """Returns the map as MyST around an HTML table: a row per text, a cell per headline claim.

    A cell links to the claim's line of the scoreboard. It has a sign for the published numbers and
    one for each model. A text that no model was asked about says so once.
    batteries: {id of a headline claim: its verdicts under each treatment} (`under_treatments.of_headlines`),
        for the cells' titles; None: titles without them.
    """
    survives = {
        claim: under_treatments.sentence(treated) for claim, treated in (batteries or {}).items()
    }
    by_id = {each.claim.id: each for each in judged}
    headlines = [by_id[claim] for paper in registry.PAPERS for claim in paper.headlines]
    columns = claim_line.models(headlines)
    width = max(len(paper.headlines) for paper in registry.PAPERS)
    rows = "\n".join(_row(paper, by_id, columns, survives, width) for paper in registry.PAPERS)
    names = ", ".join(f"<code>{escape(name)}</code>" for name in columns)
    order = f"The signs of a cell are, from the left, those of the published numbers, {names}."
    return "\n".join(
        [
            "````{raw} html",
            f'<table class="claims-map" style="--models: {len(columns)}">',
            f"<caption>{order} {claim_line.legend(judged)}</caption>",
            f"<tbody>\n{rows}\n</tbody></table>",
            "````",
            "",
        ]
    )


def was_run(paper: Paper, judged: list[Judged]) -> bool:
    """Tells whether any claim of a text got a verdict on any model."""
    ours = [each.ours for each in judged if each.paper == paper.key]
    return any(verdict.verdict != NOT_RUN for each in ours for verdict in each.values())


def _row(
    paper: Paper, by_id: dict[str, Judged], columns: list[str], survives: dict[str, str], width: int
) -> str:
    """Returns one row: the name of a text and its headline claims, in `width` cells."""
    columns = columns if was_run(paper, list(by_id.values())) else []
    note = "" if columns else f"<small>{PRINTED_ONLY}</small>"
    name = f'<a href="{paper.key}/index.html">{escape(paper.short)}</a>'
    cells = "".join(
        _cell(by_id[claim], columns, survives.get(claim, "")) for claim in paper.headlines
    )
    empty = "<td></td>" * (width - len(paper.headlines))
    return f'<tr><th scope="row">{name}{note}</th>{cells}{empty}</tr>'


def _cell(judged: Judged, columns: list[str], survives: str) -> str:
    """Returns one cell: the signs and the sentence of a claim, linked to its line."""
    claim = judged.claim
    signs = claim_line.signs(judged, columns) if columns else _published(judged)
    return (
        f'<td><a href="scoreboard.html#{escape(claim.id)}" title="{escape(f"{claim.says} {survives}".strip())}">'
        f'<span class="signs">{signs}</span><span class="says">{escape(claim.says)}</span></a></td>'
    )


def _published(judged: Judged) -> str:
    return render.sign(judged.published, "published", here=False)
