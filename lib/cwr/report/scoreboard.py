"""Builds the scoreboard: every artifact and every claim of the five texts, as one page."""

from html import escape
from pathlib import Path
from string import Template

from cwr.papers import artifacts, registry
from cwr.papers.registry import Paper
from cwr.report import claim_line, kept, under_treatments
from cwr.report.judgement import FAILS, HOLDS, NOT_DECIDABLE, UNDECIDED
from cwr.report.render import Judged
from cwr.report.under_treatments import Treated
from cwr.report.verdicts import PRINTED_ONLY, counts, judge_all

RAN = "run"
OWN = "paper"  # the profile of the papers' own models and data
TEMPLATE = Path(__file__).parent / "templates" / "scoreboard.md"
NO_OWN_MODEL = (
    "No paper's own model was run for this copy (profile `paper`), so nothing is called "
    "*reproduced*. On other models the words are *holds here* and *fails here*."
)
PROFILES = (
    "If the longer run (profile `base`) tested a claim, its verdict decides the cell. Other cells show "
    "this copy's own run. If the two runs differ, both verdicts are shown. "
)
NO_NUMBERS = {  # of a text that prints none, before its counts
    "survey": "The post prints no numbers, so *published* means those of its sources. "
}
CHOICES = {
    "published": (HOLDS, FAILS, NOT_DECIDABLE),
    "ours": (HOLDS, FAILS, UNDECIDED),
}


def status(run: Path | None, profile: str) -> list[dict]:
    """Returns every artifact with its state in each profile: {paper, artifact, notebook, profiles}.

    run: the folder of results of `profile`. An artifact is "run" if its notebook has left results;
        any other state says why not.
    """
    rows = []
    for row in artifacts.rows():
        there = bool(
            run and artifacts.measured(row) and (run / row["notebook"] / "results.json").exists()
        )
        waits = (
            "not run: not built yet"
            if not row["notebook"] or artifacts.is_planned(row)
            else PRINTED_ONLY
            if not artifacts.measured(row)
            else "not run: make book runs it"
        )
        profiles = {"small": waits, "base": row["profile_base"], "paper": row["profile_paper"]}
        if there:
            profiles[profile] = RAN
        named = {key: row[key] for key in ("paper", "artifact", "notebook")}
        rows.append({**named, "profiles": profiles})
    return rows


def page(
    run: Path,
    profile: str = "small",
    judged: list[Judged] | None = None,
    batteries: dict[str, list[Treated]] | None = None,
) -> str:
    """Returns the scoreboard in MyST Markdown, for the results below `run`.

    The folder "paper" beside `run` holds results on the papers' own models, if there are any.
    profile: the profile of `run`. judged: the claims judged on these results; None judges them
        here. batteries: {id of a headline claim: its verdicts under each treatment}
        (`under_treatments.of_headlines`); None shows no treatments.
    """
    survives = {
        claim: under_treatments.html(treated) for claim, treated in (batteries or {}).items()
    }
    judged = judged or judge_all(kept.read(run), run.name)
    own = {each.claim.id: each.ours for each in judge_all(kept.read(run.parent / OWN), OWN)}
    models = claim_line.models(judged)
    rows = status(run, profile)
    chapters = []
    for paper in registry.PAPERS:
        of_paper = [each for each in judged if each.paper == paper.key]
        artifact_rows = [row for row in rows if row["paper"] == paper.key]
        chapters += [
            f"## {paper.title}\n",
            f"{NO_NUMBERS.get(paper.key, '')}{counts(paper.key)}\n\n{_artifacts(artifact_rows, profile)}\n",
            _chapter(paper, of_paper, models, own, run, survives),
        ]
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        own="" if any(own.values()) else NO_OWN_MODEL,
        profiles=PROFILES if claim_line.is_of_profiles(judged) else "",
        columns=len(models),
        choices=_choices(),
        legend=claim_line.legend(judged),
        heads="".join(f"<span>{escape(name)}</span>" for name in ("published", *models)),
        chapters="\n".join(chapters),
    )


def _choices() -> str:
    """Returns the options of the chooser of verdicts, as HTML."""
    return "".join(
        f'<option value="{column} {word}">{column}: {word}</option>'
        for column, words in CHOICES.items()
        for word in words
    )


def _chapter(
    paper: Paper,
    judged: list[Judged],
    models: list[str],
    own: dict[str, dict],
    run: Path,
    survives: dict[str, str],
) -> str:
    """Returns the claims of one paper, headlines first, the others folded; MyST around HTML."""
    lines = {
        (claim := each.claim.id): claim_line.line(
            each, models, own[claim], run, survives.get(claim, "")
        )
        for each in judged
    }
    headlines = [lines.pop(name) for name in paper.headlines]
    return "\n".join(
        [
            "````{raw} html",
            f'<div class="chapter" style="--models: {len(models)}">',
            *headlines,
            f'<details class="others" id="claims-{paper.key}">',
            f"<summary>The other {len(lines)} claims</summary>",
            *lines.values(),
            "</details>",
            "</div>",
            "````",
            "",
        ]
    )


def _artifacts(rows: list[dict], profile: str) -> str:
    """Returns which artifacts of a paper were run, and why others were not, as a list in MyST."""
    by_state: dict[str, list[str]] = {}
    for row in rows:
        name = row["artifact"]
        if row["profiles"][profile] == RAN:
            name = f"{{doc}}`{name} <{row['notebook']}>`"
        by_state.setdefault(row["profiles"][profile], []).append(name)
    return "\n".join(
        f"- *{_heading(state)}:* {', '.join(names)}" for state, names in by_state.items()
    )


def _heading(state: str) -> str:
    """Returns the heading of the artifacts in one state."""
    if state == RAN:
        return "Measured on our models"
    if state == PRINTED_ONLY:
        return "Checked against published numbers, on no model"
    return f"Not run ({state.removeprefix('not run: ')})"
