"""The aggregated probe score against a loop over the decisions, a hand example, invariances and refusals."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr.measures import probing


def by_loop(decisions, words, gold, reading, percent=50):
    """Zhao et al., section 3.2.2, decision by decision: (true positives, false positives, false negatives)."""
    tp = fp = fn = 0
    classes, contexts = range(len(decisions[0])), range(len(words))
    for w in sorted(set(words)):
        of_word = [i for i in contexts if words[i] == w]
        for s in sorted({gold[i] for i in of_word}):
            pair = [i for i in of_word if gold[i] == s]
            right = sum(bool(decisions[i][s]) for i in pair)
            tp, fn = (tp + 1, fn) if 100 * right >= percent * len(pair) else (tp, fn + 1)
            if reading == "full":
                for other in (c for c in classes if c != s):
                    no = sum(not decisions[i][other] for i in pair)
                    fp += 100 * no < percent * len(pair)
        if reading == "words":
            for other in (c for c in classes if c not in {gold[i] for i in of_word}):
                no = sum(not decisions[i][other] for i in of_word)
                fp += 100 * no < percent * len(of_word)
    return tp, fp, fn


def score(tp, fp, fn, reading):
    return tp / (tp + fn) if reading == "pairs" else 2 * tp / (2 * tp + fp + fn)


@st.composite
def problems(draw):
    contexts, classes = draw(st.integers(1, 14)), draw(st.integers(1, 4))
    decisions = draw(
        st.lists(
            st.lists(st.booleans(), min_size=classes, max_size=classes),
            min_size=contexts,
            max_size=contexts,
        )
    )
    words = draw(st.lists(st.integers(0, 3), min_size=contexts, max_size=contexts))
    gold = draw(
        st.lists(st.integers(0, classes - 1), min_size=contexts, max_size=contexts)
    )
    return (
        np.array(decisions, dtype=bool).reshape(contexts, classes),
        np.array(words),
        np.array(gold),
    )


@given(problems(), st.sampled_from(probing.READINGS))
def test_micro_f1_equals_a_loop_over_the_decisions(problem, reading):
    expected = by_loop(*problem, reading)
    assert tuple(probing.counts(*problem, reading).sum(axis=0)) == expected
    assert probing.micro_f1(*problem, reading) == pytest.approx(
        score(*expected, reading), abs=1e-12
    )


@given(problems(), st.sampled_from(probing.READINGS), st.integers(0, 100))
def test_another_share_of_the_contexts_is_needed_for_yes_and_for_no(
    problem, reading, percent
):
    counted = probing.counts(*problem, reading, percent).sum(axis=0)
    assert tuple(counted) == by_loop(*problem, reading, percent)


@pytest.mark.parametrize("percent, recognised", [(30, 3), (31, 2), (60, 1), (100, 0)])
def test_three_of_ten_contexts_are_thirty_per_cent(percent, recognised):
    decisions = np.arange(10)[:, None] < [
        3,
        5,
        9,
    ]  # of three classes, the true one in turn
    words, gold = np.repeat([0, 1, 2], 10), np.repeat([0, 1, 2], 10)
    counted = probing.counts(np.tile(decisions, (3, 1)), words, gold, "pairs", percent)
    assert counted[:, 0].sum() == recognised


def hand_example(art_right: int):
    """Four pairs with n = 1, 2, 3 and 47 contexts; classes art, food, person.

    @airheads@-art, 47 contexts, `art_right` of them answered "art", all of them "food" as well;
    @airheads@-food, 2 contexts, one answered "food" (a tie), one "art" (a tie, on the negative side);
    @x@-person, 3 contexts, one answered "person"; @y@-person, 1 context, answered "person".
    """
    art, food, person = np.eye(3, dtype=bool)
    nothing = art & food
    rows = (
        [food | art] * art_right
        + [food] * (47 - art_right)
        + [food, art]
        + [person, nothing, nothing]
        + [person]
    )
    return (
        np.array(rows),
        np.repeat([0, 0, 1, 2], [47, 2, 3, 1]),
        np.repeat([0, 1, 2, 2], [47, 2, 3, 1]),
    )


@pytest.mark.parametrize(
    "reading, art_right, expected",
    [
        ("pairs", 24, 3 / 4),  # 24 of 47 are enough, 1 of 2 too, 1 of 3 is not, 1 of 1 is
        ("pairs", 23, 2 / 4),  # 23 of 47 are not
        (
            "words",
            24,
            6 / 7,
        ),  # TP 3, FN 1; @airheads@ has art and food: no negatives there but person; FP 0
        ("words", 23, 4 / 6),
        (
            "full",
            24,
            6 / 8,
        ),  # one FP: "food" to @airheads@-art; "art" to one of two food contexts is a tie, so no FP
        ("full", 23, 4 / 7),
    ],
)
def test_the_hand_example(reading, art_right, expected):
    assert probing.micro_f1(*hand_example(art_right), reading) == pytest.approx(
        expected, abs=1e-12
    )


@pytest.mark.parametrize(
    "n, right, found",
    [
        (1, 0, 0),
        (1, 1, 1),
        (2, 0, 0),
        (2, 1, 1),
        (3, 1, 0),
        (3, 2, 1),
        (47, 23, 0),
        (47, 24, 1),
    ],
)
def test_at_least_half_of_the_contexts_is_enough_for_yes_and_for_no(n, right, found):
    answers = np.arange(n) < right
    yes = np.stack([answers, np.zeros(n, dtype=bool)], axis=1)  # class 0 is the true one
    assert tuple(probing.counts(yes, np.zeros(n, int), np.zeros(n, int))[0]) == (
        found,
        0,
        1 - found,
    )
    no = np.stack(
        [np.ones(n, dtype=bool), ~answers], axis=1
    )  # class 1 is not: `right` say no to it
    for reading in ("words", "full"):
        assert tuple(
            probing.counts(no, np.zeros(n, int), np.zeros(n, int), reading)[0]
        ) == (
            1,
            1 - found,
            0,
        )


def test_a_perfect_probe_has_one_and_a_silent_one_has_zero():
    words, gold = np.array([0, 0, 1, 2]), np.array([0, 1, 1, 2])
    for reading in probing.READINGS:
        assert probing.micro_f1(gold[:, None] == np.arange(3), words, gold, reading) == 1
        assert probing.micro_f1(np.zeros((4, 3), dtype=bool), words, gold, reading) == 0


def test_always_yes_is_perfect_only_where_nothing_can_be_wrong():
    yes, words, gold = (
        np.ones((4, 3), dtype=bool),
        np.array([0, 0, 1, 2]),
        np.array([0, 1, 1, 2]),
    )
    assert probing.micro_f1(yes, words, gold, "pairs") == 1
    assert probing.micro_f1(yes, words, gold, "words") == pytest.approx(
        8 / (8 + 5)
    )  # 3 words x 3 - 4 pairs
    assert probing.micro_f1(yes, words, gold, "full") == pytest.approx(
        8 / (8 + 8)
    )  # 4 pairs x 2 other classes


def test_knowing_the_classes_of_a_word_but_not_the_context_is_charged_by_the_full_reading_only():
    words, gold = np.array([0, 0, 1]), np.array([0, 1, 2])
    inventory = np.array([[1, 1, 0], [1, 1, 0], [0, 0, 1]], dtype=bool)
    values = {
        reading: probing.micro_f1(inventory, words, gold, reading)
        for reading in probing.READINGS
    }
    assert values == {"pairs": 1, "words": 1, "full": 6 / 8}


@given(problems(), st.sampled_from(probing.READINGS), st.integers(0, 10))
def test_order_names_of_words_and_copies_of_all_contexts_do_not_matter(
    problem, reading, seed
):
    decisions, words, gold = problem
    value = probing.micro_f1(decisions, words, gold, reading)
    order = np.random.default_rng(seed).permutation(len(words))
    assert (
        probing.micro_f1(decisions[order], 7 - 2 * words[order], gold[order], reading)
        == value
    )
    twice = [np.repeat(part, 2, axis=0) for part in problem]
    assert probing.micro_f1(*twice, reading) == value


@given(problems())
def test_pairs_never_have_false_positives_and_full_finds_the_same_pairs(problem):
    pairs, words, full = (
        probing.counts(*problem, reading) for reading in probing.READINGS
    )
    assert (pairs[:, 1] == 0).all()
    assert (pairs[:, [0, 2]] == full[:, [0, 2]]).all() and (
        pairs[:, [0, 2]] == words[:, [0, 2]]
    ).all()


@pytest.mark.parametrize(
    "classes_of_word", [[1], [3], [1, 2], [2, 3], [3, 3], [1, 1, 3], [1, 2, 3], [2, 2, 3]]
)
def test_the_context_free_ceiling_is_the_best_of_all_context_free_answers(classes_of_word):
    words = np.repeat(np.arange(len(classes_of_word)), classes_of_word)
    gold = np.concatenate([np.arange(k) for k in classes_of_word])
    best = 0.0
    options = [list(itertools.product([False, True], repeat=3)) for _ in classes_of_word]
    for answers in itertools.product(*options):
        best = max(best, probing.micro_f1(np.array(answers)[words], words, gold, "full"))
    assert probing.context_free_ceiling(classes_of_word) == pytest.approx(best, abs=1e-12)


def test_words_with_one_class_need_no_context():
    assert probing.context_free_ceiling([1, 1, 1]) == 1
    assert probing.context_free_ceiling([2, 2]) == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"reading": "macro"}, "none of pairs, words, full"),
        ({"decisions": np.ones((0, 2), bool)}, "at least 1 context"),
        ({"decisions": np.ones(3, bool)}, "shape"),
        ({"decisions": np.full((3, 2), 0.7)}, "threshold"),
        ({"words": np.zeros(2, int)}, "3 rows"),
        ({"gold": np.array([0, 1, 2])}, "do not fit 2 probes"),
        ({"gold": np.array([0, -1, 1])}, "do not fit"),
    ],
)
def test_what_cannot_be_scored_is_refused(change, message):
    sound = {
        "decisions": np.ones((3, 2), bool),
        "words": np.zeros(3, int),
        "gold": np.array([0, 1, 1]),
    }
    with pytest.raises(ValueError, match=message):
        probing.micro_f1(**{**sound, **change})


def test_scores_without_positives_and_ceilings_without_words_are_refused():
    with pytest.raises(ValueError, match="no positives"):
        probing.f1([0, 3, 0])
    with pytest.raises(ValueError, match="none of"):
        probing.f1([1, 1, 1], "macro")
    for wrong in ([], [2, 0]):
        with pytest.raises(ValueError, match="at least 1 class"):
            probing.context_free_ceiling(wrong)


def test_inputs_are_not_modified():
    problem = hand_example(24)
    before = [part.copy() for part in problem]
    for reading in probing.READINGS:
        probing.micro_f1(*problem, reading)
    assert all((a == b).all() for a, b in zip(problem, before, strict=True))
