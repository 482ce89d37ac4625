"""Computes how often decisions change along a model's layers, beside a placebo without a cause.

A *reading* is the decision of one probe on an item. A *path* reads every layer once, each by a
training of its own (another seed, other draws of the training documents). The *placebo* of a layer
is a path that reads this one layer as often, by the same trainings. Both have equally many
readings that can differ, and the same rate if all layers tell the same. A replicate draws which
training reads which layer, and resamples the tested documents. Rates are in per cent of the items.

    S trainings, K layers, n items, G documents, P paths, D draws
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cwr.errors import UserError
from cwr.estimates import paired
from cwr.measures import stats
from cwr.texts.survey import reversals as decisions

PATHS = 24  # ways to draw a training for each layer, of which a replicate takes one
PER_CENT = 100.0
CHURN, LOCK_IN = "churn", "lock in"
QUANTITIES = (*decisions.KINDS, CHURN, LOCK_IN)  # what is known of an item's path
REVERSALS = slice(0, len(decisions.KINDS))  # those of them that are kinds of reversals


@dataclass(frozen=True, eq=False)
class Readings:
    """The decision of every training of every layer's probe on every item.

    decided: (S, K, n) int, labels. margins: (S, K, n). gold: (n,) int. documents: (n,), the
    document of each item.
    """

    decided: np.ndarray
    margins: np.ndarray
    gold: np.ndarray
    documents: np.ndarray

    def part(self, keep: np.ndarray) -> "Readings":
        """Selects the readings of some items. keep: (n,) bool, or numbers of items."""
        arrays = self.decided[..., keep], self.margins[..., keep]
        return Readings(*arrays, self.gold[keep], self.documents[keep])


def read(probabilities: np.ndarray, gold: np.ndarray, documents: np.ndarray) -> Readings:
    """Converts probabilities (S, K, n, C) to readings.

    Raises ValueError as `texts.survey.reversals.decisions`.
    """
    decided = decisions.decisions(probabilities).astype(np.int16)
    margins = decisions.margins(probabilities).astype(np.float32)  # half the memory is enough
    return Readings(decided, margins, gold, np.asarray(documents))


def stack(probabilities: np.ndarray, layers: int) -> np.ndarray:
    """Arranges readings of one layer as a model whose K layers are equal: (S, K, n, C).

    Every place has trainings of its own, so that on a path and on each placebo none is read twice:
    nothing but the training can change a decision, and the true net rate is 0.
    probabilities: (S * K, n, C), of one layer by S * K trainings. layers: K.
    Raises ValueError if K does not divide the number of trainings.
    """
    if len(probabilities) % layers:
        raise ValueError(f"{len(probabilities)} trainings cannot be divided among {layers} layers")
    return probabilities.reshape(layers, -1, *probabilities.shape[1:]).swapaxes(0, 1)


def enough_trainings(layers: int, trainings: int = 0) -> int:
    """Returns the number of trainings that read a path of `layers` layers; 0 means one per layer.

    layers: the input included. Raises UserError for fewer trainings than layers: a placebo reads
    one layer by as many trainings as a path has layers, or it would have fewer chances to change.
    """
    if 0 < trainings < layers:
        raise UserError(
            f"a path of {layers} layers needs a placebo of {layers} probes of one layer, and there are "
            f"{trainings} trainings: take {layers} or more, or 0 for one training per layer"
        )
    return trainings or layers


def drawn_runs(trainings: int, layers: int, number: int = PATHS, seed: int = 0) -> np.ndarray:
    """Draws which training reads which layer in each path, (P, K) int; never one training twice.

    Raises UserError as `enough_trainings`.
    """
    enough_trainings(layers, trainings)
    generator = np.random.default_rng([seed, trainings, layers])
    return np.stack([generator.permutation(trainings)[:layers] for _ in range(number)])


def along(readings: Readings, runs: np.ndarray, layer: int | None = None) -> tuple:
    """Selects decisions and margins along paths, (P, K, n) each. runs: (P, K).

    layer: the layer that all readings of a placebo are of; None: each layer in its turn.
    """
    layers = np.arange(runs.shape[1]) if layer is None else layer
    return readings.decided[runs, layers], readings.margins[runs, layers]


def quantities(readings: Readings, runs: np.ndarray, layer: int | None, delta: float) -> np.ndarray:
    """Computes the QUANTITIES of each item's path, (P, n, quantities).

    Kinds of reversals are 0 or 1, churn is in [0, 1], lock-in is a layer. Arguments as in `along`.
    """
    decided, margins = along(readings, runs, layer)
    kind = decisions.reversals(decided, margins, readings.gold, delta)  # (P, n)
    is_kind = kind[..., None] == 1 + np.arange(len(decisions.KINDS))
    others = [decisions.churn(decided), decisions.lock_in(decided)]
    return np.concatenate([is_kind, np.stack(others, axis=-1)], axis=-1)


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums over the items of each document.

    items: (G,), how many. path: (P, G, quantities). placebo: (K, P, G, quantities). pairs: (K, P,
    G), how many items two trainings of a layer disagree on.
    """

    documents: np.ndarray
    items: np.ndarray
    path: np.ndarray
    placebo: np.ndarray
    pairs: np.ndarray


def sums(readings: Readings, runs: np.ndarray, delta: float = decisions.DELTA) -> Sums:
    """Sums one model's paths, placebos and pairs by document. runs: (P, K), of `drawn_runs`."""
    documents, number = np.unique(readings.documents, return_inverse=True)
    of_document = (number == np.arange(len(documents))[:, None]).astype(float)  # (G, n)
    placebo, pairs = [], []
    for layer in range(readings.decided.shape[1]):
        placebo.append(of_document @ quantities(readings, runs, layer, delta))
        two = along(readings, runs[:, :2], layer)
        pairs.append(decisions.disagreement(*two, delta) @ of_document.T)
    path = of_document @ quantities(readings, runs, None, delta)
    return Sums(documents, of_document.sum(axis=1), path, np.stack(placebo), np.stack(pairs))


# ---- rates, and what exceeds them


def rate_rows(
    readings: Readings,
    delta: float = decisions.DELTA,
    draws: int = 1000,
    seed: int = 0,
    **keys: object,
) -> list[dict]:
    """Computes rates of a path and of its placebo, and their difference, as rows.

    For `report.results.write`. Measures: reversal_rate; placebo_reversal_rate (mean over layers;
    layer_placebo_reversal_rate of each); pair_disagreement_rate; net_reversal_rate (minus pairs);
    net_reversal_rate_beyond_resampling (minus placebo); reversal_kind_rate and
    net_reversal_kind_rate (`class`: the kind); decision_churn and lock_in_layer, each also for the
    placebo. The value is the mean over paths; a replicate takes one. keys: of all rows.
    """
    trainings, layers = readings.decided.shape[:2]
    runs = drawn_runs(trainings, layers, seed=seed)
    of_documents = sums(readings, runs, delta)
    drawn = _Drawn(of_documents, draws, seed)
    path, placebo = drawn.mean(of_documents.path), drawn.mean(of_documents.placebo.mean(axis=0))
    pairs = drawn.mean(of_documents.pairs.mean(axis=0)[..., None])
    every = [part[:, REVERSALS].sum(axis=1) for part in (path, placebo)]
    rows = [
        _row("reversal_rate", every[0]),
        _row("placebo_reversal_rate", every[1]),
        _row("pair_disagreement_rate", pairs[:, 0]),
        _row("net_reversal_rate", every[0] - pairs[:, 0]),
        _row("net_reversal_rate_beyond_resampling", every[0] - every[1]),
    ]
    for layer, of_layer in enumerate(of_documents.placebo):
        values = drawn.mean(of_layer)[:, REVERSALS].sum(axis=1)
        rows.append(_row("layer_placebo_reversal_rate", values, layer=layer))
    for number, kind in enumerate(decisions.KINDS):
        marks = {"class": kind}
        rows.append(_row("reversal_kind_rate", path[:, number], **marks))
        rows.append(_row("net_reversal_kind_rate", (path - placebo)[:, number], **marks))
    for name, unit in ((CHURN, PER_CENT), (LOCK_IN, 1.0)):
        number = QUANTITIES.index(name)
        measure = {CHURN: "decision_churn", LOCK_IN: "lock_in_layer"}[name]
        rows.append(_row(measure, path[:, number], unit))
        rows.append(_row(f"placebo_{measure}", placebo[:, number], unit))
    return [{**keys, **row} for row in rows]


def beyond(rows: list[dict], others: list[dict], measure: str, name: str) -> list[dict]:
    """Subtracts a measure of other rows from that of `rows`, as rows of the measure `name`.

    rows, others: of `rate_rows`, with the same draws; paired by model, task and estimator.
    """
    one, other = ([row for row in each if row["measure"] == measure] for each in (rows, others))
    differences = paired.minus(one, other, ["model", "task", "estimator"])
    return [{**row, "measure": name} for row in differences]


def renamed(rows: list[dict], prefix: str, *measures: str) -> list[dict]:
    """Selects the rows of these measures, and puts a prefix before the measures' names."""
    chosen = [row for row in rows if row["measure"] in measures]
    return [{**row, "measure": f"{prefix}_{row['measure']}"} for row in chosen]


class _Drawn:
    """Means over items in every draw; the first row is the point value."""

    def __init__(self, of_documents: Sums, draws: int, seed: int):
        paths = of_documents.path.shape[0]
        self.items = of_documents.items
        self.weights = stats.weights(of_documents.documents, draws, seed)  # (D, G)
        self.choice = np.random.default_rng([seed, paths]).integers(paths, size=draws)

    def mean(self, totals: np.ndarray) -> np.ndarray:
        """From sums of documents (P, G, values) to (1 + D, values): over all paths, then by draw."""
        value = totals.mean(axis=0).sum(axis=0) / self.items.sum()
        drawn = np.einsum("dg,dgv->dv", self.weights, totals[self.choice])
        return np.concatenate([value[None], drawn / (self.weights @ self.items)[:, None]])


def _row(measure: str, values: np.ndarray, unit: float = PER_CENT, **keys: object) -> dict:
    """values: (1 + D,), the point value first."""
    value = float(unit * values[0])
    return {"measure": measure, **keys, "value": value, "replicates": unit * values[1:]}


# ---- which of two decisions settles first


def precedence_row(
    first: Readings,
    second: Readings,
    pairs: np.ndarray,
    delta: float = decisions.DELTA,
    draws: int = 1000,
    seed: int = 0,
    **keys: object,
) -> dict | None:
    """Computes how much more often than by chance the first of two decisions settles first.

    A pair counts where both decisions are right in the last layer and the second was firmly wrong
    before. Chance reassigns the first decisions of one label (`texts.survey.reversals.precedence`).
    pairs: (m, 2), numbers of items: of the first readings, of the second. Other arguments as in
    `rate_rows`. In the measure precedence_beyond_chance 0 means no order, above 0 the first is
    first; draws without a pair have no value. Returns None without an order to tell: no path has a
    pair, or all second decisions settle in one layer, as in a model of two blocks, whose top alone
    can reverse what was firm.
    """
    trainings, layers = first.decided.shape[:2]
    runs = drawn_runs(trainings, layers, seed=seed)
    documents, number = np.unique(second.documents, return_inverse=True)
    shape = len(documents), int(first.gold.max()) + 1, layers, layers
    tables = []
    for own, other in zip(runs, runs[::-1], strict=True):  # of two trainings, not of one
        times, is_kept = _times(first, second, pairs, own, other, delta)
        strata = first.gold[pairs[:, 0]], *times
        cells = np.ravel_multi_index((number[pairs[:, 1]], *strata), shape)[is_kept]
        tables.append(np.bincount(cells, minlength=np.prod(shape)).reshape(shape))
    counts = np.stack(tables).astype(float)  # (P, G, labels, K, K)
    if np.count_nonzero(counts.sum(axis=(0, 1, 2, 3))) < 2:  # layers where a second one settles
        return None
    weights = stats.weights(documents, draws, seed)
    choice = np.random.default_rng([seed, len(runs)]).integers(len(runs), size=draws)
    drawn = [
        _beyond_chance(np.tensordot(weight, counts[path], axes=1))
        for weight, path in zip(weights, choice, strict=True)
    ]
    value = _beyond_chance(counts.sum(axis=(0, 1)))
    keys = {**keys, "measure": "precedence_beyond_chance"}
    return {**keys, "value": value, "replicates": np.array(drawn)}


def _times(
    first: Readings,
    second: Readings,
    pairs: np.ndarray,
    own: Sequence[int],
    other: Sequence[int],
    delta: float,
) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray]:
    """Lock-in layers of both decisions of each pair, (m,) each, and whether the pair counts."""
    layers = np.arange(len(own))
    settled, settled_2 = first.decided[own, layers], second.decided[other, layers]  # (K, n)
    is_firm = decisions.firm(settled_2, second.margins[other, layers], delta)
    was_wrong = (is_firm & (settled_2 != second.gold))[:-1].any(axis=0)
    is_right = settled[-1] == first.gold
    is_second = was_wrong & (settled_2[-1] == second.gold)
    times = decisions.lock_in(settled)[pairs[:, 0]], decisions.lock_in(settled_2)[pairs[:, 1]]
    return times, is_right[pairs[:, 0]] & is_second[pairs[:, 1]]


def _beyond_chance(counts: np.ndarray) -> float:
    """Precedence less chance; NaN without a pair. counts: (labels, K, K)."""
    if not counts.any():
        return np.nan
    observed, chance = decisions.precedence(counts)
    return float(observed - chance)
