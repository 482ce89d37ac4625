"""Writes the page about a reader's reruns: verdicts, figures, and what was run.

The page is about the reader's models and published ones; the book's models are drawn in grey. For a
notebook that runs no model, or whose estimates no panel shows, the page has a fold with all that it
displayed.
"""

import hashlib
import html
import json
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from cwr import parameters, paths
from cwr.cli import (
    chapter_figures,
    checkout,
    citing,
    matching_runs,
    outputs,
    plan,
    reruns,
    verdict_tables,
)
from cwr.cli.verdict_tables import Answer
from cwr.encoders.hub import results_name
from cwr.errors import UserError
from cwr.papers import registry
from cwr.report import html_page, results
from cwr.report.reading import json_object
from cwr.report.results import Results
from cwr.tables import by_family


@dataclass(frozen=True)
class Run:
    """A notebook's run with a reader's parameters.

    folder: runs/<paper>/<NN_name>/<hash>. defaults: {parameter: the notebook's own value}.
    """

    folder: Path
    defaults: dict

    @property
    def notebook(self) -> str:
        """The name of the notebook, '<paper>/<NN_name>'."""
        return "/".join(self.folder.parts[-3:-1])

    @property
    def chapter(self) -> str:
        """The name of the chapter, '<paper>'."""
        return self.folder.parts[-3]

    @property
    def executed(self) -> Path:
        """The file of the executed notebook."""
        return self.folder / "notebook.ipynb"

    @cached_property
    def request(self) -> dict:
        """The content of run.json, in which `reruns.run` recorded the parameters."""
        return json_object(self.folder / "run.json")

    @property
    def values(self) -> dict:
        """The values of all parameters in the run, defaults too."""
        return self.request["parameters"]

    @property
    def given(self) -> dict:
        """The parameters that the reader or a profile set, even to their defaults."""
        return self.request.get("given", {name: self.values[name] for name in self.changed})

    @property
    def changed(self) -> list[str]:
        """The names of the parameters whose values differ from the book's."""
        return [name for name in self.values if self.values[name] != self.defaults.get(name)]

    @cached_property
    def record(self) -> dict:
        """The content of provenance.json, the notebook's record of its run."""
        return json_object(self.folder / "provenance.json")

    @property
    def models(self) -> list[dict]:
        """The records of the models that the notebook opened."""
        return self.record.get("models", [])

    @cached_property
    def measured(self) -> Results | None:
        """The estimates for judging claims, with those of untrained copies; None if there are none.

        A notebook without models, or one that compares choices, has none.
        """
        return matching_runs.measured(self.folder) if self.models else None


def of_settings(folder: Path, settings: dict[str, dict]) -> Path:
    """Writes the page about reruns of some notebooks; returns its path.

    folder: the checkout. settings: {notebook: {parameter: value}} of the reruns, without defaults.
    The page is runs/<paper>/chapter-<hash>/index.html for one chapter,
    runs/answers/<hash>/index.html for several; reruns.json beside it names the runs' folders.
    """
    runs = []
    for name, changes in settings.items():
        notebook = checkout.path(folder, name)
        values = parameters.validate(notebook, changes)
        runs.append(Run(reruns.folder_of(folder, name, values), parameters.validate(notebook, {})))
    return write(runs, folder / "_build" / "run" / "small")


def write(runs: list[Run], book: Path) -> Path:
    """Writes the page about runs, its figures and its verdicts as files; returns the page's path.

    book: the folder of a profile's runs, whose models are drawn in grey; it may be missing.
    Raises UserError, with the file, for results that are missing or cannot be read.
    """
    root = runs[0].folder.parents[2]  # runs/
    chapters = list(dict.fromkeys(run.chapter for run in runs))
    digest = hashlib.sha256("".join(run.folder.name for run in runs).encode()).hexdigest()[:10]
    target = root / "answers" / digest
    if len(chapters) == 1:
        target = root / chapters[0] / f"chapter-{digest}"
    names = [os.path.relpath(run.folder, target.parent) for run in runs]
    heading = title(chapters, runs)
    record = json.dumps({"title": heading, "reruns": names}, indent=1)
    paths.write_text(target / "reruns.json", record + "\n")
    page = target / "index.html"
    paths.write_text(page, document(heading, _body(target, runs, book, heading), root))
    return page


def document(heading: str, body: str, runs: Path) -> str:
    """Returns the whole page as HTML.

    runs: the folder of reruns, to which the script for formulas is copied if the body has formulas.
    """
    has_formula = "\\(" in body or "\\[" in body
    return html_page.document(heading, body, outputs.mathjax(runs) if has_formula else "")


def title(chapters: list[str], runs: list[Run]) -> str:
    """Returns the page's title: "my-model through Ethayarajh (2019)", or "...: rerun".

    chapters: their names. The title names the models that the reader chose, else all models run.
    """
    texts = {paper.key: paper.title for paper in registry.PAPERS}
    text = texts.get(chapters[0], f"chapter {chapters[0]}")
    if len(chapters) > 1:
        text = f"{len(chapters)} texts"
    names = _named(runs) or dict.fromkeys(model["name"] for run in runs for model in run.models)
    return f"{', '.join(names)} through {text}" if names else f"{text}: rerun"


def _named(runs: list[Run]) -> dict[str, str]:
    """Returns the models that the reader chose: {name in results: folder or hub id}."""
    named = {}
    for path in [path for run in runs for path in plan.named(run.given, plan.MODELS)]:
        with suppress(UserError):  # a name that can be no model
            named[results_name(path)] = path
    return named


def _body(target: Path, runs: list[Run], book: Path, heading: str) -> str:
    """Returns the page's body as HTML. target: the page's folder, to which its files go."""
    measured = [run for run in runs if run.measured is not None]
    answers, figures = [], []
    drawn: set[str] = set()  # measures that have a panel
    for chapter in dict.fromkeys(run.chapter for run in measured):
        reader = results.join(run.measured for run in measured if run.chapter == chapter)
        models = _of_reader(reader, runs)
        answers.append(verdict_tables.answer(chapter, reader, models))
        mine = reader.where(reader.table["model"].isin(models).to_numpy())
        panels = chapter_figures.panels(chapter, mine)
        drawn |= {panel.measure for panel in panels}
        figures.append(chapter_figures.section(panels, mine, book, chapter, target))
    sections = [f"<h1>{html.escape(heading)}</h1>", *_answered(target, answers)]
    sections += ["<h2>Figures</h2>", *figures] if any(figures) else []
    if answers:
        tables = [verdict_tables.every(answer) for answer in answers]
        sections += ["<h2>Verdicts</h2>", _links(verdict_tables.FILES), *tables]
    sections.append(_what_was_run(runs, target))
    sections += [_displayed(run) for run in runs if not _has_panel(run, drawn)]
    sections.append(_to_cite(runs, answers) if answers else "")
    return "\n".join(filter(None, sections))


def _of_reader(reader: Results, runs: list[Run]) -> list[str]:
    """Returns the models that the reader chose, or else all models, sorted by family."""
    present, chosen = by_family(reader.table), _named(runs)
    return [model for model in present if model in chosen] or present


def _answered(target: Path, answers: list[Answer]) -> list[str]:
    """Returns the counts and the headline claims; writes all verdicts to files beside the page."""
    if not answers:
        return []
    verdict_tables.write(answers, target)
    return [verdict_tables.counts(answers), verdict_tables.headlines(answers)]


def _links(files: Iterable[str]) -> str:
    """Returns links that download files beside the page."""
    links = [f'<a href="{file}" download>{file}</a>' for file in files]
    return f"<p>As files: {', '.join(links)}.</p>"


def _has_panel(run: Run, drawn: set[str]) -> bool:
    return run.measured is not None and bool(drawn & set(run.measured.table["measure"]))


# ---- what was run


def _what_was_run(runs: list[Run], target: Path) -> str:
    """Returns the models and the notebooks with their parameters, as HTML."""
    models = {model["name"]: model for run in runs for model in run.models}
    chosen = _named(runs) or models
    tables = ["<h2>What was run</h2>"]
    if models:
        head = ("model", "family", "layers", "layer 0", "last layer")
        rows = [_model(model) for name, model in models.items() if name in chosen]
        tables.append(html_page.table(head, rows))
    changes = [f"{name}: {run.values[name]}" for run in runs for name in run.changed]
    differences = _listed(dict.fromkeys(changes)) or "nothing"
    tables.append(f"<p>Where it differs from the book:<br>{differences}</p>")
    notebooks = html_page.table(
        ("notebook", "all parameters"), [_notebook(run, target) for run in runs]
    )
    tables.append(html_page.fold(f"{len(runs)} notebooks with their parameters", notebooks))
    return "\n".join(tables)


def _model(model: dict) -> list[str]:
    first, last = model["contract"][0], model["contract"][-1]
    facts = [model["name"], model["family"], str(model["n_layers"]), first, last]
    return [html.escape(fact) for fact in facts]


def _notebook(run: Run, target: Path) -> list[str]:
    """Returns a notebook's title with a link to its executed copy, and its parameters."""
    heading = html.escape(outputs.heading(run.executed))
    address = html.escape(os.path.relpath(run.executed, target))
    link = f'<a href="{address}">{html.escape(run.notebook)}, executed</a> (for JupyterLab)'
    every = _listed(f"{name}: {value}" for name, value in run.values.items())
    return [f"{heading}<br><small>{link}</small>", html_page.fold("parameters", every)]


def _listed(texts: Iterable[str]) -> str:
    return "<br>".join(f"<code>{html.escape(text)}</code>" for text in texts)


def _displayed(run: Run) -> str:
    """Returns a fold with all that a notebook displayed."""
    heading = html.escape(outputs.heading(run.executed))
    return html_page.fold(f"{heading}: what it shows", outputs.html(run.executed))


# ---- for a reader who reports it


def _to_cite(runs: list[Run], answers: list[Answer]) -> str:
    """Returns a paragraph to paste and a BibTeX entry, as HTML."""
    chosen = _named(runs)
    commit = citing.commits(run.record for run in runs)
    titles = [answer.text.title for answer in answers]
    text = citing.paragraph(chosen, titles, verdict_tables.counted(answers), commit)
    entry = html.escape(citing.bibtex())
    return f"<h2>To report it</h2>\n<p>{html.escape(text)}</p>\n<pre>{entry}</pre>"
