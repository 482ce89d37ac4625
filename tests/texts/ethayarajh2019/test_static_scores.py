"""Rows of Table 1: what a score is of, what stands beside it, and which order is decided."""

import numpy as np
import pandas as pd
import pytest

from cwr.corpora.word_benchmarks import Benchmark
from cwr.tables import tidy
from cwr.texts.ethayarajh2019 import static_scores, static_vectors
from cwr.texts.ethayarajh2019.static_scores import SCORE

RNG = np.random.default_rng(0)
WORDS = [f"w{number}" for number in range(12)]
VECTORS = {word: RNG.normal(size=6) for word in WORDS[:8]}


def pairs_of(words: list[str]) -> pd.DataFrame:
    pairs = [(a, b) for a in words for b in words if a < b]
    first, second = zip(*pairs, strict=True)
    score = RNG.normal(size=len(pairs))
    return pd.DataFrame({"first": first, "second": second, "score": score})


PAIRS = Benchmark("WS353", "word similarity", pairs_of(WORDS))
QUESTIONS = Benchmark(
    "Google",
    "analogy",
    pd.DataFrame(
        [
            ("capital-world", "w0", "w1", "w2", "w3"),
            ("gram1-adverb", "w4", "w5", "w6", "w7"),
            ("gram1-adverb", "w6", "w7", "w4", "w5"),
            ("gram1-adverb", "w6", "w7", "w4", "w11"),
        ],
        columns=["class", "first", "second", "third", "answer"],
    ),
)


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    return a @ b / np.linalg.norm(a) / np.linalg.norm(b)


def spearman(rows: list[tuple[float, float]]) -> float:
    return float(pd.DataFrame(rows).corr("spearman").iloc[0, 1])


def row_of(rows: list[dict], **keys) -> dict:
    (row,) = [row for row in rows if all(row.get(key) == keys[key] for key in keys)]
    return row


def test_a_score_is_of_the_pairs_with_both_vectors_and_the_fallback_of_all():
    covered, everything = [], []
    mean = np.mean(list(VECTORS.values()), axis=0)
    for pair in PAIRS.items.itertuples():
        if pair.first in VECTORS and pair.second in VECTORS:
            covered.append((cosine(VECTORS[pair.first], VECTORS[pair.second]), pair.score))
        first, second = VECTORS.get(pair.first, mean), VECTORS.get(pair.second, mean)
        everything.append((cosine(first, second), pair.score))
    (score,) = static_scores.score_rows(VECTORS, [PAIRS], draws=20, model="m", layer=2)
    (fallback,) = static_scores.fallback_rows(VECTORS, [PAIRS], model="m", layer=2)
    assert score["measure"] == SCORE and score["value"] == pytest.approx(spearman(covered))
    assert fallback["measure"] == f"{SCORE}_fallback"
    # both-missing pairs tie at cosine 1 but for the last bit
    assert fallback["value"] == pytest.approx(spearman(np.round(everything, 9)), abs=1e-9)
    assert len(covered) < len(everything)


def test_layer_0_has_a_measure_of_its_own():
    rows = static_scores.score_rows(VECTORS, [PAIRS], "_mean", draws=9, model="m", layer=0)
    rows += static_scores.fallback_rows(VECTORS, [PAIRS], model="m", layer=0)
    rows += static_scores.kind_rows(VECTORS, [QUESTIONS], draws=9, model="m", layer=0)
    assert [row["measure"].removeprefix(SCORE) for row in rows] == [
        "_mean_input",
        "_fallback_input",
        "_kind_input",
        "_kind_input",
    ]
    assert set(static_scores.with_input(tidy(rows))["measure"]) == {
        f"{SCORE}_mean",
        f"{SCORE}_fallback",
        f"{SCORE}_kind",
    }


def test_facts_and_forms_are_scored_apart_on_their_covered_questions():
    vectors = {word: vector for word, vector in VECTORS.items()}
    vectors["w5"] = vectors["w7"] - vectors["w6"] + vectors["w4"]
    rows = static_scores.kind_rows(
        vectors, [PAIRS, QUESTIONS], draws=9, model="m", layer=1
    )
    assert [row["class"] for row in rows] == ["semantic", "syntactic"]
    assert row_of(rows, **{"class": "syntactic"})["value"] in (0.5, 1.0)
    assert static_scores.is_syntactic("JJ_JJR") and static_scores.is_syntactic(
        "gram9-plural"
    )
    assert not static_scores.is_syntactic("currency")


def test_coverage_counts_items_all_of_whose_words_are_there():
    words = {"w0", "w1", "w2"}
    (of_pairs, of_questions) = static_scores.coverage_rows(words, [PAIRS, QUESTIONS])
    assert of_pairs["value"] == pytest.approx(3 / 66)
    assert of_questions["value"] == 0
    assert "model" not in of_pairs
    assert static_scores.covered_items(
        tidy([of_pairs, of_questions]), [PAIRS, QUESTIONS]
    ) == {
        "WS353": 3,
        "Google": 0,
    }


def test_random_vectors_score_nought_on_covered_pairs():
    rows = static_scores.null_rows(WORDS[:8], [PAIRS, QUESTIONS], draws=60)
    assert abs(row_of(rows, dataset="WS353", measure=f"{SCORE}_null")["value"]) < 0.1
    assert row_of(rows, dataset="Google", measure=f"{SCORE}_null_fallback")["value"] < 0.5
    assert all("replicates" not in row and "family" not in row for row in rows)


# ---- which order is decided


def rows_of_two(seeds: tuple[int, int], ahead: float) -> list[dict]:
    """Two layers whose scores follow people by so much, on the same pairs."""
    rows = []
    for layer, seed in enumerate(seeds, start=1):
        noise = np.random.default_rng(seed)
        vectors = {
            word: vector + ahead * noise.normal(size=6) for word, vector in VECTORS.items()
        }
        rows += static_scores.score_rows(
            vectors, [PAIRS], draws=200, model="m", layer=layer
        )
    return rows


def test_the_items_needed_are_those_at_which_the_interval_ends_at_nought():
    draws = np.linspace(-0.1, 0.3, 1001)
    rows = [
        {"measure": SCORE, "model": "m", "layer": 1, "dataset": "D", "value": 0.1}
        | {"replicates": draws},
        {
            "measure": f"{SCORE}_mean",
            "model": "m",
            "layer": 1,
            "dataset": "D",
            "value": 0.0,
        }
        | {"replicates": np.zeros(1001)},
    ]
    pairs = [(("m", 1), ("m", 1))]
    (row,) = static_scores.differences(rows, pairs, {"D": 100}, "_mean").to_dict("records")
    assert row["ahead"] == row["behind"] == "m 1"
    half = 0.1 - row["low"]
    assert not row["is_decided"] and row["needed"] == np.ceil(100 * (half / 0.1) ** 2)
    assert half / np.sqrt(row["needed"] / 100) == pytest.approx(0.1, rel=0.01)


def test_two_equal_tables_need_more_items_than_there_can_be():
    rows = rows_of_two((1, 1), 0.5)
    difference = static_scores.differences(rows, [(("m", 1), ("m", 2))], {"WS353": 28})
    assert np.isinf(difference["needed"]).all() and not difference["is_decided"].any()


def test_no_pair_of_tables_has_no_difference_but_all_columns():
    none = static_scores.differences([], [], {})
    one = static_scores.differences(
        rows_of_two((1, 1), 0.5), [(("m", 1), ("m", 2))], {"WS353": 28}
    )
    assert none.empty and list(none) == list(one)
    assert list(none.dtypes)[3:] == list(one.dtypes)[3:]  # of all numbers
    assert none[none["is_decided"]].empty
    assert static_scores.with_interval(none.assign(value=none["difference"])).empty


# ---- beside the printed table


def published() -> pd.DataFrame:
    """A printed score for each row: its layer, in hundredths."""
    printed = {
        "ELMo": ("bilstm", (1, 2)),
        "BERT": ("masked", (1, 2, 11, 12)),
        "GloVe": ("static", (None,)),
    }
    rows = []
    for model, (family, layers) in printed.items():
        for layer in layers:
            keys = {"model": model, "family": family, "layer": layer, "dataset": "WS353"}
            rows.append({**keys, "measure": SCORE, "value": (layer or 99) / 100})
    return tidy(rows)


def ours(layers: dict[tuple[str, str], int]) -> pd.DataFrame:
    rows = static_scores.coverage_rows(VECTORS, [PAIRS])
    rows += static_scores.null_rows(list(VECTORS), [PAIRS], 3)
    for (model, family), last in layers.items():
        for layer in range(last + 1):
            key = {"model": model, "family": family, "layer": layer}
            rows += static_scores.score_rows(VECTORS, [PAIRS], draws=9, **key)
            rows += static_scores.fallback_rows(VECTORS, [PAIRS], **key)
    return tidy(rows).assign(low=0.0, high=1.0)


@pytest.mark.parametrize(
    ("last", "printed"),
    [
        (2, {1: 0.01, 2: 0.02}),
        (4, {1: 0.01, 2: 0.02, 3: 0.11, 4: 0.12}),
        (6, {1: 0.01, 2: 0.02, 5: 0.11, 6: 0.12}),
        (12, {1: 0.01, 2: 0.02, 11: 0.11, 12: 0.12}),
    ],
)
def test_a_printed_row_stands_beside_the_layer_of_its_place(last, printed):
    table = static_scores.beside(
        ours({("cwr-bert", "masked"): last}), published(), "WS353"
    )
    of_ours = table[table["model"] == "cwr-bert"]
    beside = of_ours.dropna(subset="printed").set_index("layer")["printed"]
    assert beside.to_dict() == printed
    assert of_ours["layer"].tolist() == list(range(last + 1))
    alone = table[table["covered"].isna()]
    assert {"ELMo", "GloVe"} <= set(alone["model"])
    assert ("BERT" in set(alone["model"])) == (last == 2)


def test_static_vectors_stand_beside_no_layer():
    rows = ours({("cwr-static", "static"): 0})
    rows.loc[rows["model"].notna(), "layer"] = pd.NA
    rows["measure"] = rows["measure"].str.removesuffix("_input")
    table = static_scores.beside(rows, published(), "WS353")
    (row,) = table[table["model"] == "cwr-static"].to_dict("records")
    assert pd.isna(row["printed"]) and row["95 % interval"] == "0.00 to 1.00"


# ---- layers


def test_layers_shifted_by_one_give_another_score(extraction):
    run = extraction({word: 5 for word in WORDS})
    scores = []
    for layer in range(3):
        vectors = {}
        for word in WORDS:
            rows = run.vectors(layer)[(run.table["group"] == word).to_numpy()]
            left, _, right = np.linalg.svd(rows)
            vectors[word] = right[0] * np.sign(left[np.abs(left[:, 0]).argmax(), 0])
        expected = [
            (vectors[pair.first] @ vectors[pair.second], pair.score)
            for pair in PAIRS.items.itertuples()
        ]
        distilled = static_vectors.distil(run, layer)
        (row,) = static_scores.score_rows(
            distilled, [PAIRS], draws=9, model="m", layer=layer
        )
        assert row["value"] == pytest.approx(spearman(expected)), layer
        scores.append(row["value"])
    assert len(set(np.round(scores, 6))) == 3


def test_a_title_takes_the_benchmark_that_most_models_decide_and_names_exceptions():
    def title(*cases: tuple[str, str, float, bool]) -> str:
        columns = ["ahead", "dataset", "difference", "is_decided"]
        return static_scores.title(pd.DataFrame(cases, columns=columns))

    two = ("a 1", "Google", 0.1, True), ("b 1", "Google", 0.1, True)
    up, down, open_one = (
        ("b 1", "MEN", 0.1, True),
        ("a 1", "MEN", -0.1, True),
        ("a 1", "X", -1, False),
    )
    google = "On Google vectors of layer 1 score higher than those of the last in a and b"
    assert title(*two, up, open_one) == google
    assert title(up, down, *two) == f"{google}, not always on MEN"
    assert title(down).startswith("On MEN vectors of layer 1 score lower") and title(
        down
    ).endswith("in a")
    assert title(up, down).endswith("on MEN differs by model")
    assert title(open_one).startswith("No benchmark")
