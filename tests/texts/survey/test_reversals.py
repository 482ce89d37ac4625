"""Reversed decisions against the loops of their definitions; planted paths of each kind; refusals."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from cwr.texts.survey import reversals as d

shapes = st.tuples(
    st.integers(2, 6), st.integers(1, 6), st.integers(2, 4), st.integers(0, 10**6)
)


def drawn(readings, items, labels, seed):
    """Probabilities (K, n, C) in tenths, so that ties and margins at the bound occur, and gold."""
    generator = np.random.default_rng(seed)
    tenths = generator.integers(0, 11, (readings, items, labels)) / 10
    return tenths, generator.integers(0, labels, items)


def path(*labels, margin=0.5, label_count=3):
    """Probabilities of one item, (K, 1, C), with these decisions, each by this margin."""
    scores = np.zeros((len(labels), 1, label_count))
    for reading, label in enumerate(labels):
        scores[reading, 0, label] += margin
    return scores


def kind(scores, gold=0, delta=0.2):
    """The kind of reversal of one item, in words."""
    number = d.reversals(d.decisions(scores), d.margins(scores), np.array([gold]), delta)[
        0
    ]
    return ("none", *d.KINDS)[number]


# ---- against loops


def naive_kind(scores, gold, delta):
    """The kind of one item's reversal, from the definition. scores: (K, C)."""
    sure = []
    for number, row in enumerate(scores):
        label = int(np.argmax(row))
        others = max(np.delete(row, label))
        is_last = number == len(scores) - 1
        agrees = is_last or int(np.argmax(scores[number + 1])) == label
        if row[label] - others >= delta and agrees:
            sure.append(label)
    if all(a == b for a, b in itertools.combinations(sure, 2)):
        return d.NONE
    first, last = sure[0], sure[-1]
    if first == last:
        return d.RETURN
    if last == gold:
        return d.CORRECTION
    return d.CORRUPTION if first == gold else d.WRONG_TO_WRONG


@given(shapes, st.sampled_from([0, 0.15, 0.35, 1]))
def test_reversals_equal_the_loop_of_their_definition(shape, delta):
    scores, gold = drawn(*shape)
    kinds = d.reversals(d.decisions(scores), d.margins(scores), gold, delta)
    for item, number in enumerate(kinds):
        assert number == naive_kind(scores[:, item], gold[item], delta)


@given(shapes)
def test_lock_in_and_churn_equal_the_loops_of_their_definitions(shape):
    scores, _ = drawn(*shape)
    decided = d.decisions(scores)
    for item, row in enumerate(decided.T.tolist()):
        times = [t for t in range(len(row)) if all(each == row[-1] for each in row[t:])]
        assert d.lock_in(decided)[item] == min(times)
        steps = [row[k] != row[k - 1] for k in range(1, len(row))]
        assert d.churn(decided)[item] == pytest.approx(sum(steps) / len(steps))


@given(shapes)
def test_axes_before_the_readings_are_so_many_paths(shape):
    scores, gold = drawn(*shape)
    stacked = np.stack([scores, scores[::-1]])
    kinds = d.reversals(d.decisions(stacked), d.margins(stacked), gold)
    for number, one in enumerate(stacked):
        assert np.array_equal(
            kinds[number], d.reversals(d.decisions(one), d.margins(one), gold)
        )


@given(shapes)
def test_names_of_labels_do_not_matter(shape):
    readings, items, labels, seed = shape
    scores, gold = drawn(*shape)
    scores += np.random.default_rng(seed).uniform(0, 1e-6, scores.shape)  # no ties
    order = np.random.default_rng(seed).permutation(labels)
    renamed = np.argsort(order)[gold]
    before = d.reversals(d.decisions(scores), d.margins(scores), gold)
    scores = scores[..., order]
    assert np.array_equal(
        before, d.reversals(d.decisions(scores), d.margins(scores), renamed)
    )


# ---- planted paths


@pytest.mark.parametrize(
    "labels, name",
    [
        ((0, 0, 0, 0, 0), "none"),
        ((1, 1, 0, 0, 0), "correction"),
        ((0, 0, 0, 1, 1), "corruption"),
        ((1, 1, 1, 2, 2), "wrong to wrong"),
        ((0, 0, 1, 1, 0), "return"),
        ((1, 1, 0, 0, 1), "return"),
        ((2, 2, 1, 1, 0), "correction"),  # by way of another wrong label
        ((0, 1, 0, 1, 0), "none"),  # no decision stands twice but the last
        ((0, 0, 0, 0, 1), "corruption"),  # the last has no next one
        ((1, 0, 0, 0, 0), "none"),  # the first does not stand
    ],
)
def test_a_planted_path_has_its_kind_of_reversal(labels, name):
    assert kind(path(*labels)) == name


def test_a_margin_below_delta_is_no_decision():
    assert kind(path(1, 1, 0, 0, 0, margin=0.3), delta=0.2) == "correction"
    assert kind(path(1, 1, 0, 0, 0, margin=0.3), delta=0.4) == "none"
    assert kind(path(1, 1, 0, 0, 0, margin=0.25), delta=0.25) == "correction"  # reaches it
    unsure = path(1, 1, 0, 0, 0)
    unsure[1] = path(1, margin=0.1)[0]
    assert (
        kind(unsure) == "correction"
    )  # reading 0 is firm: 1 decides alike, if not firmly
    unsure[0] = unsure[1]
    assert kind(unsure) == "none"


def test_lock_in_of_planted_paths():
    decided = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]).T
    assert d.lock_in(decided).tolist() == [0, 1, 2, 2]
    assert d.churn(decided).tolist() == [0, 0.5, 1, 0.5]


def test_a_probe_against_itself_never_changes():
    scores, gold = drawn(1, 50, 3, 7)
    same = np.repeat(scores, 5, axis=0)
    decided, margin = d.decisions(same), d.margins(same)
    assert not d.reversals(decided, margin, gold, 0).any()
    assert (
        not d.disagreement(decided[:2], margin[:2], 0).any() and not d.churn(decided).any()
    )


def test_two_readings_disagree_if_both_are_sure():
    sure, unsure = path(0, 1), path(0, 1, margin=0.1)
    assert d.disagreement(d.decisions(sure), d.margins(sure)).tolist() == [True]
    assert d.disagreement(d.decisions(unsure), d.margins(unsure)).tolist() == [False]
    mixed = np.concatenate([sure[:1], unsure[1:]])
    assert d.disagreement(d.decisions(mixed), d.margins(mixed)).tolist() == [False]


# ---- the source's choice of examples


def test_ambiguous_items_are_unsure_on_average_and_not_alone_in_their_sentence():
    sure, unsure = [0.8, 0.2], [0.6, 0.4]
    probabilities = np.array(
        [[unsure, unsure, unsure, sure], [unsure, unsure, sure, sure]]
    )
    sentences = np.array([3, 3, 9, 9])
    assert d.ambiguous(probabilities, sentences).tolist() == [True, True, False, False]
    assert d.ambiguous(probabilities, np.array([3, 4, 9, 9])).tolist() == [False] * 4
    changing = np.array(
        [[[0.9, 0.1]] * 2, [[0.1, 0.9]] * 2]
    )  # sure of another label each time
    assert d.ambiguous(changing, np.array([0, 0])).tolist() == [True, True]


# ---- steps


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=12))
def test_mcnemar_is_a_fair_coin_for_the_items_that_changed(pairs):
    before, after = np.array(pairs).T
    gained, lost, p = d.mcnemar(before, after)
    assert gained - lost == after.sum() - before.sum()
    n = gained + lost
    chances = [binom.pmf(k, n, 0.5) for k in range(n + 1)]
    expected = sum(chance for chance in chances if chance <= chances[gained] + 1e-12)
    assert p == pytest.approx(expected)


def test_holm_by_hand():
    assert d.holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert d.holm([0.5, 0.9]) == pytest.approx([1, 1])
    assert d.holm([0.02, 0.02]) == pytest.approx([0.04, 0.04])


# ---- which settles first


def counted(pairs, strata, times):
    """Pairs (stratum, t(z), t(x)) as a table of counts."""
    table = np.zeros((strata, times, times))
    for stratum, first, second in pairs:
        table[stratum, first, second] += 1
    return table


@given(
    st.lists(
        st.tuples(st.integers(0, 1), st.integers(0, 3), st.integers(0, 3)), min_size=1
    )
)
def test_precedence_equals_the_loop_over_pairs(pairs):
    q, _ = d.precedence(counted(pairs, 2, 4))
    at_most = np.mean([first <= second for _, first, second in pairs])
    equal = np.mean([first == second for _, first, second in pairs])
    assert q == pytest.approx(at_most - equal / 2)


@given(
    st.lists(
        st.tuples(st.integers(0, 1), st.integers(0, 2), st.integers(0, 2)),
        min_size=2,
        max_size=5,
    )
)
def test_chance_is_the_mean_over_all_permutations_within_a_stratum(pairs):
    """Every reassignment of the z of one stratum to its x, each as likely."""
    every = []
    for order in itertools.permutations(range(len(pairs))):
        if all(pairs[a][0] == pairs[b][0] for a, b in enumerate(order)):
            moved = [(s, pairs[order[k]][1], x) for k, (s, _, x) in enumerate(pairs)]
            every.append(d.precedence(counted(moved, 2, 3))[0])
    assert d.precedence(counted(pairs, 2, 3))[1] == pytest.approx(np.mean(every))


def test_what_always_settles_first_has_precedence_one_and_what_is_tied_none():
    assert d.precedence(counted([(0, 0, 2), (0, 1, 3)], 1, 4))[0] == 1
    observed, chance = d.precedence(counted([(0, 1, 1), (0, 3, 3)], 1, 4))
    assert observed == chance == 0.5
    assert d.precedence(counted([(0, 0, 1), (0, 2, 3)], 1, 4))[1] == pytest.approx(0.75)


# ---- refusals


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: d.decisions(np.ones((2, 3, 1))), "between 2 labels"),
        (lambda: d.margins(np.array([[0.5, np.nan]])), "1 of 2 probabilities"),
        (lambda: d.firm(np.zeros((1, 4)), np.zeros((1, 4))), "at least 2 readings"),
        (lambda: d.firm(np.zeros((2, 4)), np.zeros((2, 3))), "one shape"),
        (lambda: d.firm(np.zeros((2, 4)), np.zeros((2, 4)), 1.5), "delta 1.5"),
        (
            lambda: d.reversals(np.zeros((2, 4)), np.zeros((2, 4)), np.zeros(3)),
            "4 items decided",
        ),
        (lambda: d.disagreement(np.zeros((3, 4)), np.zeros((3, 4))), "two readings"),
        (lambda: d.churn(np.zeros((1, 4))), "got 1"),
        (lambda: d.mcnemar([True], [True, False]), "before and after"),
        (lambda: d.holm([1.2]), "between 0 and 1"),
        (lambda: d.precedence(np.zeros((1, 3, 3))), "needs pairs"),
        (lambda: d.precedence(np.array([[[2.0, -1.0], [0, 0]]])), "non-negative"),
    ],
)
def test_what_has_no_meaning_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()
