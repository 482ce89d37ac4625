"""Recomputes Tables 1 to 3 of Biś et al. (2021) under other choices than the chapter's.

The text leaves these choices open, or its code makes them. One choice is changed at a time. A stage
runs again only if it depends on the changed choice.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from cwr.corpora import word_pairs
from cwr.estimates import benchmarks, isotropy
from cwr.estimates.choices import Pipeline, load_choices
from cwr.estimates.distilled import words_of
from cwr.measures import geometry
from cwr.measures.geometry import Geometry

if TYPE_CHECKING:
    from cwr.encoders.matrices import Matrix

CHOICES = load_choices(Path(__file__).with_suffix(".csv"))
SIGNS = {"towards": "", "against": "_negative", "both": "_both"}  # endings of measures
PROCESSED = "_processed"
PARTS_OF_WORDSIM = ("wordsim-similarity", "wordsim-relatedness")  # they share 103 pairs


def pipeline(matrix: "Matrix", sets: Sequence[str], draws: int, seed: int) -> Pipeline:
    """Joins what makes Tables 1 to 3 of a matrix; its parameters are those of the chapter.

    sets: names of `word_pairs.load`. draws, seed: of the bootstrap over pairs. A choice may change

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

    Raises UserError for a name that is no data set; its stages as `isotropy.selected`,
    `isotropy.columns` and `benchmarks.similarity`.
    """
    both_forms = [pairs(sets, natural, True, True) for natural in (False, True)]
    words = sorted(set().union(*map(words_of, both_forms)))
    return Pipeline(
        table_1,
        geometry_of_rows,
        tables_2_and_3,
        benchmarks.similarity,
        vectors,
        pairs,
        fixed=_without_effect(matrix, both_forms[0], words),
        matrix=matrix,
        sets=sets,
        words=words,
        draws=draws,
        seed=seed,
        sign="towards",
        rows="all",
        matched_scale=False,
        released_d=False,
        centred_projection=True,
        leading_space=True,
        natural_men=False,
        correlation="pearson",
        identical=True,
        twice=True,
    )


# ---- stages


def table_1(
    matrix: "Matrix", geometry_of_rows: Geometry, sign: str, released_d: bool
) -> list[dict]:
    """Makes the rows of Table 1; I under its plain name is that of the chosen sign."""
    values = isotropy.columns(geometry_of_rows, benchmarks.RELEASED if released_d else None)
    signed = [measure for measure in values if f"{measure}_both" in values]
    values |= {measure: values[measure + SIGNS[sign]] for measure in signed}
    values["embedding_norm_centred"] = geometry_of_rows.norm_centred
    keys = {"model": matrix.name, "family": matrix.family}
    return [{**keys, "measure": name, "value": value} for name, value in values.items()]


def geometry_of_rows(matrix: "Matrix", rows: str, matched_scale: bool) -> Geometry:
    """Measures the chosen rows of a matrix, in their own unit or over their mean length."""
    W = isotropy.selected(matrix, rows)
    if matched_scale:
        W = W / np.linalg.norm(W, axis=1).mean()
    return geometry.of_matrix(W)


def tables_2_and_3(
    similarity: list[dict], released_d: bool, centred_projection: bool
) -> list[dict]:
    """Makes the rows of word similarity; another form of post-processing takes the plain name.

    All forms are computed at once, so to call another one post-processing computes none anew.
    """
    if centred_projection and not released_d:
        return similarity
    chosen = PROCESSED + ("_released" if released_d else "_uncentred")
    rows = []
    for row in similarity:
        stem, mark, rest = row["measure"].partition(PROCESSED)
        if mark + rest in ("", chosen):
            rows.append({**row, "measure": stem + mark})
    return rows


def vectors(matrix: "Matrix", words: list[str], leading_space: bool) -> benchmarks.Vectors:
    """Looks words up in a matrix, under each treatment."""
    return benchmarks.word_vectors(matrix, words, leading_space=leading_space)


def pairs(
    sets: Sequence[str], natural_men: bool, identical: bool, twice: bool
) -> dict[str, pd.DataFrame]:
    """Reads the pairs of each data set, {set: (n,)}; MEN is called "men" in both forms."""
    scored = {}
    for name in sets:
        is_men = natural_men and name == "men"
        of_set = word_pairs.load("men, natural" if is_men else name)
        scored[name] = of_set if identical else of_set[of_set["first"] != of_set["second"]]
    first, second = PARTS_OF_WORDSIM
    if not twice and {first, second} <= set(scored):
        is_repeated = _unordered(scored[second]).isin(_unordered(scored[first]))
        scored[second] = scored[second][~is_repeated]
    return scored


def _without_effect(
    matrix: "Matrix", scored: Mapping[str, pd.DataFrame], words: Sequence[str]
) -> set[str]:
    """Lists the parameters that cannot matter to a matrix or to the chapter's pairs, {set: (n,)}."""
    alike = [(of_set["first"] == of_set["second"]).any() for of_set in scored.values()]
    spaced = [(matrix.row_of(word, True), matrix.row_of(word, False)) for word in words]
    without = {
        "rows": matrix.is_row("word").all(),
        "released_d": benchmarks.components(matrix.dim) == benchmarks.RELEASED,
        "leading_space": all(within == alone for within, alone in spaced),
        "natural_men": "men" not in scored,
        "identical": not any(alike),
        "twice": not set(PARTS_OF_WORDSIM) <= scored.keys(),
    }
    return {name for name, cannot_matter in without.items() if cannot_matter}


def _unordered(pairs: pd.DataFrame) -> pd.Series:
    """Brings each pair (n,) in one order, lower-cased, for a comparison."""
    return pairs[["first", "second"]].apply(lambda pair: tuple(sorted(pair.str.lower())), axis=1)


# ---- gains under choices


def changed_gains(gains: pd.DataFrame) -> pd.DataFrame:
    """Selects the gains whose verdict (gain, loss, or undecided) differs under another choice.

    gains: of `benchmarks.gains`, with a column choice, the chapter's choice first. The verdict
    comes from the 95 % interval: above 0, below 0, or across 0. Returns choice, model, dataset,
    treatment and estimator, with the chapter's verdict (chapter) and the choice's (changed).
    """
    keys = ["model", "dataset", "treatment", "estimator"]
    words = np.select([gains["low"] > 0, gains["high"] < 0], ["gain", "loss"], "undecided")
    gains = gains[["choice", *keys]].assign(changed=words)
    is_chapter = gains["choice"] == gains["choice"].iloc[0]
    chapter = gains[is_chapter].drop(columns="choice").rename(columns={"changed": "chapter"})
    both = gains[~is_chapter].merge(chapter, on=keys)
    changed = both[both["changed"] != both["chapter"]].reset_index(drop=True)
    return changed[["choice", *keys, "chapter", "changed"]]
