"""Checks the survey's sources: labels of figures, rules of measures, and wording.

The post itself prints no numbers. Every check compares numbers of one artifact, or of two artifacts
of one paper that rest on the same runs; validation scores are never compared with test scores.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd

from cwr.measures import edge_probing
from cwr.papers.checks import Check, Found, agreement
from cwr.tables import Table, where
from cwr.texts.survey.claims.readings import (
    CUMULATIVE,
    EDGE,
    FIGURE,
    MIX,
    SEMANTIC,
    centre_of_gravity,
    expected_layer,
    over_input,
)

PIPELINE = "Tenney, Das & Pavlick (2019b)"
EDGE_PROBING = "Tenney et al. (2019a)"
FIGURE_1 = "BERT-pipeline Fig.1"
DIGITS = 6e-5  # labels are stored with four decimals
SCORES_ROUNDED = 5e-4  # what four decimals of the scores leave open in a label
NOTEBOOK = "the outputs of the authors' released notebook of the camera-ready version"


def _large(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of BERT-large, without those of a second run."""
    large = where(table, model="BERT-large")
    return large[large["variant"].isna()]


def _labels(
    table: pd.DataFrame, measure: str, computed: Callable[[Table, str], np.ndarray], within: float
) -> Found:
    """Printed labels of BERT-large, one a task, against what follows from its scores or weights."""
    large = _large(table)
    printed = where(large, measure=measure).set_index("task")["value"]
    values = {task: computed(Table(large), task)[0] for task in FIGURE}
    pairs = pd.DataFrame({"printed": printed, "computed": values})
    pairs = pairs.fillna(np.inf)  # a label without its number does not agree
    return agreement(pairs, within, "labels")


def _expected_layers(table: pd.DataFrame) -> Found:
    return _labels(table, "expected_layer", expected_layer, SCORES_ROUNDED)


def _centres_of_gravity(table: pd.DataFrame) -> Found:
    return _labels(table, "centre_of_gravity", centre_of_gravity, DIGITS)


def _gain_divergence(large: Table, task: str) -> np.ndarray:
    gains = edge_probing.score_gains(large.curve(CUMULATIVE, task=task)[0])
    return np.array([edge_probing.divergence_from_uniform(np.maximum(gains, 0))])


def _gain_divergences(table: pd.DataFrame) -> Found:
    return _labels(table, "expected_layer_divergence", _gain_divergence, SCORES_ROUNDED)


def _weight_divergence(large: Table, task: str) -> np.ndarray:
    return np.array([edge_probing.divergence_from_uniform(large.curve(MIX, task=task)[0])])


def _weight_divergences(table: pd.DataFrame) -> Found:
    return _labels(table, "centre_of_gravity_divergence", _weight_divergence, DIGITS)


def _best_score(large: Table, task: str) -> np.ndarray:
    return large.curve(CUMULATIVE, task=task).max(axis=1)


def _best_scores(table: pd.DataFrame) -> Found:
    return _labels(table, "best_cumulative_probe_f1", _best_score, DIGITS)


def _end_labels(table: pd.DataFrame) -> Found:
    """The scores written at both ends of a task's bar, layers 0 and 24."""
    large = Table(_large(table))
    rows = {}
    for task in FIGURE:
        scores = large.curve(CUMULATIVE, task=task)[0]
        labels = large.curve("cumulative_probe_f1_label", task=task)[0]
        rows[f"{task}, layer 0"] = labels[0], scores[0]
        rows[f"{task}, layer 24"] = labels[-1], scores[-1]
    return agreement(pd.DataFrame(rows, index=["printed", "computed"]).T, 0.05, "labels")


def _weights_sum(table: pd.DataFrame) -> Found:
    grouped = where(table, measure=MIX).groupby(["model", "task"])["value"]
    sums = {f"{model}, {task}": weights.sum() for (model, task), weights in grouped}
    return agreement(pd.DataFrame({"printed": sums, "computed": 1.0}), 1e-5, "sets of weights")


def _selectivity(table: pd.DataFrame) -> Found:
    rows = where(table, artifact="Control tasks POS (dev)")
    scores = rows.pivot(index="estimator", columns="measure", values="value")
    computed = scores["pos_probe_accuracy"] - scores["control_task_accuracy"]
    pairs = pd.DataFrame({"printed": scores["selectivity"], "computed": computed})
    return agreement(pairs, 1.5e-4, "differences")


def _sub_rows(table: pd.DataFrame) -> Found:
    """Whether the score of a whole lies between those of its two parts, in every model."""
    rows = where(table, measure=EDGE)
    scores = rows.pivot(index=["model", "estimator"], columns="task", values="value")
    low = scores[["srl-core", "srl-non-core"]].min(axis=1)
    high = scores[["srl-core", "srl-non-core"]].max(axis=1)
    between = scores["srl"].between(low, high)
    return Found(
        bool(between.all()),
        f"{len(between)} scores of semantic roles",
        f"{int(between.sum())} lie between their two parts",
    )


def _within_model(table: pd.DataFrame) -> Found:
    """Whether each printed expected layer is a layer of the model."""
    labels = where(table, artifact=FIGURE_1, measure="expected_layer").set_index("task")["value"]
    inside = labels.between(1, 24)
    return Found(
        bool(inside.all()),
        f"{len(labels)} labels go from {labels.min():.2f} to {labels.max():.2f}",
        f"{int(inside.sum())} lie within the layers 1 to 24",
    )


def _no_gain_on_semantics(table: pd.DataFrame) -> Found:
    elmo = over_input(Table(where(table, model="ELMo")), tasks=SEMANTIC, errors=True).frame()
    gaining = elmo[elmo["gain"] > elmo["error"]]["gain"].sort_values(ascending=False)
    shown = ", ".join(f"{task} {gain:+.1f}" for task, gain in gaining.items())
    return Found(
        gaining.empty,
        '"outshines their non-contextualised counter-parts in syntactic tasks and not on tasks '
        'demanding semantic understanding"',
        f"ELMo gains more than the combined error over its lexical baseline on {len(gaining)} of "
        f"{len(elmo)} semantic tasks: {shown}",
    )


LABELS = [
    Check(
        id="survey-check-expected-layer",
        place=f"{PIPELINE}, Figure 1",
        asks="Do the expected layers follow from the released scores of each layer?",
        find=_expected_layers,
        how=f"we applied the definition, with signed gains, to {NOTEBOOK}",
        sure="within the rounding of the scores, which have four decimals",
    ),
    Check(
        id="survey-check-centre-of-gravity",
        place=f"{PIPELINE}, Figure 1",
        asks="Do the centres of gravity follow from the released mixing weights?",
        find=_centres_of_gravity,
        how=f"we applied the definition to {NOTEBOOK}",
        sure="exact",
    ),
    Check(
        id="survey-check-gain-divergence",
        place=f"{PIPELINE}, Figure 2",
        asks=(
            "Does the divergence of the gains from a uniform distribution follow from the scores "
            "of each layer?"
        ),
        find=_gain_divergences,
        how=f"we computed the divergence in bits over 24 layers from {NOTEBOOK}; as there, "
        "negative gains are set to 0",
        sure="within the rounding of the scores, which have four decimals",
    ),
    Check(
        id="survey-check-weight-divergence",
        place=f"{PIPELINE}, Figure 2",
        asks=(
            "Does the divergence of the weights from a uniform distribution follow from the "
            "mixing weights?"
        ),
        find=_weight_divergences,
        how=f"we computed the divergence in bits over 25 layers from {NOTEBOOK}",
        sure="exact",
    ),
    Check(
        id="survey-check-best-score",
        place=f"{PIPELINE}, released notebook",
        asks="Is the released best score over layers the largest of the layers' scores?",
        find=_best_scores,
        how=NOTEBOOK,
        sure="exact",
        stated="Released",
    ),
    Check(
        id="survey-check-end-labels",
        place=f"{PIPELINE}, Figure 1",
        asks="Are the scores printed for layers 0 and 24 these layers' released scores, rounded?",
        find=_end_labels,
        how=NOTEBOOK,
        sure="within rounding",
    ),
    Check(
        id="survey-check-range",
        place=f"{PIPELINE}, Figure 1",
        asks="Do the printed expected layers lie within the model?",
        find=_within_model,
        how="if a gain is negative, the definition allows values outside the model's layers",
        sure="exact",
    ),
    Check(
        id="survey-check-weights",
        place=f"{PIPELINE}, Figures 2 and A.1",
        asks="Do the mixing weights of BERT-large and ELMo sum to one?",
        find=_weights_sum,
        how=NOTEBOOK,
        sure="within rounding",
        stated="Released",
    ),
]

RULES = [
    Check(
        id="survey-check-sub-rows",
        place=f"{EDGE_PROBING}, validation scores",
        asks=(
            "Does the score of all semantic roles lie between that of core and of non-core roles?"
        ),
        find=_sub_rows,
        how="the micro F1 of a set of labels lies between those of its two parts",
        sure="as sure as this bound",
        stated="Released",
    ),
    Check(
        id="survey-check-selectivity",
        place="Hewitt & Liang (2019), arrays in a plotting script",
        asks="Is selectivity the accuracy minus the accuracy on the control task?",
        find=_selectivity,
        how="we applied the definition",
        sure="within rounding",
        stated="Released",
    ),
    Check(
        id="survey-check-semantic-gain",
        place="the post, In practice, bullet 2",
        asks='Do contextual vectors beat static ones on syntax "and not" on semantics?',
        find=_no_gain_on_semantics,
        how=(
            f"we took validation scores of {EDGE_PROBING}, on which the sentence seems to rest; "
            "the bullet cites nothing"
        ),
        sure="an inference: we assume that the sentence rests on this source",
        charitable=(
            'If "and not" means "less", the sentence agrees with the source\'s abstract, which '
            "speaks of comparably small improvements. On the two SPR tasks ELMo gains little."
        ),
        stated="Stated",
    ),
]

CHECKS = [*LABELS, *RULES]
