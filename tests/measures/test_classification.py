"""The smallest macro-F1 at an accuracy: every matrix, a dynamic programme, known values."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from cwr.measures import classification as c

TREC = (138, 94, 9, 65, 81, 113)  # the official test set, coarse labels
SST5 = (279, 633, 389, 510, 399)


def f1(n, a, b):
    return 2 * (n - a) / (2 * n - a + b) if 2 * n - a + b else 0.0


def rows_of(n, k, own):
    """Every way to spread n items over k predicted classes."""
    for cut in itertools.product(range(n + 1), repeat=k - 1):
        if sum(cut) <= n:
            yield [*cut[:own], n - sum(cut), *cut[own:]]


def by_enumeration(counts):
    """{errors: (smallest, largest) macro-F1} over all confusion matrices."""
    found = {}
    for rows in itertools.product(
        *(rows_of(n, len(counts), i) for i, n in enumerate(counts))
    ):
        errors = sum(counts) - sum(row[i] for i, row in enumerate(rows))
        value = np.mean(
            [
                f1(n, n - rows[i][i], sum(row[i] for row in rows) - rows[i][i])
                for i, n in enumerate(counts)
            ]
        )
        low, high = found.get(errors, (9, -9))
        found[errors] = min(low, value), max(high, value)
    return found


def by_programme(counts, errors):
    """Minimum over all sums of misses and of alarms with a_i + b_i <= errors, class by class."""
    best = np.full((errors + 1, errors + 1), np.inf)
    best[0, 0] = 0
    for n in counts:
        new = np.full_like(best, np.inf)
        for a in range(min(n, errors) + 1):
            for b in range(errors - a + 1):
                old = best[: errors + 1 - a, : errors + 1 - b]
                new[a:, b:] = np.minimum(new[a:, b:], old + f1(n, a, b))
        best = new
    return best[errors, errors] / len(counts)


@pytest.mark.parametrize(
    "counts",
    [
        (1, 1, 1),
        (2, 3, 1),
        (4, 2, 2),
        (3, 0, 4),
        (5, 1, 1),
        (4, 4, 1),
        (3, 3, 3),
        (0, 0, 3),
    ],
)
def test_smallest_macro_f1_is_the_minimum_over_all_confusion_matrices_of_three_classes(
    counts,
):
    for errors, (low, _) in by_enumeration(counts).items():
        smallest = c.smallest_macro_f1(counts, 1 - errors / sum(counts))
        assert smallest == pytest.approx(low, abs=1e-12), errors


@pytest.mark.parametrize("counts", [(3, 5), (1, 7), (4, 4), (0, 3), (6, 2)])
def test_smallest_and_largest_of_two_classes_are_those_over_all_confusion_matrices(counts):
    for errors, extremes in by_enumeration(counts).items():
        accuracy = 1 - errors / sum(counts)
        found = c.smallest_macro_f1(counts, accuracy), c.largest_macro_f1(counts, accuracy)
        assert found == pytest.approx(extremes, abs=1e-12), errors


@settings(max_examples=40)
@given(st.lists(st.integers(0, 9), min_size=3, max_size=5).filter(any), st.data())
def test_smallest_macro_f1_equals_the_dynamic_programme(counts, data):
    errors = data.draw(st.integers(0, min(sum(counts), 14)))
    found = c.smallest_macro_f1(counts, 1 - errors / sum(counts))
    assert found == pytest.approx(by_programme(counts, errors), abs=1e-12)


@pytest.mark.parametrize("errors", [1, 4, 10, 26])
def test_smallest_macro_f1_equals_the_dynamic_programme_on_the_trec_test_set(errors):
    found = c.smallest_macro_f1(TREC, 1 - errors / 500)
    assert found == pytest.approx(by_programme(TREC, errors), abs=1e-12)


def test_the_three_values_of_the_notes():
    """TREC at 446 of 500, SST-5 at 992 of 2210.

    At 496 of 500, sums that no matrix has would allow 92.6.
    """
    assert 100 * c.smallest_macro_f1(TREC, 446 / 500) == pytest.approx(69.9, abs=0.05)
    assert 100 * c.smallest_macro_f1(SST5, 992 / 2210) == pytest.approx(23.2, abs=0.05)
    assert 100 * c.smallest_macro_f1(TREC, 496 / 500) == pytest.approx(94.7, abs=0.05)


def test_all_right_gives_one_and_all_wrong_gives_zero():
    assert (
        c.smallest_macro_f1(TREC, 1) == pytest.approx(1) == c.largest_macro_f1((3, 4), 1)
    )
    assert c.smallest_macro_f1(SST5, 0) == 0 == c.smallest_macro_f1((3, 4), 0)
    assert c.smallest_macro_f1((5,), 1) == 1


@settings(max_examples=20)
@given(st.lists(st.integers(1, 25), min_size=3, max_size=5), st.data())
def test_order_does_not_matter_and_a_further_error_never_raises_the_minimum(counts, data):
    errors = data.draw(st.integers(0, sum(counts) - 1))
    now, more = (
        c.smallest_macro_f1(counts, 1 - e / sum(counts)) for e in (errors, errors + 1)
    )
    assert more <= now + 1e-12
    turned = c.smallest_macro_f1(counts[::-1], 1 - errors / sum(counts))
    assert turned == pytest.approx(now, abs=1e-12)
    assert c.low_macro_f1(counts, 1 - errors / sum(counts)) >= now - 1e-12


@settings(max_examples=60)
@given(st.integers(2, 5), st.data())
def test_no_predictions_go_below_the_minimum(classes, data):
    label = st.integers(0, classes - 1)
    items = data.draw(st.lists(st.tuples(label, label), min_size=1, max_size=60))
    true, predicted = np.array(items).T
    macro_f1 = f1_score(
        true, predicted, average="macro", labels=range(classes), zero_division=0
    )
    counts, accuracy = np.bincount(true, minlength=classes), np.mean(true == predicted)
    assert macro_f1 >= c.smallest_macro_f1(counts, accuracy) - 1e-12


def test_the_low_value_of_many_classes_is_reached_by_predictions():
    """Fifty classes of one item each, half of them wrong: the missed half has F1 0."""
    assert c.low_macro_f1([1] * 50, 0.5) <= 0.5
    assert c.low_macro_f1((4, 2, 2), 0.5) >= by_enumeration((4, 2, 2))[4][0]


def test_the_mean_of_runs_can_lie_below_a_single_run_but_not_below_the_envelope():
    single = c.smallest_macro_f1(TREC, 0.892)
    close = np.interp(0.892, *c.mean_of_runs_envelope(TREC, 0.877, 0.907))
    wide = np.interp(0.892, *c.mean_of_runs_envelope(TREC, 0.392, 1))
    assert wide < close <= single
    means = []  # of two runs whose mean accuracy is 0.892
    for low, high in itertools.product(range(200, 446, 60), range(450, 501, 25)):
        at_low, at_high = (c.smallest_macro_f1(TREC, right / 500) for right in (low, high))
        means.append(((446 - low) * at_high + (high - 446) * at_low) / (high - low))
    assert min(means) - 0.05 <= wide <= min(means)


def test_the_envelope_is_convex_and_below_the_minimum_everywhere():
    x, y = c.mean_of_runs_envelope((40, 29, 3))
    assert (np.diff(np.diff(y) / np.diff(x)) >= -1e-12).all()
    for errors in range(73):
        accuracy = 1 - errors / 72
        smallest = c.smallest_macro_f1((40, 29, 3), accuracy)
        assert np.interp(accuracy, x, y) <= smallest + 1e-12


@pytest.mark.parametrize(
    "counts, accuracy, message",
    [
        ((3, -1), 0.5, "whole"),
        ((0, 0), 0.5, "not all"),
        ((2.5, 1), 0.5, "whole"),
        ((3, 4), 89.2, "89.2"),
        ((3, 4), float("nan"), "nan"),
        ((5,), 0.4, "one class"),
        ([3] * 13, 0.5, "13 classes"),
    ],
)
def test_what_is_no_accuracy_or_no_count_is_refused(counts, accuracy, message):
    with pytest.raises(ValueError, match=message):
        c.smallest_macro_f1(counts, accuracy)


def test_the_largest_is_for_two_classes():
    with pytest.raises(ValueError, match="got 3"):
        c.largest_macro_f1((1, 2, 3), 0.5)


def test_forty_cells_take_seconds():
    import time

    start = time.process_time()
    for k in range(20):
        (
            c.smallest_macro_f1(TREC, 0.84 + k / 200),
            c.smallest_macro_f1(SST5, 0.38 + k / 100),
        )
    assert time.process_time() - start < 5
