"""Isotropy and word similarity under other choices than the chapter's, each changed alone."""

import numpy as np
import pandas as pd
import pytest

from cwr.corpora import word_pairs
from cwr.encoders import matrices
from cwr.estimates import benchmarks, isotropy
from cwr.measures.isotropy import partition_isotropy
from cwr.texts.bis2021.matrix_choices import CHAPTER, Choice, Study, changed_gains

SETS = ["men", "simlex-999", "wordsim-353"]
DRAWS = 20


@pytest.fixture(scope="module")
def bert() -> matrices.Matrix:
    return matrices.read("cwr-bert")


@pytest.fixture(scope="module")
def study(bert: matrices.Matrix) -> Study:
    return Study([bert, matrices.read("cwr-gpt")], SETS, DRAWS, seed=0)


def values(rows: list[dict]) -> dict[tuple, float]:
    """The value of each row, by measure, data set and estimator."""
    keys = ("measure", "dataset", "estimator")
    return {tuple(row.get(key) for key in keys): row["value"] for row in rows}


def by_measure(rows: list[dict]) -> dict[str, float]:
    """The value of each row that is of no data set, by its measure."""
    return {row["measure"]: row["value"] for row in rows if "dataset" not in row}


def test_the_chapters_own_choice_gives_the_chapters_own_numbers(study: Study, bert) -> None:
    pairs = {name: word_pairs.load(name) for name in SETS}
    vectors = benchmarks.word_vectors(bert, study.words)
    expected = values(isotropy.table_1(bert))
    expected |= values(benchmarks.similarity(bert, vectors, pairs, draws=DRAWS))
    rows = values(study.rows("cwr-bert", CHAPTER))
    assert {key: rows[key] for key in expected} == expected


@pytest.mark.parametrize("sign, ending", [("against", "_negative"), ("both", "_both")])
def test_another_sign_stands_under_the_plain_name(study: Study, sign: str, ending: str) -> None:
    chapter = by_measure(study.rows("cwr-gpt", CHAPTER))
    other = by_measure(study.rows("cwr-gpt", Choice(sign=sign), "another sign"))
    for form in ("", "_centred", "_removed"):
        measure = f"partition_isotropy{form}"
        assert other[measure] == chapter[measure + ending]
    assert other["partition_isotropy"] != chapter["partition_isotropy"]


def test_matched_scale_changes_isotropy_and_nothing_that_has_no_unit(study: Study, bert) -> None:
    chapter = by_measure(study.rows("cwr-bert", CHAPTER))
    scaled = by_measure(study.rows("cwr-bert", Choice(matched_scale=True), "scale"))
    one = bert.W / np.mean([np.sqrt(row @ row) for row in bert.W])
    assert scaled["partition_isotropy"] == pytest.approx(partition_isotropy(one))
    assert scaled["embedding_norm"] == pytest.approx(1)
    for measure in ("embedding_mean_cosine", "isoscore", "mean_vector_norm_ratio"):
        assert scaled[measure] == pytest.approx(chapter[measure], rel=1e-5)


def test_only_the_rows_of_the_choice_are_looked_at(study: Study, bert) -> None:
    words = by_measure(study.rows("cwr-bert", Choice(rows="words"), "words"))
    W = bert.W[[kind == "word" for kind in bert.rows]]
    assert words["mean_vector_norm"] == pytest.approx(np.linalg.norm(W.mean(axis=0)), rel=1e-5)


@pytest.mark.parametrize(
    "choice, ending",
    [
        (Choice(released_d=True), "_processed_released"),
        (Choice(centred_projection=False), "_processed_uncentred"),
    ],
)
def test_another_post_processing_stands_under_the_plain_name(study, choice, ending) -> None:
    chapter, other = (
        values(study.rows("cwr-bert", CHAPTER)),
        values(study.similarity("cwr-bert", choice)),
    )
    for name in SETS:
        key = (f"similarity_pearson{ending}", name, "cosine")
        assert other["similarity_pearson_processed", name, "cosine"] == chapter[key]
        assert key not in other


def test_a_choice_repeats_only_what_it_can_change(study: Study) -> None:
    measures = {}
    for choice in (Choice(sign="both"), Choice(correlation="spearman")):
        rows = study.rows("cwr-bert", choice, "other")
        assert {row["variant"] for row in rows} == {"other"}
        measures[choice] = {row["measure"].partition("_")[0] for row in rows}
    of_isotropy, of_similarity = measures.values()
    assert "partition" in of_isotropy and "similarity" not in of_isotropy
    assert of_similarity == {"similarity"}


def test_what_cannot_matter_has_no_rows(study: Study) -> None:
    assert study.rows("cwr-bert", Choice(leading_space=False), "no blank") == []  # WordPiece
    assert study.rows("cwr-bert", Choice(twice=False), "once") == []  # one set of WordSim
    assert study.rows("cwr-bert", Choice(released_d=True), "D") == []  # 192 dimensions: D = 2


def test_a_byte_level_vocabulary_is_asked_without_the_blank() -> None:
    smollm2 = Study([matrices.read("smollm2")], ["wordsim-353"], DRAWS, 0)
    effective = smollm2.effective("smollm2", Choice(leading_space=False, released_d=True))
    assert not effective.leading_space and effective.released_d
    assert effective.of_similarity != CHAPTER.of_similarity


def test_a_correlation_of_ranks_differs_on_the_same_pairs(study: Study) -> None:
    chapter = values(study.rows("cwr-bert", CHAPTER))
    ranks = values(study.rows("cwr-bert", Choice(correlation="spearman"), "ranks"))
    for name in SETS:
        assert ranks["similarity_pairs", name, None] == chapter["similarity_pairs", name, None]
        key = ("similarity_pearson", name, "cosine")
        assert 0 < abs(ranks[key] - chapter[key]) < 10


def test_the_natural_men_stands_beside_the_lemmas_under_one_name(study: Study) -> None:
    natural = study.pairs(True, True, True)["men"]
    assert not natural.equals(study.pairs(False, True, True)["men"])
    assert {"dancers", "eyes"} & {*natural["first"], *natural["second"]}
    assert set(natural["first"]) <= set(study.words)


PAIRS = {
    "wordsim-similarity": [("tiger", "tiger", 10), ("Money", "bank", 8), ("sun", "moon", 5)],
    "wordsim-relatedness": [("bank", "money", 8), ("hot", "cold", 3), ("moon", "star", 4)],
}


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch, bert) -> Study:
    def load(name: str) -> pd.DataFrame:
        return pd.DataFrame(PAIRS[name], columns=["first", "second", "score"])

    monkeypatch.setattr(word_pairs, "load", load)
    return Study([bert], list(PAIRS), DRAWS, seed=0)


def test_a_pair_of_both_parts_counts_once_in_whatever_order(parts: Study) -> None:
    once = parts.pairs(False, True, False)
    assert list(once["wordsim-similarity"]["first"]) == ["tiger", "Money", "sun"]
    assert list(once["wordsim-relatedness"]["first"]) == ["hot", "moon"]


def test_a_word_with_itself_is_left_out(parts: Study) -> None:
    other = parts.pairs(False, False, True)
    assert list(other["wordsim-similarity"]["first"]) == ["Money", "sun"]
    assert other["wordsim-relatedness"].equals(
        parts.pairs(False, True, True)["wordsim-relatedness"]
    )


def test_a_choice_of_rows_that_is_none_is_refused(study: Study) -> None:
    with pytest.raises(ValueError, match="rows 'most' is none of all, used, words"):
        study.rows("cwr-bert", Choice(rows="most"), "most")


def test_a_gain_changes_its_word_where_its_interval_moves_over_nought() -> None:
    intervals = {
        ("chapter", "centred"): (1, 3),
        ("chapter", "scaled"): (-2, 2),
        ("chapter", "processed"): (-3, -1),
        ("other", "centred"): (-1, 3),
        ("other", "scaled"): (-1, 1),
        ("other", "processed"): (1, 2),
    }
    lines = []
    for (choice, treatment), (low, high) in intervals.items():
        keys = {"model": "m", "dataset": "men", "estimator": "cosine"}
        lines.append({"choice": choice, "treatment": treatment, **keys, "low": low, "high": high})
    changed = changed_gains(pd.DataFrame(lines))
    words = changed[["choice", "treatment", "chapter", "changed"]].to_numpy().tolist()
    assert words == [
        ["other", "centred", "gain", "undecided"],
        ["other", "processed", "loss", "gain"],
    ]
