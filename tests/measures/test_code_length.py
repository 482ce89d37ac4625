"""Online codes and selectivity: against probabilities by hand, against loops, and what is refused."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import softmax

from cwr.measures import code_length


@given(st.integers(1, 5), st.integers(1, 4), st.integers(0, 99))
def test_the_bits_of_an_answer_are_those_of_its_probability_under_two_outputs(
    n, classes, seed
):
    generator = np.random.default_rng(seed)
    no, yes = generator.normal(scale=5, size=(2, n, classes))
    gold = generator.integers(0, classes, n)
    bits = code_length.answer_bits(yes - no, gold)
    for i in range(n):
        for c in range(classes):
            probability = softmax([no[i, c], yes[i, c]])[int(gold[i] == c)]
            assert bits[i, c] == pytest.approx(-math.log2(probability), abs=1e-9)


def test_a_margin_of_zero_costs_a_bit_and_a_sure_right_answer_nothing():
    bits = code_length.answer_bits(
        np.array([[0.0, -900.0], [900.0, 0.0]]), np.array([0, 0])
    )
    assert bits == pytest.approx(np.array([[1, 0], [0, 1]]))
    wrong = code_length.answer_bits(np.array([[-900.0, 0.0]]), np.array([0]))
    assert wrong[0, 0] == pytest.approx(900 / math.log(2))


def test_probes_that_know_nothing_compress_nothing():
    bits = code_length.answer_bits(np.zeros((15, 5)), np.zeros(15, int)).sum(axis=-1)
    assert code_length.compression(bits, 5) == pytest.approx(1)


def test_only_the_first_block_costs_what_sure_probes_are_told():
    bits = np.array([[5.0] * 3 + [0.0] * 27, [5.0] * 30])
    assert code_length.compression(bits, 5) == pytest.approx([10, 1])


@pytest.mark.parametrize("bits", [[], [1.0, -1.0], [1.0, np.nan]])
def test_a_code_without_contexts_or_with_one_of_no_length_is_refused(bits):
    with pytest.raises(ValueError, match="at least 0 bits"):
        code_length.compression(np.array(bits), 2)


def test_selectivity_is_the_difference_of_two_shares_of_right_contexts():
    gold, control = np.array([0, 1, 2, 0]), np.array([1, 1, 1, 1])
    margins = np.stack([np.eye(3)[[0, 1, 2, 1]], np.eye(3)[[1, 0, 0, 2]]]) - 0.5
    right = code_length.is_right(margins, gold)
    control_right = code_length.is_right(margins[::-1], control)
    assert right.mean(axis=1).tolist() == [0.75, 0.0]  # of the second, no context is right
    assert control_right.mean(axis=1).tolist() == [0.25, 0.5]
    assert code_length.selectivity(right, control_right).mean(axis=1).tolist() == [
        0.5,
        -0.5,
    ]


def test_contexts_and_classes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="do not fit margins"):
        code_length.is_right(np.zeros((3, 2)), np.zeros(2, int))
    with pytest.raises(ValueError, match="do not fit 2 probes"):
        code_length.answer_bits(np.zeros((3, 2)), np.array([0, 1, 2]))
    with pytest.raises(ValueError, match="the same contexts"):
        code_length.selectivity(np.zeros(3, bool), np.zeros(2, bool))
