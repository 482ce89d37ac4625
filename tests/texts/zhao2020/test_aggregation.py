"""The data of the live figure: the library's F1 from counts of yes, and which words are shown."""

import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cwr.measures import probing
from cwr.texts.zhao2020 import aggregation
from cwr.texts.zhao2020.probes import Answers

CLASSES = ("art", "food", "person", "law")


def drawn(n=60, words=12, seed=0, seeds=2, layers=(0, 3)):
    generator = np.random.default_rng(seed)
    word = generator.integers(0, words, n).astype(str)
    gold = generator.integers(0, len(CLASSES), n)
    decisions = generator.random((seeds, len(layers), n, len(CLASSES))) < 0.4
    return Answers(word, gold, decisions, layers)


@given(st.integers(0, 30), st.integers(1, 100), st.sampled_from(probing.READINGS))
def test_counts_of_yes_are_enough_for_the_counts_of_all_decisions(seed, percent, reading):
    answers = drawn(seed=seed)
    words = aggregation.drawn_words(answers, 8, seed)
    data = aggregation.live_data(answers, CLASSES, "masked", 3, words)
    shown = np.isin(answers.words, words)
    all_of_them = answers.decisions[0, 1][shown], answers.words[shown], answers.gold[shown]
    expected = probing.counts(*all_of_them, reading, percent).sum(axis=0)
    assert aggregation.counts(data, percent, reading).tolist() == expected.tolist()


def test_the_sentence_of_the_default_has_the_micro_f1_of_the_words():
    answers = drawn()
    data = aggregation.live_data(answers, CLASSES, "masked", 3, np.unique(answers.words))
    f1 = probing.micro_f1(answers.decisions[0, 1], answers.words, answers.gold)
    text = aggregation.sentence(data, data["percent"], data["readings"][0])
    assert text.startswith("If 50 % of a pair's contexts must be right")
    assert text.endswith(f'F1 by the reading "full" is {f1:.3f}.')


def test_f1_is_rounded_as_the_page_does_it():
    pairs = [
        {"word": str(n), "class": 0, "contexts": 1, "yes": [int(n < 5)]} for n in range(16)
    ]
    data = {"sentence": "{f1}", "pairs": pairs}
    assert (
        aggregation.sentence(data, 50, "pairs") == "0.313"
    )  # of 0.3125, which Python rounds down


def test_a_quarter_of_the_words_has_two_classes_where_there_are_so_many():
    word = np.repeat(np.arange(60), np.repeat([1, 2, 3, 9], [20, 10, 10, 20]))
    gold = np.zeros(len(word), dtype=int)
    gold[-30::2] = 1  # some of the last words have both classes
    answers = Answers(word.astype(str), gold, np.zeros((1, 1, len(word), 2), dtype=bool))
    words = aggregation.drawn_words(answers, 20)
    classes = [len(set(gold[answers.words == name])) for name in words]
    contexts = [int((answers.words == name).sum()) for name in words]
    assert len(set(words)) == 20 and list(words) == sorted(words)
    assert classes.count(2) == 4  # all there are
    one = [n for n, several in zip(contexts, classes, strict=True) if several == 1]
    assert one.count(1) >= 5 and sum(1 < n <= 4 for n in one) >= 5 and one.count(9) >= 5
    others = Answers(answers.words, gold, ~answers.decisions)
    assert (aggregation.drawn_words(others, 20) == words).all()


def test_few_words_are_all_shown():
    assert aggregation.drawn_words(drawn(words=5)).tolist() == list("01234")


def test_the_data_of_forty_words_and_eighteen_classes_stay_small():
    generator = np.random.default_rng(0)
    words, gold = np.repeat(np.arange(60), 5).astype(str), generator.integers(0, 18, 300)
    answers = Answers(words, gold, generator.random((1, 1, 300, 18)) < 0.5)
    shown = aggregation.drawn_words(answers)
    data = aggregation.live_data(
        answers, [f"class {n}" for n in range(18)], "masked", None, shown
    )
    assert len(shown) == 40 and len(json.dumps(data, separators=(",", ":"))) < 24_000


def test_the_table_has_a_row_for_each_reading_and_share():
    answers = drawn()
    data = aggregation.live_data(answers, CLASSES, "masked", 3, np.unique(answers.words))
    table = aggregation.table(data)
    assert len(table) == 15 and table["reading"].iloc[0] == "full"
    of_pairs = table[table["reading"] == "pairs"]
    assert (of_pairs["false alarms"] == 0).all()
    assert of_pairs["recognised"].is_monotonic_decreasing
    f1 = probing.micro_f1(answers.decisions[0, 1], answers.words, answers.gold, "words")
    default = table[(table["reading"] == "words") & (table["contexts needed, %"] == 50)]
    assert default["F1"].tolist() == [f"{f1:.3f}"]
