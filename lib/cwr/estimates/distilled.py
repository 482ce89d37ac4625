"""Compares vectors with human scores of word similarity: Table 3, on the same pairs for all rows.

Gupta and Jaggi (2021), section 4.2. Tables of vectors that belong together are a `Source`: of a
teacher's layers, or of one recipe trained from several seeds. A rule (`chosen_tables`) makes a row
of Table 3 of them. All rows are compared on the pairs that every source covers, and their
replicates share the draws of pairs, so rows can be subtracted draw by draw.

    v words of a vocabulary, dim dimensions, N sets of pairs, D draws (draw 0: the estimate)
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy.stats import norm

from cwr.corpora import word_pairs
from cwr.errors import UserError
from cwr.estimates import paired
from cwr.estimates.chosen_tables import (
    BEST_ON_AVERAGE,
    BEST_ON_HALF,
    BEST_ON_OTHERS,
    BEST_PER_SET,
    Drawn,
    Rule,
    Scored,
    Vectors,
    draw,
)

SPEARMAN, MEAN = "word_similarity_spearman", "word_similarity_mean_spearman"
ALL_SETS = "_all_sets"  # ending of MEAN: over those that are none of the paper's, too
LARGE, LAYERS_OF_LARGE = "_large_teacher", 24  # ending: of teachers like those Table 6 adds
TEACHERS = ("masked", "causal")  # families of the paper's
SKIP, FALLBACK = "_skip", "_fallback"  # endings: rules for words without a vector
LAYER = "word_similarity_layer"  # which a rule chose
PAIRS = "word_similarity_pairs"  # how many were compared
TASK = "word similarity"
LEAST_PAIRS = 20  # pairs of a set: half of fewer would too often be a single one
ENOUGH = 50  # pairs of a set before it enters a mean: 21 of RG-65 would weigh as much as 800 of MEN
CHOSEN = (BEST_PER_SET, BEST_ON_AVERAGE, BEST_ON_OTHERS)  # rules whose choice is told under LAYER
ASE = {  # the rows that a teacher's averages give
    "ase_best_per_task": BEST_PER_SET,
    "ase_best_layer": BEST_ON_AVERAGE,
    "ase_half": BEST_ON_HALF,
    "ase_layer_0": 0,
}


@dataclass(frozen=True)
class Source:
    """Tables of word vectors from one teacher or recipe, and the rows of Table 3 made from them.

    model, family: the teacher's, or those of vectors trained from scratch.
    tables: {layer or seed: {word in lower case: (dim,)}}.
    rows: {estimator: the rule that chooses a table for this row}.
    alone: tables of words that were read alone, under the same keys; None without a teacher.
    n_layers: the teacher's; 0 without one.
    """

    model: str
    family: str
    tables: Mapping[int, Vectors]
    rows: Mapping[str, Rule]
    alone: Mapping[int, Vectors] | None = None
    n_layers: int = 0

    @property
    def words(self) -> set[str]:
        """The set of words that every one of `tables` has."""
        return set.intersection(*(set(vectors) for vectors in self.tables.values()))

    @property
    def is_of_table_6(self) -> bool:
        """Tells whether the teacher is like Table 6's: 24 layers, and masked or causal."""
        return self.n_layers == LAYERS_OF_LARGE and self.family in TEACHERS

    def filled(self) -> "Source":
        """Fills in words without a vector from `alone`, as ASE's tool does."""
        tables = {key: {**self.alone[key], **vectors} for key, vectors in self.tables.items()}
        return replace(self, tables=tables)


def load(names: Iterable[str]) -> dict[str, pd.DataFrame]:
    """Loads sets of pairs in lower case, {name in Table 3: columns first, second and score}.

    MUSE, the tool of section 4.2, looks words up in lower case. names: as for `word_pairs.load`;
    MEN in its natural forms is called "MEN". Raises UserError as `word_pairs.load`.
    """
    printed = {**word_pairs.GUPTA, "men, natural": "MEN"}
    sets = {}
    for name in names:
        pairs = word_pairs.load(name)
        lowered = {side: pairs[side].str.lower() for side in ("first", "second")}
        sets[printed.get(name, name)] = pairs.assign(**lowered)
    return sets


def words_of(sets: Mapping[str, pd.DataFrame]) -> set[str]:
    """Collects the words of all pairs in these sets."""
    return {word for pairs in sets.values() for word in (*pairs["first"], *pairs["second"])}


def source_tables(
    words: Sequence[str],
    matrices: Mapping[int, np.ndarray],
    asked: set[str],
    treatment: Callable[[np.ndarray], np.ndarray] = np.asarray,
) -> dict[int, Vectors]:
    """Builds the tables of a `Source`: treats a vocabulary's matrices and keeps the words `asked`.

    words: (v,). matrices: {layer or seed: (v, dim)}. asked: the words to keep.
    treatment: a function (v, dim) -> (v, dim), applied to all words before the cut.
    """
    rows = [row for row, word in enumerate(words) if word in asked]
    cut = {}
    for key, matrix in matrices.items():
        cut[key] = {
            words[row]: vector for row, vector in zip(rows, treatment(matrix)[rows], strict=True)
        }
    return cut


# ---- rows


def score_rows(
    sources: Sequence[Source],
    sets: Mapping[str, pd.DataFrame],
    draws: int = 1000,
    seed: int = 0,
    enough: int = ENOUGH,
) -> list[dict]:
    """Computes Table 3 on the pairs that all sources cover, as rows for `report.results.write`.

    Each estimator of each source gets a correlation on each set, and a mean over the paper's sets
    at hand; if there are other sets, also a mean over all sets, under ALL_SETS. As in the paper the
    mean by BEST_PER_SET is the mean of the best single layer. LAYER rows give the chosen layers.
    sets: as `load` gives them. draws: replicates, over the pairs of a set. enough: sets with fewer
        pairs are in no mean, unless all sets have fewer; 0 where means on several texts are
        compared, which must be over the same sets.
    Raises UserError for a set with fewer than LEAST_PAIRS pairs that all sources cover.
    """
    common = set.intersection(*(source.words for source in sources))
    drawn = _covered(sets, common, draws, seed, "all vectors together")
    rows = []
    for of_set in drawn:
        keys = {"measure": PAIRS, "task": TASK, "dataset": of_set.name}
        rows.append({**keys, "value": float(len(of_set.pairs))})
    in_means = _enough([drawn], enough)
    for source in sources:
        rows += _of_source(source, drawn, in_means, seed)
    return rows


def missing_rows(sources: Sequence[Source], sets: Mapping[str, pd.DataFrame]) -> list[dict]:
    """Computes Table 3 by two other rules for words without a vector, without replicates.

    SKIP: the pairs that the source covers by itself, as MUSE scores. FALLBACK: a word without a
    vector is read alone, as the tool of ASE scores; only for sources with a teacher. Measures end
    in the rule; PAIRS with this ending counts the pairs behind a row.
    Raises UserError as `score_rows`.
    """
    by_rule = {SKIP: list(sources)}
    by_rule[FALLBACK] = [source.filled() for source in sources if source.alone is not None]
    rows = []
    for ending, by_this in by_rule.items():
        drawn = [_covered(sets, source.words, 0, 0, source.model) for source in by_this]
        enough = _enough(drawn, ENOUGH)
        for source, of_source in zip(by_this, drawn, strict=True):
            rows += _of_source(source, of_source, enough, 0, ending)
            for of_set, estimator in ((s, name) for s in of_source for name in source.rows):
                keys = _keys(source, estimator, PAIRS + ending, dataset=of_set.name)
                rows.append({**keys, "value": float(len(of_set.pairs))})
    return rows


def covered(sets: Mapping[str, pd.DataFrame], words: set[str]) -> dict[str, pd.DataFrame]:
    """Selects the pairs of each set whose words are both among `words`."""
    return {
        name: pairs[pairs["first"].isin(words) & pairs["second"].isin(words)]
        for name, pairs in sets.items()
    }


def refuse_uncovered(
    sets: Mapping[str, pd.DataFrame], words: set[str], vectors: str = "the words of the text"
) -> None:
    """Raises UserError for a set with fewer than LEAST_PAIRS pairs covered by `words`.

    vectors: names the words' source in the error.
    """
    for name, pairs in covered(sets, words).items():
        if len(pairs) < LEAST_PAIRS:
            raise UserError(
                f"of the {len(sets[name])} pairs of {name} {vectors} cover {len(pairs)}, and a "
                f"correlation needs {LEAST_PAIRS}: leave out {name}, or take more text"
            )


def _covered(
    sets: Mapping[str, pd.DataFrame], words: set[str], draws: int, seed: int, vectors: str
) -> list[Drawn]:
    """Returns the covered pairs of each set with draws. Raises UserError as `refuse_uncovered`."""
    refuse_uncovered(sets, words, vectors)
    of_sets = covered(sets, words)
    return [draw(name, pairs, draws, seed) for name, pairs in of_sets.items()]


def _enough(drawn: Sequence[list[Drawn]], least: int) -> set[str]:
    """Returns the sets with `least` covered pairs in each of `drawn`; all, if there are none."""
    few = {s.name for of_sets in drawn for s in of_sets if len(s.pairs) < least}
    names = {of_set.name for of_sets in drawn for of_set in of_sets}
    return names - few or names


def _of_source(
    source: Source, drawn: list[Drawn], enough: set[str], seed: int, ending: str = ""
) -> list[dict]:
    """Returns all rows of a source: cells, means over the sets in `enough`, chosen layers."""
    scored = Scored.of(source.tables, drawn, BEST_ON_HALF in source.rows.values())
    names = [of_set.name for of_set in drawn]
    bases = _bases(names, enough)
    judged = next(iter(bases.values()))
    size = LARGE if source.is_of_table_6 else ""
    rows = []
    for estimator, rule in source.rows.items():
        name = f"{estimator} {source.model}"
        chosen_on = development(names) if rule == BEST_ON_OTHERS else judged
        cells = scored.cells(rule, chosen_on, name, seed)  # (N, D)
        rows += _by_set(_keys(source, estimator, SPEARMAN + size + ending), names, cells)
        for measure, basis in bases.items():
            single = BEST_ON_AVERAGE if rule == BEST_PER_SET else rule
            of_mean = chosen_on if rule == BEST_ON_OTHERS else basis
            mean = scored.cells(single, of_mean, name, seed)[basis].mean(axis=0)
            rows.append(_estimate(_keys(source, estimator, measure + size + ending), mean))
        if rule in CHOSEN and not ending:
            layers = scored.layers(rule, chosen_on)
            rows += _by_set(_keys(source, estimator, LAYER), names, layers)
    return rows


def _bases(names: list[str], enough: set[str]) -> dict[str, np.ndarray]:
    """Returns the sets that each mean is over, {measure: (N,) bool}: the paper's, and all.

    Sets that are not in `enough` enter a mean only where no other would.
    """
    is_printed = np.isin(names, list(word_pairs.GUPTA.values()))
    is_enough = np.isin(names, list(enough))
    bases = {}
    if is_printed.any():
        both = is_printed & is_enough
        bases[MEAN] = both if both.any() else is_printed
    if not is_printed.all():
        bases[MEAN + ALL_SETS] = is_enough
    return bases


def development(names: Sequence[str]) -> np.ndarray:
    """Marks the sets that are not the paper's, on which settings are chosen, (N,) bool.

    Marks all sets if all are the paper's: then a choice is made on the pairs that are scored, as in
    the paper. names: (N,), the sets' names.
    """
    of_sets = [name.split(" ")[0] for name in names]  # a third of a set is called after it
    is_other = ~np.isin(of_sets, list(word_pairs.GUPTA.values()))
    return is_other if is_other.any() else np.ones(len(names), bool)


def sets_in_mean(rows: Iterable[dict]) -> tuple[list[str], list[str]]:
    """Returns the paper's sets that are in the mean, and its sets that have too few pairs.

    rows: from `score_rows`.
    """
    pairs = {row["dataset"]: row["value"] for row in rows if row["measure"] == PAIRS}
    printed = [name for name in pairs if name in word_pairs.GUPTA.values()]
    enough = [name for name in printed if pairs[name] >= ENOUGH] or printed
    return enough, [name for name in printed if name not in enough]


def _keys(source: Source, estimator: str, measure: str, **keys: object) -> dict:
    named = {"model": source.model, "family": source.family, "estimator": estimator}
    return {**named, "task": TASK, "measure": measure, **keys}


def _by_set(keys: dict, names: list[str], values: np.ndarray) -> list[dict]:
    """Returns one row per set. values: (N, D)."""
    each = zip(names, values, strict=True)
    return [_estimate({**keys, "dataset": name}, of_set) for name, of_set in each]


def _estimate(keys: dict, values: np.ndarray) -> dict:
    """Returns a row of draw 0 with the other draws as its replicates. values: (D,)."""
    replicates = values[1:] if len(values) > 1 else None
    return {**keys, "value": float(values[0]), "replicates": replicates}


# ---- differences


def differences(rows: Iterable[dict], pairs: Iterable[tuple[tuple, tuple]]) -> pd.DataFrame:
    """Computes one row's lead over another on each set and in the mean, with paired intervals.

    rows: from `score_rows`. pairs: the row ahead and the row behind, each as (model, estimator).
    Columns ahead, behind (texts), measure, dataset, and those of `decided`.
    """
    scores = ({**row, "measure": row["measure"].removesuffix(LARGE)} for row in rows)
    scores = (row for row in scores if row["measure"] in (SPEARMAN, MEAN, MEAN + ALL_SETS))
    of_rows = ["model", "estimator"], ["measure", "dataset"]
    table = decided(paired.between(scores, pairs, *of_rows), ["ahead", "behind", *of_rows[1]])
    return table.assign(**{side: table[side].map(" ".join) for side in ("ahead", "behind")})


def against(rows: Sequence[dict], kinds: Iterable[str], estimators: Sequence[str]) -> pd.DataFrame:
    """Computes `differences` between estimators of the same teacher, for all teachers.

    rows: from `score_rows`. kinds: the estimators ahead. estimators: the estimators behind. A
        teacher without one of the two rows has no difference.
    """
    means = [row for row in rows if row["measure"].removesuffix(LARGE) == MEAN]
    there = dict.fromkeys((row["model"], row["estimator"]) for row in means)
    pairs = [
        ((model, kind), (model, other))
        for kind in kinds
        for model, estimator in there
        if estimator == kind
        for other in estimators
        if (model, other) in there
    ]
    return differences(rows, pairs)


def decided(rows: Sequence[dict], columns: Sequence[str] = ()) -> pd.DataFrame:
    """Tabulates paired differences: `columns`, difference, low, high, is_decided and least.

    rows: from `estimates.paired`. low, high: the 95 % interval. is_decided: whether the interval
    excludes 0. least: the least detectable difference, 1.96 paired standard errors.
    """
    table = paired.frame(rows, columns, "difference")
    is_decided = (table["low"] > 0) | (table["high"] < 0)
    least = [norm.ppf(0.975) * row["replicates"].std() for row in rows]
    return table.assign(is_decided=is_decided, least=least)
