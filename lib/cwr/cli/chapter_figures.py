"""The figures on the page of a reader's reruns: their curves, the published ones, the book's."""

import base64
import html
import io
from dataclasses import dataclass, field
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

from cwr import figures
from cwr.papers import printed
from cwr.report.results import Results, read_all
from cwr.tables import by_family, where


@dataclass(frozen=True)
class Panel:
    """One measure by layer. keys: further key columns that its rows must have."""

    title: str
    measure: str
    keys: dict = field(default_factory=dict)

    def rows(self, table: pd.DataFrame) -> pd.DataFrame:
        """The rows of a tidy table that the panel shows."""
        return where(table, measure=self.measure, **self.keys)


PANELS = {
    "ethayarajh2019": (
        Panel("Figure 1: cosine of random words", "anisotropy_baseline"),
        Panel("Figure 2: adjusted self-similarity", "adjusted_self_similarity"),
        Panel("Figure 3: adjusted intra-sentence similarity", "adjusted_intra_sentence_similarity"),
        Panel(
            "Figure 4: adjusted explained variance, released estimator",
            "adjusted_maximum_explainable_variance",
            {"estimator": "released"},
        ),
    ),
}


def panels(chapter: str, reader: Results) -> list[Panel]:
    """The panels of a chapter that the reader's estimates have rows for."""
    return [panel for panel in PANELS.get(chapter, ()) if len(panel.rows(reader.table))]


def section(panels: list[Panel], reader: Results, book: Path, chapter: str) -> str:
    """The figures with their captions as HTML; empty without panels.

    book: the folder of runs whose models are drawn in grey; it may be missing.
    """
    if not panels:
        return ""
    background = read_all(book)
    table = reader.table.head(0) if background is None else background.without_variants().table
    others = table[~table["model"].isin(reader.table["model"])]
    published = printed.load(chapter)
    drawn = [_figure(panel, reader.table, others, published) for panel in panels]
    return "\n".join(["<h2>Figures</h2>", *drawn])


def _figure(
    panel: Panel, reader: pd.DataFrame, others: pd.DataFrame, published: pd.DataFrame
) -> str:
    """One figure with its alternative text and its caption."""
    measure, keys = panel.measure, panel.keys
    with figures.paper_style():
        fig, ax = plt.subplots()
        figures.context(ax, others, measure, **keys)
        figures.by_layer(ax, reader, measure, published=published, relative=True, **keys)
        ax.set_ylabel("share of variance" if "variance" in measure else "cosine")
        figures.legend_below(fig, ax)
    picture = io.BytesIO()
    fig.savefig(picture, format="png", dpi=200)
    plt.close(fig)
    encoded = base64.b64encode(picture.getvalue()).decode()
    alt = html.escape(figures.describe(panel.title, reader, measure, **keys))
    image = f'<img alt="{alt}" src="data:image/png;base64,{encoded}">'
    caption = html.escape(_caption(panel, reader, others, published))
    return f"<figure>{image}<figcaption>{caption}</figcaption></figure>"


def _caption(
    panel: Panel, reader: pd.DataFrame, others: pd.DataFrame, published: pd.DataFrame
) -> str:
    """What is plotted, whose curves are which."""
    colours = {"in colour": reader, "in grey": others, "hollow, as published": published}
    clauses = []
    for colour, table in colours.items():
        names = by_family(panel.rows(table))
        clauses += [f"{colour}: {', '.join(names)}"] if names else []
    return f"{panel.title}, by relative depth; {'; '.join(clauses)}."
