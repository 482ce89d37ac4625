"""Sums by bags against plain loops, to the bit; what leaves them unchanged; what is refused."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from cwr import corpora, extraction
from cwr.extraction import cache, targets
from cwr.extraction.bags import Bags, Groups


def rows_of(n, dim, seed=0):
    random = np.random.default_rng(seed)
    scale = 10.0 ** random.integers(-3, 4, (n, 1))  # so that another order is another sum
    return torch.from_numpy((random.normal(size=(n, dim)) * scale).astype(np.float32))


def bags_of(bags):
    counts = [len(bag) for bag in bags]
    starts = np.cumsum([0, *counts[:-1]])
    members = np.array([row for bag in bags for row in bag], np.int64)
    return Bags(members, starts)


def looped_sum(rows, weights):
    total = np.zeros(rows.shape[1])
    for row, weight in zip(rows, weights, strict=True):
        total += weight * row.astype(np.float64)
    return total


@st.composite
def bags(draw):
    """Up to nine bags of up to twelve rows; some are empty, some rows in several."""
    n = draw(st.integers(1, 12))
    bag = st.lists(st.integers(0, n - 1), max_size=6)
    return n, draw(st.lists(bag, min_size=1, max_size=9))


@settings(deadline=None)
@given(bags(), st.integers(1, 40))
def test_means_are_those_of_a_loop_to_the_bit_and_an_empty_bag_is_nought(drawn, dim):
    n, lists = drawn
    rows = rows_of(n, dim)
    expected = [
        looped_sum(rows.numpy()[bag], [1 / max(len(bag), 1)] * len(bag)).astype(np.float32)
        for bag in lists
    ]
    np.testing.assert_array_equal(bags_of(lists).means(rows).numpy(), np.stack(expected))


@settings(deadline=None)
@given(st.lists(st.integers(0, 6), min_size=1, max_size=40), st.integers(1, 40))
def test_sums_are_those_of_a_loop_to_the_bit(group, dim):
    rows, group = rows_of(len(group), dim), np.array(group)
    groups = Groups(group, [""] * 7)
    assert groups.present.tolist() == sorted(set(group.tolist()))
    unit_sum, total = groups.sums(rows, 0)
    assert unit_sum.dtype == total.dtype == np.float64
    doubled = rows.numpy().astype(np.float64)
    norms = np.sqrt(np.einsum("td,td->t", doubled, doubled))
    for place, one in enumerate(groups.present):
        mine = group == one
        np.testing.assert_array_equal(
            total[place], looped_sum(doubled[mine], [1] * mine.sum())
        )
        expected = looped_sum(doubled[mine], 1 / norms[mine])
        np.testing.assert_array_equal(unit_sum[place], expected)


def test_sums_are_the_product_with_a_sparse_matrix_to_the_bit():
    random, rows = np.random.default_rng(3), rows_of(5000, 192)
    group = random.zipf(1.3, 5000) % 700
    present, index = np.unique(group, return_inverse=True)
    places = (index, np.arange(5000))
    member = csr_array((np.ones(5000), places), shape=(len(present), 5000))
    product = member @ rows.numpy().astype(np.float64)
    _, total = Groups(group, [""] * 700).sums(rows, 0)
    np.testing.assert_array_equal(total, product)
    shuffled = random.permutation(
        5000
    )  # the order within a group counts: the last bits differ
    _, other = Groups(group[shuffled], [""] * 700).sums(rows[shuffled], 0)
    assert (other != product).any()
    np.testing.assert_allclose(other, product, rtol=1e-9, atol=1e-9)


@settings(deadline=None)
@given(st.permutations(range(7)))
def test_the_order_of_bags_and_of_other_groups_changes_no_bit(order):
    lists = [[0, 3, 1], [], [5], [2, 2, 4], [6, 0], [1], [3, 4, 5, 6]]
    rows = rows_of(7, 33)
    plain = bags_of(lists).means(rows)
    moved = bags_of([lists[bag] for bag in order]).means(rows)
    assert torch.equal(plain[list(order)], moved)
    group = np.array([0, 1, 0, 2, 1, 0, 2])
    relabelled = np.array([2, 0, 1])[group]
    for one, other in zip(
        Groups(group, "abc").sums(rows, 0),
        Groups(relabelled, "abc").sums(rows, 0),
        strict=True,
    ):
        np.testing.assert_array_equal(one, other[[2, 0, 1]])


@pytest.mark.parametrize("wrong", [0.0, np.nan])
def test_a_row_without_a_direction_is_refused_by_its_group_and_layer(wrong):
    rows = rows_of(4, 3)
    rows[2] = wrong
    groups = Groups(np.array([1, 0, 2, 1]), ["bank", "river", "rate"])
    with pytest.raises(ValueError, match="a vector of 'rate' in layer 5 has no direction"):
        groups.sums(rows, 5)


def test_rows_that_do_not_exist_and_starts_that_do_not_ascend_are_refused():
    with pytest.raises(IndexError):
        bags_of([[0, 4]]).means(rows_of(4, 3))
    for starts in ([0, 3, 1], [2, 3], [0, 5]):
        with pytest.raises(ValueError, match="bags of 4 rows ascend from 0"):
            Bags(np.arange(4), np.array(starts))


def test_the_order_of_questions_and_sentences_without_targets_change_no_bit(
    encoder, corpus
):
    bank, every = targets.occurrences(corpus, ["bank"]), targets.occurrences(corpus)
    asked = [(bank, [extraction.vectors()]), (every, [extraction.sums()])]
    plain = extraction.together(encoder, corpus, asked)
    cache.empty()
    turned = extraction.together(encoder, corpus, asked[::-1])[::-1]
    for one, other in zip(plain, turned, strict=True):
        assert set(one.arrays) == set(other.arrays)
        for name in one.arrays:
            np.testing.assert_array_equal(one.arrays[name], other.arrays[name])
    before, marks = (corpora.joined(words) for words in (["the", "rate"], ["."]))
    sentences = (before, *corpus.sentences, marks)
    longer = corpora.Corpus("longer", sentences, corpora.fingerprint(sentences), "none")
    moved = extraction.run(encoder, longer, bank.assign(sentence=bank["sentence"] + 1))
    np.testing.assert_array_equal(moved.vectors(2), plain[0].vectors(2))
