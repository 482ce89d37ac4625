"""The scoreboard: every artifact and every claim of the five texts, as one generated page."""

import html
from pathlib import Path

from cwr.papers import artifacts, registry
from cwr.papers.claims import Claim
from cwr.papers.registry import Paper
from cwr.report import render
from cwr.report.judgement import HOLDS, NOT_RUN
from cwr.report.render import Judged
from cwr.report.results import read_all
from cwr.report.verdicts import PRINTED_ONLY, counts, judge_all

RAN = "run"
OWN = "paper"  # the profile of the papers' own models and data

OPENING = """# Scoreboard

Generated when the book was built. "Published" judges the numbers that a paper prints or that came with it, by the same
predicate that judges ours. "Own models" are the paper's models on its data (profile `paper`): only there is anything
*reproduced*. "Ours" are small models on small data, whose words are "holds here" and "fails here"; see
{doc}`how_to_read_a_verdict`. Behind a verdict stands the share of bootstrap replicates in which the claim holds. Every
claim can be asked again with the line in its row; `cwr check` prints the same.

## The headlines

At most five statements a text, the ones that it is known for.
"""


def status(run: Path | None, profile: str) -> list[dict]:
    """Every artifact with what became of it in each profile: the rows of `cwr list --json`.

    run: the folder of results of `profile`. An artifact is "run" where its notebook has left
        results; the other
    profiles say why they were not run.
    """
    rows = []
    for row in artifacts.rows():
        there = bool(
            run and artifacts.measured(row) and (run / row["notebook"] / "results.json").exists()
        )
        waits = (
            "not run: not built yet"
            if not row["notebook"]
            else PRINTED_ONLY
            if not artifacts.measured(row)
            else "not run: make book runs it"
        )
        profiles = {"small": waits, "base": row["profile_base"], "paper": row["profile_paper"]}
        if there:
            profiles[profile] = RAN
        rows.append(
            {
                "paper": row["paper"],
                "artifact": row["artifact"],
                "notebook": row["notebook"],
                "profiles": profiles,
            }
        )
    return rows


def page(run: Path, profile: str = "small") -> str:
    """The scoreboard page in MyST Markdown, for the results below `run`; its neighbour "paper" has
    the papers' own.
    """
    judged = judge_all(read_all(run), run.name)
    own = {each.claim.id: each for each in judge_all(read_all(run.parent / OWN), OWN)}
    sections = [OPENING, _headlines(judged, own)]
    every = status(run, profile)
    for paper in registry.PAPERS:
        rows = [row for row in every if row["paper"] == paper.key]
        sections += [
            f"## {paper.title}\n",
            _artifacts([row for row in rows if row["notebook"]], run),
        ]
        waiting = ", ".join(row["artifact"] for row in rows if not row["notebook"])
        sections += [f"Not run, because not built yet: {waiting}.\n"] if waiting else []
        sections += [
            counts(paper.key) + "\n",
            _claims([each for each in judged if each.paper == paper.key], run),
        ]
    return "\n".join(sections)


def _headlines(judged: list[Judged], own: dict[str, Judged]) -> str:
    by_id = {each.claim.id: each for each in judged}
    rows = [
        _headline(paper, by_id[name], own[name])
        for paper in registry.PAPERS
        for name in paper.headlines
    ]
    return render.filtered(["text", "statement", "published", "own models", "ours"], rows)


def _headline(paper: Paper, judged: Judged, own: Judged) -> list[str]:
    claim = judged.claim
    says = f"{html.escape(claim.says)}<br>`{claim.id}`{render.explained(claim)}"
    own_models = render.listed(own.ours, here=False) if own.ours else NOT_RUN
    return [paper.short, says, _published(judged), own_models, render.listed(judged.ours)]


def _link(text: str, notebook: str, run: Path) -> str:
    """The text as a link to a notebook's page, if that notebook has left results and so has a page."""
    return f"{{doc}}`{text} <{notebook}>`" if (run / notebook / "results.json").exists() else text


def _artifacts(rows: list[dict], run: Path) -> str:
    if not rows:
        return ""
    profiles = ("small", "base", "paper")
    lines = [
        [
            _link(row["artifact"], row["notebook"], run),
            *(row["profiles"][profile] for profile in profiles),
            f"`cwr run {row['notebook']}`",
        ]
        for row in rows
    ]
    return render.filtered(["artifact", *profiles, "run it"], lines)


def _claims(judged: list[Judged], run: Path) -> str:
    rows = [
        [
            render.statement(each.claim, also=_form(each.claim)),
            each.claim.place,
            _published(each),
            render.listed(each.ours) + _general(each),
            f"{_link('notebook', each.rerun.removeprefix('cwr run '), run)} `{each.rerun}`",
        ]
        for each in judged
    ]
    return render.filtered(["claim", "place", "published", "ours", "run it"], rows)


def _published(judged: Judged) -> str:
    if judged.published.verdict == HOLDS and not judged.published.ground:
        return HOLDS
    return render.with_reason(judged.published, here=False)


def _form(claim: Claim) -> str:
    """How a claim tied to layers or families can be asked of any model, or why it cannot."""
    form = claim.transfer
    return f"Asked of any model: {form.says} ({form.id})" if isinstance(form, Claim) else form or ""


def _general(judged: Judged) -> str:
    """What models of the claim's families say that only its layer numbers do not fit: by its
    general form.
    """
    form = judged.general
    return (
        f"<br><small>`{form.claim.id}`, at any depth:<br>{render.listed(form.ours)}</small>"
        if form
        else ""
    )
