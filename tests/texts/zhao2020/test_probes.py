"""F1 of probes: replicates against scores of resampled words, readings, shared draws, ceilings."""

import numpy as np
import pytest

from cwr.errors import UserError
from cwr.measures import probing, stats
from cwr.texts.zhao2020 import probe_baselines, probes
from cwr.texts.zhao2020.probes import Answers


def drawn(n=80, classes=4, seeds=3, layers=2, seed=0, right=0.7):
    """Answers of contexts of twelve words, most of them right."""
    generator = np.random.default_rng(seed)
    words = np.array([f"w{number}" for number in generator.integers(0, 12, n)])
    gold = generator.integers(0, classes, n)
    is_gold = np.eye(classes, dtype=bool)[gold]
    is_right = generator.random((seeds, layers, n, classes)) < right
    return Answers(words, gold, is_gold == is_right, tuple(range(layers)))


def resampled(answers, pick, run, layer, reading):
    """F1 where the picked words stand beside each other under names of their own."""
    names = np.unique(answers.words)
    tables = []
    for copy, word in enumerate(names[pick]):
        rows = np.flatnonzero(answers.words == word)
        tables.append((rows, np.full(len(rows), copy)))
    rows, words = (np.concatenate(column) for column in zip(*tables, strict=True))
    decisions = answers.decisions[run, layer, rows]
    return probing.micro_f1(decisions, words, answers.gold[rows], reading)


@pytest.mark.parametrize("reading", probing.READINGS)
def test_a_replicate_is_the_mean_f1_of_resampled_words_with_the_error_of_few_seeds(
    reading,
):
    answers = drawn()
    draws = probes.replicates(answers, reading, draws=30)
    of_all = probes.scores(answers, reading)
    errors = stats.mean_draws(of_all, 30) - of_all.mean(axis=0)
    for draw, pick in enumerate(stats.resample(np.unique(answers.words), 30)):
        for layer in range(2):
            of_seeds = [resampled(answers, pick, run, layer, reading) for run in range(3)]
            expected = np.mean(of_seeds) + errors[draw, layer]
            assert draws[draw, layer] == pytest.approx(expected)


def test_an_interval_is_as_wide_as_the_seeds_are_apart():
    answers = drawn(seeds=3)
    answers.decisions[:] = np.eye(4, dtype=bool)[answers.gold]  # always right,
    answers.decisions[2, 1] = False  # but in one layer never by one seed
    same, apart = probes.replicates(answers, "pairs", draws=400).T
    assert (same == 1).all()
    low, high = stats.interval(apart)
    assert low < 0 and high > 1  # Student's t of (1, 1, 0)


def test_equal_layers_do_not_differ_in_any_draw():
    answers = drawn()
    answers.decisions[:, 1] = answers.decisions[:, 0]
    draws = probes.replicates(answers, draws=50)
    assert np.array_equal(draws[:, 0], draws[:, 1])
    assert draws[:, 0].std() > 0


def test_rows_have_all_readings_and_layers_and_the_mean_over_seeds():
    answers = drawn()
    rows = probes.score_rows(answers, draws=20, model="m", measure="token_probe_f1")
    assert {(row["estimator"], row["layer"]) for row in rows} == {
        (reading, layer) for reading in probing.READINGS for layer in (0, 1)
    }
    for row in rows:
        of_seeds = [
            probing.micro_f1(
                decisions[row["layer"]], answers.words, answers.gold, row["estimator"]
            )
            for decisions in answers.decisions
        ]
        assert row["value"] == pytest.approx(np.mean(of_seeds))
        assert row["replicates"].shape == (20,)
        assert row["model"] == "m"


def test_what_has_no_layers_gets_rows_without_one():
    answers = drawn(layers=1)
    flat = Answers(answers.words, answers.gold, answers.decisions)
    assert all("layer" not in row for row in probes.score_rows(flat, draws=5))


def test_the_interval_covers_the_f1_of_all_words_in_most_samples_of_words():
    everything = drawn(n=6000, seeds=1, layers=1, right=0.9)
    names = np.array([f"{number // 10}" for number in range(6000)])  # ten contexts a word
    truth = probing.micro_f1(everything.decisions[0, 0], names, everything.gold)
    generator = np.random.default_rng(1)
    hits = []
    for _ in range(60):
        words = generator.choice(np.unique(names), 80, replace=False)
        rows = np.flatnonzero(np.isin(names, words))
        sample = Answers(
            names[rows], everything.gold[rows], everything.decisions[:, :, rows]
        )
        low, high = stats.interval(probes.replicates(sample, draws=200)[:, 0])
        hits.append(low <= truth <= high)
    assert (
        0.85 <= np.mean(hits) <= 1
    )  # 60 samples: two standard errors below 0.95 are 0.89


def test_the_size_of_a_pair_counts_its_contexts_and_no_others_of_its_word():
    words, gold = np.array(["a", "b", "a", "a", "b"]), np.array([0, 0, 1, 0, 0])
    answers = Answers(words, gold, np.zeros((1, 1, 5, 2), dtype=bool))
    assert probes.contexts_of_pairs(answers).tolist() == [2, 2, 1, 2, 2]


def test_the_ceiling_is_what_the_best_context_free_decisions_score():
    answers = drawn(n=40)
    scores = []
    for most in range(5):
        decisions = probe_baselines.class_set(answers.words, answers.gold, 4, most)
        scores.append(probing.micro_f1(decisions, answers.words, answers.gold))
    row = probes.ceiling_row(answers, draws=25, measure="context_free_ceiling_dev")
    assert row["value"] == pytest.approx(max(scores))
    assert row["estimator"] == "full"
    names = np.unique(answers.words)
    of_word = {word: len(set(answers.gold[answers.words == word])) for word in names}
    for draw, pick in enumerate(stats.resample(names, 25)):
        expected = probing.context_free_ceiling([of_word[word] for word in names[pick]])
        assert row["replicates"][draw] == pytest.approx(expected)


def test_a_class_that_the_training_lacks_is_refused_with_its_name():
    assert probes.numbered(["b", "a"], ("a", "b")).tolist() == [1, 0]
    with pytest.raises(
        UserError, match="class .law. .2 of 3., which no probe was trained on"
    ):
        probes.numbered(["law", "a", "law"], ("a", "b"))


def test_seed_means_average_all_seeds_in_every_draw():
    answers = drawn()
    rows = probes.seed_mean_rows(answers, "full", draws=20, model="m")
    assert [row["layer"] for row in rows] == [0, 1]
    names = np.unique(answers.words)
    for draw, pick in enumerate(stats.resample(names, 20)):
        for layer, row in enumerate(rows):
            of_seeds = [resampled(answers, pick, run, layer, "full") for run in range(3)]
            assert row["replicates"][draw] == pytest.approx(np.mean(of_seeds))
    values = probes.scores(answers).mean(axis=0)
    assert [row["value"] for row in rows] == pytest.approx(values)


def test_a_word_without_a_class_is_left_out_and_one_of_two_classes_stands_twice():
    is_class = np.array([[True, True], [False, False], [False, True]])
    decisions = np.zeros((1, 1, 3, 2), dtype=bool)
    answers = probes.of_words(np.array(["a", "b", "c"]), is_class, decisions)
    assert answers.words.tolist() == ["a", "a", "c"]
    assert answers.gold.tolist() == [0, 1, 1]
    assert answers.decisions.shape == (1, 1, 3, 2)
