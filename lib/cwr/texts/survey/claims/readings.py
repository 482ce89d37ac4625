"""Reads the numbers behind the survey: measures, tasks, and sources.

Task names are the book's: constituents, dependencies, entities, srl, coreference, spr1 (the "SPR"
of the layer paper's figures), spr2, winograd, tacred, semeval (its "Relations"). Layers are the
book's too: the structural probe's printed BERT index i is layer i + 1 by the released code; the
layer paper's layer 0 is a layer-normed word-piece embedding.

    D = draws (1 for printed numbers), T = tasks, L = layers
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from cwr import tables
from cwr.measures import edge_probing, stats
from cwr.papers.predicates import every, largest
from cwr.tables import Missing, Table, spelled

FOLDER = Path(__file__).parent

EDGE, ERROR = "edge_probe_f1", "edge_probe_f1_error"
CUMULATIVE, MIX, SINGLE = "cumulative_probe_f1", "scalar_mix_weight", "single_layer_probe_f1"

RAISED = "second_half_raised_gain"  # points of gain, by the second half of a network's text
STILL_LEARNS = 1.0  # of them; a network above that is not compared with others

# estimators of edge-probing scores: which vectors the probe reads
MIXED, LEXICAL, UNTRAINED, STATES = "mix", "lex", "random", "states"

# without the two sub-rows of srl, core and non-core
TASKS = (
    "pos",
    "constituents",
    "dependencies",
    "entities",
    "srl",
    "coreference",
    "spr1",
    "spr2",
    "winograd",
    "tacred",
    "semeval",
)
SYNTAX = ("pos", "constituents", "dependencies")
SEMANTIC = ("srl", "coreference", "spr1", "spr2", "winograd", "tacred", "semeval")
SPR_AND_COREFERENCE = ("coreference", "spr1", "spr2")
FIGURE = (
    "pos",
    "constituents",
    "dependencies",
    "entities",
    "srl",
    "coreference",
    "semeval",
    "spr1",
)
LEAST_TASKS = 3  # "most of the tasks" says nothing of fewer

ANY_FAMILY = ()
NO_NUMBER = "the source's numbers were not at hand; its abstract and reading notes give words only"


def published() -> pd.DataFrame:
    """Loads the numbers behind the survey's statements (`cwr.tables.read`); see `sources`."""
    return tables.read(FOLDER)


def sources() -> pd.DataFrame:
    """Loads each artifact's source: artifact, measures (empty: all), standing, source.

    standing: "authors' files" (notebook outputs or code that the authors published), "secondary" (a
    third party's reading notes; the paper itself was not at hand, so these numbers are not
    verified) or "computed" (by us).
    """
    return pd.read_csv(FOLDER / "sources.csv", keep_default_na=False)


def standing(table: pd.DataFrame) -> pd.Series:
    """Returns the standing of each row of `published()`, one of the three words of `sources`."""
    standings = {}
    for source in sources().itertuples():
        for measure in source.measures.split(";"):
            standings[source.artifact, measure] = source.standing
    of_artifact = {artifact: word for (artifact, measure), word in standings.items() if not measure}
    rows = zip(table["artifact"], table["measure"], strict=True)
    words = [standings.get(row, of_artifact.get(row[0])) for row in rows]
    return pd.Series(words, index=table.index)


# ---- readings of one model, in all draws


def tasks_at_hand(
    *parts: Table, measure: str = EDGE, among: Sequence[str] = TASKS, at_least: int = 1
) -> list[str]:
    """Lists the tasks on which all these tables have the measure, in the order of `among`.

    Raises Missing for fewer than `at_least`.
    """
    at_hand = [set(part.where(measure=measure).rows.distinct("task")) for part in parts]
    shared = [task for task in among if all(task in tasks for tasks in at_hand)]
    if len(shared) < at_least:
        number = len(shared)
        raise Missing(f"{spelled(measure)} on at least {at_least} common tasks; there are {number}")
    return shared


def all_tasks(table: Table, measure: str) -> list[str]:
    """Lists every task on which a table has the measure, in the table's order."""
    return table.where(measure=measure).rows.distinct("task")


def by_task(table: Table, measure: str, tasks: Sequence[str]) -> np.ndarray:
    """Reads one value a task, in the order of `tasks`, (D, T).

    Raises Missing if a task has none, Ambiguous if one has two.
    """
    labels, values = table.where(task=tasks).over("task", measure, at_least=len(tasks))
    return values[:, [labels.index(task) for task in tasks]]


def every_layer(table: Table, measure: str, task: str) -> np.ndarray:
    """Reads a measure of one model on a task in all its layers from 0 up, (D, L).

    Raises Missing for a gap and for fewer than two layers.
    """
    layers = table.layers(measure, task=task)
    if len(layers) < 2 or layers[-1] != len(layers) - 1:
        raise Missing(f"{spelled(measure)} on {task} in every layer from 0 up")
    return table.curve(measure, task=task)


def expected_layer(table: Table, task: str) -> np.ndarray:
    """Computes the expected layer of a task, from one model's cumulative scores, (D,).

    Tenney, Das and Pavlick (2019b), "cumulative scoring". Undefined, and NaN, in draws where the
    score of the top layer does not exceed that of layer 0, and in all of them where the 95 %
    interval of that rise holds 0: where nothing is gained, no layer gains it.
    Raises Missing unless every layer has a score.
    """
    scores = every_layer(table, CUMULATIVE, task)
    complete = ~np.isnan(scores).any(axis=1)
    rise = scores[:, -1] - scores[:, 0]
    rises = rise > 0
    low, high = stats.interval(rise[complete]) if complete.any() else (0.0, 0.0)
    if complete.sum() > 1 and rises.any() and low <= 0:
        ends = f"{low:.1f} to {high:.1f}"
        reason = f"the score of {task} does not rise clearly: the interval of the rise is {ends}"
        table.undefined(np.ones(len(rise), dtype=bool), reason)
    else:
        table.undefined(complete & ~rises, f"the score of {task} does not rise")
    expected = np.full(len(scores), np.nan)
    expected[complete & rises] = edge_probing.expected_layer(scores[complete & rises])
    return expected


def centre_of_gravity(table: Table, task: str) -> np.ndarray:
    """Computes the centre of gravity of a task, from one model's mixing weights, (D,).

    Tenney, Das and Pavlick (2019b), "scalar mixing weights". Undefined, and NaN, in draws whose
    weights are negative or do not sum to 1 within 1e-4 (weights are printed rounded).
    Raises Missing unless every layer has a weight.
    """
    weights = every_layer(table, MIX, task)
    proper = (weights >= 0).all(axis=1) & (np.abs(weights.sum(axis=1) - 1) <= 1e-4)
    table.undefined(~proper, f"the mixing weights of {task} are no shares of 1")
    centres = np.full(len(weights), np.nan)
    centres[proper] = edge_probing.centre_of_gravity(weights[proper])
    return centres


def best_layers(table: Table, measure: str, tasks: Sequence[str]) -> np.ndarray:
    """Finds the layer with the largest value of a measure for each task, (D, T).

    Undefined in draws in which two layers share the largest value.
    Raises Missing for a task without a value in a layer in which another task has one, Undefined
    for one layer.
    """
    layers = table.layers(measure)
    best = []
    for task in tasks:
        if not np.array_equal(table.layers(measure, task=task), layers):
            raise Missing(f"{spelled(measure)} on {task} in {len(layers)} layers")
        values = table.curve(measure, task=task)
        best.append(layers[largest(table, values, f"{spelled(measure)} on {task}")])
    return np.stack(best, axis=1)


def above_baselines(table: Table, measure: str) -> np.ndarray:
    """Tests whether each model's best value of a measure exceeds each of its baselines, (D,).

    The best is taken over layers; a value without a layer stands for itself. A baseline is a model
    in print; ours are estimators of each model, measured on its own words.
    Raises Missing for no model or no baseline.
    """
    models = table.with_measure(measure)
    rows = table.where(measure=f"{measure}_baseline").rows
    names = ["model", "estimator"] if rows.has("estimator").any() else "model"
    _, baselines = table.over(names, f"{measure}_baseline", at_least=1)
    best = []
    for part in models.values():
        has_layers = part.where(measure=measure).rows.has("layer").any()
        values = part.curve(measure) if has_layers else part.value(measure)[:, None]
        best.append(values.max(axis=1))
    best = np.stack(best, axis=1)  # (D, models)
    return every(table, best > baselines.max(axis=1, keepdims=True), list(models), best)


# ---- what one set of vectors gains over another


@dataclass(frozen=True)
class Gains:
    """The gains of probes of one set of vectors over those of another, task by task.

    tasks: (T,). gain: (D, T), difference of two scores. error: (D, T), the half widths of the 95 %
    intervals of the two scores, added in squares as independent errors; None where they were not
    read.
    """

    tasks: list[str]
    gain: np.ndarray
    error: np.ndarray | None = None

    def frame(self) -> pd.DataFrame:
        """Converts the first draw to a frame: `gain` and, where it was read, `error` by task."""
        columns = {"gain": self.gain[0]}
        if self.error is not None:
            columns["error"] = self.error[0]
        return pd.DataFrame(columns, index=self.tasks)


def gains(
    vectors: Table,
    others: Table,
    tasks: Sequence[str] = (),
    errors: bool = False,
    at_least: int = LEAST_TASKS,
) -> Gains:
    """Computes the gain of one set of vectors over another, each of one model and estimator.

    tasks: those to compare (default: all that both have, `at_least` or more). errors: whether to
    read the errors too.
    Raises Missing for a task without both scores, and for fewer tasks than `at_least`.
    """
    number = len(tasks) or at_least
    tasks = tasks_at_hand(vectors, others, among=tasks or TASKS, at_least=number)
    gain = by_task(vectors, EDGE, tasks) - by_task(others, EDGE, tasks)
    if not errors:
        return Gains(tasks, gain)
    error = np.hypot(by_task(vectors, ERROR, tasks), by_task(others, ERROR, tasks))
    return Gains(tasks, gain, error)


def over_input(
    table: Table, estimator: str = MIXED, tasks: Sequence[str] = (), errors: bool = False
) -> Gains:
    """Computes the gain of one model's vectors over its input layer.

    estimator: of the vectors, all layers mixed or random weights. Other arguments and errors as in
    `gains`.
    """
    vectors, lexical = table.where(estimator=estimator), table.where(estimator=LEXICAL)
    return gains(vectors, lexical, tasks, errors)


def between_families(
    table: Table, family: str, estimator: str, other_family: str, other: str, errors: bool = False
) -> dict[str, Gains]:
    """Computes {"A minus B": gains} of every model A of one family over every B of another.

    Raises Missing where a family has no scores by its estimator.
    """
    models = table.where(family=family, estimator=estimator).with_measure(EDGE)
    others = table.where(family=other_family, estimator=other).with_measure(EDGE)
    return {
        f"{model} minus {than}": gains(vectors, baseline, errors=errors)
        for model, vectors in models.items()
        for than, baseline in others.items()
    }


def architecture_share(table: Table, tasks: Sequence[str] = ()) -> tuple[list[str], np.ndarray]:
    """Computes the share of a model's gain over its input that random weights already give.

    Returns tasks (T) and shares (D, T).
    tasks: those to read (default: all that have the three scores). Undefined in draws where the
    trained weights gain nothing on a task.
    """
    scores = [table.where(estimator=name) for name in (MIXED, UNTRAINED, LEXICAL)]
    number = len(tasks) or LEAST_TASKS
    tasks = tasks_at_hand(*scores, among=tasks or TASKS, at_least=number)
    trained, untrained = (over_input(table, name, tasks).gain for name in (MIXED, UNTRAINED))
    for number, task in enumerate(tasks):
        table.undefined(trained[:, number] <= 0, f"the trained weights gain nothing on {task}")
    return tasks, untrained / np.where(trained > 0, trained, np.nan)


# ---- errors of the printed scores


def trials(table: pd.DataFrame) -> pd.DataFrame:
    """Computes the number of independent trials that printed errors of edge probing imply, by task.

    Returns the median over the models as `trials`, and `spread`, the largest deviation from it as a
    share.
    """
    scores = table[table["measure"].isin((EDGE, ERROR))]
    keys = ["task", "model", "estimator"]
    shares = scores.pivot(index=keys, columns="measure", values="value").astype(float) / 100
    implied = pd.Series(edge_probing.implied_trials(shares[EDGE], shares[ERROR]), shares.index)
    grouped = implied.groupby("task")
    spread = grouped.agg(lambda numbers: (numbers / numbers.median() - 1).abs().max())
    return pd.DataFrame({"trials": grouped.median(), "spread": spread}).loc[list(TASKS)]
