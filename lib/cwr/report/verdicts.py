"""Judges claims on the published numbers and on our results, and renders the verdicts."""

import functools
import os
import re
from pathlib import Path

from cwr.papers import artifacts, registry
from cwr.papers.claims import Claim, general_of
from cwr.papers.registry import Paper
from cwr.report import by_estimator, changes, kept, markup, overturned, render
from cwr.report.changes import Change
from cwr.report.groups import in_general, of_chapter, on_ours
from cwr.report.judgement import FAILS, HOLDS, NOT_DECIDABLE, NOT_RUN, Verdict, on_published
from cwr.report.reading import json_object
from cwr.report.render import Judged, Notes
from cwr.report.results import RECOMPUTED, Results, read
from cwr.report.strip import short_number
from cwr.rows import Rows
from cwr.tables import spelled

PRINTED_ONLY = "checked: against published numbers, on no model yet"
SCOREBOARD = "../scoreboard.html"  # from the page of a notebook
TOGETHER = "together"  # a group of models in a notebook that is no profile's


def check(
    run: Path | None = None,
    paper: str | None = None,
    claim: str | None = None,
    transfer: bool = False,
) -> list[dict]:
    """Judges all claims on the published numbers and on the results of a profile.

    run: that profile's folder of runs (`kept.read`). paper, claim: a key and an id; None judges
        all. transfer: True judges the forms for any model (`Claim.general_form`) instead.
    Returns the rows of `cwr check --json` (`render.row`).
    """
    results = kept.read(run) if run else None
    return [
        render.row(judged)
        for judged in judge_all(results, run.name if run else "", paper, claim, transfer)
    ]


def judge_all(
    results: Results | None,
    group: str,
    paper: str | None = None,
    claim: str | None = None,
    transfer: bool = False,
) -> list[Judged]:
    """Judges like `check`, but on results already read; returns the judged claims.

    group: the name of a set of models that are not all shipped ones. Other arguments as in `check`.
    """
    judged = []
    for text in registry.PAPERS:
        if paper in (None, text.key):
            claims = general_forms(text.claims) if transfer else text.claims
            judged += judge_paper(
                text, [each for each in claims if claim in (None, each.id)], results, group
            )
    return judged


@functools.cache
def _published(paper: str) -> Rows:
    return Rows(registry.paper(paper).published())


@functools.cache
def published_verdict(paper: str, claim: Claim) -> Verdict:
    """Judges a claim on the published numbers of its paper, once per process."""
    return on_published(claim, _published(paper))


def judge_paper(
    paper: Paper, claims: list[Claim], results: Results | None, group: str
) -> list[Judged]:
    """Judges claims of one paper on its published numbers and on our results.

    A claim that excludes some of our models only by its number of layers, or by names of models or
    tasks, comes with its general form, judged on these models.
    """
    results = results and of_chapter(paper.claims, results)
    ours, forms = on_ours(claims, results, group), in_general(claims, results, group)
    judged = []
    for claim in claims:
        form = general_of(claim)
        general = _judged(paper, form, forms[claim.id]) if claim.id in forms else None
        judged.append(_judged(paper, claim, ours[claim.id], general))
    return judged


def _judged(
    paper: Paper, claim: Claim, ours: dict[str, Verdict], general: Judged | None = None
) -> Judged:
    reason = claim.print_only or _unmeasured(claim)
    if reason:
        ours = {
            name: Verdict(NOT_RUN, reason=reason, beyond=verdict.beyond)
            if verdict.verdict == NOT_RUN
            else verdict
            for name, verdict in ours.items()
        }
    rerun = f"cwr run {artifacts.rerun(claim.needs.measures, paper.key)}"
    return Judged(paper.key, claim, published_verdict(paper.key, claim), ours, rerun, general)


def _unmeasured(claim: Claim) -> str:
    """Returns a clause if no notebook measures what a claim reads; else ""."""
    unmeasured = artifacts.unmeasured(claim.needs.measures) if claim.holds else []
    names = " and ".join(map(spelled, unmeasured))
    return f"no notebook measures {names} yet" if unmeasured else ""


def general_forms(claims: list[Claim]) -> list[Claim]:
    """Returns the general form of each claim that has one (`Claim.general_form`)."""
    return [claim.general_form for claim in claims if isinstance(claim.general_form, Claim)]


def counts(paper: str) -> str:
    """Counts how many claims of a paper hold on its published numbers, in one or more sentences.

    The paper's statements are counted first, each in its literal reading, then all readings. Our
    own claims (controls and bounds) are not among them.
    """
    text = registry.paper(paper)
    verdicts = {
        claim: published_verdict(paper, claim).verdict for claim in text.claims if not claim.ours
    }
    words = [verdict for claim, verdict in verdicts.items() if claim.is_at_its_word]
    holds, fails, not_decidable = (words.count(word) for word in (HOLDS, FAILS, NOT_DECIDABLE))
    every = render.counted(verdicts.values())
    ours = len(text.claims) - len(verdicts)
    certain = sum(
        claim.cannot_fail
        for claim, verdict in verdicts.items()
        if claim.is_at_its_word and verdict == HOLDS
    )
    return (
        f"Published numbers support {holds} of {len(words)} claims, contradict {fails} and leave "
        f"{not_decidable} open. The {len(verdicts)} readings of these claims get these verdicts: "
        f"{every}."
        + (
            f" Of the {holds} supported claims, {certain} would hold for any model."
            if certain
            else ""
        )
        + (
            f" These counts leave out {ours} controls and bounds that this book adds."
            if ours
            else ""
        )
    )


# ---- the tables of a notebook's page


def markdown(results: Results, paper: str, group: str = TOGETHER) -> str:
    """Returns the verdict table of one notebook: the claims whose measures are among its estimates.

    A notebook that only recomputes printed numbers shows all claims on the published numbers
    (`published`), even those that no number decides.
    """
    if (results.table["variant"] == RECOMPUTED).all():
        return published(paper)
    return tables(asked(results, paper, group))


def asked(results: Results, paper: str, group: str = TOGETHER) -> list[Judged]:
    """Judges the claims of a paper whose measures are among a notebook's estimates."""
    text, measures = registry.paper(paper), set(results.table["measure"])
    decidable = [claim for claim in text.claims if claim.needs.measures]
    claims = [claim for claim in decidable if set(claim.needs.measures) <= measures]
    return judge_paper(text, claims, results, group)


def tables(judged: list[Judged]) -> str:
    """Returns tables of the verdicts on claims, with their notes, in Markdown.

    Verdicts on published numbers come first, so that a phone shows them, then those on our models.
    Below a claim that excludes our models only by layer numbers or names stands its general form,
    under its own id. Claims for several estimators come first, in a table of their own
    (`by_estimator`). The claims that no model was asked are one line of links.
    """
    several, alone = by_estimator.divided(judged)
    notes, silent = Notes(), []
    for group in [*several, *([each] for each in alone)]:
        silent += [] if any(map(was_asked, group)) else group
    parts = by_estimator.tables([group for group in several if group[0] not in silent], notes)
    if alone := [each for each in alone if each not in silent]:
        parts.append(_table_of_models(alone, notes))
    return "\n\n".join(filter(None, [*parts, notes.markdown(), _silent(silent)]))


def was_asked(judged: Judged) -> bool:
    """Tells whether a claim, or its general form, got a verdict on any model or group."""
    verdicts = [verdict for form in judged.with_general for verdict in form.ours.values()]
    return any(verdict.verdict != NOT_RUN for verdict in verdicts)


def _silent(judged: list[Judged]) -> str:
    """Returns a line of links to the claims and forms that no model was asked; "" for none."""
    ids = [form.claim.id for each in judged for form in each.with_general]
    links = [f'<a href="{SCOREBOARD}#{name}"><code>{name}</code></a>' for name in ids]
    were = "1 claim was" if len(links) == 1 else f"{len(links)} claims were"
    said = f"The scoreboard explains why {were} not tested here: {', '.join(links)}."
    return said if links else ""


def _table_of_models(judged: list[Judged], notes: Notes) -> str:
    """Returns a table: a column per model or group, a row per claim, one per general form."""
    names = list(dict.fromkeys(name for each in judged for name in each.ours))
    rows = [_row(each, form, names, notes) for each in judged for form in each.with_general]
    return markup.table(["claim", "published", *map(markup.plain, names)], rows)


def _row(judged: Judged, form: Judged, names: list[str], notes: Notes) -> list[str]:
    says = ""
    if form is not judged:
        how = render.generality(judged.claim, in_full=True)
        says = f"Our general form, {how}: {form.claim.says}"
    claimed = render.noted(form.published, notes, here=False)
    ours = [render.noted(form.ours.get(name), notes) for name in names]
    return [render.statement(form.claim, says), claimed, *ours]


def published(paper: str) -> str:
    """Returns all claims of a paper on its published numbers, with the basis of each verdict.

    The claims of each section of the paper unfold below a line that counts their verdicts.
    """
    by_section: dict[str, list[Claim]] = {}
    for claim in registry.paper(paper).claims:
        section = re.split(r" and |[,;(]", claim.place)[0].strip()
        by_section.setdefault(section[:1].upper() + section[1:], []).append(claim)
    return "\n\n".join(_section(paper, *section) for section in by_section.items())


def _section(paper: str, section: str, claims: list[Claim]) -> str:
    """Returns the claims of one section of a paper as a table below a line, with their notes."""
    notes, rows, words = Notes(), [], []
    for claim in claims:
        verdict = published_verdict(paper, claim)
        words.append(verdict.verdict)
        verdict_cell = render.noted(verdict, notes, here=False)
        rows.append([render.statement(claim), verdict_cell, claim.place])
    table = markup.table(["claim", "published", "place"], rows)
    title = f"{section}: {render.counted(words, always=())}"
    return markup.fold(title, f"{table}\n\n{notes.markdown()}")


def compared(results: Results, paper: str) -> str:
    """Lists the verdicts that each variant among the estimates flips, in Markdown.

    Each variant is a line that counts its flips; a table of flips by model or group unfolds below.
    """
    folds = []
    claims = registry.paper(paper).claims
    for variant, by_model in changes.by_choice(results, claims, TOGETHER).items():
        rows = _alike(by_model)
        table = markup.table(["model or group", "verdicts that flip", "changes within noise"], rows)
        folds.append(markup.fold(f"{variant}: {_counted(by_model)}", table))
    return "\n\n".join(folds)


def _counted(by_model: dict[str, list[Change]]) -> str:
    """Counts the flips by a choice: "3 verdicts flip (2 in one, 1 in two); 4 changes are …"."""
    counts = {model: sum(each.is_flip for each in by_model[model]) for model in by_model}
    named = [f"{count} in {model}" for model, count in counts.items() if count]
    flips = sum(counts.values())
    within = sum(map(len, by_model.values())) - flips
    said = f"{flips} {'verdict flips' if flips == 1 else 'verdicts flip'} ({', '.join(named)})"
    said = said if flips else "no verdict flips"
    changes = "1 change is" if within == 1 else f"{within} changes are"
    return f"{said}; {changes} within noise" if within else said


def _alike(by_model: dict[str, list[Change]]) -> list[list[object]]:
    """Returns the rows of one choice; models with the same changes, most often none, share a row.

    Changes to or from "undecided", and changes within noise, are only counted.
    """
    alike: dict[tuple[str, int], list[str]] = {}
    for model, changed in by_model.items():
        flips = [_flip(change) for change in changed if change.is_flip]
        key = "<br>".join(flips) or "none", len(changed) - len(flips)
        alike.setdefault(key, []).append(markup.plain(model))
    return [[", ".join(models), flips, others] for (flips, others), models in alike.items()]


def _flip(change: Change) -> str:
    """Returns a flip: "`claim` holds → fails: 0.06 → 0.04, change -0.02 [-0.03, -0.01] (layer 3)".

    The name of the number stands last, if both choices have the same number.
    """
    beyond = "beyond the paper: " if change.before.beyond else ""
    text = f"`{change.claim}` {beyond}{change.before.verdict} → {change.after.verdict}"
    if change.values is None:
        return text
    before, after = change.values
    text += (
        f": {short_number(before)} → {short_number(after)}, change {short_number(after - before)}"
    )
    names = {each.distances[0].name for each in (change.before, change.after)}
    name = "".join(f" ({markup.plain(name)})" for name in names if name) if len(names) == 1 else ""
    if change.interval is None:
        return text + name
    low, high = map(short_number, change.interval)
    seeds = f", by another seed {short_number(change.noise)}" if change.by_seed else ""
    return f"{text} [{low}, {high}]{seeds}{name}"


# ---- the cells tagged `verdicts`


def show(results: Results, paper: str):
    """Returns the verdict table as a notebook's output (the cell tagged `verdicts`)."""
    return _output(lambda: markdown(results, paper))


def flips(results: Results, paper: str):
    """Returns the text of `compared` as a notebook's output (the cell tagged `verdicts`)."""
    return _output(lambda: compared(results, paper))


def headlines(results: Results, paper: str):
    """Returns the choices that overturn headline claims, as a notebook's output (the cell tagged
    `verdicts`).
    """
    return _output(lambda: overturned.markdown(results, paper, TOGETHER))


def _output(made):
    """Returns Markdown output.

    With CWR_VERDICTS=later, set by the workflow, nothing is judged: `fill` judges when the book is
    built.
    """
    from IPython.display import (
        Markdown,
    )  # not at the top, so that claims are judged without Jupyter too

    if os.environ.get("CWR_VERDICTS") == "later":
        return Markdown("These verdicts are judged when the book is built; `cwr check` judges now.")
    return Markdown(made())


def fill(notebook: str | Path, results: str | Path, group: str = TOGETHER) -> list[Judged]:
    """Writes newly judged tables into the cells tagged `verdicts` of an executed notebook.

    So a corrected claim needs no rerun. notebook: the executed copy, changed in place; results: its
    results folder; group: the name of a set of models that are not all shipped ones.
    Returns the judged claims of the verdict table; [] without one, or if it is of print alone.
    Raises UserError for results that cannot be read.
    """
    import nbformat

    content = nbformat.read(notebook, as_version=4)
    cells = [cell for cell in content.cells if "verdicts" in cell.metadata.get("tags", [])]
    paper = str(json_object(Path(results) / "results.json").get("notebook")).split("/")[0]
    if not cells or paper not in registry.KEYS:
        return []
    estimates, judged = read(results), []
    for cell in cells:
        if ".flips(" in cell.source:
            text = compared(estimates, paper)
        elif ".headlines(" in cell.source:
            text = overturned.markdown(estimates, paper, group)
        elif (estimates.table["variant"] == RECOMPUTED).all():
            text = published(paper)
        else:
            judged = asked(estimates, paper, group)
            text = tables(judged)
        output = nbformat.v4.new_output("display_data", {"text/markdown": text, "text/plain": text})
        cell.outputs = [output]
    nbformat.write(content, notebook)
    return judged
