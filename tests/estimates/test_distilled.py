"""Rows of Table 3 against naive loops and scipy, choices within draws, coverage, refusals."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from cwr.errors import UserError
from cwr.estimates import chosen_tables, distilled
from cwr.estimates.chosen_tables import (
    BEST_ON_AVERAGE,
    BEST_ON_HALF,
    BEST_ON_OTHERS,
    BEST_PER_SET,
    SEED,
)
from cwr.estimates.distilled import ALL_SETS, LAYER, MEAN, PAIRS, SKIP, SPEARMAN, Source
from cwr.measures import stats
from cwr.texts.gupta2021.claims import readings

WORDS = [f"w{number}" for number in range(40)]
DRAWS = 30


def pairs(seed: int, n: int = 30) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    first, second = np.array([rng.choice(40, 2, replace=False) for _ in range(n)]).T
    return pd.DataFrame(
        {
            "first": [WORDS[row] for row in first],
            "second": [WORDS[row] for row in second],
            "score": rng.integers(12, size=n).astype(float),  # with ties
        }
    )


SETS = {"WS-353": pairs(1), "SL-999": pairs(2, 35), "MEN": pairs(3, 40)}


def vectors(seed: int, words=WORDS) -> dict[str, np.ndarray]:
    return dict(
        zip(words, np.random.default_rng(seed).normal(size=(len(words), 4)), strict=True)
    )


def layered(rows=None, **keys) -> Source:
    tables = {layer: vectors(10 + layer) for layer in range(3)}
    return Source("teacher", "masked", tables, rows or distilled.ASE, **keys)


def row(rows: list[dict], measure: str, **keys) -> dict:
    wanted = {"measure": measure, **keys}
    (only,) = [row for row in rows if wanted.items() <= row.items()]
    return only


def values(rows: list[dict], measure: str, **keys) -> np.ndarray:
    """The estimate and its replicates, (D,)."""
    only = row(rows, measure, **keys)
    return np.append(only["value"], only["replicates"])


def by_scipy(table: dict, scored: pd.DataFrame, seed: int = 0) -> np.ndarray:
    """Spearman's correlation of the pairs as they are, and of each resampled set, (D,)."""
    cosines = []
    for first, second in zip(scored["first"], scored["second"], strict=True):
        a, b = table[first], table[second]
        cosines.append(a @ b / np.sqrt((a @ a) * (b @ b)))
    cosines, scores = np.array(cosines), scored["score"].to_numpy()
    labels = (scored["first"] + " " + scored["second"]).to_numpy()
    picks = [np.arange(len(labels)), *stats.resample(labels, DRAWS, seed)]
    return np.array([spearmanr(cosines[pick], scores[pick]).statistic for pick in picks])


def test_rows_are_scipys_correlations_and_every_choice_is_made_anew_in_each_draw():
    source = layered()
    rows = distilled.score_rows([source], SETS, DRAWS)
    rho = {
        name: np.stack([by_scipy(table, SETS[name]) for table in source.tables.values()])
        for name in SETS
    }  # each (3, D)
    best = [
        int(np.argmax(rho["WS-353"][:, d] + rho["SL-999"][:, d])) for d in range(DRAWS + 1)
    ]
    assert len(set(best)) > 1  # or nothing would be chosen anew
    for name, of_set in rho.items():
        cell = {"dataset": name, "model": "teacher"}
        first = values(rows, SPEARMAN, estimator="ase_layer_0", **cell)
        np.testing.assert_allclose(first, of_set[0], atol=1e-12)
        oracle = values(rows, SPEARMAN, estimator="ase_best_per_task", **cell)
        np.testing.assert_allclose(oracle, of_set.max(axis=0), atol=1e-12)
        single = values(rows, SPEARMAN, estimator="ase_best_layer", **cell)
        expected = [of_set[layer, d] for d, layer in enumerate(best)]
        np.testing.assert_allclose(single, expected, atol=1e-12)
        layers = values(rows, LAYER, estimator="ase_best_layer", **cell)
        assert layers.tolist() == best
        assert row(rows, PAIRS, dataset=name)["value"] == len(SETS[name])


def test_searched_settings_are_those_best_on_men_in_each_draw_whatever_they_score_elsewhere():
    source = layered({"static": BEST_ON_OTHERS})
    rows = distilled.score_rows([source], SETS, DRAWS)
    rho = {
        name: np.stack([by_scipy(table, SETS[name]) for table in source.tables.values()])
        for name in SETS
    }  # each (3, D)
    best = [int(np.argmax(rho["MEN"][:, d])) for d in range(DRAWS + 1)]
    on_scored = [
        int(np.argmax(rho["WS-353"][:, d] + rho["SL-999"][:, d])) for d in range(DRAWS + 1)
    ]
    assert len(set(best)) > 1 and best != on_scored
    cells = {}
    for name, of_set in rho.items():
        cells[name] = np.array([of_set[number, d] for d, number in enumerate(best)])
        np.testing.assert_allclose(
            values(rows, SPEARMAN, dataset=name), cells[name], atol=1e-12
        )
        assert values(rows, LAYER, dataset=name).tolist() == best
    printed = np.mean([cells["WS-353"], cells["SL-999"]], axis=0)
    np.testing.assert_allclose(values(rows, MEAN), printed, atol=1e-12)
    every = np.mean(list(cells.values()), axis=0)
    np.testing.assert_allclose(values(rows, MEAN + ALL_SETS), every, atol=1e-12)


def test_without_a_set_to_choose_on_settings_are_chosen_on_all_as_in_the_paper():
    sets = {name: SETS[name] for name in ("WS-353", "SL-999")}
    chosen = distilled.score_rows([layered({"static": BEST_ON_OTHERS})], sets, DRAWS)
    on_average = distilled.score_rows([layered({"static": BEST_ON_AVERAGE})], sets, DRAWS)
    np.testing.assert_array_equal(values(chosen, MEAN), values(on_average, MEAN))
    thirds = {f"{name} rare": of_set for name, of_set in SETS.items()}
    rows = distilled.score_rows([layered({"static": BEST_ON_OTHERS})], thirds, DRAWS)
    of_men = distilled.score_rows([layered({"static": BEST_ON_OTHERS})], SETS, DRAWS)
    np.testing.assert_array_equal(
        values(rows, LAYER, dataset="MEN rare"), values(of_men, LAYER, dataset="MEN")
    )


def test_the_mean_is_over_the_papers_sets_and_with_men_it_has_a_layer_of_its_own():
    source = layered()
    rows = distilled.score_rows([source], SETS, DRAWS)
    rho = np.stack(
        [[by_scipy(t, SETS[name]) for t in source.tables.values()] for name in SETS]
    )  # (sets, layers, D)
    for estimator in (
        "ase_best_layer",
        "ase_best_per_task",
    ):  # as printed: of the single layer
        ours = values(rows, MEAN, estimator=estimator)
        np.testing.assert_allclose(ours, rho[:2].mean(axis=0).max(axis=0), atol=1e-12)
        ours = values(rows, MEAN + ALL_SETS, estimator=estimator)
        np.testing.assert_allclose(ours, rho.mean(axis=0).max(axis=0), atol=1e-12)
    first = values(rows, MEAN, estimator="ase_layer_0")
    np.testing.assert_allclose(first, rho[:2, 0].mean(axis=0), atol=1e-12)
    measures = {
        row["measure"] for row in distilled.score_rows([source], {"WS-353": pairs(1)}, 3)
    }
    assert MEAN in measures and MEAN + ALL_SETS not in measures
    measures = {
        row["measure"] for row in distilled.score_rows([source], {"MEN": pairs(1)}, 3)
    }
    assert MEAN + ALL_SETS in measures and MEAN not in measures


def test_a_set_of_few_pairs_is_shown_and_enters_no_mean_unless_all_are_so():
    source = layered()
    sets = {"RG-65": pairs(1, 40), "WS-353": pairs(2, 50), "SL-999": pairs(3, 60)}
    rows = distilled.score_rows([source], sets, DRAWS)
    for estimator in ("ase_layer_0", "ase_best_layer"):
        cells = [
            values(rows, SPEARMAN, estimator=estimator, dataset=name) for name in sets
        ]
        mean = values(rows, MEAN, estimator=estimator)
        assert len(cells) == 3 and not np.allclose(np.mean(cells, axis=0), mean)
        if estimator == "ase_layer_0":
            np.testing.assert_allclose(mean, np.mean(cells[1:], axis=0), atol=1e-12)
    assert distilled.sets_in_mean(rows) == (["WS-353", "SL-999"], ["RG-65"])
    every = distilled.score_rows([source], sets, DRAWS, enough=0)
    mean = values(every, MEAN, estimator="ase_layer_0")
    cells = [
        values(every, SPEARMAN, estimator="ase_layer_0", dataset=name) for name in sets
    ]
    np.testing.assert_allclose(mean, np.mean(cells, axis=0), atol=1e-12)
    few = {name: pairs(seed, 49) for seed, name in enumerate(("RG-65", "WS-353"))}
    rows = distilled.score_rows([source], few, DRAWS)
    assert distilled.sets_in_mean(rows) == (["RG-65", "WS-353"], [])
    cells = [values(rows, SPEARMAN, estimator="ase_layer_0", dataset=name) for name in few]
    mean = values(rows, MEAN, estimator="ase_layer_0")
    np.testing.assert_allclose(mean, np.mean(cells, axis=0), atol=1e-12)


def test_by_own_pairs_all_sources_have_their_mean_over_the_same_sets():
    fewer = {
        layer: dict(list(table.items())[:30]) for layer, table in layered().tables.items()
    }
    both = [layered(), Source("other", "masked", fewer, distilled.ASE)]
    sets = {"WS-353": pairs(2, 70), "SL-999": pairs(3, 120)}
    rows = distilled.missing_rows(both, sets)
    for source in both:
        keys = {"model": source.model, "estimator": "ase_layer_0"}
        cell = row(rows, SPEARMAN + SKIP, dataset="SL-999", **keys)["value"]
        assert row(rows, MEAN + SKIP, **keys)["value"] == pytest.approx(cell)


def test_a_replicate_has_one_training_seed_for_all_sets_and_the_estimate_their_mean():
    tables = {seed: vectors(seed) for seed in range(3)}
    source = Source("teacher", "masked", tables, {"x2static_sentence": SEED})
    rows = distilled.score_rows([source], SETS, DRAWS)
    drawn = []
    for name in SETS:
        rho = np.stack([by_scipy(table, SETS[name]) for table in tables.values()])
        ours = values(rows, SPEARMAN, dataset=name)
        assert ours[0] == pytest.approx(rho[:, 0].mean())
        drawn.append(np.abs(rho[:, 1:] - ours[1:]).argmin(axis=0))
        np.testing.assert_allclose(
            np.abs(rho[:, 1:] - ours[1:]).min(axis=0), 0, atol=1e-12
        )
    assert (drawn[0] == drawn[1]).all() and (drawn[0] == drawn[2]).all()
    assert set(drawn[0]) == {0, 1, 2}
    again = Source("another", "masked", tables, {"x2static_sentence": SEED})
    other = values(distilled.score_rows([again], SETS, DRAWS), SPEARMAN, dataset="MEN")
    assert not np.allclose(other[1:], values(rows, SPEARMAN, dataset="MEN")[1:])


def test_a_layer_chosen_on_one_half_is_scored_on_the_other_both_ways_round():
    source = layered({"ase_half": BEST_ON_HALF})
    ours = values(distilled.score_rows([source], SETS, DRAWS), SPEARMAN, dataset="WS-353")
    scored = SETS["WS-353"]
    cosines = np.stack(
        [chosen_tables.similarity(t, scored) for t in source.tables.values()]
    )
    gold = scored["score"].to_numpy()

    def rho(counts: np.ndarray) -> list[float]:
        return [
            spearmanr(np.repeat(c, counts), np.repeat(gold, counts))[0] for c in cosines
        ]

    drawn = chosen_tables.draw("WS-353", scored, DRAWS, 0)
    expected = []
    for first, second in zip(*drawn.halves(), strict=True):
        one, two = rho(first.astype(int)), rho(second.astype(int))
        expected.append((two[np.argmax(one)] + one[np.argmax(two)]) / 2)
    splits = chosen_tables.SPLITS
    np.testing.assert_allclose(ours[0], np.mean(expected[:splits]), atol=1e-12)
    np.testing.assert_allclose(ours[1:], expected[splits:], atol=1e-12)


def test_halves_part_the_pairs_and_keep_the_copies_of_a_pair_together():
    drawn = chosen_tables.draw("any", pairs(5, 31), DRAWS, 0)
    first, second = drawn.halves()
    assert len(first) == chosen_tables.SPLITS + DRAWS
    assert (first * second == 0).all()
    assert (first[:100] + second[:100] == 1).all() and (
        first[:100].sum(axis=1) == 15
    ).all()
    assert (first[100:] + second[100:] == drawn.weights[1:]).all()
    assert len(np.unique(first[:100], axis=0)) == 100  # splits differ


def test_two_rows_of_the_same_vectors_differ_by_exactly_nothing():
    same = vectors(7)
    sources = [
        Source("a", "masked", {0: same}, {"one": 0}),
        Source("b", "static", {0: {w: 3 * v for w, v in same.items()}}, {"two": SEED}),
    ]
    rows = distilled.score_rows(sources, SETS, DRAWS)
    found = distilled.differences(rows, [(("a", "one"), ("b", "two"))])
    assert len(found) == len(SETS) + 2  # and both means
    assert (found[["difference", "low", "high", "least"]] == 0).all(axis=None)
    assert not found["is_decided"].any()


def test_a_difference_has_the_interval_and_the_least_decidable_of_its_paired_draws():
    gold = {
        word: np.array([np.cos(row / 14), np.sin(row / 14)])
        for row, word in enumerate(WORDS)
    }
    sets = {name: s.copy() for name, s in SETS.items()}
    for scored in sets.values():
        scored["score"] = chosen_tables.similarity(gold, scored)
    sources = [
        Source("good", "masked", {0: gold}, {"one": 0}),
        Source("poor", "static", {0: vectors(1)}, {"two": 0}),
    ]
    rows = distilled.score_rows(sources, sets, DRAWS)
    found = distilled.differences(rows, [(("good", "one"), ("poor", "two"))])
    cell = found[found["dataset"] == "MEN"].iloc[0]
    good, poor = (
        values(rows, SPEARMAN, dataset="MEN", model=name) for name in ("good", "poor")
    )
    assert cell["difference"] == pytest.approx(good[0] - poor[0])
    drawn = good[1:] - poor[1:]
    assert (cell["low"], cell["high"]) == pytest.approx(
        tuple(np.quantile(drawn, [0.025, 0.975]))
    )
    assert cell["least"] == pytest.approx(1.96 * drawn.std(), rel=1e-3)
    assert (
        cell["is_decided"] and cell["ahead"] == "good one" and cell["behind"] == "poor two"
    )


def test_rows_are_held_against_others_of_their_own_teacher():
    both = [replace(layered(), model=name) for name in ("one", "two")]
    rows = distilled.score_rows(
        [*both, Source("s", "static", {0: vectors(1)}, {"x": 0})], SETS, 5
    )
    found = distilled.against(rows, ["ase_best_layer", "none"], ["ase_layer_0", "x"])
    pairs_of_rows = set(zip(found["ahead"], found["behind"], strict=True))
    assert pairs_of_rows == {
        (f"{name} ase_best_layer", f"{name} ase_layer_0") for name in ("one", "two")
    }


def test_only_pairs_that_all_sources_cover_are_compared():
    few = Source("few", "static", {0: vectors(3, WORDS[:36])}, {"static": SEED})
    rows = distilled.score_rows([layered(), few], SETS, DRAWS)
    scored = SETS["MEN"]
    covered = scored[scored[["first", "second"]].isin(WORDS[:36]).all(axis=1)]
    assert len(covered) < len(scored)
    assert row(rows, PAIRS, dataset="MEN")["value"] == len(covered)
    expected = by_scipy(layered().tables[0], covered)
    ours = values(rows, SPEARMAN, dataset="MEN", estimator="ase_layer_0")
    np.testing.assert_allclose(ours, expected, atol=1e-12)


def test_missing_words_are_skipped_or_stand_as_they_are_read_alone():
    tables = {layer: vectors(layer, WORDS[:36]) for layer in range(3)}
    alone = {layer: vectors(20 + layer) for layer in range(3)}
    source = Source("teacher", "masked", tables, {"ase_layer_0": 0}, alone)
    static = Source("SKIPGRAM", "static", {0: vectors(9, WORDS[:35])}, {"static": SEED})
    rows = distilled.missing_rows([source, static], SETS)
    scored = SETS["MEN"]
    covered = scored[scored[["first", "second"]].isin(WORDS[:36]).all(axis=1)]
    ours = row(rows, SPEARMAN + "_skip", dataset="MEN", model="teacher")
    assert ours["value"] == pytest.approx(by_scipy(tables[0], covered)[0])
    assert row(rows, PAIRS + "_skip", dataset="MEN", model="teacher")["value"] == len(
        covered
    )
    ours = row(rows, SPEARMAN + "_fallback", dataset="MEN")
    assert ours["value"] == pytest.approx(by_scipy({**alone[0], **tables[0]}, scored)[0])
    assert row(rows, PAIRS + "_fallback", dataset="MEN")["value"] == len(scored)
    assert all(row.get("replicates") is None for row in rows)
    assert not [r for r in rows if r["model"] == "SKIPGRAM" and "fallback" in r["measure"]]


def test_a_teacher_with_24_layers_has_the_measures_of_table_6_and_the_same_differences():
    small = layered()
    large = Source("large", "masked", small.tables, distilled.ASE, n_layers=24)
    rows = distilled.score_rows([small, large], SETS, DRAWS)
    ours = values(
        rows, f"{SPEARMAN}{readings.LARGE}", dataset="MEN", estimator="ase_layer_0"
    )
    same = values(rows, SPEARMAN, dataset="MEN", estimator="ase_layer_0")
    np.testing.assert_array_equal(ours, same)
    assert (
        row(rows, f"{MEAN}{readings.LARGE}", estimator="ase_best_layer")["model"]
        == "large"
    )
    pair = ("large", "ase_layer_0"), ("teacher", "ase_layer_0")
    assert (distilled.differences(rows, [pair])["difference"] == 0).all()


@pytest.mark.parametrize(
    ("family", "n_layers"),
    [("masked", 23), ("causal", 30), ("sentence", 24), ("bilstm", 24)],
)
def test_another_depth_or_kind_of_teacher_is_none_of_table_6(family, n_layers):
    other = Source(
        "other", family, layered().tables, {"ase_layer_0": 0}, n_layers=n_layers
    )
    rows = distilled.score_rows([other], SETS, DRAWS)
    assert not [row for row in rows if row["measure"].endswith(readings.LARGE)]


def test_a_treatment_sees_the_whole_vocabulary_before_it_is_cut():
    matrix = np.arange(12.0).reshape(4, 3)
    cut = distilled.source_tables(
        ["a", "b", "c", "d"], {2: matrix}, {"d", "b"}, lambda W: W - W.mean(0)
    )
    assert {word: vector.tolist() for word, vector in cut[2].items()} == {
        "b": [-1.5, -1.5, -1.5],
        "d": [4.5, 4.5, 4.5],
    }


def test_sets_are_in_lower_case_and_called_as_in_table_3():
    sets = distilled.load(["wordsim-353", "simlex-999", "men, natural"])
    assert list(sets) == ["WS-353", "SL-999", "MEN"]
    assert {"fbi", "jerusalem"} <= distilled.words_of(sets)
    assert all(word == word.lower() for word in distilled.words_of(sets))


def test_a_set_of_which_hardly_a_pair_is_left_is_refused_by_name():
    few = Source("few", "static", {0: vectors(3, WORDS[:5])}, {"static": SEED})
    message = "of the 30 pairs of WS-353 all vectors together cover .*: leave out WS-353, or take"
    with pytest.raises(UserError, match=message):
        distilled.score_rows([layered(), few], SETS, DRAWS)
    with pytest.raises(UserError, match="pairs of WS-353 few cover"):
        distilled.missing_rows([few], SETS)


# ---- simulations: sources whose cosines we choose


def correlated(
    rng: np.random.Generator, gold: np.ndarray, rhos: list[float]
) -> np.ndarray:
    """Values (rows, n) that correlate with gold as given, each with noise of its own."""
    noise = rng.normal(size=(len(rhos), len(gold)))
    rhos = np.array(rhos)[:, None]
    return rhos * gold + np.sqrt(1 - rhos**2) * noise


def test_intervals_of_paired_differences_hold_the_true_one_in_95_of_100_draws():
    rng = np.random.default_rng(1)
    rhos = [0.6, 0.45]
    true = np.diff([6 / np.pi * np.arcsin(r / 2) for r in rhos])[
        0
    ]  # Spearman's, of Gaussians
    weights = chosen_tables.draw("any", pairs(0, 100), 300, 0).weights[1:]
    covered = []
    for _ in range(800):
        gold = rng.normal(size=100)
        first, second = chosen_tables.resampled_rank_correlation(
            correlated(rng, gold, rhos), gold, weights
        )
        low, high = stats.interval(second - first)
        covered.append(low <= true <= high)
    assert 0.93 <= np.mean(covered) <= 0.97


def test_a_layer_chosen_outside_the_draws_gives_too_narrow_an_interval():
    rng = np.random.default_rng(2)
    drawn = [chosen_tables.draw(name, pairs(0, 60), 300, 0) for name in "ab"]
    widths = []
    for _ in range(20):
        rho = []
        for rhos, of_set in zip(
            ([0.7, 0.3], [0.3, 0.7]), drawn, strict=True
        ):  # neither layer leads
            gold = rng.normal(size=60)
            cosines = correlated(rng, gold, rhos)
            rho.append(
                chosen_tables.resampled_rank_correlation(cosines, gold, of_set.weights)
            )
        scored = chosen_tables.Scored([0, 1], np.stack(rho), None)
        both = np.ones(2, bool)
        anew = scored.cells(BEST_ON_AVERAGE, both, "any", 0)
        once = scored.whole[:, scored.layers(BEST_ON_AVERAGE, both)[0, 0]]
        bounds = [stats.interval(cells[:, 1:].T) for cells in (anew, once)]
        widths.append([(high - low).mean() for low, high in bounds])
    anew, once = np.mean(widths, axis=0)
    assert once < 0.7 * anew


def test_the_best_layer_for_each_set_scores_higher_than_one_that_had_to_be_chosen_elsewhere():
    rng = np.random.default_rng(3)
    of_set = chosen_tables.draw("a", pairs(0, 60), 0, 0)
    gains = []
    for _ in range(30):
        gold = rng.normal(size=60)
        cosines = correlated(rng, gold, [0.4] * 8)  # no layer is better than another
        rho = chosen_tables.resampled_rank_correlation(cosines, gold, of_set.weights)
        halves = [
            chosen_tables.resampled_rank_correlation(cosines, gold, half)
            for half in of_set.halves()
        ]
        scored = chosen_tables.Scored(list(range(8)), rho[None], np.stack(halves)[:, None])
        both = np.ones(1, bool)
        oracle, honest = (
            scored.cells(rule, both, "", 0)[0, 0] for rule in (BEST_PER_SET, BEST_ON_HALF)
        )
        gains.append([oracle, honest])
    oracle, honest = np.mean(gains, axis=0)
    true = 6 / np.pi * np.arcsin(0.4 / 2)
    assert oracle > true + 0.08 and honest == pytest.approx(true, abs=0.04)


def test_a_text_with_too_few_pairs_is_refused_before_any_vector_is_made():
    distilled.refuse_uncovered(SETS, set(WORDS))
    with pytest.raises(
        UserError, match="pairs of .* the words of the text cover 0, and a corr"
    ):
        distilled.refuse_uncovered(SETS, {"king"})
