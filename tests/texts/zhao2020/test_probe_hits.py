"""Cases of probes: by hand, on seven contexts of three pairs."""

import numpy as np
import pytest

from cwr.measures import probing
from cwr.texts.zhao2020 import probe_hits
from cwr.texts.zhao2020.probes import Answers

WORDS = np.array(["a", "a", "a", "a", "a", "b", "c"], dtype=object)
GOLD = np.array([0, 0, 0, 0, 1, 0, 1])
DECISIONS = np.zeros((2, 1, 7, 2), dtype=bool)
DECISIONS[:, 0, [0, 1, 5], 0] = True
DECISIONS[1, 0, 6, 1] = True
ANSWERS = Answers(WORDS, GOLD, DECISIONS, (3,))


def test_pairs_are_scored_apart_by_their_number_of_contexts():
    table = probe_hits.by_contexts(ANSWERS)
    assert table["pairs"].to_dict() == {"1": 3, "2–4": 1}
    many = GOLD[:4], WORDS[:4]
    assert (
        table.loc["2–4", 3] == probing.micro_f1(DECISIONS[0, 0, :4], many[1], many[0]) == 1
    )
    few = [
        probing.micro_f1(of_seed[0, 4:], WORDS[4:], GOLD[4:]) for of_seed in DECISIONS
    ]  # b; b and c
    assert table.loc["1", 3] == pytest.approx(np.mean(few))
    assert few == pytest.approx([0.5, 0.8])


def test_a_context_is_hit_by_the_probe_of_its_own_class_in_so_many_seeds():
    assert probe_hits.hits(ANSWERS).tolist() == [[1, 1, 0, 0, 0, 1, 0.5]]
    margins = np.arange(28).reshape(2, 1, 7, 2)
    own = probe_hits.own_margins(margins, GOLD)
    assert own.tolist() == [[7, 9, 11, 13, 16, 17, 20]]


def test_the_case_of_many_pieces_is_a_missed_one():
    pieces = np.array([9, 2, 5, 5, 1, 1, 1])
    margin = np.array([1.0, -1, -1, -2, -3, 1, 1])
    assert probe_hits.most_pieces_missed(pieces, margin) == 2
    assert probe_hits.most_pieces_missed(pieces, np.ones(7)) is None


def test_the_odd_context_is_of_a_pair_that_is_recognised_in_half_of_its_contexts():
    margin = np.array(
        [1.0, 1, -1, -2, -9, -9, -9]
    )  # of four contexts of "a" two are right
    assert probe_hits.odd_context(ANSWERS, margin) == 3
    of_none = np.where(margin > 0, margin, -1) * [1, -1, 1, 1, 1, 1, 1]
    assert probe_hits.odd_context(ANSWERS, of_none) is None
