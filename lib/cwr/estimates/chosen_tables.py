"""Scores tables of word vectors and chooses one: the best layer (also by half the pairs) or a seed.

Gupta and Jaggi (2021), Tables 3 and 6, give two rows of ASE for each teacher: with the best layer
for each set of pairs, and with the one layer whose mean is best. Both are chosen on the pairs that
they are scored on. So the choice is made anew in every draw: a choice made once, outside, would
hide its own uncertainty. Beside them stands a choice on one half of the pairs, scored on the other;
and, for settings that were searched, a choice on sets that are not scored.

    N sets of pairs, T tables of vectors, n pairs of a set
    D draws: draw 0 is the pairs as they are, the others are replicates
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cwr.measures import stats
from cwr.measures.benchmarks import word_similarity
from cwr.measures.resampled_ranks import resampled_rank_correlation

BEST_PER_SET = "the best layer for each set"
BEST_ON_AVERAGE = "the layer with the best mean"
BEST_ON_OTHERS = "the table with the best mean on sets that are none of the paper's"
BEST_ON_HALF = "a layer chosen on half of the pairs"
SEED = "one of the seeds"
SPLITS = 100  # into halves, of draw 0

Rule = str | int  # a number means the table under this key, whatever it scores
Vectors = Mapping[str, np.ndarray]  # {word: (dim,)}


@dataclass(frozen=True)
class Drawn:
    """A set of word pairs with human scores, and its bootstrap draws.

    pairs: (n,), columns first, second and score. weights: (D, n), how often a draw contains a pair.
    """

    name: str
    pairs: pd.DataFrame
    weights: np.ndarray

    def halves(self) -> tuple[np.ndarray, np.ndarray]:
        """Splits the pairs into halves at random; returns their weights, (SPLITS + D - 1, n) each.

        All copies of a pair in a draw are in the same half. The first SPLITS rows split draw 0,
        each other row splits another draw. The splits depend on n alone.
        """
        n = len(self.pairs)
        counts = np.concatenate([np.ones((SPLITS - 1, n)), self.weights])
        alternating = np.tile(np.arange(n) % 2, (len(counts), 1))
        is_first = np.random.default_rng(n).permuted(alternating, axis=1)
        return counts * is_first, counts * (1 - is_first)


def draw(name: str, pairs: pd.DataFrame, replicates: int, seed: int) -> Drawn:
    """Builds a `Drawn` set: draw 0 is the pairs as they are, the other draws are resamples.

    name: the set's name. pairs: (n,), columns first, second and score. replicates: the number of
    resamples. seed: for the resamples.
    """
    weights = np.ones((1, len(pairs)))
    if replicates:
        labels = (pairs["first"] + " " + pairs["second"]).to_numpy()
        weights = np.concatenate([weights, stats.weights(labels, replicates, seed)])
    return Drawn(name, pairs, weights)


@dataclass(frozen=True)
class Scored:
    """The correlations of tables of vectors with human scores, in all draws.

    keys: (T,), layers or seeds. whole: (N, T, D), over all pairs of a set. halves: (2, N, T, SPLITS
        + D - 1), over each half of the pairs; or None.
    """

    keys: Sequence[int]
    whole: np.ndarray
    halves: np.ndarray | None

    @classmethod
    def of(
        cls, tables: Mapping[int, Vectors], drawn: Sequence[Drawn], has_halves: bool = False
    ) -> "Scored":
        """Correlates the tables' cosines with human scores, on each set of pairs in each draw.

        tables: {layer or seed: {word: (dim,)}}; each table has all words of all sets. drawn: the
        sets.
        has_halves: whether to compute `halves`, too, which the rule BEST_ON_HALF needs.
        """
        whole, halves = [], []
        for of_set in drawn:
            cosines = np.stack([similarity(vectors, of_set.pairs) for vectors in tables.values()])
            scores = of_set.pairs["score"].to_numpy()
            whole.append(resampled_rank_correlation(cosines, scores, of_set.weights))
            if has_halves:
                halves.append(
                    [resampled_rank_correlation(cosines, scores, w) for w in of_set.halves()]
                )
        return cls(list(tables), np.stack(whole), np.stack(halves, axis=1) if halves else None)

    def cells(self, rule: Rule, basis: np.ndarray, name: str, seed: int) -> np.ndarray:
        """Returns the correlation of the table that a rule chooses, by set and draw, (N, D).

        rule: one of this module's constants, or one of `keys`. basis: (N,) bool, the sets over
            which BEST_ON_AVERAGE and BEST_ON_OTHERS average.
        name, seed: used by the rule SEED, to draw among training seeds.
        """
        if rule == BEST_ON_HALF:
            return self._on_the_other_half()
        if rule == SEED:
            return self._by_one_seed(name, seed)
        return _of_tables(self.whole, self._chosen(rule, basis))

    def layers(self, rule: Rule, basis: np.ndarray) -> np.ndarray:
        """Returns the key (layer) that a rule chooses for each set in each draw, (N, D).

        rule, basis: as in `cells`, but neither BEST_ON_HALF nor SEED, which choose no single layer.
        """
        return np.array(self.keys)[self._chosen(rule, basis)]

    def _chosen(self, rule: Rule, basis: np.ndarray) -> np.ndarray:
        """Returns the indices of the chosen tables, (N, D)."""
        if rule == BEST_PER_SET:
            return self.whole.argmax(axis=1)
        if rule in (BEST_ON_AVERAGE, BEST_ON_OTHERS):
            best = self.whole[basis].mean(axis=0).argmax(axis=0)  # (D,)
            return np.tile(best, (len(self.whole), 1))
        sets, _, draws = self.whole.shape
        return np.full((sets, draws), self.keys.index(rule))

    def _on_the_other_half(self) -> np.ndarray:
        """Returns (N, D), averaged over both directions. Draw 0 is the mean over its splits."""
        first, second = self.halves
        forth = _of_tables(second, first.argmax(axis=1))
        back = _of_tables(first, second.argmax(axis=1))
        both = (forth + back) / 2  # (N, SPLITS + D - 1)
        return np.column_stack([both[:, :SPLITS].mean(axis=1), both[:, SPLITS:]])

    def _by_one_seed(self, name: str, seed: int) -> np.ndarray:
        """Returns (N, D): draw 0 is the mean over seeds; a replicate has one seed for all sets."""
        mean = self.whole[:, :, 0].mean(axis=1)
        replicates = self.whole.shape[2] - 1
        if not replicates:
            return mean[:, None]
        labels = [f"{name} {key}" for key in self.keys]
        drawn = stats.resample(labels, replicates, seed)[:, 0]
        return np.column_stack([mean, self.whole[:, drawn, np.arange(replicates) + 1]])


def similarity(vectors: Vectors, pairs: pd.DataFrame) -> np.ndarray:
    """Computes the cosine between the two words of each pair, (n,).

    vectors: {word: (dim,)}, of all words of the pairs. pairs: columns first, second and score.
    Raises ValueError for a vector without direction, for fewer than two pairs, and if all cosines
    or all scores are equal.
    """
    return word_similarity(vectors, pairs).items["similarity"].to_numpy()


def _of_tables(correlations: np.ndarray, tables: np.ndarray) -> np.ndarray:
    """Selects from correlations (N, T, D) those of the tables (N, D); returns (N, D)."""
    return np.take_along_axis(correlations, tables[:, None], axis=1)[:, 0]
