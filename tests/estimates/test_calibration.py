"""Is a cosine high? Its shares against counts of all pairs, and what the page and `cwr cosine` say of them."""

import json
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cwr import corpora, encoders, extraction
from cwr.errors import UserError
from cwr.estimates import calibration
from cwr.extraction import targets

LAYER = 5
RESOLUTION = max(
    np.diff(calibration.LEVELS)
)  # between two quantiles the course is not known

numbers = st.integers(-calibration.UNIT, calibration.UNIT)
groups = st.lists(st.lists(numbers, min_size=1, max_size=30), min_size=1, max_size=8)


def below(groups: list, number: float, at_most: bool = False) -> float:
    """The naive count: share of the lower cosines in each group, mean over groups."""
    shares = []
    for group in groups:
        lower = [cosine < number or (at_most and cosine == number) for cosine in group]
        shares.append(sum(lower) / len(group))
    return sum(shares) / len(shares)


def rows(groups: list) -> list[int]:
    return calibration.quantiles_of(
        [np.array(group) / calibration.UNIT for group in groups]
    )


# ---- shares


@given(groups, numbers, st.booleans())
def test_a_share_is_that_of_counting_within_the_distance_of_two_levels(
    groups, number, at_most
):
    share = calibration.share(rows(groups), number, at_most)
    assert share == pytest.approx(below(groups, number, at_most), abs=RESOLUTION + 1e-9)


@given(groups, numbers, numbers)
def test_a_higher_cosine_never_lies_lower(groups, one, another):
    quantiles, (low, high) = rows(groups), sorted((one, another))
    assert calibration.share(quantiles, low) <= calibration.share(quantiles, high)
    assert calibration.share(quantiles, low) <= calibration.share(
        quantiles, low, at_most=True
    )


def test_long_tails_are_resolved_to_a_thousandth():
    ranks = np.linspace(-1, 1, 200_003)[1:-1]
    quantiles = calibration.quantiles_of([np.arctanh(ranks) / 10])
    for share in (0.0005, 0.001, 0.002, 0.01, 0.99, 0.998, 0.999, 0.9995):
        number = calibration.UNIT * np.arctanh(2 * share - 1) / 10
        assert calibration.share(quantiles, number) == pytest.approx(share, abs=2e-4)


def test_a_word_with_a_hundred_occurrences_counts_once():
    often, seldom = [2000] * 4950, [8000]
    assert below([often, seldom], 5000) == 0.5
    assert calibration.share(rows([often, seldom]), 5000) == pytest.approx(
        0.5, abs=RESOLUTION
    )
    assert rows([often, seldom]).count(2000) == pytest.approx(51, abs=1)


def test_where_all_cosines_are_equal_only_others_are_high_or_low():
    static = rows([[9000] * 10])
    judgements = [calibration.judgement(static, number) for number in (8999, 9000, 9001)]
    assert judgements == ["low", "ordinary", "high"]


# ---- words


def test_high_begins_at_95_per_cent_and_low_ends_at_5():
    even = calibration.quantiles_of([np.linspace(-1, 1, 200_001)])
    words = {
        share: calibration.judgement(even, calibration.UNIT * (2 * share - 1))
        for share in (0.04, 0.049, 0.051, 0.5, 0.949, 0.951, 0.96)
    }
    assert list(words.values()) == ["low"] * 2 + ["ordinary"] * 3 + ["high"] * 2


@given(groups, numbers)
def test_no_share_is_called_all_or_none(groups, number):
    words = calibration.share_in_words(rows(groups), number)
    assert words not in ("0.0 %", "100.0 %")
    assert (
        words.startswith(("more than 99.9", "less than 0.1"))
        or 0 < float(words[:-2]) < 100
    )


@given(groups, numbers)
def test_high_and_the_share_beside_it_never_disagree(groups, number):
    quantiles = rows(groups)
    words = calibration.share_in_words(quantiles, number).split()[-2]
    assert (calibration.judgement(quantiles, number) == "high") == (float(words) >= 95)


# ---- a real model


@pytest.fixture(scope="module")
def encoder():
    return encoders.load("minilm")


@pytest.fixture(scope="module")
def text():
    return corpora.load("lee").sample(120, 0)


@pytest.fixture(scope="module")
def entry(encoder, text):
    (entry,) = calibration.calibrate(encoder, text, [LAYER])
    return entry


def cosines(vectors: np.ndarray) -> list[float]:
    pairs = combinations(np.array(vectors, dtype=float), 2)
    return [calibration.UNIT * (a @ b) / np.sqrt((a @ a) * (b @ b)) for a, b in pairs]


def test_the_sentence_has_the_shares_of_counting_pairs(entry, encoder, text):
    random = targets.random_tokens(text, 1000, 0)
    among_random = cosines(extraction.run(encoder, text, targets=random).vectors(LAYER))
    frequent = extraction.run(
        encoder, text, targets.frequent(text, 5), reducers=[extraction.vectors(100, 0)]
    )
    words = frequent.table.groupby("group").indices.values()
    by_word = [cosines(frequent.vectors(LAYER)[at]) for at in words]
    for number in (-500, 1000, 5000, 9000):
        # a line between two quantiles instead of the steps of the count
        exact = pytest.approx(below([among_random], number), abs=2e-3)
        assert calibration.share(entry.random, number) == exact
        exact = pytest.approx(below(by_word, number), abs=2e-3)
        assert calibration.share(entry.same_word, number) == exact


def test_the_sentence_says_model_layer_text_and_both_judgements(entry):
    share, same_word = (
        calibration.share_in_words(kind, 9300) for kind in (entry.random, entry.same_word)
    )
    assert entry.sentence(0.93) == (
        f"In layer 5 of minilm (block 5), a cosine of 0.93 is high for two random words ({share} of such pairs "
        f"have a lower cosine) and ordinary for two occurrences of one word ({same_word}), on 120 "
        "sentences of lee."
    )


def test_a_cosine_is_high_from_the_threshold_of_the_table_and_low_up_to_the_other(entry):
    row = calibration.thresholds([entry]).iloc[0]
    step = 0.01  # the table has two decimals
    for kind, quantiles in {
        "random words": entry.random,
        "one word": entry.same_word,
    }.items():
        low, high = row[f"{kind}: low up to"], row[f"{kind}: high from"]
        edges = [low - step, low + step, high - step, high + step]
        words = [
            calibration.judgement(quantiles, edge * calibration.UNIT) for edge in edges
        ]
        assert words == ["low", "ordinary", "ordinary", "high"]


def test_the_data_of_the_page_gives_the_same_calibrations(entry):
    data = json.loads(json.dumps(calibration.to_data([entry, entry])))
    assert calibration.from_data(data) == [entry, entry]


# ---- refusals


@pytest.mark.parametrize("number", [1.5, -1.001, float("nan"), float("inf")])
def test_what_is_no_cosine_is_refused(number):
    with pytest.raises(UserError, match="is no cosine: give a number between -1 and 1"):
        calibration.check(number)


def test_a_layer_that_the_model_does_not_have_is_refused():
    with pytest.raises(
        UserError, match="minilm has no layer 7: its layers are 0 .input. to 6"
    ):
        calibration.check_layer(7, "minilm", 6)
    calibration.check_layer(6, "minilm", 6)


def test_a_text_of_one_sentence_has_no_pair_of_random_words(encoder, tmp_path):
    file = tmp_path / "one.txt"
    file.write_text(
        "the bank and the river and the bank and the sea and the hill and the end"
    )
    with pytest.raises(UserError, match="no pair of random words"):
        calibration.calibrate(encoder, corpora.load(file), [1])
