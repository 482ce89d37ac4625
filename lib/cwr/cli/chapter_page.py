"""One page about one run of a whole chapter: the reader's model among the book's and the published ones."""
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
from cwr.report import html_page, render
from cwr.report.results import Results, compares_choices, join, read, read_all
from cwr.report.verdicts import TOGETHER, judge_all
from cwr.tables import by_family

PANELS = {                                                  # paper: {figure: (measure, further keys)}
    "ethayarajh2019": {
        "Figure 1: similarity of random words": ("anisotropy_baseline", {}),
        "Figure 2: adjusted self-similarity": ("adjusted_self_similarity", {}),
        "Figure 3: adjusted intra-sentence similarity": ("adjusted_intra_sentence_similarity", {}),
        "Figure 4: adjusted explained variance, released estimator":
            ("adjusted_maximum_explainable_variance", {"estimator": "released"}),
    },
}


def of_chapter(folder: Path, values: dict[str, dict]) -> Path:
    """The page of a paper's notebooks {name: parameters given}, all run: runs/<paper>/<hash>/index.html."""
    paper = next(iter(values)).split("/")[0]
    runs = [reruns.folder_of(folder, name, parameters.validate(checkout.path(folder, name), given))
            for name, given in values.items()]
    digest = hashlib.sha256("".join(run.name for run in runs).encode()).hexdigest()[:10]
    out = folder / "runs" / paper / f"chapter-{digest}"
    write(paper, runs, folder / "_build" / "run" / "small", out)
    return out / "index.html"


def write(paper: str, folders: list[Path], book: Path, out: Path) -> None:
    """Write out/index.html: curves of the runs in `folders` among those below `book` and the published ones, verdicts.

    folders: results of the chapter's notebooks with the reader's parameters; book: the book's own results of a
    profile (may be missing). The page needs nothing but itself. Raises FileNotFoundError if no folder has results.
    """
    mine = join(part for part in map(read, folders) if not compares_choices(part)).without_variants()
    ours, published = read_all(book), printed.load(paper)
    models = by_family(mine.table)
    sections = [f"<h1>{html.escape(', '.join(models))} through the chapter {paper}</h1>",
                "<p>In colour: your run. Grey: the models of the book. Hollow: the published numbers.</p>"]
    for title, (measure, keys) in PANELS[paper].items():
        if (mine.table["measure"] == measure).any():
            sections.append(f"<h2>{title}</h2>{_figure(mine, ours, published, measure, keys)}")
    sections.append(f"<h2>Verdicts</h2>{_verdicts(paper, mine)}")
    out.mkdir(parents=True, exist_ok=True)
    page = html_page.document(f"{models[0]}: {paper}", "\n".join(sections))
    (out / "index.html").write_text(page, encoding="utf-8")


def _figure(mine: Results, ours: Results | None, theirs: pd.DataFrame, measure: str, keys: dict) -> str:
    """One figure as an <img> with its alternative text."""
    with figures.paper_style():
        fig, ax = plt.subplots()
        if ours is not None:
            others = ours.table[~ours.table["model"].isin(mine.table["model"]) & ours.table["variant"].isna()]
            figures.context(ax, others, measure, **keys)
        figures.by_layer(ax, mine.table, measure, published=theirs, relative=True, **keys)
        ax.set_ylabel("cosine" if "variance" not in measure else "share of variance")
        figures.legend_below(fig, ax)
    buffer = io.BytesIO()
    fig.savefig(buffer, format="png", dpi=200)
    plt.close(fig)
    alt = html.escape(figures.describe(mine.table, measure, theirs, **keys), quote=True)
    return f"<img alt='{alt}' src='data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}'>"


def _verdicts(paper: str, mine: Results) -> str:
    judged = [form for each in judge_all(mine, TOGETHER, paper) for form in each.with_general]
    models = list(dict.fromkeys(name for each in judged for name in each.ours))
    rows = []
    for each in judged:
        says = "<br>".join([f"<code>{each.claim.id}</code>", html.escape(each.claim.says),
                            *map(render.small, render.explained(each.claim))])
        ours = [render.with_reason(each.ours[name]) if name in each.ours else "–" for name in models]
        rows.append([says, *ours, render.with_reason(each.published, here=False)])
    return html_page.table(["claim", *models, "published"], rows)
