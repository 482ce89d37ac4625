"""The one page about a reader's reruns of a chapter: what was run, its figures, its verdicts.

It speaks of the reader's models and of the published ones; the book's models stand in grey behind
the curves. A notebook that runs no model, or whose estimates no panel shows, is on the page with
what it displayed.
"""

import hashlib
import html
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from cwr import parameters, paths
from cwr.cli import chapter_figures, checkout, outputs, reruns
from cwr.papers import registry
from cwr.report import html_page, render, results, verdicts
from cwr.report.judgement import NOT_RUN
from cwr.report.reading import json_object
from cwr.report.render import Judged
from cwr.report.results import Results
from cwr.tables import by_family

SEVERAL = "differs between the models"


@dataclass(frozen=True)
class Run:
    """A notebook's results with a reader's parameters.

    folder: runs/<paper>/<NN_name>/<hash>. defaults: the notebook's own values of its parameters.
    """

    folder: Path
    defaults: dict

    @property
    def notebook(self) -> str:
        """'<paper>/<NN_name>'."""
        return "/".join(self.folder.parts[-3:-1])

    @property
    def executed(self) -> Path:
        """The notebook as it was run."""
        return self.folder / "notebook.ipynb"

    @cached_property
    def values(self) -> dict:
        """The parameters of the run, defaults too."""
        return json_object(self.folder / "run.json")["parameters"]

    @property
    def changed(self) -> list[str]:
        """The parameters that have another value than in the book."""
        return [name for name in self.values if self.values[name] != self.defaults.get(name)]

    @cached_property
    def models(self) -> list[dict]:
        """What the notebook recorded of each model that it opened."""
        return json_object(self.folder / "provenance.json").get("models", [])

    @cached_property
    def measured(self) -> Results | None:
        """The estimates that claims are judged on, and those of untrained copies; None without any:
        no model, or only variants."""
        if self.notebook.split("/")[0] not in registry.KEYS or not self.models:
            return None
        estimates = results.read(self.folder)
        return None if results.compares_choices(estimates) else estimates.without_choices()


def of_chapter(folder: Path, settings: dict[str, dict]) -> Path:
    """Write the page about reruns of one chapter's notebooks; its path.

    folder: the checkout. settings: {notebook: the parameters it was run with, without defaults}.
    The page is runs/<paper>/chapter-<hash>/index.html; beside it reruns.json names the folders.
    """
    runs = []
    for name, changes in settings.items():
        notebook = checkout.path(folder, name)
        values = parameters.validate(notebook, changes)
        runs.append(Run(reruns.folder_of(folder, name, values), parameters.validate(notebook, {})))
    return write(runs, folder / "_build" / "run" / "small")


def write(runs: list[Run], book: Path) -> Path:
    """Write the page about runs of one chapter; its path.

    book: the folder of a profile's runs, whose models are drawn in grey; it may be missing.
    Raises UserError, with the file, for results that are missing or cannot be read.
    """
    chapter = runs[0].folder.parents[1]  # runs/<paper>
    digest = hashlib.sha256("".join(run.folder.name for run in runs).encode()).hexdigest()[:10]
    target = chapter / f"chapter-{digest}"
    names = [run.folder.relative_to(chapter).as_posix() for run in runs]
    record = {"title": title(chapter.name, runs), "reruns": names}
    paths.write_text(target / "reruns.json", json.dumps(record, indent=1) + "\n")
    body = _body(chapter.name, runs, book, record["title"])
    page = target / "index.html"
    paths.write_text(page, document(record["title"], body, chapter.parent))
    return page


def document(heading: str, body: str, runs: Path) -> str:
    """The whole page; runs: the folder of reruns, to which the script for formulas goes."""
    has_formula = "\\(" in body or "\\[" in body
    return html_page.document(heading, body, outputs.mathjax(runs) if has_formula else "")


def title(chapter: str, runs: list[Run]) -> str:
    """What the page is about: "my-model through Ethayarajh (2019), ...", or without a model."""
    texts = {paper.key: paper.title for paper in registry.PAPERS}
    text = texts.get(chapter, f"chapter {chapter}")
    names = dict.fromkeys(model["name"] for run in runs for model in run.models)
    return f"{', '.join(names)} through {text}" if names else f"{text}: rerun"


def _body(chapter: str, runs: list[Run], book: Path, heading: str) -> str:
    """The page's HTML below its head."""
    measured = [run.measured for run in runs if run.measured is not None]
    sections = [f"<h1>{html.escape(heading)}</h1>"]
    drawn: set[str] = set()  # measures that have a panel
    figures = counts = verdict_tables = ""
    if measured:
        reader = results.join(measured)
        panels = chapter_figures.panels(chapter, reader)
        drawn = {panel.measure for panel in panels}
        figures = chapter_figures.section(panels, reader, book, chapter)
        counts, verdict_tables = _verdicts(chapter, reader)
    sections += [counts, _what_was_run(runs), figures, verdict_tables]
    others = [run for run in runs if not _has_panel(run, drawn)]
    sections += [_displayed(run) for run in others]
    return "\n".join(filter(None, sections))


def _has_panel(run: Run, drawn: set[str]) -> bool:
    return run.measured is not None and bool(drawn & set(run.measured.table["measure"]))


# ---- what was run


def _what_was_run(runs: list[Run]) -> str:
    """The models, and the notebooks with their parameters, as HTML."""
    models = {model["name"]: model for run in runs for model in run.models}
    tables = ["<h2>What was run</h2>"]
    if models:
        head = ("model", "family", "layers", "layer 0", "last layer")
        tables.append(html_page.table(head, map(_model, models.values())))
    changes = [f"{name}: {run.values[name]}" for run in runs for name in run.changed]
    differences = _listed(dict.fromkeys(changes)) or "nothing"
    tables.append(f"<p>Where it differs from the book:<br>{differences}</p>")
    tables.append(html_page.table(("notebook", "all parameters"), map(_notebook, runs)))
    return "\n".join(tables)


def _model(model: dict) -> list[str]:
    first, last = model["contract"][0], model["contract"][-1]
    facts = [model["name"], model["family"], str(model["n_layers"]), first, last]
    return [html.escape(fact) for fact in facts]


def _notebook(run: Run) -> list[str]:
    """A notebook's title, a link to its executed copy, and its parameters."""
    heading = html.escape(outputs.heading(run.executed))
    address = html.escape(f"../{run.folder.parent.name}/{run.folder.name}/notebook.ipynb")
    link = f'<a href="{address}">{html.escape(run.notebook)}, executed</a> (for JupyterLab)'
    every = _listed(f"{name}: {value}" for name, value in run.values.items())
    return [f"{heading}<br><small>{link}</small>", html_page.fold("parameters", every)]


def _listed(texts: Iterable[str]) -> str:
    return "<br>".join(f"<code>{html.escape(text)}</code>" for text in texts)


def _displayed(run: Run) -> str:
    """What a notebook displayed, for one that no figure above shows."""
    heading = html.escape(outputs.heading(run.executed))
    return f"<h2>{heading}</h2>\n{outputs.html(run.executed)}"


# ---- verdicts


def _verdicts(chapter: str, reader: Results) -> tuple[str, str]:
    """Counts of the verdicts on the reader's models, and the tables of them, as HTML.

    Of the claims only those are asked whose measures were run; the others are counted.
    """
    models = by_family(reader.table)
    group = models[0] if len(models) == 1 else verdicts.TOGETHER
    judged = verdicts.judge_all(reader, group, chapter)
    measures = set(reader.table["measure"])
    asked = [each.deciding for each in judged if set(each.claim.needs.measures) <= measures]
    columns = list(dict.fromkeys(model for row in asked for model in row.ours))
    decided = [row for row in asked if _word(row) != NOT_RUN]
    lines = [(_word(row), _cells(row, columns)) for row in decided]
    order = [*render.DECIDED, SEVERAL]
    tables = html_page.by_verdict(["claim", *columns, "published"], lines, order, order)
    sections = ["<h2>Verdicts</h2>", tables, _not_run(row for row in asked if row not in decided)]
    if len(judged) > len(asked):
        sections.append(f"<p>{len(judged) - len(asked)} other claims need other notebooks.</p>")
    return _counts(asked, columns), "\n".join(sections)


def _counts(rows: Iterable[Judged], models: list[str]) -> str:
    lines = []
    for model in models:
        words = [row.ours[model].verdict for row in rows if model in row.ours]
        counts = render.counted(words, always=render.DECIDED)
        lines.append(f"<b>{html.escape(model)}:</b> of {len(words)} claims {counts}.")
    return f"<p>{'<br>'.join(lines)}</p>"


def _word(row: Judged) -> str:
    """The verdict that all models share; SEVERAL where they do not, "not run" without any."""
    words = {verdict.verdict for verdict in row.ours.values()} or {NOT_RUN}
    return words.pop() if len(words) == 1 else SEVERAL


def _cells(row: Judged, models: list[str]) -> list[str]:
    ours = [row.ours.get(model) for model in models]
    cells = [render.with_reason(verdict) if verdict else "–" for verdict in ours]
    published = render.with_reason(row.published, here=False)
    return [html_page.statement(row.claim), *cells, published]


def _not_run(rows: Iterable[Judged]) -> str:
    """The claims that could not be asked of any model, by reason, folded."""
    by_reason = defaultdict(list)
    for row in rows:
        reasons = dict.fromkeys(verdict.reason for verdict in row.ours.values())
        by_reason["; ".join(reasons)].append(f"<code>{row.claim.id}</code>")
    cells = [[html.escape(reason), ", ".join(ids)] for reason, ids in by_reason.items()]
    number = sum(map(len, by_reason.values()))
    title = f"{render.badge(NOT_RUN)}: {number}"
    return html_page.fold(title, html_page.table(["reason", "claims"], cells)) if cells else ""
