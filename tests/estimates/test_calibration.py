"""`cwr cosine`: where a cosine lies, on a real small model, against a count of all pairs."""
from itertools import combinations

import numpy as np
import pytest

from cwr import corpora, encoders, extraction
from cwr.errors import UserError
from cwr.estimates import calibration
from cwr.extraction import targets

LAYER = 5


@pytest.fixture(scope="module")
def encoder():
    return encoders.load("minilm")


@pytest.fixture(scope="module")
def text():
    return corpora.load("lee").sample(120, 0)


@pytest.fixture(scope="module")
def middling(encoder, text):
    return calibration.calibrate(0.5, encoder, LAYER, text)


def cosines(vectors: np.ndarray) -> list[float]:
    pairs = combinations(np.array(vectors, dtype=float), 2)
    return [a @ b / np.sqrt((a @ a) * (b @ b)) for a, b in pairs]


def test_the_shares_are_those_of_counting_pairs(middling, encoder, text):
    random = targets.random_tokens(text, 1000, 0)
    among_random = cosines(extraction.run(encoder, text, targets=random).vectors(LAYER))
    assert middling.random_below == pytest.approx(np.mean(np.array(among_random) < 0.5))
    assert middling.random_mean == pytest.approx(np.mean(among_random))

    frequent = extraction.run(encoder, text, targets.frequent(text, 5),
                              reducers=[extraction.vectors(100, 0)])
    by_word = [cosines(frequent.vectors(LAYER)[rows])
               for rows in frequent.table.groupby("group").indices.values()]
    below = [np.mean(np.array(pairs) < 0.5) for pairs in by_word]
    assert middling.same_word_below == pytest.approx(np.mean(below))
    assert middling.same_word_mean == pytest.approx(np.mean([np.mean(pairs) for pairs in by_word]))


def test_a_higher_cosine_lies_higher_and_same_words_lie_above_random_ones(middling, encoder, text):
    high = calibration.calibrate(0.9, encoder, LAYER, text)
    assert high.random_below > middling.random_below
    assert high.same_word_below > middling.same_word_below
    assert middling.random_below > middling.same_word_below


def test_the_paragraph_says_model_layer_and_both_shares(middling):
    assert middling.paragraph.startswith(
        "In layer 5 of minilm (block 5), on 120 sentences of lee: 0.5 is")
    for share in (middling.random_below, middling.same_word_below):
        assert f"{100 * share:.1f}%" in middling.paragraph


def test_what_is_no_cosine_or_no_layer_is_refused(encoder, text):
    with pytest.raises(UserError, match="no cosine"):
        calibration.calibrate(1.5, encoder, LAYER, text)
    with pytest.raises(UserError, match="no layer 9: its layers are 0"):
        calibration.calibrate(0.5, encoder, 9, text)
