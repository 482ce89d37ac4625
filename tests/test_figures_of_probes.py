"""Figures of probes: scores without layers across a panel, and what a model was shown."""

import numpy as np
import pandas as pd
import pytest

from cwr import figures
from cwr.texts.zhao2020 import figures_of_partial_inputs


def curve(model="m", family="masked", measure="f1", values=(0.2, 0.5)):
    """Rows of one model, layer by layer."""
    rows = pd.DataFrame({"layer": range(len(values)), "value": values})
    marks = {"model": model, "family": family, "measure": measure, "variant": pd.NA}
    return rows.assign(low=rows["value"] - 0.1, high=rows["value"] + 0.1, **marks)


def test_levels_are_dashed_named_and_kept_apart_on_a_wider_axis():
    fig, ax = figures.plt.subplots()
    ax.set_ylim(0.3, 0.6)
    figures.levels(ax, {"high": 0.9, "one": 0.40, "two": 0.401})
    assert [line.get_ydata()[0] for line in ax.lines] == [0.40, 0.401, 0.9]
    assert ax.get_ylim() == (0.3, 0.9)
    heights = {text.get_text(): text.xyann[1] for text in ax.texts}
    assert heights["one"] == 0.40 and heights["high"] == 0.9
    assert heights["two"] - heights["one"] > 0.03
    figures.plt.close(fig)


def test_a_curve_stands_among_its_levels_beside_what_is_published_and_untrained():
    published = curve("BERT", values=(0.6, 0.8, 0.9)).drop(columns=["low", "high"])
    copies = pd.concat([curve(values=v) for v in ((0.1, 0.1), (0.2, 0.3))])
    copies = copies.assign(variant="untrained", seed=[0, 0, 1, 1])
    scores = {"constant": 0.25}
    fig = figures.beside_levels(curve(), "f1", scores, "Title", "F1", published, copies)
    (ax,) = fig.axes
    named = {line.get_label(): line for line in ax.lines}
    assert named["m"].get_ydata().tolist() == [0.2, 0.5]
    assert named["BERT (published)"].get_xdata().tolist() == [0, 0.5, 1]
    heights = [np.round(line.get_ydata(), 3).tolist() for line in ax.lines]
    assert [0.15, 0.2] in heights  # the mean of the two copies
    assert [0.25, 0.25] in heights
    figures.plt.close(fig)


def test_each_model_has_a_panel_and_each_way_of_reading_a_line():
    table = pd.concat(
        [
            curve("gpt", "causal", "whole"),
            curve("bert", "masked", "whole", (0.3, 0.6)),
            curve("bert", "masked", "alone", (0.0, 0.4)),
        ]
    )
    fig = figures_of_partial_inputs.by_reads(
        table, {"whole": "whole", "alone": "context alone"}, "Title", "F1"
    )
    assert [ax.get_title(loc="left") for ax in fig.axes] == ["bert", "gpt"]
    whole, alone = fig.axes[0].lines
    assert alone.get_ydata().tolist() == pytest.approx([0.0, 0.4])
    assert whole.get_linestyle() != alone.get_linestyle()
    assert alone.get_marker() != whole.get_marker()
    assert (
        alone.get_markerfacecolor() == whole.get_markerfacecolor()
    )  # hollow is published
    assert len(fig.axes[1].lines[1].get_ydata()) == 0  # gpt has not read its context alone
    (legend,) = fig.legends
    assert [text.get_text() for text in legend.get_texts()] == ["whole", "context alone"]
    figures.plt.close(fig)


def test_the_curves_of_one_model_are_named_at_their_ends():
    table = pd.concat(
        [curve("m", "masked", "whole"), curve("m", "masked", "alone", (0, 0.4))]
    )
    names = {"whole": "whole", "alone": "context alone"}
    fig = figures_of_partial_inputs.by_reads(table, names, "Title", "F1")
    ends = {text.get_text(): text.xy[1] for text in fig.axes[0].texts}
    assert not fig.legends and ends["context alone"] == pytest.approx(0.4)
    figures.plt.close(fig)


def test_the_numbers_of_a_longer_run_say_where_they_come_from():
    both = figures.plotted_runs(curve(), curve(values=(0.3, 0.4)), curve("BERT"), "f1")
    sources = both.groupby("source")["value"].max().to_dict()
    assert sources["ours, longer run"] == pytest.approx(0.4) and "published" in sources
    assert set(figures.plotted_runs(curve(), None, None, "f1")["source"]) == {"ours"}
