"""The survey's sources, checked: labels of figures recomputed from per-layer scores and weights, rules, and wording.

The post itself prints no numbers. Every check compares numbers of one artifact, or of two artifacts of one paper that
rest on the same runs; validation scores are never held against test scores.
"""
import numpy as np
import pandas as pd

from cwr.measures import edge_probing as layers
from cwr.papers.checks import Check, Found, agreement
from cwr.papers.survey.readings import (
    CUMULATIVE,
    EDGE,
    FIGURE,
    MIX,
    SEMANTIC,
    centre_of_gravity,
    curve,
    expected_layer,
    gains,
)
from cwr.tables import where

FIGURE_1, DIGITS = "BERT-pipeline Fig.1", 6e-5                # labels are stored with four decimals
SCORES_ROUNDED = 5e-4                                       # what four decimals of the scores leave open in a label
NOTEBOOK = "the authors' released notebook of the camera-ready version, outputs included"


def _of(table: pd.DataFrame, model: str) -> pd.DataFrame:
    return where(table, model=model)


def _labels(table: pd.DataFrame, measure: str, computed, within: float) -> Found:
    """Printed labels of BERT-large, one a task, against `computed(rows of BERT-large, task)`."""
    large = _of(table, "BERT-large")
    plain = large[large["variant"].isna()]
    printed = where(plain, measure=measure).set_index("task")["value"]
    pairs = pd.DataFrame({"printed": printed, "computed": {task: computed(large, task) for task in FIGURE}})
    return agreement(pairs.fillna(np.inf), within, "labels")     # a label without its number does not agree


def _gain_divergence(table: pd.DataFrame, task: str) -> float:
    return layers.divergence_from_uniform(np.maximum(layers.score_gains(curve(table, CUMULATIVE, task)), 0))


def _end_labels(table: pd.DataFrame) -> Found:
    large = _of(table, "BERT-large")
    rows = {f"{task}, layer {layer}": (printed, curve(large, CUMULATIVE, task)[layer])
            for task in FIGURE
            for layer, printed in zip((0, 24), curve(large, "cumulative_probe_f1_label", task), strict=True)}
    return agreement(pd.DataFrame(rows, index=["printed", "computed"]).T, 0.05, "labels")


def _weights_sum(table: pd.DataFrame) -> Found:
    sums = {f"{model}, {task}": part["value"].sum()
            for (model, task), part in where(table, measure=MIX).groupby(["model", "task"])}
    return agreement(pd.DataFrame({"printed": sums, "computed": 1.0}), 1e-5, "sets of weights")


def _selectivity(table: pd.DataFrame) -> Found:
    wide = where(table, artifact="Control tasks POS (dev)").pivot(index="estimator", columns="measure", values="value")
    computed = wide["pos_probe_accuracy"] - wide["control_task_accuracy"]
    return agreement(pd.DataFrame({"printed": wide["selectivity"], "computed": computed}), 1.5e-4, "differences")


def _sub_rows(table: pd.DataFrame) -> Found:
    """Whether the score of a whole lies between those of its two parts, in every model."""
    wide = where(table, measure=EDGE).pivot(index=["model", "estimator"], columns="task", values="value")
    low, high = wide[["srl-core", "srl-non-core"]].min(axis=1), wide[["srl-core", "srl-non-core"]].max(axis=1)
    between = wide["srl"].between(low, high)
    return Found(bool(between.all()), f"{len(between)} scores of semantic roles",
                 f"{int(between.sum())} lie between their two parts")


def _within_model(table: pd.DataFrame) -> Found:
    """Whether each printed expected layer is a layer of the model."""
    labels = where(table, artifact=FIGURE_1, measure="expected_layer").set_index("task")["value"]
    inside = labels.between(1, 24)
    return Found(bool(inside.all()), f"{len(labels)} labels, {labels.min():.2f} to {labels.max():.2f}",
                 f"{int(inside.sum())} lie within the layers 1 to 24")


def _no_gain_on_semantics(table: pd.DataFrame) -> Found:
    elmo = gains(_of(table, "ELMo"), "mix", _of(table, "ELMo"), "lex").reindex(SEMANTIC)
    found = elmo[elmo["gain"] > elmo["error"]]["gain"].sort_values(ascending=False)
    shown = ", ".join(f"{task} {gain:+.1f}" for task, gain in found.items())
    return Found(found.empty, "\"outshines their non-contextualised counter-parts in syntactic tasks and not on tasks "
                 "demanding semantic understanding\"", f"ELMo over its lexical baseline, beyond the combined "
                 f"error: {shown} ({len(found)} of {len(elmo)} semantic tasks)")


CHECKS = [
    Check("survey-check-expected-layer", "Tenney, Das & Pavlick (2019), Figure 1",
          "The expected layers follow from the released per-layer scores.",
          lambda t: _labels(t, "expected_layer", expected_layer, SCORES_ROUNDED),
          f"the definition (signed gains), on {NOTEBOOK}", "within rounding of the scores, four decimals"),
    Check("survey-check-centre-of-gravity", "Tenney, Das & Pavlick (2019), Figure 1",
          "The centres of gravity follow from the released mixing weights.",
          lambda t: _labels(t, "centre_of_gravity", centre_of_gravity, DIGITS), f"the definition, on {NOTEBOOK}",
          "exact"),
    Check("survey-check-gain-divergence", "Tenney, Das & Pavlick (2019), Figure 2",
          "The divergence of the gains from uniform follows from the per-layer scores.",
          lambda t: _labels(t, "expected_layer_divergence", _gain_divergence, SCORES_ROUNDED),
          f"bits over 24 layers, negative gains set to 0 as in {NOTEBOOK}",
          "within rounding of the scores, four decimals"),
    Check("survey-check-weight-divergence", "Tenney, Das & Pavlick (2019), Figure 2",
          "The divergence of the weights from uniform follows from the mixing weights.",
          lambda t: _labels(t, "centre_of_gravity_divergence",
                            lambda rows, task: layers.divergence_from_uniform(curve(rows, MIX, task)), DIGITS),
          f"bits over 25 layers, on {NOTEBOOK}", "exact"),
    Check("survey-check-best-score", "Tenney, Das & Pavlick (2019), released notebook",
          "The best score over layers is the largest per-layer score.",
          lambda t: _labels(t, "best_cumulative_probe_f1", lambda rows, task: curve(rows, CUMULATIVE, task).max(),
                            DIGITS), NOTEBOOK, "exact"),
    Check("survey-check-end-labels", "Tenney, Das & Pavlick (2019), Figure 1",
          "The scores at layers 0 and 24 are the per-layer scores, rounded.", _end_labels, NOTEBOOK, "within rounding"),
    Check("survey-check-range", "Tenney, Das & Pavlick (2019), Figure 1",
          "The printed expected layers are layers of the model.", _within_model,
          "nothing in the definition forces it once a gain is negative", "exact"),
    Check("survey-check-weights", "Tenney, Das & Pavlick (2019), Figures 2 and A.1",
          "Mixing weights sum to one, BERT-large and ELMo.", _weights_sum, NOTEBOOK, "within rounding"),
    Check("survey-check-sub-rows", "Tenney et al. (2019), validation scores",
          "The score of all semantic roles lies between that of core and of non-core roles.", _sub_rows,
          "the micro F1 of a whole is bounded by those of its parts", "by a bound"),
    Check("survey-check-selectivity", "Hewitt & Liang (2019), arrays in a plotting script",
          "Selectivity is accuracy minus accuracy on the control task.", _selectivity, "the definition",
          "within rounding"),
    Check("survey-check-semantic-gain", "the post, In practice, bullet 2",
          "Contextual vectors outshine static ones on syntax \"and not\" on semantics.", _no_gain_on_semantics,
          "validation scores of Tenney et al. (2019), on which the sentence seems to rest; the bullet cites nothing",
          "inference: that the sentence rests on this source",
          "Read as \"less\" it agrees with the source's abstract, which speaks of comparably small improvements; the "
          "two SPR tasks gain little."),
]
