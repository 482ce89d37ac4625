"""Computes the place of each task in a model, and the order of the places.

Tenney, Das and Pavlick (2019b). A task has a place only where its score rises: the 95 % interval of
its rise, from layer 0 to all layers, has to lie above 0. Without a rise its expected layer is a
quotient of noise.

    T tasks, L layers from 0 up, D draws
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cwr.estimates import choices
from cwr.measures import edge_probing, stats
from cwr.tables import where
from cwr.texts.survey import edge_probes
from cwr.texts.survey.edge_probes import CUMULATIVE, LAYER_SCORES, ProbePredictions

LOWEST, HIGHEST = "pos", "coreference"  # what the order begins and ends with
CONSTITUENTS, DEPENDENCIES = PARSING = ("constituents", "dependencies")
ORDERED = (LOWEST, "entities", HIGHEST)  # of the order, beside parsing
CURVE, WEIGHT = LAYER_SCORES[CUMULATIVE], "scalar_mix_weight"
BY_LAYER, BY_WEIGHT = READINGS = ("expected layer", "centre of gravity")
ENDS = {
    BY_LAYER: (LOWEST, CONSTITUENTS),
    BY_WEIGHT: (LOWEST, HIGHEST),
}  # tasks set apart in `moves`


@dataclass(frozen=True, eq=False)
class Place:
    """The place of one task in one model.

    depth: the highest layer. rise: in points, with its draws, rises (D,). expected: its layer, with
    layers (D,), NaN in draws that do not rise. centre: of gravity of the mix, with centres (D,);
    centre_by_norm: of weights times lengths. divergence: of the mix from uniform, in bits.
    """

    task: str
    depth: int
    rise: float
    rises: np.ndarray
    expected: float
    layers: np.ndarray
    centre: float
    centres: np.ndarray
    centre_by_norm: float
    divergence: float

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the rise, in points."""
        return stats.interval(self.rises)

    @property
    def has_rise(self) -> bool:
        """Whether the task has a place: its rise is positive, and so is the interval."""
        return self.rise > 0 and self.interval[0] > 0


def place(predictions: ProbePredictions, draws: int = 1000, seed: int = 0) -> Place:
    """Computes the place of one task from all cumulative probes, and the mix."""
    kinds = edge_probes.layers_of(predictions, CUMULATIVE)
    scores = curve(predictions)
    curves = edge_probes.replicates(predictions, kinds, draws, seed)  # (D, L)
    weights = edge_probes.mix_weights(predictions)  # (trainings, L)
    by_norm = edge_probes.mix_weights(predictions, by_norm=True).mean(axis=0)
    return Place(
        task=predictions.task,
        depth=len(kinds) - 1,
        rise=float(scores[-1] - scores[0]),
        rises=curves[:, -1] - curves[:, 0],
        expected=float(expected(scores[None])[0]),
        layers=expected(curves),
        centre=edge_probing.centre_of_gravity(weights.mean(axis=0)),
        centres=edge_probing.centre_of_gravity(edge_probes.drawn_weights(weights, draws, seed)),
        centre_by_norm=edge_probing.centre_of_gravity(by_norm),
        divergence=edge_probing.divergence_from_uniform(weights.mean(axis=0)),
    )


def curve(predictions: ProbePredictions) -> np.ndarray:
    """Averages the cumulative scores over seeds, in points, (L,)."""
    kinds = edge_probes.layers_of(predictions, CUMULATIVE)
    return edge_probes.scores(predictions, kinds).mean(axis=0)


def course(scores: np.ndarray) -> tuple[float, float, float, float]:
    """Summarises cumulative scores (L,): score of layer 0, first gain, rise, expected layer.

    The expected layer is NaN where the scores do not rise.
    """
    scores = np.asarray(scores, dtype=float)
    rise = float(scores[-1] - scores[0])
    return float(scores[0]), float(scores[1] - scores[0]), rise, float(expected(scores[None])[0])


def printed_depths(table: pd.DataFrame, tasks: Sequence[str]) -> dict[str, float]:
    """Computes {task: expected layer over the depth} from a printed model's cumulative scores."""
    depths = {}
    for task in tasks:
        rows = where(table, measure=LAYER_SCORES[CUMULATIVE], task=task).sort_values("layer")
        if len(rows) > 1:
            scores = rows["value"].to_numpy(dtype=float)
            depths[task] = float(expected(scores[None])[0]) / (len(scores) - 1)
    return depths


def expected(curves: np.ndarray) -> np.ndarray:
    """Computes the expected layer of each curve (D, L), (D,); NaN for one that does not rise."""
    rises = curves[:, -1] > curves[:, 0]
    layers = np.full(len(curves), np.nan)
    if rises.any():
        layers[rises] = edge_probing.expected_layer(curves[rises])
    return layers


def share_of_depth(one: Place) -> dict[str, float]:
    """Returns the expected layer over the depth with its 95 % interval; NaN without a rise."""
    names = ("change", "low", "high")
    if not one.has_rise:
        return dict.fromkeys(names, np.nan)
    ends = np.nanquantile(one.layers, (0.025, 0.975))
    return dict(zip(names, np.array([one.expected, *ends]) / one.depth, strict=True))


def shared(table: pd.DataFrame) -> dict[str, tuple[float, float]]:
    """Finds what all intervals of a model have in common, {model: (low, high)}.

    table: model, low and high, a row per task. A model with one task, or without a common part, is
    left out.
    """
    ends = {
        model: (rows["low"].max(), rows["high"].min())
        for model, rows in table.groupby("model", sort=False)
        if len(rows) > 1
    }
    return {model: (low, high) for model, (low, high) in ends.items() if low <= high}


def rows(places: Sequence[Place], **keys: object) -> list[dict]:
    """Returns rows of the expected layers of tasks with a place, and centres of gravity of all.

    keys: model, family and others that tell rows apart.
    """
    result = []
    for one in places:
        own = {**keys, "task": one.task}
        if one.has_rise:
            layer = {"measure": "expected_layer", "value": one.expected}
            result.append({**own, **layer, "replicates": one.layers})
        centre = {"measure": "centre_of_gravity", "value": one.centre}
        result.append({**own, **centre, "replicates": one.centres})
    return result


def shown(places: Sequence[Place]) -> pd.DataFrame:
    """Tabulates places, a row per task: rise with interval, expected layer, centres of gravity.

    Expected layers are also given as shares of the depth; they are absent without a rise.
    """
    table = {}
    for one in places:
        low, high = one.interval
        layer = one.expected if one.has_rise else np.nan
        table[one.task] = {
            "rise": one.rise,
            "low": low,
            "high": high,
            "expected layer": layer,
            "of depth": layer / one.depth,
            "centre of gravity": one.centre,
            "by norm": one.centre_by_norm,
            "K (bits)": one.divergence,
        }
    return pd.DataFrame(table).T.rename_axis("task")


def earlier(places: Sequence[Place], by: str = "layers") -> pd.DataFrame:
    """Computes P(row before column): the share of draws in which a task stands below another.

    by: "layers" (expected layers, of tasks that have a place) or "centres" (of gravity). Draws are
    paired where tasks have the same documents. Draws without a value are left out; a tie counts
    one half.
    """
    chosen = [one for one in places if by == "centres" or one.has_rise]
    names = [one.task for one in chosen]
    table = pd.DataFrame(np.nan, index=pd.Index(names, name="before"), columns=names)
    for one in chosen:
        for other in chosen:
            steps = getattr(other, by) - getattr(one, by)
            steps = steps[~np.isnan(steps)]
            if one is not other and len(steps):
                table.loc[one.task, other.task] = ((steps > 0) + (steps == 0) / 2).mean()
    return table


# ---- under several choices


def moves(rows: Sequence[dict]) -> pd.DataFrame:
    """Measures how far each choice changes the quantities of the order, as `choices.moves`.

    rows: scores and weights with their variants, those of the chapter among them. Columns panel
    (the quantity), variant (the choice), model, family, value, change, low and high; draws are
    paired where two choices resample the same documents.
    """
    quantities = {key: _quantities(part) for key, part in _by_choice(rows).items()}
    return choices.moves(quantities, ["model", "family"])


def orders(rows: Sequence[dict]) -> pd.DataFrame:
    """Computes the share of draws in which the tasks stand in the post's order, roles left out.

    rows: as `moves`. Columns variant ("" for the chapter), model, parsing, reading (how a place is
    computed, of READINGS), share: NaN where a task of the order has no place.
    """
    table = []
    for (variant, model, _), part in _by_choice(rows).items():
        for parsing in PARSING:
            tasks = [LOWEST, parsing, *ORDERED[1:]]
            for reading in READINGS:
                places = [_place(part, task, reading)[1:] for task in tasks]
                steps = np.diff(places, axis=0)  # (tasks - 1, D)
                defined = ~np.isnan(steps).all(axis=1).any()
                share = (steps > 0).all(axis=0).mean() if defined else np.nan
                keys = {"variant": variant or "", "model": model, "parsing": parsing}
                table.append({**keys, "reading": reading, "share": share})
    return pd.DataFrame(table)


Curves = dict[tuple[str, str], np.ndarray]  # {(measure, task): (L, 1 + D)}, the value first


def _by_choice(rows: Sequence[dict]) -> dict[tuple[str | None, str, str], Curves]:
    """{(variant, model, family): its curves}."""
    parts = {}
    for row in rows:
        if row["measure"] in (CURVE, WEIGHT):
            part = parts.setdefault((row["variant"], row["model"], row["family"]), {})
            layers = part.setdefault((row["measure"], row["task"]), {})
            layers[row["layer"]] = np.append(row["value"], row["replicates"])
    return {
        key: {name: np.stack([of[layer] for layer in sorted(of)]) for name, of in part.items()}
        for key, part in parts.items()
    }


def _quantities(part: Curves) -> dict[str, np.ndarray]:
    """{what the order is about: its value and its draws, (1 + D,)}."""
    curves = [curve for (measure, _), curve in part.items() if measure == CURVE]
    depth = len(curves[0]) - 1
    panels = {}
    for reading, (low, high) in ENDS.items():
        apart = _place(part, high, reading) - _place(part, low, reading)
        name = "parsing" if high == CONSTITUENTS else high
        panels[f"{reading}: {low} to {name}"] = apart / depth
    panels["rise, mean of tasks"] = np.mean([curve[-1] - curve[0] for curve in curves], axis=0)
    return panels


def _place(part: Curves, task: str, reading: str) -> np.ndarray:
    """The layer of a task, value and draws, (1 + D,); all NaN where it has no place."""
    measure = CURVE if reading == BY_LAYER else WEIGHT
    if (measure, task) not in part:
        return np.full(next(iter(part.values())).shape[1], np.nan)
    curve = part[measure, task].T  # (1 + D, L)
    if reading == BY_WEIGHT:
        return edge_probing.centre_of_gravity(curve)
    rise = curve[:, -1] - curve[:, 0]
    if rise[0] <= 0 or stats.interval(rise[1:])[0] <= 0:
        return np.full(len(curve), np.nan)
    return expected(curve)
