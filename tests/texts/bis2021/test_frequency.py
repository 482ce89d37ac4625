"""Coverage and slope of counts against loops, texts that follow a law exactly, and refusals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr.texts.bis2021 import frequency

counts = st.lists(st.integers(0, 50), min_size=1, max_size=30).filter(any)


@given(counts, st.integers(1, 100))
def test_types_to_cover_counts_down_the_list_until_the_share_is_reached(numbers, percent):
    covered, types = 0, 0
    for number in sorted(numbers, reverse=True):
        covered, types = covered + number, types + 1
        if 100 * covered >= percent * sum(numbers):
            break
    assert frequency.types_to_cover(np.array(numbers), percent) == types


def test_a_share_that_is_met_exactly_needs_no_further_type():
    assert frequency.types_to_cover([3, 7], 70) == 1
    assert frequency.types_to_cover([3, 7], 70.1) == 2
    assert (
        frequency.types_to_cover(np.ones(10, int), 30) == 3
    )  # 0.1 + 0.1 + 0.1 is not 0.3


@given(counts, st.randoms())
def test_order_and_types_that_never_occur_do_not_matter(numbers, random):
    others = [*numbers, 0, 0]
    random.shuffle(others)
    assert frequency.types_to_cover(others, 50) == frequency.types_to_cover(numbers, 50)
    assert list(frequency.by_rank(others)) == sorted(filter(None, numbers), reverse=True)


@pytest.mark.parametrize("exponent", [0.5, 1, 2])
def test_a_text_that_follows_the_law_has_its_exponent_as_slope(exponent):
    law = 1e9 / np.arange(1, 2001) ** exponent
    assert frequency.zipf_slope(law) == pytest.approx(-exponent, abs=1e-9)
    assert frequency.zipf_slope(7 * law[::-1]) == pytest.approx(-exponent, abs=1e-9)


def test_the_slope_is_that_of_the_normal_equations():
    numbers = np.random.default_rng(0).integers(1, 1000, 40)
    x = [np.log(rank) for rank in range(3, 21)]
    y = [np.log(number) for number in sorted(numbers, reverse=True)[2:20]]
    n, sum_x, sum_y = len(x), sum(x), sum(y)
    products = sum(a * b for a, b in zip(x, y, strict=True))
    squares = sum(a * a for a in x)
    slope = (n * products - sum_x * sum_y) / (n * squares - sum_x**2)
    assert frequency.zipf_slope(numbers, 3, 20) == pytest.approx(slope)


def test_only_the_ranks_of_the_range_enter_and_a_short_list_ends_it():
    law = 1e6 / np.arange(1, 101)
    bent = np.r_[1e9 * np.arange(9, 0, -1), law[9:50], law[50:] / np.arange(2, 52)]
    assert frequency.zipf_slope(bent, 10, 50) == pytest.approx(-1)
    assert frequency.zipf_slope(law, 10, 1000) == pytest.approx(-1)


@pytest.mark.parametrize("percent", [0, -1, 100.5])
def test_what_is_no_share_is_refused(percent):
    with pytest.raises(ValueError, match="is not above 0 and at most 100"):
        frequency.types_to_cover([1, 2], percent)


def test_no_counts_negative_counts_and_a_single_rank_are_refused():
    with pytest.raises(ValueError, match="no type occurs"):
        frequency.by_rank([0, 0])
    with pytest.raises(ValueError, match="-1 times"):
        frequency.by_rank([3, -1])
    with pytest.raises(ValueError, match="two ranks of 10 to 1000, and 10 types occur"):
        frequency.zipf_slope(np.arange(1, 11))
