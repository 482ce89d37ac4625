"""Tabulates the verdicts on a reader's models; claims other than headlines are folded."""

import html
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from cwr import paths
from cwr.cli import judging
from cwr.papers import registry
from cwr.papers.registry import Paper
from cwr.report import html_page, render, verdicts
from cwr.report.groups import CWR
from cwr.report.judgement import NOT_RUN
from cwr.report.render import Judged
from cwr.report.results import Results

SEVERAL = "differs between the models"
FILES = ("verdicts.csv", "verdicts.tex")
COLUMNS = [
    *("text", "claim", "place", "says", "model", "verdict", "support", "ground"),
    *("untrained", "untrained_because", "reason", "beyond_the_paper"),
    "published",
]
NO_COPY = "not asked"  # of untrained copies


@dataclass(frozen=True)
class Answer:
    """The claims of one text, judged on a reader's models.

    columns: the models, and their group if a claim compares models. asked: the claims whose
        measures were run, each in its deciding form. others: the number of claims that need other
        notebooks.
    """

    text: Paper
    columns: list[str]
    asked: list[Judged]
    others: int

    @property
    def decided(self) -> list[Judged]:
        """The asked claims with a verdict on at least one model."""
        return [row for row in self.asked if _word(row) != NOT_RUN]

    @property
    def headlines(self) -> list[Judged]:
        """The decided headline claims of the text, or their general forms."""
        known = {name.partition(".")[0] for name in self.text.headlines}
        return [row for row in self.decided if row.claim.id.partition(".")[0] in known]


def answer(paper: str, reader: Results, models: list[str]) -> Answer:
    """Judges the claims of a text on a reader's models; returns them as an `Answer`.

    paper: the key of the text. reader: the estimates of the text's notebooks. models: their names.
    """
    group = models[0] if len(models) == 1 else verdicts.TOGETHER
    judged = [
        row
        for row in judging.of_reader(reader, models, group, paper)
        if row.deciding.ours  # a claim on static vectors alone is asked of no model
    ]
    measures = set(reader.table["measure"])
    asked = [row.deciding for row in judged if set(row.claim.needs.measures) <= measures]
    present = {name for row in asked for name in row.ours}
    columns = [name for name in dict.fromkeys([*models, group, CWR]) if name in present]
    return Answer(registry.paper(paper), columns, asked, len(judged) - len(asked))


# ---- as HTML


def counts(answers: Sequence[Answer]) -> str:
    """Counts the verdicts on each model, in HTML: a line for each text and model."""
    lines = []
    for each in answers:
        text = f"{html.escape(each.text.short)}: " if len(answers) > 1 else ""
        for model in each.columns:
            words = [row.ours[model].verdict for row in each.asked if model in row.ours]
            told = render.counted(words, always=render.DECIDED)
            claims = "claim" if len(words) == 1 else "claims"
            lines.append(f"{text}<b>{html.escape(model)}:</b> of {len(words)} {claims} {told}.")
    return f"<p>{'<br>'.join(lines)}</p>"


def headlines(answers: Iterable[Answer]) -> str:
    """Returns an HTML table of headline claims, with a column on untrained copies; "" for none."""
    answers = [each for each in answers if each.headlines]
    models = list(dict.fromkeys(name for each in answers for name in each.columns))
    rows = [_headline(row, models) for each in answers for row in each.headlines]
    head = ["claim", *models, "untrained copies", "published"]
    return f"<h2>What the texts are known for</h2>\n{html_page.table(head, rows)}" if rows else ""


def _headline(row: Judged, models: list[str]) -> list[str]:
    ours = {name: row.ours[name] for name in models if name in row.ours}
    cells = [_badged(ours.get(name)) for name in models]
    copies = [render.beside_untrained(verdict) or NO_COPY for verdict in ours.values()]
    if len(set(copies)) > 1:
        copies = [f"{name} {word}" for name, word in zip(ours, copies, strict=True)]
    untrained = "<br>".join(render.small(copy) for copy in dict.fromkeys(copies))
    published = render.words(row.published, here=False)
    return [html_page.statement(row.claim), *cells, untrained, html.escape(published)]


def _badged(verdict) -> str:
    if verdict is None:
        return "–"
    words = render.words(verdict)
    return html.escape(words).replace(verdict.verdict, render.badge(verdict.verdict), 1)


def counted(answers: Iterable[Answer]) -> str:
    """Counts the verdicts over all texts and models, for a sentence."""
    words = [
        verdict.verdict for each in answers for row in each.asked for verdict in row.ours.values()
    ]
    return render.counted(words, always=render.DECIDED)


def every(answer: Answer) -> str:
    """Returns all verdicts on one text as HTML: a title and a folded table for each verdict."""
    lines = [(_word(row), _cells(row, answer.columns)) for row in answer.decided]
    order = [*render.DECIDED, SEVERAL]
    tables = html_page.by_verdict(["claim", *answer.columns, "published"], lines, order, [])
    silent = [row for row in answer.asked if _word(row) == NOT_RUN]
    sections = [f"<h3>{html.escape(answer.text.title)}</h3>", tables, _not_run(silent)]
    if answer.others:
        sections.append(f"<p>{answer.others} other claims need other notebooks.</p>")
    return "\n".join(sections)


def _word(row: Judged) -> str:
    """Returns the verdict that all models share; SEVERAL if they differ, "not run" without any."""
    words = {verdict.verdict for verdict in row.ours.values()} or {NOT_RUN}
    return words.pop() if len(words) == 1 else SEVERAL


def _cells(row: Judged, models: list[str]) -> list[str]:
    ours = [row.ours.get(model) for model in models]
    cells = [render.with_reason(verdict) if verdict else "–" for verdict in ours]
    published = render.with_reason(row.published, here=False)
    return [html_page.statement(row.claim), *cells, published]


def _not_run(rows: Iterable[Judged]) -> str:
    """Returns a fold with the claims that could not be asked of any model, by reason."""
    by_reason = defaultdict(list)
    for row in rows:
        reasons = dict.fromkeys(verdict.reason for verdict in row.ours.values())
        by_reason["; ".join(reasons)].append(f"<code>{row.claim.id}</code>")
    cells = [[html.escape(reason), ", ".join(ids)] for reason, ids in by_reason.items()]
    number = sum(map(len, by_reason.values()))
    title = f"{render.badge(NOT_RUN)}: {number}"
    return html_page.fold(title, html_page.table(["reason", "claims"], cells)) if cells else ""


# ---- as files


def write(answers: Iterable[Answer], folder: Path) -> None:
    """Writes the verdicts on all claims and models as CSV, and all but "not run" as LaTeX.

    The files have the names FILES in `folder`.
    """
    lines = [
        _line(each.text.key, row, model)
        for each in answers
        for row in each.asked
        for model in row.ours
    ]
    table = pd.DataFrame(lines, columns=COLUMNS)
    paths.write_text(folder / FILES[0], table.to_csv(index=False))
    printed = table[table["verdict"] != NOT_RUN][["claim", "says", "model", "verdict", "published"]]
    latex = printed.to_latex(index=False, escape=True, longtable=True, column_format="lp{6cm}lll")
    paths.write_text(folder / FILES[1], latex)


def _line(paper: str, row: Judged, model: str) -> tuple:
    """Returns a row with the columns COLUMNS."""
    claim, verdict = row.claim, row.ours[model]
    return (
        *(paper, claim.id, claim.place, claim.says, model, verdict.verdict),
        *(verdict.support, verdict.ground),
        *(verdict.untrained, verdict.untrained_because, verdict.reason, verdict.beyond),
        row.published.verdict,
    )
