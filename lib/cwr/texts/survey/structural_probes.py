"""Scores the trees that structural probes predict, with replicates that resample documents.

Hewitt and Manning (2019), section 4. A sentence is scored once, by a probe that has seen no
document of its fold. The best layer of a fold is chosen on the other folds.

    S sentences, I inputs (layers, or other vectors of the same words), n words of a sentence, D
    draws, U units that are resampled (documents or sentences), N lengths (one where they do not
    count)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_array

from cwr.measures import stats, structural
from cwr.texts.survey.treebanks import Treebank, TreePredictions

MEASURES = ("uuas_percent", "root_percent", "dspr_full", "nspr")


@dataclass(frozen=True, eq=False)
class Score:
    """One measure of some inputs, in parts that add up. sums, counts: (I, U, N). fold: (U,)."""

    sums: np.ndarray
    counts: np.ndarray
    fold: np.ndarray
    percent: bool

    def values(self, weights: np.ndarray) -> np.ndarray:
        """Computes the measure, (D, I), with units weighted in each draw, (D, U)."""
        return self._value(*self._totals(weights))

    def chosen(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Chooses the input that is best on other folds: value (D,), and each fold's input (D, F).

        NaN in a draw without a unit of other folds. Raises ValueError for a single fold.
        """
        numbers = np.unique(self.fold)
        if len(numbers) < 2:
            raise ValueError("the best layer is chosen on other folds, and there is one")
        total = self._totals(weights)
        parts, best = [], []
        for number in numbers:
            of_fold = self._totals(weights * (self.fold == number))
            others = self._value(*(all_ - part for all_, part in zip(total, of_fold, strict=True)))
            best.append(np.where(np.isnan(others), -np.inf, others).argmax(axis=1))
            of_best = [part[np.arange(len(weights)), best[-1]] for part in of_fold]
            of_best[0][np.isnan(others).all(axis=1)] = np.nan  # nothing to choose by
            parts.append(of_best)
        sums, counts = (sum(of_folds) for of_folds in zip(*parts, strict=True))
        return self._value(sums, counts), np.stack(best, axis=1)

    def _totals(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Sums and counts over units, each (D, I, N)."""
        return tuple(np.tensordot(weights, part, (1, 1)) for part in (self.sums, self.counts))

    def _value(self, sums: np.ndarray, counts: np.ndarray) -> np.ndarray:
        return structural.mean_over_lengths(sums, counts) * (100 if self.percent else 1)


def scores(trees: Treebank, predictions: TreePredictions) -> dict[str, Score]:
    """Scores the tested sentences by each of `MEASURES`, {measure: score}.

    UUAS and root % are over all of them, the correlations over those of 5 to 50 words.
    """
    tested = trees.tested
    said = [_of_sentence(trees, predictions, number) for number in tested]
    lengths = trees.lengths[tested]
    units, unit = np.unique(trees.unit[tested], return_inverse=True)
    first = np.array([trees.fold[tested][unit == number][0] for number in range(len(units))])
    result = {}
    for column, measure in enumerate(MEASURES):
        sums, counts = (np.stack([row[column][part] for row in said], axis=1) for part in (0, 1))
        by_length = not measure.endswith("percent")
        result[measure] = _score(sums, counts, unit, lengths if by_length else None, first)
    return result


def _of_sentence(
    trees: Treebank, predictions: TreePredictions, number: int
) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each measure what a sentence adds to sums and counts, (I,) each."""
    heads, keep = trees.heads[number], trees.keep[number]
    distances, of_words = predictions.distances[number], predictions.depths[number]
    common, total = structural.uuas(distances, heads, keep)
    ones, none = np.ones(len(common)), np.full(len(common), np.nan)
    root = None if of_words is None else structural.finds_root(of_words, heads, keep)
    rows, nspr = none[:, None], none
    if structural.SHORTEST <= len(heads) <= structural.LONGEST:
        rows = structural.distance_correlations(distances, heads)  # (I, n)
        if of_words is not None:
            nspr = structural.depth_correlation(of_words, heads)
    is_defined = ~np.isnan(nspr)
    return [
        (common, total * ones),
        (0 * ones, 0 * ones) if root is None else (root, ones),
        (np.nansum(rows, axis=1), (~np.isnan(rows)).sum(axis=1)),
        (np.where(is_defined, nspr, 0), is_defined),
    ]


def _score(
    sums: np.ndarray,
    counts: np.ndarray,
    unit: np.ndarray,
    lengths: np.ndarray | None,
    fold: np.ndarray,
) -> Score:
    """Sums and counts of sentences, (I, S), by unit and length."""
    shortest, longest = structural.SHORTEST, structural.LONGEST
    column = np.zeros(len(unit), dtype=int) if lengths is None else lengths - shortest
    columns = 1 if lengths is None else longest - shortest + 1
    is_counted = (column >= 0) & (column < columns)
    cell = (unit * columns + column)[is_counted]
    shape = (len(fold) * columns, len(cell))
    where = csr_array((np.ones(len(cell)), (cell, np.arange(len(cell)))), shape=shape)
    parts = [(where @ part[:, is_counted].T).T for part in (sums, counts)]
    parts = [part.reshape(len(sums), len(fold), columns) for part in parts]
    return Score(*parts, fold=fold, percent=lengths is None)


def undefined_share(score: Score, trees: Treebank) -> float:
    """Computes the share of words whose distances have no correlation, over inputs and sentences.

    score: "dspr_full" of `scores`.
    """
    lengths = trees.lengths[trees.tested]
    counted = (lengths >= structural.SHORTEST) & (lengths <= structural.LONGEST)
    return float(1 - score.counts.sum() / (len(score.counts) * lengths[counted].sum()))


# ---- rows for `report.results.write`


def layer_rows(
    scores: Mapping[str, Score], layers: Sequence[int], draws: int = 1000, seed: int = 0, **keys
) -> list[dict]:
    """Returns rows of each measure of the first inputs, the layers: structural_probe_<m>_by_layer.

    keys: of all rows, model and family among them.
    """
    rows = []
    for name, score in scores.items():
        values, drawn = score.values(_once(score)), score.values(weights(score, draws, seed))
        for place, layer in enumerate(layers):
            row = {"measure": f"structural_probe_{name}_by_layer", "layer": layer, **keys}
            row |= {"value": float(values[0, place]), "replicates": drawn[:, place]}
            rows.append(row)
    return rows


def best_rows(
    scores: Mapping[str, Score],
    places: Sequence[int],
    suffix: str = "",
    draws: int = 1000,
    seed: int = 0,
    **keys,
) -> list[dict]:
    """Returns rows of each measure of the best of some inputs, chosen anew in every replicate.

    The choice is made on the other folds; of one input nothing is chosen. suffix: ends the
    measure's name, "_baseline" for the source's baselines.
    """
    rows = []
    for name, score in scores.items():
        part = only(score, places)
        value, _ = part.chosen(_once(score))
        drawn, _ = part.chosen(weights(score, draws, seed))
        row = {"measure": f"structural_probe_{name}{suffix}", **keys}
        rows.append({**row, "value": float(value[0]), "replicates": drawn})
    return rows


def baseline_rows(
    scores: Mapping[str, Score],
    places: Mapping[str, Sequence[int]],
    draws: int = 1000,
    seed: int = 0,
    **keys,
) -> list[dict]:
    """Returns rows of each baseline, {estimator: its inputs}; none for one without inputs."""
    rows = []
    for name, of_baseline in places.items():
        if of_baseline:
            of = {"draws": draws, "seed": seed, "estimator": name, **keys}
            rows += best_rows(scores, of_baseline, "_baseline", **of)
    return rows


def rank_rows(scores: Mapping[str, Score], k: int, draws: int = 1000, seed: int = 0, **keys):
    """Returns rows of UUAS (a share) and DSpr after a map of rank k, for the chosen input."""
    rows = []
    for name, measure in (("uuas_percent", "uuas"), ("dspr_full", "dspr")):
        score = replace(scores[name], percent=False)
        value, drawn = (score.chosen(of)[0] for of in (_once(score), weights(score, draws, seed)))
        row = {"measure": f"structural_probe_{measure}", "k": k, **keys}
        rows.append({**row, "value": float(value[0]), "replicates": drawn})
    return rows


def control_rows(
    task: Score, control: Score, draws: int = 1000, seed: int = 0, **keys
) -> list[dict]:
    """Returns rows of UUAS in the control task, and of selectivity: gold minus control, percent."""
    (value, drawn), (of_control, drawn_control) = (
        [score.chosen(of)[0] for of in (_once(score), weights(score, draws, seed))]
        for score in (task, control)
    )
    differences = {"control_uuas_percent": (of_control, drawn_control)}
    differences["selectivity"] = (value - of_control, drawn - drawn_control)
    return [
        {"measure": f"structural_probe_{name}", **keys, "value": float(point[0]), "replicates": of}
        for name, (point, of) in differences.items()
    ]


def only(score: Score, places: Sequence[int]) -> Score:
    """Selects the score of some inputs."""
    places = list(places)
    return replace(score, sums=score.sums[places], counts=score.counts[places])


def chosen_layers(score: Score, places: Sequence[int]) -> list[int]:
    """Returns for each fold the one of these inputs that is best on the other folds."""
    _, best = only(score, places).chosen(_once(score))
    return [list(places)[number] for number in best[0]]


def weights(score: Score, draws: int, seed: int) -> np.ndarray:
    """Counts how often each replicate draws each unit, (D, U); one draw for all of a treebank."""
    return stats.shared_weights(np.arange(len(score.fold)), draws, seed)


def _once(score: Score) -> np.ndarray:
    return np.ones((1, len(score.fold)))
