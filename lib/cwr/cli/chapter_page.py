"""A page about a chapter's reruns: the reader's model beside the book's and the published ones."""

import base64
import hashlib
import html
import io
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

from cwr import figures, parameters
from cwr.cli import checkout, reruns
from cwr.papers import printed
from cwr.papers.claims import Claim
from cwr.report import html_page, render
from cwr.report.render import Judged
from cwr.report.results import Results, compares_choices, join, read, read_all
from cwr.report.verdicts import TOGETHER, judge_all
from cwr.tables import by_family

PANELS = {  # paper: {title: (measure, further key columns)}
    "ethayarajh2019": {
        "Figure 1: similarity of random words": ("anisotropy_baseline", {}),
        "Figure 2: adjusted self-similarity": ("adjusted_self_similarity", {}),
        "Figure 3: adjusted intra-sentence similarity": ("adjusted_intra_sentence_similarity", {}),
        "Figure 4: adjusted explained variance, released estimator": (
            "adjusted_maximum_explainable_variance",
            {"estimator": "released"},
        ),
    },
}
COLOURS_EXPLAINED = (
    "<p>In colour: your run. Grey: the models of the book. Hollow: the published numbers.</p>"
)


def of_chapter(folder: Path, settings: dict[str, dict]) -> Path:
    """Write the page about the reruns of a paper's notebooks; its path.

    folder: the checkout. settings: {notebook: the parameters it was run with, without defaults}.
    The page is runs/<paper>/chapter-<hash>/index.html.
    """
    paper = next(iter(settings)).split("/")[0]
    runs = []
    for notebook, changes in settings.items():
        values = parameters.validate(checkout.path(folder, notebook), changes)
        runs.append(reruns.folder_of(folder, notebook, values))
    hashes = "".join(run.name for run in runs)
    digest = hashlib.sha256(hashes.encode()).hexdigest()[:10]
    target = folder / "runs" / paper / f"chapter-{digest}"
    write(paper, runs, folder / "_build" / "run" / "small", target)
    return target / "index.html"


def write(paper: str, folders: list[Path], book: Path, out: Path) -> None:
    """Write out/index.html: figures and verdicts of a reader's runs of one chapter.

    paper: its key. folders: results of the chapter's notebooks with the reader's parameters.
    book: the folder of a profile's runs, whose models are drawn in grey; it may be missing.
    The page reads no other file. Raises FileNotFoundError if a folder has no results.
    """
    runs = [read(folder) for folder in folders]
    measured = [run for run in runs if not compares_choices(run)]
    reader = join(measured).without_variants()
    background = read_all(book)
    published = printed.load(paper)
    models = by_family(reader.table)
    sections = [f"<h1>{html.escape(', '.join(models))} through the chapter {paper}</h1>"]
    sections.append(COLOURS_EXPLAINED)
    for title, (measure, keys) in PANELS[paper].items():
        if (reader.table["measure"] == measure).any():
            image = _figure(title, reader, background, published, measure, keys)
            sections.append(f"<h2>{title}</h2>{image}")
    sections.append(f"<h2>Verdicts</h2>{_verdicts(paper, reader)}")
    page = html_page.document(f"{models[0]}: {paper}", "\n".join(sections))
    out.mkdir(parents=True, exist_ok=True)
    (out / "index.html").write_text(page, encoding="utf-8")


def _figure(
    title: str,
    reader: Results,
    background: Results | None,
    published: pd.DataFrame,
    measure: str,
    keys: dict,
) -> str:
    """One figure as an <img> with its alternative text."""
    with figures.paper_style():
        fig, ax = plt.subplots()
        if background is not None:
            figures.context(ax, _other_models(background.table, reader.table), measure, **keys)
        figures.by_layer(ax, reader.table, measure, published=published, relative=True, **keys)
        ax.set_ylabel("share of variance" if "variance" in measure else "cosine")
        figures.legend_below(fig, ax)
    picture = io.BytesIO()
    fig.savefig(picture, format="png", dpi=200)
    plt.close(fig)
    encoded = base64.b64encode(picture.getvalue()).decode()
    alt = html.escape(figures.describe(title, reader.table, measure, **keys), quote=True)
    return f"<img alt='{alt}' src='data:image/png;base64,{encoded}'>"


def _other_models(table: pd.DataFrame, reader: pd.DataFrame) -> pd.DataFrame:
    """The rows of models that the reader did not run, under the choices that the chapters make."""
    is_readers = table["model"].isin(reader["model"])
    return table[~is_readers & table["variant"].isna()]


def _verdicts(paper: str, reader: Results) -> str:
    """The verdicts on all claims of the paper as an HTML table, a column for each model."""
    claims = judge_all(reader, TOGETHER, paper)
    rows = [form for judged in claims for form in judged.with_general]
    models = list(dict.fromkeys(model for judged in rows for model in judged.ours))
    cells = [_cells(judged, models) for judged in rows]
    return html_page.table(["claim", *models, "published"], cells)


def _cells(judged: Judged, models: list[str]) -> list[str]:
    verdicts = [judged.ours.get(model) for model in models]
    cells = [render.with_reason(verdict) if verdict else "–" for verdict in verdicts]
    published = render.with_reason(judged.published, here=False)
    return [_statement(judged.claim), *cells, published]


def _statement(claim: Claim) -> str:
    says = f"<code>{claim.id}</code><br>{html.escape(claim.says)}"
    return says + render.explained(claim)
