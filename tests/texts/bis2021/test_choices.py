"""Isotropy and word similarity under other choices than the chapter's, each changed alone."""

import numpy as np
import pandas as pd
import pytest

from cwr.corpora import word_pairs
from cwr.encoders import matrices
from cwr.estimates import benchmarks, isotropy
from cwr.estimates.choices import Pipeline, run_choices
from cwr.measures.isotropy import partition_isotropy
from cwr.texts.bis2021.choices import CHOICES, changed_gains, pipeline

SETS = ["men", "simlex-999", "wordsim-353"]
DRAWS = 20


@pytest.fixture(scope="module")
def bert() -> matrices.Matrix:
    return matrices.read("cwr-bert")


@pytest.fixture(scope="module")
def of_bert(bert: matrices.Matrix) -> Pipeline:
    return pipeline(bert, SETS, DRAWS, seed=0)


def rows_under(pipeline: Pipeline, choices: dict[str, dict]) -> list[dict]:
    """The rows of the chapter and of choices, as the notebook makes them."""
    stages = ("table_1", "tables_2_and_3")
    return [row for stage in stages for row in run_choices(pipeline, stage, choices)]


def variants(rows: list[dict]) -> list[str]:
    """Each choice that has rows, beside the chapter's."""
    return list(dict.fromkeys(row["variant"] for row in rows if row["variant"]))


def values(rows: list[dict]) -> dict[tuple, float]:
    """The value of each row, by measure, data set and estimator."""
    keys = ("measure", "dataset", "estimator")
    return {tuple(row.get(key) for key in keys): row["value"] for row in rows}


def by_measure(rows: list[dict]) -> dict[str, float]:
    """The value of each row that is of no data set, by its measure."""
    return {row["measure"]: row["value"] for row in rows if "dataset" not in row}


def test_the_chapters_own_choice_gives_the_chapters_own_numbers(
    of_bert: Pipeline, bert
) -> None:
    scored = {name: word_pairs.load(name) for name in SETS}
    words = {*of_bert.chapter["words"]}
    vectors = benchmarks.word_vectors(bert, sorted(words))
    expected = values(isotropy.table_1(bert))
    expected |= values(benchmarks.similarity(bert, vectors, scored, draws=DRAWS))
    rows = rows_under(of_bert, {})
    assert {row["variant"] for row in rows} == {None}
    numbers = values(rows)
    assert {key: numbers[key] for key in expected} == expected


@pytest.mark.parametrize("sign, ending", [("against", "_negative"), ("both", "_both")])
def test_another_sign_stands_under_the_plain_name(sign: str, ending: str) -> None:
    of_gpt = pipeline(matrices.read("cwr-gpt"), SETS, DRAWS, seed=0)
    chapter = by_measure(of_gpt("table_1"))
    other = by_measure(of_gpt("table_1", sign=sign))
    for form in ("", "_centred", "_removed"):
        measure = f"partition_isotropy{form}"
        assert other[measure] == chapter[measure + ending]
    assert other["partition_isotropy"] != chapter["partition_isotropy"]


def test_matched_scale_changes_isotropy_and_nothing_that_has_no_unit(
    of_bert, bert
) -> None:
    chapter = by_measure(of_bert("table_1"))
    scaled = by_measure(of_bert("table_1", matched_scale=True))
    one = bert.W / np.mean([np.sqrt(row @ row) for row in bert.W])
    assert scaled["partition_isotropy"] == pytest.approx(partition_isotropy(one))
    assert scaled["embedding_norm"] == pytest.approx(1)
    for measure in ("embedding_mean_cosine", "isoscore", "mean_vector_norm_ratio"):
        assert scaled[measure] == pytest.approx(chapter[measure], rel=1e-5)


def test_only_the_rows_of_the_choice_are_looked_at(of_bert: Pipeline, bert) -> None:
    words = by_measure(of_bert("table_1", rows="words"))
    W = bert.W[[kind == "word" for kind in bert.rows]]
    assert words["mean_vector_norm"] == pytest.approx(
        np.linalg.norm(W.mean(axis=0)), rel=1e-5
    )


@pytest.mark.parametrize(
    "name, ending",
    [
        ("D: 2, as the released benchmark", "_processed_released"),
        ("projection: Mu and Viswanath", "_processed_uncentred"),
    ],
)
def test_another_post_processing_stands_under_the_plain_name(
    name: str, ending: str
) -> None:
    of_minilm = pipeline(matrices.read("minilm"), SETS, DRAWS, seed=0)
    chapter = values(of_minilm("tables_2_and_3"))
    other = values(of_minilm("tables_2_and_3", **CHOICES[name]))
    for dataset in SETS:
        key = (f"similarity_pearson{ending}", dataset, "cosine")
        assert other["similarity_pearson_processed", dataset, "cosine"] == chapter[key]
        assert key not in other


def test_a_choice_repeats_only_what_it_can_change(of_bert: Pipeline) -> None:
    rows = rows_under(of_bert, CHOICES)
    of_isotropy = {"sign", "rows", "scale"}
    for name in variants(rows):
        measures = {
            row["measure"].partition("_")[0] for row in rows if row["variant"] == name
        }
        if name.partition(":")[0] in of_isotropy:
            assert "partition" in measures and "similarity" not in measures
        else:
            assert measures == {"similarity"}


def test_what_cannot_matter_has_no_rows(of_bert: Pipeline) -> None:
    without = {
        "words without the blank before",  # WordPiece
        "D: 2, as the released benchmark",  # 192 dimensions: D = 2
        "pairs in both parts of WordSim: once",  # one set of WordSim
    }
    assert without < set(CHOICES)
    assert {*variants(rows_under(of_bert, CHOICES))} == set(CHOICES) - without
    two_at_once = {"two": {"leading_space": False, "sign": "both"}}
    assert all(
        "similarity" not in row["measure"]
        for row in rows_under(of_bert, two_at_once)
        if row["variant"]
    )


def test_a_byte_level_vocabulary_is_asked_without_the_blank() -> None:
    smollm2 = pipeline(matrices.read("smollm2"), ["wordsim-353"], DRAWS, 0)
    assert smollm2.fixed == {"natural_men", "twice"}
    within, alone = smollm2("vectors")[""], smollm2("vectors", leading_space=False)[""]
    assert within.keys() != alone.keys()
    assert not any(
        np.array_equal(within[word], alone[word]) for word in within.keys() & alone
    )


def test_a_data_set_without_men_or_repeated_words_fixes_what_is_about_them(bert) -> None:
    of_simlex = pipeline(bert, ["simlex-999"], DRAWS, seed=0)
    assert {"natural_men", "identical", "twice"} < of_simlex.fixed


def test_a_correlation_of_ranks_differs_on_the_same_pairs(of_bert: Pipeline) -> None:
    chapter = values(of_bert("tables_2_and_3"))
    ranks = values(of_bert("tables_2_and_3", correlation="spearman"))
    for name in SETS:
        assert (
            ranks["similarity_pairs", name, None]
            == chapter["similarity_pairs", name, None]
        )
        key = ("similarity_pearson", name, "cosine")
        assert 0 < abs(ranks[key] - chapter[key]) < 10


def test_the_natural_men_stands_beside_the_lemmas_under_one_name(
    of_bert: Pipeline,
) -> None:
    natural = of_bert("pairs", natural_men=True)["men"]
    assert not natural.equals(of_bert("pairs")["men"])
    assert {"dancers", "eyes"} & {*natural["first"], *natural["second"]}
    assert set(natural["first"]) <= set(of_bert.chapter["words"])


PAIRS = {
    "wordsim-similarity": [
        ("tiger", "tiger", 10),
        ("Money", "bank", 8),
        ("sun", "moon", 5),
    ],
    "wordsim-relatedness": [("bank", "money", 8), ("hot", "cold", 3), ("moon", "star", 4)],
}


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch, bert) -> Pipeline:
    def load(name: str) -> pd.DataFrame:
        return pd.DataFrame(PAIRS[name], columns=["first", "second", "score"])

    monkeypatch.setattr(word_pairs, "load", load)
    return pipeline(bert, list(PAIRS), DRAWS, seed=0)


def test_a_pair_of_both_parts_counts_once_in_whatever_order(parts: Pipeline) -> None:
    once = parts(
        "pairs", **parts.effective(CHOICES["pairs in both parts of WordSim: once"])
    )
    assert list(once["wordsim-similarity"]["first"]) == ["tiger", "Money", "sun"]
    assert list(once["wordsim-relatedness"]["first"]) == ["hot", "moon"]


def test_a_word_with_itself_is_left_out(parts: Pipeline) -> None:
    other = parts("pairs", identical=False)
    assert list(other["wordsim-similarity"]["first"]) == ["Money", "sun"]
    assert other["wordsim-relatedness"].equals(parts("pairs")["wordsim-relatedness"])


def test_a_choice_of_what_is_none_is_refused(of_bert: Pipeline) -> None:
    with pytest.raises(ValueError, match="rows 'most' is none of all, used, words"):
        rows_under(of_bert, {"most": {"rows": "most"}})
    with pytest.raises(ValueError, match="row is no parameter"):
        rows_under(of_bert, {"most": {"row": "words"}})


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
        lines.append(
            {"choice": choice, "treatment": treatment, **keys, "low": low, "high": high}
        )
    changed = changed_gains(pd.DataFrame(lines))
    words = changed[["choice", "treatment", "chapter", "changed"]].to_numpy().tolist()
    assert words == [
        ["other", "centred", "gain", "undecided"],
        ["other", "processed", "loss", "gain"],
    ]
