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
from cwr.papers import published
from cwr.report.results import Results, join, read, read_all
from cwr.report.verdicts import check_results

PANELS = {                                                  # paper: {figure: (measure, further keys)}
    "ethayarajh2019": {
        "Figure 1: similarity of random words": ("anisotropy_baseline", {}),
        "Figure 2: adjusted self-similarity": ("adjusted_self_similarity", {}),
        "Figure 3: adjusted intra-sentence similarity": ("adjusted_intra_sentence_similarity", {}),
        "Figure 4: adjusted explained variance, released estimator":
            ("adjusted_maximum_explainable_variance", {"estimator": "released"}),
    },
}
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem;
       color: #1a1a1a; background: #fff }
img { max-width: 100% }
table { border-collapse: collapse; font-size: .85rem }
td, th { border-bottom: 1px solid #ddd; padding: .3rem .5rem; text-align: left; vertical-align: top }
.scroll { overflow-x: auto }
code { font-size: .9em }
"""


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
    mine, ours = join(map(read, folders)), read_all(book)
    mine = mine.where(mine.table["variant"].isna().to_numpy())
    models, theirs = published.by_family(mine.table), published.load(paper)
    parts = [f"<h1>{html.escape(', '.join(models))} through the chapter {paper}</h1>",
             "<p>In colour: your run. Grey: the models of the book. Hollow: the published numbers.</p>"]
    for title, (measure, keys) in PANELS[paper].items():
        if (mine.table["measure"] == measure).any():
            parts.append(f"<h2>{title}</h2>{_figure(mine, ours, theirs, measure, keys)}")
    parts.append("<h2>Verdicts</h2><div class=scroll>" + _verdicts(paper, mine) + "</div>")
    text = (f"<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
            f"<link rel=icon href='data:,'><title>{html.escape(models[0])}: {paper}</title><style>{STYLE}</style>"
            f"{''.join(parts)}</html>\n")
    out.mkdir(parents=True, exist_ok=True)
    (out / "index.html").write_text(text, encoding="utf8")


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
    rows = check_results(mine, "together", paper)
    who = list(dict.fromkeys(name for row in rows for name in row["ours"]))
    head = "".join(f"<th>{html.escape(name)}</th>" for name in who)
    rows = [each for row in rows for each in (row, row["general"]) if each]      # the general form below its claim
    body = "".join(f"<tr><td><code>{row['claim']}</code><br>{html.escape(row['says'])}</td>"
                   + "".join(f"<td>{_cell(row['ours'].get(name))}</td>" for name in who)
                   + f"<td>{row['published']}</td></tr>" for row in rows)
    return f"<table><tr><th>claim</th>{head}<th>published</th></tr>{body}</table>"


def _cell(verdict: dict | None) -> str:
    if verdict is None:
        return "–"
    support = "" if verdict["support"] is None else f" ({verdict['support']:.2f})"
    beyond = "beyond the paper: " if verdict["beyond_the_paper"] else ""
    reason = f"<br><small>{html.escape(verdict['reason'])}</small>" if verdict["reason"] else ""
    return f"{beyond}{verdict['verdict']}{support}{reason}"
