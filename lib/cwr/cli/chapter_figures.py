"""Draws the figures of a reader's reruns, with the published curves and those of the book."""

import base64
import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from cwr import figures
from cwr.papers import printed
from cwr.report.results import Results, read_all
from cwr.tables import by_family, where


@dataclass(frozen=True, kw_only=True)
class Panel:
    """A figure: one measure by layer, a panel for each family of the reader's models.

    artifact: the paper's figure. finding: the title, up to the models in which the finding holds.
    course: tests whether the finding holds for a curve. bound: a level to mark; the axis ends at
        three times the bound, above and below 0. keys: {key column: value} that its rows must have.
    steps: measures in place of layers, from left to right, for a matrix, which has no layers.
        by_bin: True puts the key column k in place of layers.
    ends: the labels of the axis for steps or bins, at equal distances. what: a phrase before the
        last values in the alternative text.
    """

    artifact: str
    measure: str
    ylabel: str
    finding: str
    course: Callable[[pd.DataFrame], bool]
    bound: float | None = None
    keys: dict = field(default_factory=dict)
    steps: tuple[str, ...] = ()
    by_bin: bool = False
    ends: tuple[str, ...] = ()
    what: str = "In the last layer"

    @property
    def name(self) -> str:
        """The artifact's name as a file name: "figure-1"."""
        return "-".join(re.findall(r"\w+", self.artifact.lower()))

    def rows(self, table: pd.DataFrame) -> pd.DataFrame:
        """Returns the rows of a tidy table that the figure shows, with steps or bins as layers."""
        if self.steps:
            rows = where(table[table["measure"].isin(self.steps)], **self.keys)
            return rows.assign(layer=rows["measure"].map(self.steps.index), measure=self.measure)
        rows = where(table, measure=self.measure, **self.keys)
        if self.by_bin:
            bins = pd.to_numeric(rows["k"])
            return rows.assign(layer=bins - bins.min())
        return rows.dropna(subset="layer")  # a static table has no layer

    def title(self, rows: pd.DataFrame) -> str:
        """Returns the finding and the models in which it holds; rows: as `rows` returns them."""
        return f"{self.finding} {figures.models_in_which(self.course, rows, self.measure)}"


def is_near_one_centred(rows: pd.DataFrame) -> bool:
    """Tests whether I(W_c), the second step of a model, is 0.95 or more."""
    return bool(len(rows) > 1 and rows["value"].iloc[1] >= NEAR_ONE)


PANELS = {
    "ethayarajh2019": (
        Panel(
            artifact="Figure 1",
            measure="anisotropy_baseline",
            ylabel="mean cosine of random words",
            finding="Above the input, random words have a mean cosine above 0 in every layer of",
            course=figures.above_zero,
        ),
        Panel(
            artifact="Figure 2",
            measure="adjusted_self_similarity",
            ylabel="adjusted self-similarity",
            finding="Adjusted self-similarity is lower in the last layer than in the input in",
            course=figures.falls,
        ),
        Panel(
            artifact="Figure 3",
            measure="adjusted_intra_sentence_similarity",
            ylabel="adjusted similarity",
            finding="The adjusted similarity of a sentence's words is higher in the last layer than in the "
            "input in",
            course=figures.rises,
        ),
        Panel(
            artifact="Figure 4",
            measure="adjusted_maximum_explainable_variance",
            ylabel="adjusted variance",
            finding="By the released estimator one direction explains less than 5 % in every layer of",
            course=figures.below(0.05),
            bound=0.05,
            keys={"estimator": "released"},
        ),
        Panel(
            artifact="Table 1, MEN",
            measure="static_benchmark_score",
            ylabel="Spearman correlation, covered pairs",
            finding="On MEN, static vectors of the last layer score below those of the first in",
            course=figures.falls,
            keys={"dataset": "MEN"},
        ),
    ),
    "bis2021": (
        Panel(
            artifact="Table 1",
            measure="partition_isotropy",
            ylabel="partition isotropy",
            finding="Without the mean, partition isotropy is 0.95 or more in",
            course=is_near_one_centred,
            steps=(
                "partition_isotropy",
                "partition_isotropy_centred",
                "partition_isotropy_removed",
            ),
            ends=("as it is", "centred", "components\nremoved"),
            what="Components removed",
        ),
        Panel(
            artifact="Figure 3",
            measure="unused_mean_cosine_by_frequency",
            ylabel="mean cosine with never-used tokens",
            finding="The rarest tokens are nearer to the never-used ones than the commonest in",
            course=figures.rises,
            by_bin=True,
            ends=("common", "rare"),
            what="With the rarest",
        ),
    ),
}
NEAR_ONE = 0.95  # as the claims on Table 1 read "nearly perfect"


def panels(chapter: str, reader: Results) -> list[Panel]:
    """Returns the panels of a chapter that the reader's estimates have rows for."""
    table = reader.without_variants().table
    return [panel for panel in PANELS.get(chapter, ()) if len(panel.rows(table))]


def section(panels: list[Panel], reader: Results, book: Path, chapter: str, target: Path) -> str:
    """Returns the figures with their captions as HTML; "" without panels.

    book: the folder of runs whose models are drawn in grey; it may be missing. target: the page's
        folder, which gets each figure's drawing (SVG) and its numbers (CSV).
    """
    if not panels:
        return ""
    background = read_all(book)
    table = reader.table.head(0) if background is None else background.without_variants().table
    others = table[~table["model"].isin(reader.table["model"])]
    published = printed.load(chapter)
    return "\n".join(
        _figure(panel, reader, others, published, target / f"{chapter}-{panel.name}")
        for panel in panels
    )


def _figure(
    panel: Panel, reader: Results, others: pd.DataFrame, published: pd.DataFrame, stem: Path
) -> str:
    """Returns a figure as HTML with alternative text, caption and links; writes its files."""
    ours, copies = reader.without_variants().table, panel.rows(reader.untrained().table)
    rows = panel.rows(ours)
    title = panel.title(rows)
    fig = figures.by_family(
        rows,
        panel.measure,
        title,
        panel.ylabel,
        panel.rows(published),
        level=panel.bound,
        connected=panel.bound is None,
        untrained=copies,
    )
    for ax in fig.axes:
        figures.context(ax, panel.rows(others), panel.measure)
        if panel.ends:
            ax.set_xticks(np.linspace(0, 1, len(panel.ends)), panel.ends)
            _name_ours(ax)
    if panel.ends:
        fig.supxlabel("")
    if panel.bound:
        figures.clip(fig, -3 * panel.bound, 3 * panel.bound)
    encoded = base64.b64encode(figures.png(fig)).decode()
    figures.write_figure(fig, rows.dropna(axis="columns", how="all"), stem)
    plt.close(fig)
    alt = html.escape(figures.describe(title, rows, panel.measure, panel.what))
    image = f'<img alt="{alt}" src="data:image/png;base64,{encoded}">'
    caption = html.escape(_caption(panel, ours, others, published, len(copies) > 0))
    links = " · ".join(
        f'<a href="{stem.name}.{kind}" download>{kind.upper()}</a>' for kind in ("csv", "svg")
    )
    return f"<figure>{image}<figcaption>{caption} {links}</figcaption></figure>"


def _name_ours(ax: plt.Axes) -> None:
    """Limits the legend to our models; the caption names the paper's many matrices."""
    entries = zip(*ax.get_legend_handles_labels(), strict=True)
    ours = {name: line for line, name in entries if not name.endswith(figures.PUBLISHED)}
    ax.legend(ours.values(), ours.keys(), handlelength=1.8)


def _caption(
    panel: Panel,
    reader: pd.DataFrame,
    others: pd.DataFrame,
    published: pd.DataFrame,
    has_copies: bool,
) -> str:
    """Returns what is plotted, and which curves are whose."""
    families = panel.rows(reader)["family"].unique()
    beside = published[published["family"].isin(families)]
    colours = {"in colour": reader, "in grey": others, "hollow, as published": beside}
    clauses = []
    for colour, table in colours.items():
        names = by_family(panel.rows(table))
        clauses += [f"{colour}: {', '.join(names)}"] if names else []
    clauses += ["dotted: untrained copies"] if has_copies else []
    return f"{panel.artifact} again, {panel.ylabel}; {'; '.join(clauses)}."
