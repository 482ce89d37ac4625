"""Thirds of pairs by frequency: against a loop and scipy, with cases of known answer."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from cwr import tables
from cwr.estimates import chosen_tables, distilled, frequency_thirds, similarity_tables
from cwr.estimates.chosen_tables import SEED
from cwr.estimates.distilled import MEAN, PAIRS, Source
from cwr.estimates.frequency_thirds import THIRDS

WORDS = [f"w{number:02}" for number in range(80)]
COUNTS = {word: 10 * (number + 1) for number, word in enumerate(WORDS)}
DRAWS = 20


def pairs(seed: int, n: int, words=WORDS) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    drawn = [rng.choice(words, 2, replace=False) for _ in range(n)]
    return pd.DataFrame(drawn, columns=["first", "second"]).assign(
        score=rng.normal(size=n)
    )


SETS = {"WS-353": pairs(1, 61), "MEN": pairs(2, 90), "RG-65": pairs(3, 59)}


def vectors(seed: int) -> dict[str, np.ndarray]:
    return dict(zip(WORDS, np.random.default_rng(seed).normal(size=(80, 4)), strict=True))


def teacher() -> Source:
    layers = {layer: vectors(layer) for layer in range(3)}
    return Source("teacher", "masked", layers, distilled.ASE, n_layers=24)


def static(name="CBOW") -> Source:
    return Source(name, "static", {0: vectors(9)}, {"static": SEED})


def cosine(a, b):
    return a @ b / np.sqrt((a @ a) * (b @ b))


def of(rows, third, **keys):
    (only,) = [
        r for r in rows if r["measure"].endswith(f"_{third}") and keys.items() <= r.items()
    ]
    return only


def test_the_mean_of_a_third_is_scipys_over_the_sets_that_are_large_enough():
    rows = frequency_thirds.rows([teacher(), static()], SETS, COUNTS, ["static"], DRAWS)
    table = vectors(9)
    for number, third in enumerate(THIRDS):
        rho, n = [], 0
        for name in ("WS-353", "MEN"):  # RG-65 lacks a pair
            frequency = [
                min(COUNTS[row.first], COUNTS[row.second])
                for row in SETS[name].itertuples()
            ]
            order = np.argsort(frequency, kind="stable")
            third_of_set = SETS[name].iloc[np.array_split(order, 3)[number]]
            cosines = [
                cosine(table[r.first], table[r.second]) for r in third_of_set.itertuples()
            ]
            rho.append(spearmanr(cosines, third_of_set["score"]).statistic)
            n += len(third_of_set)
        row = of(rows, third, model="CBOW")
        assert row["value"] == pytest.approx(np.mean(rho), abs=1e-12)
        assert row["measure"] == f"{MEAN}_{third}" and "dataset" not in row
        assert len(row["replicates"]) == DRAWS and np.std(row["replicates"]) > 0
        assert of(rows, third, measure=f"{PAIRS}_{third}")["value"] == n
    assert {row.get("model") for row in rows} == {None, "CBOW"}


def test_no_pair_of_a_third_is_rarer_than_one_of_the_third_before():
    thirds = frequency_thirds.cut(SETS["MEN"], COUNTS)
    rarer = [
        [min(COUNTS[row.first], COUNTS[row.second]) for row in third.itertuples()]
        for third in thirds
    ]
    assert [len(third) for third in thirds] == [30, 30, 30]
    assert max(rarer[0]) <= min(rarer[1]) and max(rarer[1]) <= min(rarer[2])
    together = pd.concat(thirds).sort_index()
    pd.testing.assert_frame_equal(together, SETS["MEN"])


def test_vectors_that_know_the_frequent_words_alone_agree_on_the_frequent_third_alone():
    table = vectors(4)
    known = pairs(5, 300)
    cosines = np.array(
        [cosine(table[r.first], table[r.second]) for r in known.itertuples()]
    )
    frequent = frequency_thirds.cut(known, COUNTS)[2].index
    known.loc[frequent, "score"] = cosines[frequent]  # elsewhere the score is noise
    source = Source("expert", "static", {0: table}, {"static": SEED})
    rows = frequency_thirds.rows([source], {"MEN": known}, COUNTS, ["static"], DRAWS)
    rare, middle, frequent = (of(rows, third, model="expert")["value"] for third in THIRDS)
    assert frequent == pytest.approx(1) and max(abs(rare), abs(middle)) < 0.3


def test_ase_has_one_layer_for_all_thirds_of_all_sets_and_it_is_chosen_anew_in_each_draw():
    sources = [teacher(), static()]
    names = ["ase_best_layer", "ase_layer_0"]
    rows = frequency_thirds.rows(sources, SETS, COUNTS, names, DRAWS)
    cells = {
        f"{name} {third}": part
        for name in ("WS-353", "MEN")
        for third, part in zip(
            THIRDS, frequency_thirds.cut(SETS[name], COUNTS), strict=True
        )
    }
    drawn = [chosen_tables.draw(name, part, DRAWS, 0) for name, part in cells.items()]
    rho = chosen_tables.Scored.of(teacher().tables, drawn).whole  # (cells, layers, D)
    best = rho.mean(axis=0).argmax(axis=0)
    assert len(set(best)) > 1
    for number, third in enumerate(THIRDS):
        ours = of(rows, third, estimator="ase_best_layer")
        expected = rho[[number, number + 3]].mean(axis=0)[best, np.arange(DRAWS + 1)]
        np.testing.assert_allclose(
            [ours["value"], *ours["replicates"]], expected, atol=1e-12
        )


def test_sets_that_are_all_too_small_give_no_rows():
    assert (
        frequency_thirds.rows([static()], {"RG-65": SETS["RG-65"]}, COUNTS, ["static"])
        == []
    )
    one_more = {"RG-65": pairs(3, 60)}
    assert frequency_thirds.rows([static()], one_more, COUNTS, ["static"], DRAWS)


def test_readers_see_pairs_and_intervals_by_third():
    rows = frequency_thirds.rows(
        [static(), teacher()], SETS, COUNTS, ["static", "ase_layer_0"], 9
    )
    bounds = [{**row, "low": -0.5, "high": 0.5} for row in rows]
    table = tables.tidy(
        [{k: v for k, v in row.items() if k != "replicates"} for row in bounds]
    )
    shown = similarity_tables.by_third(table)
    assert list(shown.columns) == list(THIRDS)
    assert list(shown.loc[("pairs", "")]) == ["51", "50", "50"]
    value = of(rows, "rare", model="teacher")["value"]
    assert shown.loc[("ASE, layer 0", "teacher"), "rare"] == f"{value:.3f} [-0.500, 0.500]"
