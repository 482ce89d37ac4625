"""Lines that read no context: known values, what oracles know, and how often guessers say yes."""

import numpy as np
import pandas as pd
import pytest

from cwr.measures import probing
from cwr.texts.zhao2020 import probe_baselines

# apple: three contexts of class 0, one of 1; pear: 1; cherry: 2 and 1, a tie
WORDS = np.array(["apple", "apple", "apple", "apple", "pear", "cherry", "cherry"])
GOLD = np.array([0, 0, 0, 1, 1, 2, 1])


def test_rates_are_counted_by_word_or_by_context():
    assert probe_baselines.rate_per_word(WORDS, GOLD, 4) == pytest.approx(
        [1 / 3, 1, 1 / 3, 0]
    )
    assert probe_baselines.rate_per_context(GOLD, 4) == pytest.approx(
        [3 / 7, 3 / 7, 1 / 7, 0]
    )


def test_the_top_class_is_that_of_most_contexts_and_of_equal_ones_the_first():
    decisions = probe_baselines.top_class(WORDS, GOLD, 4)
    assert decisions.argmax(axis=1).tolist() == [0, 0, 0, 0, 1, 1, 1]
    assert (decisions.sum(axis=1) == 1).all()


def test_the_class_set_is_perfect_under_two_readings_and_pays_for_ambiguity_under_full():
    decisions = probe_baselines.class_set(WORDS, GOLD, 4)
    assert probing.micro_f1(decisions, WORDS, GOLD, "pairs") == 1
    assert probing.micro_f1(decisions, WORDS, GOLD, "words") == 1
    assert probing.micro_f1(decisions, WORDS, GOLD, "full") == pytest.approx(
        2 * 5 / (10 + 4)
    )
    only_pear = probe_baselines.class_set(WORDS, GOLD, 4, most=1)
    assert only_pear.any(axis=1).tolist() == [False] * 4 + [True] + [False] * 2


def test_a_guess_is_drawn_anew_in_each_context_and_as_frequent_as_its_rate():
    rates = np.array([0.0, 0.1, 0.5, 1.0])
    by_context = probe_baselines.guess_per_context(8000, rates)
    assert by_context.mean(axis=0) == pytest.approx(rates, abs=0.03)
    assert not np.array_equal(by_context[::2], by_context[1::2])


def test_the_best_constant_answer_is_chosen_among_the_most_frequent_classes():
    words, gold = np.arange(100), np.repeat([2, 0, 1, 3], [46, 44, 6, 4])
    assert probe_baselines.best_constant(words, gold, 4) == 2  # 0.46, 0.60, 0.48, 0.40
    rates = probe_baselines.rate_per_word(words, gold, 4)
    assert (
        probe_baselines.constant(3, rates, 2).tolist() == [[True, False, True, False]] * 3
    )


def test_letters_tell_a_class_that_names_show_and_none_that_they_do_not():
    numbers = [f"{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(60)]
    shown = np.array(
        [f"{n} university" for n in numbers] + [f"battle of {n}" for n in numbers]
    )
    gold = np.repeat([0, 2], 60)  # of three classes, class 1 has no training word
    train = np.arange(120) % 2 == 0
    decisions = probe_baselines.character_ngrams(
        shown[train], gold[train], shown[~train], 3
    )
    assert np.array_equal(decisions, np.eye(3, dtype=bool)[gold[~train]])


def test_lines_learn_from_the_training_words_and_answer_of_another_split():
    rows = [(f"{name} works", "art", "train") for name in ("one", "two", "six")]
    rows += [("four acts", "law", "train"), ("ten works", "art", "test")]
    rows += [(f"{name} acts", "law", "test") for name in ("five", "nine", "nine")]
    rows += [("a god", "god", "test"), ("five acts", "law", "dev")]  # "god" has no probe
    table = pd.DataFrame(rows, columns=["word", "class", "split"])
    lines = probe_baselines.lines(table, ("art", "law"), seed=5)
    said = {name: answers.decisions[0, 0] for name, answers in lines.items()}
    for answers in lines.values():
        assert answers.words.tolist() == [
            "ten works",
            "five acts",
            "nine acts",
            "nine acts",
        ]
        assert answers.gold.tolist() == [0, 1, 1, 1]
    by_rate = probe_baselines.guess_per_context(4, np.array([0.75, 0.25]), seed=5)
    assert np.array_equal(said["base rate per context"], by_rate)
    assert (
        said["constant yes"].tolist() == [[True, False]] * 4
    )  # art, the most frequent in train
    oracle = np.eye(2, dtype=bool)[[0, 1, 1, 1]]
    for name in ("top class", "class set"):
        assert np.array_equal(said[name], oracle)
    on_dev = probe_baselines.lines(table, ("art", "law"), split="dev")
    assert on_dev["class set"].words.tolist() == ["five acts"]
