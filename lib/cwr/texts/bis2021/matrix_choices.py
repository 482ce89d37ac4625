"""Tables 1 to 3 of Biś et al. (2021) under choices that the text leaves open, or its code makes.

A choice is changed alone, everything else stays as in the chapter. Isotropy and word similarity
depend on different choices; what a choice cannot change is not computed again.
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr.corpora import word_pairs
from cwr.estimates import benchmarks, isotropy
from cwr.measures import geometry
from cwr.measures.geometry import Geometry

if TYPE_CHECKING:
    from cwr.encoders.matrices import Matrix

SIGNS = {"towards": "", "against": "_negative", "both": "_both"}  # endings of measures
PROCESSED = "_processed"
PARTS_OF_WORDSIM = ("wordsim-similarity", "wordsim-relatedness")  # they share 103 pairs


@dataclass(frozen=True)
class Choice:
    """How isotropy and word similarity are computed; the defaults are the choice of the chapter.

    sign: of the eigenvectors, "towards" the mean row, "against" it, or "both".
    rows: a key of `isotropy.ROWS`: "all", "used" or "words".
    matched_scale: divide W by the mean length of its rows.
    released_d: remove 2 components as the released benchmark does, not ceil(dim / 100).
    centred_projection: equation 11, or (False) the form of Mu and Viswanath (2018).
    leading_space: ask a byte-level vocabulary for the word as it stands within a sentence.
    natural_men: the words of MEN as people saw them, not as lemmas.
    correlation: "pearson" or "spearman".
    identical: keep pairs of a word with itself (tiger, tiger).
    twice: count pairs twice that are in both parts of WordSim-353.
    """

    sign: str = "towards"
    rows: str = "all"
    matched_scale: bool = False
    released_d: bool = False
    centred_projection: bool = True
    leading_space: bool = True
    natural_men: bool = False
    correlation: str = "pearson"
    identical: bool = True
    twice: bool = True

    @property
    def of_isotropy(self) -> tuple:
        """The part that isotropy depends on."""
        return self.sign, self.rows, self.matched_scale, self.released_d

    @property
    def of_similarity(self) -> tuple:
        """The part that word similarity depends on."""
        return self.treatment, self.leading_space, self.correlation, self.of_pairs

    @property
    def of_pairs(self) -> tuple:
        """The part that says which pairs are compared."""
        return self.natural_men, self.identical, self.twice

    @property
    def treatment(self) -> str:
        """The ending of the measures that stand for post-processing under this choice."""
        if self.released_d:
            return f"{PROCESSED}_released"
        return PROCESSED if self.centred_projection else f"{PROCESSED}_uncentred"


CHAPTER = Choice()


class Study:
    """Several matrices and data sets of word pairs, looked at under several choices."""

    def __init__(self, matrices: Sequence["Matrix"], sets: Sequence[str], draws: int, seed: int):
        """sets: names of `word_pairs.load`. draws, seed: of the bootstrap over pairs."""
        self.matrices = {matrix.name: matrix for matrix in matrices}
        self.sets, self.draws, self.seed = tuple(sets), draws, seed
        self.geometry = functools.cache(self._geometry)  # once for all choices
        self.vectors = functools.cache(self._vectors)
        self.pairs = functools.cache(self._pairs)
        self.correlations = functools.cache(self._correlations)
        both_forms = [self.pairs(natural, True, True) for natural in (False, True)]
        self.words = sorted(set().union(*map(_words, both_forms)))

    def rows(self, model: str, choice: Choice, variant: str | None = None) -> list[dict]:
        """Rows for `report.results.write`: the measures that the choice can change in a model.

        variant: what the choice is called in results; None for the choice of the chapter, which has
        all measures. Raises as `isotropy.columns` and `benchmarks.similarity`.
        """
        effective = self.effective(model, choice)
        rows = []
        if variant is None or effective.of_isotropy != CHAPTER.of_isotropy:
            rows += self.isotropy(model, effective)
        if variant is None or effective.of_similarity != CHAPTER.of_similarity:
            rows += self.similarity(model, effective)
        return [{**row, "variant": variant} for row in rows]

    def effective(self, model: str, choice: Choice) -> Choice:
        """The choice without what cannot matter to this model or to these data sets."""
        matrix = self.matrices[model]
        if len(isotropy.selected(matrix, choice.rows)) == len(matrix.W):
            choice = replace(choice, rows=CHAPTER.rows)
        if benchmarks.components(matrix.dim) == benchmarks.RELEASED:
            choice = replace(choice, released_d=False)
        if not choice.leading_space and self._ignores_spaces(matrix):
            choice = replace(choice, leading_space=True)
        chapter = self.pairs(*CHAPTER.of_pairs)
        if all(chapter[name].equals(pairs) for name, pairs in self.pairs(*choice.of_pairs).items()):
            choice = replace(choice, natural_men=False, identical=True, twice=True)
        return choice

    def isotropy(self, model: str, choice: Choice) -> list[dict]:
        """Table 1 of one matrix; I under its plain name is that of the chosen sign."""
        table = self.geometry(model, choice.rows, choice.matched_scale)
        values = isotropy.columns(table, benchmarks.RELEASED if choice.released_d else None)
        signed = [measure for measure in values if f"{measure}_both" in values]
        values |= {measure: values[measure + SIGNS[choice.sign]] for measure in signed}
        values["embedding_norm_centred"] = table.norm_centred
        family = self.matrices[model].family
        keys = {"model": model, "family": family}
        return [{**keys, "measure": name, "value": value} for name, value in values.items()]

    def similarity(self, model: str, choice: Choice) -> list[dict]:
        """Tables 2 and 3 of one matrix; the chosen form of post-processing under its plain name."""
        rows = self.correlations(model, choice.leading_space, choice.correlation, *choice.of_pairs)
        return rows if choice.treatment == PROCESSED else _as_processed(rows, choice.treatment)

    def _geometry(self, model: str, rows: str, matched_scale: bool) -> Geometry:
        W = isotropy.selected(self.matrices[model], rows)
        if matched_scale:
            W = W / np.linalg.norm(W, axis=1).mean()
        return geometry.of_matrix(W)

    def _vectors(self, model: str, leading_space: bool) -> benchmarks.Vectors:
        return benchmarks.word_vectors(
            self.matrices[model], self.words, leading_space=leading_space
        )

    def _correlations(
        self, model: str, leading_space: bool, correlation: str, *of_pairs: bool
    ) -> list[dict]:
        """Rows of all treatments; to call another one post-processing computes none anew."""
        return benchmarks.similarity(
            self.matrices[model],
            self.vectors(model, leading_space),
            self.pairs(*of_pairs),
            correlation,
            self.draws,
            self.seed,
        )

    def _ignores_spaces(self, matrix: "Matrix") -> bool:
        """Whether a word has the same row with a blank before it and without."""
        return all(matrix.row_of(word, True) == matrix.row_of(word, False) for word in self.words)

    def _pairs(self, natural_men: bool, identical: bool, twice: bool) -> dict[str, pd.DataFrame]:
        """The pairs of each data set, {set: (n,)}; MEN is called "men" in both forms."""
        pairs = {}
        for name in self.sets:
            is_men = natural_men and name == "men"
            scored = word_pairs.load("men, natural" if is_men else name)
            pairs[name] = scored if identical else scored[scored["first"] != scored["second"]]
        first, second = PARTS_OF_WORDSIM
        if not twice and {first, second} <= set(pairs):
            is_repeated = _unordered(pairs[second]).isin(_unordered(pairs[first]))
            pairs[second] = pairs[second][~is_repeated]
        return pairs


def changed_gains(gains: pd.DataFrame) -> pd.DataFrame:
    """The gains whose word another choice changes: gain, loss, or undecided.

    gains: of `benchmarks.gains`, with a column choice, that of the chapter first. A word is that of
    the 95 % interval: above nought, below it, or about it. Returns choice, model, dataset,
    treatment and estimator, with the word here (chapter) and by the choice (changed).
    """
    keys = ["model", "dataset", "treatment", "estimator"]
    words = np.select([gains["low"] > 0, gains["high"] < 0], ["gain", "loss"], "undecided")
    gains = gains[["choice", *keys]].assign(changed=words)
    is_chapter = gains["choice"] == gains["choice"].iloc[0]
    chapter = gains[is_chapter].drop(columns="choice").rename(columns={"changed": "chapter"})
    both = gains[~is_chapter].merge(chapter, on=keys)
    changed = both[both["changed"] != both["chapter"]].reset_index(drop=True)
    return changed[["choice", *keys, "chapter", "changed"]]


def _words(pairs: Mapping[str, pd.DataFrame]) -> set[str]:
    """The words of all pairs."""
    return {word for scored in pairs.values() for word in (*scored["first"], *scored["second"])}


def _unordered(pairs: pd.DataFrame) -> pd.Series:
    """Each pair (n,) in one order, lower-cased, for a comparison."""
    return pairs[["first", "second"]].apply(lambda pair: tuple(sorted(pair.str.lower())), axis=1)


def _as_processed(rows: list[dict], ending: str) -> list[dict]:
    """Rows in which the treatment with this ending is called post-processing, and no other is."""
    renamed = []
    for row in rows:
        stem, mark, rest = row["measure"].partition(PROCESSED)
        if mark + rest in ("", ending):
            renamed.append({**row, "measure": stem + mark})
    return renamed
